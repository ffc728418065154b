"""What was spent, added up by day, source and model; answers that nothing came of count as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from curator.models.llm.ledger import LedgerEntry, sum_of
from curator.models.port import Usage
from curator.system.spending import Spent


@dataclass(frozen=True)
class SpendingTotal:
    """What some requests have cost together."""

    requests: int
    spent: Spent
    usage: Usage
    """Tokens in and out apart; None where that is not known of one of the requests."""

    @classmethod
    def of(cls, entries: Iterable[LedgerEntry]) -> SpendingTotal:
        found = list(entries)
        spent = sum_of(entry.spent for entry in found)
        sent, received = [entry.sent for entry in found], [entry.received for entry in found]
        return cls(len(found), spent, Usage(_all(sent), _all(received), spent.dollars))

    @property
    def in_words(self) -> str:
        """As ``Usage`` says it; the tokens together where they are not known apart."""
        if None not in (self.usage.prompt, self.usage.completion):
            return self.usage.in_words
        price = "price unknown" if self.spent.dollars is None else f"{self.spent.dollars:.4f} USD"
        return f"{self.spent.tokens:,} tokens, {price}"

    def as_json(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "tokens": self.spent.tokens,
            "prompt": self.usage.prompt,
            "completion": self.usage.completion,
            "cost": self.spent.dollars,
        }


def totals_by(entries: Iterable[LedgerEntry], name: Callable[[LedgerEntry], str]) -> dict[str, SpendingTotal]:
    """The totals of the entries that share a name, in the order in which the names come first."""
    groups: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        groups.setdefault(name(entry), []).append(entry)
    return {key: SpendingTotal.of(group) for key, group in groups.items()}


def _all(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
