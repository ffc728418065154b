"""A crash behind the commit point, in repositories of odd shapes: the next command brings the work tree along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.repository.repository import Repository
from curator.repository.transaction import recovery
from support.fakes import Killed
from support.shapes import NEW, PAGE, TEXT, Files, add, land, lands, whole
from support.wikis import git

Crash = Callable[[Path, Files], None]


@pytest.fixture
def crash(monkeypatch: pytest.MonkeyPatch) -> Crash:
    """Commit, and die before anything but the branch has changed."""

    def commit(root: Path, files: Files) -> None:
        calls = []

        def die(*arguments: object, **_: object) -> None:
            calls.append(arguments)
            if len(calls) > 1:  # the first call is the look before
                raise Killed

        with monkeypatch.context() as context, Repository(root) as repository:
            transaction = repository.begin()
            context.setattr(recovery, "recover", die)
            with pytest.raises(Killed):
                transaction.commit(files, None, "manual: test\n")

    return commit


@pytest.fixture
def wiki(root: Path) -> Path:
    lands(root, {PAGE: "# Tea\n"})
    return root


def recovers(root: Path, files: Files) -> None:
    assert git(root, "status", "--porcelain") != ""
    with Repository(root) as repository:
        assert repository.runtime.rescued.notes() == []
    whole(root)
    assert {path: (root / path).read_text() for path in files} == files


@pytest.mark.parametrize("lock_is_there", [True, False])
def test_an_executable_page_stays_executable(wiki: Path, crash: Crash, lock_is_there: bool) -> None:
    (wiki / PAGE).chmod(0o755)
    add(wiki)
    crash(wiki, {PAGE: TEXT})
    if not lock_is_there:
        (wiki / ".git" / "index.lock").unlink()

    recovers(wiki, {PAGE: TEXT})

    assert (wiki / PAGE).stat().st_mode & 0o777 == 0o755


def test_a_split_index_is_whole(wiki: Path, crash: Crash) -> None:
    git(wiki, "update-index", "--split-index")
    crash(wiki, {PAGE: TEXT, NEW: TEXT})

    recovers(wiki, {PAGE: TEXT, NEW: TEXT})

    assert b"link" in (wiki / ".git" / "index").read_bytes()


def test_a_page_saved_with_other_line_ends_is_not_taken_for_changed(wiki: Path, crash: Crash) -> None:
    git(wiki, "config", "core.autocrlf", "true")
    assert (wiki / PAGE).read_bytes() == b"# Tea\n"
    crash(wiki, {PAGE: TEXT})

    recovers(wiki, {PAGE: TEXT})

    assert (wiki / PAGE).read_bytes().count(b"\r\n") == 3


def test_a_linked_worktree_is_brought_along_by_itself(wiki: Path, crash: Crash, tmp_path: Path) -> None:
    git(wiki, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    crash(tmp_path / "side", {NEW: TEXT})
    land(wiki, {PAGE: TEXT})

    recovers(tmp_path / "side", {NEW: TEXT})
    whole(wiki)


def test_a_sha256_repository_is_brought_along(tmp_path: Path, crash: Crash) -> None:
    from curator.cli.commands import init

    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    init.run(tmp_path, "Tea")
    crash(tmp_path, {NEW: TEXT})

    recovers(tmp_path, {NEW: TEXT})
