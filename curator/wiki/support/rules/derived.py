"""Numbers that a source does not state and that follow from what it states.

Units of time, size and length, fractions, multiples and orders of magnitude are worked out (a tenth of a millisecond is
100 microseconds, two orders of magnitude are 100 times), sums, differences, shares and spans of years; a small number may
be the count of what a list or the claim itself enumerates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise, permutations

from curator.wiki.english.quantities import UNITS, Quantity, dates, quantities
from curator.wiki.support.case import Case
from curator.wiki.support.rules.counted import counts_of_dates, is_count
from curator.wiki.support.rules.times import is_between

SMALL = 12
"""Up to here a number may count what is enumerated."""
_TOTAL = frozenset(
    "together total altogether combined sum both difference more fewer less left remaining rest all other".split()
)
_ABOUT = frozenset("about around approximately roughly some circa almost nearly close".split())
_NEARLY = frozenset("nearly almost under just close".split())
_OVER = frozenset("over above than well just exceeding".split())
_WITHIN = frozenset(("under", "below"))
_OF_DAY = frozenset("morning afternoon evening night o'clock".split())
_AT = frozenset("at from until till by past to around about before after and between".split())
_YEAR = UNITS["year"][1]
_ERA = 1000
_FEW = 4
_NOON = 12 * 60

_MORE_OR_LESS = {"more": 1, "fewer": -1, "less": -1}


def is_worked_out(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a number that is another form of one, or counts what is listed."""
    if quantity.is_mere_one:
        return True
    if is_year_reckoned(case, quantity):
        return True
    if any(quantity.is_about(other) for other in around if quantity.kind) or _is_hour(case, quantity, around):
        return True
    if is_derived(case, quantity, around):
        return True
    if not quantity.value.isdecimal() or "." in quantity.shown or int(quantity.value) > SMALL:
        return False
    if quantity.kind:
        return quantity.kind == "times" and int(quantity.value) in counts_of_dates(case.context.stated)
    counts = case.context.counts | counts_of_dates(case.context.stated)
    before = case.whole.words[quantity.at - 1].lower if quantity.at else ""
    more = int(before in ("other", "remaining"))
    return int(quantity.value) + more in counts or is_count(quantity, case.whole, case.context.stated, more)


