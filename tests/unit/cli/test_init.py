"""``curate init``: a wiki that is whole and committed, or nothing at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from curator.cli.commands import init
from curator.errors import ConfigError, Conflict
from curator.repository import git as git_door
from curator.repository.repository import Repository
from curator.repository.transaction import first_commit
from curator.wiki.workspace.workspace import Workspace
from support.fakes import ScriptedModel
from support.wikis import OOLONG, drop, git, take_in


def test_a_new_wiki_is_committed_clean_and_takes_a_source(tmp_path: Path) -> None:
    report = init.run(tmp_path / "deep" / "wiki", "Tea")

    root = tmp_path / "deep" / "wiki"
    assert report.data["commit"] == git(root, "rev-parse", "main")
    assert git(root, "status", "--porcelain") == ""
    assert sorted(report.data["created"]) == git(root, "ls-files").split("\n")
    with Repository(root) as repository:
        assert take_in(drop(root), repository, ScriptedModel((OOLONG,))).commit


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Tea", "tea"),
        ('Tea: a "study" #1 ---', "tea-a-study-1"),
        ("no", "no"),
        ("1984", "wiki-1984"),
        ("X", "x-page"),
        ("茶", "u8336"),
        ("!!!", "wiki"),
        ("$name {x} %s \\ &amp; [[x]]", "name-x-s-amp-x"),
        ("  two\n lines\t", "two-lines"),
        ("x" * 200, "x" * 80),
    ],
)
def test_every_title_gives_a_sound_manifest(tmp_path: Path, title: str, name: str) -> None:
    init.run(tmp_path / "wiki", title)

    workspace = Workspace.parse((tmp_path / "wiki" / "KNOWLEDGE.md").read_text("utf-8"))
    assert workspace.title == " ".join(title.split())
    assert workspace.name == name


@pytest.mark.parametrize(("folder", "title"), [("green-tea_notes", "Green Tea Notes"), ("-", "Wiki")])
def test_a_wiki_without_a_title_is_called_like_its_folder(tmp_path: Path, folder: str, title: str) -> None:
    assert init.run(tmp_path / folder, None).lines[0].startswith(f"{title}: a new wiki")


@pytest.mark.parametrize("path", ["KNOWLEDGE.md", "AGENTS.md", "_index.md", "_log.md", "_manifest.json", "sources"])
@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_there_is_not_written_over(tmp_path: Path, path: str, kind: str) -> None:
    root = tmp_path / "wiki"
    root.mkdir()
    (root / path).write_text("mine") if kind == "file" else (root / path).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ConfigError) as caught:
        init.run(root, None)

    assert caught.value.code == "already_there"
    assert path in caught.value.message
    assert [file.name for file in root.iterdir()] == [path]
    assert not (tmp_path / "elsewhere").exists()


def test_a_wiki_that_git_does_not_know_is_told_what_it_lacks(tmp_path: Path) -> None:
    init.run(tmp_path / "wiki", None)
    shutil.rmtree(tmp_path / "wiki" / ".git")

    with pytest.raises(ConfigError) as caught:
        init.run(tmp_path / "wiki", None)

    assert "init, then add -A and commit" in caught.value.hint


def test_a_gitignore_that_is_there_stays_and_is_not_committed(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "sources").mkdir()
    drop(tmp_path)

    report = init.run(tmp_path, "Tea")

    assert (tmp_path / ".gitignore").read_text() == "*.log\n"
    assert ".gitignore" not in report.data["created"]
    assert git(tmp_path, "status", "--porcelain").split("\n") == ["?? .gitignore", "?? sources/oolong-notes.txt"]


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ConfigError, match="is no folder"):
        init.run(tmp_path / "file", None)


def test_a_title_that_no_manifest_holds_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="201 characters"):
        init.run(tmp_path / "wiki", "x" * 201)

    assert not (tmp_path / "wiki").exists()


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A repository with a commit, something staged, and something unsaved."""
    folder = tmp_path / "code"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "code.py").write_text("print()\n")
    git(folder, "add", "code.py")
    git(folder, "commit", "-qm", "code")
    (folder / "code.py").write_text("print(1)\n")
    (folder / "staged.py").write_text("print(2)\n")
    git(folder, "add", "staged.py")
    return folder


def test_a_wiki_in_a_repository_leaves_all_else_there_alone(code: Path) -> None:
    init.run(code / "wiki", None)

    assert git(code, "status", "--porcelain").split("\n") == [" M code.py", "A  staged.py"]
    assert all(path.startswith("wiki/") for path in git(code, "show", "--format=", "--name-only").split("\n"))


def test_a_repository_in_the_middle_of_something_is_left_as_it_was(code: Path) -> None:
    def refused(how: str) -> str:
        with pytest.raises(Conflict) as caught:
            init.run(code / "notes" / "wiki", None)
        assert not (code / "notes").exists(), how
        assert "_manifest.json" not in caught.value.hint, "there is none yet"
        return caught.value.code

    (code / ".git" / "MERGE_HEAD").write_text(git(code, "rev-parse", "HEAD"))
    assert refused("merge") == "git_busy"
    (code / ".git" / "MERGE_HEAD").unlink()

    (code / ".git" / "index.lock").touch()
    assert refused("lock") == "index_locked"
    (code / ".git" / "index.lock").unlink()

    git(code, "checkout", "-q", "--detach")
    assert refused("detached") == "detached_head"


def test_a_branch_that_moves_meanwhile_is_left_alone(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = git(code, "rev-parse", "HEAD"), git(code, "status", "--porcelain")
    monkeypatch.setattr(git_door.Git, "move_branch", lambda *_: False)

    with pytest.raises(Conflict, match="nothing was changed"):
        init.run(code / "wiki", None)

    assert (git(code, "rev-parse", "HEAD"), git(code, "status", "--porcelain")) == before
    assert not (code / "wiki").exists()


def test_a_full_disk_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(path: Path, content: bytes) -> None:
        if path.name == "_log.md":
            raise OSError(28, "No space left on device")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))

    (tmp_path / "wiki").mkdir()
    git(tmp_path / "wiki", "init", "-q", "-b", "main")
    monkeypatch.setattr(first_commit, "_write_file", write)

    with pytest.raises(OSError, match="No space"):
        init.run(tmp_path / "wiki", None)

    assert [path.name for path in (tmp_path / "wiki").iterdir()] == [".git"]


def test_a_dry_run_says_what_it_would_make_and_makes_nothing(tmp_path: Path) -> None:
    report = init.run(tmp_path / "wiki", "Tea", dry_run=True)

    assert report.data["commit"] is None
    assert "KNOWLEDGE.md" in report.data["created"]
    assert list(tmp_path.iterdir()) == []
