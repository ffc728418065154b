"""The wiki that is being examined: what several examinations ask for is read once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from curator.errors import CuratorError, GitError
from curator.repository import history
from curator.repository.git import NO_SUBMODULES, Blob
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.wiki.pages.page import Page, is_page, is_page_path
from curator.wiki.sources.formats import Limits, SourceLimits


def _usual_limits() -> SourceLimits:
    from curator.config import Config  # only where nobody says the limits: its models take 0.1 s to load

    return Config().source_limits


@dataclass(frozen=True)
class ExaminedWiki:
    """One wiki at its newest commit. ``repository`` may be in a bad state: nothing here takes it for sound."""

    repository: Repository
    now: datetime
    limits: Limits = _usual_limits

    @property
    def root(self) -> Path:
        return self.repository.root

    @cached_property
    def base(self) -> str | None:
        """The newest commit; None in a repository without one."""
        return self.repository.head()

    @cached_property
    def snapshot(self) -> Snapshot:
        """The newest commit through the catalogue. Raises ConfigError when there is none."""
        return self.repository.view()

    @cached_property
    def blobs(self) -> tuple[Blob, ...]:
        """Every file of the newest commit that is in the wiki, by its path from the wiki root."""
        if self.base is None:
            return ()
        prefix = self.repository.prefix
        files = self.repository.git.tree(self.base, prefix.rstrip("/"))
        return tuple(Blob(blob.path.removeprefix(prefix), blob.mode, blob.oid) for blob in files)

    @cached_property
    def page_blobs(self) -> tuple[Blob, ...]:
        """What may be a page among them; no links, no submodules."""
        return tuple(blob for blob in self.blobs if is_page_path(blob.path) and blob.is_plain)

    @cached_property
    def page_count(self) -> int:
        """How many pages there are; where the catalogue cannot be made, how many files may be one."""
        try:
            return self.snapshot.catalogue.count() if self.base is not None else 0
        except CuratorError:
            return len(self.page_blobs)

    @cached_property
    def uncommitted(self) -> Mapping[str, str]:
        """What git sees uncommitted in the wiki: the two letters of ``git status``, ``??`` for a file it does not know."""
        git, prefix = self.repository.git, self.repository.prefix
        command = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", NO_SUBMODULES)
        out = git.output(*command, "--", prefix or ".", folder=git.top).decode("utf-8", "surrogateescape")
        return {record[3:].removeprefix(prefix): record[:2] for record in out.split("\0")[:-1]}

    @cached_property
    def curator_commits(self) -> tuple[CuratorCommit, ...]:
        """What curator did, newest first."""
        if self.base is None:
            return ()
        return tuple(history.curator_commits(self.repository.git, self.base, folder=self.repository.prefix))

    def data(self, path: str, commit: str | None = None) -> bytes | None:
        """The bytes of a committed file; None when it is not there."""
        return self.repository.git.blob(f"{commit or self.base}:{self.repository.prefix}{path}")

    def pages(self) -> Iterator[tuple[str, Page | None, bool]]:
        """Every committed page with its path, and whether its bytes are text; None for one whose bytes are not there.

        They are read one by one, and kept by nobody.
        """
        for blob in self.page_blobs:
            try:
                data = self.repository.git.blob(blob.oid)
            except GitError:
                data = None
            text = (data or b"").decode("utf-8", "replace")
            if data is None or is_page(blob.path, text):
                page = None if data is None else Page(blob.path, text)
                yield blob.path, page, text.encode("utf-8") == (data or b"")
