"""The sources that workers have been given, and who is given the next one of the queue."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from curator.service.circuit_breaker import CircuitBreaker
from curator.service.queue import Queue
from curator.service.source_scans import SourceScans
from curator.service.worker_pool import WorkerPool

_ANSWERED = ("checking", "committing")


@dataclass
class Assignment:
    """One source that a worker was given."""

    since: float
    """When it was given, or had its turn, by the monotonic clock."""
    waits: bool
    """It was given ahead: it is read, and waits until the model may be asked."""
    is_begun: bool = False
    """A worker has begun to read it; before that, a failure cannot be the source's fault."""
    is_answered: bool = False


@dataclass
class Assignments:
    """What workers have of ``queue``, by source, in the order in which it was given."""

    queue: Queue
    scans: SourceScans
    pool: WorkerPool
    breaker: CircuitBreaker
    parallel: int
    ahead: int = 0
    """How many may be in progress beside those that the model is asked about: those that have their answer, and are checked
    or committed, and those that are read and wait for their turn."""
    may_start: Callable[[], bool] = lambda: True
    """False while the model's provider is already asked as often at once as ``provider_parallel`` allows."""
    given: dict[str, Assignment] = field(default_factory=dict)

    @property
    def at_work(self) -> dict[str, float]:
        """Those that do not wait for their turn, and since when."""
        return {source: each.since for source, each in self.given.items() if not each.waits}

    @property
    def waiting(self) -> list[str]:
        """Those that do, the first one first."""
        return [source for source, each in self.given.items() if each.waits]

    @property
    def asking(self) -> int:
        """How many the model is being asked about, or is about to be."""
        return sum(not each.waits and not (each.is_answered and self.ahead) for each in self.given.values())

    def assign_due(self) -> None:
        """Let those that wait go on, and give workers what is due, as many as are allowed now."""
        allowed = self.breaker.allowed(self.parallel, time.time())
        if allowed < self.parallel:
            self.take_back(*self.waiting)
        while (waiting := self.waiting) and self.asking < allowed and self.may_start():
            self.given[waiting[0]] = replace(self.given[waiting[0]], since=time.monotonic(), waits=False)
            self.pool.go_on(waiting[0])
        ahead = self.ahead if allowed == self.parallel else 0
        free_places = allowed + ahead - len(self.given)
        for item in self.queue.due(time.time(), max(free_places, 0), probing=bool(self.breaker.why)):
            alone = item.suspect or any(self.queue.items[source].suspect for source in self.given)
            waits = self.asking >= allowed or not self.may_start()
            if (alone and self.given) or (waits and len(self.waiting) >= min(ahead, self.asking)):
                break
            worker = self.pool.idle_worker()
            self.queue.set_state(replace(item, attempts=item.attempts + 1), "reading")
            self.given[item.source] = Assignment(time.monotonic(), waits)
            if not worker.assign(item.source, waits=waits):
                self.pool.remove(worker)
                self.requeue(item.source)
        self.pool.drain_idle(time.monotonic())

    def take_back(self, *waiting: str) -> None:
        """Put what waits back into the queue: its workers end, and have asked nobody."""
        for source in waiting:
            self.pool.part(source, kill=False)
            self.requeue(source)

    def note_stage(self, source: str, stage: str) -> None:
        """A worker has come so far with it."""
        given = self.given[source]
        given.is_begun, given.is_answered = True, stage in _ANSWERED

    def requeue(self, source: str, why: str = "") -> None:
        """Put a source back into the queue as if it had not been tried."""
        if self.release(source) is not None:
            item = self.queue.items[source]
            self.queue.set_state(replace(item, attempts=item.attempts - 1), "queued", why)

    def release(self, source: str) -> Assignment | None:
        """No worker has it any more; None when none had."""
        if source in self.scans.unsettled:
            self.scans.wanted_now()  # it changed while it was being ingested
        return self.given.pop(source, None)
