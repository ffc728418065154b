"""How well a passage fits a question, by the words they share: for whoever answers without a language model."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curator.models.extractive.parsing.lexicon import STOP
from curator.wiki.english.stop_words import without_asking
from curator.wiki.pages.names import SPACELESS, WORD, name_key

_STEM = 5
"""Letters by which two forms of a word are known: treat, treated, treatment."""
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w{2})", re.IGNORECASE)
"""What French joins to the next word: ``d'ailes``."""
_EARLIER = 0.5
"""What a word that was asked before weighs, compared to one of the question itself."""
_SMALL = 0.2
"""What a word weighs that carries little meaning, such as ``given``: it decides between passages that are alike."""


def meaningful_words(text: str, small: frozenset[str] = STOP) -> list[str]:
    """The words of ``text`` that carry meaning, which are not ``small``; all of them where none does."""
    words = re.findall(WORD, text)
    return [word for word in words if word.casefold() not in small] or words


def stems(words: Iterable[str]) -> list[str]:
    """``words``, each cut to its stem; in scripts that write no spaces, in pairs of characters."""
    found: list[str] = []
    for word in words:
        spaceless = SPACELESS.search(word)
        found += (
            [word[at : at + 2] for at in range(max(1, len(word) - 1))]
            if spaceless
            else [name_key(_ELIDED.sub("", word))[:_STEM]]
        )
    return found


@dataclass(frozen=True)
class Match:
    """The words of a question, each with what it weighs: the rarer among the passages, the more."""

    weights: Mapping[str, float]

    @classmethod
    def of(
        cls, question: str, passages: Iterable[str], earlier: str = "", small: frozenset[str] = frozenset()
    ) -> Match:
        """``earlier``: what the question follows on, if on something; ``small``: words without meaning of its language."""
        small, question = small | STOP, without_asking(question)
        meant = set(stems(meaningful_words(f"{question} {earlier}", small)))
        own = set(stems(meaningful_words(question, small)))
        counts: Counter[str] = Counter()
        total = 0
        for passage in passages:
            counts.update(meant & _all(passage))
            total += 1
        telling_ones = {stem: math.log(1 + (total + 1) / (counts[stem] + 0.5)) for stem in meant}
        for stem in meant:
            if not counts[stem] and SPACELESS.search(stem):
                telling_ones[stem] /= 2  # two characters that nobody has are seldom a word
        for stem in meant - own:
            telling_ones[stem] *= _EARLIER
        return cls({**dict.fromkeys(_all(question), _SMALL), **telling_ones})

    def share(self, text: str, around: str = "") -> float:
        """How much of the question ``text`` covers, 0 to 1; words that only stand ``around`` it count half."""
        total = sum(self.weights.values())
        inside = _all(text)
        outside = _all(around) - inside
        found = sum(
            weight * (1.0 if stem in inside else 0.5 * (stem in outside)) for stem, weight in self.weights.items()
        )
        return found / total if total else 0.0


def _all(text: str) -> set[str]:
    return set(stems(re.findall(WORD, text)))
