"""Whether a process still has a file open for writing, so that a copy that pauses is not ingested by half.

The kernel refuses a read lease on a file that is open for writing. A lease that is granted is given back at once. When
another process opens the file in that moment, the kernel sends a signal: SIGIO, which would end our process. So SIGURG is
set instead, before anything else, because that one is ignored by default.
"""

from __future__ import annotations

import fcntl
import os
import signal
import stat
from functools import lru_cache
from pathlib import Path

from curator.system.mounts import mount_of

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def has_writer(file: Path) -> bool:
    """True when some process has ``file`` open for writing.

    Also False where this cannot be known: for a file of another user (except to root), on a network file system, which
    refuses leases for reasons of its own, and on a system without leases.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        about = file.lstat()
        # To open and close a FIFO would kill the process that writes into it.
        if not stat.S_ISREG(about.st_mode) or not _is_local(about.st_dev, file.parent):
            return False
        descriptor = os.open(file, _FLAGS)
    except BlockingIOError:
        return True  # another process holds a lease for writing, as a file server does
    except OSError:
        return False
    try:
        return _is_refused(descriptor)
    finally:
        os.close(descriptor)


def _is_refused(descriptor: int) -> bool:
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


@lru_cache(maxsize=1024)
def _is_local(device: int, folder: Path) -> bool:
    """Cached, because the list of mounts is slow to read; another ``device`` is another mount."""
    return not mount_of(folder).risk
