"""Passages as they are shown where room is scarce: without the sentences at their ends that have nothing of the question.

They rank as a whole, for what stands around a sentence tells what it is about; the room is for what answers. Where there
is more room they are whole: an answer may have no word of its question (measured).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from curator.wiki.passages.of_source import sentence_borders
from curator.wiki.passages.passage import Passage
from curator.wiki.passages.ranking import terms
from curator.wiki.passages.selection import Candidate

_LOOKED_AT = 500
"""Passages, the best: no budget that is in use shows more."""


def trimmed(ranked: Sequence[Candidate], asked: Collection[str]) -> list[Candidate]:
    """``ranked`` in their order, the passages cut by ``asked``, the stems of the question."""
    found = {
        each: replace(each, passage=without_idle_ends(each.passage, asked), twins=[]) for each in ranked[:_LOOKED_AT]
    }
    for each, shorter in found.items():
        shorter.twins = [found.get(one, one) for one in each.twins]
    return [*found.values(), *ranked[_LOOKED_AT:]]


def without_idle_ends(passage: Passage, asked: Collection[str]) -> Passage:
    """From the first of its sentences that has a word of ``asked`` to the one behind the last; all where none has."""
    text = passage.text
    borders = sentence_borders(text)
    if len(borders) < 3 or passage.kind in ("code", "row"):
        return passage
    pieces = [text[start:end] for start, end in pairwise(borders)]
    telling = [number for number, piece in enumerate(pieces) if not set(asked).isdisjoint(terms(piece))]
    if not telling:
        return passage
    first = telling[0]
    while first and _leads_in(pieces[first - 1], pieces[first]):
        first -= 1
    last = min(telling[-1] + 2, len(pieces))
    return replace(passage, text=text[borders[first] : borders[last]].strip())


def _leads_in(piece: str, to: str) -> bool:
    """True of what announces a list, and of the item that a list within it is of."""
    return piece.rstrip().endswith(":") or _indent(to) > _indent(piece)


def _indent(piece: str) -> int:
    return len(piece) - len(piece.lstrip(" "))
