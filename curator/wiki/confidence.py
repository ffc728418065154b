"""How sure a page may be: a rule over the sources it rests on, below which a model or a person may stay.

docs/confidence.md tells it with examples. Its laws: one more source, a higher authority, a newer day never lower the
figure; a dispute that is left open caps it; nobody but a new independent source raises it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import RUMOUR, Reads, SourceWeight, SourceWeights, independent, looked_at
from curator.wiki.sources.copies import repeats, witnesses
from curator.wiki.sources.source import Source

Counts = Callable[[Sequence[SourceWeight]], int]
"""How many of the sources are independent."""

ALONE = {"primary": 0.8, "secondary": 0.7, RUMOUR: 0.4}
"""What one source of each authority gives."""
MOST = {"primary": 0.95, "secondary": 0.9, RUMOUR: 0.4}
"""What any number of sources gives, by the best authority among them."""
EACH_MORE = 0.05
"""For each further independent source; a rumour bears nothing out."""
AGES = ((3, 0.0), (10, 0.02))
"""Up to so many years old, the best source counts so much less;"""
OLDER = 0.05
"""when it is older still."""
NOTHING_HOLDS = 0.3
"""When every source was superseded, or there is none."""
DISPUTED = 0.6
"""The most, while ``contradicts`` names a page."""
_MOST_READ = 8
"""Sources that are opened to find the day of the best one."""


def of(page: Page, old: Page | None, known: SourceWeights, taken: Source, today: date, read: Reads) -> float:
    """The figure of ``page``, which was ``old`` before ``taken`` came in."""
    after, disputed = known.of(page, taken), bool(page.contradicts)
    if old is None:
        return figure(after, today, disputed, read)
    if not 0 <= old.confidence <= 1:
        return page.confidence
    before = known.of(old, taken)
    if old.contradicts and not disputed and old.confidence == figure(before, today, True, read):
        old = old.with_fields(confidence=figure(before, today, False, read))  # what the dispute alone took comes back
    if len(after) > len(before):
        there = {source.path for source in before}
        after = [source for source in after if source.path in there or not repeats(source, old.body)]
    return settled(old.confidence, before, after, today, disputed, read)


def figure(
    sources: Sequence[SourceWeight],
    today: date,
    disputed: bool = False,
    read: Reads | None = None,
    count: Counts | None = None,
) -> float:
    """What the rule gives a page that rests on ``sources``: 0 to 1, two decimals.

    ``read`` gives the words of a source, where its day is but a guess, and where it may be a copy of another one.
    """
    count = count or _counts(read)
    held = [source for source in sources if not source.superseded]
    found = NOTHING_HOLDS
    if held:
        best = _best(held, today, read)
        firm = count([source for source in held if source.authority != RUMOUR])
        found = min(max(_by(MOST, source) for source in held), best + EACH_MORE * max(0, firm - 1))
    return round(min(found, DISPUTED) if disputed else found, 2)


def settled(
    old: float,
    before: Sequence[SourceWeight],
    after: Sequence[SourceWeight],
    today: date,
    disputed: bool,
    read: Reads | None = None,
) -> float:
    """The figure of a page that says ``old`` and rested on the sources ``before``, now that it rests on ``after``.

    It follows the rule down. It rises only with an independent source more, by what the rule gives for that: so a figure
    that somebody lowered stays as much below the rule as it was. One that is higher than the rule ever was for ``before``
    is a person's word and stays, unless the page is disputed.
    """
    count = _counts(read)
    given = figure(after, today, read=read, count=count)
    grown = count(after) > count(before)
    risen = old + max(0.0, given - figure(before, today, read=read, count=count)) if grown else old
    own_word = old > figure([replace(source, day="", superseded=False) for source in before], today)
    found = min(risen, max(given, old) if own_word else given)
    return round(min(found, DISPUTED) if disputed else found, 2)


def _counts(read: Reads | None) -> Counts:
    return independent if read is None else partial(witnesses, read=read)


def _best(sources: Sequence[SourceWeight], today: date, read: Reads | None) -> float:
    """What the best source counts. None is read but those that may be it: the day of a guess is the latest there can be."""
    ranked = [
        (_by(ALONE, source) - _age(source.day, today), not source.is_guess, at) for at, source in enumerate(sources)
    ]
    for _ in range(_MOST_READ if read is not None else 0):
        worth, is_told, at = max(ranked)
        if is_told or read is None:
            return worth
        source = looked_at(sources[at], read)
        ranked[at] = (_by(ALONE, source) - _age(source.day, today), True, at)
    return max(ranked)[0]


def _by(table: dict[str, float], source: SourceWeight) -> float:
    return table.get(source.authority, table["secondary"])


def _age(day: str, today: date) -> float:
    """What the years since ``day`` take away; nothing when it is not known."""
    try:
        years = (today - date.fromisoformat(day)).days / 365.25
    except ValueError:
        return 0.0
    return next((less for most, less in AGES if years <= most), OLDER)
