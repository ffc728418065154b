"""The time between two dates, two years or two hours that are quoted: it is exact, unless the claim says about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date as day_of
from itertools import combinations, pairwise

from curator.wiki.english.quantities import UNITS, Date, Quantity, dates, quantities
from curator.wiki.support.case import Case

ROUGH = frozenset("about around approximately roughly some circa almost nearly close little just".split())
_UNDER, _OVER = frozenset(("less", "under", "within", "below")), frozenset(("more", "over", "above", "longer"))
_NEARLY = frozenset(("nearly", "almost"))
_INCLUSIVE = frozenset(("for", "from", "lasted", "lasts", "through", "took", "takes"))
_APART = frozenset("after later before earlier between since until".split())
_ONE_YEAR = 2001
"""Stands for the year of dates that give none."""
_DAY, _YEAR = UNITS["day"][1], UNITS["year"][1]
_DAYS_OF_MONTH = 30.44
_MANY = 12
_MANY_DATES = 40


def is_between(case: Case, quantity: Quantity) -> bool:
    """True for a time that lies between two dates, years or hours that are quoted; exactly so many days, weeks, months."""
    return _is_between_years(case, quantity) or is_between_dates(case, quantity) or _is_between_hours(case, quantity)


def is_between_dates(case: Case, quantity: Quantity) -> bool:
    """True for the ``eleven weeks`` between 17 May and 2 August; for about or less than so many, too."""
    before = {word.lower for word in case.whole.words[max(0, quantity.at - 3) : quantity.at]}
    told = case.whole.lowers
    inclusive = bool(told & _INCLUSIVE) and not told & _APART
    named = dates(case.whole)
    held = dates(case.context.stated)[:_MANY_DATES]
    for one, two in combinations(held, 2):
        if named and not any(date.agrees(each) for date in named for each in (one, two)):
            continue  # it tells how far one of the others is from that day
        days = _days(one, two)
        if not days:
            continue
        amount = 86_400 * days
        if before & _UNDER:
            found = amount < quantity.amount
        elif before & _OVER:
            found = amount > quantity.amount
        elif before & ROUGH:
            found = math.isclose(quantity.amount, amount, rel_tol=0.15 if before & _NEARLY else 0.1)
        else:
            found = quantity.amount / quantity.unit in {*_counts(one, two, days, quantity.unit, inclusive=inclusive)}
        if found:
            return True
    return False


def _counts(one: Date, two: Date, days: int, unit: float, *, inclusive: bool) -> Iterator[int]:
    """How many ``unit`` lie between two dates, as people count them."""
    first, last = sorted((_whole(one, two), _whole(two, one)))
    months = 12 * (last.year - first.year) + last.month - first.month
    exact = bool(one.day and two.day)
    if unit == _DAY and exact:
        yield from (days, days + 1) if inclusive else (days,)
    elif unit == UNITS["week"][1] and exact:
        yield round(days / 7)
    elif unit == UNITS["month"][1]:
        yield from (months - (last.day < first.day), round(days / _DAYS_OF_MONTH)) if exact else (months,)
    elif unit == _YEAR:
        yield from (months // 12, round(months / 12))


def _days(one: Date, two: Date) -> int:
    """The days between two dates that give a month; 0 for others."""
    return abs((_whole(one, two) - _whole(two, one)).days) if one.month and two.month else 0


def _whole(date: Date, other: Date) -> day_of:
    """The day itself, in the year of the other where it gives none; the first of the month where it gives no day."""
    try:
        return day_of(date.year or other.year or _ONE_YEAR, date.month, date.day or 1)
    except ValueError:
        return day_of(_ONE_YEAR, 2, 28)  # no calendar has it


def _is_between_hours(case: Case, quantity: Quantity) -> bool:
    """True for the two and a half hours from 14:00 to 16:30."""
    hours = [other.amount for other in quantities(case.context.stated) if other.kind == "clock"]
    told = [each for each in quantities(case.whole) if each.kind == "time"]
    amounts = [quantity.amount, *(one.amount + two.amount for one, two in pairwise(told) if quantity in (one, two))]
    return any(math.isclose(amount, 60 * abs(one - two)) for amount in amounts for one, two in combinations(hours, 2))


def _is_between_years(case: Case, quantity: Quantity) -> bool:
    """True for the years between two years that are quoted, and for one of two spans that make up one that is."""
    text = case.context.around if quantity.amount > _MANY * _YEAR else case.context.stated
    around = quantities(text)
    spoken = [int(other.value) for other in around if other.value.isdecimal() and 1000 <= int(other.value) <= 2200]
    years = {*spoken, *(date.year for date in dates(text) if date.year)}
    if any(math.isclose(quantity.amount, _YEAR * abs(one - two)) for one in years for two in years if one != two):
        return True
    spans = [each.amount for each in quantities(case.claim) if each.kind == "time"]
    totals = [one + two for one, two in combinations(spans, 2) if quantity.amount in (one, two)]
    held = [other.amount for other in around if other.kind == "time"]
    return any(math.isclose(total, amount, rel_tol=0.02) for total in totals for amount in held)
