"""The spending ledger: what requests to a model have cost, by day and month, and whether the budget allows one more.

Each request is entered before it is sent, with the most it can cost, and again with what it did cost: several processes
at once never exceed a limit together, and a request whose process was killed counts with its most, for the provider may
have answered it.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from curator.errors import Conflict, ModelError
from curator.system import locks
from curator.system.spending import Limit, Limits, Spent

Span = Literal["day", "month"]


class BudgetSpent(Conflict):
    """The budget of a day or a month is used up; the next one begins at ``until``."""

    def __init__(self, span: Span, spent: Spent, limit: Limit, until: datetime) -> None:
        super().__init__(
            f"budget_{span}",
            f"the budget of the {span}, {limit}, allows no further question until {until:%Y-%m-%d %H:%M}"
            f" ({printable_spending(spent)} used)",
            f"wait until then, or raise {limit.keys(span)}",
        )
        self.until = until


@dataclass
class SpendingLedger:
    """The ledger of one wiki: a file a month, which only grows."""

    folder: Path
    _read: dict[str, int] = field(default_factory=dict)
    _entries: dict[str, dict[str, tuple[str, Spent]]] = field(default_factory=dict)
    """By month and by request: its day and its cost."""

    def spent(self, span: Span, now: datetime) -> Spent:
        """What was spent in the day, or the month, of ``now``."""
        return _sum(self._entered(span, now))

    def counted(self, span: Span, now: datetime) -> Spent:
        """The same as ``spent``, for a comparison with a limit: a request of unknown price counts by its tokens only.

        It was made before a limit in dollars was set, and must not use up the rest of the month.
        """
        return _sum(Spent(spent.tokens, spent.dollars or 0) for spent in self._entered(span, now))

    def enter(self, most: Spent, limits: Limits, now: datetime) -> str:
        """Enter a request of at most ``most``; returns its id. Raises BudgetSpent, or ModelError for one too big."""
        spans: tuple[tuple[Span, Limit], ...] = (("day", limits.day), ("month", limits.month))
        with self._alone():
            for span, limit in spans:
                spent = self.counted(span, now)
                if not limit.allows(most):
                    raise _too_big(span, most, limit)
                if not limit.allows(spent + most):
                    raise BudgetSpent(span, spent, limit, end_of(span, now))
            question = secrets.token_hex(8)
            self._write(question, most, now)
        return question

    def settle(self, question: str, took: Spent, now: datetime) -> None:
        """Enter what a request did cost, in the month in which it was sent."""
        with self._alone():
            self._write(question, took, now)

    def _write(self, question: str, spent: Spent, now: datetime) -> None:
        local = now.astimezone()
        known = next(((month, days[question][0]) for month, days in self._entries.items() if question in days), None)
        month, day = known or (f"{local:%Y-%m}", f"{local:%Y-%m-%d}")
        entry = {"question": question, "day": day, "tokens": spent.tokens, "dollars": spent.dollars}
        with self._file(month).open("ab") as file:
            if file.tell() and not self._ends_well(month):
                file.write(b"\n")  # ends a line that a crash has torn
            file.write(json.dumps(entry).encode() + b"\n")
        self._read_on(month)

    def _entered(self, span: Span, now: datetime) -> Iterator[Spent]:
        local = now.astimezone()
        month, day = f"{local:%Y-%m}", f"{local:%Y-%m-%d}"
        self._read_on(month)
        return (spent for on, spent in self._entries.get(month, {}).values() if span == "month" or on == day)

    def _read_on(self, month: str) -> None:
        try:
            with self._file(month).open("rb") as file:
                if file.seek(0, 2) < self._read.get(month, 0):
                    self._close(month)  # replaced by an older one, as from a backup
                file.seek(self._read.get(month, 0))
                data = file.read()
        except FileNotFoundError:
            self._close(month)
            return
        whole = data[: data.rfind(b"\n") + 1]
        self._read[month] = self._read.get(month, 0) + len(whole)
        entries = self._entries.setdefault(month, {})
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
                dollars = None if entry["dollars"] is None else float(entry["dollars"])
                entries[entry["question"]] = entry["day"], Spent(int(entry["tokens"]), dollars)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                continue

    def _close(self, month: str) -> None:
        """Forget what was read of a month."""
        self._read.pop(month, None)
        self._entries.pop(month, None)

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
            locks.take(file, until=None)
            yield


def check_ingest(so_far: Spent, most: Spent, limits: Limits) -> None:
    """Raise ModelError when a request may take one source past the limit for an ingest."""
    if not limits.ingest.allows(so_far + most):
        raise _too_big("ingest", so_far + most, limits.ingest)


def end_of(span: Span, now: datetime) -> datetime:
    """When the next day or month begins, in local time."""
    today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    first = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    midnight = today + timedelta(days=1) if span == "day" else first
    # Where the clocks are put forward at midnight there is no such time, and astimezone() alone would be an hour early.
    return datetime.fromtimestamp(midnight.timestamp(), UTC).astimezone()


def printable_spending(spent: Spent) -> str:
    return f"{spent.tokens:,} tokens" + (f", {spent.dollars:.4f} USD" if spent.dollars else "")


def _sum(parts: Iterable[Spent]) -> Spent:
    """An exact sum, quick enough for a month with a hundred thousand requests."""
    found = list(parts)
    known = [spent.dollars for spent in found if spent.dollars is not None]
    return Spent(sum(spent.tokens for spent in found), math.fsum(known) if len(known) == len(found) else None)


def _too_big(span: str, most: Spent, limit: Limit) -> ModelError:
    return ModelError(
        "budget_too_small",
        f"it may take {printable_spending(most)}, and all that is allowed per {span} is {limit}",
        f"raise {limit.keys(span)}, lower max_output_tokens, or split the source",
        retryable=False,
    )
