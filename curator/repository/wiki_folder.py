"""The folder of a wiki: its git, what curator keeps beside it, and the catalogue of its pages."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from curator.repository.git import Git
from curator.repository.runtime.runtime import Runtime
from curator.repository.stand_in import is_writable, stand_in

if TYPE_CHECKING:
    from curator.repository.catalogue import Catalogue
    from curator.repository.source_index import SourceIndex
    from curator.repository.vectors import VectorCache


class WikiFolder:
    """A wiki's folder, opened. ``close`` it."""

    def __init__(self, root: Path, *, looks: bool = False) -> None:
        """``looks``: True for who only looks: where nothing can be written, a copy stands in for the runtime folder."""
        self.root = root.resolve()
        self.git = Git(self.root)
        self.unwritable: Path | None = None
        """The runtime folder, where a copy stands in for it."""
        self._stand_in: TemporaryDirectory[str] | None = None
        if looks and not is_writable(self.git.runtime):
            self._stand_in, self.unwritable = stand_in(self.git.runtime), self.git.runtime
            self.git.runtime = Path(self._stand_in.name)
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
        if self._stand_in is not None:
            self._stand_in.cleanup()

    @property
    def catalogue(self) -> Catalogue:
        """The pages of the commit that was looked at last."""
        if self._catalogue is None:
            from curator.repository.catalogue import FILE, Catalogue  # git may be at work before it is there

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
        from curator.repository.catalogue import Catalogue

        self._catalogue = Catalogue.open(None)
