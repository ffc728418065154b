"""Files are swapped whole, and a save in that very moment is never lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from curator.errors import Conflict
from curator.repository.transaction import worktree
from curator.repository.transaction.worktree import WorkTree


@pytest.fixture
def tree(tmp_path: Path) -> WorkTree:
    (tmp_path / "top" / "concepts").mkdir(parents=True)
    return WorkTree(tmp_path / "top", tmp_path / "displaced")


def test_a_file_that_is_as_expected_is_replaced(tree: WorkTree) -> None:
    file = tree.top / "concepts" / "tea.md"
    file.write_bytes(b"old")
    file.chmod(0o640)

    assert tree.put("concepts/tea.md", b"new", b"old") == "written"

    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in file.parent.iterdir()] == ["tea.md"]
    assert [path.read_bytes() for path in tree.displaced.iterdir()] == [b"old"]


def test_a_new_file_appears_with_its_folders(tree: WorkTree) -> None:
    assert tree.put("entities/people/ada.md", b"new", None) == "written"

    assert (tree.top / "entities" / "people" / "ada.md").read_bytes() == b"new"


def test_a_file_that_is_there_already_is_left(tree: WorkTree) -> None:
    (tree.top / "concepts" / "tea.md").write_bytes(b"new")

    assert tree.put("concepts/tea.md", b"new", b"old") == "there"


@pytest.mark.parametrize("expected", [b"old", None])
def test_a_text_nobody_expected_is_the_users_and_stays(tree: WorkTree, expected: bytes | None) -> None:
    file = tree.top / "concepts" / "tea.md"
    file.write_bytes(b"mine")

    assert tree.put("concepts/tea.md", b"new", expected) == "kept"

    assert file.read_bytes() == b"mine"


def test_a_file_the_user_deleted_stays_deleted(tree: WorkTree) -> None:
    assert tree.put("concepts/tea.md", b"new", b"old") == "kept"

    assert not (tree.top / "concepts" / "tea.md").exists()


@pytest.mark.parametrize("saves", ["in place", "by rename"])
@pytest.mark.parametrize("exchange_there", [True, False])
def test_a_save_in_the_moment_of_the_swap_is_kept(
    tree: WorkTree, monkeypatch: pytest.MonkeyPatch, saves: str, exchange_there: bool
) -> None:
    file = tree.top / "concepts" / "tea.md"
    file.write_bytes(b"old")
    real, pending = worktree.exchange, [b"a save"]
    if not exchange_there:
        monkeypatch.setattr(worktree, "_renameat2", None)

    def save_first(one: str, other: str, folder: int) -> None:
        if pending and saves == "in place":
            file.write_bytes(pending.pop())
        elif pending:
            beside = file.with_name("editor.tmp")
            beside.write_bytes(pending.pop())
            beside.replace(file)
        real(one, other, folder)

    monkeypatch.setattr(worktree, "exchange", save_first)

    assert tree.put("concepts/tea.md", b"new", b"old") == "kept"

    assert file.read_bytes() == b"a save"
    assert [path.name for path in file.parent.iterdir()] == ["tea.md"]


def test_a_file_that_appears_in_the_moment_of_the_link_is_kept(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree.top / "concepts" / "tea.md"
    real = os.link

    def appear_first(*names: str, **options: int) -> None:
        file.write_bytes(b"mine")
        real(*names, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "link", appear_first)

    assert tree.put("concepts/tea.md", b"new", None) == "kept"

    assert file.read_bytes() == b"mine"


def test_no_link_is_followed_out_of_the_tree(tree: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tree.top / "summaries").symlink_to(tmp_path / "outside")

    with pytest.raises(Conflict) as caught:
        tree.put("summaries/tea.md", b"new", None)

    assert caught.value.code == "folder_is_a_link"
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_link_in_the_place_of_a_page_is_not_written_through(tree: WorkTree, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"old")
    (tree.top / "concepts" / "tea.md").symlink_to(tmp_path / "secret")

    assert tree.put("concepts/tea.md", b"new", b"old") == "kept"

    assert (tmp_path / "secret").read_bytes() == b"old"


def test_a_file_that_goes_waits_among_the_displaced(tree: WorkTree) -> None:
    file = tree.top / "concepts" / "tea.md"
    file.write_bytes(b"old")

    assert tree.remove("concepts/tea.md", b"old") == "written"

    assert list(file.parent.iterdir()) == []
    assert [path.read_bytes() for path in tree.displaced.iterdir()] == [b"old"]


@pytest.mark.parametrize(("there", "placed"), [(b"mine", "kept"), (None, "there")])
def test_a_file_of_the_users_does_not_go(tree: WorkTree, there: bytes | None, placed: str) -> None:
    file = tree.top / "concepts" / "tea.md"
    if there is not None:
        file.write_bytes(there)

    assert tree.remove("concepts/tea.md", b"old") == placed
    assert tree.remove("nowhere/tea.md", b"old") == "there"

    assert (file.read_bytes() if file.exists() else None) == there


def test_a_save_in_the_moment_of_the_removal_is_put_back(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree.top / "concepts" / "tea.md"
    file.write_bytes(b"old")
    rename = os.rename

    def save_first(*arguments: Any, **options: Any) -> None:
        file.write_bytes(b"saved just now")
        monkeypatch.undo()
        rename(*arguments, **options)

    monkeypatch.setattr(os, "rename", save_first)

    assert tree.remove("concepts/tea.md", b"old") == "kept"

    assert file.read_bytes() == b"saved just now"
