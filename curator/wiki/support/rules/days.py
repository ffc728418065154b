"""Dates, months, days of the week and seasons: a date is held by the source when some date there agrees in year, month and
day, so far as both give them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.quantities import (
    MONTHS,
    Date,
    dates,
    months_named,
    quantities,
)
from curator.wiki.english.stems import stem
from curator.wiki.english.weekdays import SHORT_DAY, weekdays_named
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.names import OF_SOURCE
from curator.wiki.support.rules.own_day import is_told_of_source

_TIMES = frozenset(
    map(stem, "summer autumn winter monday tuesday wednesday thursday friday saturday sunday weekend".split())
)
"""Times that have one name only; nobody says them in another word."""
_SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "winter": (12, 1, 2)}
_BEFORE_MONTHS = frozenset(
    "in of by until till since from to before after during and between early late mid every next last".split()
)
"""Words before a month; a mere ``may`` has others."""
_DAY_OF_WEEK = re.compile(rf"(?:{SHORT_DAY.pattern})\.? (?P<day>\d{{1,2}})(?![\d:.]|\s?(?:am|pm|h)\b)")


def date_unknown(case: Case) -> Iterator[str]:
    """A season, a day, month or year that what is quoted does not give."""
    for word in case.claim.words:
        context = case.context  # all of a section is gone through for a word that is a time, and no other
        if word.stem not in _TIMES or _is_season_of(case, word):
            continue
        is_named = any(word.stem in text.stems for text in (context.around, context.section, context.known))
        if not is_named and word.stem not in weekdays_named(context.stated) | weekdays_named(context.led):
            yield f"{word.text!r} is not in what is quoted"
    yield from _months_unknown(case)
    if not dates(case.whole):
        return
    near = dates(case.context.stated) or dates(case.context.around) or dates(case.context.section)
    held = [*near, *dates(case.context.known), *case.context.days]
    own = dates(case.source.opening)
    if OF_SOURCE & case.whole.lowers:
        held += own
    own += case.source.own_days
    for date in dates(case.whole):
        if any(date.agrees(other) for other in own) and is_told_of_source(case, date):
            continue
        years = {quantity.value for quantity in quantities(case.context.around)}
        alone = not date.month and str(date.year) in years
        is_held = alone or any(date.agrees(other) for other in held) or _is_composed(case, date)
        if not is_held:
            yield f"the date {date.shown!r} is not in what is quoted"


def _is_composed(case: Case, date: Date) -> bool:
    """True for ``4 June`` where ``Wed 4`` is quoted, of a source whose title or a heading above has June."""
    texts = (case.context.headings, case.context.known)
    months = {each.month for text in texts for each in dates(text)}.union(*map(months_named, texts))
    days = (_DAY_OF_WEEK.finditer(text.plain) for text in (case.context.stated, case.context.headings))
    told = {int(found["day"]) for each in days for found in each}
    return not date.year and date.day in told and date.month in months


def _is_season_of(case: Case, word: StemmedWord) -> bool:
    """True for ``autumn`` where October is quoted."""
    months = _SEASONS.get(word.lower, ())
    return not months_named(case.context.stated).isdisjoint(months) or any(
        date.month in months for date in dates(case.context.stated)
    )


def _months_unknown(case: Case) -> Iterator[str]:
    """A month alone: ``in May``, where what is quoted speaks of June."""
    told = [
        (word, month)
        for before, word in pairwise(case.claim.words)
        if word.text.istitle() and before.lower in _BEFORE_MONTHS and (month := MONTHS.get(word.lower, 0))
    ]
    if not told:
        return  # what follows goes through all of a section
    texts = [case.context.around, case.context.section, case.context.known]
    texts += [case.source.opening] if OF_SOURCE & case.whole.lowers else []
    held = {date.month for text in texts for date in dates(text)}.union(*map(months_named, texts))
    for word, month in told:
        if month not in held:
            yield f"{word.text!r} is not in what is quoted"
