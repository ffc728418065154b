"""From which version or day on, or up to which; at least or at most so many."""

from __future__ import annotations

from collections.abc import Iterator

from curator.wiki.english.quantities import quantities
from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import NOT

_IS = frozenset(("is", "are", "was", "were"))
_FROM = frozenset(
    ("since", "from", "starting", "newer", "later", "least", "minimum", "onwards", "onward", "above", ">=", ">")
)
_UNTIL = frozenset(("until", "till", "through", "older", "earlier", "before", "below", "most", "<", "<="))


def direction_turned(case: Case) -> Iterator[str]:
    """From a version or day on, where the source says up to it, or the reverse."""
    if case.is_reworded:
        return
    theirs: dict[str, set[str]] = {}
    for number, way in _directions(case.context.stated):
        theirs.setdefault(number, set()).add(way)
    if any(word.lower in NOT for word in case.claim.words):
        return  # "not before 3.9" is "since 3.9"
    if case.context.stated.lowers & {"earlier", "older", "previous"} and case.context.stated.lowers & _FROM:
        return  # what holds on either side may be quoted
    for number, way in _directions(case.claim):
        ways = theirs.get(number)
        told = [words for words in case.context.stated.sentences if any(word.text == number for word in words)]
        if ways and way not in ways and not any(word.lower in NOT for words in told for word in words):
            yield f"the claim says {way!r} {number}, the source says {sorted(ways)[0]!r}"


def bound_turned(case: Case) -> Iterator[str]:
    """At least so many, where the source says at most so many, or the reverse."""
    theirs = dict(_bounds(case.context.stated)) if not case.is_reworded else {}
    for number, side in _bounds(case.claim):
        if theirs.get(number, side) != side:
            yield f"the source has {number} as the {theirs[number]}, the claim as the {side}"


def _bounds(text: Phrase) -> Iterator[tuple[str, str]]:
    """Every number that is given as the least or as the most."""
    for number in quantities(text):
        if number.value == "1":
            continue  # "one or more", "more than one"
        before = [word.lower for word in text.words[max(0, number.at - 4) : number.at]]
        last = f" {' '.join(before)} "
        negated = any(each in ("not", "no", "never", "nor") or each.endswith("n't") for each in before)
        if last.endswith((" at least ", " minimum of ")) or (not negated and last.endswith((" more than ", " over "))):
            yield number.value, "least"
        elif [word.lower for word in text.words[number.at + 1 : number.at + 4]][-2:] in (
            ["and", "more"],
            ["or", "more"],
        ):
            yield number.value, "least"  # "40 kg and more"
        elif last.endswith((" at most ", " maximum of ", " up to ")) or (negated and last.endswith(" more than ")):
            yield number.value, "most"
        elif last.endswith((" less than ", " fewer than ", " under ")):
            yield number.value, "least" if negated else "most"


def _directions(text: Phrase) -> Iterator[tuple[str, str]]:
    words = text.words
    for at, word in enumerate(words):
        if not word.is_number:
            continue
        before = [each.lower for each in words[max(0, at - 4) : at] if each.clause == word.clause]
        if any(each[0].isdecimal() for each in before):
            before = before[-1:]
        behind = [each.lower for each in words[at + 1 : at + 3] if each.sentence == word.sentence]
        marks = {*before, word.after, *(words[at - 1 : at] and [words[at - 1].after])}
        after = behind[1:2] if behind[:1] in (["or"], ["and"]) else behind[:1]
        if "than" in before[-2:] and _IS & {*before}:
            continue  # "PEP 658 is older than PEP 691" tells of an age
        near = marks | set(after)
        if "up" in marks and "to" in marks:
            near.add("until")
        if near & _FROM and not near & _UNTIL:
            yield word.text, "from"
        elif near & _UNTIL and not near & _FROM:
            yield word.text, "until"
