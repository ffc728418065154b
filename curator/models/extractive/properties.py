"""Tables of properties: two columns, a name and a value. Each row is a statement: ``Weight: 18 kg``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.models.extractive.parsing import grids, sections
from curator.models.extractive.parsing.grids import Grid, GridRow
from curator.models.extractive.parsing.inline import RichText
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.wiki.sources.evidence import MIN_LETTERS, MIN_WORDS

STANDING = frozenset(
    "status state created published superseded-by supersedes replaces replaced-by obsoletes obsoleted-by requires "
    "python-version version valid-from".split()
)
"""Fields of a head that tell what the document is worth."""
_LEAST_ROWS, _MOST_ROWS = 2, 20
_MOST_WORDS, _LONGEST_VALUE = 6, 160


def find_properties(reading: SourceReading) -> dict[tuple[str, ...], list[Sentence]]:
    """The rows of each such table as sentences, by the headings that the table stands under."""
    found: dict[tuple[str, ...], list[Sentence]] = {}
    for grid in grids.read_tables(reading.source):
        path = path_of(reading, grid)
        if not _has_properties(grid) or any(sections.is_skipped(title) or sections.is_aside(title) for title in path):
            continue
        rows = grid.rows[:_MOST_ROWS]
        if any(len(row.cells[1].plain) > _LONGEST_VALUE for row in rows):
            continue
        for row, below in zip(rows, [*rows[1:], None], strict=True):
            found.setdefault(path, []).extend(_statement(row, path, below))
    return found


def of_itself(reading: SourceReading) -> list[Sentence]:
    """The rows of tables above the first heading that tell of the document itself: its status, who decided it and when."""
    return [row for path, rows in find_properties(reading).items() if is_of_itself(path, rows) for row in rows]


def is_of_itself(path: tuple[str, ...], rows: list[Sentence]) -> bool:
    return not path and any(row.label.casefold() in STANDING for row in rows)


def _has_properties(grid: Grid) -> bool:
    names = [row.cells[0].plain for row in grid.rows]
    return (
        len(grid.head) == 2
        and len(names) >= _LEAST_ROWS
        and len(set(names)) == len(names)
        and all(re.search(r"[^\W\d_]{2}", name) and len(name.split()) <= _MOST_WORDS for name in names)
    )


def _statement(row: GridRow, path: tuple[str, ...], below: GridRow | None) -> Iterator[Sentence]:
    """The row as a sentence; one too short to prove anything is quoted with the row below."""
    name, value = row.cells
    if not value.plain or len(value.plain) > _LONGEST_VALUE:
        return
    rich = RichText(f"{_capital(name.text)}: {value.text}", f"{_capital(name.plain)}: {value.plain}")
    is_short = len(re.findall(r"\w+", row.raw)) < MIN_WORDS and sum(map(str.isalnum, row.raw)) < MIN_LETTERS
    raw = f"{row.raw}\n{below.raw}" if is_short and below is not None else row.raw
    quote = " ".join(raw.strip().strip("|+").split())
    yield Sentence(-1, rich, quote, raw, path, True, name.plain, True, False)


def _capital(name: str) -> str:
    name = name.strip(" :.")
    return f"{name[:1].upper()}{name[1:]}"


def path_of(reading: SourceReading, grid: Grid) -> tuple[str, ...]:
    """The headings that ``grid`` stands under."""
    above = [path for start, path in reading.text.places if start < grid.at]
    return above[-1] if above else ()
