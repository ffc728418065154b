"""``curate estimate``: what sources would take of the model, and whether the budget has it. Asks and changes nothing."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.options import FILE, common_options, model_options, reported
from curator.config import Config, Limit, Spent
from curator.errors import SourceError
from curator.ingest import intake
from curator.ingest.flow import request_for
from curator.models import choose
from curator.models.llm.budget import Prices
from curator.models.llm.forecast import TYPICAL_ANSWER, forecast
from curator.models.llm.ledger import Span, SpendingLedger, end_of
from curator.models.llm.prompts import ReplyFormat
from curator.models.llm.provider import Provider
from curator.models.port import MODEL, TOKENS, Usage
from curator.models.saved_answers import Answers
from curator.repository import history, source_files
from curator.repository.repository import Repository, Transaction
from curator.repository.settings import Settings
from curator.system import filenames
from curator.wiki.sources.records import SourceRecords

_ENOUGH = 3
"""Ingests of a model that tell how long its answers are."""
_SPANS: tuple[Span, ...] = ("day", "month")


@dataclass(frozen=True)
class _EstimateContext:
    """What sources are looked at with."""

    settings: Settings
    transaction: Transaction
    form: ReplyFormat
    prices: Prices
    answer: int
    """Tokens that an answer is expected to have."""
    seen: dict[str, str] = field(default_factory=dict)
    """The sources so far by their digests."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@model_options
@common_options
@reported
def estimate(common: CommonOptions, /, files: tuple[Path, ...], **flags: str | None) -> Report:
    with console.progress(common) as say:
        return run(console.settings(common, flags), files, say)


def run(settings: Settings, files: Sequence[Path], say: Say) -> Report:
    """Read ``files`` as an ingest would, and count."""
    config = settings.config
    if not config.model:
        free: dict[str, Any] = {"model": None, "estimates": [], "total": {"tokens": 0, "cost": 0.0}}
        return Report(free, ("the built-in curator asks no model: it costs nothing",))
    with ExitStack() as doors:
        repository = doors.enter_context(settings.repository)
        provider = doors.enter_context(Provider(config, settings.environment, repository.runtime))
        transaction = repository.begin()
        answer, prices = _usual_answer(repository, config.model), Prices.of(config, provider.known)
        desk = _EstimateContext(settings, transaction, provider.reply_format(), prices, answer)
        found = []
        for file in source_files.files_below(files, repository.root):
            say(f"{filenames.printable(file.name or file)} …")
            found.append(_estimate(file, desk))
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
    lines = (
        [*map(_line, found), f"together   {_shown(total)} with {config.model}", *said] if found else ["no files there"]
    )
    return Report(data, tuple(lines), 1 if any(entry["status"] == "refused" for entry in found) else 0)


def _estimate(file: Path, desk: _EstimateContext) -> dict[str, Any]:
    """One source: its ``status``, and when it would be asked about, how much."""
    config, transaction = desk.settings.config, desk.transaction
    repository, known = transaction.repository, transaction.manifest()
    path = source_files.place_of(file, repository.root) or str(file)
    try:
        algorithm = transaction.workspace().hash_algorithm
        incoming = intake.look_at_source(file, repository, known, config.max_source_bytes, algorithm)
        path, digest = incoming.path, incoming.spooled.digest
        try:
            if known.has(path, digest):
                return {"source": path, "status": "skipped", "reason": "already ingested"}
            if (twin := known.twin_of(path, digest) or desk.seen.get(digest)) is not None:
                return {"source": path, "status": "duplicate", "reason": f"the same bytes as {twin}"}
            authority = SourceRecords(known, transaction.workspace().authority_default).authority_of(path)
            source = intake.read_source(incoming, authority, config.max_source_chars)
        finally:
            repository.runtime.drop_spool(incoming.spooled)
    except SourceError as error:
        return {
            "source": filenames.printable(path),
            "status": "refused",
            "reason": error.message.removeprefix(f"{path}: "),
        }
    desk.seen[digest] = path
    if Answers(repository.runtime, config.model).recall(source) is not None:
        return {"source": path, "status": "answered", "reason": "the model was asked, and its answer is paid for"}
    request = request_for(source, transaction, choose.budget(config), desk.settings.view)
    told = forecast(request, desk.form, config.window_tokens, config.max_output_tokens, desk.answer)
    return {
        "source": path,
        "status": "new",
        **asdict(told),
        "cost": desk.prices.dollars(told.prompt, told.completion),
        "most_cost": desk.prices.dollars(told.most_prompt, told.most_completion),
        "longest_cost": desk.prices.dollars(told.longest, config.max_output_tokens),
    }


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


def _usual_answer(repository: Repository, model: str) -> int:
    """How many tokens the answers of this model had here so far."""
    newest = history.curator_commits(repository.git, "HEAD", folder=repository.prefix, options=["--max-count=100"])
    answers = (Usage.parsed(commit.one(TOKENS), "").completion for commit in newest if commit.one(MODEL) == model)
    told = [tokens for tokens in answers if tokens is not None]
    return int(statistics.median(told)) if len(told) >= _ENOUGH else TYPICAL_ANSWER


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
