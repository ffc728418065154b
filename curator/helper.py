"""Work done by a fork of this process, where that is safe and worth it."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, TypeVar

_MOST = 4
"""Forks at once: each has its own part of the work in memory."""
Part = TypeVar("Part")
Value = TypeVar("Value")


def processes() -> int:
    """How many forks may work at once; what is not the main thread has company, and does not fork."""
    if threading.current_thread() is not threading.main_thread():
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST)


def spread(
    parts: Sequence[Part], work: Callable[[Part], Iterable[Value]], here: Callable[[Part], Iterable[Value]]
) -> Iterator[Value]:
    """What ``work`` makes of each part, part by part in their order, by several forks where there are several cores.

    ``here`` does the same in this process: on a single core, for a single part, and where a fork has failed. So this one
    has its hands free for what comes of it.
    """
    most = processes()
    if most < 2 or len(parts) < 2:
        for part in parts:
            yield from here(part)
        return
    waiting, at_work = deque(parts), deque[tuple[Part, Helper]]()
    try:
        while waiting or at_work:
            while waiting and len(at_work) < most:
                part = waiting.popleft()
                at_work.append((part, Helper(partial(work, part))))
            part, helper = at_work.popleft()
            try:
                yield from helper.results() if helper.has_done() else here(part)
            finally:
                helper.close()
    finally:
        for _, helper in at_work:
            helper.close()


class Helper:
    """A fork that works something out, value by value. ``work`` uses nothing that is open already: no database, no pipe."""

    def __init__(self, work: Callable[[], Iterable[Any]]) -> None:
        self._spool: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._process: int | None = os.fork()
        if self._process == 0:
            status = 1
            gc.disable()  # it would go through all that this process has and the fork has not: each look makes a copy
            try:
                for value in work():
                    pickle.dump(value, self._spool, pickle.HIGHEST_PROTOCOL)
                self._spool.flush()
                status = 0
            finally:
                os._exit(status)  # as if it had never been: no file, no database and no git of ours is closed by it

    def has_done(self) -> bool:
        """Wait for it. False when it failed: what it should have done is still to be done."""
        process, self._process = self._process, None
        return process is not None and os.waitpid(process, 0)[1] == 0

    def results(self) -> Iterator[Any]:
        """What it worked out, once it is done."""
        self._spool.seek(0)
        with suppress(EOFError):
            while True:
                yield pickle.load(self._spool)  # noqa: S301 (a file without a name, written by ourselves)

    def close(self) -> None:
        """End it, if it is still at work."""
        self._spool.close()
        if self._process is not None:
            os.kill(self._process, signal.SIGKILL)
            self.has_done()
