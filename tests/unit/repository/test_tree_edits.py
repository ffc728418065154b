"""The tree of a commit, edited: it is what an index would give, whatever others have committed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.errors import GitError
from curator.repository.git import Blob, Git
from curator.repository.runtime.runtime import Runtime
from support.wikis import git

PARTS = ("a", "a.b", "a-", "a0", "b", "ä", " x", "\udcff", "tree")


@pytest.fixture
def edits(tmp_path: Path) -> Callable[[], Git]:
    def made(*options: str) -> Git:
        git(tmp_path, "init", "-q", "-b", "main", *options)
        (tmp_path / "a").write_text("a\n")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "first")
        repository = Git(tmp_path)
        Runtime(repository.runtime).make()
        return repository

    return made


def by_index(repository: Git, commit: str, blobs: list[Blob], gone: list[str]) -> str:
    """The same tree by way of an index of the whole."""
    with repository.scratch("index-") as folder:
        repository.read_tree(folder / "index", commit)
        repository.put_into(folder / "index", blobs, gone, is_private=True)
        return repository.write_tree(folder / "index")


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_tree_that_an_index_gives(edits: Callable[..., Git], seed: int, options: tuple[str, ...]) -> None:
    repository, chance = edits(*options), random.Random(seed)
    oids = repository.store([b"one\n", b"two\n", b"three\n"])
    commit = repository.commit_of("HEAD") or ""
    for _ in range(15):
        there: dict[str, Blob] = {}
        gone: set[str] = set()
        for _ in range(chance.randrange(1, 8)):
            path = "/".join(chance.choices(PARTS, k=chance.randrange(1, 4)))
            if chance.random() < 0.4:
                gone.add(path)
            elif not any(f"{path}/".startswith(f"{other}/") or f"{other}/".startswith(f"{path}/") for other in there):
                there[path] = Blob(path, chance.choice(("100644", "100755", "120000")), chance.choice(oids))
        blobs, left = list(there.values()), sorted(gone - there.keys())

        tree = repository.tree_with(commit, blobs, left)

        assert tree == by_index(repository, commit, blobs, left)
        commit = repository.commit_tree(tree, commit, "next")
    repository.close()


def test_all_can_go(edits: Callable[..., Git]) -> None:
    repository = edits()
    head = repository.commit_of("HEAD") or ""

    assert repository.tree_with(head, [], ["a", "b/c"]) == by_index(repository, head, [], ["a"])
    repository.close()


def test_what_git_refuses_to_write_is_left_to_an_index(
    edits: Callable[..., Git], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = edits()
    head, (oid,) = repository.commit_of("HEAD") or "", repository.store([b"one\n"])
    blobs = [Blob("b", "100644", oid)]
    wanted = by_index(repository, head, blobs, [])

    def refuses(self: Git, trees: object) -> None:
        raise GitError("git_failed", "refusing to create malformed object")

    monkeypatch.setattr(Git, "_store", refuses)

    assert repository.tree_with(head, blobs, []) == wanted
    repository.close()


def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(edits: Callable[..., Git]) -> None:
    repository = edits()
    head, (oid,) = repository.commit_of("HEAD") or "", repository.store([b"one\n"])
    head = repository.commit_tree(repository.tree_with(head, [Blob("f/b", "100644", oid)], []), head, "next")
    lost = git(repository.top, "rev-parse", f"{head}:f")
    (repository.directory / "objects" / lost[:2] / lost[2:]).unlink()
    repository.close()

    with pytest.raises(GitError):
        repository.tree_with(head, [Blob("f/c", "100644", oid)], [])
    repository.close()
