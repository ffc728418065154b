"""Commits a batch: the entries, renames and deletions of a host, in one commit that breaks nothing.

Before the branch moves, the wiki is validated as it would be, lint included: a failure that the wiki does not have as it
is refuses the batch.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from curator.checks.conformance import Verdict
from curator.checks.conformance.judge import judge
from curator.edits import batch as batches
from curator.edits.batch import Batch, BatchPlan
from curator.edits.batch_entries import COMMAND, Surroundings
from curator.repository import source_files
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, Files, NothingToDo
from curator.repository.git import Blob
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system.clocks import Clock
from curator.wiki.validation import Failure, KnowledgeError

_OURS = frozenset({"evidence_missing"})
"""What lint calls an error and validation does not: other runtimes know nothing of quotes."""


@dataclass(frozen=True)
class Applied:
    """What became of a batch. Pages go by the slugs they have now; deleted ones, by those they had."""

    commit: str | None
    """None for a dry run, and when the wiki was as the batch wants it already."""
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    """By the slug it had, the one it has."""
    deleted: tuple[str, ...] = ()
    relinked: tuple[str, ...] = ()
    """Pages of which only links or relations were changed."""
    diffs: Mapping[str, str] = field(default_factory=dict)
    """The unified diff of every page that was touched, by its path."""


def _now() -> datetime:
    return datetime.now(UTC)


def apply(wiki_root: str | Path, batch: Batch, *, dry_run: bool = False, clock: Clock = _now) -> Applied:
    """Do ``batch`` to the wiki in the folder ``wiki_root``: all of it, in one commit, or nothing.

    The commit has the pages, ``_index.md`` made anew, a ``manual`` event in ``_log.md`` that says what was done and why,
    and ``_manifest.json`` (AIP-10, required generated files). Raises KnowledgeError with everything that is wrong with the
    batch; Conflict when somebody's uncommitted work is in the way, or git is busy; ConfigError or WikiError where there is
    no wiki.
    """
    settings = Settings.gather(Path(wiki_root), {}, {})
    plans: list[BatchPlan] = []

    def work(transaction: Transaction) -> ChangeSet:
        plans.append(_planned(batch, transaction, settings, clock()))
        return plans[-1].change_set

    with settings.repository as repository:
        try:
            done = repository.commit(work, clock, dry_run=dry_run)
        except NothingToDo:
            return Applied(None)
        plan = plans[-1]
        return Applied(done.commit, plan.created, plan.updated, plan.renamed, plan.deleted, plan.relinked, done.diffs)


def _planned(batch: Batch, transaction: Transaction, settings: Settings, now: datetime) -> BatchPlan:
    """What ``batch`` makes of the wiki. Raises KnowledgeError for its faults, NothingToDo when the wiki is so already."""
    workspace, around = transaction.workspace(), _CommitFiles(transaction)
    surroundings = Surroundings([each.name for each in workspace.entity_types], around.is_source, around.is_file)
    plan = batches.planned(batch, transaction.wiki, transaction.manifest(), surroundings)
    failures = list(plan.failures)
    if plan.is_whole and not plan.is_idle:
        told = {(failure.code, failure.path) for failure in failures}
        brought = _brought(plan, transaction, settings.root, now)
        failures += (failure for failure in brought if (failure.code, failure.path) not in told)
    if failures:
        raise KnowledgeError(COMMAND, workspace.name, failures)
    if plan.is_idle:
        raise NothingToDo
    return plan


@dataclass(frozen=True)
class _CommitFiles:
    """What a commit has besides its pages, looked up when it is asked for."""

    transaction: Transaction

    @property
    def repository(self) -> Repository:
        return self.transaction.repository

    def is_source(self, named: str) -> bool:
        """A path or an id, of what is registered or lies in ``sources/``; an id, of what git has there, too."""
        return named in self.transaction.manifest().sources or self._lies(named) or named in self._ids

    def is_file(self, target: str) -> bool:
        name = PurePosixPath(target).name
        return not self._others.isdisjoint((name, f"{name}.md"))

    def _lies(self, path: str) -> bool:
        """True for a plain file in ``sources/``, on whose way there is no link."""
        root = self.repository.root
        if not path.startswith("sources/") or "\0" in path or source_files.place_of(root / path, root) != path:
            return False
        return (root / path).is_file() and not (root / path).is_symlink()

    @cached_property
    def _ids(self) -> frozenset[str]:
        kept = (path for path in self._paths if path.startswith("sources/") and self._lies(path))
        return frozenset(self.transaction.registry.references(kept))

    @cached_property
    def _others(self) -> frozenset[str]:
        """The names of the files that are no pages."""
        pages = {path for path, _ in self.transaction.wiki.store.paths()}
        return frozenset(PurePosixPath(path).name for path in self._paths if path not in pages)

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        prefix = self.repository.prefix
        blobs = self.repository.git.tree(self.transaction.base, prefix.rstrip("/"))
        return tuple(blob.path.removeprefix(prefix) for blob in blobs)


# -- the wiki as it would be ---------------------------------------------------------------------------------------


def _brought(plan: BatchPlan, transaction: Transaction, root: Path, now: datetime) -> Iterator[Failure]:
    """The failures that ``plan`` would bring: those of the wiki as it would be that it does not have as it is."""
    environment = {"SOURCE_DATE_EPOCH": str(int(now.timestamp()))}
    with _index(transaction, plan.change_set.files_upon(transaction, now)) as index:
        found = _failures(judge(root, environment, staged=True, index=str(index)))
    if not found:
        return
    there = _failures(judge(root, environment))
    known = Counter((failure.code, plan.moved.get(failure.path, failure.path)) for failure in there)
    words = {(failure.code, failure.path, failure.message) for failure in there}
    counted = Counter((failure.code, failure.path) for failure in found)
    for failure in found:
        place = failure.code, failure.path
        if counted[place] > known[place] and (*place, failure.message) not in words:
            yield failure


def _failures(verdict: Verdict) -> list[Failure]:
    """The findings for which a batch is refused, as errors."""
    found = verdict.findings
    return [replace(each, severity="error") for each in found if each.severity == "error" or each.code in _OURS]


@contextmanager
def _index(transaction: Transaction, files: Files) -> Iterator[Path]:
    """An index file of the commit with ``files`` upon it."""
    git, prefix = transaction.repository.git, transaction.repository.prefix
    texts = {path: text for path, text in files.items() if text is not None}
    oids = git.store(list(texts.values()))
    blobs = [Blob(prefix + path, "100644", oid) for path, oid in zip(texts, oids, strict=True)]
    with tempfile.TemporaryDirectory(prefix="staged-", dir=git.runtime) as folder:
        index = Path(folder, "index")
        git.read_tree(index, transaction.base)
        git.put_into(index, blobs, [prefix + path for path in files if path not in texts], is_private=True)
        yield index
