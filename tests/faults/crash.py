"""Runs one ingest and dies, as by kill -9, before its K-th act that could be seen: write, rename, link, git command.

    python tests/faults/crash.py WIKI SOURCE K

Prints how many such acts there were when K is 0. What git itself does between its own system calls is not cut here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from curator.ingest import intake
from curator.ingest.flow import IngestOptions, ingest
from curator.repository import git
from curator.repository.repository import Repository
from curator.repository.transaction import worktree
from curator.wiki.sources.formats import SourceLimits
from support import wikis
from support.fakes import ScriptedModel
from support.wikis import NOW

DIES = 137


class Fuse:
    """Counts acts, and ends the process before the one it is set to."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.acts = 0

    def before(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            self.burn()
            return act(*arguments, **options)

        return watched

    def burn(self) -> None:
        self.acts += 1
        if self.acts == self.length:
            os._exit(DIES)


def light(fuse: Fuse) -> None:
    """Put the fuse before everything that changes files or runs git."""
    for name in ("link", "rename", "replace", "unlink", "mkdir", "fsync"):
        setattr(os, name, fuse.before(getattr(os, name)))
    setattr(git.Git, "run", fuse.before(git.Git.run))  # noqa: B010
    setattr(worktree, "exchange", fuse.before(worktree.exchange))  # noqa: B010
    os_open = os.open

    def watched_open(path: Any, flags: int, *arguments: Any, **options: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            fuse.burn()
        return os_open(path, flags, *arguments, **options)

    os.open = watched_open


def main() -> None:
    root, source, length = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    fuse = Fuse(length)
    with Repository(root) as repository:
        incoming = wikis.looked_at(source, repository)
        text = intake.read_source(incoming, "secondary", SourceLimits(1_000_000, 1_000_000))
        light(fuse)
        ingest(text, incoming.file, repository, ScriptedModel((wikis.MORE,)), IngestOptions(lambda: NOW))
    print(fuse.acts)


if __name__ == "__main__":
    main()
