"""Reading order: from pieces of text with their places on a page to its rows as a person reads them.

Only places count, for files paint text in any order. A page is cut at the empty strip between two columns of prose, where
rows that cross the strip (titles, wide figures) part what is above them from what is below; each column is cut again.
What stands beside something else and is no column of prose is a row of a table, its cells parted by `` | ``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text on one base line, without wide gaps. Lengths are points; ``base`` grows upwards."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bold: bool = False
    fixed: bool = False
    """True for the letters of a typewriter."""
    turn: tuple[float, float] = (1.0, 0.0)
    """Cosine and sine of the direction of writing; the places are those in a frame turned by it."""
    place: int = 0
    """Its place among the pieces of the page as the file paints them."""


@dataclass(frozen=True)
class Row:
    """One row of a column: a line of prose, or the cells of a table that stand beside each other."""

    pieces: tuple[Piece, ...]
    column: tuple[float, float]
    """The left and the right edge of the column that it is in."""
    cells: tuple[str, ...] = ()
    """Of a row of a table, an empty one where nothing stands; none for prose."""

    @property
    def text(self) -> str:
        text = " | ".join(self.cells) if self.cells else " ".join(piece.text for piece in self.pieces)
        return _LEADERS.sub(" | ", text).removesuffix(" | ")

    @property
    def left(self) -> float:
        return min(piece.left for piece in self.pieces)

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def base(self) -> float:
        return self._main.base

    @property
    def size(self) -> float:
        return self._main.size

    @property
    def bold(self) -> bool:
        return all(piece.bold for piece in self.pieces)

    @property
    def fixed(self) -> bool:
        return all(piece.fixed for piece in self.pieces)

    @property
    def _main(self) -> Piece:
        return max(self.pieces, key=lambda piece: len(piece.text))


_MOST_DEEP = 4
"""Columns within columns."""
_LEAST_SIDE = 0.15
"""Of the characters of a page; less beside a strip is no column."""
_LEAST_ROWS = 3
_MOST_PIECES = 8_000
"""On a page; no person reads one that has more, and to look for its columns would take long."""
_GAP = 0.8
_LEADERS = re.compile(r"(?:\s?[.·…_]){4,}\s*(?:\|\s*)?")
"""The dots that lead from a title to its page, or from a row's name to its numbers."""
_GAP_APART = 0.5
_STRETCHED = 3.5
"""Sizes of a letter; no justified line has wider gaps."""


