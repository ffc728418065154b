"""Changes that a person asks for go the way an ingest goes: one transaction, one commit, a ``manual`` event in the log."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from curator.edits.rename import ChangeSet
from curator.errors import Conflict
from curator.repository.repository import Repository, Transaction
from curator.repository.transaction.transaction import BranchMoved
from curator.system.clocks import Clock
from curator.wiki import index, log
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page, is_page_path
from curator.wiki.sources import registry

_MOVES = 5


@dataclass(frozen=True)
class CommitResult:
    """What became of it; ``commit`` is None for a dry run."""

    commit: str | None
    upkeep: ChangeSet
    diffs: dict[str, str]

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(sorted(page.slug for page in self.upkeep.wiki.changed.values()))


def carry_out(
    repository: Repository, work: Callable[[Transaction], ChangeSet], clock: Clock, dry_run: bool
) -> CommitResult:
    """Do ``work`` on the newest commit and commit it; again when the branch moves meanwhile. Raises CuratorError."""
    for _ in range(_MOVES):
        transaction = repository.begin()
        upkeep = work(transaction)
        files = files_of(upkeep, transaction, clock())
        pages = {*upkeep.wiki.changed, *upkeep.wiki.gone}
        diffs = {path: diff.between(path, transaction.read(path), files[path]) for path in sorted(pages)}
        if dry_run:
            return CommitResult(None, upkeep, diffs)
        try:
            return CommitResult(transaction.commit(files, None, message_of(upkeep)), upkeep, diffs)
        except BranchMoved:
            continue
    raise Conflict("branch_busy", f"the branch moved {_MOVES} times meanwhile", "try again")


def snapshot(repository: Repository, clock: Clock) -> CommitResult | None:
    """Commit the edits of pages that the user has not committed, as theirs; None when there are none.

    A page whose head cannot be read stays as it is: it is not finished.
    """

    edits = dict(_edits(repository))

    def work(transaction: Transaction) -> ChangeSet:
        wiki = transaction.wiki
        for path, page in edits.items():
            wiki = wiki.without(path) if page is None else wiki.with_page(page)
        bullets = [f"edited by hand: [[{page.slug}]]" for page in wiki.changed.values()]
        bullets += [f"deleted by hand: {path}" for path in sorted(wiki.gone)]
        subject = f"snapshot of {len(bullets)} edited page{'s' * (len(bullets) != 1)}"
        trailer = f"Curator-Snapshot: {len(bullets)}"
        return ChangeSet(wiki, transaction.manifest(), subject, tuple(bullets), (trailer,))

    return carry_out(repository, work, clock, dry_run=False) if edits else None


def _edits(repository: Repository) -> Iterator[tuple[str, Page | None]]:
    """The pages that are not as they were committed; None for one that was deleted."""
    for path in filter(is_page_path, repository.git.edited("HEAD")):
        text = repository.git.text_of(path)
        if text is not None and (page := Page(path, text)).is_readable:
            yield path, page
        elif not os.path.lexists(repository.root / path):
            yield path, None


def files_of(upkeep: ChangeSet, transaction: Transaction, now: datetime) -> dict[str, str | None]:
    """The files of the commit: the pages that changed or go, the index, the log, the manifest."""
    wiki = upkeep.wiki
    event = log.LogEvent.now(now, "manual", upkeep.subject, upkeep.bullets)
    return {
        **dict.fromkeys(sorted(wiki.gone)),
        **{path: page.text for path, page in wiki.changed.items()},
        **dict(upkeep.files),
        index.PATH: index.of(wiki, transaction.workspace().grouping),
        log.PATH: log.append(transaction.own(log.PATH), event),
        registry.PATH: upkeep.manifest.dumps(),
    }


def message_of(upkeep: ChangeSet) -> str:
    """Subject, bullets, trailers: each on one line, so that no reason and no name of a file is taken for a trailer."""
    subject, *rest = (
        " ".join(text.split("\n"))
        for text in (upkeep.subject, *(f"- {bullet}" for bullet in upkeep.bullets), "", *upkeep.trailers)
    )
    return "\n".join([subject, "", *rest, ""])
