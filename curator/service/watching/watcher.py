"""When to look into ``sources/``: at once when the system tells of something, else every few seconds.

Events are hints, and every way in which they were seen to fail is looked for at each check:

- too many come at once, and the kernel drops some: watchdog logs it, and tells nobody;
- the limit of watches is reached: watchdog goes on without, and says nothing at all;
- ``sources/`` is deleted, moved away or made again, or the thread that reads has died: nothing is heard ever after;
- a network file system tells nothing of what others do;
- the machine slept, or the clock was set.

Then they are set up anew, or given up for a while; ``state`` says so. A look is wanted whenever something may be missed.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from curator.service.watching import inotify
from curator.system import clocks
from curator.system.mounts import risk_in

if TYPE_CHECKING:
    from curator.service.watching.events import Events

WITH_EVENTS, POLLING = 30.0, 5.0
"""Seconds between two looks when nothing is heard."""
_UNSURE = 2.0
"""The same while a folder seems not to be watched."""
COUNT_EVERY = 30.0
RETRY_AFTER = 300.0
"""Seconds until events that failed are tried again; a limit that was raised is seen at once."""
_TOO_OFTEN = 60.0
"""Events that fail again within so many seconds are given up."""
_REMEMBERED = 10

Wish = Literal["auto", "events", "polling"]
Place = tuple[int, int] | None


class Watcher:
    """The watch over the ``sources/`` of one wiki; ``wake`` is called from other threads for whatever happens there."""

    def __init__(
        self,
        root: Path,
        wish: Wish,
        wake: Callable[[], None],
        read_clocks: Callable[[], clocks.ClockReading] = clocks.read,
    ) -> None:
        self._sources, self._wish, self._wake = root.resolve() / "sources", wish, wake
        self._read_clocks = read_clocks
        self._clocks = read_clocks()
        self._events: Events | None = None
        self._places: tuple[Place, Place] = (None, None)
        self._was_replaced = self._has_overflowed = self._wants_scan = self._has_failed = False
        self._why, self._watches, self._lost = "", 0, 0
        self._noted: deque[dict[str, str]] = deque(maxlen=_REMEMBERED)
        self._missing: set[int] = set()
        self._next_count = self._retry_at = 0.0
        self._last_trouble: float | None = None
        self._limits = inotify.limits()

    def __enter__(self) -> Self:
        self._start(self._clocks.monotonic)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._stop()

    # -- what the scheduler asks -----------------------------------------------------------------------------------

    def check(self, now: float) -> None:
        """See whether the watch still holds, and mend it. ``now`` only goes forward; call it at every look."""
        self._notice_clocks()
        if self._has_overflowed:
            self._has_overflowed = False
            self._lost += 1
            self._next_count = now
            self._note("more happened at once than the system can tell: some of it was not heard")
        if self._was_replaced or _places(self._sources) != self._places:
            self._move(now)
        elif self._events is None:
            self._try_again(now)
        elif not self._events.is_alive:
            self._mend("the watch had died", now)
        elif now >= self._next_count:
            self._count(now)

    @property
    def period(self) -> float:
        """Seconds until the next look when nothing is heard meanwhile."""
        if self._events is None:
            return POLLING
        return _UNSURE if self._missing else WITH_EVENTS

    def wants_scan(self) -> bool:
        """True once after something may have been missed."""
        wanted, self._wants_scan = self._wants_scan, False
        return wanted

    def state(self) -> dict[str, Any]:
        """For ``curate status``. ``why`` is empty when all is well; ``lost`` counts what overflowed and was set up anew."""
        mode = "none" if self._places[1] is None else "polling" if self._events is None else "events"
        return {
            "mode": mode,
            "why": self._why,
            "watches": self._watches,
            "lost": self._lost,
            "noted": list(self._noted),
        }

    # -- setting up ------------------------------------------------------------------------------------------------

    def _start(self, now: float) -> None:
        self._was_replaced, self._missing, self._watches, self._why = False, set(), 0, ""
        self._places = _places(self._sources)
        self._retry_at = now + RETRY_AFTER
        if self._places[1] is None:
            self._why = "sources/ is no folder" if os.path.lexists(self._sources) else "there is no folder sources/"
        if self._places[0] is None or self._wish == "polling":
            return
        if self._places[1] is not None and (risk := risk_in(self._sources)):
            if self._wish == "auto":
                self._why = f"sources/ is on {risk}, which does not tell what others do"
                self._retry_at = now + COUNT_EVERY
                return
            self._why = f"sources/ is on {risk}: what others do is seen at the next look only"
        self._open(now)

    def _open(self, now: float) -> None:
        """Set the watches. What stands in the way is told, and polled around."""
        from curator.service.watching.events import Events

        try:
            self._events = Events(self._sources, self._wake, self._heard_of_name, self._overflowed)
        except (OSError, RuntimeError) as error:
            self._give_up(f"the system watches nothing: {inotify.refusal(error)}", now)
            return
        self._count(now)

    def _stop(self) -> None:
        if self._events is not None:
            self._events.close()
        self._events = None

    def _give_up(self, why: str, now: float) -> None:
        self._stop()
        if not self._has_failed:
            self._note(why)
        self._has_failed = True
        self._why, self._missing, self._watches = why, set(), 0
        self._retry_at, self._limits = now + RETRY_AFTER, inotify.limits()

    # -- what is noticed -------------------------------------------------------------------------------------------

    def _move(self, now: float) -> None:
        """``sources/`` is another folder than before, or the wiki is."""
        before = self._places[1]
        self._stop()
        self._start(now)
        if self._places[1] is None:
            said = "sources/ is gone"
        else:
            said = "sources/ is there" if before is None else "sources/ was replaced"
        self._lost += before is not None
        self._note(said)

    def _mend(self, what: str, now: float) -> None:
        """Set the watches anew; when that was tried just now, it is of no use."""
        self._lost += 1
        if self._last_trouble is not None and now - self._last_trouble < _TOO_OFTEN:
            self._give_up(f"{what}, and again", now)
            return
        self._last_trouble = now
        self._note(f"{what}: it was set up anew")
        self._stop()
        self._start(now)

    def _try_again(self, now: float) -> None:
        """Back to events, when they may be possible again; failing once more is no news."""
        if self._wish == "polling" or self._places[0] is None:
            return
        if now < self._retry_at and inotify.limits() == self._limits:
            return
        before, self._limits = self._why, inotify.limits()
        self._start(now)
        if self._events is not None and self._missing:
            self._give_up(before, now)
        elif self._events is not None:
            self._note("the system tells of changes again")

    def _count(self, now: float) -> None:
        """Compare the folders with the watches that the kernel has. One that is just being made is missing only once."""
        self._next_count = now + COUNT_EVERY
        if self._wish == "auto" and not self._why and risk_in(self._sources):
            self._stop()
            self._start(now)
            return
        watched, folders = inotify.watched(), inotify.folders_in(self._sources)
        if watched is None or self._places[1] is None:
            return
        self._watches = len(folders & watched)
        missing, before = folders - watched, self._missing
        self._missing = missing
        if not missing & before:
            self._has_failed = self._has_failed and bool(missing)
            self._next_count = now + (_UNSURE / 2 if missing else COUNT_EVERY)
        elif self._last_trouble is None or now - self._last_trouble > _TOO_OFTEN:
            self._mend(f"{len(missing)} folders were not watched", now)
        else:
            told = f"the system watches {self._watches} of {len(folders)} folders"
            self._give_up(f"{told}; {inotify.hint('watches')}", now)

    def _notice_clocks(self) -> None:
        before, self._clocks = self._clocks, self._read_clocks()
        if said := clocks.jump_between(before, self._clocks):
            self._note(said)

    def _note(self, what: str) -> None:
        """Whatever is worth a note is worth a look."""
        self._wants_scan = True
        self._noted.append({"at": clocks.utc_timestamp(datetime.now(UTC)), "what": what})

    # -- from other threads ----------------------------------------------------------------------------------------

    def _heard_of_name(self) -> None:
        self._was_replaced = True
        self._wake()

    def _overflowed(self) -> None:
        self._has_overflowed = True
        self._wake()


def _places(sources: Path) -> tuple[Place, Place]:
    """Which folders the wiki and its ``sources/`` are: another one of the same name is another place."""
    return _place(sources.parent), _place(sources)


def _place(folder: Path) -> Place:
    try:
        about = folder.lstat()
    except OSError:
        return None
    return (about.st_dev, about.st_ino) if stat.S_ISDIR(about.st_mode) else None
