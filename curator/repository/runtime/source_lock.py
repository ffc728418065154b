"""A lock for each source: one process at a time works on it, so that no answer is asked for, and paid for, twice.

The service may die and be started again while a child of the first one still waits for the model; and a person may run
``curate ingest`` beside it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

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
    if (held := _locked(file, time.monotonic() + seconds)) is None:
        raise SourceBusy("source_busy", f"another process is ingesting {printable(source)}", "wait for it to end")
    with held:
        try:
            yield
        finally:
            file.unlink(missing_ok=True)  # before it is let go of: whoever opens it from now on makes a new one


def drop_left(folder: Path, age: float) -> None:
    """Drop the files of locks that killed processes have left, ``age`` seconds ago at least."""
    for file in folder.glob("*"):
        with suppress(FileNotFoundError):
            if time.time() - file.stat().st_mtime > age and (held := _locked(file)) is not None:
                with held:
                    file.unlink(missing_ok=True)


def _locked(file: Path, until: float = 0.0) -> IO[bytes] | None:
    """The lock on the file that has the name now, not on one that its last holder has just taken the name from.

    It is a file of Python's, which lets go of the lock when nobody has it any more, as after an interruption.
    """
    while True:
        opened = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "rb")
        if not locks.take(opened, until):
            opened.close()
            return None
        with suppress(FileNotFoundError):
            if os.fstat(opened.fileno()).st_ino == file.stat().st_ino:
                return opened
        opened.close()
