"""``_log.md``, the append-only activity log (AIP-10, required generated files).

## [2026-04-15T09:30:00Z] ingest | sources/paper.md
- created [[wheel]] Wheel
- 1 claim left out: ...
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from curator.system import clocks

PATH = "_log.md"
HEADING = "# Log\n"
EVENTS = ("ingest", "query", "lint", "manual")

_EVENT = re.compile(r"## \[(?P<at>[^\]]+)\] (?P<type>[a-z-]+) \| (?P<subject>.*)")


@dataclass(frozen=True)
class LogEvent:
    """One entry of the log."""

    at: str
    """ISO 8601, UTC."""
    type: str
    subject: str
    bullets: tuple[str, ...] = ()

    @classmethod
    def now(cls, moment: datetime, type: str, subject: str, bullets: Sequence[str]) -> LogEvent:
        return cls(clocks.utc_timestamp(moment), type, _one_line(subject), tuple(map(_one_line, bullets)))

    def __str__(self) -> str:
        return "\n".join([f"## [{self.at}] {self.type} | {self.subject}", *(f"- {bullet}" for bullet in self.bullets)])


def append(log: str, event: LogEvent) -> str:
    """The log with ``event`` at its end; all that was there stays, byte for byte."""
    before = log or HEADING
    gap = "" if before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    return f"{before}{gap}{event}\n"


def parse(log: str) -> list[LogEvent]:
    """The events of a log, oldest first; other text is passed over."""
    events: list[LogEvent] = []
    bullets: list[str] = []
    head: re.Match[str] | None = None
    for line in [*log.splitlines(), ""]:
        match = _EVENT.fullmatch(line)
        if match:
            if head:
                events.append(_event(head, bullets))
            head, bullets = match, []
        elif head and line.startswith("- "):
            bullets.append(line[2:])
    if head:
        events.append(_event(head, bullets))
    return events


def _event(head: re.Match[str], bullets: list[str]) -> LogEvent:
    return LogEvent(head["at"], head["type"], head["subject"], tuple(bullets))


def _one_line(text: str) -> str:
    return " ".join(text.split())
