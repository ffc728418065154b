"""HTML: the main text of a page, without what is hidden and what every page of its site has, by paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from css.selectors import Element
from extracted import Extracted, LeftOut, Line
from html_page.lines import PageLine
from html_page.page import Page, read_page
from html_page.place import FURNITURE, Place
from html_page.tags import BLOCKS
from unicode_text import source_text

_LEAST_MAIN = 0.3
"""Of a page's text: what it marks as its main text has at least that much, or the mark is not believed."""
_LEAST = 200
"""Characters of a text that is worth being called one."""
_MOST_MAINS = 8
"""Marks of main text within each other."""
_LINKS = "lists of links"
_LINKED = 0.7
"""Of the characters of a block that leads elsewhere, and says nothing."""
_MOSTLY = 0.4
_MOST_IN_LINK = 100


def read(data: bytes, max_chars: int) -> Extracted:
    """The main text of the page in ``data``."""
    return main_text(read_page(source_text(data)))


def main_text(page: Page, is_titled: bool = True) -> Extracted:
    """What is the text of ``page``, and what was left out. ``is_titled``: its title stands above it."""
    kept, gone = _main_text(page.lines)
    gone.update(page.dropped)
    left_out = [LeftOut(what, count) for what, count in gone.items() if count]
    hidden = [LeftOut(f"text that is {why}", count, is_hidden=True) for why, count in sorted(page.unseen.items())]
    # The name of a site may be the first heading of each of its pages: the text's own goes before it.
    headings = (line.words for line in (*kept, *page.lines) if _rank(line.place) == 1)
    head = page.head.fields(next(headings, ""))
    if is_titled and head.get("title") and all(_rank(line.place) != 1 for line in kept):
        kept = [PageLine(str(head["title"]), Place(Element("h1")), 0), *kept]
    return Extracted(tuple(numbered(kept)), "paragraph", head, [*hidden, *left_out])


def preload() -> None:
    read(b"<p>&amp;", 100)


def _main_text(lines: Sequence[PageLine]) -> tuple[list[PageLine], Counter[str]]:
    """The lines that are the page's text; and how many characters are not, by what they are."""
    for choose in (_without_furniture, _by_tags, list):
        kept = choose(lines)
        if _size(kept) >= min(_LEAST, _size(lines) * _LEAST_MAIN):
            break
    gone: Counter[str] = Counter()
    chosen = set(map(id, kept))
    for line in lines:
        if id(line) not in chosen:
            kind = _LINKS if line.linked > _LINKED * len(line.words) else FURNITURE
            gone[(line.place.reason if line.place else "") or kind] += len(line.words)
    return kept, gone


def _without_furniture(lines: Sequence[PageLine]) -> list[PageLine]:
    seen = [line for line in lines if line.place is None or not line.place.reason]
    return _without_ends(_without_links(_in_main(seen)))


def _by_tags(lines: Sequence[PageLine]) -> list[PageLine]:
    """Furniture as tags alone say it, where classes and ids say it of too much."""
    return [line for line in lines if not _is_in(line.place, ("nav", "footer", "button", "menu"))]


def _in_main(lines: list[PageLine]) -> list[PageLine]:
    """The lines in the element that the page marks as its main text, if it has the larger part of it."""
    sizes: Counter[int] = Counter()
    for line in lines:
        for main in _mains(line.place):
            sizes[id(main)] += len(line.words)
    most = max(sizes.values(), default=0)
    if most < max(_LEAST, _LEAST_MAIN * _size(lines)):
        return lines
    # Of elements within each other the innermost one that still has nearly all of it.
    best = [key for key, size in sizes.items() if size >= 0.9 * most][-1]
    return [line for line in lines if any(id(main) == best for main in _mains(line.place))]


def _mains(place: Place | None) -> Iterator[Place]:
    """The elements around it that are marked as main text, the innermost first."""
    for _ in range(_MOST_MAINS):
        main = place.main if place is not None else None
        if main is None:
            return
        yield main
        place = main.outside


