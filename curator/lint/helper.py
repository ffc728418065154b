"""Work done by a fork of this process, where that is safe and worth it."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

_MOST = 4
"""Processes at once, this one with them: each has its own part of the pages in memory."""


def processes(most: int) -> int:
    """How many processes may work at once, ``most`` at most: what is not the main thread has company, and does not fork."""
    if threading.current_thread() is not threading.main_thread():
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, _MOST, most))


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
