"""The hands of the service: child processes that take one source after another in, as ``curate stream``.

The service itself stays small for months; what a source does to memory, or to a whole process, ends with the child.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast


@dataclass
class Hand:
    """One child. ``ready`` is called with it and each result, from a thread of its own; None when the child has ended."""

    root: Path
    arguments: Sequence[str]
    ready: Callable[[Hand, dict[str, Any] | None], None]
    source: str = ""
    """What it is at work on; empty when it is idle."""
    idle_since: float = field(default_factory=time.monotonic)
    _process: subprocess.Popen[bytes] = field(init=False)
    _stdin: IO[bytes] = field(init=False)
    _stdout: IO[bytes] = field(init=False)

    def __post_init__(self) -> None:
        command = [sys.executable, "-m", "curator", "--wiki", str(self.root), "stream", *self.arguments]
        # A session of its own: a Ctrl-C is for the service, which then says what is to happen.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)
        threading.Thread(target=self._read, daemon=True).start()

    def take(self, source: str) -> bool:
        """Hand it a source. False when it has ended meanwhile."""
        self.source = source
        try:
            self._stdin.write(json.dumps({"source": source}).encode() + b"\n")
            self._stdin.flush()
        except OSError:
            return False
        return True

    def rest(self) -> None:
        """Its result is in."""
        self.source, self.idle_since = "", time.monotonic()

    def let_go(self) -> None:
        """It may end: there is nothing more for it to do."""
        with suppress(OSError):
            self._stdin.close()

    def end(self, seconds: float) -> None:
        """End it within so many seconds, whatever it is doing: the transaction is safe from that."""
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return

    def _read(self) -> None:
        for line in self._stdout:
            try:
                result = json.loads(line)
            except ValueError:
                continue
            self.ready(self, result)
        self._process.wait()
        self.ready(self, None)
