"""The looks through ``sources/``: when the next is due, and what each of them puts into the queue or takes out of it.

A file is queued when it has settled, under the stamp that it has then; one that changes while it is ingested is queued
after that.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from curator.service.hooks.command import Emit
from curator.service.queue import Queue, QueueItem, State
from curator.service.watching.open_writers import has_writer
from curator.service.watching.scan import SeenFile, Settling, scan
from curator.service.watching.watcher import IDLE_SHARE

_SHORTEST_PAUSE = 0.5
"""Seconds between two scans, at least."""
_IDLE_PAUSE = 2.0


class ChangeHints(Protocol):
    """Tells when ``sources/`` may have changed, as ``Watcher`` does."""

    @property
    def period(self) -> float: ...

    def check(self, now: float) -> None: ...
    def wants_scan(self) -> bool: ...
    def state(self) -> dict[str, Any]: ...


@dataclass
class SourceScans:
    """The scans of one wiki. Times are of the monotonic clock."""

    root: Path
    queue: Queue
    watcher: ChangeHints
    emit: Emit
    settling: Settling = field(default_factory=Settling)
    unsettled: list[str] = field(default_factory=list)
    """The files that the last scan has seen and left for the next."""
    is_expecting: bool = False
    """One of them at least is new, or other than it was taken in: it is about to be queued."""
    next: float = 0.0
    """When the next scan is due."""
    _scanned_at: float = -_SHORTEST_PAUSE
    _last_arrival: float = 0.0

    def __post_init__(self) -> None:
        self._last_arrival = max((item.arrived for item in self.queue.items.values()), default=0.0)

    def wanted(self) -> None:
        """Something may have changed: while ten thousand files are copied, that is not ten thousand scans."""
        self.next = min(self.next, self._scanned_at + _SHORTEST_PAUSE)

    def wanted_now(self) -> None:
        self.next = 0.0

    def scan(self, now: float, in_progress: Collection[str]) -> set[str]:
        """Look at every file; of ``in_progress``, the sources that workers have, those that are gone or changed by now."""
        self._scanned_at, began = now, time.thread_time()
        seen = {file.path: file for file in scan(self.root)}
        gone: set[str] = set()
        if (self.root / "sources").is_dir():  # else it may come back, as a mount does
            gone = {path for path in self.queue.items if path not in seen and not _may_be_there(path, seen)}
            self.queue.forget(sorted(gone.difference(in_progress)))
        settled = self.settling.update(seen.values(), now)
        arrived = {file.path for file in settled if self._queue_if_changed(file, now)}
        self.unsettled = [path for path in seen if path not in arrived]
        self.is_expecting = any(self._is_new(seen[path]) for path in self.unsettled)
        pause = self.settling.pause(now)
        idle = min(self.watcher.period, max(_IDLE_PAUSE, IDLE_SHARE * (time.thread_time() - began)))
        self.next = now + (idle if pause is None else max(pause, _SHORTEST_PAUSE))
        return {path for path in in_progress if path in gone or (path in seen and self._is_new(seen[path]))}

    def _is_new(self, file: SeenFile) -> bool:
        known = self.queue.items.get(file.path)
        return not file.problem and (known is None or known.stamp != file.stamp)

    def _queue_if_changed(self, file: SeenFile, now: float) -> bool:
        """Queue a settled file that is new or has changed. False: it has to wait, because it is in use or being written."""
        known = self.queue.items.get(file.path)
        if known is not None and (known.stamp == file.stamp or known.is_in_progress):
            return known.stamp == file.stamp  # a change during its ingest is queued after that
        if not file.problem and has_writer(self.root / file.path) and self.settling.postpone(file.path, now):
            return False
        state: State = "skipped" if file.problem else "queued"
        # Later than every arrival before it, even when the clock was set back.
        self._last_arrival = max(time.time(), self._last_arrival + 1e-6)
        self.queue.set_state(QueueItem(file.path, file.stamp, state, self._last_arrival), state, file.problem)
        self.emit(state, {"source": file.path, "reason": file.problem})
        return True


def _may_be_there(path: str, seen: Collection[str]) -> bool:
    """True for a file in a folder that cannot be read."""
    return any(path[:at] in seen for at in range(len(path)) if path[at] == "/")
