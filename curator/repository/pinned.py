"""The wiki elsewhere than at HEAD: in a commit that no branch leads to, of what is staged or of the files as they lie."""

from __future__ import annotations

import os
import shlex
import stat
import tempfile
from pathlib import Path

from curator.errors import ConfigError
from curator.repository.git import Blob, Git, records
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Runtime
from curator.repository.uncommitted import uncommitted
from curator.system.filenames import printable

_OF_WORKTREE = "the files as they lie, for --worktree\n"
_OF_INDEX = "what is staged, for curate validate\n"


class PinnedRepository(Repository):
    """The repository as if HEAD were at ``pinned``."""

    has_edits = True

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
    return git.commit_tree(git.tree_with(head, blobs, gone), head, _OF_WORKTREE)


def commit_of_index(git: Git, index: str) -> str:
    """A commit of what the index holds: HEAD itself when that is the same.

    ``index`` is the index file git has named to its hook; empty for the repository's own. Raises ConfigError in the
    middle of a merge.
    """
    env = {"GIT_INDEX_FILE": str(Path(index).absolute())} if index else None
    blobs: list[Blob] = []
    for record in records(git.output("ls-files", "-s", "-z", env=env, folder=git.top)):
        about, _, path = record.partition("\t")
        mode, oid, stage = about.split(" ")
        if stage != "0":
            hint = f"resolve it, then: git add {shlex.quote(printable(path))}"
            raise ConfigError("git_busy", f"{printable(path)} is in an unfinished merge", hint)
        blobs.append(Blob(path, mode, oid))
    Runtime(git.runtime).make()
    with tempfile.TemporaryDirectory(prefix="staged-", dir=git.runtime) as folder:
        scratch = Path(folder, "index")
        git.put_into(scratch, blobs, is_private=True)
        tree = git.write_tree(scratch)
    head = git.commit_of("HEAD")
    if head is not None and git.text("rev-parse", f"{head}^{{tree}}") == tree:
        return head
    return git.commit_tree(tree, head, _OF_INDEX)


def _mode(file: Path) -> int:
    try:
        return os.lstat(file).st_mode
    except OSError:
        return 0
