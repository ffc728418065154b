"""The ``notify`` command: told of one event after another, beside the ingests, which never wait for it.

The command is run without a shell, in ``/``, once for each event: a JSON object (``at``, ``wiki``, ``event``, and what is
known of the event) in one line on its standard input, the event's name in CURATOR_EVENT. Its output is not read. What
cannot be told is lost, not kept: the log has it all.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.service.hooks.command import BackgroundCommand, CommandExit
from curator.system import clocks

EVENT_SECONDS = 30.0
RETRY_PAUSE = 5.0
MOST_WAITING = 1000
FAILED = "notify_failed"
"""The event that is never told to the command: it would be told of its own silence."""

Say = Callable[[str, dict[str, Any]], None]
_LONGEST_REASON = 300


def _to_nobody(event: str, about: dict[str, Any]) -> None:
    return


@dataclass
class Notifier:
    """Tells the events of one wiki to ``command``; to nobody when that is empty. Raises ConfigError for a bad one."""

    command: str
    root: Path
    say: Say = _to_nobody
    """Hears ``notify_failed``, once until the command works again."""
    dropped: int = 0
    """Events that found no room, since the last that did."""
    _words: list[str] = field(init=False)
    _waiting: deque[tuple[str, bytes]] = field(default_factory=deque)
    _errand: BackgroundCommand | None = None
    _tries: int = 0
    """How often the command was run for the event that is first in the queue."""
    _not_before: float = 0.0
    _reason: str = ""
    """Why the last event could not be told; empty when it could."""

    def __post_init__(self) -> None:
        self._words = _parsed(self.command) if self.command.strip() else []

    def tell(self, event: str, about: dict[str, Any]) -> None:
        """Queue an event; ``step`` runs the command for it."""
        if not self._words or event == FAILED:
            return
        if len(self._waiting) >= MOST_WAITING:
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
        """Do what can be done at ``now`` (monotonic); the seconds until the next step, None when there is nothing to do."""
        if self._errand is not None:
            if (ended := self._errand.look(now)) is None:
                return self._errand.pause(now)
            self._errand = None
            self._returned(_fault(ended), now)
        if self._waiting and now >= self._not_before:
            self._begin(now)
        if self._errand is not None:
            return self._errand.pause(now)
        return max(0.0, self._not_before - now) if self._waiting else None

    @property
    def is_idle(self) -> bool:
        """True when every event has been told, or given up."""
        return self._errand is None and not self._waiting

    def state(self) -> dict[str, Any]:
        """What ``curate status`` shows."""
        if not self._words:
            return {"state": "off"}
        name = "failing" if self._reason else "idle" if self.is_idle else "telling"
        known: dict[str, Any] = {"state": name, "waiting": len(self._waiting), "dropped": self.dropped}
        return known | ({"reason": self._reason} if self._reason else {})

    def end(self, seconds: float) -> None:
        """Tell what still waits within so many seconds; what is not told by then is lost."""
        deadline = time.monotonic() + seconds
        while not self.is_idle and (now := time.monotonic()) < deadline:
            time.sleep(min(self.step(now) or 0.0, max(0.0, deadline - time.monotonic())))
        if self._errand is not None:
            self._errand.end(0)
            self._errand = None
        self._waiting.clear()

    # -- one event -----------------------------------------------------------------------------------------------

    def _begin(self, now: float) -> None:
        event, line = self._waiting[0]
        self._tries += 1
        environment = {**os.environ, "CURATOR_EVENT": event}
        try:
            self._errand = BackgroundCommand(self._words, environment, Path("/"), now, EVENT_SECONDS, line)
        except OSError as error:
            self._returned(f"cannot be started: {error.strerror}", now)

    def _returned(self, fault: str, now: float) -> None:
        """The first failure of a burst is tried again, once; those after it are not."""
        if fault and not self._reason and self._tries < 2:
            self._not_before = now + RETRY_PAUSE
            return
        if fault and not self._reason:
            hint = "try it by hand with a line of JSON; events are lost meanwhile"
            self.say(FAILED, {"reason": f"the notify command {fault}", "hint": hint})
        self._reason, self._tries = fault, 0
        self._waiting.popleft()


def _parsed(command: str) -> list[str]:
    """The words of the command, the first one a path. Only that one is ever quoted: the others may hold secrets."""
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
    """Empty for a command that did its work."""
    if ended.status == 0 and ended.late_after is None:
        return ""
    said = " / ".join(ended.said.split("\n"))[-_LONGEST_REASON:]
    return f"{ended.how}: {said}" if said else ended.how
