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
_EXCEPT = frozenset(("unless", "without"))
_FORBIDDEN = frozenset("forbidden prohibited illegal invalid disallowed impossible refused rejected".split())
_ALLOWED = frozenset("allowed permitted possible legal valid accepted".split())
_NEVER = frozenset(("not", "never", "no"))
_COMPARED = frozenset("newer later older earlier".split())
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
    stated = case.context.stated
    theirs = dict(_bounds(stated)) if not case.is_reworded else {}
    if NOT & case.claim.lowers and stated.lowers & _EXCEPT and _denies(stated):
        return  # "not without at least two" is "not with fewer than two"
    for number, side in _bounds(case.claim):
        if theirs.get(number, side) != side:
            yield f"the source has {number} as the {theirs[number]}, the claim as the {side}"


def _denies(text: Phrase) -> bool:
    return any(word.lower in NOT or word.lower.endswith("n't") for word in text.words)


def _bounds(text: Phrase) -> Iterator[tuple[str, str]]:
    """Every number that is given as the least or as the most."""
    for number in quantities(text):
        before = [word.lower for word in text.words[max(0, number.at - 4) : number.at]]
        last = f" {' '.join(before)} "
        if number.value == "1" and not last.endswith((" at least ", " at most ")):
            continue  # "one or more", "more than one"
        negated = any(each in ("not", "no", "never", "nor") or each.endswith("n't") for each in before)
        negated = negated or _is_forbidden(text, number.at)
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


def _is_forbidden(text: Phrase, at: int) -> bool:
    """True for ``more than 255 characters are not allowed``."""
    behind = [word.lower for word in text.words[at + 1 :] if word.clause == text.words[at].clause]
    return any(
        word in _FORBIDDEN or (word in _ALLOWED and _NEVER & {*behind[max(0, place - 3) : place]})
        for place, word in enumerate(behind)
    )


def _directions(text: Phrase) -> Iterator[tuple[str, str]]:
    words = text.words
    for at, word in enumerate(words):
        if not word.is_number:
            continue
        before = [each.lower for each in words[max(0, at - 4) : at] if each.clause == word.clause]
        if any(each[0].isdecimal() for each in before):
            before = before[-1:]
        before = [each for each in before if each not in _COMPARED or "than" in before]  # "Later Rule 9 was written"
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
