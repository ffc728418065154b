"""What an ingest takes of a language model, said before it begins and after each source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from curator.config import Config
from curator.ingest.result import IngestResult
from curator.models.llm.ledger import SpendingLedger, SpendingTotal
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system.spending import Limit, Spent

if TYPE_CHECKING:  # the built-in curator is not paid: what reckons is loaded for a model
    from curator.models.llm.budget import Prices
    from curator.models.llm.prompts import ReplyFormat

Agree = Callable[[str], bool]
"""Asks a person whether that is wanted."""

_A_SOURCE = 10_000
"""Tokens that a short source may take, answer and repair together, about."""
_BYTES_A_TOKEN = 3


@dataclass
class PaidRequests:
    """Adds to a result what was paid for it where nothing was committed; ``ledger`` None: nothing is paid."""

    ledger: SpendingLedger | None

    @classmethod
    def of(cls, config: Config, repository: Repository) -> PaidRequests:
        paid = cls(SpendingLedger(repository.runtime.folder / "spend") if config.model else None)
        if paid.ledger is not None:
            paid.ledger.news(datetime.now(UTC))
        return paid

    def priced(self, result: IngestResult) -> IngestResult:
        if self.ledger is None:
            return result
        news = [entry for entry in self.ledger.news(datetime.now(UTC)).values() if entry.source == result.source]
        if result.outcome is not None or not any(entry.spent.tokens for entry in news):
            return result
        spent = SpendingTotal.of(news).as_json()
        tokens = {"prompt": spent["prompt"], "completion": spent["completion"]}
        return replace(result, about={**result.about, "tokens": tokens, "cost": spent["cost"], "spent": spent})


def agreed(files: Sequence[Path], settings: Settings, repository: Repository, agree: Agree | None) -> str | None:
    """What a long run will cost, in words; empty for a short one, None where the person says no."""
    config = settings.config
    limit = Limit(config.ask_from_tokens, config.ask_from_dollars)
    if not config.model or not limit or _at_most(files, config, limit):
        return ""
    from curator.ingest.estimate import EstimateContext, estimate_source, usual_answer

    transaction = repository.begin()
    prices, answer = known_prices(config), usual_answer(repository, config.model)
    reader = known_prices(config.reader) if config.verify == "model" else None
    context = EstimateContext(settings, transaction, _form(config), prices, answer, reader)
    found = [entry for file in files if "prompt" in (entry := estimate_source(file, context))]
    total = sum((Spent(entry["prompt"] + entry["completion"], entry["cost"]) for entry in found), Spent())
    if limit.allows(replace(total, dollars=total.dollars or 0.0)):
        return ""
    price = "at a price that is not known" if total.dollars is None else f"about {total.dollars:.2f} USD"
    many = f"{len(found)} sources" if len(found) != 1 else "1 source"
    said = f"{many} will take about {total.tokens:,} tokens of {config.model}, {price}"
    return said if agree is None or agree(said) else None


def known_prices(config: Config) -> Prices:
    """The user's own prices, else those on litellm's list, read without loading it."""
    from curator.models.endpoint import model_list
    from curator.models.llm.budget import Prices

    about = model_list.about(config.model)
    names = {"prompt_price": "input_cost_per_token", "completion_price": "output_cost_per_token"}
    return Prices.of(config, lambda: {key: about.get(name) for key, name in names.items()})


def _form(config: Config) -> ReplyFormat:
    if config.reply_format != "auto":
        return config.reply_format
    from curator.models.endpoint import model_list

    return "json" if model_list.about(config.model).get("supports_response_schema") else "blocks"


def _at_most(files: Sequence[Path], config: Config, limit: Limit) -> bool:
    """True where the files are too few and too small to come to the limit, by their sizes alone."""
    tokens = sum(file.stat().st_size // _BYTES_A_TOKEN + _A_SOURCE for file in files if file.is_file())
    return limit.allows(Spent(tokens, known_prices(config).dollars(tokens, tokens // 4) or 0.0))