def is_derived(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a sum, a share or a span of years that follows from what is quoted."""
    stated = quantities(case.context.stated)
    if _is_added_up(case, quantity) or _is_share(case, quantity, stated) or _is_rounded(case, quantity, stated):
        return True
    if _is_next(case, quantity, stated):
        return True
    if quantity.kind == "times" and len(stated) <= _FEW:
        pairs = ((one, two) for one in stated for two in stated if one.kind == two.kind and two.amount > 0)
        return any(math.isclose(quantity.amount, one.amount / two.amount, rel_tol=0.1) for one, two in pairs)
    return quantity.kind == "time" and is_between(case, quantity)


def is_restated(case: Case, quantity: Quantity, others: Iterable[Quantity]) -> bool:
    """True for the same amount as one of ``others``, in another unit, rounded, or as the decade of a year."""
    near = list(others)
    return (
        any(quantity.is_about(each) for each in near) or _is_rounded(case, quantity, near) or _is_decade(case, quantity)
    )


def is_year_reckoned(case: Case, quantity: Quantity) -> bool:
    """True for the 2017 that is two years before 2019, where both are quoted, and for the decade or century of a year."""
    if _is_decade(case, quantity):
        return True
    stated = quantities(case.context.stated)
    spans = {other.amount / _YEAR for other in stated if other.kind == "time"}
    years = {*(date.year for date in dates(case.context.stated)), *(other.amount for other in stated if not other.kind)}
    return not quantity.kind and quantity.amount > _ERA and any(abs(quantity.amount - year) in spans for year in years)


def _is_next(case: Case, quantity: Quantity, stated: Iterable[Quantity]) -> bool:
    """True for the two that ``more than one`` begins with, and for the four that ``fewer than five`` ends with."""
    words = case.context.stated.words
    more = [behind for word, behind in pairwise(words) if word.lower == "another"] if quantity.amount == 2 else []
    counted = {word.stem for word in case.claim.words[quantity.at + 1 : quantity.at + 3]}
    if not quantity.kind and any(not word.is_content or word.stem in counted for word in more):
        return True  # one, and another one
    return not quantity.kind and any(
        (words[other.at - 2].lower in _MORE_OR_LESS and words[other.at - 1].lower == "than")
        and quantity.amount == other.amount + _MORE_OR_LESS[words[other.at - 2].lower]
        for other in stated
        if other.at > 1 and other.value.isdecimal()
    )


def _is_rounded(case: Case, quantity: Quantity, stated: Iterable[Quantity]) -> bool:
    """True for ``about 120,000`` and ``nearly 120,000`` of the 118,000 that is quoted, and for ``over 110,000``."""
    before = _words_before(case, quantity, 3)
    alike = [other.amount / quantity.amount for other in stated if other.kind == quantity.kind and quantity.amount > 0]
    about = before & _ABOUT and any(0.94 <= ratio <= 1.06 for ratio in alike)
    below = before & _NEARLY and any(0.9 <= ratio <= 1 for ratio in alike)
    above = before & _OVER and "not" not in before and "no" not in before and any(1 <= ratio <= 1.25 for ratio in alike)
    within = quantity.kind and before & _WITHIN and any(0.5 <= ratio <= 1 for ratio in alike)
    return bool(about or below or above or within)


def _is_hour(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for the ``eight`` of ``at eight in the evening`` and of ``half past eight``, and for ``12:00`` of ``noon``."""
    if quantity.kind == "clock":
        words = case.context.around.lowers
        noon = quantity.amount == _NOON and words & {"noon", "midday"}
        return bool(noon or (quantity.amount in (0, 2 * _NOON) and "midnight" in words))
    before = _words_before(case, quantity, 2)
    behind = {word.lower for word in case.whole.words[quantity.at + 1 : quantity.at + 4]}
    hours = {(int(other.amount) // 60 + late) % 12 for other in around if other.kind == "clock" for late in (0, 1)}
    return (
        not quantity.kind
        and bool(before & _AT or behind & _OF_DAY)
        and quantity.amount <= SMALL
        and quantity.amount % 12 in hours
    )


def _is_decade(case: Case, quantity: Quantity) -> bool:
    """True for the ``1880s`` where 1887 is quoted, and for the ``1600s`` where the 17th century is."""
    behind = case.whole.words[quantity.at + 1 : quantity.at + 2]
    if not (behind and behind[0].lower == "s" and quantity.value.isdecimal()):
        return False
    if quantity.value.endswith("00") and f" {int(quantity.value) // 100 + 1} th century " in case.context.stated.flat:
        return True
    years = {
        *(date.year for date in dates(case.context.stated)),
        *(other.amount for other in quantities(case.context.stated)),
    }
    return any(quantity.amount <= year < quantity.amount + 10 for year in years)


def _is_share(case: Case, quantity: Quantity, around: Iterable[Quantity]) -> bool:
    """True for a fifth where 20 per cent are quoted, and for 20 per cent of "one in five" or "10 of 50"."""
    share = quantity.amount if quantity.kind == "share" or 0 < quantity.amount < 1 else 0
    near = list(around)
    pairs = (sorted((one.amount, two.amount)) for one, two in pairwise(near) if one.kind == two.kind)
    parts = [less / more for less, more in pairs if more and less >= 0]
    parts += [1 / each.amount for each in near if each.kind == "times" and each.amount > 1]
    for kind in {each.kind for each in near} if 1 < len(near) <= _FEW else ():
        amounts = [each.amount for each in near if each.kind == kind]
        parts += [amount / sum(amounts) for amount in amounts if sum(amounts) > 0 and len(amounts) > 1]
    ratios = [ratio for part in parts for ratio in (part, 1 - part)]
    before = _words_before(case, quantity, 3)
    if quantity.amount > SMALL and {"one", "1"} & before:
        share = 1 / quantity.amount  # "one in 500"
    is_exact = quantity.kind == "share" and not quantity.worded and not before & _ABOUT
    return bool(share) and any(
        quantity.rounds(other) if is_exact else math.isclose(share, other, rel_tol=0.05 if before & _ABOUT else 0.02)
        for each in near
        for other in (each.amount, each.amount / 100, *ratios)
    )


def _is_added_up(case: Case, quantity: Quantity) -> bool:
    """True for the sum or the difference of two numbers of a kind that are quoted; of small ones if the claim says so."""
    stated = list(quantities(case.context.stated)[:SMALL])
    is_told = _is_difference(case, quantity) and len(stated) <= 2 * _FEW
    said = is_told or (_TOTAL & case.whole.lowers and len(stated) <= _FEW)
    stated = [other for other in stated if said or not other.is_mere_one]
    if not (said or quantity.kind or quantity.amount > SMALL):
        return False
    amounts = [other.amount for other in stated if other.kind == quantity.kind]
    exact = 0.05 if _words_before(case, quantity, 3) & _ABOUT else 1e-6
    if len(amounts) > 2 and math.isclose(quantity.amount, sum(amounts), rel_tol=exact):
        return True
    kinds = (quantity.kind, "")  # "from 22 degrees to 9"
    alike = [other for other in stated if other.kind in kinds or (said and not quantity.kind)]
    pairs = [
        (one, two)
        for one, two in permutations(alike, 2)
        if quantity.kind or one.kind == two.kind or (said and "" in (one.kind, two.kind))
    ]
    return any(
        math.isclose(quantity.amount, abs(result), rel_tol=exact)
        for one, two in pairs
        for result in (one.amount + two.amount, one.amount - two.amount)
    )


def _is_difference(case: Case, quantity: Quantity) -> bool:
    """True for ``by 190`` and for ``300 g heavier``, which say by how much one is more than the other."""
    words = case.whole.words
    behind = [word for word in words[quantity.at + 1 : quantity.at + 4] if word.clause == words[quantity.at].clause]
    compares = any(word.lower in ("more", "less", "fewer") or word.lower.endswith("er") for word in behind)
    return compares or "by" in _words_before(case, quantity, 1)


def _words_before(case: Case, quantity: Quantity, most: int) -> set[str]:
    return {word.lower for word in case.whole.words[max(0, quantity.at - most) : quantity.at]}
