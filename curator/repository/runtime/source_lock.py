"""A lock for each source: one process at a time works on it, so that no answer is asked for, and paid for, twice.

The service may die and be started again while a child of the first one still waits for the model; and a person may run
``curate ingest`` beside it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curator.errors import SourceBusy
from curator.repository.runtime.json_files import name_of
from curator.system import locks
from curator.system.filenames import printable


@contextmanager
def source_lock(folder: Path, source: str, seconds: float) -> Iterator[None]:
    """Hold the lock of ``source`` for the block; it ends with the process at the latest.

    Raises SourceBusy when another process still has it after ``seconds``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name_of(source)
    if (descriptor := _locked(file, time.monotonic() + seconds)) is None:
        raise SourceBusy("source_busy", f"another process is ingesting {printable(source)}", "wait for it to end")
    try:
        yield
    finally:
        try:
            file.unlink(missing_ok=True)  # before it is let go of: whoever opens it from now on makes a new one
        finally:
            os.close(descriptor)


def _locked(file: Path, until: float = 0.0) -> int | None:
    """The lock on the file that has the name now, not on one that its last holder has just taken the name from."""
    while True:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not locks.take(descriptor, until):
            os.close(descriptor)
            return None
        try:
            if os.fstat(descriptor).st_ino == file.stat().st_ino:
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)
