"""Comparisons that the numbers quoted turn round: older, faster or after, where the years or times say otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.english.quantities import UNITS, date_places, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not
from curator.wiki.support.rules.values import pieces_of

_MORE = frozenset(
    "more later newer younger longer larger bigger higher greater slower dearer heavier above after outnumber outnumbers "
    "exceed exceeds outweigh outweighs".split()
)
_LESS = frozenset("less fewer earlier older shorter smaller lower cheaper lighter faster quicker below before".split())
_PLACES = frozenset(("after", "before"))
_AMOUNTS = frozenset((*UNITS, *WORDS, "half"))
_NEAR = 3
_MANY = 40
"""Numbers among which nobody tells which two are compared."""


def turned_by_numbers(case: Case) -> Iterator[str]:
    """Which of two things the claim says is more, where their numbers in the source say that the other is."""
    compared = [words for words in case.claim.sentences if any(word.lower in _MORE | _LESS for word in words)]
    measured = [*_measured(case.context.stated)] if compared else []
    for sentence in compared if 1 < len(measured) <= _MANY else ():
        if any(map(is_not, sentence)):
            continue
        for at, word in enumerate(sentence):
            behind = _right_side(sentence, at)
            if behind is None:
                continue
            left, right = (_stems(words) for words in (sentence[:at], sentence[behind:]))
            one, two = _of(measured, left - right, right - left), _of(measured, right - left, left - right)
            if len(one) == 1 and not two:  # "the old one took 200, the new one": what is left is the other
                two = [each for each in measured if each.kind == one[0].kind and each is not one[0]]
            pairs = [(each, other) for each in one for other in two if each.kind == other.kind]
            if len(pairs) == 1 and (pairs[0][0].amount - pairs[0][1].amount) * (1 if word.lower in _MORE else -1) < 0:
                yield f"the numbers quoted say the reverse of {word.text!r}"
                return


@dataclass(frozen=True)
class _Measured:
    """A number, year or date, with the words that stand in its piece of the sentence."""

    kind: str
    amount: float
    near: frozenset[str]


def _measured(text: Phrase) -> Iterator[_Measured]:
    if len(quantities(text)) > _MANY:
        return
    pieces = pieces_of(text)
    found = [
        (number.at, _kind_of(number.value, number.kind), number.amount)
        for number in quantities(text)
        if not number.code
    ]
    found += [(at, "year", date.year + date.month / 12 + date.day / 372) for at, date in date_places(text) if date.year]
    for at, kind, amount in found:
        words = [word for word, piece in zip(text.words, pieces, strict=True) if piece == pieces[at]]
        yield _Measured(kind, amount, _stems(words))


def _kind_of(value: str, kind: str) -> str:
    return "year" if not kind and value.isdecimal() and 1000 <= int(value) <= 2200 else kind


def _right_side(sentence: Sequence[StemmedWord], at: int) -> int | None:
    """Where what it is compared with begins; None where word ``at`` compares nothing."""
    word = sentence[at].lower
    if word in _PLACES:
        return at + 1 if at and sentence[at - 1].lower in UNITS else None
    if word not in _MORE | _LESS:
        return None
    near = range(at + 1, min(at + 1 + _NEAR, len(sentence) - 1))
    than = next((place for place in near if sentence[place].lower == "than"), None)
    if than is None or any(each.is_number or each.lower in _AMOUNTS for each in sentence[than + 1 : than + 3]):
        return None  # "less than a year"
    return than + 1


def _of(measured: Sequence[_Measured], own: frozenset[str], others: frozenset[str]) -> list[_Measured]:
    return [each for each in measured if each.near & own and not each.near & others]


def _stems(words: Sequence[StemmedWord]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.is_content)
