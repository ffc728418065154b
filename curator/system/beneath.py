"""Opening a file that lies below a folder, and nothing that a link on the way leads to, whoever changes it meanwhile."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
"""A folder to go through, which need not be readable."""


def open_beneath(root: Path, path: str) -> int:
    """A descriptor of the file at ``path``, with ``/``, from ``root`` on. Raises OSError for a link, and for ``..``."""
    *folders, name = PurePosixPath(path).parts
    if path.startswith("/") or ".." in (*folders, name):
        raise PermissionError(1, f"{path!r} leads out of its folder")
    at = os.open(root, _PASS)
    try:
        for folder in folders:
            below = os.open(folder, _PASS | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        return os.open(name, _FILE, dir_fd=at)
    finally:
        os.close(at)


def no_real_folder(root: Path, path: str) -> str | None:
    """The outermost folder above ``path``, from ``root`` on, that is a link or a file; None where all are folders."""
    for folder in reversed(PurePosixPath(path).parents[:-1]):
        try:
            mode = (root / folder).lstat().st_mode
        except FileNotFoundError:
            return None
        if not stat.S_ISDIR(mode):
            return folder.as_posix()
    return None
