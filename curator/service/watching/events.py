"""What the system tells of ``sources/``, by watchdog: that something happened, not what.

Only kinds of events are asked for that may mean a new source. Not that a file was opened: our own looks do that, and
would wake us for the next one. Not that it was written to: it is closed at the end, and a slow copy stays quiet.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from watchdog import events
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

NAMES: list[type[events.FileSystemEvent]] = [
    events.FileCreatedEvent,
    events.FileDeletedEvent,
    events.FileMovedEvent,
    events.DirCreatedEvent,
    events.DirDeletedEvent,
    events.DirMovedEvent,
]
_SECONDS_TO_END = 3.0
_WATCHDOG = logging.getLogger("watchdog")

Call = Callable[[], None]


class Events(events.FileSystemEventHandler):
    """The watches on ``sources`` and all below it, and on its name in the folder above.

    Called from other threads: ``happened`` for whatever happens below, ``replaced`` when the name was given, moved or
    taken away, ``overflowed`` when the kernel had to drop some of it. Raises OSError when the first watches cannot be
    set; for folders below nobody says so.
    """

    def __init__(self, sources: Path, happened: Call, replaced: Call, overflowed: Call) -> None:
        if Observer is PollingObserver:
            raise OSError("this system has no events for files")
        self._sources, self._happened, self._replaced, self._overflowed = sources, happened, replaced, overflowed
        self._is_closed = False
        self._observer = Observer()
        self._log = _Log(self)
        _WATCHDOG.addHandler(self._log)
        try:
            self._observer.start()
            self._observer.schedule(_Name(self), str(sources.parent), event_filter=NAMES)
            if sources.is_dir() and not sources.is_symlink():
                kinds = [*NAMES, events.FileClosedEvent]
                self._observer.schedule(self, str(sources), recursive=True, event_filter=kinds)
        except BaseException:
            self.close()
            raise

    def dispatch(self, event: events.FileSystemEvent) -> None:
        # A folder that was moved away is heard of until its watch is gone.
        if not self._is_closed:
            self._happened()

    def heard_of_name(self, event: events.FileSystemEvent) -> None:
        if not self._is_closed and str(self._sources) in (event.src_path, event.dest_path):
            self._replaced()

    def heard_of_overflow(self) -> None:
        if not self._is_closed:
            self._overflowed()

    @property
    def is_alive(self) -> bool:
        """False when one of watchdog's threads has ended: it tells nobody, and nothing is heard any more."""
        reader = getattr(self._observer, "_inotify_fd", None)
        threads = [
            self._observer,
            *self._observer.emitters,
            *([reader] if isinstance(reader, threading.Thread) else []),
        ]
        return all(thread.is_alive() for thread in threads)

    def close(self) -> None:
        """Ends within seconds, also when watchdog does not: it waits for its threads without an end of patience."""
        self._is_closed = True
        ending = threading.Thread(target=self._end, daemon=True)
        ending.start()
        ending.join(_SECONDS_TO_END)

    def _end(self) -> None:
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()
        # Until now: what watchdog says of its own end would go to our standard error.
        _WATCHDOG.removeHandler(self._log)


class _Name(events.FileSystemEventHandler):
    """Hears of all names in the wiki's root, and passes on what concerns ``sources``."""

    def __init__(self, listener: Events) -> None:
        self._listener = listener

    def dispatch(self, event: events.FileSystemEvent) -> None:
        self._listener.heard_of_name(event)


class _Log(logging.Handler):
    """Watchdog says only to its log that the kernel's queue overflowed."""

    def __init__(self, listener: Events) -> None:
        super().__init__(logging.WARNING)
        self._listener = listener

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage():
            self._listener.heard_of_overflow()
