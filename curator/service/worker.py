"""The hands of the service: child processes that take one source after another in, as ``curate stream``.

The service itself stays small for months; what a source does to memory, or to a whole process, ends with the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from curator.system.filenames import printable

_SAID = 400


@dataclass(eq=False)
class Worker:
    """One child. ``ready`` is called with it and each result, from a thread of its own; with how it ended, at the end."""

    root: Path
    arguments: Sequence[str]
    ready: Callable[[Worker, dict[str, Any]], None]
    source: str = ""
    """What it is at work on; empty when it is idle."""
    idle_since: float = field(default_factory=time.monotonic)
    _process: subprocess.Popen[bytes] = field(init=False)
    _stdin: IO[bytes] = field(init=False)
    _stdout: IO[bytes] = field(init=False)
    _stderr: IO[bytes] = field(init=False)

    def __post_init__(self) -> None:
        command = [sys.executable, "-m", "curator", "--wiki", str(self.root), "stream", *self.arguments]
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the child)
        # A session of its own: a Ctrl-C is for the service, which then says what is to happen.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, start_new_session=True
        )
        self._stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)
        threading.Thread(target=self._read, daemon=True).start()

    def take(self, source: str) -> bool:
        """Hand it a source. False when it has ended meanwhile."""
        try:
            self._stdin.write(json.dumps({"source": source}).encode() + b"\n")
            self._stdin.flush()
        except OSError:
            return False
        self.source = source
        return True

    def rest(self) -> None:
        """Its result is in."""
        self.source, self.idle_since = "", time.monotonic()

    def let_go(self) -> None:
        """It may end, when it has done what it is at: there is nothing more for it to do."""
        with suppress(OSError):
            self._stdin.close()

    def end(self, seconds: float) -> None:
        """Let it go, and end it after so many seconds, whatever it is doing: the transaction is safe from that."""
        self.let_go()
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _read(self) -> None:
        for line in self._stdout:
            try:
                result = json.loads(line)
            except ValueError:
                continue
            if isinstance(result, dict):
                self.ready(self, result)
        status = self._process.wait()
        self.ready(self, {"ended": f"signal {-status}" if status < 0 else f"status {status}", "said": self._said()})
        self._stdout.close()
        self._stderr.close()

    def _said(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _SAID))
        return printable(" ".join(self._stderr.read().decode("utf-8", "replace").split()))
