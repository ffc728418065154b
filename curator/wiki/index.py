"""``_index.md``, the generated catalogue of pages (AIP-10, required generated files).

A pure function of the entries: made again from the same pages it is byte for byte the same, whatever their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from itertools import groupby, islice

from curator.system.edited_text import Edit, EditedText, Text
from curator.wiki.pages.page import DERIVED, FOLDERS
from curator.wiki.pages.slug import slugify
from curator.wiki.wiki import PageEntry, Wiki

PATH = "_index.md"
_MOST_ALIASES = 3
"""Of a page, where a prompt lists it by its names."""
_AT_ONCE = 1_000
"""Lines of one piece."""
Line = tuple[str, str, str]
"""Section, slug, line."""
_Listed = tuple[str, str]
"""Slug, line."""


def render(entries: Iterable[PageEntry], grouping: str = "kind") -> str:
    """The index: a section a kind (or tag, or source), a line a page, sorted by slug."""
    sections: dict[str, set[_Listed]] = {}
    for entry in entries:
        for name in _sections(entry, grouping):
            sections.setdefault(plain(name), set()).add((entry.slug, line(entry)))
    return str(_joined({name: sorted(listed) for name, listed in sections.items()}))


def of(wiki: Wiki, grouping: str = "kind") -> str:
    """The index of ``wiki``: what ``render`` makes of its entries, sooner, for the lines of a big wiki are kept."""
    return str(made(wiki, grouping))


def made(wiki: Wiki, grouping: str = "kind") -> Text:
    """The same, which need not be in memory twice: lines come in their order, and become some big pieces."""
    if grouping != "kind":
        return render(wiki.entries(), grouping)
    kinds: dict[str, set[str]] = {}
    for kind in wiki.store.kinds():
        kinds.setdefault(plain(_of_kind(kind)), set()).add(kind)
    new: dict[str, list[_Listed]] = {}
    for name, slug, words in _lines_of(wiki):
        new.setdefault(plain(name), []).append((slug, words))

    def listed(name: str) -> Iterator[_Listed]:
        kept = wiki.store.lines(kinds.get(name, ()))
        return merge(((slug, words) for path, slug, words in kept if not wiki.is_over(path)), sorted(new.get(name, ())))

    return _joined({name: listed(name) for name in {*kinds, *new}})


def _lines_of(wiki: Wiki) -> list[Line]:
    """Those of the changed pages."""
    return [(_of_kind(entry.kind), entry.slug, line(entry)) for entry in map(PageEntry.of, wiki.changed.values())]


# -- an index edited where it changes --------------------------------------------------------------------------------


def edited(before: bytes, wiki: Wiki) -> EditedText | None:
    """``before``, the index by kinds of the wiki's store, with the lines of its changed pages.

    None where it has to be made anew: a section comes or goes, two pages share a slug, or ``before`` is not what it is
    said to be.
    """
    new = {(plain(name), slug, words) for name, slug, words in _lines_of(wiki)}
    told = wiki.store.lines_near({*wiki.changed, *wiki.gone}, {slug for _, slug, _ in new})
    if not all(wiki.is_over(path) for path, *_ in told):
        return None
    return with_lines(before, {placed(kind, slug, words) for _, slug, kind, words in told}, new)


def placed(kind: str, slug: str, words: str) -> Line:
    """The line ``words`` of a page, in the section that it stands in."""
    return plain(_of_kind(kind)), slug, words


def with_lines(before: bytes, old: set[Line], new: set[Line]) -> EditedText | None:
    """``before`` without the lines ``old`` and with those that are ``new``; None as with ``edited``."""
    edits: list[Edit] = []
    changes = sorted((*((each, False) for each in old - new), *((each, True) for each in new - old)))
    for name, some in groupby(changes, key=lambda change: change[0][0]):
        found = _section_edits(before, name, list(some))
        if found is None:
            return None
        edits += found
    return EditedText.of(before, edits)


def _section_edits(text: bytes, name: str, changes: list[tuple[Line, bool]]) -> list[Edit] | None:
    """Where lines of one section go and come: spans of ``text`` and what takes their place, in the order of ``changes``."""
    head = f"\n## {name}\n\n".encode()
    start = text.find(head) + len(head)
    if start < len(head):
        return None
    end = text.find(b"\n\n", start) + 1 or len(text)
    edits, places = [], []
    for (_, slug, words), comes in changes:
        written = f"{words}\n".encode()
        at = _place_of(text, start, end, (slug, words))
        is_there = text.startswith(written, at) and at < end
        if is_there == comes:
            return None
        places.append(at)
        edits.append((at, at, written) if comes else (at, at + len(written), b""))
    goes = sum(stop - at for at, stop, _ in edits)
    is_emptied = goes == end - start or places != sorted(places)
    return None if is_emptied else edits


def _place_of(text: bytes, start: int, end: int, wanted: tuple[str, str]) -> int:
    """Where the line of ``wanted`` (slug, line) begins, or would, in the sorted lines between two offsets."""
    while start < end:
        begins = text.rfind(b"\n", start, (start + end) // 2) + 1 or start
        ends = text.index(b"\n", begins, end) + 1
        found = text[begins : ends - 1].decode("utf-8", "replace")
        if (found.removeprefix("- [[").partition("]]")[0], found) < wanted:
            start = ends
        else:
            end = begins
    return start


def _joined(sections: Mapping[str, Iterable[_Listed]]) -> EditedText:
    """The file, from the lines of each section in their order; of equal ones there is one, of none no section."""
    pieces: list[bytes | memoryview] = [b"# Index\n"]
    for name in sorted(sections, key=lambda name: (_ORDER.get(name, len(_ORDER)), name)):
        lines = (f"{words}\n".encode() for (_, words), _ in groupby(sections[name]))
        head = f"\n## {name}\n\n".encode()
        while some := b"".join(islice(lines, _AT_ONCE)):
            pieces += [head, some]
            head = b""
    return EditedText(pieces)


def line(entry: PageEntry) -> str:
    """``- [[slug]] Title: one-line summary``."""
    summary = f": {plain(entry.summary)}" if entry.summary else ""
    return f"- [[{entry.slug}]] {plain(entry.title)}{summary}"


def names(entry: PageEntry) -> str:
    """What a page is called, in the fewest words: ``slug: Title; alias``; a title that the slug tells is left out."""
    title = plain(entry.title)
    told = [] if title[1:] == entry.slug.replace("-", " ")[1:] and slugify(title) == entry.slug else [title]
    told += [plain(alias) for alias in entry.aliases[:_MOST_ALIASES] if alias not in entry.title]
    kind = f" ({entry.kind})" if entry.kind in ("summary", *DERIVED) else ""
    return f"{entry.slug}{kind}" + (f": {'; '.join(told)}" if told else "")


def plain(text: str) -> str:
    """``text`` on one line that links nothing and is no HTML."""
    return re.sub(r"([\[\]<`*|\\])", r"\\\1", " ".join(text.split()))


_ORDER = {name.capitalize(): n for n, name in enumerate(FOLDERS.values())}


def _sections(entry: PageEntry, grouping: str) -> Iterator[str]:
    if grouping == "tag":
        yield from entry.tags or ("Untagged",)
    elif grouping == "source":
        yield from entry.sources or ("No source",)
    else:
        yield _of_kind(entry.kind)


def _of_kind(kind: str) -> str:
    return (FOLDERS.get(kind) or f"{kind}s").capitalize()
