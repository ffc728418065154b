"""The ``notify`` command: run once for each event of the service, in the background of the ingests.

The command is run without a shell, in ``/``: a JSON object (``at``, ``wiki``, ``event``, and the details of the event) in
one line on its standard input, the event's name in CURATOR_EVENT. Its output is not read. An event that cannot be
delivered is dropped, not kept: the log has them all.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import time
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.service.hooks.command import BackgroundCommand, CommandExit, Emit, ignore_event
from curator.system import clocks

EVENT_SECONDS = 30.0
RETRY_PAUSE = 5.0
MAX_WAITING = 1000
FAILED = "notify_failed"
"""The one event that is never delivered to the command: it is about the command itself."""

_MAX_REASON = 300


@dataclass
class Notifier:
    """Runs ``command`` for the events of one wiki; does nothing when it is empty. Raises ConfigError for a bad command."""

    command: str
    root: Path
    emit: Emit = ignore_event
    """Gets ``notify_failed``, once until the command works again."""
    dropped: int = 0
    """Events dropped because too many were waiting, since the last one that was not."""
    _words: list[str] = field(init=False)
    _waiting: deque[tuple[str, bytes]] = field(default_factory=deque)
    _running: BackgroundCommand | None = None
    _tries: int = 0
    """How often the command was run for the event that is first in the queue."""
    _not_before: float = 0.0
    _reason: str = ""
    """Why the last event could not be delivered; empty when it could."""

    def __post_init__(self) -> None:
        self._words = _parsed(self.command) if self.command.strip() else []

    def notify(self, event: str, about: dict[str, Any]) -> None:
        """Queue an event; ``step`` runs the command for it."""
        if not self._words or event == FAILED:
            return
        if len(self._waiting) >= MAX_WAITING:
            self.dropped += 1
            return
        known = {
            "at": clocks.utc_timestamp(datetime.now(UTC)),
            "wiki": str(self.root),
            "event": event,
            **about,
        }
        if self.dropped:
            known["dropped"], self.dropped = self.dropped, 0
        self._waiting.append((event, json.dumps(known, default=str).encode() + b"\n"))

    def step(self, now: float) -> float | None:
        """Do what is due at ``now`` (monotonic); returns the seconds until the next step, None when nothing is to do."""
        if self._running is not None:
            if (ended := self._running.poll(now)) is None:
                return self._running.pause(now)
            self._running = None
            self._finished(_fault(ended), now)
        if self._waiting and now >= self._not_before:
            self._run_command(now)
        if self._running is not None:
            return self._running.pause(now)
        return max(0.0, self._not_before - now) if self._waiting else None

    @property
    def is_idle(self) -> bool:
        """True when every event has been delivered or dropped."""
        return self._running is None and not self._waiting

    def state(self) -> dict[str, Any]:
        """What ``curate status`` shows."""
        if not self._words:
            return {"state": "off"}
        name = "failing" if self._reason else "idle" if self.is_idle else "telling"
        known: dict[str, Any] = {"state": name, "waiting": len(self._waiting), "dropped": self.dropped}
        return known | ({"reason": self._reason} if self._reason else {})

    def stop(self, seconds: float) -> None:
        """Deliver the waiting events within so many seconds; drop what is left by then."""
        deadline = time.monotonic() + seconds
        while not self.is_idle and (now := time.monotonic()) < deadline:
            time.sleep(min(self.step(now) or 0.0, max(0.0, deadline - time.monotonic())))
        if self._running is not None:
            self._running.stop(0)
            self._running = None
        self._waiting.clear()

    # -- one event -----------------------------------------------------------------------------------------------

    def _run_command(self, now: float) -> None:
        event, line = self._waiting[0]
        self._tries += 1
        environment = {**os.environ, "CURATOR_EVENT": event}
        try:
            self._running = BackgroundCommand(self._words, environment, Path("/"), now, EVENT_SECONDS, line)
        except OSError as error:
            self._finished(f"cannot be started: {error.strerror}", now)

    def _finished(self, fault: str, now: float) -> None:
        """Go on to the next event; the first failure of a series is tried again once, those after it are not."""
        if fault and not self._reason and self._tries < 2:
            self._not_before = now + RETRY_PAUSE
            return
        if fault and not self._reason:
            hint = "try it by hand with a line of JSON; events are lost meanwhile"
            self.emit(FAILED, {"reason": f"the notify command {fault}", "hint": hint})
        self._reason, self._tries = fault, 0
        self._waiting.popleft()


def _parsed(command: str) -> list[str]:
    """The words of the command, the first one as a path. Messages quote only that one: the others may hold secrets."""
    hint = "give a program and its arguments, as in: notify = 'notify-send curator'"
    try:
        words = shlex.split(command.replace("\0", "\ufffd"))
    except ValueError as error:
        said = f"the setting 'notify' cannot be split into words: {str(error).lower()}"
        raise ConfigError("config_invalid", said, hint) from error
    if not words:
        raise ConfigError("config_invalid", "the setting 'notify' names no program", hint)
    found = shutil.which(words[0])
    if found is None:
        said = f"the setting 'notify' names {words[0]!r}, which is no program that can be run here"
        raise ConfigError("config_invalid", said, "give its full path, or put it on the PATH; no shell is asked")
    return [str(Path(found).absolute()), *words[1:]]


def _fault(ended: CommandExit) -> str:
    """Why the command failed; empty when it did not."""
    if ended.status == 0 and ended.timed_out_after is None:
        return ""
    said = " / ".join(ended.stderr.split("\n"))[-_MAX_REASON:]
    return f"{ended.how}: {said}" if said else ended.how
