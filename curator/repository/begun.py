"""A transaction that has begun: it reads the newest commit, and makes the next one upon it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from curator.repository.snapshot import Snapshot
from curator.repository.transaction.transaction import CommitTransaction

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

    def commit(
        self, files: Mapping[str, Text | None], source_file: IncomingFile | None, message: str, *, merges: bool = False
    ) -> str:
        """One commit of ``files`` and the source; see ``CommitTransaction.commit``, and ``CommitTransaction.merges``."""
        return replace(self._transaction, merges=merges).commit(files, source_file, message)
