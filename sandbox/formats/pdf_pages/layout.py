"""Reading order: from pieces of text with their places on a page to its rows as a person reads them.

Places count, and the order of painting where they leave a doubt, for files paint text in any order. A page is cut at the
empty strip between two columns of prose, where rows that cross the strip (titles, wide figures) part what is above them
from what is below; each column is cut again. What stands beside something else and is no column of prose is a row of a
table, its cells parted by `` | ``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from formats.pdf_pages.rows import Piece, Row, rows_of
from formats.pdf_pages.tables import one_column

_MOST_DEEP = 4
"""Columns within columns."""
_LEAST_SIDE = 0.15
"""Of the characters of a page; less beside a strip is no column."""
_LEAST_ROWS = 3
_SLACK = 2.0
"""Points by which a column may reach over what is taken for the middle of the strip."""
_MOST_PIECES = 8_000
"""On a page; no person reads one that has more, and to look for its columns would take long."""


def in_reading_order(pieces: Sequence[Piece]) -> list[Row]:
    """The rows of a page; text in the direction of most of it first, then what is turned."""
    turns: dict[tuple[float, float], list[Piece]] = {}
    for piece in pieces:
        turns.setdefault(piece.turn, []).append(piece)
    most_first = sorted(turns.values(), key=lambda group: -sum(len(piece.text) for piece in group))
    return [row for group in most_first for row in _columns(rows_of(group), 0)]


def _columns(rows: list[list[Piece]], depth: int) -> Iterator[Row]:
    gutter = _gutter(rows) if depth < _MOST_DEEP else None
    if gutter is None:
        yield from one_column(rows)
        return
    rows = _without_overfull(rows, gutter)
    others: list[list[Piece]] = []
    for crossing, group in groupby(rows, key=lambda row: any(_crosses(p, gutter) for p in row)):
        band = list(group)
        left, right = _parted(band, gutter)
        if crossing or not _are_columns(left, right):
            others += band
            continue
        # What stands above or between the columns may have columns of its own.
        yield from _columns(others, depth + 1)
        others = []
        yield from _columns(left, depth + 1)
        yield from _columns(right, depth + 1)
    yield from _columns(others, depth + 1)


def _without_overfull(rows: list[list[Piece]], gutter: float) -> list[list[Piece]]:
    """``rows`` with lines cut at ``gutter`` that run on into it by mistake: they begin as the others of their column do,
    and the other column has a line right beside them."""
    lefts = Counter(round(row[0].left / 2) for row in rows if row[0].right <= gutter + _SLACK)
    found = []
    for at, row in enumerate(rows):
        piece = row[0]
        beside = any(
            other.left >= gutter - _SLACK and abs(other.base - piece.base) < 1.2 * piece.size
            for near in rows[max(at - 2, 0) : at + 3]
            for other in near
        )
        if _crosses(piece, gutter) and lefts[round(piece.left / 2)] >= _LEAST_ROWS and beside:
            found.append([replace(piece, right=gutter), *row[1:]])
        else:
            found.append(row)
    return found


def _crosses(piece: Piece, gutter: float) -> bool:
    return piece.left < gutter - _SLACK and piece.right > gutter + _SLACK


def _parted(rows: list[list[Piece]], gutter: float) -> tuple[list[list[Piece]], list[list[Piece]]]:
    left = [[piece for piece in row if piece.right <= gutter + _SLACK] for row in rows]
    right = [[piece for piece in row if piece.left >= gutter - _SLACK] for row in rows]
    return [row for row in left if row], [row for row in right if row]


def _gutter(rows: list[list[Piece]]) -> float | None:
    """Where the strip between two columns of prose lies, if there are two."""
    pieces = [piece for row in rows for piece in row]
    if not 2 * _LEAST_ROWS <= len(pieces) <= _MOST_PIECES:
        return None
    total = sum(len(piece.text) for piece in pieces)
    best, found = 0.0, None
    for place in _gaps(rows):
        left = sum(len(piece.text) for piece in pieces if piece.right <= place + _SLACK)
        right = sum(len(piece.text) for piece in pieces if piece.left >= place - _SLACK)
        worth = min(left, right) - 0.5 * (total - left - right)
        if min(left, right) >= _LEAST_SIDE * total and worth > best and _has_columns(rows, place):
            best, found = worth, place
    return found


def _has_columns(rows: list[list[Piece]], place: float) -> bool:
    free = [row for row in rows if not any(_crosses(piece, place) for piece in row)]
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
    # Rows of a table are painted one after the other; so are lines of columns by some programs, but those are long.
    least = 30 if beside >= 0.9 * min(len(left), len(right)) and not _are_painted_apart(left, right) else 20
    return _is_prose(left, least) and _is_prose(right, least)


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
