"""What a folder's file system can do: nothing is read off its name, everything is tried with files that go again."""

from __future__ import annotations

import os
import secrets
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.checks.diagnosis import Diagnosis, found, quoted
from curator.repository.transaction.worktree import exchange
from curator.system.filenames import printable
from curator.system.mounts import Mount, mount_of, synced_by

PROBE = ".curate-probe-"
"""Begins the name of the folder that the trials are made in; one that is found later is a leftover."""
LOW_SPACE = 100_000_000


@dataclass(frozen=True)
class FileSystem:
    """What was tried in ``folder``, and whether it worked."""

    folder: Path
    mount: Mount
    device: int
    free: int
    refused: str = ""
    """Why nothing could be tried: the folder cannot be written in."""
    exchange: bool = False
    """Two names are swapped in one step."""
    swaps: bool = False
    """Two files are swapped, one way or the other."""
    hard_links: bool = False
    case_sensitive: bool = False
    keeps_unicode: bool = False
    """Two spellings of one letter are two names."""
    folder_sync: bool = False
    flock: bool = False

    def as_json(self) -> dict[str, Any]:
        about = {
            "folder": printable(self.folder),
            "type": self.mount.kind,
            "mount": self.mount.point,
            "free": self.free,
        }
        if self.refused:
            return {**about, "refused": self.refused}
        names = ("exchange", "hard_links", "case_sensitive", "keeps_unicode", "folder_sync", "flock")
        return {**about, **{name: getattr(self, name) for name in names}}

    def in_words(self) -> str:
        if self.refused:
            return f"{self.mount.kind}; {self.refused}"
        good = {
            "exchange": self.exchange,
            "hard links": self.hard_links,
            "synced folders": self.folder_sync,
            "locks": self.flock,
        }
        words = [name if there else f"NO {name}" for name, there in good.items()]
        case = "case counts" if self.case_sensitive else "case does not count"
        return f"{self.mount.kind or 'unknown type'}: {', '.join(words)}, {case}, {self.free / 1e9:,.1f} GB free"


def probe_filesystem(folder: Path) -> FileSystem:
    """Try out the file system that ``folder`` is on."""
    about = FileSystem(folder, mount_of(folder), folder.stat().st_dev, shutil.disk_usage(folder).free)
    try:
        with _scratch(folder) as scratch:
            return FileSystem(
                folder,
                about.mount,
                about.device,
                about.free,
                exchange=_works(_exchange_folders, scratch),
                swaps=_works(_exchange_files, scratch),
                hard_links=_works(_link, scratch),
                case_sensitive=_works(_spell_in_capitals, scratch),
                keeps_unicode=_works(_spell_in_parts, scratch),
                folder_sync=_works(_sync, scratch),
                flock=_works(_lock_twice, scratch),
            )
    except OSError as error:
        return FileSystem(folder, about.mount, about.device, about.free, refused=error.strerror or type(error).__name__)


def judge_filesystems(work: FileSystem, store: FileSystem) -> Iterator[Diagnosis]:
    """What is wrong with the file systems of the work tree and of the git directory."""
    systems = (
        [work] if work.device == store.device and work.mount == store.mount and not store.refused else [work, store]
    )
    for system in systems:
        where = printable(system.folder)
        if system.refused:
            message = f"nothing can be written in {where!r}: {system.refused}"
            repair = "mount it for writing, or give yourself the right: ls -ld " + quoted(system.folder)
            yield found("error", "folder_read_only", where, message, repair)
        else:
            yield from _missing(system, where)
        yield from _doubtful(system, where)
    if work.device != store.device:
        message = "the git directory and the wiki are on two file systems: a page that is replaced cannot be kept aside"
        repair = "nothing has to be done; with both on one, an editor that has the page open would lose nothing either"
        yield found("info", "two_file_systems", printable(store.folder), message, repair)


