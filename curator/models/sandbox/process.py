"""A process of the program ``sandbox/`` and the pipes to it.

It gets a literal argument list, an environment of one variable, no descriptor but its pipes and a session of its own;
every wait has a time limit, and its whole process group ends with it. There are no threads: one ``select`` serves all
pipes, so a full one never blocks the others.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from typing import IO, Any, BinaryIO

from curator.models.sandbox.connector import Connector

# Inside the package when installed, beside it in a checkout.
_PACKAGE = Path(__file__).resolve().parents[2]
_SHIPPED = _PACKAGE / "_shipped"
_HOME = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent
PROMPTS = _HOME / "prompts"
SANDBOX = _HOME / "sandbox"

PROGRAM = (sys.executable, "-I", "-S", "-B", "-X", "utf8", str(SANDBOX))
"""-S: the .pth files of installed packages are programs too, and need not run here."""
ENVIRONMENT = {"LC_ALL": "C.UTF-8"}

_STDERR_BYTES = 4_000


class SandboxProcess:
    """One sandbox process and the pipes to it."""

    def __init__(self, arguments: Sequence[str], stdin: int | BinaryIO, connector: Connector | None = None) -> None:
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            pass_fds=() if connector is None else (connector.theirs.fileno(),),
        )
        self._attach(self._process.stdin, self._process.stdout, self._process.stderr, connector)

    def _attach(
        self, stdin: IO[bytes] | None, stdout: IO[bytes] | None, stderr: IO[bytes] | None, connector: Connector | None
    ) -> None:
        """Serve these pipes from now on."""
        self.megabytes = 0
        """The memory that it took at most, once it has ended; on Linux, where the unit is a kilobyte."""
        self.status = 0
        """Its exit status, once it has ended; negative for a signal."""
        self._stdin, self._stdout, self._pipes = stdin, stdout, (stdin, stdout, stderr)
        self._output = bytearray()
        self._stderr = bytearray()
        self._unsent = bytearray()
        self._selector = selectors.DefaultSelector()
        self._connector = connector
        if connector is not None:
            connector.theirs.close()
            self._selector.register(connector.ours, selectors.EVENT_READ, connector)
        self._watch(stdout, self._output)
        self._watch(stderr, self._stderr)

    def send(self, data: bytes) -> None:
        """Queue ``data`` for the standard input of the process; ``receive`` writes what does not fit the pipe now."""
        assert self._stdin is not None  # noqa: S101 (send is for children that were started with a pipe)
        if not self._unsent:
            os.set_blocking(self._stdin.fileno(), False)
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._unsent += data
        self._write()

    def receive(self, end: bytes | None, seconds: float, limit: int) -> bytes | None:
        """The output of the process up to ``end``, or all of it; None when it ends before.

        Raises TimeoutError after ``seconds`` and OverflowError when more than ``limit`` bytes come.
        """
        deadline = time.monotonic() + seconds
        while True:
            if end is not None and (cut := self._output.find(end)) >= 0:
                found = bytes(self._output[:cut])
                del self._output[: cut + len(end)]
                return found
            if len(self._output) > limit:
                raise OverflowError
            if self._stdout not in self._selector.get_map():
                return None if end is not None else bytes(self._output)
            self._serve_pipes(deadline - time.monotonic())

    def kill(self) -> None:
        """Kill the whole group and close the pipes. A process that has ended keeps its own exit status."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.returncode is None:
            # As Popen.wait does, but it would throw away what the process has used.
            _, status, usage = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self.megabytes = usage.ru_maxrss >> 10
        self.status = self._process.returncode
        self._close()

    def _close(self) -> None:
        self._selector.close()
        if self._connector is not None:
            self._connector.close()
        for pipe in self._pipes:
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    @property
    def took_too_long(self) -> bool:
        """True when it was killed at its limit of processor time."""
        return self.status == -signal.SIGXCPU

    def ending(self) -> str:
        """How the process ended, with its last lines on standard error, for a message."""
        by_signal = self.status < 0
        how = f"was ended by {signal.Signals(-self.status).name}" if by_signal else f"ended with status {self.status}"
        said = self._stderr.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {' / '.join(said[-3:])[-300:]}" if said else how

    def _serve_pipes(self, seconds: float) -> None:
        """Wait until a pipe is ready, and read or write it."""
        events = self._selector.select(max(seconds, 0))
        if not events and seconds <= 0:
            raise TimeoutError
        for key, _ in events:
            if key.data is None:
                self._write()
            elif isinstance(key.data, Connector):
                if not key.data.serve():
                    self._selector.unregister(key.fileobj)
            else:
                self._read(key.fileobj, key.data)

    def _watch(self, pipe: IO[bytes] | None, buffer: bytearray) -> None:
        assert pipe is not None  # noqa: S101 (both were opened as pipes above)
        self._selector.register(pipe, selectors.EVENT_READ, buffer)

    def _read(self, pipe: Any, buffer: bytearray) -> None:
        data = os.read(pipe.fileno(), 1 << 20)
        if not data:
            self._selector.unregister(pipe)
        buffer += data
        if buffer is self._stderr:
            del buffer[:-_STDERR_BYTES]

    def _write(self) -> None:
        pipe = self._stdin
        assert pipe is not None  # noqa: S101 (only send registers it)
        try:
            del self._unsent[: os.write(pipe.fileno(), self._unsent)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # The child is dead; receive finds its output at an end.
            self._unsent.clear()
        if not self._unsent:
            self._selector.unregister(pipe)


def packages_of(*modules: str, folders: Sequence[str] = ()) -> list[str]:
    """The arguments that tell the process where ``modules`` are installed, which curator itself does not import.

    ``folders`` are others that it may read.
    """
    found = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    for spec in filter(None, map(PathFinder.find_spec, modules)):
        found.insert(0, str(Path(spec.origin or "").parents[1 if spec.submodule_search_locations else 0]))
    return ["--packages", os.pathsep.join(dict.fromkeys([*found, *folders]))]
