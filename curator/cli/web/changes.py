"""What changes of the sources of a page while it is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from curator.cli.web.streams import Event
from curator.repository.source_files import SourcesFolder


class Changes:
    """Tells a stamp of the sources at ``paths`` of the wiki at ``root``, at first and whenever one is another."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        folder = SourcesFolder(root)
        self._files = [root / path for path in paths if folder.has(path)]
        self._told = ""

    def __call__(self) -> Iterator[Event]:
        now = sha256(repr([_stamp(file) for file in self._files]).encode()).hexdigest()
        if now != self._told:
            self._told = now
            yield "sources", now


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat(follow_symlinks=False)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
