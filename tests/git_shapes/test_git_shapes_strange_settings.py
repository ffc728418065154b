"""A clone, an unpacked archive, a shared folder: whatever programs their own settings name, none runs before it may."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from curator.cli import cli, console
from curator.cli.commands import config, init
from curator.cli.console import CommonOptions
from curator.errors import JournalUnreadable, NotTrusted
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction.journal import Journal, Written
from curator.service.hooks.upstream import PushError, push_target
from curator.system import trusted_folders
from support.wikis import drop, git

COMMANDS = [
    ["status"],
    ["ingest", "sources/tea.txt"],
    ["lint"],
    ["log"],
    ["log", "--page", "page"],
    ["search", "tea"],
    ["ask", "What is tea?"],
    ["doctor"],
    ["config"],
    ["validate"],
    ["sources"],
    ["rename", "page", "leaf"],
    ["watch", "--once"],
]
PAGE = "---\ntitle: Page\n---\n\n# Page\n\nTea is a leaf.\n"


@pytest.fixture(autouse=True)
def _of_an_ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CURATOR_TRUSTED")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program"
    file.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\ncat\n")
    file.chmod(0o755)
    return file


def configured(root: Path, settings: dict[str, str]) -> None:
    for key, value in settings.items():
        git(root, "config", key, value)


def cloned(root: Path, program: Path) -> None:
    """What a commit can bring: attributes, a module of Python that is called like ours."""
    (root / "curator").mkdir()
    for name in ("curator/__init__.py", "curator/__main__.py", "json.py", "click.py", "sitecustomize.py"):
        (root / name).write_text(f"import os\nos.system({str(program)!r})\n")
    (root / ".gitattributes").write_text("*.txt filter=evil diff=evil merge=evil\n")
    (root / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = x\n\turl = x\n\tupdate = !{program}\n')
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")


def harmless(root: Path, program: Path) -> None:
    """What a clone may bring, settings that count for nothing here, hooks, and a submodule with settings of its own."""
    cloned(root, program)
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "post-index-change", "pre-commit", "post-commit", "fsmonitor-watchman"):
        shutil.copy(program, hooks / name)
    keys = ("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "credential.helper", "core.askPass")
    configured(root, dict.fromkeys((*keys, "pager.log", "merge.evil.driver", "alias.status"), str(program)))
    below = root / "entities" / "below"
    below.mkdir()
    git(below, "init", "-q", "-b", "main")
    (below / "file.md").write_text("one\n")
    (below / ".gitattributes").write_text("* filter=evil\n")
    git(below, "add", "-A")
    git(below, "commit", "-qm", "one")
    git(root, "add", "entities/below")
    git(root, "commit", "-qm", "a submodule")
    configured(below, {"filter.evil.clean": str(program), "core.fsmonitor": str(program)})
    (below / "file.md").write_text("two\n")


def archive(root: Path, program: Path) -> None:
    """Everything at once."""
    cloned(root, program)
    (root / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    keys = ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command")
    configured(root, dict.fromkeys((*keys, "diff.external", "gpg.program", "hook.x.command"), str(program)))
    configured(root, {"commit.gpgSign": "true", "core.fsmonitor": str(program)})
    shared(root, program)


def behind_a_file(root: Path, program: Path) -> None:
    """``.git`` names a folder, whose configuration reads on in a file of the work tree."""
    cloned(root, program)
    (root / ".git").rename(root / "store")
    (root / ".git").write_text("gitdir: store\n")
    (root / "settings").write_text(f'[filter "evil"]\n\tclean = {program}\n\tsmudge = {program}\n')
    (root / "store" / "info" / "exclude").write_text("/store/\n/settings\n")
    git(root, "config", "include.path", "../settings")


def shared(root: Path, program: Path) -> None:
    """Settings of curator's own."""
    (root / ".git" / "curator" / "curator.toml").write_text(f'notify = "{program}"\npush = true\nmodel = "openai/x"\n')


LAYOUTS = (harmless, archive, behind_a_file, shared)


@pytest.fixture
def strange(root: Path, program: Path) -> Callable[[Callable[[Path, Path], None]], Path]:
    """Makes the wiki one of these layouts, with a page that git has to look at again."""

    def made(layout: Callable[[Path, Path], None]) -> Path:
        (root / "entities" / "page.md").write_text(PAGE)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "a page")
        layout(root, program)
        drop(root, "tea.txt", "Tea is a drink.\n")
        os.utime(root / "entities" / "page.md", (1, 1))
        (root.parent / "ran").unlink(missing_ok=True)
        return root

    return made


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_nothing_of_it_runs(
    strange: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, layout: Callable[[Path, Path], None]
) -> None:
    root = strange(layout)
    monkeypatch.chdir(root)

    said = {" ".join(command): CliRunner().invoke(cli, command).output for command in COMMANDS}

    assert not (root.parent / "ran").exists()
    refused = {name for name, output in said.items() if "you have not said that you trust it" in output}
    going_by_settings = {"ingest sources/tea.txt", "config", "lint", "status", "ask What is tea?", "watch --once"}
    assert refused >= {"harmless": set(), "shared": going_by_settings}.get(layout.__name__, set(said))
    assert layout is not harmless or not refused


