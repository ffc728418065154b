"""The spending ledger: what requests to a model have cost, added up, and whether the budget allows one more.

Each request is entered before it is sent, with the most it can cost, and again with what it did cost: several processes
at once never exceed a limit together, and a request whose process was killed counts with its most, for the provider may
have answered it.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from curator.errors import Conflict, ModelError
from curator.models.port import Usage
from curator.system import locks
from curator.system.filenames import printable
from curator.system.spending import Limit, Limits, Spent

Span = Literal["day", "month"]


@dataclass(frozen=True)
class LedgerEntry:
    """One request: its day in local time, what it cost, and what for. Of older entries only day and cost are known."""

    day: str
    spent: Spent
    source: str = ""
    model: str = ""
    sent: int | None = None
    """Tokens of the question; with ``received``, of the answer, None until it is there."""
    received: int | None = None


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
    _entries: dict[str, dict[str, LedgerEntry]] = field(default_factory=dict)
    """By month and by request."""
    _news: dict[str, LedgerEntry] = field(default_factory=dict)

    def news(self, now: datetime) -> dict[str, LedgerEntry]:
        """The requests of this month that somebody has entered or settled since the last call, by their ids."""
        self._read_on(f"{now.astimezone():%Y-%m}")
        found, self._news = self._news, {}
        return found

    def entries(self) -> dict[str, LedgerEntry]:
        """Every request there ever was, by its id, the oldest first."""
        for file in sorted(self.folder.glob("*.jsonl")):
            self._read_on(file.stem)
        return {question: entry for month in sorted(self._entries) for question, entry in self._entries[month].items()}

    def spent(self, span: Span, now: datetime) -> Spent:
        """What was spent in the day, or the month, of ``now``."""
        return sum_of(self._entered(span, now))

    def counted(self, span: Span, now: datetime) -> Spent:
        """The same as ``spent``, for a comparison with a limit: a request of unknown price counts by its tokens only.

        It was made before a limit in dollars was set, and must not use up the rest of the month.
        """
        return sum_of(Spent(spent.tokens, spent.dollars or 0) for spent in self._entered(span, now))

    def enter(self, most: Spent, limits: Limits, now: datetime, source: str = "", model: str = "") -> str:
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
            local = now.astimezone()
            self._write(f"{local:%Y-%m}", question, LedgerEntry(f"{local:%Y-%m-%d}", most, source, model))
        return question

    def settle(
        self, question: str, took: Spent, now: datetime, sent: int | None = None, received: int | None = None
    ) -> None:
        """Enter what a request did cost, in the month in which it was sent."""
        with self._alone():
            local = now.astimezone()
            known = next(
                ((month, found[question]) for month, found in self._entries.items() if question in found), None
            )
            month, entry = known or (f"{local:%Y-%m}", LedgerEntry(f"{local:%Y-%m-%d}", took))
            self._write(month, question, replace(entry, spent=took, sent=sent, received=received))

    def _write(self, month: str, question: str, entry: LedgerEntry) -> None:
        told = {
            "question": question,
            "day": entry.day,
            "tokens": entry.spent.tokens,
            "dollars": entry.spent.dollars,
            "source": printable(entry.source),
            "model": entry.model,
            "in": entry.sent,
            "out": entry.received,
        }
        with self._file(month).open("ab") as file:
            if file.tell() and not self._ends_well(month):
                file.write(b"\n")  # ends a line that a crash has torn
            file.write(json.dumps(told).encode() + b"\n")
        self._read_on(month)

    def _entered(self, span: Span, now: datetime) -> Iterator[Spent]:
        local = now.astimezone()
        month, day = f"{local:%Y-%m}", f"{local:%Y-%m-%d}"
        self._read_on(month)
        found = self._entries.get(month, {}).values()
        return (entry.spent for entry in found if span == "month" or entry.day == day)

    def _read_on(self, month: str) -> None:
        try:
            with self._file(month).open("rb") as file:
                if file.seek(0, 2) < self._read.get(month, 0):
                    self._close(month)  # replaced by an older one, as from a backup
                start = file.seek(self._read.get(month, 0))
                data = file.read()
        except FileNotFoundError:
            self._close(month)
            return
        whole = data[: data.rfind(b"\n") + 1]
        found = dict(filter(None, map(_entry_of, whole.splitlines())))
        self._news.update(found)
        self._entries.setdefault(month, {}).update(found)
        self._read[month] = start + len(whole)  # at last: what breaks in before has it read once more

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


def _entry_of(line: bytes) -> tuple[str, LedgerEntry] | None:
    """The id of a request and what a line says of it; None for a line that a crash has torn, or that is another's."""
    try:
        entry = json.loads(line)
        dollars = None if entry["dollars"] is None else float(entry["dollars"])
        took, names = Spent(int(entry["tokens"]), dollars), (entry.get("source", ""), entry.get("model", ""))
        found = LedgerEntry(entry["day"], took, *names, entry.get("in"), entry.get("out"))
        return (entry["question"], found) if isinstance(entry["question"], str) else None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


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


def sum_of(parts: Iterable[Spent]) -> Spent:
    """An exact sum, fast enough for a month with a hundred thousand requests."""
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
