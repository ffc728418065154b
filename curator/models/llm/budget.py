"""The budget guard: what a prompt may cost at most is checked before it is sent, what it did cost is recorded after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from curator.config import Config
from curator.errors import ModelError
from curator.models.llm.ledger import SpendingLedger, check_ingest
from curator.models.llm.prompts import Prompt
from curator.models.port import estimate_tokens
from curator.system.clocks import Clock
from curator.system.spending import Spent

Reply = dict[str, Any]

MARGIN = 1.3
"""By what factor an estimate may be below the count of a provider."""


@dataclass
class SourceSpending:
    """What the requests about the source in hand have cost so far."""

    source: tuple[str, str] = ("", "")
    """Its path and its digest."""
    so_far: Spent = field(default_factory=Spent)

    def turn_to(self, source: tuple[str, str]) -> None:
        if source != self.source:
            self.source, self.so_far = source, Spent()


@dataclass
class BudgetGuard:
    """Keeps the requests of one process within the budget. ``known`` gives litellm's prices, for a limit in dollars."""

    config: Config
    ledger: SpendingLedger
    known: Callable[[], Mapping[str, Any]]
    clock: Clock = lambda: datetime.now(UTC)
    spending: SourceSpending = field(default_factory=SourceSpending)
    """One with the guard of a second reader: a limit for a source holds for both together."""

    def charge(self, prompt: Prompt, ask: Callable[[], Reply]) -> Reply:
        """Call ``ask``, when the budget allows it, and record what it cost. Raises BudgetSpent, or ModelError, before."""
        self.spending.turn_to((prompt.source, prompt.digest))
        most = self.most(prompt)
        check_ingest(self.spending.so_far, most, self.config.limits)
        before = self.spending.so_far
        question = self.ledger.enter(most, self.config.limits, self.clock(), prompt.source, self.config.model)
        self.spending.so_far = before + most  # as in the ledger, until it is settled: it may be broken off
        try:
            reply = ask()
        except ModelError as error:
            self._settle(question, before, most if error.may_have_cost else Spent())
            raise
        sent, received = self._counted(prompt, reply)
        took = self._took(reply, sent, received)
        self._settle(question, before, took, sent, received)
        return {**reply, "cost": took.dollars}

    def most(self, prompt: Prompt) -> Spent:
        """What a prompt may cost at most."""
        count = int(prompt.tokens * MARGIN)
        return Spent(count + self.config.max_output_tokens, self._dollars(count, self.config.max_output_tokens))

    def _settle(
        self, question: str, before: Spent, took: Spent, sent: int | None = None, received: int | None = None
    ) -> None:
        self.ledger.settle(question, took, self.clock(), sent, received)
        self.spending.so_far = before + took

    def _counted(self, prompt: Prompt, reply: Reply) -> tuple[int, int]:
        """The tokens of question and answer, as the provider counts them, else by our own estimate."""
        tokens = reply["tokens"]
        sent = prompt.tokens if tokens["prompt"] is None else max(tokens["prompt"], 0)
        received = estimate_tokens(reply["text"]) if tokens["completion"] is None else max(tokens["completion"], 0)
        return sent, received

    def _took(self, reply: Reply, sent: int, received: int) -> Spent:
        """The cost of it. The user's own prices go before litellm's."""
        is_told = reply.get("cost") is not None and not Prices.are_set(self.config)
        return Spent(sent + received, max(float(reply["cost"]), 0.0) if is_told else self._dollars(sent, received))

    def _dollars(self, sent: int, received: int) -> float | None:
        """None when the price is unknown, which is an error only where the budget depends on it."""
        config = self.config
        if not (config.limits.in_dollars or Prices.are_set(config)):
            return None
        dollars = Prices.of(config, self.known).dollars(sent, received)
        if dollars is None and config.limits.in_dollars:
            raise ModelError(
                "price_unknown",
                f"the budget is in dollars, and nobody knows what {config.model} costs",
                "set dollars_per_million_in and dollars_per_million_out, or a budget in tokens",
                retryable=False,
            )
        return dollars


@dataclass(frozen=True)
class Prices:
    """Dollars a token; None when the price is unknown."""

    prompt: float | None
    completion: float | None

    @staticmethod
    def are_set(config: Config) -> bool:
        """True when the user has set a price."""
        return bool(config.dollars_per_million_in or config.dollars_per_million_out)

    @classmethod
    def of(cls, config: Config, known: Callable[[], Mapping[str, Any]]) -> Prices:
        """The user's own prices, else litellm's; a price that is not set is unknown, not zero."""
        prompt, completion = config.dollars_per_million_in / 1e6, config.dollars_per_million_out / 1e6
        if prompt and completion:
            return cls(prompt, completion)
        return cls(prompt or known().get("prompt_price"), completion or known().get("completion_price"))

    def dollars(self, sent: int, received: int) -> float | None:
        if self.prompt is None or self.completion is None:
            return None
        return sent * self.prompt + received * self.completion
