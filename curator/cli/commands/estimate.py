"""``curate estimate``: what sources would take of the model, and whether the budget has it. Asks and changes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.options import FILE, check_quoted, common_options, model_options, reported
from curator.config import Config
from curator.ingest.estimate import EstimateContext, estimate_source, usual_answer
from curator.models.llm.budget import Prices
from curator.models.llm.ledger import Span, SpendingLedger, end_of
from curator.models.llm.provider import Provider
from curator.repository import note_folder
from curator.repository.settings import Settings
from curator.system import filenames
from curator.system.spending import Limit, Spent

_SPANS: tuple[Span, ...] = ("day", "month")


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@model_options
@common_options
@reported
def estimate(common: CommonOptions, /, files: tuple[Path, ...], **flags: str | None) -> Report:
    check_quoted(files)
    with console.progress(common) as say:
        return run(console.settings(common, flags), files, say)


def run(settings: Settings, files: Sequence[Path], say: Say) -> Report:
    """Read ``files`` as an ingest would, and count."""
    config = settings.config
    if not config.model:
        refused = {"status": "refused", "reason": "there is no such file"}
        absent = [{"source": str(file), **refused} for file in files if not os.path.lexists(file)]
        free: dict[str, Any] = {"model": None, "estimates": absent, "total": {"tokens": 0, "cost": 0.0}}
        costs = "the built-in curator asks no model: it costs nothing"
        return Report(free, (*map(_line, absent), costs), 1 if absent else 0)
    with ExitStack() as doors:
        repository = doors.enter_context(settings.repository)
        provider = doors.enter_context(Provider(config, settings.environment, repository.runtime))
        transaction = repository.begin()
        answer, prices = usual_answer(repository, config.model), Prices.of(config, provider.known)
        reader = Prices.of(config.reader, provider.for_reader().known) if config.verify == "model" else None
        context = EstimateContext(settings, transaction, provider.reply_format(), prices, answer, reader)
        found = []
        gathered = note_folder.gather(files, repository.root, settings.notes)
        for file, top in gathered.files:
            say(f"{filenames.printable(file.name or file)} …")
            found.append(estimate_source(file, context, tuple(filter(None, (settings.notes, top)))))
        budget, now = SpendingLedger(repository.runtime.folder / "spend"), datetime.now(UTC)
        spent = {span: budget.spent(span, now) for span in _SPANS}
        used = {span: budget.counted(span, now) for span in _SPANS}
    total, (fits, said) = _total(found), _fits(config, found, used, now)
    data = {
        "model": config.model,
        "estimates": found,
        "total": {"tokens": total.tokens, "cost": total.dollars},
        "spent": {span: {"tokens": took.tokens, "cost": took.dollars} for span, took in spent.items()},
        "fits": fits,
    }
    second = f", claims read by {config.reader.model}" if config.verify == "model" else ""
    together = f"together   {_shown(total)} with {config.model}{second}"
    lines = [*map(_line, found), together, *said] if found else ["no files there"]
    return Report(data, tuple(lines), 1 if any(entry["status"] == "refused" for entry in found) else 0)


def _fits(
    config: Config, found: Sequence[dict[str, Any]], used: Mapping[Span, Spent], now: datetime
) -> tuple[dict[str, bool], list[str]]:
    """By span, where there is a limit, whether it allows all of that; and the same in words."""
    asked, limits = [entry for entry in found if "prompt" in entry], config.limits
    total = _total(asked)
    if limits.in_dollars and total.dollars is None:
        limited = {"ingest": limits.ingest, "day": limits.day, "month": limits.month}
        said = f"the budget is in dollars, and nobody knows what {config.model} costs: nothing would be asked"
        hint = "set dollars_per_million_in and dollars_per_million_out"
        return {span: False for span, limit in limited.items() if limit}, [f"budget     {said}", f"  next: {hint}"]
    fits, lines = {}, []
    if limit := limits.ingest:
        over = [e for e in asked if not (limit.allows(_expected(e)) and limit.allows(_single(e, config)))]
        fits["ingest"] = not over
        lines.append(f"ingest     {limit}: " + (f"not enough for {len(over)} of {len(asked)}" if over else "it fits"))
    spans: tuple[tuple[Span, Limit], ...] = (("day", limits.day), ("month", limits.month))
    for span, limit in spans:
        if limit:
            short = next((most for e in asked if not limit.allows(most := _single(e, config))), None)
            fits[span] = short is None and limit.allows(used[span] + total)
            verdict = f"it does not fit: the rest waits until {end_of(span, now):%Y-%m-%d %H:%M}"
            if short is not None:
                verdict = f"it does not allow one question, which may take {_shown(short)}"
            lines.append(f"{span:<10} {_shown(used[span])} of {limit} used; {'it fits' if fits[span] else verdict}")
    return fits, lines


def _total(found: Sequence[dict[str, Any]]) -> Spent:
    return sum((_expected(entry) for entry in found if "prompt" in entry), Spent())


def _expected(entry: dict[str, Any]) -> Spent:
    return Spent(entry["prompt"] + entry["completion"], entry["cost"])


def _single(entry: dict[str, Any], config: Config) -> Spent:
    """What one of its questions may take."""
    return Spent(entry["longest"] + config.max_output_tokens, entry["longest_cost"])


def _line(entry: dict[str, Any]) -> str:
    if "prompt" not in entry:
        return f"{entry['status']:<10} {filenames.printable(entry['source'])}: {entry['reason']}"
    most = Spent(entry["most_prompt"] + entry["most_completion"], entry["most_cost"])
    calls = f"{entry['calls']} questions" if entry["calls"] > 1 else "1 question"
    expected = _shown(_expected(entry))
    return f"{entry['status']:<10} {entry['source']}: {calls}, about {expected}; at most {_shown(most)}"


def _shown(spent: Spent) -> str:
    return f"{spent.tokens:,} tokens, " + ("unknown cost" if spent.dollars is None else f"{spent.dollars:.4f} USD")
