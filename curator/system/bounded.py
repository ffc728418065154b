"""A limit on processor time for work on untrusted text in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


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

    before = signal.getsignal(signal.SIGPROF)
    try:
        signal.signal(signal.SIGPROF, end)
        # Once more every second: an error that is raised while an object is being finalised is lost.
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except _TimeIsUp:
        raise TimeoutError from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)  # once more: the alarm may come while it is stopped
        signal.signal(signal.SIGPROF, before)
