"""What a service tells of itself: a small file that ``curate status`` reads. It is never more than a second behind."""

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

EVERY = 0.5
_MOST = 200
"""Sources that are told of one by one; the others are counted."""
_OF_WATCHER = {"mode", "why", "watches", "lost"}
_ORDER = ("committing", "checking", "thinking", "reading", "waiting", "parked", "skipped", "queued")


class StatusFile:
    """Writes the file, when there is something new to tell, at most every ``EVERY`` seconds."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._shown: tuple[int, dict[str, Any]] | None = None
        self._next = 0.0

    def show(self, queue: Queue, told: dict[str, Any], now: float) -> float:
        """Show it now or later; the seconds until it has to be called again."""
        if self._shown == (queue.version, told):
            return 60.0
        if now < self._next:
            return self._next - now
        summary = {**told, "counts": dict(queue.counts()), "queue": listed(queue.items.values())}
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps(summary), "ascii")
        temporary.replace(self._file)
        self._shown, self._next = (queue.version, told), now + EVERY
        return 60.0

    def close(self) -> None:
        """The service has ended: what it told holds no more, but for its queue, which is in its own file."""
        with suppress(FileNotFoundError):
            self._file.unlink()


def read(file: Path) -> dict[str, Any]:
    """What is shown; empty when there is nothing, or nothing that this curator could have written."""
    try:
        told: dict[str, Any] = json.loads(file.read_text("ascii"))
        items = [QueueItem(**item) for item in told["queue"]]
        counts, watcher, paused = told["counts"].values(), told["watcher"], told["paused"]
        numbers = [*counts, told["settling"], *([paused["until"]] if paused else [])]
        is_ours = all(item.state in _ORDER for item in items) and all(map(_is_number, numbers))
        return told if is_ours and watcher.keys() >= _OF_WATCHER and (not paused or "why" in paused) else {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def listed(items: Iterable[QueueItem]) -> list[dict[str, Any]]:
    """The sources that are not done, those at work first."""
    going = [item for item in items if item.state != "done"]
    first = heapq.nsmallest(_MOST, going, key=lambda item: (_ORDER.index(item.state), item.arrived, item.source))
    return [_told_of(item) for item in first]


def _told_of(item: QueueItem) -> dict[str, Any]:
    return {**asdict(item), "source": printable(item.source)}


def age(since: float) -> str:
    """How long ago, in the largest fitting unit: ``12 s``, ``5 min``, ``3 h``."""
    seconds = max(0.0, time.time() - since)
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