def _without_links(lines: list[PageLine]) -> list[PageLine]:
    """Without the blocks of three lines and more that are links, each by itself: they lead elsewhere."""
    kept: list[PageLine] = []
    run: list[PageLine] = []
    for line in [*lines, None]:
        if line is not None and line.linked > _LINKED * len(line.words) and len(line.words) < _MOST_IN_LINK:
            run.append(line)
            continue
        kept += run if len(run) < 3 else [each for each in run if _rank(each.place)]
        run = []
        kept += [line] if line is not None else []
    return kept


def _without_ends(lines: list[PageLine]) -> list[PageLine]:
    """Without the short lines of links before and behind a text: where to go from here."""
    start, end = 0, len(lines)
    while start < end and _leads(lines[start]):
        start += 1
    while end > start and _leads(lines[end - 1]):
        end -= 1
    return lines[start:end]


def _leads(line: PageLine) -> bool:
    return line.linked > _MOSTLY * len(line.words) and len(line.words) < 2 * _MOST_IN_LINK and not _rank(line.place)


def _joined(lines: Sequence[PageLine]) -> Iterator[PageLine]:
    """The lines, those of one paragraph joined that a ``<br>`` parts in the middle of a sentence."""
    before: PageLine | None = None
    for line in lines:
        block = _block(line.place)
        if before is not None and block is not None and block is _block(before.place) and _goes_on(before, line):
            before = PageLine(f"{before.words} {line.words}", before.place, before.linked + line.linked)
            continue
        if before is not None:
            yield before
        before = line
    if before is not None:
        yield before


def _goes_on(before: PageLine, line: PageLine) -> bool:
    is_code = _around(line.place, ("pre",)) is not None
    return not is_code and " | " not in line.words and before.words[-1:] not in ".:;!?" and line.words[:1].islower()


def _block(place: Place | None) -> Place | None:
    """The innermost block around it."""
    return next((each for each in place.upwards() if each.element.tag in BLOCKS), None) if place is not None else None


def numbered(lines: Sequence[PageLine]) -> Iterator[Line]:
    """The lines with marks of what they are, each with the number of its paragraph; of code all lines have one."""
    number = 0
    code: Place | None = None
    items: dict[int, int] = {}
    for line in _joined(lines):
        inside = _around(line.place, ("pre",))
        if code is not None and inside is not code:
            yield number, "```", number
        if inside is None or inside is not code:
            number += 1
        if inside is not None and inside is not code:
            yield number, "```", number
        code = inside
        yield number, line.words if inside is not None else f"{_mark(line.place, items)}{line.words}", number
    if code is not None:
        yield number, "```", number


def _mark(place: Place | None, items: dict[int, int]) -> str:
    """What Markdown writes before a heading, or before the first line of an item; before its others, room for that.

    ``items``: how many characters stand before the words of each item that has begun.
    """
    if rank := _rank(place):
        return "#" * rank + " "
    item = _around(place, ("li",))
    if item is None or id(item) in items:
        return " " * items.get(id(item), 0)
    above = item.outside
    ordered = above is not None and above.element.tag == "ol"
    if above is not None:
        usual = _number(above.element, "start", 1) if above.items is None else above.items + 1
        above.items = _number(item.element, "value", usual)
    mark = "  " * max(0, item.depth - 1) + (f"{above.items}. " if ordered and above is not None else "- ")
    items[id(item)] = len(mark)
    return mark


def _number(element: Element, name: str, otherwise: int) -> int:
    """The number of an item that its list or itself says."""
    said = element.attributes.get(name, "")
    return int(said) if said.isdecimal() and len(said) < 6 else otherwise


def _rank(place: Place | None) -> int:
    """Of the heading that it is; 0 for what is none."""
    heading = _around(place, ("h1", "h2", "h3", "h4", "h5", "h6"))
    return int(heading.element.tag[1]) if heading is not None else 0


def _around(place: Place | None, tags: tuple[str, ...]) -> Place | None:
    """The innermost element of these around it, with no cell or section of its own between."""
    for each in place.upwards() if place is not None else ():
        if each.element.tag in tags:
            return each
        if each.element.tag in ("td", "th", "table", "section", "article", "body"):
            return None
    return None


def _is_in(place: Place | None, tags: tuple[str, ...]) -> bool:
    return place is not None and any(each.element.tag in tags for each in place.upwards())


def _size(lines: Sequence[PageLine]) -> int:
    return sum(len(line.words) for line in lines)
