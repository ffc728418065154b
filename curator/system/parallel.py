"""Work spread over forks of this process, where that is safe and worth it: a value at a time, in order."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, TypeVar

_MOST = 4
"""Forks at once: each has its own part of the work in memory."""
_PART = 500
"""Items a fork: it takes much longer to work on so many than a fork takes to begin and end."""
_LONGEST = 600.0
"""Seconds for a part; a fork of a process that has company (a spinner's thread) may, once in a blue moon, hang."""
_LOOK = 0.002
Item = TypeVar("Item")
Value = TypeVar("Value")
Work = Callable[[Sequence[Item]], Iterable[Value]]


def processes() -> int:
    """How many forks may work at once: one for each core. What is not the main thread serves others, and does not fork."""
    if threading.current_thread() is not threading.main_thread():
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST)


def spread(items: Sequence[Item], work: Work[Item, Value], here: Work[Item, Value]) -> Generator[Value]:
    """What ``work`` makes of the items, some hundreds of them to a fork, in their order. Close it when it is not needed.

    ``here`` does the same in this process: on a single core, for few items, where no fork is to be had, and what a fork
    has failed to do. So this one has its hands free for what comes of it.
    """
    parts = deque(items[start : start + _PART] for start in range(0, len(items), _PART))
    most = processes()
    if most < 2 or len(parts) < 2:
        for part in parts:
            yield from here(part)
        return
    at_work: deque[tuple[Sequence[Item], Fork | None]] = deque()

    def begin(most: int) -> None:
        while parts and len(at_work) < most:
            part = parts.popleft()
            at_work.append((part, _begun(partial(work, part))))

    try:
        while parts or at_work:
            begin(most)
            part, fork = at_work[0]
            has_done = fork is not None and fork.has_done()
            begin(most + 1)  # one in the place of that which has ended, while what it found is made use of
            yield from fork.results() if fork is not None and has_done else here(part)
            at_work.popleft()
            if fork is not None:
                fork.close()
    finally:
        for _, fork in at_work:
            if fork is not None:
                fork.close()


def _begun(work: Callable[[], Iterable[Any]]) -> Fork | None:
    with suppress(OSError):  # no process, no memory or no room for a file: the work can be done all the same
        return Fork(work)
    return None


class Fork:
    """A fork that works something out, value by value. ``work`` uses nothing that is open already: no database, no pipe."""

    def __init__(self, work: Callable[[], Iterable[Any]]) -> None:
        """Raises OSError when there is none to be had."""
        self._spool: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        # A signal that comes before the fork is in its own frame would unwind what this process is at, twice.
        signals = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        self._process: int | None = None
        try:
            try:
                self._process = os.fork()
                if self._process == 0:
                    self._work_and_end(work, signals)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, signals)  # a signal that has come meanwhile is raised here
        except BaseException:
            self.close()
            raise

    def _work_and_end(self, work: Callable[[], Iterable[Any]], signals: Iterable[int]) -> None:
        status = 1
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, signals)
            gc.disable()  # it would go through all that this process has and the fork has not: each look makes a copy
            for value in work():
                pickle.dump(value, self._spool, pickle.HIGHEST_PROTOCOL)
            self._spool.flush()
            status = 0
        finally:
            os._exit(status)  # as if it had never been: no file, no database and no git of ours is closed by it

    def has_done(self) -> bool:
        """Wait for it. False when it failed, or takes too long: what it should have done is still to be done."""
        if self._process is None:
            return False
        until = time.monotonic() + _LONGEST
        while time.monotonic() < until:
            try:
                ended, status = os.waitpid(self._process, os.WNOHANG)
            except ChildProcessError:  # whoever started us has children reaped by themselves: nobody knows how it ended
                self._process = None
                return False
            if ended:
                self._process = None
                return status == 0
            time.sleep(_LOOK)
        return False

    def results(self) -> Iterator[Any]:
        """What it worked out, once it is done."""
        self._spool.seek(0)
        with suppress(EOFError):
            while True:
                yield pickle.load(self._spool)  # noqa: S301 (a file without a name, written by ourselves)

    def close(self) -> None:
        """End it, if it is still at work."""
        self._spool.close()
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(process, 0)
