"""What one source would cost with a language model, estimated without asking it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curator.errors import SourceError
from curator.ingest import intake, renamed_source
from curator.ingest.request import request_for
from curator.models import choose
from curator.models.llm.budget import Prices
from curator.models.llm.forecast import TYPICAL_ANSWER, ReadingForecast, forecast, forecast_reading
from curator.models.llm.prompts import ReplyFormat
from curator.models.port import MODEL, TOKENS, Usage
from curator.models.saved_answers import Answers
from curator.repository import history, source_files
from curator.repository.begun import Transaction
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system import filenames
from curator.wiki.sources.records import SourceRecords

_ENOUGH = 3
"""Ingests of a model that tell how long its answers are."""


@dataclass(frozen=True)
class EstimateContext:
    """What sources are looked at with."""

    settings: Settings
    transaction: Transaction
    reply_format: ReplyFormat
    prices: Prices
    answer: int
    """Tokens that an answer is expected to have."""
    reader_prices: Prices | None = None
    """Of the second reader; None where none is asked."""
    seen: dict[str, str] = field(default_factory=dict)
    """The sources so far by their digests."""


def estimate_source(file: Path, context: EstimateContext, tops: Sequence[Path] = ()) -> dict[str, Any]:
    """One source: its ``status``, and when it would be asked about, how much.

    ``tops``: the folders below which a file from elsewhere keeps its own.
    """
    config, transaction = context.settings.config, context.transaction
    repository, known = transaction.repository, transaction.manifest()
    path = source_files.place_of(file, repository.root) or str(file)
    try:
        about = (config.max_source_bytes, transaction.workspace().hash_algorithm, tops, context.settings.notes)
        incoming = intake.look_at_source(file, repository, known, *about)
        path, digest = incoming.path, incoming.spooled.digest
        try:
            if known.has(path, digest):
                return {"source": path, "status": "skipped", "reason": "already ingested"}
            if moves := renamed_source.moves_to(transaction, path, digest):
                return {"source": path, "status": "renamed", "reason": f"it was {next(iter(moves))}: nobody is asked"}
            if (twin := renamed_source.twin_of(transaction, path, digest) or context.seen.get(digest)) is not None:
                return {"source": path, "status": "duplicate", "reason": f"the same bytes as {twin}"}
            authority = SourceRecords(known, transaction.workspace().authority_default).authority_of(path)
            source = intake.read_source(incoming, authority, config.source_limits)
        finally:
            repository.runtime.drop_spool(incoming.spooled)
    except SourceError as error:
        return {
            "source": filenames.printable(path),
            "status": "refused",
            "reason": error.message.removeprefix(f"{path}: "),
        }
    context.seen[digest] = path
    if Answers(repository.runtime, config.model).recall(source) is not None:
        return {"source": path, "status": "answered", "reason": "the model was asked, and its answer is paid for"}
    request = request_for(source, transaction, choose.budget(config), context.settings.view)
    told = forecast(request, context.reply_format, config.window_tokens, config.max_output_tokens, context.answer)
    entry = {
        "source": path,
        "status": "new",
        **asdict(told),
        "cost": context.prices.dollars(told.prompt, told.completion),
        "most_cost": context.prices.dollars(told.most_prompt, told.most_completion),
        "longest_cost": context.prices.dollars(told.longest, config.max_output_tokens),
    }
    if context.reader_prices is None:
        return entry
    return _with_reader(
        entry, forecast_reading(request, context.answer, config.max_output_tokens), context.reader_prices
    )


def _with_reader(entry: dict[str, Any], reading: ReadingForecast, prices: Prices) -> dict[str, Any]:
    """The estimate with what a second reader takes; of unknown cost when one of the two is."""
    costs = {
        "cost": prices.dollars(reading.prompt, reading.completion),
        "most_cost": prices.dollars(reading.most_prompt, reading.most_completion),
    }
    both = {key: None if cost is None or entry[key] is None else entry[key] + cost for key, cost in costs.items()}
    return {**entry, **{key: entry[key] + tokens for key, tokens in asdict(reading).items()}, **both}


def usual_answer(repository: Repository, model: str) -> int:
    """How many tokens the answers of this model had here so far."""
    newest = history.curator_commits(repository.git, "HEAD", folder=repository.prefix, options=["--max-count=100"])
    answers = (Usage.parsed(commit.one(TOKENS), "").completion for commit in newest if commit.one(MODEL) == model)
    told = [tokens for tokens in answers if tokens is not None]
    return int(statistics.median(told)) if len(told) >= _ENOUGH else TYPICAL_ANSWER
