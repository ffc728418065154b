"""Every kind of repository a wiki may be in: an ingest lands in it and leaves it clean, or says why it does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from curator.cli.commands import init
from curator.errors import ConfigError, Conflict, CuratorError
from curator.repository.repository import Repository
from curator.system import git_environment
from support.fakes import ScriptedModel
from support.shapes import FIVE, NEW, PAGE, TEXT, add, everything, feed, land, lands, refused, said, takes_in_two, whole
from support.wikis import MORE, OOLONG, drop, git, take_in


def cannot_open(folder: Path, code: str) -> CuratorError:
    before = everything(folder)

    with pytest.raises(CuratorError) as caught:
        Repository(folder)

    assert caught.value.code == code
    assert caught.value.hint
    assert everything(folder) == before
    return caught.value


# -- kinds of repositories ---------------------------------------------------------------------------------------------


def test_a_sha256_repository_works(tmp_path: Path) -> None:
    root = tmp_path / "wiki"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--object-format=sha256")
    init.run(root, "Tea")

    takes_in_two(root)

    assert len(git(root, "rev-parse", "HEAD")) == 64


def test_a_shallow_clone_works(root: Path, tmp_path: Path) -> None:
    lands(root, {PAGE: "# Tea\n"})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", "clone")

    takes_in_two(tmp_path / "clone")


def test_a_clone_that_borrows_its_objects_works(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(root), "clone")

    takes_in_two(tmp_path / "clone")


def test_packed_objects_and_branches_work(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        git(root, "gc", "-q", "--prune=now")
        take_in(drop(root, "brewing.txt", FIVE), repository, ScriptedModel((MORE,)))

    assert git(root, "rev-list", "--count", "HEAD") == "3"
    whole(root)


@pytest.fixture
def partial(root: Path, tmp_path: Path) -> Path:
    """A clone without the text of one page, which its origin still has."""
    (root / PAGE).write_text("# Tea\n")
    (root / "concepts" / "milk.md").write_text("# Milk\n")
    add(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{root}", "partial")
    clone = tmp_path / "partial"
    git(clone, "sparse-checkout", "set", "--no-cone", "/*", f"!/{PAGE}")
    git(clone, "checkout", "-q")
    git(clone, "config", "protocol.file.allow", "always")
    return clone


def missing(root: Path) -> list[str]:
    listed = git(root, "rev-list", "--objects", "--missing=print", "HEAD")
    return [line for line in listed.split("\n") if line.startswith("?")]


def test_a_partial_clone_never_fetches_and_never_takes_what_is_missing_for_nothing(partial: Path) -> None:
    before = missing(partial)
    assert len(before) == 1

    with pytest.raises(CuratorError) as caught, Repository(partial) as repository:
        repository.view()

    assert caught.value.code == "objects_missing"
    assert "git archive HEAD" in caught.value.hint
    assert refused(partial, {PAGE: TEXT}).code == "objects_missing"
    assert missing(partial) == before


def test_a_partial_clone_that_has_the_pages_works(partial: Path) -> None:
    git(partial, "archive", "HEAD", "-o", "../all.tar")
    git(partial, "remote", "set-url", "origin", "file:///nowhere")
    assert missing(partial) == []

    lands(partial, {"concepts/milk.md": TEXT, NEW: TEXT})


def test_a_replaced_commit_is_shown_to_its_user_only(root: Path) -> None:
    lands(root, {PAGE: "# Tea\n"})
    tree = git(root, "rev-parse", "HEAD~1^{tree}")
    fake = feed(root, "fake\n", "commit-tree", tree)
    git(root, "replace", git(root, "rev-parse", "HEAD"), fake)

    commit = land(root, {NEW: TEXT})

    assert git(root, "--no-replace-objects", "ls-tree", "--name-only", commit, "concepts/").split() == [
        "concepts/.gitkeep",
        NEW,
        PAGE,
    ]


# -- what git or curator will not work in ------------------------------------------------------------------------------


def test_a_repository_of_a_newer_git_is_not_taken_for_none(root: Path) -> None:
    git(root, "config", "core.repositoryFormatVersion", "1")
    git(root, "config", "extensions.anotherStorage", "elsewhere")

    error = cannot_open(root, "git_too_old")
    assert "anotherstorage" in error.message

    (root / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 7\n")
    assert "found 7" in cannot_open(root, "git_too_old").message


def test_a_bare_repository_is_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "wiki")
    (tmp_path / "wiki" / "KNOWLEDGE.md").write_text("---\n---\n")

    cannot_open(tmp_path / "wiki", "bare_repository")


def test_a_work_tree_that_is_elsewhere_is_named(root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    git(root, "config", "core.worktree", str(tmp_path / "elsewhere"))

    error = cannot_open(root, "no_work_tree")

    assert str(root) in error.message
    assert "core.worktree" in error.hint


@pytest.mark.parametrize("how", ["file", "link"])
def test_a_work_tree_apart_from_its_repository_works(root: Path, tmp_path: Path, how: str) -> None:
    (root / ".git").rename(tmp_path / "apart")
    if how == "file":
        (root / ".git").write_text(f"gitdir: {tmp_path / 'apart'}\n")
        git(root, "config", "core.worktree", str(root))
    else:
        (root / ".git").symlink_to(tmp_path / "apart")

    takes_in_two(root)


def test_a_repository_on_another_disk_works(tmp_path: Path) -> None:
    memory = Path("/dev/shm")  # noqa: S108 (the one other file system that most machines have)
    if not os.access(memory, os.W_OK) or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other disk")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        (tmp_path / "wiki").mkdir()
        git(tmp_path / "wiki", "init", "-q", "-b", "main", f"--separate-git-dir={folder}/git")
        init.run(tmp_path / "wiki", "Tea")

        takes_in_two(tmp_path / "wiki")


def test_a_repository_of_another_user_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setattr(git_environment, "_KEPT", (*git_environment._KEPT, "GIT_TEST_"))

    error = cannot_open(root, "not_your_repository")

    assert "safe.directory" in error.hint


def test_a_configuration_git_cannot_read_is_quoted(root: Path) -> None:
    with (root / ".git" / "config").open("a") as file:
        file.write("[broken\n")

    assert "bad config line" in cannot_open(root, "git_failed").message


def test_an_unborn_branch_and_a_detached_head_are_refused(root: Path) -> None:
    git(root, "switch", "-q", "--detach")
    assert refused(root, {NEW: TEXT}).code == "detached_head"

    git(root, "switch", "-q", "--orphan", "new")
    error = refused(root, {NEW: TEXT})
    assert said(error) == ("no_commit", "the branch has no commit yet")


@pytest.mark.parametrize(
    ("marker", "what", "end"),
    [
        ("sequencer/todo", "a cherry-pick or revert of several commits", "git cherry-pick --abort"),
        ("rebase-apply/applying", "a 'git am'", "git am --abort"),
        ("rebase-apply/next", "a rebase", "git rebase --abort"),
        ("rebase-merge/done", "a rebase", "git rebase --abort"),
    ],
)
def test_what_git_is_in_the_middle_of_is_named_with_the_command_that_ends_it(
    root: Path, marker: str, what: str, end: str
) -> None:
    with Repository(root) as repository:
        transaction = repository.begin()
        (root / ".git" / marker).parent.mkdir()
        (root / ".git" / marker).touch()
        with pytest.raises(Conflict) as begun:
            repository.begin()
        with pytest.raises(Conflict) as caught:
            transaction.commit({NEW: TEXT}, None, "manual: test\n")  # it began while the model thought

    assert said(begun.value) == said(caught.value) == ("git_busy", f"{what} is in progress")
    assert begun.value.hint == caught.value.hint == f"finish it, as git status says; or give it up: {end}"
    whole(root)


def test_the_command_that_is_told_ends_a_rebase_though_that_has_detached_head(root: Path) -> None:
    for branch, text in (("other", "One.\n"), ("main", "Two.\n")):
        git(root, "switch", "-q", *["-c"] * (branch == "other"), branch)
        (root / "notes.txt").write_text(text)
        git(root, "add", "notes.txt")
        git(root, "commit", "-qm", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "rebase", "-q", "other")
    error = refused(root, {NEW: TEXT})
    assert said(error) == ("git_busy", "a rebase is in progress")

    git(root, *error.hint.partition("give it up: git ")[2].split())

    with Repository(root) as repository:
        assert repository.begin().commit({NEW: TEXT}, None, "manual: test\n")


# -- a part of something bigger ----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a wiki in a folder, and the user's staged, dirty, unknown and ignored files all around it."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name in ("dirty.py", "staged.py", "gone.py"):
        (folder / name).write_text("print()\n")
    (folder / ".gitignore").write_text("*.o\n")
    add(folder)
    init.run(folder / "docs" / "my wiki", "Tea")
    (folder / "dirty.py").write_text("print(1)\n")
    (folder / "staged.py").write_text("print(2)\n")
    git(folder, "add", "staged.py")
    (folder / "staged.py").write_text("print(3)\n")
    git(folder, "rm", "-q", "--cached", "gone.py")
    (folder / "docs" / "unknown.md").write_text("mine\n")
    (folder / "ignored.o").write_text("mine\n")
    return folder


def test_a_wiki_in_a_folder_leaves_all_around_it_as_it_is(project: Path) -> None:
    root = project / "docs" / "my wiki"
    status = git(project, "status", "--porcelain", "--ignored")
    staged = git(project, "diff", "--cached")
    before = {path: value for path, value in everything(project).items() if not path.startswith((".git/", "docs/my"))}

    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert git(project, "status", "--porcelain", "--ignored") == status
    assert git(project, "diff", "--cached") == staged
    after = {path: value for path, value in everything(project).items() if not path.startswith((".git/", "docs/my"))}
    assert after == before
    changed = git(project, "show", "--format=", "--name-only").split("\n")
    assert all(line.startswith("docs/my wiki/") for line in changed)


def test_a_wiki_in_a_submodule_works(root: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "main")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "wiki")
    add(outer)
    git(outer / "wiki", "switch", "-q", "main")
    assert (outer / "wiki" / ".git").is_file()

    takes_in_two(outer / "wiki")

    assert git(outer, "status", "--porcelain") == " M wiki"


def test_linked_worktrees_each_have_their_branch_their_index_and_their_lock(root: Path, tmp_path: Path) -> None:
    side = tmp_path / "side"
    git(root, "worktree", "add", "-q", "-b", "side", str(side))

    with Repository(root) as here, Repository(side) as there:
        assert here.runtime.folder != there.runtime.folder
        with here.runtime.lock():
            there.begin().commit({NEW: TEXT}, None, "manual: there\n")
        here.begin().commit({PAGE: TEXT}, None, "manual: here\n")

    assert git(root, "log", "-1", "--format=%s", "main") == "manual: here"
    assert git(root, "log", "-1", "--format=%s", "side") == "manual: there"
    whole(root)
    whole(side)
    assert not (side / PAGE).exists() and not (root / NEW).exists()


def test_a_worktree_of_a_bare_repository_works(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(root), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "tree"), "main")

    takes_in_two(tmp_path / "tree")


def test_a_link_to_the_wiki_works(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)

    takes_in_two(tmp_path / "link")

    assert (tmp_path / "link").is_symlink()


# -- init --------------------------------------------------------------------------------------------------------------


def test_init_refuses_a_place_inside_a_submodule_that_is_not_there(root: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q", "-b", "main")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "sub")
    add(outer)
    git(outer, "submodule", "deinit", "-q", "-f", "sub")
    before = everything(outer)

    with pytest.raises(Conflict) as caught:
        init.run(outer / "sub" / "wiki", "Tea")

    assert caught.value.code == "path_is_a_submodule"
    assert everything(outer) == before


def test_init_refuses_a_folder_that_the_repository_around_it_ignores(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("notes/\n")
    before = everything(tmp_path)

    with pytest.raises(ConfigError) as caught:
        init.run(tmp_path / "notes" / "wiki", "Tea")

    assert caught.value.code == "folder_ignored"
    assert "git init" in caught.value.hint
    assert everything(tmp_path) == before

    (tmp_path / "notes" / "wiki").mkdir(parents=True)
    git(tmp_path / "notes" / "wiki", "init", "-q", "-b", "main")
    assert init.run(tmp_path / "notes" / "wiki", "Tea").data["commit"]


def test_a_wiki_moved_with_its_repository_works(root: Path, tmp_path: Path) -> None:
    lands(root, {PAGE: "# Tea\n"})
    shutil.move(root, tmp_path / "moved")

    takes_in_two(tmp_path / "moved")
