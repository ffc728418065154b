"""One column of a page from top to bottom: its lines, and its tables row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from formats.pdf_pages.rows import Piece, Row, joined

_MARK = re.compile(r"[•‣◦▪■●○–—*-]|\(?(?:\d{1,3}|[a-z])[.)]|\[\d{1,3}\]")
_MOST_ROWS_OF_PAGE, _MOST_CELLS = 500, 60
"""No page for people has more; to compare them all with each other would take long."""
_MOST_ROWS = 40
"""Of a table, that a row is compared with."""


def one_column(rows: list[list[Piece]]) -> Iterator[Row]:
    """Rows one below the other; neighbours with cells that are in line with each other are a table."""
    if not rows:
        return
    column = min(row[0].left for row in rows), max(row[-1].right for row in rows)
    table: list[list[Piece]] = []
    for row in rows:
        if table and len(rows) <= _MOST_ROWS_OF_PAGE and len(row) <= _MOST_CELLS and _goes_on(table, row):
            table.append(row)
            continue
        yield from _table(table, column)
        table = [row] if len(row) > 1 else []
        if not table:
            yield Row(tuple(row), column)
    yield from _table(table, column)


def _goes_on(table: list[list[Piece]], row: list[Piece]) -> bool:
    """True when ``row`` belongs to the table that ends with the last row of ``table``: it keeps to its columns."""
    last = table[-1]
    if last[0].base - row[0].base > 3.5 * row[0].size or abs(last[0].size - row[0].size) > 0.1 * row[0].size:
        return False
    near = table[-_MOST_ROWS:]
    before, after = _edges(near), _edges([*near, row])
    if len(row) == 1:
        # The rest of a cell, but not what stands below the first one: that may be the text behind the table.
        under = [left < row[0].right and row[0].left < right for left, right in before]
        close = last[0].base - row[0].base < 1.3 * row[0].size
        return len(after) == len(before) and any(under) and (close or not under[0])
    return len(after) >= max(2, len(before) - 1)


def _table(rows: list[list[Piece]], column: tuple[float, float]) -> Iterator[Row]:
    """The rows of a table with their cells; what is none after all as rows of text."""
    if not rows:
        return
    full = [row for row in rows if len(row) > 1]
    if len(full) < 2:
        for row in rows:
            yield Row(tuple(joined(row, 1.5, 1.5)), column)
        return
    edges = _edges(rows)
    painted = _as_painted(rows, edges)
    # Cells that are painted column by column, or line by line, tell nothing of rows.
    for row in painted if 0.4 * len(full) <= len(painted) < len(rows) else _whole(rows, edges):
        cells = [""] * len(edges)
        for piece in row:
            at = _cell(piece, edges)
            cells[at] += piece.text if not cells[at] or cells[at].endswith("-") else f" {piece.text}"
        if len(cells) == 2 and _MARK.fullmatch(cells[0]):
            cells = [" ".join(cells)]
        yield Row(tuple(row), column, tuple(cells))


def _as_painted(rows: list[list[Piece]], edges: list[tuple[float, float]]) -> list[list[Piece]]:
    """Rows as the file paints them, cell by cell with all its lines: where it goes back to the left, one begins."""
    found: list[list[Piece]] = []
    last = len(edges)
    for piece in sorted((piece for row in rows for piece in row), key=lambda piece: piece.place):
        at = _cell(piece, edges)
        below = found[-1][-1].base - piece.base if found else 0
        if at < last or (at == last == 0 and below > 1.6 * piece.size):
            found.append([])
        found[-1].append(piece)
        last = at
    return found


def _whole(rows: list[list[Piece]], edges: list[tuple[float, float]]) -> Iterator[list[Piece]]:
    """Rows with what goes on below in one of their cells: a row whose first cell is empty, close to the one before."""
    pitches = [a[0].base - b[0].base for a, b in pairwise(rows)]
    whole: list[Piece] = []
    for row, pitch in zip(rows, [0.0, *pitches], strict=True):
        goes_on = bool(whole) and _cell(row[0], edges) > 0 and pitch < 1.5 * row[0].size
        if whole and not goes_on:
            yield whole
            whole = []
        whole = [*whole, *row]
    if whole:
        yield whole


def _edges(rows: list[list[Piece]]) -> list[tuple[float, float]]:
    """The left and right edges of a table's columns: where cells of any row are above each other, that is one."""
    edges: list[tuple[float, float]] = []
    for left, right in sorted((piece.left, piece.right) for row in rows for piece in row):
        if edges and left < edges[-1][1]:
            edges[-1] = edges[-1][0], max(edges[-1][1], right)
        else:
            edges.append((left, right))
    return edges


def _cell(piece: Piece, edges: list[tuple[float, float]]) -> int:
    """The column that most of ``piece`` is in, or the nearest."""
    shares = [min(piece.right, right) - max(piece.left, left) for left, right in edges]
    return shares.index(max(shares))
