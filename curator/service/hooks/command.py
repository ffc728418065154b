"""A command that runs beside the service: looked at, never waited for, ended with its whole group when it takes too long.

What it says on its standard error is kept, the last of it only, and made fit to be told: printable, and without what
addresses carry to prove who calls.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from curator.system.filenames import printable

_SAID_BYTES = 4_000
_AT_ONCE = 64 * 1024
_READS = 16
"""How often a look reads, so that a command that never stops talking cannot hold the service."""
_GRACE = 2.0
"""Seconds between the polite signal and the other one."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5

_SECRET = re.compile(r"(?<=://)[^\s'\"<>]*@|(?<=\?)[^\s'\"<>/]*=[^\s'\"<>/]*")


@dataclass(frozen=True)
class CommandExit:
    """How a command ended."""

    status: int
    """As ``subprocess`` has it: negative for a signal."""
    said: str
    """The last lines of its standard error."""
    late_after: float | None = None
    """The seconds it had, when it was ended for taking longer."""

    @property
    def how(self) -> str:
        if self.late_after is not None:
            return f"was ended because it took longer than {self.late_after:g} s"
        if self.status < 0:
            return f"was ended by signal {-self.status}"
        return f"ended with status {self.status}"


class BackgroundCommand:
    """One running command. Raises OSError when it cannot be started."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        now: float,
        seconds: float,
        feed: bytes = b"",
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        self._started, self._seconds = now, seconds
        self._deadline = now + seconds
        self._late = False
        self._unfed = feed
        self._said, self._cut = bytearray(), False
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        self._feed()

    def look(self, now: float) -> CommandExit | None:
        """Move what the pipes take. None while it runs."""
        self._feed()
        # Asked for before the pipe is read, which then has all it said. The end of the pipe is no sign: what the command
        # leaves running (ssh's shared connection, a credential cache) may hold it open for hours.
        status = self._process.poll()
        self._hear()
        if status is None:
            if now >= self._deadline:
                self._signal(signal.SIGKILL if self._late else signal.SIGTERM)
                self._late, self._deadline = True, now + _GRACE
            return None
        if self._late:
            self._signal(signal.SIGKILL)  # what the polite signal has left of the group
        self._close()
        return CommandExit(status, self._told(), self._seconds if self._late else None)

    def pause(self, now: float) -> float:
        """The seconds until it is worth another look: few for one that has just begun."""
        return min(_LONGEST_PAUSE, max(_SHORTEST_PAUSE, (now - self._started) / 4))

    def end(self, seconds: float) -> None:
        """End it and all it has started within so many seconds."""
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(seconds, 0))
        self._signal(signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # a process that hangs in the kernel ends when the kernel lets it
            self._process.wait(1)
        self._close()

    def _feed(self) -> None:
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            return
        try:
            self._unfed = self._unfed[os.write(pipe.fileno(), self._unfed) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not want to know; that is no fault
            self._unfed = b""
        if not self._unfed:
            pipe.close()

    def _hear(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 (it was opened as a pipe above)
        for _ in range(_READS):
            try:
                data = os.read(self._process.stderr.fileno(), _AT_ONCE)
            except BlockingIOError:
                return
            if not data:
                return
            self._said += data
            self._cut |= len(self._said) > _SAID_BYTES
            del self._said[:-_SAID_BYTES]

    def _told(self) -> str:
        lines = self._said.decode("utf-8", "replace").replace("\r", "\n").split("\n")
        # The line that the limit has cut may begin in the middle of a password.
        return "\n".join(filter(None, (redacted(line).strip() for line in lines[self._cut :])))

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None:
                pipe.close()


def redacted(text: str) -> str:
    """``text`` as it may be printed and logged: who calls an address, and what is asked of it, is nobody's business."""
    return printable(_SECRET.sub(_dots, text.replace("\t", " ")))


def _dots(found: re.Match[str]) -> str:
    return "…@" if found[0].endswith("@") else "…"
