"""The queue of a watched wiki: what waits, what is at work and what became of it, in a file that only grows.

Each line is one change of one source's state, so that a kill at any moment loses nothing: whatever was at work is tried
again, and a source that took curate down twice is set aside.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

from curator.system import atomic

State = Literal["queued", "reading", "thinking", "checking", "committing", "waiting", "parked", "skipped", "done"]
"""waiting: tried again at ``next_try``; parked: until the file changes or somebody says so; skipped: it is no source, or
somebody does not want it."""
AT_WORK = frozenset({"reading", "thinking", "checking", "committing"})
CRASHES = 2
"""So often may the process that reads it die over a source."""
DEATHS = 5
"""So often may the service die while a source is the only one at work: as it reads none, that is rarely the reason."""
LONGEST_WAIT = 300.0
"""Nothing waits longer for its next try: what seems to was told so by a clock that has been set back since."""
_SPARE = 1000


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One source and where it is on its way."""

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
    """It was at work with others when curate died: it is tried alone, so that the one to blame is found."""
    deaths: int = 0
    blamed: int = 0
    """How often a model failed over it that worked for others in between."""
    since_fault: float = 0.0

    @property
    def is_at_work(self) -> bool:
        return self.state in AT_WORK

    @property
    def is_going(self) -> bool:
        """It will be worked on without anybody's doing."""
        return self.state in ("queued", "waiting")


_STATES = frozenset(get_args(State))
_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(QueueItem)}


class Queue:
    """The newest state of each source, kept in ``file``. ``restarted``: the machine was, which is nobody's fault."""

    def __init__(self, file: Path, restarted: bool = False) -> None:
        self._file = file
        self.items = load(file)
        before = dict(self.items)
        alone = sum(item.is_at_work for item in self.items.values()) == 1
        for item in self.items.values():
            if item.is_at_work:
                self.items[item.source] = _after_death(item, alone, restarted)
        self.set_aside = [item for name, item in self.items.items() if item.state == "parked" != before[name].state]
        """Those that were parked just now, by the last death of the service."""
        self.version = 0
        """Another number after each change."""
        self._going = {name: item for name, item in self.items.items() if item.is_going}
        self._stream = self._written()  # without what a crash has torn, which the next line would be written behind

    def put(self, item: QueueItem) -> None:
        """Remember the new state; it is in the file before anything is done about it."""
        self.items[item.source] = item
        self.version += 1
        if item.is_going:
            self._going[item.source] = item
        else:
            self._going.pop(item.source, None)
        self._stream.write(_line(item))
        self._stream.flush()
        self._lines += 1
        if self._lines > 4 * len(self.items) + _SPARE:
            self._rewrite()

    def forget(self, sources: list[str]) -> None:
        """The files are gone."""
        for source in sources:
            del self.items[source]
            self._going.pop(source, None)
        if sources:
            self.version += 1
            self._rewrite()

    def due(self, now: float, most: int, *, probing: bool = False) -> list[QueueItem]:
        """What may be worked on now, ``most`` at most, in order of arrival; suspects last.

        With ``probing`` those go before that the model has not failed over yet, or longest ago: it may be for their sake.
        """
        found = (item for item in self._going.values() if not now < item.next_try <= now + LONGEST_WAIT)
        return heapq.nsmallest(
            most, found, key=lambda item: (item.suspect, item.since_fault * probing, item.arrived, item.source)
        )

    def next_due(self, now: float) -> float | None:
        """When the next source is due that is not due yet."""
        tries = (item.next_try for item in self._going.values())
        return min((due for due in tries if now < due <= now + LONGEST_WAIT), default=None)

    @property
    def going(self) -> int:
        return len(self._going)

    def counts(self) -> Counter[str]:
        return Counter(item.state for item in self.items.values())

    def close(self) -> None:
        self._stream.close()

    def _rewrite(self) -> None:
        """The old file stays open until there is a new one: on a full disk there may be none."""
        before, self._stream = self._stream, self._written()
        before.close()

    def _written(self) -> TextIO:
        atomic.write(self._file, "".join(map(_line, self.items.values())).encode("ascii"))
        self._lines = len(self.items)
        return self._file.open("a", encoding="ascii")


def load(file: Path) -> dict[str, QueueItem]:
    """The newest state of each source, as ``file`` has it."""
    try:
        lines = file.open(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return {}
    with lines:
        return {item.source: item for line in lines if (item := _item(line)) is not None}


def _item(line: str) -> QueueItem | None:
    """None for a line that a crash has torn, or that is none of ours."""
    try:
        item = QueueItem(**json.loads(line))
        return item if item.state in _STATES and isinstance(item.source, str) else None
    except (ValueError, TypeError):
        return None


def _line(item: QueueItem) -> str:
    told = {name: value for name, default in _DEFAULTS.items() if (value := getattr(item, name)) != default}
    return json.dumps(told) + "\n"


def _after_death(item: QueueItem, alone: bool, restarted: bool) -> QueueItem:
    """The service died: what was at work goes back into the queue, or aside."""
    if restarted:
        return replace(item, state="queued")
    if not alone:
        return replace(item, state="queued", suspect=True)
    deaths = item.deaths + 1
    return _tried_again(replace(item, deaths=deaths), deaths < DEATHS, deaths)


def crashed(item: QueueItem) -> QueueItem:
    """The process that was at work on it, and on nothing else, died."""
    crashes = item.crashes + 1
    return _tried_again(replace(item, crashes=crashes), crashes < CRASHES, crashes)


def _tried_again(item: QueueItem, again: bool, times: int) -> QueueItem:
    if again:
        return replace(item, state="queued", suspect=True)
    return replace(item, state="parked", reason=f"curate died {times} times while it was at work on it")
