"""A table of a source as it is: every row proven by its own words, or there is no table."""

from __future__ import annotations

import re

from curator.models.extractive.parsing.grids import Grid
from curator.models.extractive.reading import SourceReading
from curator.models.proposal import Claim
from curator.wiki.pages import markdown
from curator.wiki.pages.foreign import form_in
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document

_LONGEST_CELL = 120


def table_claim(reading: SourceReading, grid: Grid) -> Claim | None:
    """The table as it is, with the words of each row; None when one of them proves nothing or cannot be written."""
    lines, quotes = [], []
    for row in grid.rows:
        cells = [cell.text for cell in row.cells]
        filled = sum(bool(cell) for cell in cells[1:])
        if not cells[0] or not filled or any(map(_unfit, cells)):
            return None
        quote = " ".join(row.raw.strip().strip("|+").split())
        here = Evidence(reading.source.path, Document.from_text(row.raw))
        found = here.find(quote)
        if not isinstance(found, list) or len(found) != 1 or not here.holds(found[0]):
            return None
        lines.append(_row(cells))
        quotes.append(quote)
    heads = [cell.text for cell in grid.head]
    text = "\n".join([_row(heads), "|" + " --- |" * len(heads), *lines])
    if any(map(_unfit, heads)) or len(text) > 4000 or reading.evidence.numbers_missing(text):
        return None
    return Claim(text=text, quotes=tuple(quotes))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell or '–' for cell in cells)} |"


def _unfit(cell: str) -> bool:
    """True for what would part the row or is read as more than words."""
    outline = markdown.scan(cell)
    return len(cell) > _LONGEST_CELL or bool(
        re.search(r"(?<!\\)\||\{\{|<%|%%", cell) or outline.links or outline.html or form_in(cell)
    )
