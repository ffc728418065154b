"""From which version or day on, or up to which; at least, at most or about so many; every so many, or at a time only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.quantities import Quantity, quantities
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.strength import FREQUENCY

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
_BEFORE = re.compile(
    r" (?P<bound>up to|at least|at most|no more than|not more than|no less than|not less than|no fewer than|less than"
    r"|fewer than|more than|about|roughly|approximately|nearly|almost|a maximum of|a minimum of)(?: an?| the)? $"
)
_BEHIND = re.compile(r"^ (?:\S+ ){0,2}?(?P<bound>(?:or|and) (?:more|less|fewer|older|younger))\b")
_LIMITING = frozenset(
    "up least most more less fewer than minimum maximum min max limit limits limited cap capped within under over below "
    "above exceed exceeds exceeded exceeding beyond top tops about around roughly approximately approximate approx "
    "nearly almost close near circa ca some estimated estimate estimates can could may might reach reaches reached "
    "until till to from every each threshold bound longest shortest largest smallest highest lowest older younger later "
    "newer onwards must should need needs needed require requires required upward upwards ceiling floor as if "
    "when where allow allows allowed permit permits permitted hardly barely short shy excess both either any all "
    "only just even so typically usually normally average mean".split()
)
"""Words of a claim by which it may give its number as a limit, or say under which condition it holds."""
_EVERY_SO_MANY = re.compile(
    r"\bevery (?P<many>second|third|fourth|fifth|sixth|other|two|three|four|five|six|seven|ten|\d+) (?P<what>[a-z]+?)s?\b"
)
_SEASONS = (
    r"(?:springs?|summers?|autumns?|winters?|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|weekdays|holidays|nights?"
    r"|daytime|mornings?|afternoons?|evenings?|noon|midnight)"
)
_SCOPE = re.compile(
    rf" (?:in|on|at|during|from|until|only in|only on)(?: the| early| late| mid)? {_SEASONS}"
    r"(?= (?:and|or|but|only|when|if|by|for|to|on|in|at|the)? |\s*\Z)"
)
"""A time of the year, the week or the day by which a sentence limits what it says; no ``at the November meeting``."""
_WHERE = re.compile(
    r" (?:in|under|during|within|at)"
    r"(?: (?!(?:of|for|to|and|or|is|are|that|which|all|any|every|each|this|such|these|no) )\S+){0,3}?"
    r" (?:weather|climates?|regions?|areas?|conditions?|seasons?|laboratory|laboratories|lab|trials?|tests?"
    r"|experiments?|studies|(?<!in )cases|circumstances|temperatures?|countries|soils?)"
    r"(?= (?:and|or|but|only|when|if|by|for|to|on|in|at|of|the) |\s*\Z)"
)
"""A place, weather, trial or case by which a sentence limits what it says."""
_DATED = re.compile(r" (?:[12]\d{3}|was|were|had) ")
_PARTING = frozenset("and but while whereas as which though although because".split())
_RELATIVE = frozenset("that which who whom whose where".split())
_SIGNS = frozenset("< <= > >= ~ + ≤ ≥ ≈ ±".split())


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
    bounds = [*_bounds(stated)] if not case.is_reworded else []
    theirs = dict(bounds)
    if NOT & case.claim.lowers and stated.lowers & _EXCEPT and _denies(stated):
        return  # "not without at least two" is "not with fewer than two"
    for number, side in _bounds(case.claim):
        if theirs.get(number, side) != side and (number, side) not in bounds:
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


def limit_lost(case: Case) -> Iterator[str]:
    """``900 hours``, where the source says ``up to 900 hours``, ``at least``, ``less than`` or ``about`` so many."""
    if not case.is_close:
        return
    theirs = quantities(case.context.stated)
    for number in quantities(case.claim):
        if number.value in ("0", "1") or number.code or _has_limit(case.claim, number):
            continue
        same = [_limit(case.context.stated, other) for other in theirs if _is_same_number(other, number)]
        if same and all(same):
            yield f"the source says {same[0]!r} where the claim has {number.shown!r} alone: say so as the source does"
            return


def _is_same_number(one: Quantity, other: Quantity) -> bool:
    return one.value == other.value and (not one.kind or not other.kind or one.kind == other.kind)


def _has_limit(text: Phrase, number: Quantity) -> bool:
    sentence = text.words[number.at].sentence
    return any(word.sentence == sentence and (word.lower in _LIMITING or word.after in _SIGNS) for word in text.words)


def _limit(text: Phrase, number: Quantity) -> str:
    """The limit that a number of the source is given as, with the number; empty for none."""
    before = _flat(text, range(max(0, number.at - 4), number.at))
    behind = _flat(text, range(number.at + len(number.shown.split()), number.at + len(number.shown.split()) + 5))
    if found := _BEFORE.search(before):
        return f"{found['bound']} {number.shown}"
    found = _BEHIND.search(behind)
    return f"{number.shown} {found['bound']}" if found else ""


def _flat(text: Phrase, places: Sequence[int]) -> str:
    words = [text.words[at].lower for at in places if at < len(text.words)]
    return f" {' '.join(words)} "


def interval_lost(case: Case) -> Iterator[str]:
    """``Every year``, where the source says every third year; ``is closed``, where it is so in winter."""
    mine = case.whole.flat
    yield from _time_lost(case)
    for found in _EVERY_SO_MANY.finditer(case.context.stated.flat):
        if re.search(rf" (?:every|each) {found['what']} ", mine) and found["many"] not in case.whole.lowers:
            yield f"the source says {found[0]!r}"
            return


def _time_lost(case: Case) -> Iterator[str]:
    """A season, a day of the week, a place, a weather or a trial by which the source limits what it says, and which the
    claim leaves out.
    """
    if not case.is_close or case.is_gathered or case.claim.lowers & FREQUENCY.keys():
        return
    told, known = case.told, case.whole.stems | case.context.known.stems
    numbers = {word.stem for word in case.claim.words if word.is_number}
    for words in case.context.stated.sentences:
        ends = [at for at, word in enumerate(words) if at and word.lower in _PARTING]
        for part in (words[start:end] for start, end in pairwise((0, *ends, len(words)))):
            flat = f" {' '.join(word.lower for word in part)} "
            found = [] if _DATED.search(flat) else [*_SCOPE.finditer(flat)]
            found += _WHERE.finditer(flat) if numbers <= {word.stem for word in part} else ()
            for scope in found:
                start, end = (len(flat[:at].split()) for at in scope.span())
                limits = {word.stem for word in part[start:end] if word.is_content}
                is_lost = part[end - 1].lower not in case.whole.lowers and limits.isdisjoint(known)
                is_lost = is_lost and not _is_of_other_clause(part[:start], case)
                if is_lost and told and told <= {word.stem for word in part}:
                    yield f"the source says {scope[0].strip()!r} of it"
                    return


def _is_of_other_clause(before: Sequence[StemmedWord], case: Case) -> bool:
    """True where what is so limited stands behind a ``that`` and is not told: ``an acid that they vaporise in winter``."""
    at = next((at for at in range(len(before) - 1, -1, -1) if before[at].lower in _RELATIVE), len(before))
    return any(word.is_content and word.stem not in case.claim.stems for word in before[at:])
