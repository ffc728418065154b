"""A worker of the service: a child process, ``curate stream``, that ingests one source after another.

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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from curator.service.worker_forks import ForkedProcess, WorkerForks
from curator.system.filenames import printable

CURATE = (sys.executable, "-P", "-m", "curator")
"""``curate`` as a child. -P: Python would take a module of the current folder, which may be a stranger's, for curator's."""
_STDERR_BYTES = 400


def stream_command(root: Path, arguments: Sequence[str]) -> list[str]:
    """What a worker of the wiki at ``root`` is."""
    return [*CURATE, "--wiki", str(root), "stream", *arguments]


@dataclass(eq=False)
class Worker:
    """One child process. ``on_message`` is called from a thread with the worker and each message, at last how it ended."""

    root: Path
    arguments: Sequence[str]
    on_message: Callable[[Worker, dict[str, Any]], None]
    source: str = ""
    """The source it is ingesting; empty when it is idle."""
    idle_since: float = field(default_factory=time.monotonic)
    environment: Mapping[str, str] | None = None
    """What it sees of the environment; None for all of ours."""
    forks: WorkerForks | None = None
    """Who may have one at once; of the same wiki, arguments and environment."""
    _process: subprocess.Popen[bytes] | ForkedProcess = field(init=False)
    _stdin: IO[bytes] = field(init=False)
    _stdout: IO[bytes] = field(init=False)
    _stderr: IO[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (as long as the child)
        forked = self.forks.start(self._stderr.fileno()) if self.forks is not None else None
        # A session of its own: a Ctrl-C is for the service, which then says what is to happen.
        self._process = forked or subprocess.Popen(
            stream_command(self.root, self.arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
            env=self.environment,
        )
        self._stdin = cast(IO[bytes], self._process.stdin)
        self._stdout = cast(IO[bytes], self._process.stdout)
        threading.Thread(target=self._read_messages, daemon=True).start()

    def assign(self, source: str, *, waits: bool = False, dry_run: bool = False, saved_only: bool = False) -> bool:
        """Give it a source to ingest, or with ``dry_run`` to ask about only. False when it has ended meanwhile.

        ``waits``: it is read, and goes on by ``go_on``. ``saved_only``: no model is asked (``curate stream``).
        """
        question = {"source": source, "waits": waits, "dry_run": dry_run, "saved_only": saved_only}
        if not self._tell(question):
            return False
        self.source = source
        return True

    def go_on(self) -> None:
        """Its source, which waits, has its turn."""
        self._tell({"go_on": self.source})

    def _tell(self, what: Mapping[str, object]) -> bool:
        try:
            self._stdin.write(json.dumps(what).encode() + b"\n")
            self._stdin.flush()
        except OSError:
            return False
        return True

    def mark_idle(self) -> None:
        """Its source is finished."""
        self.source, self.idle_since = "", time.monotonic()

    def drain(self) -> None:
        """Let it end once its current source is finished: it gets no other."""
        with suppress(OSError):
            self._stdin.close()

    def stop(self, seconds: float) -> None:
        """Drain it, and kill it when it still runs after ``seconds``: a commit survives that."""
        self.drain()
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()

    def kill(self) -> None:
        """End it at once, with the processes it has started in its group."""
        if isinstance(self._process, ForkedProcess):
            self._process.kill()
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read_messages(self) -> None:
        for line in self._stdout:
            try:
                result = json.loads(line)
            except ValueError:
                continue
            if isinstance(result, dict):
                self.on_message(self, result)
        status = self._process.wait()
        self.on_message(
            self, {"ended": f"signal {-status}" if status < 0 else f"status {status}", "said": self._stderr_tail()}
        )
        self._stdout.close()
        self._stderr.close()

    def _stderr_tail(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _STDERR_BYTES))
        return printable(" ".join(self._stderr.read().decode("utf-8", "replace").split()))
