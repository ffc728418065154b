"""Wikis and state that earlier versions left are read or migrated; state of a later version is refused, and left alone.

The fixtures are made by tests/scripts/old_wikis.py.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from curator.cli import cli
from curator.models.saved_answers import topic
from support.places import TESTS
from support.wikis import git

ARCHIVES = sorted((TESTS / "fixtures" / "old-wikis").glob("*.tar.xz"))
MINE = "This line is its owner's, and nobody has committed it."


@dataclass(frozen=True)
class Old:
    """A wiki as an earlier version left it, and what that version said of it."""

    root: Path
    told: dict[str, Any]

    @property
    def paid(self) -> str:
        """The source whose answer was paid for and did not land; empty where the old curator was not killed in time."""
        names = [file.name for file in (self.root / ".git" / "curator" / "replies").glob("*.json")]
        waiting = (f"sources/{name}.txt" for name in ("kettles", "steeping"))
        return next((source for source in waiting if any(name.startswith(topic(source)) for name in names)), "")

    def files(self) -> dict[str, str]:
        """What the work tree has, by path."""
        found = (
            path for path in self.root.rglob("*") if path.is_file() and ".git" not in path.relative_to(self.root).parts
        )
        return {path.relative_to(self.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}

    def state(self) -> dict[str, bytes]:
        """Every byte of the git directory."""
        found = (path for path in (self.root / ".git").rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(params=ARCHIVES, ids=lambda path: path.name.partition(".")[0])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Old:
    with tarfile.open(request.param) as files:
        files.extractall(tmp_path, filter="data")
    return Old(tmp_path / "wiki", json.loads((tmp_path / "told.json").read_bytes()))


class Curate:
    """The command line, in this process."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        done = CliRunner().invoke(cli, ["--wiki", str(self.root), "--json", *arguments], standalone_mode=False)
        return int(done.return_value), json.loads(done.stdout)


@pytest.fixture
def curate(old: Old, monkeypatch: pytest.MonkeyPatch) -> Curate:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return Curate(old.root)


def test_what_an_older_version_left_is_read_recovered_and_gone_on_with(old: Old, curate: Curate) -> None:
    files, head, paid = old.files(), git(old.root, "rev-parse", "HEAD"), old.paid

    status = curate("status")[1]

    assert old.files() == files
    assert git(old.root, "rev-parse", "HEAD") == head
    assert not (old.root / ".git" / "curator" / "journal.json").exists()
    assert {each["source"]: each["code"] for each in status["parked"]} == old.told["parked"]
    if (old.root / ".git" / "curator" / "skipped").exists():
        assert [(each["source"], each["state"]) for each in status["queue"]] == [("sources/aside.txt", "skipped")]
    assert curate("validate")[0] == 0

    # An answer that was paid for lands, from a port where nobody listens any more.
    if paid:
        options = ("--model", "openai/old", "--api-base", old.told["api_base"])
        results = {each["source"]: each for each in curate("ingest", str(old.root / paid), *options)[1]["results"]}
        assert (results[paid]["status"], results[paid]["tokens"]["prompt"]) == ("ingested", 100)

    # And the wiki goes on: what was taken in then can be taken back now, and nothing of its owner's is lost.
    if git(old.root, "diff", "--name-only"):
        git(old.root, "commit", "-qam", "My edits")
    assert curate("undo", "sources/brewing.txt")[0] == 0
    assert curate("lint", "--no-log")[0] == 0
    page = next(old.root.glob("*/oolong-tea.md")).read_text("utf-8")
    assert MINE in page
    assert "gaiwan for two minutes" not in page
    assert git(old.root, "merge-base", "--is-ancestor", head, "HEAD") == ""
    assert {path for path in files if path.startswith("sources/")} <= {*old.files()} | {"sources/brewing.txt"}


@pytest.mark.parametrize("old", ARCHIVES[-1:], indirect=True)
@pytest.mark.parametrize("command", ["status", "ingest sources/kettles.txt", "lint", "watch --once", "doctor --repair"])
def test_state_of_a_later_version_is_refused_and_nothing_changed(old: Old, curate: Curate, command: str) -> None:
    (old.root / ".git" / "curator" / "form.json").write_text('{"form": 2, "curator": "9.1"}')
    files, state = old.files(), old.state()

    code, said = curate(*command.replace("sources/", f"{old.root}/sources/").split())

    assert (code, said["error"]["code"]) == (2, "state_newer")
    assert "curator 9.1" in said["error"]["message"] and "upgrade curator" in said["error"]["hint"]
    assert (old.files(), old.state()) == (files, state)


@pytest.mark.parametrize("old", ARCHIVES[-1:], indirect=True)
def test_a_form_that_cannot_be_read_is_refused(old: Old, curate: Curate) -> None:
    (old.root / ".git" / "curator" / "form.json").write_text("{}")

    code, said = curate("status")

    assert (code, said["error"]["code"]) == (2, "state_unreadable")


@pytest.mark.parametrize("old", ARCHIVES[-1:], indirect=True)
def test_a_registry_of_a_later_version_is_not_written_over(old: Old, curate: Curate) -> None:
    curate("status")
    registry = old.root / "_manifest.json"
    registry.write_text(registry.read_text().replace('"version": 1', '"version": 2'))
    git(old.root, "commit", "-qam", "As a later version writes it")
    head = git(old.root, "rev-parse", "HEAD")

    code, said = curate("ingest", str(old.root / "sources" / "aside.txt"))

    assert code != 0
    assert "version 2" in json.dumps(said)
    assert git(old.root, "rev-parse", "HEAD") == head
