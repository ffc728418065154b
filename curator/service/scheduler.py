"""One watched wiki: looks, queues, hands out, and notes what became of it. It never opens the wiki itself.

``step`` is all there is: what it does depends on the time, the files and the results that have come in, so that a test
can run it without a thread. Who calls it, and when, is for ``commands/watch``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, cast

from curator.repository.runtime.runtime import Parked, Runtime
from curator.service import status_file as board
from curator.service.circuit_breaker import CircuitBreaker
from curator.service.queue import LONGEST_WAIT, Queue, QueueItem, State, crashed
from curator.service.watching.open_writers import has_writer
from curator.service.watching.scan import SeenFile, Settling, scan
from curator.service.worker_pool import RunningWorker, WorkerPool
from curator.system import clocks

_SOON = 0.5
_ORDERS_EVERY = 2.0
_FIRST_PAUSE = 5.0
"""For a source that waits for somebody's work to end."""
_BLAMED = 4
"""So often a model may fail over one source while it works for others."""
_ENDED: dict[str, State] = {"ingested": "done", "skipped": "done", "duplicate": "done", "left": "skipped"}
_OF_THE_SOURCE_PERHAPS = {"model_timeout", "model_worker_died", "model_unavailable"}


class ChangeHints(Protocol):
    """What tells that something happened in ``sources/``."""

    @property
    def period(self) -> float: ...

    def check(self, now: float) -> None: ...
    def wants_look(self) -> bool: ...
    def state(self) -> dict[str, Any]: ...


class BackgroundTask(Protocol):
    """A step outside of the wiki that never holds it up."""

    def step(self, now: float) -> float | None: ...
    def state(self) -> dict[str, Any]: ...


Say = Callable[[str, dict[str, Any]], None]
"""An event and what is to be known of it."""
Result = dict[str, Any]
"""What a hand brings: a ``stage``, a result with its ``status``, why the wiki is ``unfit``, or how the hand ``ended``."""


