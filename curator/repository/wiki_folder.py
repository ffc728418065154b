"""The folder of a wiki: its git, what curator keeps beside it, and the catalogue of its pages."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from curator.repository.git import Git
from curator.repository.runtime.runtime import Runtime
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


class WikiFolder:
    """A wiki's folder, opened. ``close`` it."""

    def __init__(self, root: Path, *, looks: bool = False) -> None:
        """``looks``: True for who only looks: where nothing can be written, a copy stands in for the runtime folder."""
        self.root = root.resolve()
        self.git = Git(self.root)
        self.unwritable: Path | None = None
        """The runtime folder, where a copy stands in for it."""
        self._doors = ExitStack()
        if looks and not _is_writable(self.git.runtime):
            self.unwritable = self.git.runtime
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


def _is_writable(folder: Path) -> bool:
    """True for a folder that can be written to, or made: also root cannot where all of a disk is read-only."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    return os.access(there, os.W_OK | os.X_OK)


def _stand_in(folder: Path) -> TemporaryDirectory[str]:
    """A copy of the runtime folder, as far as it can be read, for one command that only looks; cleaned up by who asks.

    Caches are used and brought up to date there, and are gone with it, as is all else that would have been kept.
    """
    copy = TemporaryDirectory(prefix="curator-", ignore_cleanup_errors=True)
    with suppress(OSError):  # what cannot be read is not there
        shutil.copytree(folder, copy.name, ignore=_NOT_COPIED, dirs_exist_ok=True)
    os.chmod(copy.name, 0o700)  # noqa: PTH101 (as the folder it stands in for; copying takes that one's rights)
    return copy
