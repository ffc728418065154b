"""The edits of pages that the user has not committed, as a change set of their own (``on_dirty = "snapshot"``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from curator.repository.change_set import ChangeSet
from curator.repository.git import Git
from curator.repository.snapshot import Snapshot
from curator.wiki.pages.page import Page, is_page_path


def uncommitted(git: Git, root: Path) -> Iterator[tuple[str, Page | None]]:
    """The pages that are not as they were committed, by path; None for one that was deleted.

    A page whose frontmatter cannot be read is not finished: it is left out.
    """
    for path in filter(is_page_path, git.edited("HEAD")):
        text = git.text_of(path)
        if text is not None and (page := Page(path, text)).is_readable:
            yield path, page
        elif not os.path.lexists(root / path):
            yield path, None


def change_set(snapshot: Snapshot, edits: Mapping[str, Page | None]) -> ChangeSet:
    """``edits`` upon ``snapshot``."""
    wiki = snapshot.wiki
    for path, page in edits.items():
        wiki = wiki.without(path) if page is None else wiki.with_page(page)
    bullets = [f"edited by hand: [[{page.slug}]]" for page in wiki.changed.values()]
    bullets += [f"deleted by hand: {path}" for path in sorted(wiki.gone)]
    plural = "" if len(bullets) == 1 else "s"
    subject = f"snapshot of {len(bullets)} edited page{plural}"
    trailer = f"Curator-Snapshot: {len(bullets)}"
    return ChangeSet(wiki, snapshot.manifest(), subject, tuple(bullets), (trailer,))
