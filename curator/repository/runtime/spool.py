"""The spool: private copies of sources, made while they are hashed. What an ingest reads is what it has proven."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from curator.errors import SourceError
from curator.repository.runtime.json_files import name_of
from curator.system import atomic, digests
from curator.system.beneath import open_beneath
from curator.system.filenames import alike
from curator.system.mounts import mount_of

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Spooled:
    """A private copy of a source, made while it was hashed; all that follows reads this copy."""

    file: Path
    digest: str
    """``sha256:<hex>``."""
    size: int
    place: str = ""
    """What is odd about where the file lies in the wiki: who else may change it. Empty: nothing is."""

    def open(self) -> BinaryIO:
        return self.file.open("rb")


def spooled(path: Path, folder: Path, algorithm: str, most: int, root: Path | None = None) -> Spooled:
    """A copy of the file at ``path``, in ``folder``; of ``most`` bytes at most.

    ``root``: the wiki that the file is one of; then no link on the way from there is followed either.

    Raises SourceError for what is no plain, readable, bounded file, WikiError for an unknown ``algorithm``.
    """
    hasher = digests.new(algorithm)
    # Named after its writer too: another one may be reading the same bytes, and drops its own copy only.
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{atomic.writer()}-{name_of(str(path))}"
    descriptor = _open_source(path, root)
    try:
        about = os.fstat(descriptor)
        size = about.st_size
        if size <= most:
            size = _copy(descriptor, file, hasher, most)
        if size > most:
            raise SourceError(
                "source_too_large",
                f"it has {size:,} bytes; at most {most:,} are read",
                "split it, or raise max_source_bytes in curator.toml",
            )
        if size == 0:
            raise SourceError("source_empty", "it is empty", "write something into it, or delete it")
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return Spooled(
        file, f"{algorithm}:{hasher.hexdigest()}", size, "" if root is None else _odd_place(about, path, root)
    )


def _odd_place(about: os.stat_result, path: Path, root: Path) -> str:
    """Hard links, and a mount between the wiki's root and the file: neither is refused, but both are said."""
    found = []
    if about.st_nlink > 1:
        found.append(
            f"it has {about.st_nlink} names on its disk (hard links): a change through another one changes it too"
        )
    point = mount_of(path.parent).point
    if about.st_dev != root.stat().st_dev or (Path(point).is_relative_to(root) and Path(point) != root):
        found.append("it is on another file system than the wiki, mounted below it")
    return "; ".join(found)


def _open_source(path: Path, root: Path | None) -> int:
    """A descriptor of a plain file: no link is followed, no FIFO waited for, no device woken up."""
    try:
        _check_kind(path.lstat().st_mode)
        above = path.parent if root is None else root
        descriptor = open_beneath(above, path.relative_to(above).as_posix())
    except FileNotFoundError as error:
        raise SourceError("source_unreadable", "there is no such file", alike(path) or "check the name") from error
    except OSError as error:
        raise SourceError(
            "source_unreadable", f"it cannot be read: {error.strerror}", "check the path and its permissions"
        ) from error
    try:
        _check_kind(os.fstat(descriptor).st_mode)
    except SourceError:
        os.close(descriptor)
        raise
    return descriptor


_KINDS = {
    stat.S_IFLNK: (
        "a symbolic link, which is not followed",
        "put the file itself there, or name the file it points to",
    ),
    stat.S_IFDIR: ("a folder", "name the files in it"),
    stat.S_IFIFO: ("a FIFO", "write what it gives into a file"),
    stat.S_IFSOCK: ("a socket", "name a plain file"),
}


def _check_kind(mode: int) -> None:
    if not stat.S_ISREG(mode):
        what, hint = _KINDS.get(stat.S_IFMT(mode), ("a device", "name a plain file"))
        raise SourceError("source_not_a_file", f"it is {what}", hint)


def _copy(descriptor: int, file: Path, hasher: digests.Hasher, most: int) -> int:
    """How many bytes were copied; one chunk past ``most`` is enough to know that a growing file is too large."""
    size = 0
    with file.open("wb") as copy:
        while size <= most and (chunk := os.read(descriptor, _CHUNK)):
            hasher.update(chunk)
            copy.write(chunk)
            size += len(chunk)
    return size
