"""The status file: a running service writes it for ``curate status``, at most a second late."""

from __future__ import annotations

import heapq
import json
import math
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from curator.service.queue import Queue, QueueItem
from curator.system.filenames import printable

WRITE_EVERY = 0.5
_MAX_LISTED = 200
"""So many sources are listed; the others are counted."""
_WATCHER_KEYS = {"mode", "why", "watches", "lost"}
_ORDER = ("committing", "checking", "thinking", "reading", "waiting", "parked", "skipped", "queued")


class StatusFile:
    """Writes the status to ``file`` when it has changed, at most every ``WRITE_EVERY`` seconds."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._written: tuple[int, dict[str, Any]] | None = None
        self._next = 0.0

    def update(self, queue: Queue, told: dict[str, Any], now: float) -> float:
        """Write the status now or later; returns the seconds until it must be called again."""
        if self._written == (queue.version, told):
            return 60.0
        if now < self._next:
            return self._next - now
        summary = {**told, "counts": dict(queue.counts()), "queue": listed(queue.items.values())}
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps(summary), "ascii")
        temporary.replace(self._file)
        self._written, self._next = (queue.version, told), now + WRITE_EVERY
        return 60.0

    def close(self) -> None:
        """Delete the file: the service has ended. The queue is in a file of its own."""
        with suppress(FileNotFoundError):
            self._file.unlink()


def read_status(file: Path) -> dict[str, Any]:
    """The status in ``file``; empty when there is none, or none that this version of curator can have written."""
    try:
        told: dict[str, Any] = json.loads(file.read_text("ascii"))
        items = [QueueItem(**item) for item in told["queue"]]
        counts, watcher, paused = told["counts"].values(), told["watcher"], told["paused"]
        numbers = [*counts, told["settling"], *([paused["until"]] if paused else [])]
        is_ours = all(item.state in _ORDER for item in items) and all(map(_is_number, numbers))
        return told if is_ours and watcher.keys() >= _WATCHER_KEYS and (not paused or "why" in paused) else {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def listed(items: Iterable[QueueItem]) -> list[dict[str, Any]]:
    """The sources that are not done, those in progress first."""
    going = [item for item in items if item.state != "done"]
    first = heapq.nsmallest(_MAX_LISTED, going, key=lambda item: (_ORDER.index(item.state), item.arrived, item.source))
    return [{**asdict(item), "source": printable(item.source)} for item in first]


def age(since: float) -> str:
    """How long ago, in the largest fitting unit: ``12 s``, ``5 min``, ``3 h``."""
    seconds = max(0.0, time.time() - since)
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
