"""Tables of a source whose rows stand on one line each: head, rows, and the words of each row.

Pipe tables (markdown, Org, text, and HTML as it is read) and the simple tables of reStructuredText. A table that
is written in any other way is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.models.extractive.parsing import inline
from curator.models.extractive.parsing.line import indent
from curator.wiki.sources.source import Document, Source

_RULE = re.compile(r"\s*+(?=[ :=+|-]*?--)[ :=+|-]++\s*+$")
_DELIMITER = re.compile(r"\s*+(?:\|\s*+)?:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)+\|?\s*+$")
"""Below the head of a table of markdown; there one dash is enough, elsewhere it says that a cell is empty."""
_SIMPLE = re.compile(r"\s*={2,}(?: +={2,})+\s*$")
_OPEN_HEAD = re.compile(r"\s*\| (?=.* \| )(?!.*\|\s*\Z)")
"""The head of a table of HTML whose first cell is empty."""
_OVER_ALL = 2
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class GridRow:
    cells: tuple[inline.RichText, ...]
    raw: str
    """The line as it stands in the source."""


@dataclass(frozen=True)
class Grid:
    """``at`` is the offset of its first line in the source's text."""

    head: tuple[inline.RichText, ...]
    rows: tuple[GridRow, ...]
    at: int


def read_tables(source: Source) -> Iterator[Grid]:
    """The tables of ``source``, in order."""
    lines = [text.rstrip() for _, text in source.document.lines]
    starts = _starts(source.document)
    at = 0
    while at < len(lines):
        found = _simple(lines, at) if source.format == "rst" else _piped(lines, at, is_html=source.format == "html")
        if found is None:
            at += 1
            continue
        rows, end = found
        if grid := _grid(rows, lines, source.format, starts[at]):
            yield grid
        at = end


Found = tuple[list[tuple[int, list[str]]], int]
"""Number and cells of each line of a table, the head's first, and the number of the line behind the table."""


def _piped(lines: Sequence[str], at: int, *, is_html: bool) -> Found | None:
    if "|" not in lines[at] or at + 2 >= len(lines):
        return None
    ruled = is_delimiter(lines[at + 1]) or ("|" in lines[at + 1] and _RULE.match(lines[at + 1]) is not None)
    bare = not lines[at].lstrip().startswith("|") and " | " in lines[at] and " | " in lines[at + 1]
    is_open = _OPEN_HEAD.match(lines[at]) is not None and _OPEN_HEAD.match(lines[at + 1]) is None
    is_open = is_open and " | " in lines[at + 1] and not ruled
    if not (ruled or bare or is_open):
        return None
    end = at + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    rows = [n for n in range(at, end) if not (_RULE.match(lines[n]) or (ruled and n == at + 1))]
    empty = {n for n in rows if (n == at and is_open) or (is_html and lines[n].startswith("| ") and not ruled)}
    return [(n, [*([""] if n in empty else []), *_cells(lines[n])]) for n in rows], end


def is_delimiter(line: str) -> bool:
    """True for the line below the head of a table of markdown: ``| - | :-: |``."""
    return _DELIMITER.match(line) is not None


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [cell.strip() for cell in _BAR.split(bare)]


def _simple(lines: Sequence[str], at: int) -> Found | None:
    """A simple table: rules of ``=`` above the head, below it, and at the end; the rules say where columns begin."""
    if not _SIMPLE.match(lines[at]):
        return None
    rules = [at]
    for number in range(at + 1, len(lines)):
        if not lines[number].strip():
            break
        if _SIMPLE.match(lines[number]):
            rules.append(number)
    if len(rules) != 3 or rules[1] != at + 2:
        return None
    spans = [match.span() for match in re.finditer("=+", lines[at])]
    ends = [*(start for start, _ in spans[1:]), None]
    rows = []
    for number in (at + 1, *range(rules[1] + 1, rules[2])):
        line = lines[number]
        gaps = [line[stop:following] for (_, stop), (following, _) in pairwise(spans)]
        if indent(line) > spans[0][0] or any(gap.strip() for gap in gaps):
            return None  # a line that goes on with the row above, or a cell over two columns
        rows.append((number, [line[start:end].strip() for (start, _), end in zip(spans, ends, strict=True)]))
    return rows, rules[2] + 1


def _grid(rows: list[tuple[int, list[str]]], lines: Sequence[str], format: str, at: int) -> Grid | None:
    """None for a table that is wider in some row than in its head, or in no row as wide."""
    width = len(rows[0][1])
    if (
        len(rows) < 2
        or any(len(cells) > width for _, cells in rows)
        or not any(len(cells) == width for _, cells in rows[1:])
    ):
        return None
    rows = [(n, _filled(cells, width, format)) for n, cells in rows]
    read_rows = [GridRow(tuple(inline.read_inline(cell, format) for cell in cells), lines[n]) for n, cells in rows]
    return Grid(read_rows[0].cells, tuple(read_rows[1:]), at)


def _filled(cells: list[str], width: int, format: str) -> list[str]:
    """``cells`` as wide as the head: in a page of HTML the one value of a row, ``Mon | closed``, goes over all columns."""
    fill = cells[1] if format == "html" and len(cells) == _OVER_ALL and cells[0] else ""
    return [*cells, *[fill] * (width - len(cells))]


def _starts(document: Document) -> list[int]:
    found, offset = [], 0
    for _, text in document.lines:
        found.append(offset)
        offset += len(text) + 1
    return found
