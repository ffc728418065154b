"""A wiki in a repository: judged as it is in one commit, be it the one at HEAD or one of what is staged.

Sources are hashed as they lie in the folder, for git may not keep them at all; one of which other bytes are staged is
hashed as git would write it there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property

from curator.checks.conformance import Verdict, validate
from curator.checks.conformance.kept_verdict import Asked, KeptVerdict
from curator.checks.conformance.of_folder import decoded
from curator.checks.conformance.pages import unresolved_on
from curator.checks.conformance.wiki_under_test import WikiUnderTest, is_seen, is_view_path
from curator.checks.lint import maintenance
from curator.checks.lint.facts.collect import collect_entry_failures, entry_failures
from curator.checks.lint.facts.snapshot import LintContext
from curator.checks.lint.maintenance import LintPass, begin_lint
from curator.checks.lint.rules.duplicates import slug_taken
from curator.checks.lint.rules.graph import broken_links, relations
from curator.checks.lint.rules.sources import unresolved_sources
from curator.checks.rules.fields import RELATIONS
from curator.errors import WikiError
from curator.finding import Finding
from curator.repository.catalogue.rows import is_text
from curator.repository.git import Blob
from curator.repository.pinned import PinnedRepository
from curator.repository.settings import Settings
from curator.repository.views import manifest_at
from curator.system import digests
from curator.wiki.pages.page import Page, is_page, is_page_path
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import LINK_TO_SOURCE, Failure
from curator.wiki.workspace import refs
from curator.wiki.workspace.effective import Host


@dataclass(frozen=True)
class CommittedWiki:
    """One wiki in one commit."""

    settings: Settings
    repository: PinnedRepository
    asked: Asked
    resources: ExitStack
    """What is opened here stays open until the verdict is there."""
    is_staged: bool

    def verdict(self, *, everything: bool) -> Verdict:
        """The verdict on it: the one of an earlier look, where all is as it was."""
        kept = self._kept_verdict()
        if kept is not None and (before := kept.find(str(self.repository.root), everything=everything)) is not None:
            return before
        self.asked.answers.clear()
        verdict = validate(self.under_test(), everything=everything)
        is_whole = everything or verdict.ok
        if kept is not None and is_whole and not self._smudged:
            kept.keep(verdict)
        return verdict

    def _kept_verdict(self) -> KeptVerdict | None:
        """Where the verdict is kept; None for one that is not, as on what is staged."""
        repository = self.repository
        if self.is_staged or repository.git.commit_of("HEAD") is None or repository.head() is None:
            return None
        snapshot = repository.view()
        key = maintenance.key_of(snapshot, self.settings.now())
        if key is None:
            return None
        told = repr((key, snapshot.base, str(repository.root), sorted(self._named_views().items())))
        name = hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
        return KeptVerdict(repository.runtime.folder / "facts-verdict.kept", name, self.asked)

    def under_test(self) -> WikiUnderTest:
        top = self.repository.git.top.resolve()
        listed = (path.removeprefix(self.prefix) for path in self.blobs if path.startswith(self.prefix))
        return WikiUnderTest(
            root=str(self.repository.root),
            files=frozenset(filter(is_seen, listed)),
            read=lambda path: self._text(self.prefix + path),
            entry_failures=self._entry_failures,
            reference_failures=self._reference_failures,
            digest=self._digest,
            read_at=self.asked.read,
            host=Host(self.asked.is_there),
            views=tuple(f"{top}/{path}" for path in self.blobs if is_view_path(path)),
            named=self._named_views(),
            pages_of=self.asked.pages,
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

    @cached_property
    def lint(self) -> LintPass:
        """The maintenance pass over this commit: the pages are asked by the facts that it keeps of them."""

        # A verdict does not depend on a cache: one that is locked or cannot be written is gone without.
        limits = self.settings.source_limits
        begun = begin_lint(self.repository, self.settings.now(), limits, needs_file=False)
        return self.resources.enter_context(begun)

    def _entry_failures(self, types: Sequence[str]) -> Iterator[Failure]:
        if not self.blobs:
            return
        context = self.lint.with_facts()
        yield from collect_entry_failures(context, types)
        for path in self._nameless:
            yield from entry_failures(path, self.repository.git.blob(self.blobs[self.prefix + path].oid) or b"", types)
        for taken in slug_taken(context):
            yield replace(Failure.of(taken), field="slug")

    @cached_property
    def _nameless(self) -> list[str]:
        """The pages whose paths are no text: no catalogue has them."""
        paths = (path.removeprefix(self.prefix) for path in self.blobs if path.startswith(self.prefix))
        return sorted(path for path in paths if not is_text(path) and is_page_path(path) and self._is_page(path))

    def _is_page(self, path: str) -> bool:
        data = self.repository.git.blob(self.blobs[self.prefix + path].oid) or b""
        return is_page(path, data.decode("utf-8", "replace"))

    def _reference_failures(self, is_source: Callable[[str], bool]) -> Iterator[Failure]:
        if not self.blobs:
            return
        context = self.lint.with_facts()

        def leads_to_page(target: str) -> bool:
            there = f"{self.prefix}{target}" in self.blobs
            return there or context.resolve(target) is not None or context.is_file(target)

        for path in sorted({*_doubtful(context), *self._nameless}):
            text = self._text(self.prefix + path)
            yield from unresolved_on(Page(path, text), is_source, leads_to_page) if text is not None else ()

    def _digest(self, path: str, algorithm: str) -> str | None:
        blob = self.blobs.get(self.prefix + path)
        is_other = blob is not None and blob.path in self._restaged
        found = None if is_other else self.lint.context.source_files.digest(path, algorithm)
        if found is None and blob is not None:
            self._smudged.append(path)
            data = self.repository.git.smudged([blob])[blob.path]
            found = digests.of(data, algorithm)
        return None if found is None else found.partition(":")[2]

    @cached_property
    def _smudged(self) -> list[str]:
        """The sources that do not lie in the folder: git wrote them, by filters that are not ours to know."""
        return []

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
            return registry.parsed((decoded(data) or "").encode())
        except WikiError:
            return SourceManifest()

    def _lints(self) -> Iterator[Finding]:
        if self.repository.git.commit_of("HEAD") is None:  # there is no history to look at
            yield Finding("lints_not_run", refs.FILE, "no lints were run: there is no commit yet", severity="warn")
            return
        yield from self.lint.result().findings


def _doubtful(context: LintContext) -> Iterator[str]:
    """The pages that name something that is not there, or may not be named: all that have to be read once more."""
    yield from (entry.path for entry, _ in broken_links(context))
    yield from (path for path, *_ in unresolved_sources(context))
    yield from (path for (path,) in context.cache.rows("SELECT path FROM fault WHERE code=?", LINK_TO_SOURCE))
    for what in RELATIONS:
        yield from (path for path, _, slug, _ in relations(context, what) if context.resolve(slug) is None)
