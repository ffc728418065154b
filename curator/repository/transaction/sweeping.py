"""What a transaction, or a process that was killed, leaves lying: it is dropped when its time has come, by every command.

Nothing of the transaction itself is loaded for it: a command that only looks is done before that would be.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from contextlib import suppress
from pathlib import Path

from curator.repository.runtime import source_lock
from curator.repository.runtime.runtime import Runtime

GRACE_SECONDS = 2.0
"""How long a displaced file is kept for an editor that still has it open."""
_AN_HOUR, _A_DAY = 3_600, 86_400


def sweep(runtime: Runtime) -> None:
    """Drop displaced files whose grace time is over; those somebody wrote into meanwhile are kept in ``rescue/``."""
    for file in sorted(runtime.displaced.glob("*")) if runtime.displaced.is_dir() else ():
        with suppress(FileNotFoundError):
            if time.time() - file.stat().st_ctime < GRACE_SECONDS:
                continue
            if hashlib.sha256(file.read_bytes()).hexdigest() == file.name.partition("-")[0]:
                file.unlink()
            else:
                runtime.rescued.move(file, "an editor wrote into a page while it was being replaced")


def sweep_spool(runtime: Runtime) -> None:
    """Drop copies of sources that a killed process left behind, and the files by which it held them."""
    source_lock.drop_left(runtime.source_locks, _AN_HOUR)
    for file in runtime.spool_folder.glob("*") if runtime.spool_folder.is_dir() else ():
        with suppress(FileNotFoundError):
            age = time.time() - file.stat().st_mtime
            if age > _A_DAY or (age > _AN_HOUR and not _is_at_work(file)):
                file.unlink()


def _is_at_work(file: Path) -> bool:
    """True when the process that ``file`` is named after may live; one in another container cannot be seen from here."""
    number = file.name.partition("-")[0]
    return number.isdecimal() and Path("/proc", number).exists()


def sweep_scratch(runtime: Runtime) -> None:
    """Drop what a killed transaction was only preparing. The caller holds the flock, so nobody is at work in it."""
    for folder in (*runtime.shared.glob("blobs-*"), *runtime.shared.glob("smudged-*")):
        shutil.rmtree(folder, ignore_errors=True)
    once_kept = ("index", "index.commit")
    for name in (f".{runtime.journal.name}.*", f".{runtime.token.name}.*", runtime.token.name, "tmp*", *once_kept):
        for file in runtime.shared.glob(name):
            file.unlink(missing_ok=True)
