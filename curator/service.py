"""One watched wiki: looks, queues, hands out, and notes what became of it. It never opens the wiki itself.

``step`` is all there is: what it does depends on the time, the files and the results that have come in, so that a test
can run it without a thread. Who calls it, and when, is for ``commands/watch``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from curator import durable
from curator.filenames import shown
from curator.queue import Item, Queue, State
from curator.scan import Seen, Settling, scan

EVERY = 30.0
"""Seconds between two looks when nothing happens."""
_SOON = 0.5
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 3600.0
_IDLE = 20.0
"""Seconds after which a hand without work is let go."""
_ENDED: dict[str, State] = {
    "ingested": "done",
    "skipped": "done",
    "duplicate": "done",
    "undone": "done",
    "refused": "parked",
    "parked": "parked",
}


class Works(Protocol):
    """A hand, as the service sees it."""

    source: str
    idle_since: float

    def take(self, source: str) -> bool: ...
    def rest(self) -> None: ...
    def let_go(self) -> None: ...
    def end(self, seconds: float) -> None: ...


Say = Callable[[str, dict[str, Any]], None]
"""An event and what is to be known of it."""


@dataclass
class Service:
    """The watch over one wiki."""

    root: Path
    queue: Queue
    hire: Callable[[], Works]
    say: Say
    parallel: int
    status_file: Path
    settling: Settling = field(default_factory=Settling)
    hands: list[Works] = field(default_factory=list)
    results: list[tuple[Works, dict[str, Any] | None]] = field(default_factory=list)
    """What the hands have brought since the last step; other threads append to it."""
    started: dict[str, float] = field(default_factory=dict)
    _next_look: float = 0.0
    _told: str = ""

    def step(self, dirty: bool) -> float:
        """Do what can be done now; the seconds until there may be more. ``dirty``: something happened in ``sources/``."""
        now = time.monotonic()
        self._collect()
        if dirty or now >= self._next_look:
            self._look(now)
        self._hand_out()
        self._tell()
        waits = [self._next_look - time.monotonic()]
        if (due := self.queue.next_due()) is not None:
            waits.append(due - time.time())
        return max(0.05, min(waits))

    @property
    def is_idle(self) -> bool:
        """True when nothing is left that could be done without waiting."""
        return not self.started and not self.queue.due(time.time()) and not self.settling.waiting(time.monotonic())

    def close(self, seconds: float) -> None:
        """End every hand within so many seconds; what they were at is done again later, and paid for once."""
        for hand in self.hands:
            hand.end(seconds)
        for source in self.started:
            self._note(self.queue.items[source], "queued")
        self.started.clear()
        self.queue.close()

    # -- looking -------------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        seen = {file.path: file for file in scan(self.root)}
        for source in [source for source in self.queue.items if source not in seen and source not in self.started]:
            self.queue.forget(source)
        for file in self.settling.look(seen.values(), now):
            self._arrive(file)
        self._next_look = now + (_SOON if self.settling.waiting(now) else EVERY)

    def _arrive(self, file: Seen) -> None:
        """A settled file: new, or other than when it was last heard of."""
        known = self.queue.items.get(file.path)
        if known is not None and (known.stamp == file.stamp or known.state == "working"):
            return
        state: State = "skipped" if file.problem else "queued"
        self.queue.put(Item(file.path, file.stamp, state, time.time(), reason=file.problem))
        self.say(state, {"source": file.path, "reason": file.problem})

    # -- work ----------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        now = time.monotonic()
        for item in self.queue.due(time.time()):
            hand = next((hand for hand in self.hands if not hand.source), None)
            if hand is None:
                if len(self.hands) >= self.parallel:
                    return
                hand = self.hire()
                self.hands.append(hand)
            self._note(replace(item, attempts=item.attempts + 1), "working")
            self.started[item.source] = now
            hand.take(item.source)
        for hand in [hand for hand in self.hands if not hand.source and now - hand.idle_since > _IDLE]:
            hand.let_go()
            self.hands.remove(hand)

    def _collect(self) -> None:
        while self.results:
            hand, result = self.results.pop(0)
            source = hand.source if result is None else str(result["source"])
            if result is None:
                self.hands = [other for other in self.hands if other is not hand]
            else:
                hand.rest()
            item = self.queue.items.get(source)
            if item is None or source not in self.started:
                continue
            took = time.monotonic() - self.started.pop(source)
            self._ended(item, result, took)

    def _ended(self, item: Item, result: dict[str, Any] | None, took: float) -> None:
        """What became of a source; None: its hand died over it."""
        if result is None:
            crashes = item.crashes + 1
            reason = f"curate died {crashes} times while it was at work on it"
            self._note(replace(item, crashes=crashes), "queued" if crashes < 2 else "parked", reason)
            return
        reason = str(result.get("reason") or "")
        if result.get("passes"):
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(item.attempts - 1, 12))
            self._note(replace(item, next_try=time.time() + pause), "waiting", reason)
        else:
            self._note(item, _ENDED.get(result["status"], "parked"), reason)
        about = {"status": result["status"], "commit": result.get("commit"), "seconds": round(took, 2)}
        self.say("result", {"source": item.source, **about, "reason": reason})

    def _note(self, item: Item, state: State, reason: str = "") -> None:
        self.queue.put(replace(item, state=state, reason=reason))

    # -- telling -------------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """What ``curate status`` shows of the service; written when it changes."""
        items = [item for item in self.queue.items.values() if item.state not in ("done",)]
        shown_items = [
            {
                "source": shown(i.source),
                "state": i.state,
                "reason": i.reason,
                "attempts": i.attempts,
                "next_try": i.next_try,
            }
            for i in sorted(items, key=lambda i: (i.arrived, i.source))[:1000]
        ]
        text = json.dumps({"queue": shown_items, "waiting": len(items)})
        if text != self._told:
            self._told = text
            durable.write(self.status_file, text.encode())
