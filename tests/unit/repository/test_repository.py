"""The transaction and the user's own work: nothing of theirs is ever overwritten, swept in or unstaged."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from curator.cli.commands import init
from curator.errors import ConfigError, Conflict, GitError, WikiError
from curator.ingest.plan import Outcome
from curator.repository.catalogue import FILE
from curator.repository.repository import Repository
from support.catalogues import shown
from support.fakes import ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in


@pytest.fixture
def page(root: Path, repository: Repository) -> Path:
    """A committed page that the next source wants to change."""
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    return root / "concepts" / "oolong.md"


def take_in_more(root: Path, repository: Repository) -> Outcome:
    file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    return take_in(file, repository, ScriptedModel((MORE,)))


def snapshot(root: Path) -> tuple[str, str, dict[str, bytes]]:
    """HEAD, git's status, and every byte of the work tree."""
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
    return git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain"), files


def assert_refused(root: Path, repository: Repository, code: str) -> None:
    drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    before = snapshot(root)

    with pytest.raises(Conflict) as caught:
        take_in_more(root, repository)

    assert caught.value.code == code
    assert caught.value.hint
    assert snapshot(root) == before


def test_an_unsaved_edit_of_the_page_makes_the_source_wait(root: Path, repository: Repository, page: Path) -> None:
    page.write_text(page.read_text() + "\nMy own words.\n")

    assert_refused(root, repository, "page_dirty")


def test_a_staged_edit_of_the_page_makes_the_source_wait(root: Path, repository: Repository, page: Path) -> None:
    page.write_text(page.read_text() + "\nMy own words.\n")
    git(root, "add", "concepts/oolong.md")

    assert_refused(root, repository, "page_dirty")


def test_a_hand_edit_of_the_index_makes_the_source_wait(root: Path, repository: Repository, page: Path) -> None:
    (root / "_index.md").write_text("mine\n")

    assert_refused(root, repository, "page_dirty")


def test_a_file_that_git_does_not_know_is_not_written_over(root: Path, repository: Repository, page: Path) -> None:
    (root / "summaries" / "brewing.md").write_text("mine\n")

    assert_refused(root, repository, "page_in_the_way")


def test_a_file_that_git_ignores_is_not_written_over(root: Path, repository: Repository, page: Path) -> None:
    (root / ".git" / "info" / "exclude").write_text("summaries/brewing.md\n")
    (root / "summaries" / "brewing.md").write_text("mine\n")

    assert_refused(root, repository, "page_in_the_way")


def test_a_page_that_the_user_deleted_makes_the_source_wait(root: Path, repository: Repository, page: Path) -> None:
    page.unlink()

    assert_refused(root, repository, "page_dirty")


def test_a_page_replaced_by_a_link_is_not_followed(root: Path, repository: Repository, page: Path) -> None:
    page.unlink()
    page.symlink_to(root / "KNOWLEDGE.md")

    assert_refused(root, repository, "page_is_a_link")


