"""What numbers say of a comparison: those quoted, and the claim's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.english.quantities import UNITS, date_places, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_not
from curator.wiki.support.rules.values import pieces_of

_UNDER = frozenset("with in on for at among by under from".split())
_MORE = frozenset(
    "more later newer younger longer larger bigger higher greater slower dearer heavier above after outnumber outnumbers "
    "exceed exceeds outweigh outweighs".split()
)
_LESS = frozenset("less fewer earlier older shorter smaller lower cheaper lighter faster quicker below before".split())
_PLACES = frozenset(("after", "before"))
_OF_DURATION = frozenset("faster quicker slower".split())
_OF_DATES = frozenset("later newer younger after earlier older before".split())
_AMOUNTS = frozenset((*UNITS, *WORDS, "half"))
_FAR = 9
"""Words between a comparative and its ``than``, at most."""
_DOES = 3
"""Words behind a ``than`` among which a verb says that one doing is compared with another."""
_MANY = 40
"""Numbers among which nobody tells which two are compared."""


def turned(case: Case) -> Iterator[str]:
    """What the claim says is more, longer or the longest, and by the numbers is not."""
    yield from _turned_by_numbers(case)


def left_side(words: Sequence[StemmedWord], at: int, than: int | None) -> Sequence[StemmedWord]:
    """What word ``at`` compares: what stands before it, or between it and the ``than``: "more common with A than with B"
    has ``with A``. Of what somebody does (``passing it makes more sense for many tools than copying it``) nothing between.
    """
    between = words[at + 1 : than] if than else ()
    sides = (words[:at], words[than + 1 :][:_DOES]) if than else ()
    if sides and all(any(word.lower.endswith("ing") for word in side) for side in sides):
        between = ()
    under = next((place for place, each in enumerate(between) if each.lower in _UNDER), None)
    return words[:at] if under is None else between[under:]


def _turned_by_numbers(case: Case) -> Iterator[str]:
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
            left, right = (_told(words) for words in (left_side(sentence, at, behind - 1), sentence[behind:]))
            one, two = _of(measured, left - right, right - left), _of(measured, right - left, left - right)
            if len(one) == 1 and not two:  # "the old one took 200, the new one": what is left is the other
                two = [each for each in measured if each.kind == one[0].kind and each is not one[0]]
            pairs = [(each, other) for each in one for other in two if each.kind == other.kind]
            pairs = [(each, other) for each, other in pairs if _measures(word, each.kind)]
            if pairs and all(_says_reverse(word, each.amount, other.amount) for each, other in pairs):
                yield f"the numbers quoted say the reverse of {word.text!r}"
                return


@dataclass(frozen=True)
class _Measured:
    """A number, year or date, with the words that stand in its piece of the sentence."""

    kind: str
    amount: float
    near: frozenset[str]
    place: StemmedWord
    is_named: bool
    """A name stands in its piece."""


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
        is_named = any(word.text[0].isupper() and not word.begins for word in words)
        yield _Measured(kind, amount, _stems(words), text.words[at], is_named)


def _kind_of(value: str, kind: str) -> str:
    return "year" if not kind and value.isdecimal() and 1000 <= int(value) <= 2200 else kind


def _right_side(sentence: Sequence[StemmedWord], at: int) -> int | None:
    """Where what it is compared with begins; None where word ``at`` compares nothing."""
    word = sentence[at].lower
    if word in _PLACES:
        return at + 1 if at and sentence[at - 1].lower in UNITS else None
    if word not in _MORE | _LESS:
        return None
    near = range(at + 1, min(at + 1 + _FAR, len(sentence) - 1))
    than = next((place for place in near if sentence[place].lower == "than"), None)
    behind = sentence[than + 1 : than + 3] if than is not None else ()
    is_pronoun = [each.lower for each in behind] == ["the", "one"]
    if than is None or (not is_pronoun and any(each.is_number or each.lower in _AMOUNTS for each in behind)):
        return None  # "less than a year"
    return than + 1


def _says_reverse(word: StemmedWord, one: float, other: float) -> bool:
    return (one - other) * (1 if word.lower in _MORE else -1) < 0


def _measures(word: StemmedWord, kind: str) -> bool:
    """False where a number of such a kind says nothing of the comparison: of what is older, how many metres it has."""
    if word.lower in _OF_DURATION:
        return kind == "time"
    return (word.lower not in _OF_DATES or kind in ("year", "clock")) and (word.lower in _OF_DATES or kind != "year")


def _of(measured: Sequence[_Measured], own: frozenset[str], others: frozenset[str]) -> list[_Measured]:
    return [each for each in measured if each.near & own and not each.near & others]


def _told(words: Sequence[StemmedWord]) -> frozenset[str]:
    """The names and the code among some words; where there are none, all that they tell."""
    named = [word for word in words if word.code or (word.text[0].isupper() and not word.begins)]
    return _stems(named) or _stems(words)


def _stems(words: Sequence[StemmedWord]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.is_content)
