"""One service a wiki: the lock that makes sure of it, in the wiki's runtime folder."""

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
from curator.repository.git.opening import git_directory
from curator.repository.runtime.runtime import Runtime
from curator.system import clocks, locks
from curator.system.filenames import printable
from curator.system.git_environment import EXPLICITLY

_LOCK = "daemon.lock"
_LOCK_SECONDS = 0.5
"""Time to wait for the lock: ``curate status`` holds it for a moment to see whether a service runs."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def runtime_of(root: Path) -> Runtime:
    """The runtime folder of the wiki, from one git command: to open the repository would cost memory for months."""
    command = ["git", "-C", str(root), *EXPLICITLY, "rev-parse", "--git-path", "curator", "--show-prefix"]
    done = subprocess.run(command, capture_output=True, check=False) if git_directory(root) is not None else None
    if done is None or done.returncode != 0:
        raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "run 'git init' in the wiki")
    folder, prefix = [*os.fsdecode(done.stdout).split("\n"), ""][:2]
    runtime = Runtime.of((root / folder).resolve(), prefix)
    runtime.make()
    return runtime


def restarted(folder: Path) -> bool:
    """True when the machine was rebooted since the last service ran, which then did not end over a source."""
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
    """Hold the lock of the service; the kernel frees it with the process. Raises Conflict that names the one that runs."""
    with (folder / _LOCK).open("a+") as file:
        if not locks.take(file, time.monotonic() + _LOCK_SECONDS):
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
    """Process, host and start of the service that runs, as text; None when none runs."""
    with suppress(FileNotFoundError), (folder / _LOCK).open() as file:
        if locks.is_taken(file):
            return file.read().strip() or "starting"
    return None


def check_lock(lock: TextIO, root: Path) -> None:
    """Raise Conflict when the lock file was deleted or replaced: another service would not notice the lock."""
    try:
        is_ours = os.path.samestat(os.fstat(lock.fileno()), Path(lock.name).stat())
    except FileNotFoundError:
        is_ours = False
    if not is_ours:
        said = f"the git directory of {printable(root)} was taken away or replaced"
        raise Conflict("git_replaced", said, "it goes on when there is a git directory again")
