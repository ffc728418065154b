"""A child of the service that has loaded what a worker needs, and forks one for each that is wanted.

Starting Python and loading curator takes 0.7 s of a processor, a fork of what is loaded a hundredth. A fork is what the
child would be that is started anew: it reads the settings anew, has pipes and a session of its own, and holds nothing of
another's. Readers and model workers are programs of their own as before, each in its jail.
"""

from __future__ import annotations

import fcntl
import gc
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import IO

KEPT = 3
"""The descriptor of what a worker keeps of its parent's."""
_DESCRIPTORS = 4
_LONGEST = 32
"""Bytes of a message: what is wanted and a number."""
_UNKNOWN = 1
"""The exit status of a worker whose end nobody saw."""
_USED_FIRST = (
    "configparser",
    "curator.config",
    "curator.models.endpoint.check",
    "curator.models.extractive.curate",
    "curator.models.llm.language_model",
    "curator.models.llm.provider",
    "git",
    "ssl",
    "tenacity",
    "unidiff",
)
"""What a worker loads with its first source only."""


class ForkedProcess:
    """A worker that was forked for us; it is asked about as ``subprocess.Popen`` is."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], told: int, kill: Callable[[], None]) -> None:
        """``told``: a pipe that has its exit status when it has ended."""
        self.stdin, self.stdout = stdin, stdout
        self._told, self._kill = told, kill
        self._status: int | None = None
        self._lock = threading.Lock()

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, negative for a signal. Raises subprocess.TimeoutExpired."""
        if self._status is None:
            looking = select.poll()
            looking.register(self._told, select.POLLIN)
            has_ended = looking.poll(None if timeout is None else timeout * 1000)
            with self._lock:  # of two who wait one reads what is told
                if self._status is None and has_ended:
                    said = os.read(self._told, _LONGEST)
                    self._status = int(said) if said else _UNKNOWN
                    os.close(self._told)
        if self._status is None:
            raise subprocess.TimeoutExpired("curate stream", timeout or 0.0)
        return self._status

    def kill(self) -> None:
        """End it at once, with its group."""
        self._kill()


class WorkerForks:
    """The child that forks workers, started when the first is wanted; ``command`` is what a worker of its own would be."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._number = 0
        self._lock = threading.Lock()

    def load(self) -> None:
        """Start the child, so that it has loaded all when the first worker is wanted."""
        if sys.platform == "linux":
            with self._lock, suppress(OSError):
                self._started()

    def start(self, stderr: int) -> ForkedProcess | None:
        """A worker; None where there is none to be had this way, and one has to be started."""
        if sys.platform != "linux":
            return None
        with self._lock, suppress(OSError):
            line = self._started()
            try:
                return self._forked(line, stderr)
            except OSError:  # it has ended meanwhile
                self._stop()
                return self._forked(self._started(), stderr)
        return None

    def stop(self) -> None:
        """End it once the workers that it has forked have ended; another one is started when it is needed."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()
        if process is not None:
            threading.Thread(target=process.wait, daemon=True).start()

    def _started(self) -> socket.socket:
        if self._line is None:
            self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = subprocess.Popen(
                    [*self._command, "--line", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    pass_fds=(theirs.fileno(),),
                )
        return self._line

    def _forked(self, line: socket.socket, stderr: int) -> ForkedProcess:
        self._number += 1
        number = self._number
        (stdin, to), (of, stdout), (told, tell) = (os.pipe() for _ in range(3))
        try:
            socket.send_fds(line, [b"+%d" % number], [stdin, stdout, stderr, tell])
        except OSError:
            for each in (to, of, told):
                os.close(each)
            raise
        finally:
            for each in (stdin, stdout, tell):
                os.close(each)

        def kill() -> None:
            with suppress(OSError):
                line.send(b"-%d" % number)

        return ForkedProcess(os.fdopen(to, "wb"), os.fdopen(of, "rb"), told, kill)


# -- in the child ------------------------------------------------------------------------------------------------------


def serve(line: socket.socket, work: Callable[[], object], kept: int = -1) -> None:
    """Fork a process that does ``work`` for each that is wanted by ``line``; returns when that and all have ended.

    Each has ``kept``, where one is given, as ``KEPT``, and no other descriptor of this process.
    """
    for name in _USED_FIRST:
        with suppress(ImportError):
            import_module(name)
    gc.collect()
    gc.freeze()  # else each fork would copy what it never changes
    forks: dict[int, tuple[int, int]] = {}
    woken, wakes = os.pipe()
    for each in (woken, wakes):
        os.set_blocking(each, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    listening = [line.fileno(), woken]
    while forks or line.fileno() in listening:
        ready = select.select(listening, [], [])[0]
        if woken in ready:
            os.read(woken, _LONGEST)
            _tell_of_ended(forks)
        if line.fileno() in ready and not _heard(line, forks, lambda given: _work(given, work, kept)):
            listening.remove(line.fileno())


def _heard(line: socket.socket, forks: dict[int, tuple[int, int]], work: Callable[[Sequence[int]], object]) -> bool:
    """Do what came by the line; False when it has ended. ``forks``: number, process and status pipe of each."""
    try:
        said, descriptors, _, _ = socket.recv_fds(line, _LONGEST, _DESCRIPTORS)
    except OSError:
        return False
    if not said:
        return False
    number = int(said[1:])
    if said.startswith(b"+") and len(descriptors) == _DESCRIPTORS:
        pid = os.fork()
        if pid == 0:
            work(descriptors[:3])
        forks[number] = pid, descriptors.pop()
    elif number in forks:  # and so not waited for yet: the number of the process is still its own
        os.kill(forks[number][0], signal.SIGKILL)
        with suppress(ProcessLookupError):  # it had no time to have a group
            os.killpg(forks[number][0], signal.SIGKILL)
    for each in descriptors:
        os.close(each)
    return True


def _tell_of_ended(forks: dict[int, tuple[int, int]]) -> None:
    for number, (pid, tell) in list(forks.items()):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            continue
        del forks[number]
        with suppress(BrokenPipeError):  # nobody waits for it any more
            os.write(tell, b"%d" % os.waitstatus_to_exitcode(status))
        os.close(tell)


def _work(descriptors: Sequence[int], work: Callable[[], object], kept: int) -> None:
    """Be a worker; never returns."""
    status = _UNKNOWN
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        given = [*descriptors, kept] if kept >= 0 else descriptors
        given = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, KEPT + 1) for each in given]  # none in another's place
        for number, each in enumerate(given):
            os.dup2(each, number, inheritable=number < KEPT)
        os.closerange(len(given), os.sysconf("SC_OPEN_MAX"))
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", errors="backslashreplace")
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
        work()
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 0
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(status)
