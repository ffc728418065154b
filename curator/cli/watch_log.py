"""How ``curate watch`` tells what happens: lines for people, journald, JSON for programs, a moving line on a terminal."""

from __future__ import annotations

import json
import os
import select
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.cli.console import Say
from curator.cli.many_files import in_words
from curator.errors import ReviewNeeded
from curator.service.status import before_next_try
from curator.system import clocks
from curator.system.filenames import printable

_STDERR = 2
_AT_ONCE = select.PIPE_BUF
"""A pipe takes so many bytes at once, or none."""
_PATIENCE = 0.5
_WARNINGS = {"fault", "died", "overdue", "unfit", "push_failed", "notify_failed"}


class WatchLog:
    """Lines on stderr; for journald with the severity in front and without the time.

    Sources that are in already are told together, none is told before something became of it, and one that waits is
    told once for each reason, however often it is tried again; JSON has every event.
    A reader that does not keep up never stops the service: a line that a full pipe does not take is dropped and counted.
    """

    def __init__(self, log_format: str, say: Say | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._is_json, self._say, self._clock = log_format == "json", say, clock
        self._lost = 0
        self._known: Counter[Path] = Counter()
        self._waits: dict[tuple[Path, str], str] = {}
        self._queued = self._done = 0
        self._began = 0.0

    def line(self, root: Path, event: str, about: dict[str, Any]) -> None:
        now = clocks.utc_timestamp(datetime.now(UTC))
        if not self._is_json and self._is_counted(root, event, about):
            return
        if self._lost:
            about = {**about, "lines_lost": self._lost}
        if self._is_json:
            line = json.dumps({"at": now, "wiki": str(root), "event": event, **about})
        elif self._say is not None:
            self._show("")
            line = f"{time.strftime('%H:%M')}  {_in_words(root, event, about)}"
        else:
            head = f"<{4 if event in _WARNINGS else 6}>" if "JOURNAL_STREAM" in os.environ else f"{now} "
            line = head + _as_pairs(root, event, about)
        self._lost = 0 if self._is_written(line.encode("utf-8", "backslashreplace") + b"\n") else self._lost + 1

    def _is_counted(self, root: Path, event: str, about: dict[str, Any]) -> bool:
        """Count what comes and what is done; True for what is told with others, later, or was told already."""
        if event == "queued":
            self._began = self._began if self._queued else self._clock()
            self._queued += 1
            return True
        if event != "result":
            return False
        self._done += 1
        is_known = about.get("status") == "skipped"
        self._known[root] += is_known
        return is_known or self._is_told(root, about)

    def _is_told(self, root: Path, about: dict[str, Any]) -> bool:
        """True for a source that still waits for what it was said to wait for."""
        source = (root, about["source"])
        if about["status"] != "held" or about.get("code") == ReviewNeeded.CODE:
            self._waits.pop(source, None)
            return False
        before, self._waits[source] = self._waits.get(source), about["reason"]
        return bool(before == about["reason"])

    def at_work(self, is_idle: bool) -> None:
        """Tell how far the work is, on a terminal; where nothing is left to do, how many sources were in already."""
        if is_idle:
            self._queued = self._done = 0
            known, self._known = self._known, Counter()
            for root, number in known.items():
                if number:
                    self.line(root, "known", {"sources": number, "reason": "in the wiki already"})
        self._show(self.progress)

    def _show(self, text: str) -> None:
        """Put it where the moving line is; a terminal that has gone away ends nothing."""
        if self._say is not None:
            with suppress(OSError):
                self._say(text)

    @property
    def progress(self) -> str:
        """``7 of 20 done, about 3 min left``; empty where nothing waits."""
        if self._done >= self._queued:
            return ""
        far = f"{self._done} of {self._queued} done"
        if not self._done:
            return far
        each = (self._clock() - self._began) / self._done
        return f"{far}, {in_words(each * (self._queued - self._done))} left"

    def _is_written(self, line: bytes) -> bool:
        """Write a line; wait for a slow reader, but only once for one that does not read at all."""
        with suppress(OSError):  # a closed pipe does not end the service
            for at in range(0, len(line), _AT_ONCE):
                if not select.select([], [_STDERR], [], 0 if self._lost and not at else _PATIENCE)[1]:
                    return False
                os.write(_STDERR, line[at : at + _AT_ONCE])
        return True


def _as_pairs(root: Path, event: str, about: dict[str, Any]) -> str:
    told = [f"{key}={printable(str(value))}" for key, value in about.items() if value not in (None, "")]
    return " ".join([printable(root.name), event, *told])


def _in_words(root: Path, event: str, about: dict[str, Any]) -> str:
    """A result as ``curate ingest`` says it; anything else as it is logged."""
    if event == "known":
        number = about["sources"]
        return f"{'skipped':<10} {number} {'source that is' if number == 1 else 'sources that are'} in already"
    if event != "result":
        return _as_pairs(root, event, about)
    what = f"commit {about['commit'][:12]}" if about.get("commit") else str(about.get("reason") or "")
    following = str(about.get("next") or "")
    following = before_next_try(following) if about["status"] == "held" else following
    told = f"{about['status']:<10} {printable(about['source'])}" + (f": {printable(what)}" if what else "")
    return told + (f"\n{'':<7}  next: {printable(following)}" if following else "")
