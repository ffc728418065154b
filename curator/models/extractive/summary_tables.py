"""Which tables of a source stand on the page about it."""

from __future__ import annotations

from collections.abc import Iterator

from curator.models.extractive import comparisons, properties, tables
from curator.models.extractive.parsing import grids, sections
from curator.models.extractive.reading import SourceReading
from curator.models.proposal import Claim

_LEAST_ROWS, _MOST_ROWS, _LEAST_COLUMNS, _MOST_COLUMNS = 2, 15, 3, 6
_MOST_TABLES = 8


def find_tables(reading: SourceReading) -> Iterator[tuple[tuple[str, ...], Claim]]:
    """The tables for the page about the document, each with the headings it stands under.

    One of properties is told row by row, and one that compares things has a page of its own.
    """
    told = 0
    for grid in grids.read_tables(reading.source):
        path = properties.path_of(reading, grid)
        fits = _LEAST_ROWS <= len(grid.rows) <= _MOST_ROWS and _LEAST_COLUMNS <= len(grid.head) <= _MOST_COLUMNS
        is_elsewhere = any(sections.is_skipped(title) or sections.is_aside(title) for title in path)
        if not fits or is_elsewhere or told == _MOST_TABLES or comparisons.compared_things(grid):
            continue
        if table := tables.table_claim(reading, grid):
            told += 1
            yield path, table
