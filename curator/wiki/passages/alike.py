"""How much a passage is like those of other documents: what a question asks of each of several, they say in like words.

One document answers in the words of the question, another one says the same of its own matter: "a line must carry 900
newtons" is found by the question, "a line must carry 1,400 newtons" by the first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import STOP
from curator.wiki.passages.ranking import RankedText

_USUAL = STOP | frozenset(map(stem, STOP))
Vector = Mapping[str, float]
"""The telling words of a passage, each with its weight; together they are one long."""


def vectors(passages: Sequence[RankedText]) -> list[Vector]:
    """What each of ``passages`` tells, compared to all of them: a word that one alone has is like nothing."""
    holding = Counter(term for each in passages for term in set(each.terms))
    return [_vector(each, holding, len(passages)) for each in passages]


def alike(one: Vector, other: Vector) -> float:
    """From 0 to 1: the cosine of two passages."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    return sum(weight * many.get(term, 0.0) for term, weight in few.items())


def _vector(passage: RankedText, holding: Mapping[str, int], count: int) -> Vector:
    often = Counter(term for term in passage.terms if len(term) > 1 and holding[term] > 1 and term not in _USUAL)
    found = {term: (1 + math.log(times)) * math.log((count + 1) / holding[term]) for term, times in often.items()}
    length = math.sqrt(sum(weight * weight for weight in found.values())) or 1.0
    return {term: weight / length for term, weight in found.items()}
