"""A wiki in a repository: judged as it is in one commit, be it the one at HEAD or one of what is staged.

Sources are hashed as they lie in the folder, for git may not keep them at all; one of which other bytes are staged is
hashed as git would write it there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from curator.checks.conformance.cache import ValidationCache
from curator.checks.conformance.of_folder import decoded
from curator.checks.conformance.page_sheet import PageSheet
from curator.checks.conformance.wiki_under_test import WikiUnderTest, is_seen, is_view_path, parsed
from curator.checks.lint import maintenance
from curator.errors import WikiError
from curator.finding import Finding
from curator.repository.git import Blob
from curator.repository.manifest_files import ManifestFiles, is_there
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.views import manifest_at
from curator.system import digests as digest
from curator.version import __version__
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.workspace import refs
from curator.wiki.workspace.effective import Host


class PinnedRepository(Repository):
    """The repository as if HEAD were at ``pinned``."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, recovers=False)  # git may be in the middle of the commit whose hook we are
        self.pinned: str | None = None

    def head(self) -> str | None:
        return self.pinned or super().head()


@dataclass(frozen=True)
class CommittedWiki:
    """One wiki in one commit."""

    settings: Settings
    repository: PinnedRepository
    files: ManifestFiles
    cache: ValidationCache
    is_staged: bool

    def under_test(self) -> WikiUnderTest:
        top = self.repository.git.top.resolve()
        listed = (path.removeprefix(self.prefix) for path in self.blobs if path.startswith(self.prefix))
        return WikiUnderTest(
            root=str(self.repository.root),
            files=frozenset(filter(is_seen, listed)),
            read=lambda path: self._text(self.prefix + path),
            sheets_of=self._sheets,
            digest=self._digest,
            read_at=self.files.read,
            host=Host(is_there),
            views=tuple(f"{top}/{path}" for path in self.blobs if is_view_path(path)),
            named=self._named_views(),
            pages_of=self.files.pages,
            lints=self._lints,
            pinned=self._pinned if self.is_staged else SourceManifest,
        )

    def _named_views(self) -> dict[str, str]:
        """Those of curator.toml; a file that names none is not held against the wiki, whatever else is in it."""
        file = self.repository.runtime.config
        if not file.is_file() or b"views" not in file.read_bytes():
            return {}
        return {name: str(manifest_at(path)) for name, path in self.settings.views.items()}

    @property
    def prefix(self) -> str:
        return self.repository.prefix

    @cached_property
    def blobs(self) -> dict[str, Blob]:
        """Every plain file of the commit, by its path from the top."""
        commit = self.repository.head()
        found = self.repository.git.tree(commit, "") if commit is not None else ()
        return {blob.path: blob for blob in found if blob.is_plain}

    def _text(self, path: str) -> str | None:
        blob = self.blobs.get(path)
        return None if blob is None else decoded(self.repository.git.blob(blob.oid))

    def _sheets(self, paths: Sequence[str], types: Sequence[str]) -> Iterator[PageSheet]:
        rules = hashlib.sha256(json.dumps([__version__, *sorted(types)]).encode()).hexdigest()[:12]
        pages = [(path, f"{self.blobs[self.prefix + path].oid} {rules}") for path in paths]
        return self.cache.sheets(self.prefix, pages, lambda some: self._made(some, types))

    def _made(self, paths: Sequence[str], types: Sequence[str]) -> Iterator[PageSheet]:
        git, oids = self.repository.git, [self.blobs[self.prefix + path].oid for path in paths]
        for path, oid, data in zip(paths, oids, git.contents(oids), strict=True):
            yield PageSheet.of(path, decoded(git.blob(oid) if data is None else data), types)

    def _digest(self, path: str, algorithm: str) -> str | None:
        blob = self.blobs.get(self.prefix + path)
        is_other = blob is not None and blob.path in self._restaged
        found = None if is_other else self.cache.digest(self.repository.root / path, algorithm)
        if found is None and blob is not None:
            data = self.repository.git.smudged([blob])[blob.path]
            found = digest.of(data, algorithm).partition(":")[2]
        return found

    @cached_property
    def _restaged(self) -> frozenset[str]:
        """The sources of which other bytes are staged than lie in the folder."""
        if not self.is_staged:
            return frozenset()
        folder = f"{self.prefix}sources"  # git takes its time over each path that it is asked for
        indexed, changed = self.repository.git.staged([folder]), self.repository.git.changed([folder])
        paths = (path for path in self.blobs if path.startswith(f"{folder}/"))
        return frozenset(path for path in paths if path in changed or indexed.get(path) != self.blobs[path].oid)

    def _pinned(self) -> SourceManifest:
        git = self.repository.git
        head = git.commit_of("HEAD")
        data = git.blob(f"{head}:{self.prefix}{registry.PATH}") if head is not None else None
        try:
            return parsed(decoded(data) or "")
        except WikiError:
            return SourceManifest()

    def _lints(self) -> Iterator[Finding]:
        if self.repository.git.commit_of("HEAD") is None:  # there is no history to look at
            yield Finding("lints_not_run", refs.FILE, "no lints were run: there is no commit yet", severity="warn")
            return

        def limits() -> tuple[int, int]:
            config = self.settings.config
            return config.max_source_bytes, config.max_source_chars

        yield from maintenance.lint_wiki(self.repository, self.settings.now(), limits).findings
