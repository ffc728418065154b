"""The tables of a source: those of properties row by row, others as they are, on the page about the document.

A table of properties has two columns, a name and a value; each row is a statement: ``Weight: 18 kg``. Of a table that is
shown every row has to be proven by its own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.models.extractive.parsing import sections
from curator.models.extractive.parsing.grids import Grid, GridRow
from curator.models.extractive.parsing.inline import RichText
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading, says_enough
from curator.models.extractive.whole_lists import EXAMPLE
from curator.models.proposal import Claim
from curator.wiki.pages import markdown
from curator.wiki.pages.foreign import form_in
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document

STANDING = frozenset(
    "status state created published superseded-by supersedes replaces replaced-by obsoletes obsoleted-by requires "
    "python-version version valid-from".split()
)
"""Fields of a head that tell what the document is worth."""
_LEAST_ROWS, _MOST_ROWS, _MOST_OTHER_ROWS = 2, 20, 15
_LEAST_COLUMNS, _MOST_COLUMNS, _MOST_OF_NOTE = 2, 6, 10
_NEAR = 80
"""Characters above a table in which a line that makes an example of it stands."""
_MOST_TABLES = 8
_MOST_WORDS, _LONGEST_VALUE, _LONGEST_CELL, _LONGEST = 6, 160, 120, 4_000


def find_tables(reading: SourceReading) -> Iterator[tuple[int, tuple[str, ...], Claim]]:
    """The tables for the page about the document that are told in no other way, each with where it begins and the headings
    it stands under; above an example, that it is one is the last of them.
    """
    told = 0
    for grid in reading.tables:
        path, example = _path_of(reading, grid), _example(reading, grid)
        most = _MOST_OF_NOTE if reading.is_brief else _MOST_COLUMNS
        fits = _LEAST_ROWS <= len(grid.rows) <= _MOST_OTHER_ROWS and _LEAST_COLUMNS <= len(grid.head) <= most
        if _is_list(grid) or (_has_properties(grid) and not example):
            continue
        if not fits or _is_elsewhere(path) or told == _MOST_TABLES:
            continue
        if len(grid.head) == _LEAST_COLUMNS and not (example or _is_below_heading(reading, grid, path)):
            continue  # what stands above it may say that none of it holds
        if table := _table_claim(reading, grid):
            told += 1
            yield grid.at, path + example, table


def _path_of(reading: SourceReading, grid: Grid) -> tuple[str, ...]:
    """The headings that ``grid`` stands under."""
    above = [path for start, path in reading.text.places if start < grid.at]
    return above[-1] if above else ()


def _is_elsewhere(path: tuple[str, ...]) -> bool:
    return any(sections.is_skipped(title) or sections.is_aside(title) for title in path)


def _table_claim(reading: SourceReading, grid: Grid) -> Claim | None:
    """The table as it is, with the words of each row; None when one of them proves nothing or cannot be written."""
    lines, quotes = [], []
    for row in grid.rows:
        cells = [cell.text for cell in row.cells]
        quote = _words_of(row.raw)
        here = Evidence(reading.source.path, Document.from_text(row.raw))
        found = here.find(quote)
        if sum(map(bool, cells)) < _LEAST_COLUMNS or any(map(_unfit, cells)):
            return None
        if not isinstance(found, list) or len(found) != 1 or not here.holds(found[0]):
            return None
        lines.append(_row(cells))
        quotes.append(quote)
    heads = [cell.text for cell in grid.head]
    text = "\n".join([_row(heads), "|" + " --- |" * len(heads), *lines])
    if any(map(_unfit, heads)) or len(text) > _LONGEST or reading.evidence.numbers_missing(text):
        return None
    return Claim(text=text, quotes=tuple(quotes))


def _words_of(raw: str) -> str:
    return " ".join(raw.strip().strip("|+").split())


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell or '–' for cell in cells)} |"


def _unfit(cell: str) -> bool:
    """True for what would part the row or is read as more than words."""
    outline = markdown.scan(cell)
    return len(cell) > _LONGEST_CELL or bool(
        re.search(r"(?<!\\)\||\{\{|<%|%%", cell) or outline.links or outline.html or form_in(cell)
    )


# -- properties ----------------------------------------------------------------------------------------------------


def find_properties(reading: SourceReading) -> dict[tuple[str, ...], list[Sentence]]:
    """The rows of each table of properties as sentences, by the headings that the table stands under."""
    found: dict[tuple[str, ...], list[Sentence]] = {}
    for grid in reading.tables:
        path, rows = _path_of(reading, grid), grid.rows[:_MOST_ROWS]
        if not _has_properties(grid) or _is_elsewhere(path) or _example(reading, grid):
            continue
        if any(len(row.cells[1].plain) > _LONGEST_VALUE for row in rows):
            continue
        for at, row in enumerate(rows):
            pair = rows[at : at + 2] if row is not rows[-1] else rows[-2:]
            found.setdefault(path, []).extend(_statement(row, path, pair))
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
        and not _is_list(grid)
        and len(names) >= _LEAST_ROWS
        and len(set(names)) == len(names)
        and all(re.search(r"[^\W\d_]{2}", name) and len(name.split()) <= _MOST_WORDS for name in names)
    )


def _is_list(grid: Grid) -> bool:
    """True for mere words in two columns."""
    cells = (cell.plain.replace("-", "") for row in grid.rows for cell in row.cells)
    return len(grid.head) == 2 and all(map(str.isalpha, cells))


def _example(reading: SourceReading, grid: Grid) -> tuple[str, ...]:
    """``For example`` where such a line stands above ``grid``, whose rows hold of nothing else."""
    above = _line_above(reading, grid)
    return (above.rstrip(":： "),) if EXAMPLE.match(above) else ()


def _line_above(reading: SourceReading, grid: Grid) -> str:
    return reading.source.document.text[max(0, grid.at - _NEAR) : grid.at].rstrip().rpartition("\n")[2].strip()


def _is_below_heading(reading: SourceReading, grid: Grid, path: tuple[str, ...]) -> bool:
    """True where nothing stands between ``grid`` and the heading above it."""
    bare = _line_above(reading, grid).strip("#=-~*^\"'`+ ")
    return not bare or bare in path[-1:]


def _statement(row: GridRow, path: tuple[str, ...], pair: Sequence[GridRow]) -> Iterator[Sentence]:
    """The row as a sentence; one too short to prove anything is quoted as the ``pair`` that it makes with its neighbour."""
    name, value = row.cells
    if not value.plain:
        return
    rich = RichText(f"{_capital(name.text)}: {value.text}", f"{_capital(name.plain)}: {value.plain}")
    raw = row.raw if says_enough(row.raw) else "\n".join(each.raw for each in pair)
    yield Sentence(-1, rich, _words_of(raw), raw, path, True, name.plain, True, False)


def _capital(name: str) -> str:
    name = name.strip(" :.")
    return f"{name[:1].upper()}{name[1:]}"
