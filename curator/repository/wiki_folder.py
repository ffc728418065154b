"""The folder of a wiki: its git, what curator keeps beside it, and the catalogue of its pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from curator.repository.catalogue import FILE, Catalogue
from curator.repository.git import Git
from curator.repository.runtime.runtime import Runtime

if TYPE_CHECKING:
    from curator.repository.source_index import SourceIndex
    from curator.repository.vectors import VectorCache


class WikiFolder:
    """A wiki's folder, opened. ``close`` it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.git = Git(self.root)
        relative = self.root.relative_to(self.git.top.resolve()).as_posix()
        self.prefix = "" if relative == "." else relative + "/"
        self.runtime = Runtime.of(self.git.runtime, self.prefix)
        self.runtime.make()
        self._catalogue: Catalogue | None = None
        self._source_index: SourceIndex | None = None
        self._vectors: VectorCache | None = None

    def close(self) -> None:
        self.git.close()
        if self._catalogue is not None:
            self._catalogue.close()
        if self._source_index is not None:
            self._source_index.close()
        if self._vectors is not None:
            self._vectors.close()

    @property
    def catalogue(self) -> Catalogue:
        """The pages of the commit that was looked at last."""
        if self._catalogue is None:
            self._catalogue = Catalogue.open(self.runtime.folder / FILE)
        return self._catalogue

    @property
    def source_index(self) -> SourceIndex:
        """The passages of the sources, as of the last time that somebody asked."""
        if self._source_index is None:
            from curator.repository.source_index import FILE, SourceIndex  # most commands ask for pages only

            self._source_index = SourceIndex.open(self.runtime.folder / FILE)
        return self._source_index

    @property
    def vectors(self) -> VectorCache:
        """The vectors that a model of embeddings was asked for."""
        if self._vectors is None:
            from curator.repository.vectors import FILE, VectorCache  # only where a model of embeddings is set

            self._vectors = VectorCache.open(self.runtime.folder / FILE)
        return self._vectors

    def keep_catalogue_in_memory(self) -> None:
        """Use no file for the catalogue: there is one that is broken, or none can be written."""
        self._catalogue = Catalogue.open(None)
