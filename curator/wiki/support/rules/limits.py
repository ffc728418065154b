"""A number that the source gives as a limit or as a guess, and the claim as the number itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.quantities import Quantity, quantities
from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case

_BEFORE = re.compile(
    r" (?P<bound>up to|at least|at most|no more than|not more than|no less than|not less than|no fewer than|less than"
    r"|fewer than|more than|about|roughly|approximately|nearly|almost|a maximum of|a minimum of)(?: an?| the)? $"
)
_BEHIND = re.compile(r"^ (?:\S+ ){0,2}?(?P<bound>(?:or|and) (?:more|less|fewer|older|younger))\b")
_LIMITS = frozenset(
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
_TIMES = (
    r"(?:springs?|summers?|autumns?|winters?|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|weekdays|holidays|nights?"
    r"|daytime|mornings?|afternoons?|evenings?|noon|midnight)"
)
_SCOPE = re.compile(
    rf" (?:in|on|at|during|from|until|only in|only on)(?: the| early| late| mid)? {_TIMES}"
    r"(?= (?:and|or|but|only|when|if|by|for|to|on|in|at|the)? |\s*\Z)"
)
"""A time of the year, the week or the day by which a sentence limits what it says; no ``at the November meeting``."""
_DATED = re.compile(r" (?:[12]\d{3}|was|were|had) ")
_PARTING = frozenset("and but while whereas as which though although because".split())
_SIGNS = frozenset("< <= > >= ~ + ≤ ≥ ≈ ±".split())


def limit_lost(case: Case) -> Iterator[str]:
    """``900 hours``, where the source says ``up to 900 hours``, ``at least``, ``less than`` or ``about`` so many."""
    if not case.is_close:
        return
    theirs = quantities(case.context.stated)
    for number in quantities(case.claim):
        if number.value in ("0", "1") or number.code or _has_limit(case.claim, number):
            continue
        same = [_limit(case.context.stated, other) for other in theirs if _is_same(other, number)]
        if same and all(same):
            yield f"the source says {same[0]!r} where the claim has {number.shown!r} alone: say so as the source does"
            return


def _is_same(one: Quantity, other: Quantity) -> bool:
    return one.value == other.value and (not one.kind or not other.kind or one.kind == other.kind)


def _has_limit(text: Phrase, number: Quantity) -> bool:
    sentence = text.words[number.at].sentence
    return any(word.sentence == sentence and (word.lower in _LIMITS or word.after in _SIGNS) for word in text.words)


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
    """A season, a month or a day of the week by which the source limits what it says, and which the claim leaves out."""
    if not case.is_close or case.is_gathered:
        return
    told = {word.stem for word in case.claim.content} - case.context.known.stems
    for words in case.context.stated.sentences:
        ends = [at for at, word in enumerate(words) if at and word.lower in _PARTING]
        for part in (words[start:end] for start, end in pairwise((0, *ends, len(words)))):
            flat = f" {' '.join(word.lower for word in part)} "
            times = [found[0].strip() for found in _SCOPE.finditer(flat) if not _DATED.search(flat)]
            lost = next((time for time in times if time.split()[-1] not in case.whole.lowers), "")
            if lost and told and told <= {word.stem for word in part}:
                yield f"the source says {lost!r} of it"
                return
