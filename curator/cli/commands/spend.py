"""``curate spend``: what models have cost here, by day, source and model, also for answers of which nothing landed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, reported
from curator.models.llm.ask_prompt import TOPIC
from curator.models.llm.ledger import LedgerEntry, SpendingLedger, SpendingTotal, totals_by
from curator.repository.settings import Settings

_QUESTIONS = "(questions)"
_UNKNOWN = "(not written down)"


@click.command()
@click.option("--since", metavar="DAY", default="", help="Only from this day on: 2026-11-01, or 2026-11.")
@common_options
@reported
def spend(common: CommonOptions, /, since: str) -> Report:
    return run(console.settings(common, looks=True), since)


def run(settings: Settings, since: str = "") -> Report:
    """Add up the ledger; a source whose newest bytes are not in the wiki is said to have brought nothing yet."""
    with settings.repository as repository:
        ledger = SpendingLedger(repository.runtime.folder / "spend")
        entries = [entry for entry in ledger.entries().values() if entry.day >= since]
        landed = frozenset(repository.view().manifest().sources)
    today = f"{datetime.now(UTC).astimezone():%Y-%m-%d}"
    spans = {
        "today": SpendingTotal.of(entry for entry in entries if entry.day == today),
        "month": SpendingTotal.of(entry for entry in entries if entry.day[:7] == today[:7]),
        "total": SpendingTotal.of(entries),
    }
    days = totals_by(entries, lambda entry: entry.day)
    models = totals_by(entries, lambda entry: entry.model or _UNKNOWN)
    sources = totals_by(entries, _source)
    not_landed = SpendingTotal.of(entry for entry in entries if not _is_in(_source(entry), landed))
    data = {
        **{name: total.as_json() for name, total in spans.items()},
        "not_landed": not_landed.as_json(),
        "days": _listed(days, "day"),
        "models": _listed(models, "model"),
        "sources": [{**each, "landed": each["source"] in landed} for each in _listed(sources, "source")],
    }
    if not entries:
        return Report(data, ("nothing was spent: no model was asked here",))
    lines = [f"{name:<10} {total.in_words}" for name, total in spans.items()]
    if not_landed.requests:
        lines.append(f"unlanded   {not_landed.in_words}: for sources that are not in the wiki")
    lines += [*_table("by day", days), *_table("by model", models)]
    lines += _table("by source", sources, {path: "not in the wiki" for path in sources if not _is_in(path, landed)})
    return Report(data, tuple(lines))


def _source(entry: LedgerEntry) -> str:
    return _QUESTIONS if entry.source == TOPIC else entry.source or _UNKNOWN


def _is_in(path: str, landed: frozenset[str]) -> bool:
    """True also for what is no source: questions, the trial of a setup."""
    return path in landed or path.startswith("(")


def _listed(totals: Mapping[str, SpendingTotal], key: str) -> list[dict[str, object]]:
    return [{key: name, **total.as_json()} for name, total in totals.items()]


def _table(title: str, totals: Mapping[str, SpendingTotal], remarks: Mapping[str, str] | None = None) -> Iterator[str]:
    width = max(map(len, totals))
    yield title
    for name, total in totals.items():
        asked = f"{total.requests} question{'s' if total.requests > 1 else ''}"
        remark = f"; {remarks[name]}" if remarks and name in remarks else ""
        yield f"  {name:<{width}}  {total.in_words}, {asked}{remark}"
