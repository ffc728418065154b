"""One column of a page from top to bottom: its lines, and its tables row by row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from formats.page_rows import Piece, Row, joined


def one_column(rows: list[list[Piece]]) -> Iterator[Row]:
    """Rows one below the other; neighbours with cells that are in line with each other are a table."""
    if not rows:
        return
    column = min(row[0].left for row in rows), max(row[-1].right for row in rows)
    table: list[list[Piece]] = []
    for row in rows:
        if table and _goes_on(table, row):
            table.append(row)
            continue
        yield from _table(table, column)
        table = [row] if len(row) > 1 else []
        if not table:
            yield Row(tuple(row), column)
    yield from _table(table, column)


def _goes_on(table: list[list[Piece]], row: list[Piece]) -> bool:
    """True when ``row`` belongs to the table that ends with the last row of ``table``."""
    last = table[-1]
    if last[0].base - row[0].base > 3.5 * row[0].size or abs(last[0].size - row[0].size) > 0.1 * row[0].size:
        return False
    if len(row) == 1:
        # The rest of a cell, but not what stands below the first one: that may be the text behind the table.
        return _below(row[0], last) > 0 and last[0].base - row[0].base < 1.7 * row[0].size
    above = [other for each in table[-6:] for other in each]
    return sum(any(_in_line(piece, other) for other in above) for piece in row) >= 2


def _below(piece: Piece, row: list[Piece]) -> int:
    """The number of the cell of ``row`` that ``piece`` stands right below; 0 if none but the first."""
    for number, cell in enumerate(row):
        if number and abs(piece.left - cell.left) <= 0.3 * piece.size:
            return number
    return 0


def _in_line(piece: Piece, other: Piece) -> bool:
    near = 0.4 * max(piece.size, other.size)
    middles = abs(piece.left + piece.right - other.left - other.right) / 2
    return abs(piece.left - other.left) <= near or abs(piece.right - other.right) <= near or middles <= near


def _table(rows: list[list[Piece]], column: tuple[float, float]) -> Iterator[Row]:
    """The rows of a table with their cells; what is none after all as rows of text."""
    if not rows:
        return
    full = [row for row in rows if len(row) > 1]
    if len(full) < 2:
        for row in rows:
            yield Row(tuple(joined(row, 1.5, 1.5)), column)
        return
    edges = _edges(full)
    for row in _whole(rows, edges):
        cells = [""] * len(edges)
        for piece in row:
            at = _cell(piece, edges)
            cells[at] = f"{cells[at]} {piece.text}".strip()
        yield Row(tuple(row), column, tuple(cells))


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
    most = max(len(row) for row in rows)
    spans = sorted((piece.left, piece.right) for row in rows if len(row) >= max(2, most - 1) for piece in row)
    edges: list[tuple[float, float]] = []
    for left, right in spans:
        if edges and left < edges[-1][1]:
            edges[-1] = edges[-1][0], max(edges[-1][1], right)
        else:
            edges.append((left, right))
    return edges


def _cell(piece: Piece, edges: list[tuple[float, float]]) -> int:
    """The column that most of ``piece`` is in, or the nearest."""
    shares = [min(piece.right, right) - max(piece.left, left) for left, right in edges]
    return shares.index(max(shares))
