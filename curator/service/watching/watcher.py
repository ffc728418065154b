"""When to scan ``sources/``: at once after an event, within two seconds after a folder has changed, else after a while.

Events are hints. They fail in silence: the kernel drops some when too many come at once, its limit of watches is reached,
the watched folder is replaced, a thread of watchdog dies, a network file system does not report what others do. No
attempt is made to find out. Instead every check compares the inode and the time of change of each folder: a file that
came, went or was renamed changes them. So a watch that hears nothing costs two seconds. What this cannot see, a file that
was written in place, is found by the scan that comes after a while in any case.
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from curator.system import clocks
from curator.system.filenames import TEMPORARY
from curator.system.mounts import risk_in

if TYPE_CHECKING:
    from curator.service.watching.events import Events

WITH_EVENTS, POLLING = 30.0, 5.0
"""Seconds between two scans, at most, when nothing happens."""
SET_UP_EVERY = 30.0
"""Seconds until events that have failed are set up again, and the kind of file system is looked at again."""
IDLE_SHARE = 400
"""What takes a second of processor time while nothing happens is not done again for so many seconds."""
_REMEMBERED = 10

WatchMode = Literal["auto", "events", "polling"]
FolderState = tuple[int, int, int]
"""Device, inode and the time of the last change."""


class Watcher:
    """Watches ``sources/`` of the wiki in ``root``; ``wake`` is called from another thread when something happens there."""

    def __init__(
        self,
        root: Path,
        mode: WatchMode,
        wake: Callable[[], None],
        read_clocks: Callable[[], clocks.ClockReading] = clocks.read,
    ) -> None:
        self._sources, self._mode, self._wake = root.resolve() / "sources", mode, wake
        self._read_clocks = read_clocks
        self._clocks = read_clocks()
        self._events: Events | None = None
        self._folders: dict[str, FolderState] = {}
        self._place: tuple[int, int] | None = None
        self._risk = self._why = ""
        self._wants_scan = self._has_heard = self._is_unheard = False
        self._lost = 0
        self._noted: deque[dict[str, str]] = deque(maxlen=_REMEMBERED)
        self._next_set_up = self._next_comparison = 0.0

    def __enter__(self) -> Self:
        self._set_up(self._clocks.monotonic)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._close_events()

    # -- what the scheduler asks -----------------------------------------------------------------------------------

    def check(self, now: float) -> None:
        """Look for changes that no event has told of; ``now`` is the monotonic clock. Call it every two seconds."""
        before, self._clocks = self._clocks, self._read_clocks()
        if said := clocks.jump_between(before, self._clocks):
            self._note(said)
        if (place := _place_of(self._sources)) != self._place:
            self._note_replaced(place)
            self._set_up(now)
        elif now >= self._next_set_up:
            self._renew(now)
        if now >= self._next_comparison:
            self._compare_folders(now)

    @property
    def period(self) -> float:
        """Seconds until the next scan, at most, when nothing is heard meanwhile."""
        return POLLING if self._events is None and self._place is not None else WITH_EVENTS

    def wants_scan(self) -> bool:
        """True once after something may have been missed."""
        wanted, self._wants_scan = self._wants_scan, False
        return wanted

    def state(self) -> dict[str, Any]:
        """For ``curate status``: ``why`` is empty when all is well; ``lost`` counts what no event has told of."""
        mode = "none" if self._place is None else "polling" if self._events is None else "events"
        return {
            "mode": mode,
            "why": self._why,
            "watches": len(self._folders) if mode == "events" else 0,
            "lost": self._lost,
            "noted": list(self._noted),
        }

    # -- events ----------------------------------------------------------------------------------------------------

    def _set_up(self, now: float) -> None:
        """Start to listen to events, where the file system has them and the settings want them."""
        self._close_events()
        self._next_set_up, self._next_comparison = now + SET_UP_EVERY, 0.0
        self._place, self._folders = _place_of(self._sources), _folders_below(self._sources)
        self._risk = risk_in(self._sources) if self._place is not None else ""
        self._why = self._reason_for_doubt()
        if self._place is None or self._mode == "polling" or (self._risk and self._mode == "auto"):
            return
        from curator.service.watching.events import Events

        try:
            self._events = Events(self._sources, self._hear)
        except (OSError, RuntimeError) as error:
            self._why = f"the system watches nothing: {getattr(error, 'strerror', None) or error}"

    def _reason_for_doubt(self) -> str:
        if self._place is None:
            return "sources/ is no folder" if os.path.lexists(self._sources) else "there is no folder sources/"
        if self._mode == "polling" or not self._risk:
            return ""
        if self._mode == "auto":
            return f"sources/ is on {self._risk}, which does not tell what others do"
        return f"sources/ is on {self._risk}: what others do is seen at the next look only"

    def _renew(self, now: float) -> None:
        """Set events up again that could not be set up or have ended, and when the file system is another one."""
        self._next_set_up = now + SET_UP_EVERY
        if self._place is None or self._mode == "polling":
            return
        if self._events is not None and not self._events.is_alive:
            self._lost += 1
            self._note("the watch had died: it was set up anew")
        elif self._events is not None and risk_in(self._sources) == self._risk:
            return
        had_events = self._events is not None
        self._set_up(now)
        if self._events is not None and not had_events:
            self._note("the system tells of changes again")

    def _close_events(self) -> None:
        if self._events is not None:
            self._events.close()
        self._events = None

    def _hear(self) -> None:
        """Called from a thread of watchdog."""
        self._has_heard = True
        self._wake()

    # -- folders ---------------------------------------------------------------------------------------------------

    def _compare_folders(self, now: float) -> None:
        """Want a scan when a folder has changed. One that no event told of, in this check or the next, counts as lost."""
        began = time.thread_time()
        has_changed = any(_state_of(path) != known for path, known in self._folders.items())
        if has_changed:
            self._folders, self._wants_scan = _folders_below(self._sources), True
        self._next_comparison = now + IDLE_SHARE * (time.thread_time() - began)
        self._lost += self._events is not None and self._is_unheard and not self._has_heard
        self._is_unheard = has_changed and not self._has_heard
        self._has_heard = False

    def _note_replaced(self, place: tuple[int, int] | None) -> None:
        """``sources/`` is another folder than before, or none."""
        if place is None:
            said = "sources/ is gone"
        else:
            said = "sources/ is there" if self._place is None else "sources/ was replaced"
        self._lost += self._place is not None
        self._note(said)

    def _note(self, what: str) -> None:
        """Remember for ``curate status``; whatever is worth a note is worth a scan."""
        self._wants_scan = True
        self._noted.append({"at": clocks.utc_timestamp(datetime.now(UTC)), "what": what})


def _folders_below(sources: Path) -> dict[str, FolderState]:
    """``sources`` and the folders below it that can be read and are not temporary."""
    found: dict[str, FolderState] = {}
    waiting = [str(sources)]
    while waiting:
        path = waiting.pop()
        state = _state_of(path)  # before its entries are listed, so that one that comes meanwhile is a change
        if state is None:
            continue
        try:
            with os.scandir(path) as entries:
                waiting += [entry.path for entry in entries if _is_folder(entry)]
        except OSError:
            continue
        found[path] = state
    return found


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not TEMPORARY.search(entry.name)


def _state_of(folder: str | Path) -> FolderState | None:
    """None for what is no folder, or is gone."""
    try:
        about = os.lstat(folder)
    except OSError:
        return None
    return (about.st_dev, about.st_ino, about.st_mtime_ns) if stat.S_ISDIR(about.st_mode) else None


def _place_of(folder: Path) -> tuple[int, int] | None:
    """Which folder this is, by device and inode; None when there is none."""
    state = _state_of(folder)
    return state[:2] if state is not None else None
