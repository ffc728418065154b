"""A folder of somebody else's that is a git directory in itself: nothing that it says is run, and nothing is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from curator.errors import ConfigError
from curator.repository.git import Git, is_inside_repository
from curator.repository.repository import Repository
from curator.service import instance_lock
from support.curates import curate_words
from support.wikis import drop, git

COMMANDS = [
    ["status"],
    ["ingest", "sources/tea.txt"],
    ["lint"],
    ["log"],
    ["search", "tea"],
    ["doctor"],
    ["config"],
    ["validate"],
    ["sources"],
    ["approve"],
    ["init", "."],
    ["watch", "--once"],
]


def planted(folder: Path, marker: Path) -> None:
    """Make ``folder`` a git directory that runs programs, of files that a commit can hold."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    program.chmod(0o755)
    for name in ("objects/info", "refs/heads", "curator", "info"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "objects" / "info" / "alternates").write_text(f"{folder.parent}/.git/objects\n")
    head = git(folder.parent, "rev-parse", "HEAD")
    (folder / "refs" / "heads" / "main").write_text(f"{head}\n")
    (folder / "curator" / "curator.toml").write_text(f'notify = "{program}"\ngovernance = "trust"\n')
    (folder / "info" / "attributes").write_text("* filter=evil\n")
    (folder / "config").write_text(
        f"[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n\tworktree = ..\n"
        f"\tfsmonitor = {program}\n\tsshCommand = {program}\n"
        f'[filter "evil"]\n\tclean = {program}\n\tsmudge = {program}\n\tprocess = {program}\n'
        f"[gpg]\n\tprogram = {program}\n[commit]\n\tgpgSign = true\n[diff]\n\texternal = {program}\n"
    )


@pytest.fixture
def hostile(root: Path, tmp_path: Path) -> Path:
    """A wiki in a folder that is a git directory, as a clone of a stranger's repository brings it."""
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    git(stranger, "init", "-q", "-b", "main")
    git(root, "archive", "-o", str(tmp_path / "wiki.tar"), "HEAD")
    folder = stranger / "wiki"
    folder.mkdir()
    subprocess.run(["tar", "xf", str(tmp_path / "wiki.tar"), "-C", str(folder)], check=True)
    git(stranger, "add", "-A")
    git(stranger, "commit", "-qm", "a wiki")
    # The marker of a program that ran, in a place that everybody may write to.
    planted(folder, tmp_path / "ran")
    git(stranger, "add", "-Af")
    git(stranger, "commit", "-qm", "and more")
    git(tmp_path, "clone", "-q", str(stranger), "clone")
    clone = tmp_path / "clone" / "wiki"
    for file in (clone / "config", clone / "objects" / "info" / "alternates"):
        file.write_text(file.read_text().replace(str(stranger), str(tmp_path / "clone")))
    drop(clone, "tea.txt")
    return clone


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_it_runs(hostile: Path, tmp_path: Path, command: list[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in sorted(hostile.rglob("*"))}
    done = subprocess.run(
        [*curate_words(), *command],
        cwd=hostile,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert not (tmp_path / "ran").exists(), done
    assert done.returncode in (1, 2), done
    assert "is a git directory itself" in done.stdout + done.stderr
    assert {path: path.stat().st_mtime_ns for path in sorted(hostile.rglob("*"))} == before


def test_it_does_not_matter_how_deep_below_it_the_wiki_is(hostile: Path) -> None:
    below = hostile / "deep" / "wiki"
    below.mkdir(parents=True)
    (below / "KNOWLEDGE.md").write_text((hostile / "KNOWLEDGE.md").read_text())

    for ask in (Repository, Git, is_inside_repository, instance_lock.runtime_of):
        with pytest.raises(ConfigError) as caught:
            ask(below)
        assert caught.value.code == "bare_repository"


def test_a_head_alone_makes_no_git_directory(root: Path) -> None:
    (root / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "objects").mkdir()

    with Repository(root) as repository:
        assert repository.head() == git(root, "rev-parse", "HEAD")


def test_a_repository_with_a_git_directory_at_its_top_is_used_through_its_own(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "ran"
    (root / "fixture").mkdir()
    planted(root / "fixture", program)
    for path in (root / "fixture").iterdir():
        path.rename(root / path.name)

    with Repository(root) as repository:
        assert repository.git.directory == root / ".git"
        assert repository.head() == git(root, "rev-parse", "HEAD")
    assert not program.exists()


def test_worktrees_inside_of_a_bare_repository_work(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "project.git")
    git(tmp_path / "project.git", "worktree", "add", "-q", "main-tree", "main")

    with Repository(tmp_path / "project.git" / "main-tree") as repository:
        assert repository.head() == git(root, "rev-parse", "HEAD")


def test_a_link_to_a_wiki_is_seen_where_it_leads(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)

    assert is_inside_repository(tmp_path / "link")
    assert instance_lock.runtime_of(tmp_path / "link").folder == root / ".git" / "curator"
