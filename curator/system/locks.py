"""Locks on open files. One dies with its process, and with those that were given its descriptor."""

from __future__ import annotations

import fcntl
import time
from typing import IO, Any

_PAUSE = 0.05


def take(file: int | IO[Any], until: float | None) -> bool:
    """Have the lock on ``file`` to oneself, until it is closed. False when it is another's yet at ``until``.

    ``until`` is of ``time.monotonic``; None waits for as long as it takes. It is asked for once at least.
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
    """Whether somebody has the lock to himself. Nobody can take it from now on until ``file`` is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False
