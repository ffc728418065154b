"""Work on a stranger's text, bounded in processor time and memory: in a fork of this process, or in this one by a clock."""

from __future__ import annotations

import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from curator.system.parallel import Fork

Value = TypeVar("Value")


class _TimeIsUp(BaseException):
    """No Exception: nothing that goes on after a fault may go on after this."""


@contextmanager
def clocked(seconds: float) -> Iterator[None]:
    """Raises TimeoutError when this process has used so much processor time in the block; waiting takes none.

    It comes as a Ctrl-C does, between two instructions or in the middle of a search. Only a main thread has a clock.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGPROF, end)
    # Once more every second: an error that is raised while an object is being finalised is lost.
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    except _TimeIsUp:
        raise TimeoutError from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def forked(work: Callable[[], Value], seconds: int, megabytes: int) -> Value:
    """What ``work`` gives, within so much processor time and so much more memory than this process has.

    Raises TimeoutError or MemoryError. Where no fork is to be had, or one fails by itself, it is done here.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()

    def limited() -> Iterator[Any]:
        # The soft limits are enough for a process that has no reason to raise them.
        _lower(resource.RLIMIT_CPU, seconds)
        _lower(resource.RLIMIT_AS, _memory() + (megabytes << 20))
        try:
            yield work()
        except MemoryError:
            os._exit(_NO_MEMORY)

    try:
        fork = Fork(limited)
    except OSError:
        return work()
    try:
        if fork.has_done():
            found: Value = next(fork.results())
            return found
        if fork.status is None or os.WIFSIGNALED(fork.status):
            raise TimeoutError
        if os.WEXITSTATUS(fork.status) == _NO_MEMORY:
            raise MemoryError
    finally:
        fork.close()
    return work()


_NO_MEMORY = 9


def _lower(limit: int, wanted: int) -> None:
    _, hard = resource.getrlimit(limit)
    with suppress(ValueError, OSError):
        resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def _memory() -> int:
    """The bytes of addresses that this process has; none where the system does not tell, and does not limit them either."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 1 << 40
