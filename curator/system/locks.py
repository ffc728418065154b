"""Locks on open files. A lock ends with its process and with those that inherited its descriptor."""

from __future__ import annotations

import fcntl
import time
from typing import IO, Any

_PAUSE = 0.05


def take(file: int | IO[Any], until: float | None) -> bool:
    """Take the exclusive lock on ``file``, held until it is closed. False when another process still has it at ``until``.

    ``until`` is a time of ``time.monotonic``; None waits without a limit. It is tried at least once.
    """
    if until is None:
        fcntl.flock(file, fcntl.LOCK_EX)
        return True
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_PAUSE)


def is_taken(file: IO[Any]) -> bool:
    """Whether another process has the exclusive lock. Until ``file`` is closed, nobody can take it."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
