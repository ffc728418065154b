"""The wiki's git repository: a transaction begins at a commit, and ends in exactly one new commit or in no change.

What reads a commit, and what commits, is loaded when it is asked for: git may be at work meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from curator.errors import Busy, ConfigError, Conflict, CuratorError, UncommittedEdits
from curator.repository.transaction import sweeping
from curator.repository.transaction.disk_checks import check_rights
from curator.repository.wiki_folder import WikiFolder

if TYPE_CHECKING:
    from curator.repository.begun import Transaction
    from curator.repository.change_set import ChangeSet, CommitResult
    from curator.repository.snapshot import Snapshot
    from curator.system.clocks import Clock

OnDirty = Literal["park", "merge", "snapshot"]
"""What becomes of the user's uncommitted edits of a page that is to be written (``Config.on_dirty``)."""

_PACKING = "packing"
"""The lock of who packs."""
_TRIES = 5
"""How often the branch may move under us before we call it too busy."""


class Repository(WikiFolder):
    """A wiki in git. Use it as a context manager."""

    has_edits = False
    """True where the files as they lie are what is looked at, uncommitted edits among them."""

    def __init__(self, root: Path, *, recovers: bool = True, looks: bool = False) -> None:
        """``recovers``: False leaves what a crash interrupted as it is, for those who only look.

        ``looks``: True for who can do without a place to write to. Raises Conflict where there is none for others.
        """
        super().__init__(root, looks=looks)
        if recovers and self.unwritable is None:
            check_rights([*{self.runtime.folder, self.runtime.shared}])
            self._recover()

    def _recover(self) -> None:
        """The first act of every command: finish what a crash interrupted. A process at work holds the lock: let it be."""
        sweeping.sweep(self.runtime)
        sweeping.sweep_spool(self.runtime)
        self._carry_through()

    def _carry_through(self) -> None:
        if self.unwritable is None and self.runtime.journal.exists():
            from curator.repository.transaction import recovery

            with suppress(Busy), self.runtime.lock(seconds=0) as held, self.git.holding(held):
                recovery.recover(self.git, self.runtime)

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.finish_interrupted()
        self.close()

    def finish_interrupted(self) -> None:
        """After a Ctrl-C: finish what it interrupted, as the next command would, so that git shows nothing half done."""
        with suppress(CuratorError, OSError):
            self._carry_through()

    def head(self) -> str | None:
        return self.git.commit_of("HEAD")

    def begin(self) -> Transaction:
        """A view of the branch's newest commit. Raises Conflict when the user is in the middle of something."""
        if self.unwritable is not None:
            raise self.unwritable
        branch = self.git.free_branch()
        base = self.git.commit_of(branch)
        if base is None:
            raise Conflict("no_commit", "the branch has no commit yet", "commit KNOWLEDGE.md first")
        from curator.repository.begun import Transaction

        return Transaction(self, branch, base)

    def view(self) -> Snapshot:
        """The newest commit, for reading only; works on a detached HEAD too."""
        commit = self.head()
        if commit is None:
            raise ConfigError("no_commit", "the wiki has no commit yet", "commit KNOWLEDGE.md first")
        from curator.repository.snapshot import Snapshot

        return Snapshot(self, commit)

    def commit(
        self,
        work: Callable[[Transaction], ChangeSet],
        clock: Clock,
        *,
        dry_run: bool = False,
        on_dirty: OnDirty = "park",
        begun: Transaction | None = None,
    ) -> CommitResult:
        """Commit the change that ``work`` makes to the newest commit; it is made anew when the branch moves meanwhile.

        ``begun``: the transaction to begin with, where there is one. ``work`` raises NothingToDo when the wiki is as it is
        to be, and BranchMoved when what it has looked at is of another commit. Raises CuratorError; then nothing changed.
        """
        from curator.repository.change_set import CommitResult
        from curator.repository.transaction.transaction import BranchMoved

        transaction = begun if begun is not None and (dry_run or begun.is_newest) else self.begin()
        for _ in range(_TRIES):
            try:
                change_set = work(transaction)
                result = CommitResult(None, change_set, change_set.files_upon(transaction, clock()), transaction)
                if dry_run:
                    return result
                merges = on_dirty == "merge"
                commit = transaction.commit(result.files, change_set.source_file, change_set.message, merges=merges)
                self._note(commit, result)
                return replace(result, commit=commit)
            except BranchMoved:
                pass
            except UncommittedEdits:
                if on_dirty != "snapshot" or not self.commit_edits(clock):
                    raise
            transaction = self.begin()
        raise Conflict("branch_busy", f"the branch moved {_TRIES} times meanwhile", "try again")

    def _note(self, commit: str, result: CommitResult) -> None:
        """What is known of a commit's pages and big files, since this one made them, need not be found out of git."""
        from curator.wiki import index
        from curator.wiki.sources import registry

        files = result.files
        has_index = index.PATH in files and result.before.workspace().grouping == "kind"
        written = files.get(registry.PATH)
        proven = result.change_set.manifest.proven_of(written) if written is not None else None
        deltas = result.before.deltas_to(files)
        self.catalogue.note(result.before.base, commit, deltas, has_index=has_index, registry=proven)

    def commit_edits(self, clock: Clock) -> bool:
        """Commit the edits of pages that the user has not committed, as theirs; False when there are none."""
        from curator.repository.change_set import change_set_of_edits, uncommitted_edits

        edits = dict(uncommitted_edits(self.git, self.root))
        if edits:
            self.commit(lambda transaction: change_set_of_edits(transaction, edits), clock)
        return bool(edits)

    def pack_if_due(self) -> None:
        """Pack git's objects when many have come together; the process that is at it already goes on alone."""
        with suppress(Busy, OSError):
            if self.git.needs_packing:
                with self.runtime.lock(0, _PACKING):
                    self.git.pack()
