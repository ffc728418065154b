"""The wiki elsewhere than at HEAD: in a commit that no branch leads to, of what is staged or of the files as they lie."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from curator.repository.git import NO_SUBMODULES, Blob, Git, records
from curator.repository.repository import Repository
from curator.wiki.pages.page import CONTRACT, is_page, is_page_path

_MESSAGE = "the files as they lie, for --worktree\n"
_OWN = ("_index.md", "_log.md", "_manifest.json")
_HEAD = 10_000
"""Bytes of a file in which its head is looked for."""


class PinnedRepository(Repository):
    """The repository as if HEAD were at ``pinned``."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, recovers=False, looks=True)  # git may be in the middle of the commit whose hook we are
        self.pinned: str | None = None

    @classmethod
    def at_worktree(cls, root: Path) -> PinnedRepository:
        """The wiki with its files as they lie. Sources are read where they lie, whatever commit is looked at."""
        found = cls(root)
        found.pinned = commit_of_worktree(found.git, found.prefix)
        return found

    def head(self) -> str | None:
        return self.pinned or super().head()


def uncommitted(git: Git, prefix: str) -> Iterator[str]:
    """The wiki's files that are not as committed, by path from its root: pages, manifests and what curator writes.

    Sources are not among them, nor are notes of a folder that the wiki stands in. Nothing is written, not even the index.
    """
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", NO_SUBMODULES)
    # git looks at each file: those of sources/ may be as many as the pages.
    paths = (f":(top,literal){prefix}" if prefix else ":(top)", f":(top,exclude,literal){prefix}sources")
    asked = ("--no-literal-pathspecs", "status", *options, "--", *paths)
    for record in records(git.output(*asked, folder=git.top)):
        path = record[3:].removeprefix(prefix)
        is_new = record[:2] == "??"
        if _is_the_wikis(path) and not (is_new and _is_a_note(git.top / record[3:], path)):
            yield path


def _is_the_wikis(path: str) -> bool:
    is_manifest = path.rpartition("/")[2] in CONTRACT and not path.startswith("sources/")
    return is_manifest or is_page_path(path) or path in _OWN


def _is_a_note(file: Path, path: str) -> bool:
    """True for a new file in no folder of the wiki's that does not say that it is a page."""
    from curator.repository import notes

    return notes.is_note(path) and not _says_page(file, path)


def _says_page(file: Path, path: str) -> bool:
    """True for a file that has a page's head: in another folder than those of pages, all else are notes."""
    try:
        with file.open("rb") as stream:
            return is_page(path, stream.read(_HEAD).decode("utf-8", "replace"))
    except OSError:
        return False


def commit_of_worktree(git: Git, prefix: str) -> str | None:
    """A commit of HEAD's tree with the wiki's files as they lie; HEAD itself where they are as committed."""
    head = git.commit_of("HEAD")
    blobs: list[Blob] = []
    gone: list[str] = []
    for path in uncommitted(git, prefix):
        shown = prefix + path
        mode = _mode(git.top / shown)
        if stat.S_ISREG(mode):
            oid = git.cleaned(git.top / shown, shown, keep=True)
            blobs.append(Blob(shown, "100755" if mode & stat.S_IXUSR else "100644", oid))
        else:
            gone.append(shown)
    if head is None or not (blobs or gone):
        return head
    return git.commit_tree(git.tree_with(head, blobs, gone), head, _MESSAGE)


def _mode(file: Path) -> int:
    try:
        return os.lstat(file).st_mode
    except OSError:
        return 0
