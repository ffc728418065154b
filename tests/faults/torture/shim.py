"""The C library that counts what a process tree changes and strikes at the K-th: built once, set up by environment."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")

KINDS = (
    *("open", "create", "read", "write", "truncate", "rename", "exchange"),
    *("link", "unlink", "mkdir", "rmdir", "chmod", "utime", "fsync"),
)
"""In the order of the C enum: a set of kinds is given to the library as bits."""

PLAUSIBLE: dict[int, tuple[str, ...]] = {
    errno.ENOSPC: ("create", "write", "rename", "exchange", "link", "mkdir", "fsync"),
    errno.EIO: ("read", "write", "rename", "exchange", "unlink", "truncate", "fsync"),
    errno.EMFILE: ("open", "create", "read"),
    errno.EACCES: ("open", "create", "rename", "exchange", "link", "unlink", "mkdir", "rmdir"),
    errno.EINTR: ("create", "write", "fsync"),
    errno.EPERM: ("chmod", "utime"),
}
"""The kinds of calls each error may come from."""

_STRUCK = -2

LASTING = (errno.ENOSPC, errno.EIO, errno.EACCES)
"""Errors that are also tried as lasting ones: a full disk, a dying one, a folder that was made read-only."""


def missing() -> str | None:
    """Why the library cannot be built here; None when it can."""
    if sys.platform != "linux":
        return "LD_PRELOAD and /proc are Linux's"
    return None if shutil.which("gcc") else "there is no gcc"


def build(folder: Path) -> Path:
    """The library, compiled into ``folder`` unless it is there already."""
    name = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    library = folder / f"shim-{name}.so"
    if not library.exists():
        beside = library.with_suffix(f".{os.getpid()}")
        command = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-o", str(beside), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        beside.replace(library)
    return library


@dataclass(frozen=True)
class Strike:
    """What the library is told for one run. ``at`` 0: only count."""

    root: Path
    scratch: Path
    """Where its counter and log are, and the files that lost a name; on the same file system, outside of ``root``."""
    mode: str = "kill"
    at: int = 0
    error: int = 0
    lasting: bool = False
    reads: bool = False
    names: bool = False
    """Keep what loses its name, so that ``power`` can bring it back."""

    @property
    def log(self) -> Path:
        return self.scratch / "log"

    @property
    def grave(self) -> Path:
        return self.scratch / "grave"

    def prepare(self) -> None:
        """Set counter and log to nothing."""
        self.grave.mkdir(parents=True, exist_ok=True)
        (self.scratch / "state").write_bytes(bytes(8))
        self.log.write_bytes(b"")

    def arm(self) -> None:
        """Load this into the running process, and into all it will start."""
        os.environ.update(self._environment())
        ctypes.CDLL(None).torture_arm()

    def _environment(self) -> dict[str, str]:
        failing = sum(1 << KINDS.index(kind) for kind in PLAUSIBLE.get(self.error, ()))
        return {
            "TORTURE_ROOT": str(self.root),
            "TORTURE_STATE": str(self.scratch / "state"),
            "TORTURE_LOG": str(self.log),
            "TORTURE_AT": str(self.at),
            "TORTURE_MODE": self.mode,
            "TORTURE_ERRNO": str(self.error),
            "TORTURE_FIRST": str(failing),
            "TORTURE_LAST": str(failing if self.lasting else 0),
            "TORTURE_READS": "1" if self.reads else "0",
            "TORTURE_GRAVE": str(self.grave) if self.names else "",
        }


@dataclass(frozen=True)
class Call:
    """A line of the log: one call that was made."""

    number: int
    kind: str
    process: int
    inode: int
    result: int
    path: str
    other: str

    @property
    def failed(self) -> bool:
        """True as well for one that was struck: if it was made all the same, another line says so."""
        return self.result < 0

    @property
    def struck(self) -> bool:
        return self.result == _STRUCK


def calls(log: Path) -> Iterator[Call]:
    """What the log says, in the order of things: gits that are at work beside each other write it as they come to it."""
    lines = (line.split("\t") for line in log.read_text("utf-8", "surrogateescape").splitlines())
    for number, kind, process, inode, result, path, other in sorted(lines, key=lambda line: int(line[0])):
        yield Call(int(number), kind, int(process), int(inode), int(result), path, other)