def test_a_folder_replaced_by_a_link_is_not_followed(
    root: Path, repository: Repository, page: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (root / "summaries").rename(elsewhere)
    (root / "summaries").symlink_to(elsewhere)
    drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    before = git(root, "rev-parse", "HEAD"), sorted(path.name for path in elsewhere.iterdir())

    with pytest.raises(Conflict):
        take_in_more(root, repository)

    assert (git(root, "rev-parse", "HEAD"), sorted(path.name for path in elsewhere.iterdir())) == before


def test_another_page_with_unsaved_or_staged_changes_stays_exactly_as_it_is(
    root: Path, repository: Repository, page: Path
) -> None:
    readme = root / "AGENTS.md"
    readme.write_text("unsaved\n")
    other = root / "KNOWLEDGE.md"
    other.write_text(other.read_text() + "\nstaged\n")
    git(root, "add", "KNOWLEDGE.md")
    other.write_text(other.read_text() + "\nand more\n")

    take_in_more(root, repository)

    assert git(root, "status", "--porcelain").split("\n") == [" M AGENTS.md", "MM KNOWLEDGE.md"]
    assert readme.read_text() == "unsaved\n"
    assert "staged" in git(root, "diff", "--cached", "--", "KNOWLEDGE.md")
    assert git(root, "show", "--name-only", "--format=", "HEAD").split("\n") == [
        "_index.md",
        "_log.md",
        "_manifest.json",
        "concepts/oolong.md",
        "sources/brewing.txt",
        "summaries/brewing.md",
    ]


def test_a_detached_head_is_refused(root: Path, repository: Repository, page: Path) -> None:
    git(root, "checkout", "-q", "--detach")

    assert_refused(root, repository, "detached_head")


@pytest.mark.parametrize("marker", ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"])
def test_a_merge_and_its_kin_are_waited_for(root: Path, repository: Repository, page: Path, marker: str) -> None:
    (root / ".git" / marker).write_text(git(root, "rev-parse", "HEAD") + "\n")

    assert_refused(root, repository, "git_busy")


def test_a_rebase_is_waited_for(root: Path, repository: Repository, page: Path) -> None:
    (root / ".git" / "rebase-merge").mkdir()

    assert_refused(root, repository, "git_busy")


def test_a_held_index_lock_is_left_alone(root: Path, repository: Repository, page: Path) -> None:
    lock = root / ".git" / "index.lock"
    lock.write_text("")
    drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
    before = git(root, "rev-parse", "HEAD")

    with pytest.raises(Conflict) as caught:
        take_in_more(root, repository)

    assert caught.value.code == "index_locked"
    assert lock.exists()
    lock.unlink()
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == "?? sources/brewing.txt"


def test_a_source_that_changes_while_the_model_thinks_is_not_committed(
    root: Path, repository: Repository, page: Path
) -> None:
    def change_meanwhile(_: object) -> str:
        (root / "sources" / "brewing.txt").write_text("quite another text\n")
        return MORE.dumps()

    file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")

    with pytest.raises(Conflict) as caught:
        take_in(file, repository, ScriptedModel((change_meanwhile,)))

    assert caught.value.code == "source_changed"
    assert file.read_text() == "quite another text\n"


def test_hooks_of_the_repository_never_run(root: Path, repository: Repository, tmp_path: Path) -> None:
    for name in ("pre-commit", "commit-msg", "reference-transaction", "post-commit", "post-index-change"):
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        hook.chmod(0o755)

    take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert not (tmp_path / "ran").exists()


def test_autocrlf_gives_the_work_tree_its_line_ends_and_stays_clean(root: Path, repository: Repository) -> None:
    git(root, "config", "core.autocrlf", "true")

    take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert b"\r\n" in (root / "concepts" / "oolong.md").read_bytes()
    assert "\r" not in git(root, "show", "HEAD:concepts/oolong.md")
    assert git(root, "status", "--porcelain", "--", "concepts", "summaries", "_index.md", "_log.md") == ""


def test_a_wiki_in_a_folder_of_a_bigger_repository_stays_in_its_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "code.py").write_text("print()\n")
    git(tmp_path, "add", "code.py")
    git(tmp_path, "commit", "-qm", "code")
    root = tmp_path / "notes" / "wiki"
    init.run(root, "Tea")

    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    changed = git(tmp_path, "show", "--name-only", "--format=", "HEAD").split("\n")
    assert all(path.startswith("notes/wiki/") for path in changed)
    assert git(tmp_path, "status", "--porcelain") == ""
    assert git(tmp_path, "show", "HEAD:code.py") == "print()"


def test_a_linked_worktree_works(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    with Repository(tmp_path / "side") as repository:
        take_in(drop(tmp_path / "side"), repository, ScriptedModel((OOLONG,)))

    assert git(tmp_path / "side", "status", "--porcelain") == ""
    assert git(tmp_path / "side", "log", "-1", "--format=%s") == "ingest: sources/oolong-notes.txt"
    assert git(root, "log", "-1", "--format=%s") == "init: Tea"


def _forget_the_user(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """git knows no name and no address of its user, in no way."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{role}_NAME")
        monkeypatch.delenv(f"GIT_{role}_EMAIL")
    git(root, "config", "user.useConfigOnly", "true")


def test_a_user_whom_git_does_not_know_by_name_gets_commits_by_curator(
    root: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forget_the_user(root, monkeypatch)

    take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert git(root, "log", "-1", "--format=%an <%ae>") == "curator <curator@localhost>"


def test_git_is_not_asked_again_for_a_name_that_nobody_has_told_it_since(
    root: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forget_the_user(root, monkeypatch)
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    asked: list[tuple[str, ...]] = []
    real = repository.git.run

    def counted(*words: str, **given: Any) -> tuple[int, bytes, str]:
        asked.append(words)
        return real(*words, **given)

    monkeypatch.setattr(repository.git, "run", counted)

    take_in_more(root, repository)

    assert git(root, "log", "-1", "--format=%an <%ae>") == "curator <curator@localhost>"
    assert sum("commit-tree" in words for words in asked) == 1

    for key, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        git(root, "config", key, value)
    third = drop(root, "third.txt", "Brewing again\n\nOolong can be brewed five times from the same leaves.\n")
    take_in(third, repository, ScriptedModel((MORE,)))
    assert git(root, "log", "-1", "--format=%an <%ae>") == "Ann <ann@example.org>"


def test_links_and_what_is_not_there_have_no_contents(root: Path, repository: Repository) -> None:
    (root / "a.md").write_text("A", "utf-8")
    (root / "b.md").symlink_to("a.md")
    (root / "c.md").symlink_to("/etc/passwd")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a file and two links")

    wanted = ["c.md", "b.md", "none.md", "a.md"]
    assert list(repository.view().contents(wanted)) == [("a.md", b"A")]


def test_a_folder_outside_git_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        Repository(tmp_path)

    assert caught.value.code == "not_git"


def test_no_file_descriptor_and_no_child_is_left_behind(root: Path) -> None:
    def open_files() -> int:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    before = open_files()

    for number in range(5):
        with Repository(root) as repository:
            repository.view().workspace()
            assert repository.view().catalogue.count() == 2, number

    assert open_files() <= before + 2


def test_a_commit_can_take_a_page_away(root: Path, repository: Repository, page: Path) -> None:
    shown = page.relative_to(root).as_posix()

    commit = repository.begin().commit({shown: None, "_log.md": "# Log\n"}, None, "manual: remove it\n")

    assert git(root, "rev-parse", "HEAD") == commit
    assert not page.exists()
    assert git(root, "status", "--porcelain") == ""
    assert shown not in git(root, "ls-tree", "-r", "--name-only", "HEAD").split("\n")


def test_a_page_with_unsaved_changes_is_not_taken_away(root: Path, repository: Repository, page: Path) -> None:
    page.write_text("mine")
    head = git(root, "rev-parse", "HEAD")

    with pytest.raises(Conflict, match="uncommitted"):
        repository.begin().commit({page.relative_to(root).as_posix(): None}, None, "manual: remove it\n")

    assert (page.read_text(), git(root, "rev-parse", "HEAD")) == ("mine", head)


def test_a_page_the_user_deleted_by_hand_can_be_taken_out(root: Path, repository: Repository, page: Path) -> None:
    page.unlink()

    repository.begin().commit({page.relative_to(root).as_posix(): None}, None, "manual: remove it\n")

    assert git(root, "status", "--porcelain") == ""


def test_a_log_that_is_no_text_is_not_replaced(root: Path, repository: Repository) -> None:
    (root / "_log.md").write_bytes(b"# Log\n\xff\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "what an editor made of it")

    with pytest.raises(WikiError, match=r"_log\.md is not UTF-8"):
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))


def test_the_pages_of_a_wiki_in_a_folder_are_known_from_commit_to_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    init.run(tmp_path / "docs" / "wiki", "Tea")
    root = tmp_path / "docs" / "wiki"
    with Repository(root) as opened:
        take_in(drop(root), opened, ScriptedModel((OOLONG,)))
        take_in_more(root, opened)

    with Repository(root) as opened:
        assert opened.view().catalogue.count() == 3


def test_a_commit_brings_the_catalogue_along_as_if_it_were_made_anew(root: Path) -> None:
    with Repository(root) as opened:
        take_in(drop(root), opened, ScriptedModel((OOLONG,)))
        followed = shown(opened.begin().catalogue)
        take_in_more(root, opened)
        assert opened.catalogue.commit == git(root, "rev-parse", "HEAD")
        assert followed != (followed := shown(opened.catalogue))
        catalogue = opened.runtime.folder / FILE

    catalogue.unlink()
    with Repository(root) as opened:
        assert shown(opened.begin().catalogue) == followed


def test_git_is_asked_what_a_commit_does_to_a_page_that_is_no_text(root: Path, repository: Repository) -> None:
    (root / "concepts" / "cafe.md").write_bytes(b"---\ntitle: Caf\xe9\n---\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "what an editor made of it")

    assert not repository.begin().deltas_to({"concepts/cafe.md": "---\ntitle: Cafe\n---\n"})
    assert repository.begin().deltas_to({"concepts/tea.md": "---\ntitle: Tea\n---\n"})


def test_a_transaction_that_is_over_is_let_go_at_once(root: Path, repository: Repository, page: Path) -> None:
    transaction = repository.begin()
    assert transaction.wiki.page("oolong")
    assert transaction.manifest().sources
    alive = ref(transaction)

    gc.disable()  # which would hide a ring, now and then
    try:
        del transaction
        assert alive() is None
    finally:
        gc.enable()


def test_a_page_whose_object_cannot_be_read_is_not_one_that_is_not_there(root: Path) -> None:
    page = "concepts/deep/oolong.md"
    with Repository(root) as repository:
        repository.begin().commit({page: "---\ntitle: Oolong\n---\n\nA text.\n"}, None, "a page\n")
        oid = git(root, "rev-parse", f"HEAD:{page}")
        (root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()

        with pytest.raises(GitError) as caught:
            repository.git.blob(f"HEAD:{page}")

        assert (caught.value.code, page in caught.value.message) == ("objects_missing", True)
        assert repository.git.blob("HEAD:concepts/deep/other.md") is None
        assert repository.git.blob("HEAD:nowhere/at/all.md") is None


def test_a_transaction_sees_nothing_of_what_others_land_while_a_model_thinks(root: Path) -> None:
    with Repository(root) as one, Repository(root) as other:
        one.begin().commit({"concepts/tea.md": "---\ntitle: Tea\n---\n\nTea is a drink.\n"}, None, "tea\n")
        thinking = one.begin()
        other.begin().commit({"concepts/oolong.md": "---\ntitle: Oolong\n---\n\nOolong is a tea.\n"}, None, "oolong\n")
        other.begin()  # which brings the catalogue they share to the new commit

        similar = thinking.catalogue.similar("oolong is a drink", 5)

        assert similar in ([], ["tea"])
        assert thinking.wiki.named("Oolong") is None
        assert thinking.wiki.entry("oolong") is None
        assert one.begin().wiki.named("Oolong") is not None


def test_a_page_whose_name_is_no_text_is_passed_over(root: Path) -> None:
    name = os.fsencode(root / "concepts") + b"/\xff.md"
    with open(name, "wb") as file:  # noqa: PTH123 (no path of text)
        file.write(b"# Tea\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "an odd name")

    with Repository(root) as repository:
        assert list(repository.view().wiki.entries()) == []


def test_looking_for_edits_leaves_the_users_index_alone(root: Path, repository: Repository, page: Path) -> None:
    letters = root / "concepts" / "letters.md"
    letters.write_bytes(b"---\ntitle: A\0B\n---\n")
    git(root, "add", "concepts/letters.md")
    git(root, "commit", "-qm", "a page that git takes for binary")
    index = _written(root / ".git" / "index")
    for touched in (page, letters):
        os.utime(touched, (1, 1))

    assert repository.git.edited("HEAD") == []
    assert _written(root / ".git" / "index") == index

    letters.write_bytes(b"---\ntitle: A\0C\n---\n")
    page.unlink()

    assert repository.git.edited("HEAD") == ["concepts/letters.md", "concepts/oolong.md"]
    assert _written(root / ".git" / "index") == index


def _written(file: Path) -> tuple[int, int]:
    """Another one after every write, also of the same bytes."""
    about = file.stat()
    return about.st_ino, about.st_mtime_ns