@dataclass
class Scheduler:
    """The watch over one wiki."""

    root: Path
    runtime: Runtime
    queue: Queue
    watcher: ChangeHints
    hire: InitVar[Callable[[], RunningWorker]]
    say: Say
    parallel: int
    has_place: Callable[[], bool] = lambda: True
    """False when the provider has enough to do, for this wiki or for another."""
    errands: dict[str, BackgroundTask] = field(default_factory=dict)
    settling: Settling = field(default_factory=Settling)
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    crew: WorkerPool = field(init=False)
    results: list[tuple[RunningWorker, Result]] = field(default_factory=list)
    """What the hands have brought since the last step; other threads append to it."""
    board: board.StatusFile = field(init=False)
    unsettled: list[str] = field(default_factory=list)
    _at_work: dict[str, float] = field(default_factory=dict)
    """Since when, by a clock that only goes forward."""
    _begun: set[str] = field(default_factory=set)
    """Those at work of which a hand has said so; before that, no fault is theirs."""
    _last_arrival: float = 0.0
    _last_success: float = 0.0
    _is_unfit: bool = False
    """The last fault was not the model's."""
    _looked: float = -_SOON
    _next_look: float = 0.0
    _next_orders: float = 0.0

    def __post_init__(self, hire: Callable[[], RunningWorker]) -> None:
        self.crew = WorkerPool(hire)
        self.board = board.StatusFile(self.runtime.service)
        self._last_arrival = max((item.arrived for item in self.queue.items.values()), default=0.0)
        for item in self.queue.set_aside:
            self._show_parked(item.source)

    def step(self, dirty: bool) -> float:
        """Do what can be done now; the seconds until there may be more. ``dirty``: something happened in ``sources/``."""
        now = time.monotonic()
        self._collect()
        if now >= self._next_orders:
            self._next_orders = now + _ORDERS_EVERY
            self._obey(self.runtime.orders())
            self.watcher.check(now)
        if self.watcher.wants_look() or dirty:  # a copy of ten thousand files is not looked at ten thousand times
            self._next_look = min(self._next_look, self._looked + _SOON)
        if now >= self._next_look:
            self._look(now)
        self._hand_out()
        waits = [self._next_look - now, self._next_orders - now]
        waits += [wait for errand in self.errands.values() if (wait := errand.step(now)) is not None]
        at = time.time()
        waits += [due - at for due in (self.queue.next_due(at), self.breaker.until) if due is not None and due > at]
        waits.append(self.board.show(self.queue, self._told(), now))
        return max(0.05, min(waits))

    @property
    def is_idle(self) -> bool:
        """True when nothing is left that could be done without waiting."""
        now = time.time()
        is_waiting = self.breaker.is_shut(now) or not self.queue.due(now, 1)
        return not self._at_work and is_waiting and not self.unsettled

    @property
    def hands(self) -> list[RunningWorker]:
        return self.crew.hands

    @property
    def at_work(self) -> int:
        return len(self._at_work)

    def reload(self) -> None:
        """New settings hold for the next source: the hands that have read the old ones are let go."""
        self.crew.renew()
        self.breaker.worked()
        self._next_look = 0.0

    def close(self) -> None:
        """What the hands were at is done again later, and paid for once. That they end now is no source's doing."""
        self.results = [(hand, result) for hand, result in self.results if "ended" not in result]
        self._collect()
        try:
            for source in list(self._at_work):
                self._back(source)
        finally:
            self.board.close()
            self.queue.close()

    # -- looking -------------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        self._looked = now
        seen = {file.path: file for file in scan(self.root)}
        if (self.root / "sources").is_dir():  # else it is away, for a while perhaps
            self.queue.forget([path for path in self.queue.items if path not in seen and self._is_gone(path, seen)])
        settled = self.settling.look(seen.values(), now)
        arrived = {file.path for file in settled if self._arrives(file, now)}
        self.unsettled = [path for path in seen if path not in arrived]
        pause = self.settling.pause(now)
        self._next_look = now + (self.watcher.period if pause is None else max(pause, _SOON))

    def _is_gone(self, path: str, seen: dict[str, SeenFile]) -> bool:
        """False for what only cannot be seen: while it is worked on, or its folder is shut."""
        above = (path[:at] for at in range(len(path)) if path[at] == "/")
        return path not in self._at_work and not any(folder in seen for folder in above)

    def _arrives(self, file: SeenFile, now: float) -> bool:
        """Queue a settled file that is new, or other than when it was last heard of. False: somebody writes to it yet."""
        known = self.queue.items.get(file.path)
        if known is not None and (known.stamp == file.stamp or known.is_at_work):
            return known.stamp == file.stamp  # what has changed meanwhile comes after what is at work
        if not file.problem and has_writer(self.root / file.path) and self.settling.postpone(file.path, now):
            return False
        state: State = "skipped" if file.problem else "queued"
        # Later than all before it, whatever happens to the clock.
        self._last_arrival = max(time.time(), self._last_arrival + 1e-6)
        self._note(QueueItem(file.path, file.stamp, state, self._last_arrival), state, file.problem)
        self.say(state, {"source": file.path, "reason": file.problem})
        return True

    def _obey(self, orders: Iterable[tuple[str, str]]) -> None:
        """Those to retry come last: where both were said of a source, a hand knows whether it is still put aside."""
        for what, source in sorted(orders, key=lambda order: order[0] == "retry"):
            named = [source] if source else list(self.queue.items)
            skipped = []
            for item in [self.queue.items[name] for name in named if name in self.queue.items]:
                if what == "skip" and not item.is_at_work and item.state != "done":
                    self._note(item, "skipped", "put aside by curate skip")
                elif what == "retry" and item.state == "skipped":
                    skipped.append(item.source)  # the next look says what is to become of it
                elif what == "retry" and item.state in ("parked", "waiting", "queued"):
                    self._note(QueueItem(item.source, item.stamp, "queued", item.arrived), "queued")
            if what == "retry":
                self.breaker.worked()
                self.queue.forget(skipped)
                self._next_look = 0.0
            self.say(what, {"source": source or "all"})

    # -- work ----------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        places = self.breaker.places(self.parallel, time.time()) - len(self._at_work)
        for item in self.queue.due(time.time(), max(places, 0), probing=bool(self.breaker.why)):
            alone = item.suspect or any(self.queue.items[source].suspect for source in self._at_work)
            if (alone and self._at_work) or not self.has_place():
                break
            hand = self.crew.free()
            self._note(replace(item, attempts=item.attempts + 1), "reading")
            self._at_work[item.source] = time.monotonic()
            if not hand.take(item.source):
                self.crew.forget(hand)
                self._back(item.source)
        self.crew.let_idle_go(time.monotonic())

    def _collect(self) -> None:
        while self.results:
            hand, result = self.results.pop(0)
            if "ended" in result:
                self._gone(hand, result)
            elif "unfit" in result:
                self._unfit(hand, result["unfit"])
            elif "stage" in result:
                if result["source"] in self._at_work:
                    self._begun.add(result["source"])
                    self._note(self.queue.items[result["source"]], cast(State, result["stage"]))
            else:
                self._brought(hand, result)

    def _unfit(self, hand: RunningWorker, why: str) -> None:
        """No source can be taken in as things are: it is the wiki, the settings or the machine, or a very odd source."""
        self.breaker.fault(why, time.time(), passes=False)
        self._is_unfit = True
        if hand.source in self._begun:
            self._leave(hand.source)
            self._blame(self.queue.items[hand.source], why)
            self._show_parked(hand.source)
        else:
            self._back(hand.source, why)
        hand.rest()
        self.say("unfit", {"reason": why})

    def _back(self, source: str, why: str = "") -> None:
        """It was not its turn after all."""
        if self._leave(source) is not None:
            item = self.queue.items[source]
            self._note(replace(item, attempts=item.attempts - 1), "queued", why)

    def _leave(self, source: str) -> float | None:
        """It is at work no more; since when it was. None when it was not."""
        self._begun.discard(source)
        if source in self.unsettled:
            self._next_look = 0.0  # it has changed meanwhile
        return self._at_work.pop(source, None)

    def _gone(self, hand: RunningWorker, how: Result) -> None:
        """A hand has ended; when it was at work, that source may be the reason."""
        self.crew.forget(hand)
        if hand.source not in self._at_work:
            return
        if hand.source not in self._begun:
            why = f"a process that was to read it ended at once with {how['ended']}: {how['said']}"
            self.breaker.fault(why, time.time(), passes=True)
            self._back(hand.source, why)
            self.say("unfit", {"reason": why})
            return
        self._leave(hand.source)
        item = crashed(self.queue.items[hand.source])
        self._note(item, item.state, item.reason)
        self._show_parked(item.source)
        self.say("died", {"source": item.source, "times": item.crashes, "reason": how["ended"], "said": how["said"]})

    def _brought(self, hand: RunningWorker, result: Result) -> None:
        self.crew.rest(hand)
        if (began := self._leave(result["source"])) is not None:
            self._ended(self.queue.items[result["source"]], result)
            about = {name: result.get(name) for name in ("status", "commit", "reason", "cost")}
            self.say("result", {"source": result["source"], "seconds": round(time.monotonic() - began, 2), **about})

    def _ended(self, item: QueueItem, result: Result) -> None:
        """What became of a source."""
        now, reason = time.time(), str(result.get("reason") or "")
        if result.get("general"):
            passes = bool(result.get("passes"))
            self.breaker.fault(reason, now, passes=passes, again_in=result.get("again_in"))
            if result["code"] in _OF_THE_SOURCE_PERHAPS:
                self._blame(item, reason)
            else:
                self._note(item, "queued", reason)
        elif result.get("passes"):
            pause = min(LONGEST_WAIT, _FIRST_PAUSE * 2 ** min(item.attempts - 1, 12))
            self._note(replace(item, next_try=now + pause), "waiting", reason)
        else:
            if result["status"] == "ingested":
                self._last_success = now
            # The model has answered, or the wiki is fit; but for a question that was under way when the fault came.
            is_news = result["status"] in ("ingested", "parked") or self._is_unfit
            if is_news and not self.breaker.is_shut(now):
                self._is_unfit = False
                self.breaker.worked()
            self._note(replace(item, suspect=False), _ENDED.get(result["status"], "parked"), reason)

    def _blame(self, item: QueueItem, reason: str) -> None:
        """All failed over this source. When it works for others in between, again and again, it is the source."""
        blamed = item.blamed + (0 < item.since_fault < self._last_success)
        item = replace(item, blamed=blamed, since_fault=time.time(), suspect=item.suspect or blamed > 0)
        self._note(item, "parked" if blamed >= _BLAMED else "queued", reason)

    def _show_parked(self, source: str) -> None:
        """What is set aside stands in ``curate status``, whether the service runs or not."""
        if (item := self.queue.items[source]).state != "parked":
            return
        at = clocks.utc_timestamp(datetime.now(UTC))
        following = "look into the log of the service; curate retry tries it again"
        self.runtime.park(Parked(item.source, "", "crashed", item.reason, following, at))

    def _note(self, item: QueueItem, state: State, reason: str = "") -> None:
        self.queue.put(replace(item, state=state, reason=reason, since=time.time()))

    # -- telling -------------------------------------------------------------------------------------------------

    def _told(self) -> dict[str, Any]:
        paused = {"until": self.breaker.until, "why": self.breaker.why} if self.breaker.why else None
        return {
            "watcher": self.watcher.state(),
            "paused": paused,
            **{name: errand.state() for name, errand in self.errands.items()},
            "settling": len(self.unsettled),
        }
