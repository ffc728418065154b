"""A fork: the wiki under a new root, with its proofs, and a log that names its parent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.cli.commands import fork
from curator.errors import ConfigError
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki import log
from support.fakes import ScriptedModel
from support.lints import commit, examined, wrong
from support.wikis import MORE, NOW, OOLONG, drop, git, take_in


def forked(root: Path, dest: Path, title: str | None = None, dry_run: bool = False) -> dict[str, object]:
    settings = Settings(root, {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}, {})
    return dict(fork.run(settings, dest, title, dry_run).data)


@pytest.fixture
def kept(root: Path) -> Path:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    return root


def test_pages_index_and_proofs_come_along(kept: Path, tmp_path: Path) -> None:
    dest = tmp_path / "fork"

    data = forked(kept, dest)

    own = ("KNOWLEDGE.md", "_log.md")
    mine, theirs = (set(git(folder, "ls-files").split("\n")) for folder in (dest, kept))
    assert mine == theirs and data["absent"] == [] and (data["pages"], data["sources"]) == (2, 1)
    assert all((dest / path).read_bytes() == (kept / path).read_bytes() for path in mine if path not in own)
    assert git(dest, "status", "--porcelain") == "" == git(dest, "fsck")
    assert wrong(examined(dest)) == wrong(examined(kept))


def test_the_log_begins_with_the_parent(kept: Path, tmp_path: Path) -> None:
    data = forked(kept, tmp_path / "green-tea")
    head = git(kept, "rev-parse", "HEAD")

    (event,) = log.parse((tmp_path / "green-tea" / "_log.md").read_text())

    assert (event.type, event.subject) == ("manual", "fork of Tea")
    assert event.bullets == (f"parent: tea {head}", "parent manifest: tea 1.0.0", "2 pages, 1 sources")
    assert git(tmp_path / "green-tea", "log", "--format=%s%n%b") == f"fork: Tea\nCurator-Forked: tea {head}"
    assert data["commit"] == git(tmp_path / "green-tea", "rev-parse", "HEAD")
    text = (tmp_path / "green-tea" / "KNOWLEDGE.md").read_text()
    assert "\nname: green-tea\n" in text and "\ntitle: Tea\n" in text


def test_the_fork_lives_on_by_itself(kept: Path, tmp_path: Path) -> None:
    dest = tmp_path / "fork"
    forked(kept, dest, title="Green tea")
    before = git(kept, "rev-parse", "HEAD")

    with Repository(dest) as repository:
        known = repository.view().manifest()
        assert list(known.sources) == ["sources/oolong-notes.txt"]
        brew = drop(dest, "brew.txt", "Oolong can be brewed five times from the same leaves.\n")
        take_in(brew, repository, ScriptedModel((MORE,)))

    assert git(kept, "rev-parse", "HEAD") == before
    assert "title: Green tea" in (dest / "KNOWLEDGE.md").read_text()


def test_what_lies_outside_is_still_found(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    head = "schema: knowledge.workspace/v1\nname: house\ntitle: House\ndescription: All.\nversion: 1.0.0\n"
    (tmp_path / "house" / "KNOWLEDGE.md").write_text(f"---\n{head}curation:\n  depth: deep\n---\n")
    manifest = kept / "KNOWLEDGE.md"
    text = manifest.read_text().replace("version: 1.0.0\n", "version: 1.0.0\nextends: ../house/KNOWLEDGE.md\n", 1)
    manifest.write_text(text.replace("  depth: medium\n", ""))
    commit(kept)
    dest = tmp_path / "deep" / "er" / "fork"

    forked(kept, dest)

    assert "\nextends: ../../../house/KNOWLEDGE.md\n" in (dest / "KNOWLEDGE.md").read_text()
    with Repository(dest) as repository:
        assert repository.view().workspace().policy.depth == "deep"


def test_a_source_that_is_not_committed_is_told(kept: Path, tmp_path: Path) -> None:
    git(kept, "rm", "-q", "--cached", "sources/oolong-notes.txt")
    git(kept, "commit", "-qm", "sources stay here")

    assert forked(kept, tmp_path / "fork")["absent"] == ["sources/oolong-notes.txt"]


def test_a_dry_run_makes_nothing(kept: Path, tmp_path: Path) -> None:
    data = forked(kept, tmp_path / "fork", dry_run=True)

    assert data["commit"] is None and data["pages"] == 2 and not (tmp_path / "fork").exists()


@pytest.mark.parametrize(("place", "code"), [("wiki/copy", "inside_wiki"), ("taken", "already_there")])
def test_nothing_is_put_where_something_is(kept: Path, tmp_path: Path, place: str, code: str) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "note.txt").write_text("mine")

    with pytest.raises(ConfigError) as caught:
        forked(kept, tmp_path / place)

    assert caught.value.code == code


def test_a_disk_that_is_full_leaves_nothing(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator.repository.transaction import first_commit

    real, written = first_commit._write_file, []

    def write(path: Path, content: bytes) -> None:
        written.append(path)
        if len(written) == 5:
            raise OSError(28, "No space left on device")
        real(path, content)

    monkeypatch.setattr(first_commit, "_write_file", write)
    with pytest.raises(OSError, match="No space"):
        forked(kept, tmp_path / "fork")

    assert not (tmp_path / "fork").exists()


def test_programs_can_be_run_and_what_is_no_file_is_told(kept: Path, tmp_path: Path) -> None:
    tool = kept / "tools" / "check.sh"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    (kept / "sources" / "link.txt").symlink_to("oolong-notes.txt")
    commit(kept)

    data = forked(kept, tmp_path / "fork")

    assert os.access(tmp_path / "fork" / "tools" / "check.sh", os.X_OK)
    assert git(tmp_path / "fork", "ls-files", "-s", "tools").startswith("100755 ")
    assert git(tmp_path / "fork", "status", "--porcelain") == ""
    assert data["left_out"] == ["sources/link.txt"] and not (tmp_path / "fork" / "sources" / "link.txt").exists()


def test_a_fork_that_was_broken_off_is_told_as_one(kept: Path, tmp_path: Path) -> None:
    dest = tmp_path / "fork"
    git(tmp_path, "init", "-q", "fork")
    (dest / ".git" / "curator").mkdir()

    with pytest.raises(ConfigError) as caught:
        forked(kept, dest)

    assert caught.value.code == "fork_half_made" and "rm -r" in caught.value.hint
