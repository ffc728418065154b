"""``curate estimate``: what sources would take of the model, and whether the budget has it. Asks and changes nothing."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator import curators, filenames, history, intake
from curator.errors import SourceError
from curator.forecast import TYPICAL_ANSWER, forecast
from curator.ingest import request_for
from curator.provider import Provider
from curator.purse import Prices
from curator.report import Report
from curator.repository import Repository
from curator.settings import Settings
from curator.spending import Ledger, Span, Spent

_ENOUGH = 3
"""Ingests of a model that tell how long its answers are."""


def run(settings: Settings, files: Sequence[Path], say: Callable[[str], None]) -> Report:
    """Read ``files`` as an ingest would, and count."""
    config = settings.config
    if not config.model:
        free: dict[str, Any] = {"model": None, "estimates": [], "total": {"tokens": 0, "cost": 0.0}}
        return Report(free, ("the built-in curator asks no model: it costs nothing",))
    with ExitStack() as doors:
        repository = doors.enter_context(settings.repository)
        provider = doors.enter_context(Provider(config, settings.environment, repository.runtime))
        answer = _usual_answer(repository, config.model)
        found = []
        for file in intake.files_below(files, repository.root):
            say(f"{filenames.shown(file.name)} …")
            found.append(_estimate(file, settings, repository, provider, answer))
        prices, now = Prices.of(config, provider.known), datetime.now(UTC)
        ledger = Ledger(repository.runtime.folder / "spend")
        spans: tuple[Span, ...] = ("day", "month")
        spent = {span: ledger.spent(span, now) for span in spans}
    for entry in found:
        if "prompt" in entry:
            entry["cost"] = prices.dollars(entry["prompt"], entry["completion"])
            entry["most_cost"] = prices.dollars(entry["most_prompt"], entry["most_completion"])
    total = _total(found)
    data = {
        "model": config.model,
        "estimates": found,
        "total": {"tokens": total.tokens, "cost": total.dollars},
        "spent": {span: {"tokens": took.tokens, "cost": took.dollars} for span, took in spent.items()},
    }
    lines = [_line(entry) for entry in found] + [f"together   {_shown(total)} with {config.model}"]
    limits = {"day": config.limits.day, "month": config.limits.month}
    for span, took in spent.items():
        if limits[span]:
            fits = "it fits" if limits[span].allows(took + total) else "it does not fit: the rest waits"
            lines.append(f"{span:<10} {_shown(took)} of {limits[span]} used; {fits}")
    return Report(data, tuple(lines))


def _estimate(
    file: Path, settings: Settings, repository: Repository, provider: Provider, answer: int
) -> dict[str, Any]:
    """One source: its ``status``, and when it would be asked about, how much."""
    config, transaction = settings.config, repository.begin()
    known = transaction.manifest()
    try:
        incoming = intake.look_at(file, repository, known, config.max_source_bytes)
        try:
            if known.has(incoming.path, incoming.spooled.digest) or known.twin_of(
                incoming.path, incoming.spooled.digest
            ):
                return {"source": incoming.path, "status": "skipped", "reason": "these bytes are in"}
            source = intake.read(incoming, transaction.workspace().authority_default, config.max_source_chars)
        finally:
            repository.runtime.drop_spool(incoming.spooled)
    except SourceError as error:
        return {"source": filenames.shown(str(file)), "status": "refused", "reason": error.message}
    request = request_for(source, transaction, curators.budget(config))
    told = forecast(request, provider.reply_format(), config.window_tokens, config.max_output_tokens, answer)
    return {"source": source.path, "status": "new", **asdict(told)}


def _usual_answer(repository: Repository, model: str) -> int:
    """How many tokens the answers of this model had here so far."""
    told = [
        int(tokens)
        for deed in history.deeds(repository.git, "HEAD", folder=repository.prefix, options=["--max-count=100"])
        if deed.one("Curator-Model") == model and (tokens := deed.one("Curator-Tokens").partition("/")[2]).isdecimal()
    ]
    return int(statistics.median(told)) if len(told) >= _ENOUGH else TYPICAL_ANSWER


def _total(found: Sequence[dict[str, Any]]) -> Spent:
    parts = (Spent(e["prompt"] + e["completion"], e["cost"]) for e in found if "prompt" in e)
    return sum(parts, Spent())


def _line(entry: dict[str, Any]) -> str:
    if "prompt" not in entry:
        return f"{entry['status']:<10} {entry['source']}: {entry['reason']}"
    expected = Spent(entry["prompt"] + entry["completion"], entry["cost"])
    most = Spent(entry["most_prompt"] + entry["most_completion"], entry["most_cost"])
    calls = f"{entry['calls']} questions" if entry["calls"] > 1 else "1 question"
    return f"{entry['status']:<10} {entry['source']}: {calls}, about {_shown(expected)}; at most {_shown(most)}"


def _shown(spent: Spent) -> str:
    return f"{spent.tokens:,} tokens, " + ("unknown cost" if spent.dollars is None else f"{spent.dollars:.4f} USD")
