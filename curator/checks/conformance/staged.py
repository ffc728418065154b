"""What is staged, as a commit that no branch leads to: so whatever reads commits can read it, too."""

from __future__ import annotations

import tempfile
from pathlib import Path

from curator.errors import ConfigError
from curator.repository.git import Blob, Git, records
from curator.repository.runtime.runtime import Runtime
from curator.system.filenames import printable

_MESSAGE = "what is staged, for curate validate\n"


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
            hint = "finish the merge, then try again"
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
    return git.commit_tree(tree, head, _MESSAGE)
