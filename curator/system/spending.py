"""Tokens and dollars: what was spent, and what may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SPANS = ("ingest", "day", "month")


@dataclass(frozen=True)
class Spent:
    """Tokens, of questions and answers together, and US dollars; None when nobody knows the price."""

    tokens: int = 0
    dollars: float | None = 0.0

    def __add__(self, other: Spent) -> Spent:
        known = self.dollars is not None and other.dollars is not None
        return Spent(self.tokens + other.tokens, (self.dollars or 0) + (other.dollars or 0) if known else None)


@dataclass(frozen=True)
class Limit:
    """0 means that there is none."""

    tokens: int = 0
    dollars: float = 0.0

    def allows(self, spent: Spent) -> bool:
        return not (self.tokens and spent.tokens > self.tokens) and not (
            self.dollars and (spent.dollars is None or spent.dollars > self.dollars)
        )

    def __bool__(self) -> bool:
        return bool(self.tokens or self.dollars)

    def __str__(self) -> str:
        cents = f"{self.dollars:.2f}"
        dollars = cents if float(cents) == self.dollars else f"{self.dollars:g}"
        tokens = f"{self.tokens:,} tokens" if self.tokens else ""
        parts = (tokens, f"{dollars} USD" if self.dollars else "")
        return " and ".join(filter(None, parts)) or "no limit"

    def keys(self, span: str) -> str:
        """The settings that make it, when it is the limit of ``span``."""
        units = {"tokens": self.tokens, "dollars": self.dollars}
        return " or ".join(f"{unit}_per_{span}" for unit, limit in units.items() if limit)


@dataclass(frozen=True)
class Limits:
    """How much may be spent on one source, in a day and in a month of the local time."""

    ingest: Limit = Limit()
    day: Limit = Limit()
    month: Limit = Limit()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Limits:
        """Those that are set."""
        each = ((settings.get(f"tokens_per_{span}", 0), settings.get(f"dollars_per_{span}", 0)) for span in _SPANS)
        return cls(*(Limit(tokens, float(dollars)) for tokens, dollars in each))

    @property
    def in_dollars(self) -> bool:
        return any(limit.dollars for limit in (self.ingest, self.day, self.month))
