"""Edits that are not committed: commands that look at commits say so, and ``--worktree`` looks at them."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from curator.cli import cli, console
from curator.cli.commands import ask, lint, manifest, search, validate
from curator.cli.commands.ask import AskRequest
from curator.cli.console import CommonOptions, Report
from curator.cli.edits_beside import EditsBeside
from curator.errors import GitError
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.wikis import git

PAGE = "concepts/oolong.md"


@pytest.fixture
def edited(root: Path) -> Path:
    """A wiki with a committed page that was edited since, and a new one."""
    page = root / PAGE
    page.parent.mkdir(exist_ok=True)
    page.write_text(_page("oolong", "Oolong", "A tea that is partly oxidised."))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "mine")
    page.write_text(_page("oolong", "Oolong", "A tea called zanzibar, see [[nowhere]]."))
    (root / "concepts" / "gaiwan.md").write_text(_page("gaiwan", "Gaiwan", "A bowl with a lid."))
    return root


def _page(slug: str, title: str, text: str) -> str:
    head = f"schema: knowledge/v1\nkind: concept\nslug: {slug}\ntitle: {title}\nsources: []\n"
    return f"---\n{head}---\n\n# {title}\n\n{text}\n"


def settings(root: Path, worktree: bool = False) -> Settings:
    return Settings(root, {**os.environ}, {}, worktree)


def linted(root: Path, worktree: bool = False) -> Report:
    options = lint.LintOptions(logs=False, form="json", fail_on="never")
    return lint.run(settings(root, worktree), options, lambda _: None)


def asked(root: Path, worktree: bool = False) -> Report:
    return ask.run(settings(root, worktree), "What tea is called what?", AskRequest(only_material=True), lambda _: None)


SAID = (
    "2 uncommitted edits are not in this: concepts/gaiwan.md, concepts/oolong.md; "
    "--worktree looks at the files as they lie"
)


def test_each_command_says_what_it_did_not_look_at(edited: Path) -> None:
    index = (edited / ".git" / "index").read_bytes()

    found = search.run(settings(edited), "zanzibar", 3).whole()
    assert (found.data["hits"], found.data["uncommitted"]) == ([], ["concepts/gaiwan.md", PAGE])
    answer = asked(edited)
    for report in (found, linted(edited), validate.run(edited, [], os.environ), answer):
        assert SAID in report.notes
    assert "zanzibar" not in json.dumps(answer.data["passages"])
    assert (edited / ".git" / "index").read_bytes() == index


def test_worktree_looks_at_the_files_as_they_lie(edited: Path) -> None:
    before = git(edited, "status", "--porcelain", "-uall"), git(edited, "rev-parse", "HEAD")

    found = search.run(settings(edited, worktree=True), "zanzibar", 3).whole()
    assert ([hit["path"] for hit in found.data["hits"]], found.notes) == ([PAGE], ())
    assert [hit["slug"] for hit in search.run(settings(edited, worktree=True), "bowl", 3).data["hits"]] == ["gaiwan"]
    answer = asked(edited, worktree=True)
    assert ("zanzibar" in json.dumps(answer.data["passages"]), answer.notes) == (True, ())
    assert "link_broken" in {each["code"] for each in linted(edited, worktree=True).data["findings"]}
    assert "link_broken" not in {each["code"] for each in linted(edited).data["findings"]}
    verdict = validate.run(edited, [], os.environ, everything=True, worktree=True)
    assert "link_broken" in json.dumps(verdict.data)

    assert (git(edited, "status", "--porcelain", "-uall"), git(edited, "rev-parse", "HEAD")) == before
    assert search.run(settings(edited), "zanzibar", 3).data["hits"] == []


def test_a_question_looks_at_what_is_not_committed_and_files_nothing_of_it(edited: Path) -> None:
    words, request = "What is Gaiwan?", AskRequest()
    committed, lying = (
        ask.run(settings(edited, worktree), words, request, lambda _: None) for worktree in (False, True)
    )

    done = CliRunner().invoke(cli, ["--wiki", str(edited), "ask", "--worktree", "--save", "x"], standalone_mode=False)

    assert "gaiwan" not in committed.data["looked_at"]
    assert "gaiwan" in lying.data["looked_at"]
    assert done.return_value == 2


def test_a_page_that_was_deleted_is_gone_in_the_worktree(edited: Path) -> None:
    (edited / PAGE).unlink()

    assert search.run(settings(edited, worktree=True), "oolong", 3).data["hits"] == []
    assert [hit["path"] for hit in search.run(settings(edited), "oolong", 3).data["hits"]] == [PAGE]


def test_nothing_is_said_of_sources_and_notes_that_wait(root: Path) -> None:
    (root / "sources").mkdir(exist_ok=True)
    (root / "sources" / "tea.md").write_text("# Tea\n")
    (root / "Daily").mkdir()
    (root / "Daily" / "2026-11-01.md").write_text("# Day\n")

    report = search.run(settings(root), "tea", 3).whole()

    assert (report.notes, "uncommitted" in report.data) == ((), False)


def test_manifest_says_which_file_of_its_chain_is_not_as_committed(root: Path) -> None:
    file = root / "KNOWLEDGE.md"
    file.write_text(file.read_text() + "\nMine.\n")

    report = manifest.run(lambda: settings(root), None, None, (), False)

    assert report.notes[0].startswith("1 uncommitted edit is not in this: ")
    assert manifest.run(lambda: settings(root), None, None, (), True).notes == ()


def test_the_answer_does_not_wait_for_the_look_at_edits(capsys: pytest.CaptureFixture[str]) -> None:
    printed: list[str] = []

    def late() -> tuple[dict[str, Any], tuple[str, ...]]:
        printed.append(capsys.readouterr().out)
        return {"uncommitted": ["a.md"]}, ("one edit",)

    report = Report({"hits": []}, ("Oolong",), 0, ("a note",), late)
    console.run(CommonOptions(None, json=False), "search", lambda: report)
    assert (printed, capsys.readouterr().err) == (["Oolong\n"], "one edit\n")

    console.run(CommonOptions(None, json=True), "search", lambda: report)
    assert json.loads(capsys.readouterr().out)["uncommitted"] == ["a.md"]
    assert "uncommitted" not in report.data


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the whole process has a priority")
def test_the_look_leaves_the_processor_to_the_command(
    edited: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, program = tmp_path / "shown", tmp_path / "git"
    program.write_text(f'#!/bin/sh\necho "$(nice) $*" >> {shown}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    report = search.run(settings(edited), "zanzibar", 3).whole()

    now = os.getpriority(os.PRIO_PROCESS, 0)
    nice = {" status " in line: int(line.split()[0]) for line in shown.read_text().splitlines()}
    assert (nice, report.notes) == ({False: now, True: min(now + 10, 19)}, (SAID,))


def test_new_files_are_looked_for_again_where_something_has_changed_only(
    edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, run, asked = edited / "concepts" / "gaiwan.md", Git.run, list[str]()

    def heard(git: Git, *arguments: str, **options: Any) -> tuple[int, bytes, str]:
        asked.extend(each.partition("=")[2] for each in arguments if each.startswith("--untracked-files="))
        return run(git, *arguments, **options)

    def seen() -> list[str]:
        for path in (*edited.rglob("*"), edited, edited / ".git"):
            then = path.stat().st_mtime
            os.utime(path, (then, then if then < time.time() - 50 else then - 100))
        with Repository(edited) as repository:
            return EditsBeside(repository).paths

    monkeypatch.setattr(Git, "run", heard)
    both = ["concepts/gaiwan.md", PAGE]
    assert [seen(), seen()] == [both, both]
    new.write_text(new.read_text().replace("bowl", "cup"))
    assert seen() == both
    git(edited, "add", new.as_posix())
    assert [seen(), seen()] == [both, both]
    git(edited, "commit", "-qm", "a bowl", "--", new.as_posix())
    assert [seen(), seen()] == [[PAGE], [PAGE]]
    (new.parent / "deep").mkdir()
    (new.parent / "deep" / "cup.md").write_text(_page("cup", "Cup", "A bowl with a handle."))
    assert seen() == ["concepts/deep/cup.md", PAGE]
    assert asked == ["all", "no", "no", "all", "no", "all", "no", "all"]


def test_a_git_that_does_not_start_is_an_error_to_read_and_no_crash(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(root)
    monkeypatch.setenv("PATH", str(root / "nothing"))

    with pytest.raises(GitError, match="git did not start in"):
        repository.git.output("status")
    assert EditsBeside(repository).paths == []
