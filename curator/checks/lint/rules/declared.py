"""The kinds of lints that KNOWLEDGE.md can declare and that no MUST rule covers, and what goes with them.

- require-source: a page has sources (``params.min``: how many; else one). Pages made from other pages (comparisons,
  timelines) need none unless the lint names their type. Where there is no such lint, a missing source is an error
  (ADDENDA, Entries); where those there are speak of other pages, a warning.
- max-age: a page is stale when all that it rests on is older than ``params.days`` and it was not re-confirmed: its
  ``updated_at`` is older, and none of its sources is dated (in its name) or was taken in later. That is the MUST rule on
  stale claims; without such a lint ``sources.retention: days:<n>`` is the threshold, and without both there is none.
- min-confidence: ``confidence`` is not below ``params.min``; a page that does not say counts as 1.0 (AIP-10, layer 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from curator.checks.lint.facts.policy import PATH, SEVERITIES, Lint, LintPolicy
from curator.checks.lint.facts.snapshot import LintContext
from curator.checks.rules.fields import MAX_CONFIDENCE_OF_NEW
from curator.finding import Finding, Severity
from curator.wiki import log
from curator.wiki.pages.page import DERIVED
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.copies import witnesses
from curator.wiki.sources.source import day_in_name


def source_required(context: LintContext) -> Iterator[Finding]:
    """source_required (require-source): every page names the sources that it comes from."""
    most = max((_wanted(lint) for lint in context.policy.all("require-source")), default=1)
    otherwise: Severity = "warn" if any(context.policy.all("require-source")) else "error"
    query = "SELECT path, kind, type, sources FROM facts WHERE sources < ? AND type <> '' ORDER BY path"
    for path, kind, name, count in context.cache.rows(query, max(1, most)):
        lint = context.policy.hardest("require-source", name)
        if kind in DERIVED and (lint is None or lint.applies_to == "*"):
            continue
        if count < (_wanted(lint) if lint is not None else 1):
            message = "it has no source" if not count else f"it has {count} source(s), {_wanted(lint)} are required"
            hint = "name the sources it comes from under sources:"
            yield Finding("source_required", path, message, 1, lint.severity if lint else otherwise, hint)


def _wanted(lint: Lint | None) -> int:
    seen = lint.params.get("min") if lint is not None else None
    return seen if isinstance(seen, int) and not isinstance(seen, bool) else 1


def claim_stale(context: LintContext) -> Iterator[Finding]:
    """claim_stale (max-age): what rests on old sources alone is confirmed from time to time."""
    shortest = min((lint.limit for lint in _ageing(context.policy)), default=None)
    if shortest is None:
        return
    cutoff = _day(context, shortest)
    taken_in: dict[str, str] | None = None
    query = """SELECT path, type, updated_at FROM facts
               WHERE type <> '' AND substr(updated_at, 1, 10) < ? ORDER BY path"""
    for path, name, updated in context.cache.rows(query, cutoff):
        lint = next((lint for lint in _ageing(context.policy) if context.policy.covers(lint, name)), None)
        if lint is None or updated[:10] >= _day(context, lint.limit):
            continue
        taken_in = _taken_in(context) if taken_in is None else taken_in
        sources = [row[0] for row in context.cache.rows("SELECT source FROM ref WHERE path=?", path)]
        found = [context.source_files.resolve(source) or source for source in sources]
        newest = max([updated[:10], *(_dated(source, taken_in) for source in found)])
        if not newest or newest >= _day(context, lint.limit):
            continue
        message = f"nothing it rests on is newer than {newest}, and {lint.limit:g} days are the limit"
        hint = "confirm it and set updated_at, or take newer sources in"
        yield Finding("claim_stale", path, message, context.line_in_head(path, "updated_at:"), lint.severity, hint)


def _ageing(policy: LintPolicy) -> list[Lint]:
    """The lints that age pages, those with the shortest limit first."""
    found = list(policy.all("max-age"))
    if not found and policy.retention_days is not None:
        found = [Lint("retention", "max-age", "*", "warn", {"days": policy.retention_days})]
    return sorted(found, key=lambda lint: lint.limit)


def threshold(policy: LintPolicy) -> float | None:
    """After how many days pages begin to be stale; None when the schema defines none."""
    return min((lint.limit for lint in _ageing(policy)), default=None)


def confidence_low(context: LintContext) -> Iterator[Finding]:
    """confidence_low (min-confidence): no page is less certain than the wiki wants."""
    least = max((lint.limit for lint in context.policy.all("min-confidence")), default=0.0)
    query = "SELECT path, type, confidence, confidence_line FROM facts WHERE confidence < ? ORDER BY path"
    for path, name, confidence, line in context.cache.rows(query, least):
        failed = [
            lint
            for lint in context.policy.all("min-confidence")
            if context.policy.covers(lint, name) and confidence < lint.limit
        ]
        for lint in sorted(failed, key=lambda lint: SEVERITIES.index(lint.severity))[:1]:
            message = f"confidence: {confidence:g}; {lint.limit:g} is the least that {PATH} takes ({lint.id})"
            hint = "find more evidence, or say less"
            yield Finding("confidence_low", path, message, line, lint.severity, hint)


def laundered(context: LintContext) -> Iterator[Finding]:
    """confidence_laundered: one source that is no primary one makes nothing certain (AIP-10, Security Considerations)."""
    known = SourceWeights(context.source_files.manifest, context.policy.authority)
    query = "SELECT path, confidence, confidence_line FROM facts WHERE confidence > ? ORDER BY path"
    for path, confidence, line in context.cache.rows(query, MAX_CONFIDENCE_OF_NEW):
        names = [row[0] for row in context.cache.rows("SELECT source FROM ref WHERE path=?", path)]
        sources = [known.at(context.source_files.resolve(name) or name) for name in names]
        held = [source for source in sources if not source.superseded]
        if witnesses(held, context.snapshot.read) > 1 or any(source.authority == "primary" for source in held):
            continue
        rests = f"one {held[0].authority} source" if held else "no source that holds" if sources else "no source at all"
        message = f"confidence: {confidence:g} rests on {rests}"
        hint = f"say {MAX_CONFIDENCE_OF_NEW} at most, or find another source"
        yield Finding("confidence_laundered", path, message, line, "warn", hint)


# -- how old a source is -------------------------------------------------------------------------------------------


def _taken_in(context: LintContext) -> dict[str, str]:
    """The day each source was taken in last, by the log."""
    events = log.parse(context.snapshot.read(log.PATH) or "")
    return {event.subject: event.at[:10] for event in events if event.type == "ingest"}


def _dated(source: str, taken_in: dict[str, str]) -> str:
    """The day a source speaks of itself in its name, else the day it was taken in; empty when neither is known."""
    return day_in_name(source) or taken_in.get(source, "")


def _day(context: LintContext, days: float) -> str:
    return _cutoff(context.now.timestamp(), days)


@lru_cache(maxsize=64)
def _cutoff(now: float, days: float) -> str:
    moment = datetime.fromtimestamp(now, UTC)
    try:
        return (moment - timedelta(days=days)).strftime("%Y-%m-%d")
    except OverflowError:
        return ""
