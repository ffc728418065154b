"""A change set holds all that its commit will hold, and there is one place that commits it, whatever the branch does."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.errors import Conflict
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet, NothingToDo
from curator.repository.repository import Repository
from curator.wiki import index, log
from curator.wiki.log import LogEvent
from curator.wiki.sources.registry import SourceManifest
from support.pages import page, wiki
from support.wikis import NOW, git

TEA = page("tea", "Tea is brewed.")


def tea(transaction: Transaction) -> ChangeSet:
    return ChangeSet(transaction.wiki.with_page(TEA), transaction.manifest(), "add tea", ("added [[tea]]",), ("X: y",))


def commit_elsewhere(root: Path, name: str = "note.txt") -> None:
    (root / name).write_text("A note.\n")
    git(root, "add", name)
    git(root, "commit", "-qm", f"add {name}")


def test_one_commit_holds_the_page_the_index_and_the_log(root: Path, repository: Repository) -> None:
    done = repository.commit(tea, lambda: NOW)

    assert git(root, "rev-parse", "HEAD") == done.commit
    changed = git(root, "show", "--name-only", "--format=", "HEAD").split("\n")
    assert sorted(changed) == [index.PATH, log.PATH, TEA.path]
    assert git(root, "log", "-1", "--format=%B") == "add tea\n\n- added [[tea]]\n\nX: y"
    assert "[[tea]] Tea" in (root / index.PATH).read_text()
    assert (root / log.PATH).read_text().endswith("## [2026-05-01T12:00:00Z] manual | add tea\n- added [[tea]]\n")


def test_a_dry_run_tells_what_would_be_and_changes_nothing(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")

    done = repository.commit(tea, lambda: NOW, dry_run=True)

    assert done.commit is None
    assert list(done.diffs) == [TEA.path]
    assert done.changed == ("tea",)
    assert f"+++ b/{log.PATH}" in done.diff
    assert git(root, "rev-parse", "HEAD") == before
    assert not git(root, "status", "--porcelain")


def test_a_change_is_made_anew_when_the_branch_moves(root: Path, repository: Repository) -> None:
    seen: list[str] = []

    def work(transaction: Transaction) -> ChangeSet:
        seen.append(transaction.base)
        if len(seen) == 1:
            commit_elsewhere(root)
        return tea(transaction)

    done = repository.commit(work, lambda: NOW)

    assert len(seen) == 2
    assert git(root, "rev-parse", f"{done.commit}^") == seen[1]


def test_a_branch_that_moves_again_and_again_is_told_of(root: Path, repository: Repository) -> None:
    moves = iter(range(100))

    def work(transaction: Transaction) -> ChangeSet:
        commit_elsewhere(root, f"{next(moves)}.txt")
        return tea(transaction)

    with pytest.raises(Conflict, match="the branch moved 5 times meanwhile"):
        repository.commit(work, lambda: NOW)

    assert next(moves) == 5
    assert not (root / TEA.path).exists()


def test_the_first_go_is_made_on_the_transaction_that_was_begun(repository: Repository) -> None:
    begun = repository.begin()
    seen: list[Transaction] = []

    def work(transaction: Transaction) -> ChangeSet:
        seen.append(transaction)
        return tea(transaction)

    repository.commit(work, lambda: NOW, begun=begun)

    assert seen == [begun]


def test_nothing_to_do_is_no_commit(root: Path, repository: Repository) -> None:
    before = git(root, "rev-parse", "HEAD")

    def work(transaction: Transaction) -> ChangeSet:
        raise NothingToDo

    with pytest.raises(NothingToDo):
        repository.commit(work, lambda: NOW)

    assert git(root, "rev-parse", "HEAD") == before


def test_a_partial_change_leaves_manifest_and_index_alone(root: Path, repository: Repository) -> None:
    missed = LogEvent.now(NOW, "ingest", "sources/tea.txt", ["created [[tea]]"])

    def work(transaction: Transaction) -> ChangeSet:
        now = transaction.wiki
        return ChangeSet(now, SourceManifest(), "looked", (), event="lint", earlier_events=(missed,), is_partial=True)

    repository.commit(work, lambda: NOW)

    assert git(root, "show", "--name-only", "--format=", "HEAD") == log.PATH
    told = [(event.type, event.subject) for event in log.parse((root / log.PATH).read_text())]
    assert told[-2:] == [("ingest", "sources/tea.txt"), ("lint", "looked")]


@pytest.mark.parametrize("why", ["because\nCurator-Source: x", "because\n\nCurator-Source: x"])
def test_no_reason_makes_a_trailer(why: str) -> None:
    change = ChangeSet(wiki(), SourceManifest(), "remove tea", (f"removed tea: {why}",), ("Curator-Removed: tea",))

    assert change.message.split("\n\n") == [
        "remove tea",
        f"- removed tea: {' '.join(why.split(chr(10)))}",
        "Curator-Removed: tea\n",
    ]


def test_a_message_without_trailers_ends_with_its_bullets() -> None:
    change = ChangeSet(wiki(), SourceManifest(), "118 pages", ("a: 1",), title="lint: 118 pages")

    assert change.message == "lint: 118 pages\n\n- a: 1\n"
