"""Which sentences say most of what a source says: those in a place that counts, and not what was said already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from curator.models.extractive.parsing import sections
from curator.models.extractive.parsing.lexicon import STOP
from curator.models.extractive.parsing.sentences import Sentence

_TOO_ALIKE, _ALIKE_ELSEWHERE = 0.5, 0.8
"""The share of words by which two sentences of one section say the same, and of two."""
_LEAST_SHARED, _WITHIN = 4, 0.9
"""Words of the shorter of two sentences, and how many of them the longer one has, where it says the same."""


def content(sentence: Sentence) -> frozenset[str]:
    """The folded words of ``sentence`` that carry meaning."""
    return frozenset(
        word.key
        for word in sentence.words
        if len(word.key) > 1 and word.written.casefold() not in STOP and word.key not in STOP
    )


def importance(sentence: Sentence, count: int) -> float:
    """What its place says: the abstract and the conclusions count more, the end of a long text less."""
    weight = 1.25 - 0.35 * sentence.index / max(count, 1)
    if sections.is_leading(sentence.path):
        weight *= 1.35
    if sections.is_closing(sentence.path):
        weight *= 1.2
    return weight * (1.1 if sentence.opens_block else 1.0)


def choose_sentences(sentences: Iterable[Sentence], scores: Mapping[int, float], limit: int) -> list[Sentence]:
    """The best ``limit`` of ``sentences`` in the order of the source, none too like another."""
    chosen: list[tuple[Sentence, frozenset[str]]] = []
    for sentence in sorted(sentences, key=lambda s: (-scores[s.index], s.index)):
        bag = content(sentence)
        if len(chosen) == limit:
            break
        if not is_told(sentence, bag, chosen):
            chosen.append((sentence, bag))
    return sorted((sentence for sentence, _ in chosen), key=lambda s: s.index)


def is_told(sentence: Sentence, bag: frozenset[str], told: Iterable[tuple[Sentence, frozenset[str]]]) -> bool:
    """True where ``sentence`` says little beyond one of those ``told``; two sections may say alike things of two things."""
    for other, words in told:
        if sentence.label != other.label:
            continue
        few = min(len(bag), len(words))
        limit = _TOO_ALIKE if sentence.path == other.path else _ALIKE_ELSEWHERE
        if alike(bag, words) > limit or (few >= _LEAST_SHARED and len(bag & words) >= _WITHIN * few):
            return True
    return False


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words two sentences have in common."""
    return len(one & other) / len(one | other) if one and other else 0.0
