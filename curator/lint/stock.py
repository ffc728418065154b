"""The sources as they lie in ``sources/``: which there are, and the digests of their bytes.

A digest is kept by the file's size, times and inode, so that bytes are hashed again only when they may be others.
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from curator import intake
from curator.lint.ledger import Ledger
from curator.lint.texts import is_inside
from curator.manifest import Manifest
from curator.page import ENTRY_DIALECT, source_reference


@dataclass(frozen=True)
class Stock:
    """The sources of one wiki."""

    root: Path
    manifest: Manifest
    ledger: Ledger

    def digest(self, path: str) -> str | None:
        """``sha256:<hex>`` of the file's bytes, by the manifest's algorithm; None where there is no plain file."""
        if path not in self._digests:
            self._digests[path] = self._digest(path)
        return self._digests[path]

    def _digest(self, path: str) -> str | None:
        file = self.root / path
        if not is_inside(self.root, path):
            return None
        try:
            seen = file.lstat()
            if not stat.S_ISREG(seen.st_mode):
                return None
            mark = f"{self.algorithm} {seen.st_size} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_ino}"
            known = self._stamps.get(path)
            if known is not None and known[0] == mark:
                return known[1]
            with file.open("rb") as stream:
                found = f"{self.algorithm}:{hashlib.file_digest(stream, self.algorithm).hexdigest()}"
        except OSError:
            return None
        self.ledger.keep_digest(path, mark, found)
        return found

    @property
    def algorithm(self) -> str:
        name = self.manifest.hash_algorithm
        return name if name in hashlib.algorithms_available else "sha256"

    @cached_property
    def _digests(self) -> dict[str, str | None]:
        return {}

    @cached_property
    def _stamps(self) -> dict[str, tuple[str, str]]:
        return {path: (mark, digest) for path, mark, digest in self.ledger.rows("SELECT * FROM file")}

    # -- what is there ---------------------------------------------------------------------------------------------

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files in ``sources/``, by path from the wiki root."""
        found = (intake.place_of(file, self.root) for file in intake.files_below([self.root / "sources"], self.root))
        return tuple(path for path in found if path is not None and path.startswith("sources/"))

    @cached_property
    def ids(self) -> dict[str, str]:
        """The path of each source by its id, as pages of the other dialect name it."""
        known = [*sorted({*self.files, *self.manifest.sources}, reverse=True)]
        return {source_reference(ENTRY_DIALECT, path): path for path in known}

    def resolve(self, reference: str) -> str | None:
        """The path of the source that a page's ``sources`` names."""
        if reference in self.manifest.sources or self.digest(reference) is not None:
            return reference
        return self.ids.get(reference)