def in_reading_order(pieces: Sequence[Piece]) -> list[Row]:
    """The rows of a page; text in the direction of most of it first, then what is turned."""
    turns: dict[tuple[float, float], list[Piece]] = {}
    for piece in pieces:
        turns.setdefault(piece.turn, []).append(piece)
    most_first = sorted(turns.values(), key=lambda group: -sum(len(piece.text) for piece in group))
    return [row for group in most_first for row in _columns(_rows(group), 0)]


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces on one base line, from left to right, joined where they adjoin; the highest row first."""
    rows: list[list[Piece]] = []
    largest: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.base, piece.left)):
        near = [at for at in range(max(len(rows) - 3, 0), len(rows)) if _are_level(largest[at], piece)]
        if near:
            rows[near[-1]].append(piece)
            largest[near[-1]] = max(largest[near[-1]], piece, key=lambda each: each.size)
        else:
            rows.append([piece])
            largest.append(piece)
    joined = [_joined(sorted(row, key=lambda piece: piece.left)) for row in rows]
    lines = {_ends(piece.left, piece.right) for row in joined for piece in row if piece.text.count(" ") > 2}
    return [_unstretched(row, lines) if len(row) > 2 else row for row in joined]


def _are_level(one: Piece, other: Piece) -> bool:
    return abs(one.base - other.base) <= 0.3 * min(one.size, other.size)


def _joined(row: Sequence[Piece], gap: float = _GAP, apart: float = _GAP_APART) -> list[Piece]:
    """``row`` with neighbours made one that have at most ``gap`` of their size between them.

    ``apart`` is for those that the file does not paint one after the other: they may be of two columns.
    """
    joined: list[Piece] = []
    for piece in row:
        last = joined[-1] if joined else None
        between = piece.left - last.right if last else 0
        if last is None or not -0.5 * piece.size <= between <= max(last.size, piece.size) * (
            gap if abs(piece.place - last.place) == 1 else apart
        ):
            joined.append(piece)
            continue
        space = " " if between > 0.15 * max(last.size, piece.size) else ""
        main = max(last, piece, key=lambda each: len(each.text))
        text, right = last.text + space + piece.text, max(last.right, piece.right)
        joined[-1] = replace(main, text=text, left=last.left, right=right, place=piece.place)
    return joined


def _ends(left: float, right: float) -> tuple[int, int]:
    return round(left / 3), round(right / 3)


def _unstretched(row: list[Piece], lines: set[tuple[int, int]]) -> list[Piece]:
    """``row`` with single words that are as far from each other made one: a justified line, its gaps stretched.

    ``lines`` are the ends of the lines of the page that are whole, for no line is justified alone.
    """
    joined: list[Piece] = []
    start = 0
    while start < len(row):
        end = start + 1
        while end < len(row) and _is_stretched(row, start, end):
            end += 1
        words = row[start:end]
        if len(words) > 2 and _ends(words[0].left, words[-1].right) in lines:
            joined += _joined(words, _STRETCHED, _STRETCHED)
        else:
            end = start + 1
            joined.append(row[start])
        start = end
    return joined


def _is_stretched(row: list[Piece], start: int, end: int) -> bool:
    gap, first = row[end].left - row[end - 1].right, row[start + 1].left - row[start].right
    size = row[end].size
    return gap < _STRETCHED * size and abs(gap - first) < 0.25 * size and " " not in row[end].text + row[end - 1].text


def _columns(rows: list[list[Piece]], depth: int) -> Iterator[Row]:
    gutter = _gutter(rows) if depth < _MOST_DEEP else None
    if gutter is None:
        yield from _one_column(rows)
        return
    rows = _without_overfull(rows, gutter)
    for crossing, group in groupby(rows, key=lambda row: any(p.left < gutter < p.right for p in row)):
        band = list(group)
        left, right = _parted(band, gutter)
        if not crossing and _are_columns(left, right):
            yield from _columns(left, depth + 1)
            yield from _columns(right, depth + 1)
        else:
            yield from _one_column(band)


def _without_overfull(rows: list[list[Piece]], gutter: float) -> list[list[Piece]]:
    """``rows`` with lines cut at ``gutter`` that run on into it by mistake: they begin as the others of their column do,
    and the other column has a line right beside them."""
    lefts = Counter(round(row[0].left / 2) for row in rows if row[0].right <= gutter)
    found = []
    for at, row in enumerate(rows):
        piece = row[0]
        beside = any(
            other.left >= gutter and abs(other.base - piece.base) < 1.2 * piece.size
            for near in rows[max(at - 2, 0) : at + 3]
            for other in near
        )
        if piece.left < gutter < piece.right and lefts[round(piece.left / 2)] >= _LEAST_ROWS and beside:
            found.append([replace(piece, right=gutter), *row[1:]])
        else:
            found.append(row)
    return found


def _parted(rows: list[list[Piece]], gutter: float) -> tuple[list[list[Piece]], list[list[Piece]]]:
    left = [[piece for piece in row if piece.right <= gutter] for row in rows]
    right = [[piece for piece in row if piece.left >= gutter] for row in rows]
    return [row for row in left if row], [row for row in right if row]


def _gutter(rows: list[list[Piece]]) -> float | None:
    """Where the strip between two columns of prose lies, if there are two."""
    pieces = [piece for row in rows for piece in row]
    if not 2 * _LEAST_ROWS <= len(pieces) <= _MOST_PIECES:
        return None
    total = sum(len(piece.text) for piece in pieces)
    best, found = 0.0, None
    for place in _gaps(rows):
        left = sum(len(piece.text) for piece in pieces if piece.right <= place)
        right = sum(len(piece.text) for piece in pieces if piece.left >= place)
        worth = min(left, right) - 0.5 * (total - left - right)
        if min(left, right) >= _LEAST_SIDE * total and worth > best and _has_columns(rows, place):
            best, found = worth, place
    return found


def _has_columns(rows: list[list[Piece]], place: float) -> bool:
    free = [row for row in rows if not any(piece.left < place < piece.right for piece in row)]
    return _are_columns(*_parted(free, place))


def _gaps(rows: list[list[Piece]]) -> list[float]:
    """The middles of gaps within rows, each once: the places that could be between columns."""
    ends = [(row[i].right, row[i + 1].left) for row in rows for i in range(len(row) - 1)]
    if not ends:
        # Columns whose rows are on no common line.
        lefts = sorted({round(row[0].left) for row in rows})
        return [float(left - 2) for left in lefts[1:]][:64]
    return sorted({round((left + right) / 8) * 4.0 for left, right in ends})[:200]


def _are_columns(left: list[list[Piece]], right: list[list[Piece]]) -> bool:
    """True for two columns of prose: rows enough, long ones, that fill their column; a table has short cells."""
    if not (left and right):
        return False
    if min(len(left), len(right)) < _LEAST_ROWS:
        return len(left) + len(right) > 2 and all(_is_prose(side, 25) for side in (left, right))
    levels = [row[0].base for row in right]
    beside = sum(any(abs(row[0].base - level) < 2 for level in levels) for row in left)
    if beside < 0.8 * min(len(left), len(right)) and _are_painted_apart(left, right):
        return True
    if len(left) < 0.75 * len(right) and beside >= 0.9 * len(left) and not _is_prose(left, 30):
        # The terms of a list beside what they mean.
        return False
    return _is_prose(left, 20) and _is_prose(right, 20)


def _are_painted_apart(left: list[list[Piece]], right: list[list[Piece]]) -> bool:
    """True when the file paints one side and then the other, as nobody paints a table."""
    sides = [
        side
        for _, side in sorted((piece.place, side) for side in (0, 1) for row in (left, right)[side] for piece in row)
    ]
    return sum(one != other for one, other in pairwise(sides)) <= 1 + min(len(left), len(right)) // 8


def _is_prose(rows: list[list[Piece]], least: int) -> bool:
    """True when most of the characters are in rows of at least that many, which nearly fill what the widest take."""
    lengths = [sum(len(piece.text) for piece in row) for row in rows]
    start = min(row[0].left for row in rows)
    widths = [row[-1].right - start for row in rows]
    wide = 0.6 * sorted(widths)[int(0.9 * (len(widths) - 1))]
    whole = sum(
        n for n, width, row in zip(lengths, widths, rows, strict=True) if n >= least and width >= wide and len(row) < 3
    )
    return whole > 0.5 * sum(lengths)


def _one_column(rows: list[list[Piece]]) -> Iterator[Row]:
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
            yield Row(tuple(_joined(row, 1.5, 1.5)), column)
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
