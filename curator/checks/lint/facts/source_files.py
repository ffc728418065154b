"""The sources as they lie in ``sources/``: which there are, and the digests of their bytes.

A digest is kept by the file's size, times and inode, so that bytes are hashed again only when they may be others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path

from curator.checks.lint.facts.cache import FactCache
from curator.repository import source_files
from curator.repository.source_files import SourcesFolder
from curator.system import digests
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest


@dataclass(frozen=True)
class SourceFiles:
    """The sources of one wiki."""

    root: Path
    manifest: SourceManifest
    cache: FactCache
    seen: Mapping[str, str] = field(default_factory=dict)
    """The plain files in ``sources/``, where somebody has looked at them just now: ``ReportKey.stamps``."""

    def digest(self, path: str, algorithm: str = "") -> str | None:
        """``<algo>:<hex>`` of the file's bytes; None where there is no plain file.

        By ``algorithm``, else by the one that the file is pinned by.
        """
        key = path, algorithm or self.algorithm(path)
        if key not in self._digests:
            self._digests[key] = self._digest(*key)
        return self._digests[key]

    def digested(self, path: str) -> str | None:
        """The digest, where it was asked for before; None where it was not."""
        return self._digests.get((path, self.algorithm(path)))

    def _digest(self, path: str, algorithm: str) -> str | None:
        mark, digest = self._stamps.get(path, ("", ""))
        if mark and mark == f"{algorithm} {self.seen.get(path)}":
            return digest
        if not self._folder.has(path):
            return None

        def known(stamp: str) -> str | None:
            return digest if mark == stamp else None

        keep = partial(self.cache.keep_digest, path)
        return digests.digest_of(f"{self.root}/{path}", algorithm, known, keep)

    def algorithm(self, path: str) -> str:
        """What the file's bytes are hashed with: sha256 where the algorithm that pins it is not to be had."""
        pinned = self.manifest.digests.get(path)
        name = self.manifest.hash_algorithm if pinned is None else pinned.partition(":")[0]
        return name if self._is_there(name) else "sha256"

    @cached_property
    def _is_there(self) -> Callable[[str], bool]:
        return cache(digests.is_there)

    @cached_property
    def _folder(self) -> SourcesFolder:
        return SourcesFolder(self.root)

    @cached_property
    def _digests(self) -> dict[tuple[str, str], str | None]:
        return {}

    @cached_property
    def _stamps(self) -> dict[str, tuple[str, str]]:
        return {path: (mark, digest) for path, mark, digest in self.cache.rows("SELECT * FROM file")}

    # -- what is there ---------------------------------------------------------------------------------------------

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files in ``sources/``, by path from the wiki root."""
        top = len(str(self.root)) + 1
        found = (file[top:] for file in source_files.names_below(self.root / "sources", self.root))
        return tuple(path for path in found if path.startswith("sources/"))

    @cached_property
    def ids(self) -> dict[str, str]:
        """The path of each source by its id, as pages of the other dialect name it."""
        return SourceRecords(self.manifest).references(self.files)

    def resolve(self, reference: str) -> str | None:
        """The path of the source that a page's ``sources`` names."""
        if reference in self.manifest.sources or self.digest(reference) is not None:
            return reference
        return self.ids.get(reference)
