"""A change to the wiki, and what its commit holds: pages, index, log, manifest, source file and message.

Making one is pure: ``Repository.commit`` is the one place where it becomes a commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, reduce
from pathlib import Path
from typing import Literal

from curator.repository.git import Git
from curator.repository.snapshot import Snapshot
from curator.repository.source_files import IncomingFile
from curator.system.edited_text import Text
from curator.system.text import plural
from curator.wiki import index, log
from curator.wiki.log import LogEvent
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page, is_page, is_page_path
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import Wiki

Files = dict[str, Text | None]
"""The text of every file of a commit by path, of a big one as edits; None for one that goes."""


class NothingToDo(Exception):
    """The wiki is as the change would make it: there is nothing to commit."""


@dataclass(frozen=True)
class ChangeSet:
    """A change to be committed: the resulting wiki, its log entry and its trailers."""

    wiki: Wiki
    manifest: SourceManifest
    """The registry of sources after it."""
    subject: str
    """What was done, for the log: ``rename oolong to oolong-tea``."""
    bullets: tuple[str, ...]
    trailers: tuple[str, ...] = ()
    files: Mapping[str, str | None] = field(default_factory=dict)
    """Other files of the commit by path; None takes one away."""
    event: Literal["ingest", "query", "lint", "manual"] = "manual"
    """The type of the log entry."""
    title: str = ""
    """The first line of the commit message where that is not the subject."""
    source_file: IncomingFile | None = None
    """The source that is committed with its pages."""
    earlier_events: tuple[LogEvent, ...] = ()
    """Events that the log lacks, oldest first; they come before this change's own."""
    is_partial: bool = False
    """True: ``_manifest.json`` stays as it is, and so does the index when no page changes."""

    def files_upon(self, before: Snapshot, now: datetime) -> Files:
        """The text of every file of the commit by path, None for one that goes; ``before`` is what it is built upon."""
        wiki = self.wiki
        files: Files = {
            **dict.fromkeys(sorted(wiki.gone)),
            **{path: page.text for path, page in wiki.changed.items()},
            **self.files,
        }
        if not self.is_partial or wiki.changed or wiki.gone:
            known, grouping = before.index, before.workspace().grouping
            edited = index.edited(known, wiki) if known is not None and grouping == "kind" else None
            files[index.PATH] = edited or index.made(wiki, grouping)
        events = (*self.earlier_events, LogEvent.now(now, self.event, self.subject, self.bullets))
        files[log.PATH] = reduce(log.append, events, self.files.get(log.PATH) or before.own(log.PATH))
        if not self.is_partial:
            files[registry.PATH] = self.manifest.written()
        return files

    @property
    def message(self) -> str:
        """Title, bullets, trailers: each on one line, so that no reason and no name of a file is taken for a trailer."""
        bullets = (f"- {bullet}" for bullet in self.bullets)
        blocks = ([self.title or self.subject], bullets, self.trailers)
        texts = ("\n".join(" ".join(line.split("\n")) for line in lines) for lines in blocks)
        return "\n\n".join(filter(None, texts)) + "\n"


@dataclass(frozen=True)
class CommitResult:
    """What a change set came to."""

    commit: str | None
    """None for a dry run."""
    change_set: ChangeSet
    files: Files
    before: Snapshot

    @property
    def changed(self) -> tuple[str, ...]:
        """The slugs of the pages that were made or changed."""
        return tuple(sorted(page.slug for page in self.change_set.wiki.changed.values()))

    @cached_property
    def diffs(self) -> dict[str, str]:
        """The unified diff of each page by its path."""
        wiki = self.change_set.wiki
        return {path: self.diff_of(path) for path in sorted({*wiki.changed, *wiki.gone})}

    @property
    def diff(self) -> str:
        """The unified diff of all files."""
        return "".join(map(self.diff_of, sorted(self.files)))

    def diff_of(self, path: str) -> str:
        """The unified diff of one file of the commit."""
        text = self.files[path]
        return diff.between(path, self.before.read(path), None if text is None else str(text))


# -- the user's own edits (``on_dirty = "snapshot"``) ------------------------------------------------------------


def uncommitted_edits(git: Git, root: Path) -> Iterator[tuple[str, Page | None]]:
    """The pages that are not as they were committed, by path; None for one that was deleted.

    Left out is one whose frontmatter cannot be read, which is not finished, and one that is staged: its owner commits it.
    """
    for path in filter(is_page_path, sorted({*git.edited("HEAD")} - {*git.staged_edits()})):
        text = git.text_of(path)
        if text is not None and is_page(path, text) and (page := Page(path, text)).is_readable:
            yield path, page
        elif not os.path.lexists(root / path):
            yield path, None


def change_set_of_edits(snapshot: Snapshot, edits: Mapping[str, Page | None]) -> ChangeSet:
    """``edits`` upon ``snapshot``."""
    wiki = snapshot.wiki
    for path, page in edits.items():
        if page is not None:
            wiki = wiki.with_page(page)
        elif wiki.resolve(path) is not None:
            wiki = wiki.without(path)
    bullets = [f"edited by hand: [[{page.slug}]]" for page in wiki.changed.values()]
    bullets += [f"deleted by hand: {path}" for path in sorted(wiki.gone)]
    subject = f"snapshot of {len(bullets)} edited {plural(len(bullets), 'page')}"
    trailer = f"Curator-Snapshot: {len(bullets)}"
    return ChangeSet(wiki, snapshot.manifest(), subject, tuple(bullets), (trailer,))
