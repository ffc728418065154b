"""The scan of ``sources/``: each file with a stamp that changes when it does, or with the reason why it is not a source.

Events are hints; the scan is the truth. It opens no file and follows no link, not even one that replaces a folder during
the scan: each folder is opened from the one above it. Every file that is passed over is reported, except temporary names
and empty files, which are still being written. A signature is not a source but a part of its source's stamp, so that a
source that waits for its signature is tried again when that arrives.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from curator.errors import SourceError
from curator.system.filenames import TEMPORARY, check_name
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.source import SIGNATURES, signed_by

MAX_DEPTH, MAX_ENTRIES = 32, 100_000
"""Deeper folders and further entries are not scanned, which is reported."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SUFFIX = "|".join(map(re.escape, filter(None, FORMATS)))
_NO_DEVICE = r"(?!(?:con|prn|aux|nul|com\d|lpt\d) *(?:\.|\Z))"
_COMMON = re.compile(rf"(?!syncthing\.){_NO_DEVICE}[a-z0-9][a-z0-9 _.,()+-]*(?:{_SUFFIX})", re.ASCII | re.IGNORECASE)
"""Names that are surely neither temporary nor a problem, as nearly all are: it saves most of the time."""
_PLAIN = re.compile(rf"{_NO_DEVICE}[a-z0-9][a-z0-9 _.,()+-]*(?<![ .])", re.ASCII | re.IGNORECASE)
"""The same for a folder that is not temporary."""
_SURELY_SHORT = 200
_KINDS = {
    stat.S_IFLNK: "it is a symbolic link, which is not followed",
    stat.S_IFDIR: f"it is more than {MAX_DEPTH} folders deep",
    stat.S_IFIFO: "it is a FIFO",
    stat.S_IFSOCK: "it is a socket",
}


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file as one scan found it, or a folder that could not be read."""

    path: str
    """From the wiki's root."""
    stamp: str
    """Inode, size and times of the file and its signature; not the device, whose number may change with a reboot."""
    size: int = 0
    modified: float = 0.0
    problem: str = ""
    """Why it cannot be a source; empty when it can."""


def scan(root: Path) -> Iterator[SeenFile]:
    """Every file below ``sources/`` but temporary and empty ones, in no order."""
    left = [MAX_ENTRIES]
    yield from _folder(str(root / "sources"), None, "sources", True, MAX_DEPTH, left)
    if left[0] < 0:
        yield _unscanned("sources", f"it has more than {MAX_ENTRIES:,} entries, of which the rest is not looked at")


def _folder(name: str, above: int | None, path: str, is_plain: bool, depth: int, left: list[int]) -> Iterator[SeenFile]:
    """Scan the folder ``name`` in the open folder ``above``, and all below it; ``left``: how many more entries may come."""
    try:
        folder = os.open(name, _FOLDER, dir_fd=above)
    except FileNotFoundError:
        return
    except OSError as error:
        yield _unopened(name, above, path, error)
        return
    limit = left[0] + MAX_ENTRIES
    try:
        with os.scandir(folder) as names:
            entries = list(islice(names, limit))
        signatures = {
            of: entry for entry in entries if entry.name.endswith(SIGNATURES) and (of := signed_by(entry.name))
        }
        own = {entry.name for entry in signatures.values()}
        for entry in entries:
            is_common = _COMMON.fullmatch(entry.name) is not None
            if not is_common and (entry.name in own or TEMPORARY.search(entry.name)):
                continue
            left[0] -= 1
            if left[0] < 0:
                return
            inside = f"{path}/{entry.name}"
            if depth and entry.is_dir(follow_symlinks=False):
                plain = is_plain and _PLAIN.fullmatch(entry.name) is not None
                yield from _folder(entry.name, folder, inside, plain, depth - 1, left)
            elif (found := _file(entry, inside, is_plain and is_common)) is not None:
                signature = _file(signatures[entry.name], inside, True) if entry.name in signatures else None
                yield found if signature is None else replace(found, stamp=f"{found.stamp}+{signature.stamp}")
        if len(entries) == limit:
            left[0] = -1  # far too many temporary names
    except OSError as error:
        yield _unscanned(path, f"the folder cannot be read: {error.strerror}")
    finally:
        os.close(folder)


