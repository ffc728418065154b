"""The queue of a watched wiki: the state of every source, kept in a file that only grows.

Each line is one change of one source's state, so that a kill at any moment loses nothing: what was in progress is tried
again, and a source over which curate died twice is parked.
"""

from __future__ import annotations

import heapq
import json
import time
from collections import Counter
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from curator.system import atomic

State = Literal["queued", "reading", "thinking", "checking", "committing", "waiting", "parked", "skipped", "done"]
"""waiting: tried again at ``next_try``; parked: until the file changes or ``curate retry``; skipped: not a source, or put
aside by ``curate skip``."""
IN_PROGRESS = frozenset({"reading", "thinking", "checking", "committing"})
CRASHES = 2
"""A source over which so many workers died is parked."""
DEATHS = 5
"""A source is parked when the service died so often while nothing else was in progress. The service opens no source, so
that is rarely the reason."""
LONGEST_WAIT = 300.0
"""The longest wait for the next attempt, in seconds; a later ``next_try`` comes from a clock that was set back since."""
_SPARE_LINES = 1000


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One source and its state."""

    source: str
    stamp: str
    state: State
    arrived: float
    """Seconds since 1970, as are all times here."""
    attempts: int = 0
    crashes: int = 0
    next_try: float = 0.0
    since: float = 0.0
    """When it came into this state."""
    reason: str = ""
    suspect: bool = False
    """It was one of several in progress when curate died: it is tried alone, to find the one to blame."""
    deaths: int = 0
    blamed: int = 0
    """How often the model failed over it and succeeded for others in between."""
    since_fault: float = 0.0

    @property
    def is_in_progress(self) -> bool:
        return self.state in IN_PROGRESS

    @property
    def is_pending(self) -> bool:
        """True when it will be tried without anybody's doing."""
        return self.state in ("queued", "waiting")


_STATES = frozenset(get_args(State))
_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(QueueItem)}


class Queue:
    """The newest state of each source, kept in ``file``. ``restarted``: the machine was, so no source is to blame."""

    def __init__(self, file: Path, restarted: bool = False) -> None:
        self._file = file
        self.items = load_queue(file)
        before = dict(self.items)
        alone = sum(item.is_in_progress for item in self.items.values()) == 1
        for item in self.items.values():
            if item.is_in_progress:
                self.items[item.source] = _after_death(item, alone, restarted)
        self.newly_parked = [item for name, item in self.items.items() if item.state == "parked" != before[name].state]
        """The sources that were parked just now, because the service died over them."""
        self.version = 0
        """Changes with every change of the queue."""
        self._pending = {name: item for name, item in self.items.items() if item.is_pending}
        self._stream = self._write_anew()  # rewritten, for a line that a crash has torn

    def put(self, item: QueueItem) -> None:
        """Record the new state of a source; it is in the file when this returns."""
        self.items[item.source] = item
        self.version += 1
        if item.is_pending:
            self._pending[item.source] = item
        else:
            self._pending.pop(item.source, None)
        self._stream.write(_line(item))
        self._stream.flush()
        self._lines += 1
        if self._lines > 4 * len(self.items) + _SPARE_LINES:
            self._rewrite()

    def set_state(self, item: QueueItem, state: State, reason: str = "") -> None:
        self.put(replace(item, state=state, reason=reason, since=time.time()))

    def forget(self, sources: list[str]) -> None:
        """Remove sources whose files are gone."""
        for source in sources:
            del self.items[source]
            self._pending.pop(source, None)
        if sources:
            self.version += 1
            self._rewrite()

    def due(self, now: float, most: int, *, probing: bool = False) -> list[QueueItem]:
        """The sources that may be tried now, ``most`` at most, in order of arrival; suspects last.

        With ``probing`` the ones that the model has not failed over yet, or longest ago, come first.
        """
        found = (item for item in self._pending.values() if not now < item.next_try <= now + LONGEST_WAIT)
        return heapq.nsmallest(
            most, found, key=lambda item: (item.suspect, item.since_fault * probing, item.arrived, item.source)
        )

    def next_due(self, now: float) -> float | None:
        """When the next waiting source may be tried, in seconds since 1970; None when none waits."""
        tries = (item.next_try for item in self._pending.values())
        return min((due for due in tries if now < due <= now + LONGEST_WAIT), default=None)

    @property
    def pending(self) -> int:
        return len(self._pending)

    def counts(self) -> Counter[str]:
        return Counter(item.state for item in self.items.values())

    def close(self) -> None:
        self._stream.close()

    def _rewrite(self) -> None:
        """Write the file anew. The old one stays open until then: on a full disk there may be no new one."""
        before, self._stream = self._stream, self._write_anew()
        before.close()

    def _write_anew(self) -> TextIO:
        atomic.write(self._file, "".join(map(_line, self.items.values())).encode("ascii"))
        self._lines = len(self.items)
        return self._file.open("a", encoding="ascii")


def load_queue(file: Path) -> dict[str, QueueItem]:
    """The newest state of each source, as ``file`` has it."""
    try:
        lines = file.open(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return {}
    with lines:
        return {item.source: item for line in lines if (item := _item(line)) is not None}


def _item(line: str) -> QueueItem | None:
    """The item in a line; None for a line that a crash has torn, or that another version wrote."""
    try:
        item = QueueItem(**json.loads(line))
        return item if item.state in _STATES and isinstance(item.source, str) else None
    except (ValueError, TypeError):
        return None


def _line(item: QueueItem) -> str:
    values = {name: value for name, default in _DEFAULTS.items() if (value := getattr(item, name)) != default}
    return json.dumps(values) + "\n"


def _after_death(item: QueueItem, alone: bool, restarted: bool) -> QueueItem:
    """The state of an item that was in progress when the service died: queued again, or parked."""
    if restarted:
        return replace(item, state="queued")
    if not alone:
        return replace(item, state="queued", suspect=True)
    deaths = item.deaths + 1
    return _tried_again(replace(item, deaths=deaths), deaths < DEATHS, deaths)


def crashed(item: QueueItem) -> QueueItem:
    """The state of an item over which its worker died: queued again, or parked."""
    crashes = item.crashes + 1
    return _tried_again(replace(item, crashes=crashes), crashes < CRASHES, crashes)


def _tried_again(item: QueueItem, again: bool, times: int) -> QueueItem:
    if again:
        return replace(item, state="queued", suspect=True)
    return replace(item, state="parked", reason=f"curate died {times} times while it was at work on it")