def _missing(system: FileSystem, where: str) -> Iterator[Diagnosis]:
    """Abilities that the transaction needs."""
    move = "move the wiki, with its .git, to a local file system such as ext4, xfs, btrfs or APFS"
    kind = system.mount.kind or "this file system"
    if not system.hard_links:
        message = f"{kind} has no hard links: index.lock cannot be taken, new pages cannot be put in their place"
        yield found("error", "no_hard_links", where, message, move)
    if not system.swaps:
        message = f"{kind} cannot swap two files: a page cannot be replaced without losing a save made just then"
        yield found("error", "no_exchange", where, message, move)
    elif not system.exchange:
        message = f"{kind} has no exchange in one step: pages are replaced by hard link and rename"
        yield found("info", "no_exchange", where, message, "nothing has to be done: it is as safe, and a little slower")
    if not system.flock:
        message = f"{kind} has no locks that hold: two curates at once could not be kept apart"
        yield found("error", "no_flock", where, message, f"{move}; until then, start one curate at a time")
    if not system.folder_sync:
        message = f"{kind} cannot sync a folder: after a power cut the newest commit may be missing"
        yield found("warn", "no_folder_sync", where, message, move)
    if not system.case_sensitive or not system.keeps_unicode:
        what = "capital and small letters" if not system.case_sensitive else "two spellings of an accented letter"
        message = f"{kind} takes {what} in names for the same"
        yield found(
            "info", "names_fold", where, message, "nothing has to be done: such names are not given to new pages"
        )


def _doubtful(system: FileSystem, where: str) -> Iterator[Diagnosis]:
    """What no trial shows."""
    if system.mount.risk:
        message = f"{where!r} is on {system.mount.risk}: its locks and syncs may hold on this machine only"
        repair = "run curate on one machine only, or move the wiki to a local disk and share it by git push and pull"
        yield found("warn", "network_mount", where, message, repair)
    if program := synced_by(system.folder):
        message = f"{where!r} is inside {program!r}, which is copied by a program that knows nothing of git"
        repair = "move the wiki out of that folder and share it by git push and pull, or take .git out of the syncing"
        yield found("warn", "sync_folder", where, message, repair)
    if system.free < LOW_SPACE:
        message = f"{system.free / 1e6:,.0f} MB are free on {system.mount.point!r}"
        yield found(
            "warn", "space_low", where, message, f"make room: less than {LOW_SPACE // 1_000_000} MB is too little"
        )


# -- trials --------------------------------------------------------------------------------------------------------


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    scratch = folder / f"{PROBE}{secrets.token_hex(6)}"
    scratch.mkdir()
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _works(trial: Callable[[Path], bool], scratch: Path) -> bool:
    with suppress(OSError):
        return trial(scratch)
    return False


def _exchange_folders(scratch: Path) -> bool:
    """Folders, because these only the kernel's exchange can swap: hard links, the other way, cannot be made of them."""
    (scratch / "one").mkdir()
    (scratch / "one" / "mark").mkdir()
    (scratch / "other").mkdir()
    _swap("one", "other", scratch)
    return (scratch / "other" / "mark").is_dir()


def _exchange_files(scratch: Path) -> bool:
    (scratch / "first").write_bytes(b"1")
    (scratch / "second").write_bytes(b"2")
    _swap("first", "second", scratch)
    return (scratch / "first").read_bytes() == b"2"


def _swap(one: str, other: str, scratch: Path) -> None:
    descriptor = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        exchange(one, other, descriptor)
    finally:
        os.close(descriptor)


def _link(scratch: Path) -> bool:
    (scratch / "file").write_bytes(b"")
    os.link(scratch / "file", scratch / "link")
    return os.path.samestat((scratch / "file").stat(), (scratch / "link").stat())


def _spell_in_capitals(scratch: Path) -> bool:
    (scratch / "case").write_bytes(b"")
    return not (scratch / "CASE").exists()


def _spell_in_parts(scratch: Path) -> bool:
    name = "caf\u00e9"
    (scratch / name).write_bytes(b"")
    return not (scratch / unicodedata.normalize("NFD", name)).exists()


def _sync(scratch: Path) -> bool:
    descriptor = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return True


def _lock_twice(scratch: Path) -> bool:
    """A lock holds when a second one is refused."""
    import fcntl

    with (scratch / "lock").open("w") as one, (scratch / "lock").open("w") as other:
        fcntl.flock(one, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
