"""Changes that a person asks for go the way an ingest goes: one transaction, one commit, a ``manual`` event in the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from curator import diff, index, log, manifest
from curator.errors import Conflict
from curator.repository import Repository, Transaction
from curator.transaction import BranchMoved
from curator.upkeep import Upkeep

_MOVES = 5


@dataclass(frozen=True)
class Done:
    """What became of it; ``commit`` is None for a dry run."""

    commit: str | None
    upkeep: Upkeep
    diffs: dict[str, str]

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(sorted(page.slug for page in self.upkeep.wiki.changed.values()))


def carry_out(
    repository: Repository, work: Callable[[Transaction], Upkeep], clock: Callable[[], datetime], dry_run: bool
) -> Done:
    """Do ``work`` on the newest commit and commit it; again when the branch moves meanwhile. Raises CuratorError."""
    for _ in range(_MOVES):
        transaction = repository.begin()
        upkeep = work(transaction)
        files = files_of(upkeep, transaction, clock())
        pages = {*upkeep.wiki.changed, *upkeep.wiki.gone}
        diffs = {path: diff.between(path, transaction.read(path), files[path]) for path in sorted(pages)}
        if dry_run:
            return Done(None, upkeep, diffs)
        try:
            return Done(transaction.commit(files, None, message_of(upkeep)), upkeep, diffs)
        except BranchMoved:
            continue
    raise Conflict("branch_busy", f"the branch moved {_MOVES} times meanwhile", "try again")


def files_of(upkeep: Upkeep, transaction: Transaction, now: datetime) -> dict[str, str | None]:
    """The files of the commit: the pages that changed or go, the index, the log, the manifest."""
    wiki = upkeep.wiki
    event = log.Event.now(now, "manual", upkeep.subject, upkeep.bullets)
    return {
        **dict.fromkeys(sorted(wiki.gone)),
        **{path: page.text for path, page in wiki.changed.items()},
        **dict(upkeep.files),
        index.PATH: index.render(wiki.entries(), transaction.workspace().grouping),
        log.PATH: log.append(transaction.read(log.PATH) or "", event),
        manifest.PATH: upkeep.manifest.dumps(),
    }


def message_of(upkeep: Upkeep) -> str:
    body = "".join(f"- {bullet}\n" for bullet in upkeep.bullets)
    return f"{upkeep.subject}\n\n{body}\n" + "".join(f"{trailer}\n" for trailer in upkeep.trailers)
