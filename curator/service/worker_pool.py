"""The worker processes of one wiki: which are idle, which end after their source, and when one too many is running."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

_IDLE_SECONDS = 20.0
"""A worker without a source for so long is ended."""


class RunningWorker(Protocol):
    """A worker, as the scheduler sees it."""

    source: str
    """The source it is ingesting; empty when it is idle."""
    idle_since: float

    def assign(self, source: str, *, waits: bool = False) -> bool: ...
    def go_on(self) -> None: ...
    def mark_idle(self) -> None: ...
    def drain(self) -> None: ...
    def kill(self) -> None: ...


@dataclass
class WorkerPool:
    """The workers that are given sources; ``start_worker`` starts one more."""

    start_worker: Callable[[], RunningWorker]
    workers: list[RunningWorker] = field(default_factory=list)
    _draining: list[RunningWorker] = field(default_factory=list)
    """Workers that were started with older settings: their current source is their last."""

    def idle_worker(self) -> RunningWorker:
        """A worker without a source; started when there is none."""
        worker = next((one for one in self.workers if not one.source and one not in self._draining), None)
        if worker is None:
            worker = self.start_worker()
            self.workers.append(worker)
        return worker

    def go_on(self, source: str) -> None:
        """The worker that has ``source``, which waits, is told that it is its turn."""
        for worker in self.workers:
            if worker.source == source:
                worker.go_on()

    def finished(self, worker: RunningWorker) -> None:
        """The worker has reported the result of its source."""
        worker.mark_idle()
        if worker in self._draining:
            self.remove(worker)
            worker.drain()

    def remove(self, worker: RunningWorker) -> None:
        """The worker has ended, or is about to."""
        self.workers = [other for other in self.workers if other is not worker]
        self._draining = [other for other in self._draining if other is not worker]

    def part(self, source: str, *, kill: bool) -> None:
        """End the worker that has ``source``, at once or with what it is at; nothing it says from now on is of a source."""
        for worker in [worker for worker in self.workers if worker.source == source]:
            (worker.kill if kill else worker.drain)()
            worker.mark_idle()
            self.remove(worker)

    def drain_idle(self, now: float) -> None:
        """End the workers that have had no source for a while."""
        for worker in self.workers:
            if not worker.source and now - worker.idle_since > _IDLE_SECONDS:
                worker.drain()
                self.remove(worker)

    def drain_all(self) -> None:
        """End every worker: an idle one at once, a busy one after its source."""
        for worker in self.workers:
            if worker.source:
                self._draining.append(worker)
            else:
                worker.drain()
        self.workers = [worker for worker in self.workers if worker.source]
