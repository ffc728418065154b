"""Events of the file system below ``sources/``, by watchdog: that something happened, not what.

Only kinds of events are asked for that may mean a new source. Not that a file was opened: our own scan does that, and
would cause the next one. Not that it was written to: it is closed at the end, and a slow copy causes no events.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from watchdog import events
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

_KINDS: list[type[events.FileSystemEvent]] = [
    events.FileCreatedEvent,
    events.FileDeletedEvent,
    events.FileMovedEvent,
    events.FileClosedEvent,
    events.DirCreatedEvent,
    events.DirDeletedEvent,
    events.DirMovedEvent,
]
_SECONDS_TO_END = 3.0

# What watchdog says, of lost events or of its own end, would go to our standard error, where each line may be JSON.
logging.getLogger("watchdog").addHandler(logging.NullHandler())


class Events(events.FileSystemEventHandler):
    """Calls ``happened``, from another thread, for whatever happens in ``sources`` and all folders below it.

    Raises OSError when ``sources`` cannot be watched. A folder below it that cannot be watched is passed over in silence,
    and so are events that come faster than they are read.
    """

    def __init__(self, sources: Path, happened: Callable[[], None]) -> None:
        if Observer is PollingObserver:
            raise OSError("this system has no events for files")
        self._happened, self._is_closed = happened, False
        self._observer = Observer()
        try:
            self._observer.start()
            self._observer.schedule(self, str(sources), recursive=True, event_filter=_KINDS)
        except BaseException:
            self.close()
            raise

    def dispatch(self, event: events.FileSystemEvent) -> None:
        """Called by watchdog. A folder that was moved away sends events until its watch is gone."""
        if not self._is_closed:
            self._happened()

    @property
    def is_alive(self) -> bool:
        """False when one of watchdog's threads has ended, as for a folder that was deleted: no event comes any more."""
        return all(thread.is_alive() for thread in (self._observer, *self._observer.emitters))

    def close(self) -> None:
        """End within seconds, even when watchdog does not: it waits for its threads without a limit."""
        self._is_closed = True
        ending = threading.Thread(target=self._end, daemon=True)
        ending.start()
        ending.join(_SECONDS_TO_END)

    def _end(self) -> None:
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()