def test_what_it_would_run_is_named_with_the_command_that_allows_it(
    strange: Callable[..., Path], program: Path
) -> None:
    root = strange(archive)

    with pytest.raises(NotTrusted) as caught:
        Repository(root)

    assert f"filter.evil.clean = '{program}'" in caught.value.message
    assert caught.value.hint.endswith(f"curate trust {root}")


def test_once_it_is_trusted_everything_counts(strange: Callable[..., Path], tmp_path: Path) -> None:
    root = strange(archive)

    said = CliRunner().invoke(cli, ["trust", str(root)]).output

    assert f"trusted: {root / '.git'}" in said
    assert "gpg.program" in said
    with Repository(root) as repository:
        repository.git.edited("HEAD")
    assert (tmp_path / "ran").exists()

    CliRunner().invoke(cli, ["trust", "--forget", str(root)])
    with pytest.raises(NotTrusted):
        Repository(root)


def test_a_person_at_a_terminal_is_asked(strange: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = strange(shared)
    answers = iter((False, True))
    monkeypatch.setattr("click.confirm", lambda *_, **__: next(answers))

    def asked() -> int:
        with pytest.MonkeyPatch.context() as terminal:
            for stream in (sys.stdin, sys.stderr):
                terminal.setattr(stream, "isatty", lambda: True, raising=False)
            common = CommonOptions(root, json=False)
            return console.run(common, "config", lambda: config.run(console.settings(common)))

    assert asked() == 2
    assert asked() == 0
    assert trusted_folders.is_trusted(root / ".git", os.environ)


@pytest.mark.parametrize("where", ["curator/spool", "logs/HEAD", "curator", "objects/info/alternates", "worktree"])
def test_a_repository_that_leads_elsewhere_is_not_written_through(root: Path, tmp_path: Path, where: str) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "mine").write_text("mine\n")
    link = root / ".git" / where
    if where == "worktree":
        git(root, "config", "core.worktree", str(tmp_path))
    elif where.endswith("alternates"):
        link.write_text(f"{place}\n")
    else:
        shutil.rmtree(link) if link.is_dir() else link.unlink(missing_ok=True)
        link.symlink_to(place / "mine" if where == "logs/HEAD" else place)
    os.utime(place / "mine", (1, 1))

    with pytest.raises(NotTrusted):
        Repository(root)

    assert (place / "mine").read_text() == "mine\n"


def test_whoever_makes_a_wiki_trusts_it(tmp_path: Path, program: Path) -> None:
    init.run(tmp_path / "mine", "Mine")
    shared(tmp_path / "mine", program)

    assert trusted_folders.is_trusted(tmp_path / "mine" / ".git", os.environ)
    assert Settings(tmp_path / "mine", os.environ, {}).config.push


def test_trust_is_for_a_path_and_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wiki" / ".git").mkdir(parents=True)
    file = trusted_folders.trust(tmp_path / "wiki" / ".git", os.environ)

    assert trusted_folders.is_trusted(tmp_path / "wiki" / ".git", os.environ)
    assert not trusted_folders.is_trusted(tmp_path / "wiki", os.environ)
    file.write_text(file.read_text().replace(f"{os.geteuid()} ", f"{os.geteuid() + 1} "))
    assert not trusted_folders.is_trusted(tmp_path / "wiki" / ".git", os.environ)


@pytest.mark.parametrize(
    ("named", "holds"),
    [("*", True), ("/no:{}", True), ("{}/.git", True), ("{}/../*", True), ("{}/sources", False), ("", False)],
)
def test_a_variable_names_what_is_trusted(root: Path, named: str, holds: bool) -> None:
    environment = {"CURATOR_TRUSTED": named.format(root)}

    assert trusted_folders.is_trusted(root / ".git", environment) == holds


def test_nothing_is_pushed_from_a_repository_that_is_not_trusted(root: Path) -> None:
    with pytest.raises(PushError) as caught:
        push_target(root)

    assert caught.value.code == "push_not_trusted"


@pytest.mark.parametrize("path", ["../elsewhere.md", ".git/config", "entities/../../x.md", "/etc/x"])
def test_a_journal_that_names_another_place_is_not_acted_upon(path: str) -> None:
    written = Journal("refs/heads/main", "0" * 40, "1" * 40, "t", (Written(path, None, "2" * 40),)).dumps()

    with pytest.raises(JournalUnreadable):
        Journal.parse(written)


def test_the_runtime_folder_is_its_users_alone(root: Path) -> None:
    (root / ".git" / "curator").chmod(0o755)

    with Repository(root) as repository:
        assert repository.runtime.folder.stat().st_mode & 0o777 == 0o700
