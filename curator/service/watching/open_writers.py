"""Whether somebody still writes a file. A copy that pauses for half a minute holds still, and is not half a source.

The kernel knows who has a file open for writing, and says so to whoever asks for a read lease on it. The lease is given
back at once. Somebody who opens the file in that moment waits until then, and the kernel sends us a signal for it: SIGIO,
which would end the process. So SIGURG is asked for instead, first of all: nobody dies of that one.
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

    False too where nobody can tell: for a file of another user (but to root), on a network file system, which refuses
    leases for reasons of its own, and on a system without leases.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        about = file.lstat()
        # To open a FIFO and close it again would kill who writes into it.
        if not stat.S_ISREG(about.st_mode) or not _is_local(about.st_dev, file.parent):
            return False
        descriptor = os.open(file, _FLAGS)
    except BlockingIOError:
        return True  # somebody has a lease for writing, as a file server has
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
    """Remembered, because the list of mounts is long to read; with another ``device`` it is another mount."""
    return not mount_of(folder).risk
