"""What a question to a model may take and what it took: checked against the budget before, entered in the books after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from curator.config import Config
from curator.errors import ModelError
from curator.prompts import Prompt
from curator.spending import Ledger, Spent, check_ingest
from curator.tokens import estimate

Reply = dict[str, Any]

_MARGIN = 1.3
"""How far an estimate may be below what a provider counts."""
_MAY_HAVE_COST = {"model_timeout", "model_worker_died"}
"""Faults after which the provider may have worked, and charge for it."""


@dataclass
class Purse:
    """Pays for the questions of one process. ``known`` is asked for prices, when a limit in dollars is set."""

    config: Config
    ledger: Ledger
    known: Callable[[], Mapping[str, Any]]
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    _source: str = ""
    _so_far: Spent = field(default_factory=Spent)

    def pay(self, prompt: Prompt, ask: Callable[[], Reply]) -> Reply:
        """The reply of ``ask``. Raises BudgetSpent, or ModelError, before anything is asked that may be too much."""
        if prompt.source != self._source:
            self._source, self._so_far = prompt.source, Spent()
        most = self.most(prompt)
        check_ingest(self._so_far, most, self.config.limits)
        question = self.ledger.enter(most, self.config.limits, self.clock())
        try:
            reply = ask()
        except ModelError as error:
            self.ledger.settle(question, most if error.code in _MAY_HAVE_COST else Spent(), self.clock())
            raise
        took = self._took(prompt, reply)
        self.ledger.settle(question, took, self.clock())
        self._so_far += took
        return {**reply, "cost": took.dollars}

    def most(self, prompt: Prompt) -> Spent:
        """What a question may take at most."""
        count = int(prompt.tokens * _MARGIN)
        return Spent(count + self.config.max_output_tokens, self._dollars(count, self.config.max_output_tokens))

    def _took(self, prompt: Prompt, reply: Reply) -> Spent:
        """As the provider counts; where it does not, by our own estimate."""
        tokens = reply["tokens"]
        sent = prompt.tokens if tokens["prompt"] is None else tokens["prompt"]
        received = estimate(reply["text"]) if tokens["completion"] is None else tokens["completion"]
        dollars = self._dollars(sent, received) if reply.get("cost") is None else float(reply["cost"])
        return Spent(sent + received, dollars)

    def _dollars(self, sent: int, received: int) -> float | None:
        """None when nobody knows the price; that is an error only where the budget depends on it."""
        config = self.config
        if not (config.limits.in_dollars or config.dollars_per_million_in or config.dollars_per_million_out):
            return None
        dollars = Prices.of(config, self.known).dollars(sent, received)
        if dollars is None:
            raise ModelError(
                "price_unknown",
                f"the budget is in dollars, and nobody knows what {config.model} costs",
                "set dollars_per_million_in and dollars_per_million_out, or a budget in tokens",
                retryable=False,
            )
        return dollars


@dataclass(frozen=True)
class Prices:
    """Dollars a token; None when nobody knows."""

    prompt: float | None
    completion: float | None

    @classmethod
    def of(cls, config: Config, known: Callable[[], Mapping[str, Any]]) -> Prices:
        """The user's own prices, else what litellm knows."""
        if config.dollars_per_million_in or config.dollars_per_million_out:
            return cls(config.dollars_per_million_in / 1e6, config.dollars_per_million_out / 1e6)
        return cls(known().get("prompt_price"), known().get("completion_price"))

    def dollars(self, sent: int, received: int) -> float | None:
        if self.prompt is None or self.completion is None:
            return None
        return sent * self.prompt + received * self.completion
