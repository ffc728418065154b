"""From the rows of all pages to paragraphs: running heads gone, broken words joined, tables in rows.

Every paragraph becomes one line; where it goes on over the page, the sentence that does so is a line of its own, so that
each sentence has the page that it stands on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from extracted import LeftOut, Line

from formats.pdf_pages.rows import Row

_MARGIN = 0.12
"""Of the height of a page: what runs from page to page stands this near to its edge."""
_NEAR = 3.0
_BULLET = re.compile(r"[•‣◦▪■●○]|[–—*\-]\s")
_NUMBER = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\])\s")
_ENDED = re.compile(r"[.!?:;。！？…][\"'”’)\]»]*[⁰¹²³⁴⁵⁶⁷⁸⁹]*$")
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|p\.?)\s*)?(?:\d{1,5}|[ivxlc]{1,7}|[A-Z][-.]\d{1,3})(?:\s*(?:/|of|von)\s*\d{1,5})?\W*", re.I
)
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(]?[^\W\da-z_])")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-‐]$")
_INNER_HYPHEN = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:[-‐][^\W\d_]++)+")


@dataclass(frozen=True)
class PageRows:
    """One page: its number, its rows in reading order, and its height."""

    number: int
    rows: Sequence[Row]
    height: float
    bottom: float = 0.0


def flow(pages: Sequence[PageRows]) -> tuple[list[Line], list[LeftOut]]:
    """The lines of the document, and what of its pages is in none of them."""
    running = _running(pages)
    left_out: Counter[str] = Counter()
    kept: list[tuple[int, Row]] = []
    for page in pages:
        for index, row in enumerate(page.rows):
            if (page.number, index) in running:
                is_number = _PAGE_NUMBER.fullmatch(row.text) is not None
                left_out["page numbers" if is_number else "running headers and footers"] += len(row.text)
            else:
                kept.append((page.number, row))
    lines = list(_lines(kept))
    return lines, [LeftOut(what, count) for what, count in left_out.items()]


def _running(pages: Sequence[PageRows]) -> set[tuple[int, int]]:
    """The rows, by page and place, that are no part of the text: they say the same, or count, on many pages."""
    edge: dict[tuple[int, int], tuple[PageRows, Row]] = {}
    for page in pages:
        for index, row in enumerate(page.rows):
            height = (row.base - page.bottom) / (page.height or 1)
            if not _MARGIN <= height <= 1 - _MARGIN and row.pieces[0].turn == (1.0, 0.0):
                edge[page.number, index] = page, row
    same = Counter((_shape(row.text), round(row.base / _NEAR)) for _, row in edge.values())
    least = 2 if len(pages) < 6 else 3
    found = {
        key
        for key, (_, row) in edge.items()
        if sum(same[_shape(row.text), round(row.base / _NEAR) + step] for step in (-1, 0, 1)) >= least
    }
    heights = {round(edge[key][1].base / _NEAR) for key in found}
    for key, (page, row) in edge.items():
        likely = _PAGE_NUMBER.fullmatch(row.text) or round(row.base / _NEAR) in heights
        if key not in found and likely and _is_outermost(page, row, key[1], found):
            found.add(key)
    return found


def _shape(text: str) -> str:
    return re.sub(r"\b[ivxlc]+\b|\d+", "#", " ".join(text.split()).casefold())


def _is_outermost(page: PageRows, row: Row, index: int, found: set[tuple[int, int]]) -> bool:
    """True when nothing of the text stands between ``row`` and the edge of the page."""
    others = [other.base for at, other in enumerate(page.rows) if at != index and (page.number, at) not in found]
    return not others or row.base < min(others) - 1 or row.base > max(others) + 1


def _lines(rows: Sequence[tuple[int, Row]]) -> Iterator[Line]:
    known = _words(row.text for _, row in rows)
    pitch = _pitch(rows)
    paragraph: list[tuple[int, Row]] = []
    for number, row in rows:
        if paragraph and _begins(paragraph[-1], (number, row), pitch):
            yield from _paragraph(paragraph, known)
            paragraph = []
        paragraph.append((number, row))
    if paragraph:
        yield from _paragraph(paragraph, known)


def _words(texts: Iterator[str]) -> set[str]:
    """Compounds that the document writes with a hyphen within a line."""
    return {match.casefold() for text in texts for match in _INNER_HYPHEN.findall(text)}


def _pitch(rows: Sequence[tuple[int, Row]]) -> float:
    """The usual distance between the lines of a paragraph, in sizes of their letters."""
    pitches = [
        (before.base - row.base) / row.size
        for (page, before), (number, row) in pairwise(rows)
        if page == number and row.size > 0 and 0.8 * row.size < before.base - row.base < 2.5 * row.size
    ]
    return median(pitches) if pitches else 1.2


def _begins(last: tuple[int, Row], this: tuple[int, Row], pitch: float) -> bool:
    """True when the second row begins a paragraph."""
    (last_number, before), (number, row) = last, this
    if before.cells or row.cells or (row.fixed and before.fixed) or _BULLET.match(row.text):
        return True
    if _NUMBER.match(row.text) and (_ENDED.search(before.text) or _is_short(before)):
        return True
    if (
        abs(before.size - row.size) > 0.08 * row.size
        or before.bold != row.bold
        or before.pieces[0].turn != row.pieces[0].turn
    ):
        return True
    width = row.column[1] - row.column[0] or 1
    moved_on = last_number != number or row.base > before.base
    if moved_on:
        return not row.text[:1].islower() and (bool(_ENDED.search(before.text)) or _is_short(before))
    if before.base - row.base > (pitch + 0.3) * row.size:
        return True
    indented = row.left - before.left > 0.8 * row.size and row.left - row.column[0] < 0.25 * width
    return (indented and bool(_ENDED.search(before.text))) or (_is_short(before) and not row.text[:1].islower())


def _is_short(row: Row) -> bool:
    """True for a last line: another word would have found room in it."""
    return row.column[1] - row.right > 0.2 * (row.column[1] - row.column[0])


def _paragraph(rows: Sequence[tuple[int, Row]], known: set[str]) -> Iterator[Line]:
    text, starts = "", []
    for number, row in rows:
        text = _joined_to(text, row.text.strip(), known)
        starts.append((len(text) - len(row.text.strip()), number))
    first = rows[0][0]
    if rows[-1][0] == first:
        yield first, text, first
        return
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    at = 0
    for start, number in starts:
        if number == first or start <= at:
            continue
        # The sentence in which the page turns: up to it is one line, the sentence itself another.
        begin = max([at, *(end for end in ends if end <= start)])
        end = min([*(end for end in ends if end > start), len(text)])
        if begin > at:
            yield first, text[at:begin].strip(), first
        if begin < start:
            yield first, text[begin:end].strip(), number
            at = end
        else:
            at = begin
        first = number
    if text[at:].strip():
        yield first, text[at:].strip(), first


def _joined_to(text: str, more: str, known: set[str]) -> str:
    """``text`` with the next line: a word that was broken at the line's end is whole again."""
    if not text:
        return more
    broken = _HYPHENATED.search(text)
    if broken is None or not more[:1].isalpha():
        return f"{text} {more}"
    head = re.search(r"(?<![^\W\d_])[^\W\d_]+$", text[: broken.start()])
    tail = re.match(r"[^\W\d_]+", more)
    compound = f"{head[0] if head else ''}-{tail[0] if tail else ''}".casefold()
    if more[0].isupper() or compound in known:
        return text + more
    return text[: broken.start()] + more
