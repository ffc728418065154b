"""Writing that survives a power cut: bytes are synced before a name points to them, and the folder after."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from curator.errors import ConfigError


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder that somebody named, and those above it; ConfigError where its place cannot have one."""
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except (FileExistsError, FileNotFoundError) as error:
        said = f"no folder can be made at {str(folder)!r}: {error.strerror}"
        raise ConfigError("folder_unusable", said, "name another one") from error


def write(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``: whoever looks, now or after a crash, sees the old file or the new one."""
    temporary = path.with_name(f".{path.name}.{writer()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def writer() -> str:
    """What a temporary file is named after, so that no other process and no other thread of this one writes the same."""
    return f"{os.getpid()}-{threading.get_native_id()}"


def remove(path: Path) -> None:
    """Take a file away for good, if it is there."""
    path.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def late_syncs() -> Iterator[Callable[[int], None]]:
    """Gives what has open folders synced when the block ends, each once."""
    folders: dict[tuple[int, int], int] = {}

    def later(folder: int) -> None:
        about = os.fstat(folder)
        if (place := (about.st_dev, about.st_ino)) not in folders:
            folders[place] = fcntl.fcntl(folder, fcntl.F_DUPFD_CLOEXEC, 0)

    try:
        yield later
    finally:
        try:
            for folder in folders.values():
                os.fsync(folder)
        finally:
            for folder in folders.values():
                os.close(folder)


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable, where the file system can."""
    with suppress(FileNotFoundError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with suppress(OSError):  # some file systems cannot sync a folder
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
