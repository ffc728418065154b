"""A file of a folder is opened through no link, and nothing outside of it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.errors import SourceError
from curator.repository.repository import Repository
from curator.system.beneath import open_beneath


@pytest.fixture
def places(tmp_path: Path) -> Path:
    for folder in ("wiki/sources/deep", "private"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "private" / "key").write_text("secret")
    (tmp_path / "wiki" / "sources" / "deep" / "tea.txt").write_text("Tea")
    (tmp_path / "wiki" / "sources" / "folder").symlink_to(tmp_path / "private")
    (tmp_path / "wiki" / "sources" / "link").symlink_to(tmp_path / "private" / "key")
    return tmp_path / "wiki"


def test_a_file_below_is_opened(places: Path) -> None:
    descriptor = open_beneath(places, "sources/deep/tea.txt")

    assert os.read(descriptor, 10) == b"Tea"
    os.close(descriptor)


@pytest.mark.parametrize(
    "path", ["sources/folder/key", "sources/link", "../private/key", "sources/../../private/key", "/etc/passwd"]
)
def test_nothing_outside_is(places: Path, path: str) -> None:
    with pytest.raises(OSError, match=r"Errno"):
        open_beneath(places, path)


def test_a_folder_that_became_a_link_after_it_was_looked_at_is_not_read_through(
    repository: Repository, tmp_path: Path
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "key.txt").write_text("secret")
    (repository.root / "sources" / "deep").symlink_to(tmp_path / "private")

    with pytest.raises(SourceError):
        repository.runtime.spool(repository.root / "sources/deep/key.txt", "sha256", 1_000, repository.root)
