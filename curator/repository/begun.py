"""A transaction that has begun: it reads the newest commit, and makes the next one upon it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from curator.repository.snapshot import Snapshot
from curator.repository.transaction.transaction import CommitTransaction
from curator.wiki.sources.source import SIGNATURES

if TYPE_CHECKING:
    from curator.repository.repository import Repository
    from curator.repository.source_files import IncomingFile
    from curator.system.edited_text import Text


class Transaction(Snapshot):
    """A snapshot of the branch's newest commit, upon which another one can be made."""

    repository: Repository

    def __init__(self, repository: Repository, branch: str, base: str) -> None:
        super().__init__(repository, base)
        git, runtime = repository.git, repository.runtime
        self._transaction = CommitTransaction(git, runtime, branch, base, repository.prefix)

    @property
    def is_newest(self) -> bool:
        """False when the branch has moved meanwhile, or another one is checked out."""
        return self._transaction.is_at_base

    def left_of(self, source: str) -> list[str]:
        """The file of a source, and its signatures, that are committed still and in the work tree no more."""
        root, prefix = self.repository.root, self.repository.prefix
        names = [name for name in (source, *(source + s for s in SIGNATURES)) if not os.path.lexists(root / name)]
        committed = self.repository.git.blobs_at(self.base, [prefix + name for name in names])
        return [name for name in names if prefix + name in committed]

    def commit(
        self, files: Mapping[str, Text | None], source_file: IncomingFile | None, message: str, *, merges: bool = False
    ) -> str:
        """One commit of ``files`` and the source; see ``CommitTransaction.commit``, and ``CommitTransaction.merges``."""
        return replace(self._transaction, merges=merges).commit(files, source_file, message)
