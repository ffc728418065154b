"""The tenure of a service over one wiki: its lock, the folder it keeps its things in, and whether both still stand."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from curator.errors import ConfigError, Conflict
from curator.repository.runtime.runtime import Runtime
from curator.system import clocks, locks
from curator.system.filenames import printable

_LOCK = "daemon.lock"
_MOMENT = 0.5
"""For somebody who only looks whether a service runs, and holds its lock for that."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def runtime_of(root: Path) -> Runtime:
    """The wiki's runtime folder, asked for without opening the repository: the service stays small."""
    command = ["git", "-C", str(root), "rev-parse", "--git-path", "curator", "--show-prefix"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "run 'git init' in the wiki")
    folder, prefix = [*os.fsdecode(done.stdout).split("\n"), ""][:2]
    runtime = Runtime.of((root / folder).resolve(), prefix)
    runtime.folder.mkdir(parents=True, exist_ok=True)
    return runtime


def restarted(folder: Path) -> bool:
    """True when the machine was started again since the last service: what was at work then was not the reason."""
    try:
        boot = _BOOT.read_text("ascii").strip()
    except OSError:
        return False
    file = folder / "boot"
    before = file.read_text("ascii") if file.exists() else boot
    file.write_text(boot, "ascii")
    return before != boot


@contextmanager
def only_one(folder: Path, root: Path) -> Iterator[TextIO]:
    """The lock of the service; it dies with its process. Raises Conflict naming the one that runs."""
    with (folder / _LOCK).open("a+") as file:
        if not locks.take(file, time.monotonic() + _MOMENT):
            file.seek(0)
            about = file.read().strip() or "unknown"
            said = f"another curate watch is at work on {printable(root)}: {about}"
            raise Conflict("already_watched", said, "end that one first, or let it go on")
        file.truncate(0)
        now = clocks.utc_timestamp(datetime.now(UTC))
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {now}")
        file.flush()
        yield file
        with suppress(OSError):
            file.truncate(0)


def running(folder: Path) -> str | None:
    """The service that holds the lock in the runtime folder, in words; None when none runs."""
    with suppress(FileNotFoundError), (folder / _LOCK).open() as file:
        if locks.is_taken(file):
            return file.read().strip() or "starting"
    return None


def check(lock: TextIO, root: Path) -> None:
    """Raise Conflict when the lock is held on a file that is not there any more: nobody else would know of it."""
    try:
        is_ours = os.path.samestat(os.fstat(lock.fileno()), Path(lock.name).stat())
    except FileNotFoundError:
        is_ours = False
    if not is_ours:
        said = f"the git directory of {printable(root)} was taken away or replaced"
        raise Conflict("git_replaced", said, "it goes on when there is a git directory again")