def _file(entry: os.DirEntry[str], path: str, is_common: bool) -> SeenFile | None:
    """The file as it is now; None for one that is gone again, or still empty."""
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    mode, size, modified = about.st_mode, about.st_size, about.st_mtime_ns
    stamp = f"{about.st_ino:x}-{size:x}-{modified:x}-{about.st_ctime_ns:x}"
    if not stat.S_ISREG(mode):
        return SeenFile(path, stamp, problem=_KINDS.get(stat.S_IFMT(mode), "it is a device"))
    if not size:
        return None
    if not is_common or len(path) > _SURELY_SHORT:
        try:
            check_name(path)
        except SourceError as error:
            return SeenFile(path, stamp, problem=error.message)
    return SeenFile(path, stamp, size, about.st_mtime)


def _unopened(name: str, above: int | None, path: str, error: OSError) -> SeenFile:
    """A folder that cannot be opened, or is not one: ``sources/`` itself can be a link or a file."""
    try:
        mode = os.stat(name, dir_fd=above, follow_symlinks=False).st_mode
    except OSError:
        mode = stat.S_IFDIR
    if stat.S_ISDIR(mode):
        return _unscanned(path, f"the folder cannot be read: {error.strerror}")
    return _unscanned(path, _KINDS.get(stat.S_IFMT(mode), "it is no folder"))


def _unscanned(path: str, problem: str) -> SeenFile:
    return SeenFile(path, problem, problem=problem)


CALM_SECONDS = 2.0
"""A file is settled when it has not changed for so many seconds."""
_BIG, _CALM_OF_BIG = 20_000_000, 10.0
_CALM_OF_OPEN, _MAX_POSTPONED = 10.0, 600.0


class Settling:
    """Knows which files have not changed over ``scans`` scans and for ``calm`` seconds.

    A network file system, whose sizes and times come late, needs more of both: ``Settling(calm=10, scans=3)``.
    """

    def __init__(self, calm: float = CALM_SECONDS, scans: int = 2) -> None:
        self.calm, self.scans = calm, scans
        self._known: dict[str, _Unchanged] = {}

    def update(self, seen: Iterable[SeenFile], now: float) -> list[SeenFile]:
        """Take in the result of a scan; returns the settled files, oldest first. ``now`` is the monotonic clock."""
        settled, before = [], self._known
        self._known = {}
        for file in seen:
            known = before.get(file.path)
            if known is None or known.stamp != file.stamp:
                calm = _CALM_OF_BIG if file.size > _BIG else 0.0
                known = _Unchanged(file.stamp, now, now + max(self.calm, calm), self.scans)
            if known.scans:
                known.scans -= 1
            self._known[file.path] = known
            if not known.scans and now >= known.until:
                settled.append(file)
        return sorted(settled, key=lambda file: (file.modified, file.path))

    def postpone(self, path: str, now: float) -> bool:
        """Wait longer for a settled file that a process has open for writing.

        False when it has not changed for ten minutes: that process does not write it, and it is ingested as it is.
        """
        known = self._known[path]
        if now - known.since >= _MAX_POSTPONED:
            return False
        known.until = now + _CALM_OF_OPEN
        return True

    def waiting(self, now: float) -> bool:
        """True while some file is not settled."""
        return self.pause(now) is not None

    def pause(self, now: float) -> float | None:
        """Seconds until the next scan may find another file settled; None when all are."""
        between = self.calm / max(1, self.scans - 1)
        waits = [
            between if known.scans > 1 else known.until - now
            for known in self._known.values()
            if known.scans or known.until > now
        ]
        return max(0.0, min(waits)) if waits else None


@dataclass(slots=True)
class _Unchanged:
    """An unchanged file: since when, until when it has to stay so, and over how many more scans."""

    stamp: str
    since: float
    until: float
    scans: int
