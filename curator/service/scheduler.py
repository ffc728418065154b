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
_ANSWERED = ("checking", "committing")
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
    parallel: int
    source_seconds: float = math.inf
    """How long a worker may be at one source."""
    ahead: int = 0
    """How many may be in progress beside those that the model is asked about: those that have their answer, and are checked
    or committed, and those that are read and wait for their turn."""
    may_start: Callable[[], bool] = lambda: True
    """False while the model's provider is already asked as often at once as ``provider_parallel`` allows."""
    prepare: Callable[[], None] = lambda: None
    """Called when a file was seen that will be queued once it has settled: what a worker needs can be loaded meanwhile."""
    hooks: dict[str, BackgroundTask] = field(default_factory=dict)
    scans: SourceScans = field(init=False)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    pool: WorkerPool = field(init=False)
    messages: list[tuple[RunningWorker, Message]] = field(default_factory=list)
    """What the workers have said since the last step; other threads append to it."""
    status_file: StatusFile = field(init=False)
    _in_progress: dict[str, float] = field(default_factory=dict)
    """The sources that workers were given, and since when, by the monotonic clock."""
    _answered: set[str] = field(default_factory=set)
    """Those of them that the model has answered about."""
    _waiting: list[str] = field(default_factory=list)
    """Those of them that were given ahead, the first one first: they are read, and wait until the model may be asked."""
    _acknowledged: set[str] = field(default_factory=set)
    """Those of them that a worker has begun to read; before that, a failure cannot be the source's fault."""
    _last_success: float = 0.0
    _is_unfit: bool = False
    """The last failure that stopped the queue was the wiki's, not the model's."""
    _next_orders: float = 0.0

    def __post_init__(self, watcher: ChangeHints, start_worker: Callable[[], RunningWorker]) -> None:
        self.pool = WorkerPool(start_worker)
        self.scans = SourceScans(self.root, self.queue, watcher, self.emit)
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
        self._assign_due()
        waits = [self.scans.next - now, self._next_orders - now]
        waits += [began + self.source_seconds - now for began in self._at_work.values()]
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
        return not self._in_progress and is_waiting and not self.scans.unsettled

    @property
    def workers(self) -> list[RunningWorker]:
        return self.pool.workers

    @property
    def in_progress(self) -> int:
        return len(self._in_progress)

    @property
    def asking(self) -> int:
        """How many sources in progress the model is being asked about, or is about to be."""
        return len(self._at_work) - (len(self._answered) if self.ahead else 0)

    @property
    def _at_work(self) -> dict[str, float]:
        """The sources in progress that do not wait for their turn, and since when."""
        return {source: since for source, since in self._in_progress.items() if source not in self._waiting}

    def reload(self) -> None:
        """Use new settings from the next source on: workers that were started with the old ones are drained."""
        self._take_back(*self._waiting)
        self.pool.drain_all()
        self.breaker.close()
        self.scans.wanted_now()

    def close(self) -> None:
        """Put the sources in progress back into the queue. Their model answers are kept, so nothing is paid for twice."""
        # A worker that ends together with the service says nothing about its source.
        self.messages = [(worker, result) for worker, result in self.messages if "ended" not in result]
        self._handle_messages()
        try:
            for source in list(self._in_progress):
                self._requeue(source)
        finally:
            self.status_file.close()
            self.queue.close()

    # -- orders ------------------------------------------------------------------------------------------------

    def _apply_orders(self, orders: Iterable[tuple[str, str]]) -> None:
        """Do what ``curate skip`` and ``retry`` asked for; retries last, to win over a skip of the same source."""
        for what, source in sorted(orders, key=lambda order: order[0] == "retry"):
            named = [source] if source else list(self.queue.items)
            skipped = []
            self._take_back(*(waiting for waiting in self._waiting if what == "skip" and waiting in named))
            for item in [self.queue.items[name] for name in named if name in self.queue.items]:
                if what == "skip" and not item.is_in_progress and item.state != "done":
                    self._set_state(item, "skipped", "put aside by curate skip")
                elif what == "retry" and item.state == "skipped":
                    skipped.append(item.source)  # the next scan queues it again
                elif what == "retry" and item.state in ("parked", "waiting", "queued"):
                    self._set_state(QueueItem(item.source, item.stamp, "queued", item.arrived), "queued")
            if what == "retry":
                self.breaker.close()
                self.queue.forget(skipped)
                self.scans.wanted_now()
            self.emit(what, {"source": source or "all"})

    # -- work ----------------------------------------------------------------------------------------------------

    def _scan(self, now: float) -> None:
        was_expecting = self.scans.is_expecting
        changed = [source for source in self.scans.scan(now, self._in_progress) if source in self._waiting]
        self._take_back(*changed)
        self.queue.forget(changed)  # what is there still is queued as it is then, once it has settled
        if self.scans.is_expecting and not was_expecting and not self.breaker.is_open(time.time()):
            self.prepare()

    def _assign_due(self) -> None:
        allowed = self.breaker.allowed(self.parallel, time.time())
        if allowed < self.parallel:
            self._take_back(*self._waiting)
        while self._waiting and self.asking < allowed and self.may_start():
            self._go_on()
        ahead = self.ahead if allowed == self.parallel else 0
        free_places = allowed + ahead - len(self._in_progress)
        for item in self.queue.due(time.time(), max(free_places, 0), probing=bool(self.breaker.why)):
            alone = item.suspect or any(self.queue.items[source].suspect for source in self._in_progress)
            waits = self.asking >= allowed or not self.may_start()
            if (alone and self._in_progress) or (waits and len(self._waiting) >= min(ahead, self.asking)):
                break
            worker = self.pool.idle_worker()
            self._set_state(replace(item, attempts=item.attempts + 1), "reading")
            self._in_progress[item.source] = time.monotonic()
            self._waiting += [item.source] * waits
            if not worker.assign(item.source, waits=waits):
                self.pool.remove(worker)
                self._requeue(item.source)
        self.pool.drain_idle(time.monotonic())

    def _go_on(self) -> None:
        """The first of those that wait has its turn."""
        source = self._waiting.pop(0)
        self._in_progress[source] = time.monotonic()
        self.pool.go_on(source)

    def _take_back(self, *waiting: str) -> None:
        """Put what waits back into the queue: its workers end, and have asked nobody."""
        for source in waiting:
            self.pool.part(source, kill=False)
            self._requeue(source)

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
                self._acknowledged.add(worker.source)
                self._note_stage(worker.source, result["stage"])
                self._set_state(self.queue.items[worker.source], cast(State, result["stage"]))
            else:
                self._source_finished(worker, result)

    def _note_stage(self, source: str, stage: str) -> None:
        if stage in _ANSWERED:
            self._answered.add(source)
        else:
            self._answered.discard(source)

    def _pause_unfit(self, worker: RunningWorker, why: str) -> None:
        """Pause the queue because a worker cannot ingest at all; blame the source if the worker had begun to read it."""
        self.breaker.fault(why, time.time(), passes=False)
        self._is_unfit = True
        if worker.source in self._acknowledged:
            self._release(worker.source)
            self._blame(self.queue.items[worker.source], why)
            self._park(worker.source)
        else:
            self._requeue(worker.source, why)
        worker.mark_idle()
        self.emit("unfit", {"reason": why})

    def _requeue(self, source: str, why: str = "") -> None:
        """Put a source back into the queue as if it had not been tried."""
        if self._release(source) is not None:
            item = self.queue.items[source]
            self._set_state(replace(item, attempts=item.attempts - 1), "queued", why)

    def _release(self, source: str) -> float | None:
        """Take a source off the list of those in progress; returns since when it was on it, None when it was not."""
        self._acknowledged.discard(source)
        self._answered.discard(source)
        self._waiting = [other for other in self._waiting if other != source]
        if source in self.scans.unsettled:
            self.scans.wanted_now()  # it changed while it was being ingested
        return self._in_progress.pop(source, None)

    def _worker_ended(self, worker: RunningWorker, how: Message) -> None:
        """Note that a worker process has ended; the source it was ingesting may be the reason."""
        self.pool.remove(worker)
        if worker.source not in self._in_progress:
            return
        if worker.source not in self._acknowledged:
            why = f"a process that was to read it ended at once with {how['ended']}: {how['said']}"
            self.breaker.fault(why, time.time(), passes=True)
            self._requeue(worker.source, why)
            self.emit("unfit", {"reason": why})
            return
        self._release(worker.source)
        item = crashed(self.queue.items[worker.source])
        self._set_state(item, item.state, item.reason)
        self._park(item.source)
        self.emit("died", {"source": item.source, "times": item.crashes, "reason": how["ended"], "said": how["said"]})

    def _end_overdue(self, now: float) -> None:
        """End the workers that are at one source for too long, and park it: tried again, it would take as long."""
        for source in [source for source, began in self._at_work.items() if now - began >= self.source_seconds]:
            self.pool.part(source, kill=True)
            self._release(source)
            reason = f"the work on it was ended after {self.source_seconds:g} seconds"
            self._set_state(replace(self.queue.items[source], suspect=False), "parked", reason)
            self._park(source, "source_timeout", "raise source_seconds in curator.toml, then curate retry")
            self.emit("overdue", {"source": source, "reason": reason})

    def _source_finished(self, worker: RunningWorker, result: Message) -> None:
        self.pool.finished(worker)
        if (began := self._release(result["source"])) is not None:
            self._record_result(self.queue.items[result["source"]], result)
            about = {name: result.get(name) for name in ("status", "code", "commit", "reason", "next", "cost")}
            self.emit("result", {"source": result["source"], "seconds": round(time.monotonic() - began, 2), **about})

    def _record_result(self, item: QueueItem, result: Message) -> None:
        """Set the state of a source by the result of its ingest."""
        now, reason = time.time(), str(result.get("reason") or "")
        if result.get("general"):
            passes = bool(result.get("passes"))
            self.breaker.fault(reason, now, passes=passes, again_in=result.get("again_in"))
            if result["code"] in _MAY_BE_THE_SOURCE:
                self._blame(item, reason)
            else:
                self._set_state(item, "queued", reason)
        elif result.get("passes"):
            longest = _LONGEST_FOR_EDITS if result.get("code") == "page_dirty" else LONGEST_WAIT
            pause = min(longest, _FIRST_PAUSE * 2 ** min(item.attempts - 1, 12))
            self._set_state(replace(item, next_try=now + pause), "waiting", reason)
        else:
            is_answer = result["status"] == "ingested" or result.get("code") == ReviewNeeded.CODE
            if is_answer:
                self._last_success = now
            # The model answered, or the wiki is fit again; an answer that was under way when the fault came proves neither.
            is_news = is_answer or result["status"] == "parked" or self._is_unfit
            if is_news and not self.breaker.is_open(now):
                self._is_unfit = False
                self.breaker.close()
            self._set_state(replace(item, suspect=False), _STATE_AFTER.get(result["status"], "parked"), reason)

    def _blame(self, item: QueueItem, reason: str) -> None:
        """Count a failure of the model over a source; park it when the model keeps succeeding for others in between."""
        blamed = item.blamed + (0 < item.since_fault < self._last_success)
        item = replace(item, blamed=blamed, since_fault=time.time(), suspect=item.suspect or blamed > 0)
        self._set_state(item, "parked" if blamed >= _MOST_BLAMED else "queued", reason)

    def _park(self, source: str, code: str = "crashed", following: str = _AFTER_A_CRASH) -> None:
        """Record a parked source where ``curate status`` finds it, whether the service runs or not."""
        if (item := self.queue.items[source]).state != "parked":
            return
        at = clocks.utc_timestamp(datetime.now(UTC))
        self.runtime.park(Parked(item.source, "", code, item.reason, following, at))

    def _set_state(self, item: QueueItem, state: State, reason: str = "") -> None:
        self.queue.put(replace(item, state=state, reason=reason, since=time.time()))

    # -- status -------------------------------------------------------------------------------------------------

    def _summary(self) -> dict[str, Any]:
        paused = {"until": self.breaker.until, "why": self.breaker.why} if self.breaker.why else None
        return {
            "watcher": self.scans.watcher.state(),
            "paused": paused,
            **{name: hook.state() for name, hook in self.hooks.items()},
            "settling": len(self.scans.unsettled),
        }
