"""Pieces of text with their places on a page, and the rows that they are in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_GAP = 0.8
_LEADERS = re.compile(r"(?:\s?[.·…_]){4,}\s*(?:\|\s*)?")
"""The dots that lead from a title to its page, or from a row's name to its numbers."""
_GAP_APART = 0.5
_MOST_WORDS = 60
"""Of a row that may be a stretched line."""
_STRETCHED = 3.5
"""Sizes of a letter; no justified line has wider gaps."""


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


def rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
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
    found = [joined(sorted(row, key=lambda piece: piece.left)) for row in rows]
    lines = {_ends(piece.left, piece.right) for row in found for piece in row if piece.text.count(" ") > 2}
    return [_unstretched(row, lines) if 2 < len(row) <= _MOST_WORDS else row for row in found]


def _are_level(one: Piece, other: Piece) -> bool:
    return abs(one.base - other.base) <= 0.3 * min(one.size, other.size)


def joined(row: Sequence[Piece], gap: float = _GAP, apart: float = _GAP_APART) -> list[Piece]:
    """``row`` with neighbours made one that have at most ``gap`` of their size between them.

    ``apart`` is for those that the file does not paint one after the other: they may be of two columns.
    """
    done: list[Piece] = []
    for piece in row:
        last = done[-1] if done else None
        between = piece.left - last.right if last else 0
        if last is None or not -0.5 * piece.size <= between <= max(last.size, piece.size) * (
            gap if abs(piece.place - last.place) == 1 else apart
        ):
            done.append(piece)
            continue
        space = " " if between > 0.15 * max(last.size, piece.size) else ""
        main = max(last, piece, key=lambda each: len(each.text))
        text, right = last.text + space + piece.text, max(last.right, piece.right)
        done[-1] = replace(main, text=text, left=last.left, right=right, place=piece.place)
    return done


def _ends(left: float, right: float) -> tuple[int, int]:
    return round(left / 3), round(right / 3)


def _unstretched(row: list[Piece], lines: set[tuple[int, int]]) -> list[Piece]:
    """``row`` with single words that are as far from each other made one: a justified line, its gaps stretched.

    ``lines`` are the ends of the lines of the page that are whole, for no line is justified alone.
    """
    done: list[Piece] = []
    start = 0
    while start < len(row):
        end = start + 1
        while end < len(row) and _is_stretched(row, start, end):
            end += 1
        words = row[start:end]
        if len(words) > 2 and _ends(words[0].left, words[-1].right) in lines:
            done += joined(words, _STRETCHED, _STRETCHED)
        else:
            end = start + 1
            done.append(row[start])
        start = end
    return done


def _is_stretched(row: list[Piece], start: int, end: int) -> bool:
    gap, first = row[end].left - row[end - 1].right, row[start + 1].left - row[start].right
    size = row[end].size
    return gap < _STRETCHED * size and abs(gap - first) < 0.25 * size and " " not in row[end].text + row[end - 1].text
