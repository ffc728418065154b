"""What ``curate doctor --repair`` does: leftovers and caches under the lock, the generated files in one commit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curator.checks.diagnosis import Append, Diagnosis, Mend, Remove, Rescue, Write, place
from curator.errors import CuratorError, WikiError
from curator.repository.repository import Repository, Transaction
from curator.repository.runtime.runtime import Runtime
from curator.repository.transaction.transaction import BranchMoved
from curator.system import atomic
from curator.wiki import log
from curator.wiki.log import LogEvent
from curator.wiki.pages import diff


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


def planned(diagnoses: Sequence[Diagnosis]) -> tuple[Mend, ...]:
    """What is to be done, each thing once."""
    return tuple(dict.fromkeys(diagnosis.mend for diagnosis in diagnoses if diagnosis.mend is not None))


def carry_out(repository: Repository, mends: Sequence[Mend], now: datetime, dry_run: bool) -> RepairResult:
    """Do all of it, or with ``dry_run`` tell what would be done. What fails is told, and the rest is done."""
    files = [mend for mend in mends if isinstance(mend, (Remove, Rescue))]
    texts = [mend for mend in mends if isinstance(mend, (Write, Append))]
    done = RepairResult()
    try:
        with repository.runtime.lock():
            for mend in files:
                done += _tidied(repository, mend, dry_run)
    except CuratorError as error:
        return RepairResult(failed=(f"{error.message}; {error.hint}",))
    return done + _committed(repository, texts, now, dry_run) if texts else done


# -- files that lie about ------------------------------------------------------------------------------------------


def _tidied(repository: Repository, mend: Remove | Rescue, dry_run: bool) -> RepairResult:
    try:
        if isinstance(mend, Rescue):
            if not dry_run:
                _rescue(mend, repository.runtime)
            return RepairResult((f"moved {place(mend.file, repository.root)} to rescue/: {mend.why}",))
        there = [file for file in mend.files if file.is_symlink() or file.exists()]
        for file in () if dry_run else there:
            _remove(file)
        return RepairResult(tuple(f"removed {place(file, repository.root)}: {mend.why}" for file in there))
    except OSError as error:
        return RepairResult(failed=(f"{error.filename}: {error.strerror}",))


def _rescue(mend: Rescue, runtime: Runtime) -> None:
    """Move a file to ``rescue/`` under a name that is not taken there."""
    file = mend.file
    number = 2
    while (runtime.folder / "rescue" / file.name.strip(".~")).exists():
        file = mend.file.with_name(f"{mend.file.name.rstrip('~')}-{number}")
        number += 1
    if file != mend.file:
        mend.file.rename(file)
    runtime.rescue(file, mend.why)


def _remove(file: Path) -> None:
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        atomic.remove(file)


# -- generated files -----------------------------------------------------------------------------------------------


def _committed(repository: Repository, mends: Sequence[Write | Append], now: datetime, dry_run: bool) -> RepairResult:
    try:
        transaction = repository.begin()
        files, bullets = _files(transaction, mends, now)
        changed = "".join(diff.between(path, transaction.read(path), text) for path, text in sorted(files.items()))
        if dry_run:
            return RepairResult(tuple(bullets), diff=changed)
        subject = f"repair: {', '.join(sorted(files))}"
        message = "\n".join([subject, "", *(f"- {bullet}" for bullet in bullets), ""])
        return RepairResult(tuple(bullets), commit=transaction.commit(files, None, message), diff=changed)
    except BranchMoved:
        return RepairResult(failed=("nothing was committed: the branch moved meanwhile; run it again",))
    except CuratorError as error:
        return RepairResult(failed=(f"nothing was committed: {error.message}; {error.hint}",))


def _files(
    transaction: Transaction, mends: Sequence[Write | Append], now: datetime
) -> tuple[dict[str, str], list[str]]:
    """The files of the commit, and what the log says of it; the log itself is one of them."""
    files = {mend.path: mend.text for mend in mends if isinstance(mend, Write)}
    bullets = [f"{mend.path}: {mend.why}" for mend in mends if isinstance(mend, Write)]
    text = files.get(log.PATH) or _log(transaction)
    for event in _in_order(mends):
        text = log.append(text, event)
        bullets.append(f"{log.PATH}: added {event.type} of {event.at}: {event.subject}")
    files[log.PATH] = log.append(text, LogEvent.now(now, "manual", "curate doctor --repair", bullets))
    return files, bullets


def _log(transaction: Transaction) -> str:
    """The log as it is. Raises WikiError for one that is no text: to begin another would be to lose it."""
    text = transaction.read(log.PATH)
    repository = transaction.repository
    if text is None and repository.git.blob(f"{transaction.base}:{repository.prefix}{log.PATH}") is not None:
        raise WikiError("log_not_text", f"{log.PATH} is no UTF-8, so nothing can be added to it", "mend that first")
    return text or log.HEADING


def _in_order(mends: Sequence[Write | Append]) -> Iterator[LogEvent]:
    events = [mend.event for mend in mends if isinstance(mend, Append)]
    yield from sorted(events, key=lambda event: event.at)
