"""The private index that commits are made of is brought along by differences; it is what reading the tree would give."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from curator.errors import GitError
from curator.repository.git import Git
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in

OWN = {"_index.md", "_log.md", "_manifest.json", "concepts/oolong.md", "sources/brewing.txt", "summaries/brewing.md"}


@pytest.fixture
def committed(root: Path, repository: Repository) -> Path:
    """A wiki whose private index shows its last commit."""
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    return root


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commits whose trees are read anew into an index."""
    found: list[str] = []
    read_tree = Git.read_tree

    def counted(self: Git, index: Path, commit: str) -> None:
        found.append(commit)
        read_tree(self, index, commit)

    monkeypatch.setattr(Git, "read_tree", counted)
    return found


def take_in_more(root: Path, repository: Repository) -> None:
    """One ingest; its commit has what it brings, and nothing else is other than before."""
    text = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
    take_in(drop(root, "brewing.txt", text), repository, ScriptedModel((MORE,)))
    changed = set(git(root, "diff", "--no-renames", "--name-only", "HEAD~1", "HEAD").split())
    assert changed <= OWN, changed - OWN
    assert git(root, "fsck", "--full", "--strict") == ""


def commit_by_hand(root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "mine")
    return git(root, "rev-parse", "HEAD")


def test_commits_of_others_are_followed_file_by_file(committed: Path, repository: Repository, read: list[str]) -> None:
    notes = committed / "notes"
    notes.mkdir()
    for name in ("a", "b", "c", "d"):
        (notes / name).write_text(f"{name}\n")
    commit_by_hand(committed)
    for name in ("a", "b"):
        (notes / name).unlink()
    (notes / "a").mkdir()
    (notes / "a" / "in it").write_text("a file became a folder\n")
    (notes / "b").symlink_to("c")
    (notes / "c").chmod(0o755)
    (notes / "d").rename(notes / "ä")
    commit_by_hand(committed)
    (notes / "a" / "in it").unlink()
    (notes / "a").rmdir()
    (notes / "a").write_text("and a file again\n")
    commit_by_hand(committed)

    take_in_more(committed, repository)

    assert read == []


def test_a_branch_that_was_set_back_is_followed_too(committed: Path, repository: Repository, read: list[str]) -> None:
    (committed / "notes.txt").write_text("mine\n")
    commit_by_hand(committed)
    take_in_more(committed, repository)
    git(committed, "reset", "-q", "--hard", "HEAD~2")

    take_in_more(committed, repository)

    assert read == []
    assert "notes.txt" not in git(committed, "ls-tree", "-r", "--name-only", "HEAD").split()


@pytest.mark.parametrize("seed", range(3))
def test_many_changes_of_others_leave_no_trace(committed: Path, repository: Repository, seed: int) -> None:
    chance = random.Random(seed)
    for turn in range(4):
        for _ in range(12):
            file = committed / "deep" / chance.choice("xyz") / chance.choice("xyz") / f"{chance.randrange(6)}.txt"
            if file.exists() and chance.random() < 0.4:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"{turn} {chance.random()}\n")
        commit_by_hand(committed)

    take_in_more(committed, repository)


def test_an_index_that_cannot_be_followed_is_made_anew(
    committed: Path, repository: Repository, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (committed / "notes.txt").write_text("mine\n")
    base = commit_by_hand(committed)
    put_into, calls = Git.put_into, []

    def refusing(self: Git, *arguments: Any, **options: Any) -> None:
        calls.append(arguments)
        if len(calls) == 1:
            raise GitError("git_failed", "git refuses a name that a commit has")
        put_into(self, *arguments, **options)

    monkeypatch.setattr(Git, "put_into", refusing)

    take_in_more(committed, repository)

    assert read == [base]


def test_another_file_than_the_one_that_was_noted_is_made_anew(
    committed: Path, repository: Repository, read: list[str]
) -> None:
    os.utime(repository.runtime.index, ns=(1, 1))

    take_in_more(committed, repository)

    assert len(read) == 1
