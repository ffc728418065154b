"""What questions to a model have taken, day by day, and the budget they have to stay within.

Each question is entered before it is asked, with the most it can take, and again with what it took: several processes
that ask at once never go past a limit together, and a question whose process was killed counts as if it had been
answered at length, for the provider may have done so.
"""

from __future__ import annotations

import fcntl
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from curator.errors import Conflict, ModelError

Span = Literal["day", "month"]


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
        parts = [f"{self.tokens:,} tokens"] * bool(self.tokens) + [f"{self.dollars:.2f} USD"] * bool(self.dollars)
        return " and ".join(parts) or "no limit"


@dataclass(frozen=True)
class Limits:
    """How much may be spent on one source, in a day and in a month of the local time."""

    ingest: Limit = Limit()
    day: Limit = Limit()
    month: Limit = Limit()

    @property
    def in_dollars(self) -> bool:
        return any(limit.dollars for limit in (self.ingest, self.day, self.month))


class BudgetSpent(Conflict):
    """The budget of a day or a month is used up; it goes on at ``until``."""

    def __init__(self, span: Span, spent: Spent, limit: Limit, until: datetime) -> None:
        super().__init__(
            f"budget_{span}",
            f"the budget of the {span}, {limit}, does not allow another question ({shown(spent)} used)",
            f"it goes on at {until:%Y-%m-%d %H:%M}; or raise tokens_per_{span} or dollars_per_{span}",
        )
        self.until = until


@dataclass
class Ledger:
    """The book of one wiki: a file a month, which only grows."""

    folder: Path
    _read: dict[str, int] = field(default_factory=dict)
    _entries: dict[str, dict[str, tuple[str, Spent]]] = field(default_factory=dict)
    """By month and by question: its day, and what it took."""

    def spent(self, span: Span, now: datetime) -> Spent:
        """What was spent in the day, or the month, of ``now``."""
        local = now.astimezone()
        month, day = f"{local:%Y-%m}", f"{local:%Y-%m-%d}"
        self._read_on(month)
        entries = self._entries.get(month, {}).values()
        return sum((spent for on, spent in entries if span == "month" or on == day), Spent())

    def enter(self, most: Spent, limits: Limits, now: datetime) -> str:
        """Enter a question that takes ``most`` at most; its name. Raises BudgetSpent or, for one too big, ModelError."""
        spans: tuple[tuple[Span, Limit], ...] = (("day", limits.day), ("month", limits.month))
        with self._alone():
            for span, limit in spans:
                spent = self.spent(span, now)
                if not limit.allows(most):
                    raise _too_big(f"tokens_per_{span}", most, limit)
                if not limit.allows(spent + most):
                    raise BudgetSpent(span, spent, limit, end_of(span, now))
            question = secrets.token_hex(8)
            self._write(question, most, now)
        return question

    def settle(self, question: str, took: Spent, now: datetime) -> None:
        """What it really took; in the month it was entered in, which may be the last one by now."""
        with self._alone():
            self._write(question, took, now)

    def _write(self, question: str, spent: Spent, now: datetime) -> None:
        local = now.astimezone()
        known = next(((month, days[question][0]) for month, days in self._entries.items() if question in days), None)
        month, day = known or (f"{local:%Y-%m}", f"{local:%Y-%m-%d}")
        entry = {"question": question, "day": day, "tokens": spent.tokens, "dollars": spent.dollars}
        with self._file(month).open("ab") as file:
            if file.tell() and not self._ends_well(month):
                file.write(b"\n")  # behind what a crash has torn
            file.write(json.dumps(entry).encode() + b"\n")
        self._read_on(month)

    def _read_on(self, month: str) -> None:
        try:
            with self._file(month).open("rb") as file:
                file.seek(self._read.get(month, 0))
                data = file.read()
        except FileNotFoundError:
            return
        whole = data[: data.rfind(b"\n") + 1]
        self._read[month] = self._read.get(month, 0) + len(whole)
        entries = self._entries.setdefault(month, {})
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
                entries[entry["question"]] = entry["day"], Spent(entry["tokens"], entry["dollars"])
            except (ValueError, KeyError, TypeError):
                continue

    def _ends_well(self, month: str) -> bool:
        with self._file(month).open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"

    def _file(self, month: str) -> Path:
        return self.folder / f"{month}.jsonl"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def check_ingest(so_far: Spent, most: Spent, limits: Limits) -> None:
    """Raises ModelError when a question may take one source past what may be spent on it."""
    if not limits.ingest.allows(so_far + most):
        raise _too_big("tokens_per_ingest", so_far + most, limits.ingest)


def end_of(span: Span, now: datetime) -> datetime:
    """When the next day, or month, begins, in local time."""
    today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    first = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    return (today + timedelta(days=1) if span == "day" else first).astimezone()


def shown(spent: Spent) -> str:
    return f"{spent.tokens:,} tokens" + (f", {spent.dollars:.4f} USD" if spent.dollars else "")


def _too_big(key: str, most: Spent, limit: Limit) -> ModelError:
    return ModelError(
        "budget_too_small",
        f"it may take {shown(most)}, and {limit} is all that {key.removeprefix('tokens_').replace('_', ' ')} is allowed",
        f"raise {key} (or {key.replace('tokens', 'dollars')}), lower max_output_tokens, or split the source",
        retryable=False,
    )
