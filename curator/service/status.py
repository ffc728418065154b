"""The service of a wiki as ``curate status`` shows it: whether it runs, its queue, and what keeps it waiting."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from curator.repository.runtime.runtime import Runtime
from curator.service import instance_lock, queue, status_file
from curator.service.queue import QueueItem

_NAMED = 20
"""So many sources of the queue are listed; the others are counted."""


@dataclass(frozen=True)
class ServiceStatus:
    """``told`` is the content of the service's status file; empty when no service runs."""

    running: str | None
    told: dict[str, Any]
    queue: list[dict[str, Any]]
    counts: dict[str, int]

    @classmethod
    def of(cls, runtime: Runtime) -> ServiceStatus:
        running = instance_lock.running(runtime.folder)
        told = status_file.read_status(runtime.service) if running else {}
        if told:
            return cls(running, told, told["queue"], told["counts"])
        items: Collection[QueueItem] = queue.load_queue(runtime.folder / "queue.jsonl").values()
        if running is None:  # a service that was killed left them so, and nobody is at work on them
            items = [replace(item, state="queued", since=0.0) if item.is_in_progress else item for item in items]
        return cls(running, {}, status_file.listed(items), dict(Counter(item.state for item in items)))

    def with_next(self, following: Mapping[str, str]) -> ServiceStatus:
        """With what lets each source of the queue go on, out of ``following`` by source."""
        queue = [{**item, "next": before_next_try(following.get(item["source"], ""))} for item in self.queue]
        return replace(self, queue=queue)

    def as_json(self) -> dict[str, Any]:
        """Under ``service`` in ``status --json``."""
        told = {name: value for name, value in self.told.items() if name not in ("queue", "counts")}
        return {"running": self.running, "health": self.troubles, "counts": self.counts, **told}

    @property
    def waiting(self) -> list[dict[str, Any]]:
        """The queue without the parked sources, which are listed elsewhere."""
        return [item for item in self.queue if item["state"] != "parked"]

    @property
    def troubles(self) -> list[str]:
        """What is wrong with the service, a line each."""
        found = []
        if paused := self.told.get("paused"):
            is_over = paused["until"] <= time.time()
            when = "one source is tried" if is_over else f"nothing is asked until {_clock(paused['until'])}"
            found.append(f"{when}: {paused['why']}")
        if (watcher := self.told.get("watcher")) and watcher["why"]:
            found.append(f"{watcher['mode']}: {watcher['why']}")
        for name in ("push", "notify"):
            if (told := self.told.get(name, {})).get("state") == "failing":
                what_to_do = f"; {told['hint']} ({told['code']})" if "code" in told else ""
                found.append(f"{name}: {told['reason']}{what_to_do}")
        return found

    def lines(self) -> list[str]:
        """The lines of ``curate status``; none where no service ever ran."""
        if self.running is None and not self.waiting:
            return []
        named = self.waiting[:_NAMED]
        more = sum(count for state, count in self.counts.items() if state not in ("done", "parked")) - len(named)
        shown = [line for item in named for line in _lines(item)]
        return [*self.headlines(), *shown, *([f"  and {more} more"] if more > 0 else [])]

    def headlines(self) -> list[str]:
        """The lines about the service, the watcher, what is wrong, and how many sources are in which state."""
        lines = [f"service  {self.running or 'none runs'}"]
        if watcher := self.told.get("watcher"):
            lines.append(f"watcher  {watcher['mode']}, {watcher['watches']} watches, {watcher['lost']} times lost")
        lines += [f"trouble  {trouble}" for trouble in self.troubles]
        states = {**self.counts, "settling": self.told.get("settling", 0)}
        shown = [f"{count} {state}" for state, count in states.items() if count and state not in ("done", "parked")]
        return [*lines, f"queue    {', '.join(shown) or 'empty'}"]


def row(item: dict[str, Any]) -> tuple[str, str, str, str]:
    """The cells for a source of the queue: path, state, for how long, and why it waits."""
    why = f"tried again at {_clock(item['next_try'])}: " if item["state"] == "waiting" else ""
    return item["source"], item["state"], status_file.age(item["since"]) if item["since"] else "", why + item["reason"]


def before_next_try(following: str) -> str:
    """What somebody has to do for a source that the service tries again by itself: ``next`` but for the last command."""
    first, then, _ = following.partition("; then: ")
    return first if then else ""


def _lines(item: dict[str, Any]) -> list[str]:
    source, state, age, why = row(item)
    for_how_long = f" for {age}" if age else ""
    first = f"  {source}: {state}{for_how_long}" + (f" ({why})" if why else "")
    return [first, *([f"    next: {item['next']}"] if item.get("next") else [])]


def _clock(at: float) -> str:
    form = "%H:%M:%S" if at - time.time() < 80_000 else "%Y-%m-%d %H:%M"
    return time.strftime(form, time.localtime(at))
