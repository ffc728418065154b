"""Sources handed in to a fleet: files, whole folders, or folders that are looked at again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curator.config import Config
from curator.fleet.records import FleetWiki
from curator.fleet.store import FleetStore
from curator.system import digests
from curator.system.filenames import printable
from curator.system.signal_event import SignalEvent

_PAUSE = 5.0
"""Seconds between two looks; a file that was the same at both has settled."""


@dataclass(frozen=True)
class HandedIn:
    """What became of one file; known: these bytes came last under this name before."""

    file: Path
    path: str
    status: Literal["queued", "known", "refused"]
    reason: str = ""


@dataclass(frozen=True)
class Intake:
    """Hands files in to ``wiki``; each that cannot be is refused with the reason, and the others go on."""

    store: FleetStore
    wiki: FleetWiki
    priority: int = 0

    def all(self, named: Sequence[Path]) -> Iterator[HandedIn]:
        """Every file that is named, or lies in a folder that is."""
        for file, path in _files(named):
            yield self._one(file, path)

    def watch(self, folders: Sequence[Path], ended: SignalEvent) -> Iterator[HandedIn]:
        """The same for what comes and changes in folders, once it has settled, until ``ended`` is set."""
        before: dict[Path, tuple[int, int]] = {}
        handed: dict[Path, tuple[int, int]] = {}
        while True:
            now = {}
            for file, path in _files(folders):
                now[file] = _stamp(file)
                if now[file] == before.get(file) != handed.get(file):
                    handed[file] = now[file]
                    yield self._one(file, path)
            before = now
            if ended.wait(_PAUSE):
                return

    def _one(self, file: Path, path: str) -> HandedIn:
        most = int(self.wiki.settings.get("max_source_bytes", Config().max_source_bytes))
        if not path.isprintable():
            return HandedIn(file, printable(path), "refused", "its name cannot be shown: rename it")
        try:
            with file.open("rb") as stream:
                content = stream.read(most + 1)
        except OSError as error:
            return HandedIn(file, path, "refused", f"it cannot be read: {error.strerror}")
        if len(content) > most:
            return HandedIn(file, path, "refused", f"it has more than {most:,} bytes (max_source_bytes)")
        digest = digests.of(content, "sha256").removeprefix("sha256:")
        is_new = self.store.hand_in(self.wiki.name, path, digest, content, self.priority)
        return HandedIn(file, path, "queued" if is_new else "known")


def _files(named: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Each file with its path in a wiki; those in a named folder keep theirs below it. Hidden ones are left alone."""
    for each in named:
        if not each.is_dir():  # one that is not there is refused when it is to be read
            yield each, f"sources/{each.name}"
            continue
        for file in sorted(each.rglob("*")):
            below = file.relative_to(each)
            if file.is_file() and not file.is_symlink() and not any(part.startswith(".") for part in below.parts):
                yield file, f"sources/{below.as_posix()}"


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
