"""What ``curate doctor --repair`` does: leftovers and caches under the lock, the generated files in one commit."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curator.checks.diagnosis import Append, Diagnosis, Remove, Repair, Rescue, Write, change_set, place
from curator.errors import Conflict, CuratorError
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.repository import Repository
from curator.system import atomic


@dataclass(frozen=True)
class RepairResult:
    """What became of the repairs: what was done in sentences, what could not be, and the commit if there was one."""

    did: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    commit: str | None = None
    diff: str = ""

    def __add__(self, other: RepairResult) -> RepairResult:
        commit, changed = other.commit or self.commit, self.diff + other.diff
        return RepairResult(self.did + other.did, self.failed + other.failed, commit, changed)


def planned(diagnoses: Sequence[Diagnosis]) -> tuple[Repair, ...]:
    """What is to be done, each thing once."""
    return tuple(dict.fromkeys(diagnosis.fix for diagnosis in diagnoses if diagnosis.fix is not None))


def carry_out(repository: Repository, fixes: Sequence[Repair], now: datetime, dry_run: bool) -> RepairResult:
    """Do all of it, or with ``dry_run`` tell what would be done. What fails is told, and the rest is done."""
    files = [fix for fix in fixes if isinstance(fix, (Remove, Rescue))]
    texts = [fix for fix in fixes if isinstance(fix, (Write, Append))]
    done = RepairResult()
    try:
        with repository.runtime.lock():
            for fix in files:
                done += _tidied(repository, fix, dry_run)
    except CuratorError as error:
        return RepairResult(failed=(f"{error.message}; {error.hint}",))
    return done + _committed(repository, texts, now, dry_run) if texts else done


# -- files that lie about ------------------------------------------------------------------------------------------


def _tidied(repository: Repository, fix: Remove | Rescue, dry_run: bool) -> RepairResult:
    try:
        if isinstance(fix, Rescue):
            if not dry_run:
                repository.runtime.rescued.move(fix.file, fix.why)
            return RepairResult((f"moved {place(fix.file, repository.root)} to rescue/: {fix.why}",))
        there = [file for file in fix.files if file.is_symlink() or file.exists()]
        for file in () if dry_run else there:
            _remove(file)
        return RepairResult(tuple(f"removed {place(file, repository.root)}: {fix.why}" for file in there))
    except OSError as error:
        return RepairResult(failed=(f"{error.filename}: {error.strerror}",))


def _remove(file: Path) -> None:
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        atomic.remove(file)


# -- generated files -----------------------------------------------------------------------------------------------


def _committed(repository: Repository, fixes: Sequence[Write | Append], now: datetime, dry_run: bool) -> RepairResult:
    try:
        begun = repository.begin()

        def work(transaction: Transaction) -> ChangeSet:
            if transaction is not begun:  # the repairs were worked out for the wiki as it was
                raise Conflict("branch_moved", "the branch moved meanwhile", "run it again")
            return change_set(transaction.wiki, fixes, "curate doctor --repair")

        done = repository.commit(work, lambda: now, dry_run=dry_run, begun=begun)
    except CuratorError as error:
        return RepairResult(failed=(f"nothing was committed: {error.message}; {error.hint}",))
    return RepairResult(done.change_set.bullets, commit=done.commit, diff=done.diff if dry_run else "")
