"""The queue of a watched wiki: what waits, what is at work and what became of it, in a file that only grows.

Each line is one change of one source's state. Whatever was at work when the process died is tried once more; a source
that took the process down twice is set aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from curator import durable

State = Literal["queued", "working", "waiting", "parked", "skipped", "done"]
"""waiting: tried again at ``next_try``; parked: until the file changes or somebody says so; skipped: can be no source."""
CRASHES = 2
_SPARE = 1000


@dataclass(frozen=True)
class Item:
    """One source and where it is on its way."""

    source: str
    stamp: str
    state: State
    arrived: float
    """Seconds since 1970, as are all times here."""
    attempts: int = 0
    crashes: int = 0
    next_try: float = 0.0
    reason: str = ""


class Queue:
    """The newest state of each source, kept in ``file``."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.items: dict[str, Item] = {}
        for item in self._read():
            self.items[item.source] = item
        self.items = {source: _after_crash(item) for source, item in self.items.items()}
        self._rewrite()  # without what a crash has torn, which the next line would be written behind

    def put(self, item: Item) -> None:
        """Remember the new state; it is in the file before anything is done about it."""
        self.items[item.source] = item
        self._stream.write(json.dumps(asdict(item)) + "\n")
        self._stream.flush()
        self._lines += 1
        if self._lines > 4 * len(self.items) + _SPARE:
            self._stream.close()
            self._rewrite()

    def forget(self, source: str) -> None:
        """The file is gone."""
        if source in self.items:
            del self.items[source]
            self._stream.close()
            self._rewrite()

    def due(self, now: float) -> list[Item]:
        """What may be worked on now, in order of arrival."""
        found = [item for item in self.items.values() if item.state in ("queued", "waiting") and item.next_try <= now]
        return sorted(found, key=lambda item: (item.arrived, item.source))

    def next_due(self) -> float | None:
        times = [item.next_try for item in self.items.values() if item.state == "waiting"]
        return min(times, default=None)

    def close(self) -> None:
        self._stream.close()

    def _read(self) -> Iterator[Item]:
        try:
            lines = self._file.read_text("ascii", "replace").splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                yield Item(**json.loads(line))
            except (ValueError, TypeError):
                continue  # torn by a crash

    def _rewrite(self) -> None:
        text = "".join(json.dumps(asdict(item)) + "\n" for item in self.items.values())
        durable.write(self._file, text.encode("ascii"))
        self._lines = len(self.items)
        self._stream = self._file.open("a", encoding="ascii")


def _after_crash(item: Item) -> Item:
    """What was at work goes back into the queue, or aside."""
    if item.state != "working":
        return item
    crashes = item.crashes + 1
    if crashes < CRASHES:
        return replace(item, state="queued", crashes=crashes)
    return replace(
        item, state="parked", crashes=crashes, reason=f"curate died {crashes} times while it was at work on it"
    )
