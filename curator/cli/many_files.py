"""A run over many files: its progress, the time left, and a summary of the results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from curator.models.port import FREE, Usage

if TYPE_CHECKING:
    from curator.ingest.result import IngestResult

_NO_WORK = ("skipped", "duplicate", "left")
"""What says nothing of how long the next file takes."""
_KINDS = {
    "ingested": ("ingested",),
    "left": ("skipped", "duplicate"),
    "waiting": ("held",),
    "failed": ("parked", "refused"),
}
"""The words of the summary, and the statuses they stand for."""
_MEANING = {"left": " (in the wiki already)"}
_NAMED = 10


@dataclass
class Countdown:
    """How far a run over ``total`` files is; without a ``clock`` nothing is said of time."""

    total: int
    clock: Callable[[], float] | None = time.monotonic
    _done: int = 0
    _seconds: list[float] = field(default_factory=list)
    _began: float = 0.0

    def begin(self) -> None:
        self._began = self.clock() if self.clock else 0.0

    def line(self, name: str) -> str:
        """What is said of the file at work: ``7 of 20, about 3 min left: tea.md …``."""
        return f"{name} …" if self.total == 1 else f"{self._done + 1} of {self.total}{self.left()}: {name} …"

    def end(self, status: str) -> None:
        self._done += 1
        if self.clock and status not in _NO_WORK:
            self._seconds.append(self.clock() - self._began)

    def left(self) -> str:
        """By what files took so far; empty while none has."""
        if not self._seconds:
            return ""
        seconds = sum(self._seconds) / len(self._seconds) * (self.total - self._done)
        return f", {in_words(seconds)} left"


def in_words(seconds: float) -> str:
    """``less than a minute``, ``about 3 min``, ``about 2 h 10 min``."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    hours, minutes = divmod(minutes, 60)
    return "about " + " ".join(filter(None, (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "")))


def summary(results: Sequence[IngestResult]) -> Iterator[str]:
    """The final table of a run over several files: how many became what, and what the answers took."""
    if len(results) < 2:
        return
    count = Counter[str](result.status for result in results)
    yield f"total      {len(results)} files"
    for word, statuses in _KINDS.items():
        number = sum(count[status] for status in statuses)
        if number or word == "ingested":
            yield f"  {word:<8} {number:>4}{_MEANING.get(word, '')}"
    spent = [result.outcome.reply.usage for result in results if result.outcome is not None]
    lost = [result.about["spent"] for result in results if "spent" in result.about]
    took = sum((*spent, *(Usage(each["prompt"], each["completion"], each["cost"]) for each in lost)), FREE)
    if took.prompt != 0:
        yield f"  {'paid':<8} {took.in_words}"


def interrupted(landed: int, to_do: Sequence[str]) -> Iterator[str]:
    """What Ctrl-C left: what landed stays, and the same command goes on with the rest."""
    yield f"interrupted; nothing is left half done. {landed} landed, {len(to_do)} still to do:"
    yield from (f"  {name}" for name in _some(to_do))
    yield "  next: the same command again; what is in is passed over"


def _some(names: Sequence[str]) -> Iterable[str]:
    more = len(names) - _NAMED
    return names if more <= 0 else (*names[:_NAMED], f"and {more} more")
