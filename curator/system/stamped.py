"""The digest of a file that is kept under a stamp, which changes when the file does: hashed once while it stays."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable
from pathlib import Path

from curator.system import digests

_TICK = 1_000_000_000
"""Nanoseconds: no file system has a coarser clock for what it writes now."""


def digest_of(
    file: Path,
    algorithm: str,
    known: Callable[[str], str | None],
    keep: Callable[[str, str], object],
    now: Callable[[], int] = time.time_ns,
) -> str | None:
    """``<algo>:<hex>`` of a plain file's bytes; None where there is none. Raises as ``digest.new`` does.

    ``known`` tells the digest that is kept under a stamp, ``keep`` takes a stamp and its digest. A file is hashed anew when
    its size, its times or its inode are others. What changed just ``now`` (nanoseconds) may change once more within one
    tick of the clock, so its digest is not kept.
    """
    try:
        seen = file.lstat()
        if not stat.S_ISREG(seen.st_mode):
            return None
        at = now()
        stamp = f"{algorithm} {seen.st_size} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_ino}"
        if (kept := known(stamp)) is not None:
            return kept
        with file.open("rb") as stream:
            found = digests.of_stream(stream, algorithm)
    except OSError:
        return None
    if at - max(seen.st_mtime_ns, seen.st_ctime_ns) > _TICK:
        keep(stamp, found)
    return found
