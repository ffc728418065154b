"""The words that a claim and the words it rests on have in common, to be shown side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curator.wiki.english.words import Phrase, StemmedWord, joined, phrase


@dataclass(frozen=True)
class SharedWords:
    """What two texts share: words of one family count as one, and so do numbers written alike."""

    of_claim: tuple[str, ...]
    """As the claim writes them, each once."""
    of_quotes: tuple[str, ...]
    """As the quotes write them, each once."""


def shared_words(claim: str, quotes: Sequence[str]) -> SharedWords:
    """The words and numbers of ``claim`` that ``quotes`` have, and those of ``quotes`` that ``claim`` has."""
    one, other = phrase(claim), joined([phrase(quote) for quote in quotes])
    return SharedWords(_in_both(one, other), _in_both(other, one))


def _in_both(one: Phrase, other: Phrase) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.text for word in one.words if _tells(word) and other.has_kin_of(word)))


def _tells(word: StemmedWord) -> bool:
    return word.is_number or word.is_content
