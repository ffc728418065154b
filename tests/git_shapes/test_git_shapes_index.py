"""Every form of the index, and of a sparse checkout: it stays what it is, and whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.shapes import NEW, PAGE, TEXT, land, lands, refused, takes_in_two, whole
from support.wikis import git


def index(root: Path) -> bytes:
    return (root / ".git" / "index").read_bytes()


@pytest.mark.parametrize("configured", [True, False])
def test_a_split_index_stays_split_and_whole(root: Path, configured: bool) -> None:
    if configured:
        git(root, "config", "core.splitIndex", "true")
    git(root, "update-index", "--split-index")
    (root / "mine.txt").write_text("staged\n")
    git(root, "add", "mine.txt")

    takes_in_two(root, "A  mine.txt")

    assert b"link" in index(root)
    git(root, "config", "splitIndex.maxPercentChange", "0")
    (root / "AGENTS.md").write_text("mine\n")
    git(root, "commit", "-qam", "the user goes on")
    assert whole(root)
    assert len(list((root / ".git" / "curator").glob("sharedindex*"))) == 0


def test_version_four_of_the_index_stays(root: Path) -> None:
    git(root, "update-index", "--index-version", "4")

    takes_in_two(root)

    assert index(root)[:8] == b"DIRC\0\0\0\4"


def test_the_untracked_cache_stays_and_tells_the_truth(root: Path) -> None:
    git(root, "update-index", "--force-untracked-cache")
    git(root, "status")
    (root / "concepts" / "unknown.txt").write_text("mine\n")

    takes_in_two(root, "?? concepts/unknown.txt")

    assert b"UNTR" in index(root)


def test_a_file_system_monitor_is_not_asked_and_tells_the_truth_after(root: Path, tmp_path: Path) -> None:
    monitor = tmp_path / "monitor"
    monitor.write_text(f"#!/bin/sh\necho asked >> {tmp_path}/asked\nprintf 'token\\0/\\0'\n")
    monitor.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(monitor))
    git(root, "status")
    (tmp_path / "asked").unlink()
    (root / "AGENTS.md").write_text("mine\n")

    land(root, {NEW: TEXT, PAGE: TEXT})

    assert not (tmp_path / "asked").exists()
    whole(root, " M AGENTS.md")


@pytest.fixture
def sparse(root: Path) -> Path:
    """A sparse checkout in cone mode: what is right at the top, sources/ and concepts/."""
    lands(root, {PAGE: "# Tea\n", "summaries/notes.md": "# Notes\n"})
    git(root, "sparse-checkout", "set", "--cone", "sources", "concepts")
    assert not (root / "summaries").exists()
    return root


@pytest.mark.parametrize("sparse_index", [True, False])
def test_a_sparse_checkout_works_where_the_pages_are_in_it(sparse: Path, sparse_index: bool) -> None:
    git(sparse, "config", "index.sparse", str(sparse_index).lower())
    git(sparse, "sparse-checkout", "reapply")

    lands(sparse, {PAGE: TEXT, NEW: TEXT})
    lands(sparse, {NEW: None})

    assert "summaries/notes.md" in git(sparse, "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    assert "S summaries/notes.md" in git(sparse, "ls-files", "-t").split("\n")


@pytest.mark.parametrize("path", ["summaries/notes.md", "summaries/new.md"])
def test_a_page_left_out_of_a_sparse_checkout_is_refused_with_what_brings_it_in(sparse: Path, path: str) -> None:
    error = refused(sparse, {path: TEXT})

    assert error.code == "page_not_checked_out"
    assert error.message.startswith(f"{path} is left out of your work tree")
    assert error.hint.startswith("git sparse-checkout add summaries")
    git(sparse, "sparse-checkout", "add", "summaries")
    lands(sparse, {path: TEXT})


def test_a_sparse_checkout_by_patterns_works_where_the_pages_are_in_it(root: Path) -> None:
    lands(root, {PAGE: "# Tea\n", NEW: TEXT})
    git(root, "sparse-checkout", "set", "--no-cone", "/*", f"!/{NEW}")

    lands(root, {PAGE: TEXT})

    assert refused(root, {NEW: "# Other\n"}).code == "page_not_checked_out"
