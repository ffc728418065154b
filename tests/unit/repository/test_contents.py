"""Big files are compared by their hashes, and put in place without being held."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.repository.git.trees import BIG
from curator.repository.transaction import contents
from curator.repository.transaction.contents import BigContent
from curator.repository.transaction.worktree import WorkTree

OLD, NEW = b"o" * (BIG + 1), b"n" * (3 * BIG)


@pytest.mark.parametrize("data", [b"", b"x" * BIG, OLD, NEW])
def test_a_content_is_the_same_however_it_is_read(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)

    of_file = contents.of_file(file)

    assert of_file == contents.of_bytes(data)
    assert isinstance(of_file, BigContent) == (len(data) > BIG)
    assert contents.in_bytes(of_file) == data
    assert contents.sha256(of_file) == contents.sha256(contents.of_bytes(data))


def test_a_big_file_is_put_in_the_place_of_the_one_it_was_made_from(tmp_path: Path) -> None:
    tree = WorkTree(tmp_path / "top", tmp_path / "displaced")
    (tmp_path / "top").mkdir()
    page, made = tmp_path / "top" / "_index.md", tmp_path / "made"
    page.write_bytes(OLD)
    made.write_bytes(NEW)

    assert tree.put("_index.md", contents.of_file(made), contents.of_bytes(NEW[:-1])) == "kept"
    assert page.read_bytes() == OLD
    assert tree.put("_index.md", contents.of_file(made), contents.of_bytes(OLD)) == "written"
    assert page.read_bytes() == NEW
    assert [file.read_bytes() for file in (tmp_path / "displaced").iterdir()] == [OLD]
    assert tree.put("_index.md", NEW, OLD) == "there"
    assert tree.remove("_index.md", OLD) == "kept"
    assert tree.remove("_index.md", NEW) == "written"
