"""Packing: what commits leave, a file an object, is put together, so that a repository nobody looks after stays small.

Each ingest writes ``_index.md`` anew, which of a big wiki is megabytes; in a pack a version costs what it changes. It is
compared with one other version: with three it took 1.7 times as long, and found no smaller difference. Packs grow
geometrically, so that each object is packed only a few times however long the wiki is kept. What is let be grows with
the packs: an ingest into a wiki of a million pages writes 64 MB, and would be packed each by each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from curator.repository.git.commands import Commands

MOST_FILES, MOST_BYTES = 6_700, 64_000_000
"""Loose objects that are let be; the first is git's own number (``gc.auto``)."""
SHARE = 0.5
"""Of the packs' bytes: as many are let be, too, where that is more. A repository is never bigger than so for this."""
_FRUGAL = (
    *("-c", "pack.threads=1", "-c", "pack.window=1", "-c", "pack.windowMemory=100m"),
    # The index of a pack too: the loose objects go, and without it nobody finds what is in the pack.
    *("-c", "core.fsync=committed,loose-object,reference,index,pack-metadata"),
)
_MOST_LEFT_OUT = 20
"""Looks that are left out one after the other, at most."""


class Packing(Commands):
    _share = 0.0
    """Of what is let be, at the last look."""
    _left_out, _may_be_left_out = 0, 0
    """Looks since then, and how many may be: by how fast it has filled up, half of those that there is room for."""

    @property
    def needs_packing(self) -> bool:
        """True when there are many loose objects, or big ones, unless the user has turned packing off (``gc.auto = 0``).

        A look goes through them all, so one who asks after every source is not always answered by one.
        """
        if self._left_out < self._may_be_left_out:
            self._left_out += 1
            return False
        files = size = 0
        for file in self._loose():
            files, size = files + 1, size + file.stat().st_size
        share = max(files / MOST_FILES, size / max(MOST_BYTES, SHARE * self._packed))
        each = (share - self._share) / (self._left_out + 1)
        self._may_be_left_out = min(_MOST_LEFT_OUT, int((1 - share) / each / 2)) if each > 0 else 0
        self._share, self._left_out = share, 0
        return share > 1 and not self._is_off

    def has_packed_since(self, file: Path) -> bool:
        """True where packs have come or gone since the file was written."""
        with suppress(FileNotFoundError):
            return (self._common / "objects" / "pack").stat().st_mtime_ns > file.stat().st_mtime_ns
        return False

    def pack(self) -> None:
        """Pack what is loose and can be reached; others that are at work in the repository are not disturbed.

        What git has to say against it is passed over: nothing depends on it, and there is another time.
        """
        command = ("repack", "-d", "-l", "-q")
        if self.run(*_FRUGAL, *command, "--geometric=2")[0] != 0:  # git before 2.33 knows no geometry
            self.run(*_FRUGAL, *command)

    def _loose(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self._common / "objects") as folders:
            for folder in folders:
                if len(folder.name) == 2 and folder.is_dir(follow_symlinks=False):
                    with os.scandir(folder) as files:
                        yield from files

    @property
    def _packed(self) -> int:
        """The bytes of all packs."""
        with os.scandir(self._common / "objects" / "pack") as files:
            return sum(file.stat().st_size for file in files if file.name.endswith(".pack"))

    @property
    def _is_off(self) -> bool:
        # The last one is ours, for every command.
        values = self.run("config", "--get-all", "gc.auto")[1].decode("utf-8", "replace").split("\n")[:-2]
        return bool(values) and values[-1].strip() == "0"
