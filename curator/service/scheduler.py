"""The scheduler of one wiki: scans ``sources/``, queues what has changed, gives it to workers and records the outcome.

It never opens the wiki itself. All it does happens in ``step``, and depends only on the time, the files and the messages
of workers, so that a test can run it without a thread.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, cast

from curator.errors import ReviewNeeded
from curator.repository.runtime.runtime import Parked, Runtime
from curator.service.assignments import Assignments
from curator.service.circuit_breaker import CircuitBreaker
from curator.service.hooks.command import Emit
from curator.service.queue import LONGEST_WAIT, Queue, QueueItem, State, crashed
from curator.service.source_scans import ChangeHints, SourceScans
from curator.service.status_file import StatusFile
from curator.service.worker_pool import RunningWorker, WorkerPool
from curator.system import clocks

_TICK = 2.0
"""Seconds between two looks for orders of ``curate retry`` and ``skip``, and at the watcher."""
_FIRST_PAUSE = 5.0
"""Seconds before the second attempt on a source that is held up, as by a page with unsaved changes."""
_LONGEST_FOR_EDITS = 20.0
"""Seconds between two attempts where a page has to be committed: whoever has done it sees the source go on."""
_MOST_BLAMED = 4
"""A source that the model failed over so often, while others succeeded in between, is parked."""
_AFTER_A_CRASH = "look into the log of the service; curate retry tries it again"
_STATE_AFTER: dict[str, State] = {"ingested": "done", "skipped": "done", "duplicate": "done", "left": "skipped"}
_MAY_BE_THE_SOURCE = {"model_timeout", "model_worker_died", "model_unavailable", "reader_unreadable"}


class BackgroundTask(Protocol):
    """Something that is done beside the ingests and never delays them: a push, a notification."""

    def step(self, now: float) -> float | None: ...
    def state(self) -> dict[str, Any]: ...


Message = dict[str, Any]
"""What a worker says: a ``stage``, a result with its ``status``, why the wiki is ``unfit``, or how the worker ``ended``."""


@dataclass
class Scheduler:
    """The queue of one wiki and the workers that empty it; call ``step`` again and again."""

    root: Path
    runtime: Runtime
    queue: Queue
    watcher: InitVar[ChangeHints]
    start_worker: InitVar[Callable[[], RunningWorker]]
    emit: Emit
    parallel: InitVar[int]
    source_seconds: float = math.inf
    """How long a worker may be at one source."""
    prepare: Callable[[], None] = lambda: None
    """Called when a file was seen that will be queued once it has settled: what a worker needs can be loaded meanwhile."""
    hooks: dict[str, BackgroundTask] = field(default_factory=dict)
    scans: SourceScans = field(init=False)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    assignments: Assignments = field(init=False)
    messages: list[tuple[RunningWorker, Message]] = field(default_factory=list)
    """What the workers have said since the last step; other threads append to it."""
    status_file: StatusFile = field(init=False)
    _last_success: float = 0.0
    _is_unfit: bool = False
    """The last failure that stopped the queue was the wiki's, not the model's."""
    _next_orders: float = 0.0

    def __post_init__(self, watcher: ChangeHints, start_worker: Callable[[], RunningWorker], parallel: int) -> None:
        self.scans = SourceScans(self.root, self.queue, watcher, self.emit)
        self.assignments = Assignments(self.queue, self.scans, WorkerPool(start_worker), self.breaker, parallel)
        self.status_file = StatusFile(self.runtime.service)
        for item in self.queue.newly_parked:
            self._park(item.source)

    def step(self, dirty: bool) -> float:
        """Do what is due now; returns the seconds until the next call. ``dirty``: something happened in ``sources/``."""
        now = time.monotonic()
        self._handle_messages()
        self._end_overdue(now)
        if now >= self._next_orders:
            self._next_orders = now + _TICK
            self._apply_orders(self.runtime.orders())
            self.scans.watcher.check(now)
        if self.scans.watcher.wants_scan() or dirty:
            self.scans.wanted()
        if now >= self.scans.next:
            self._scan(now)
        self.assignments.assign_due()
        waits = [self.scans.next - now, self._next_orders - now]
        waits += [since + self.source_seconds - now for since in self.assignments.at_work.values()]
        waits += [wait for hook in self.hooks.values() if (wait := hook.step(now)) is not None]
        at = time.time()
        waits += [due - at for due in (self.queue.next_due(at), self.breaker.until) if due is not None and due > at]
        waits.append(self.status_file.update(self.queue, self._summary(), now))
        return max(0.05, min(waits))

    @property
    def is_idle(self) -> bool:
        """True when nothing can be done without waiting for time to pass."""
        now = time.time()
        is_waiting = self.breaker.is_open(now) or not self.queue.due(now, 1)
        return not self.assignments.given and is_waiting and not self.scans.unsettled

    def reload(self) -> None:
        """Use new settings from the next source on: workers that were started with the old ones are drained."""
        self.assignments.take_back(*self.assignments.waiting)
        self.assignments.pool.drain_all()
        self.breaker.close()
        self.scans.wanted_now()

    def close(self) -> None:
        """Put the sources in progress back into the queue. Their model answers are kept, so nothing is paid for twice."""
        # A worker that ends together with the service says nothing about its source.
        self.messages = [(worker, result) for worker, result in self.messages if "ended" not in result]
        self._handle_messages()
        try:
            for source in list(self.assignments.given):
                self.assignments.requeue(source)
        finally:
            self.status_file.close()
            self.queue.close()

    # -- orders ------------------------------------------------------------------------------------------------

    def _apply_orders(self, orders: Iterable[tuple[str, str]]) -> None:
        """Do what ``curate skip`` and ``retry`` asked for; retries last, to win over a skip of the same source."""
        for what, source in sorted(orders, key=lambda order: order[0] == "retry"):
            named = [source] if source else list(self.queue.items)
            skipped = []
            self.assignments.take_back(*(each for each in self.assignments.waiting if what == "skip" and each in named))
            for item in [self.queue.items[name] for name in named if name in self.queue.items]:
                if what == "skip" and not item.is_in_progress and item.state != "done":
                    self.queue.set_state(item, "skipped", "put aside by curate skip")
                elif what == "retry" and item.state == "skipped":
                    skipped.append(item.source)  # the next scan queues it again
                elif what == "retry" and item.state in ("parked", "waiting", "queued"):
                    self.queue.set_state(QueueItem(item.source, item.stamp, "queued", item.arrived), "queued")
            if what == "retry":
                self.breaker.close()
                self.queue.forget(skipped)
                self.scans.wanted_now()
            self.emit(what, {"source": source or "all"})

    # -- work ----------------------------------------------------------------------------------------------------

    def _scan(self, now: float) -> None:
        was_expecting = self.scans.is_expecting
        changed = [*self.scans.scan(now, self.assignments.given).intersection(self.assignments.waiting)]
        self.assignments.take_back(*changed)
        self.queue.forget(changed)  # what is there still is queued as it is then, once it has settled
        if self.scans.is_expecting and not was_expecting and not self.breaker.is_open(time.time()):
            self.prepare()

    def _handle_messages(self) -> None:
        while self.messages:
            worker, result = self.messages.pop(0)
            if "ended" in result:
                self._worker_ended(worker, result)
            elif "unfit" in result:
                self._pause_unfit(worker, result["unfit"])
            elif result["source"] != worker.source:
                continue  # it was taken from this worker, and another may have it by now
            elif "stage" in result:
                self.assignments.note_stage(worker.source, result["stage"])
                self.queue.set_state(self.queue.items[worker.source], cast(State, result["stage"]))
            else:
                self._source_finished(worker, result)

    def _pause_unfit(self, worker: RunningWorker, why: str) -> None:
        """Pause the queue because a worker cannot ingest at all; blame the source if the worker had begun to read it."""
        self.breaker.fault(why, time.time(), passes=False)
        self._is_unfit = True
        if (given := self.assignments.given.get(worker.source)) is not None and given.is_begun:
            self.assignments.release(worker.source)
            self._blame(self.queue.items[worker.source], why)
            self._park(worker.source)
        else:
            self.assignments.requeue(worker.source, why)
        worker.mark_idle()
        self.emit("unfit", {"reason": why})

    def _worker_ended(self, worker: RunningWorker, how: Message) -> None:
        """Note that a worker process has ended; the source it was ingesting may be the reason."""
        self.assignments.pool.remove(worker)
        if (given := self.assignments.given.get(worker.source)) is None:
            return
        if not given.is_begun:
            why = f"a process that was to read it ended at once with {how['ended']}: {how['said']}"
            self.breaker.fault(why, time.time(), passes=True)
            self.assignments.requeue(worker.source, why)
            self.emit("unfit", {"reason": why})
            return
        self.assignments.release(worker.source)
        item = crashed(self.queue.items[worker.source])
        self.queue.set_state(item, item.state, item.reason)
        self._park(item.source)
        self.emit("died", {"source": item.source, "times": item.crashes, "reason": how["ended"], "said": how["said"]})

    def _end_overdue(self, now: float) -> None:
        """End the workers that are at one source for too long, and park it: tried again, it would take as long."""
        for source in [each for each, since in self.assignments.at_work.items() if now - since >= self.source_seconds]:
            self.assignments.pool.part(source, kill=True)
            self.assignments.release(source)
            reason = f"the work on it was ended after {self.source_seconds:g} seconds"
            self.queue.set_state(replace(self.queue.items[source], suspect=False), "parked", reason)
            self._park(source, "source_timeout", "raise source_seconds in curator.toml, then curate retry")
            self.emit("overdue", {"source": source, "reason": reason})

    def _source_finished(self, worker: RunningWorker, result: Message) -> None:
        self.assignments.pool.finished(worker)
        if (given := self.assignments.release(result["source"])) is not None:
            self._record_result(self.queue.items[result["source"]], result)
            about = {name: result.get(name) for name in ("status", "code", "commit", "reason", "next", "cost")}
            seconds = round(time.monotonic() - given.since, 2)
            self.emit("result", {"source": result["source"], "seconds": seconds, **about})

    def _record_result(self, item: QueueItem, result: Message) -> None:
        """Set the state of a source by the result of its ingest."""
        now, reason = time.time(), str(result.get("reason") or "")
        if result.get("general"):
            passes = bool(result.get("passes"))
            self.breaker.fault(reason, now, passes=passes, again_in=result.get("again_in"))
            if result["code"] in _MAY_BE_THE_SOURCE:
                self._blame(item, reason)
            else:
                self.queue.set_state(item, "queued", reason)
        elif result.get("passes"):
            longest = _LONGEST_FOR_EDITS if result.get("code") == "page_dirty" else LONGEST_WAIT
            pause = min(longest, _FIRST_PAUSE * 2 ** min(item.attempts - 1, 12))
            self.queue.set_state(replace(item, next_try=now + pause), "waiting", reason)
        else:
            is_answer = result["status"] == "ingested" or result.get("code") == ReviewNeeded.CODE
            if is_answer:
                self._last_success = now
            # The model answered, or the wiki is fit again; an answer that was under way when the fault came proves neither.
            is_news = is_answer or result["status"] == "parked" or self._is_unfit
            if is_news and not self.breaker.is_open(now):
                self._is_unfit = False
                self.breaker.close()
            self.queue.set_state(replace(item, suspect=False), _STATE_AFTER.get(result["status"], "parked"), reason)

    def _blame(self, item: QueueItem, reason: str) -> None:
        """Count a failure of the model over a source; park it when the model keeps succeeding for others in between."""
        blamed = item.blamed + (0 < item.since_fault < self._last_success)
        item = replace(item, blamed=blamed, since_fault=time.time(), suspect=item.suspect or blamed > 0)
        self.queue.set_state(item, "parked" if blamed >= _MOST_BLAMED else "queued", reason)

    def _park(self, source: str, code: str = "crashed", following: str = _AFTER_A_CRASH) -> None:
        """Record a parked source where ``curate status`` finds it, whether the service runs or not."""
        if (item := self.queue.items[source]).state != "parked":
            return
        at = clocks.utc_timestamp(datetime.now(UTC))
        self.runtime.park(Parked(item.source, "", code, item.reason, following, at))

    # -- status -------------------------------------------------------------------------------------------------

    def _summary(self) -> dict[str, Any]:
        return {
            "watcher": self.scans.watcher.state(),
            "paused": {"until": self.breaker.until, "why": self.breaker.why} if self.breaker.why else None,
            **{name: hook.state() for name, hook in self.hooks.items()},
            "settling": len(self.scans.unsettled),
        }
