"""The folder of a wiki: its git, what curator keeps beside it, and the catalogue of its pages."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING

from curator.errors import Conflict
from curator.repository.git import Git
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction.disk_checks import check_rights, check_room
from curator.repository.untracked import UntrackedFiles

if TYPE_CHECKING:
    from curator.repository.catalogue import Catalogue
    from curator.repository.source_index import SourceIndex
    from curator.repository.vectors import VectorCache


_NOT_COPIED = shutil.ignore_patterns(
    *"lock landing packing turns journal.json token index index.* spool displaced rescue".split(),
    *"blobs-* smudged-* staged-* tmp* *.sock".split(),
)
"""What somebody may be at work with, and what is made anew."""


_IN_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of one's own is made in it)
"""Where there is room, on Linux, when the disk of the temporary files is as full as that of the wiki."""


class WikiFolder:
    """A wiki's folder, opened. ``close`` it."""

    def __init__(self, root: Path, *, looks: bool = False) -> None:
        """``looks``: True for who only looks: where nothing can be written, a copy stands in for the runtime folder."""
        self.root = root.resolve()
        self.git = Git(self.root)
        self.unwritable: Conflict | None = None
        """Why a copy stands in for the runtime folder."""
        self._doors = ExitStack()
        if looks and (why := _unwritable(self.git.runtime)) is not None:
            self.unwritable = why
            self.git.runtime = Path(self._doors.enter_context(_stand_in(self.git.runtime)))
        relative = self.root.relative_to(self.git.top.resolve()).as_posix()
        self.prefix = "" if relative == "." else relative + "/"
        self.runtime = Runtime.of(self.git.runtime, self.prefix)
        self.runtime.make()

    def close(self) -> None:
        self.git.close()
        self._doors.close()

    @cached_property
    def catalogue(self) -> Catalogue:
        """The pages of the commit that was looked at last."""
        from curator.repository.catalogue import FILE, Catalogue  # git may be at work before it is there

        return self._doors.enter_context(closing(Catalogue.open(self.runtime.folder / FILE)))

    @property
    def has_catalogue(self) -> bool:
        """False where the catalogue has to be made of all pages: there is none, or the commit that it shows is gone."""
        return bool(shown := self.catalogue.commit) and self.git.commit_of(shown) is not None

    @cached_property
    def source_index(self) -> SourceIndex:
        """The passages of the sources, as of the last time that somebody asked."""
        from curator.repository.source_index import FILE, SourceIndex  # most commands ask for pages only

        return self._doors.enter_context(closing(SourceIndex.open(self.runtime.folder / FILE)))

    @cached_property
    def vectors(self) -> VectorCache:
        """The vectors that a model of embeddings was asked for."""
        from curator.repository.vectors import FILE, VectorCache  # only where a model of embeddings is set

        return self._doors.enter_context(closing(VectorCache.open(self.runtime.folder / FILE)))

    @property
    def untracked(self) -> UntrackedFiles:
        """The files that git does not know, as they were found last."""
        others = (
            self.git.directory / "index",
            self.git.identity / "info" / "exclude",
            self.root / ".gitignore",
        )
        return UntrackedFiles(self.runtime.folder / "untracked.kept", self.root, others)

    def keep_catalogue_in_memory(self) -> None:
        """Use no file for the catalogue: there is one that is broken, or none can be written."""
        from curator.repository.catalogue import Catalogue

        self.catalogue = self._doors.enter_context(closing(Catalogue.open(None)))


def _unwritable(folder: Path) -> Conflict | None:
    """Why nothing can be kept in a folder that is there or is to be made: its rights, a disk that is read-only or full."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    try:
        check_rights([there])
        check_room({there: 0})
    except Conflict as error:
        return error
    return None


def _stand_in(folder: Path) -> TemporaryDirectory[str]:
    """A copy of the runtime folder, as far as it can be read, for one command that only looks; cleaned up by who asks.

    Caches are used and brought up to date there, and are gone with it, as is all else that would have been kept.
    """
    copy = TemporaryDirectory(prefix="curator-", dir=_place_with_room(), ignore_cleanup_errors=True)
    with suppress(OSError):  # what cannot be read is not there
        shutil.copytree(folder, copy.name, ignore=_NOT_COPIED, dirs_exist_ok=True)
    os.chmod(copy.name, 0o700)  # noqa: PTH101 (as the folder it stands in for; copying takes that one's rights)
    return copy


def _place_with_room() -> str | None:
    """None: where temporary files lie."""
    with suppress(OSError):  # not one byte is free in any of their places
        if _unwritable(Path(gettempdir())) is None:
            return None
    return str(_IN_MEMORY) if _IN_MEMORY.is_dir() else None
