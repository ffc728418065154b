"""``sources.retention: days:<n>``: which sources have been kept for long enough (AIP-10). curator says so and deletes none.

The days count from the capture of the bytes: ``capturedAt`` of the record, else the newest ingest that the log tells of.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from curator.system.filenames import printable
from curator.wiki import log
from curator.wiki.sources.registry import SourceManifest


@dataclass(frozen=True)
class Due:
    """A source that has been kept for long enough."""

    path: str
    captured: str
    """The day, ``YYYY-MM-DD``."""
    days: int

    @property
    def next(self) -> str:
        """What its owner may do; nobody does it for them."""
        name = shlex.quote(printable(self.path))
        return f"rm {name} && curate remove {name} --why 'kept for {self.days} days'"

    def as_json(self) -> dict[str, object]:
        return {"source": self.path, "captured": self.captured, "next": self.next}


def days(policy: Mapping[str, Any]) -> int | None:
    """``retention`` of a manifest's ``sources``: the days of ``days:<n>``; None for ever."""
    written = str(policy.get("retention") or "")
    return int(written.removeprefix("days:")) if written.startswith("days:") else None


def captured(text: str) -> dict[str, str]:
    """When each source came in last, by the log ``text``."""
    return {event.subject: event.at for event in log.parse(text) if event.type == "ingest"}


def due(known: SourceManifest, limit: int | None, text: str, now: datetime) -> list[Due]:
    """The sources captured more than ``limit`` days ago (None: kept for ever), oldest first; ``text`` is the log.

    One whose capture nobody knows is never due.
    """
    if limit is None or (last := _last(limit, now)) is None:
        return []
    told = captured(text) if any(not record.captured_at for record in known.sources.values()) else {}
    days = {path: (record.captured_at or told.get(path, ""))[:10] for path, record in known.sources.items()}
    return sorted(
        (Due(path, day, limit) for path, day in days.items() if day and day < last),
        key=lambda one: (one.captured, one.path),
    )


def _last(limit: int, now: datetime) -> str | None:
    """The oldest day that is kept; None when there was no such day."""
    try:
        return (now.astimezone(UTC).date() - timedelta(days=limit)).isoformat()
    except OverflowError:
        return None
