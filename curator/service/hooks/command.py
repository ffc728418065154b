"""A command that runs in the background of the service: polled, never waited for, ended with its group after a time limit.

The last of its standard error is kept, fit to be shown: printable, and without the credentials that addresses carry.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.system.filenames import printable

_STDERR_BYTES = 4_000
_READ_BYTES = 64 * 1024
_READS = 16
"""How often a poll reads, so that a command that never stops writing cannot hold up the service."""
_GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5

_SECRET = re.compile(r"(?<=://)[^\s'\"<>]{0,2000}@|(?<=\?)[^\s'\"<>/?]*=[^\s'\"<>/]*")

Emit = Callable[[str, dict[str, Any]], None]
"""Called with the name of an event and its details, for the log and the notify command."""


def ignore_event(event: str, about: dict[str, Any]) -> None:
    """An ``Emit`` for whoever has no use for events."""


@dataclass(frozen=True)
class CommandExit:
    """How a command ended."""

    status: int
    """As ``subprocess`` has it: negative for a signal."""
    stderr: str
    """The last lines of its standard error."""
    timed_out_after: float | None = None
    """Its time limit in seconds, when it was ended for that."""

    @property
    def how(self) -> str:
        if self.timed_out_after is not None:
            return f"was ended because it took longer than {self.timed_out_after:g} s"
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
        stdin: bytes = b"",
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        self._started, self._seconds = now, seconds
        self._deadline = now + seconds
        self._has_timed_out = False
        self._unwritten = stdin
        self._stderr, self._is_cut = bytearray(), False
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
        self._write_stdin()

    def poll(self, now: float) -> CommandExit | None:
        """How it ended; None while it runs. Also writes to and reads from its pipes, and keeps the time limit."""
        self._write_stdin()
        # Before the pipe is read, which then has all that it wrote. The end of the pipe is no sign: what the command leaves
        # running (ssh's shared connection, a credential cache) may hold it open for hours.
        status = self._process.poll()
        self._read_stderr()
        if status is None:
            if now >= self._deadline:
                self._signal(signal.SIGKILL if self._has_timed_out else signal.SIGTERM)
                self._has_timed_out, self._deadline = True, now + _GRACE
            return None
        if self._has_timed_out:
            self._signal(signal.SIGKILL)  # what SIGTERM has left of the group
        self._close()
        return CommandExit(status, self._last_lines(), self._seconds if self._has_timed_out else None)

    def pause(self, now: float) -> float:
        """The seconds until the next ``poll``: few for a command that has just started."""
        return min(_LONGEST_PAUSE, max(_SHORTEST_PAUSE, (now - self._started) / 4))

    def stop(self, seconds: float) -> None:
        """End it and all that it has started within so many seconds."""
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(seconds, 0))
        self._signal(signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # a process that hangs in the kernel ends when the kernel lets it
            self._process.wait(1)
        self._close()

    def _write_stdin(self) -> None:
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            return
        try:
            self._unwritten = self._unwritten[os.write(pipe.fileno(), self._unwritten) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not read its input, which is no fault
            self._unwritten = b""
        if not self._unwritten:
            pipe.close()

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 (it was opened as a pipe above)
        for _ in range(_READS):
            try:
                data = os.read(self._process.stderr.fileno(), _READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                return
            self._stderr += data
            self._is_cut |= len(self._stderr) > _STDERR_BYTES
            del self._stderr[:-_STDERR_BYTES]

    def _last_lines(self) -> str:
        lines = self._stderr.decode("utf-8", "replace").replace("\r", "\n").split("\n")
        # The line that the limit has cut may begin in the middle of a password.
        return "\n".join(filter(None, (redacted(line).strip() for line in lines[self._is_cut :])))

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None:
                pipe.close()


def redacted(text: str) -> str:
    """``text`` as it may be printed and logged: without the user, password and query of an address."""
    return printable(_SECRET.sub(_dots, text.replace("\t", " ")))


def _dots(found: re.Match[str]) -> str:
    return "…@" if found[0].endswith("@") else "…"
