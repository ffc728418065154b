"""What a crash left behind is finished or taken back, and nothing of the user's goes with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from curator.cli.commands import status
from curator.errors import WikiError
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction import recovery, sweeping
from curator.system import atomic
from support.fakes import Killed, ScriptedModel
from support.wikis import MORE, OOLONG, drop, git, take_in


@pytest.fixture
def crashed(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wiki whose branch has moved to an ingest, and nothing else has: killed right behind the commit point."""
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
        calls = []

        def die(*arguments: object, **_: object) -> None:
            calls.append(arguments)
            if len(calls) > 1:  # the first call is the look before
                raise Killed

        monkeypatch.setattr(recovery, "recover", die)
        with pytest.raises(Killed):
            take_in(file, repository, ScriptedModel((MORE,)))
        monkeypatch.undo()
    return root


def test_the_next_command_brings_the_work_tree_along(crashed: Path) -> None:
    assert "five brews" not in (crashed / "concepts" / "oolong.md").read_text()
    assert (crashed / ".git" / "index.lock").exists()

    with Repository(crashed):
        pass

    assert "five brews" in (crashed / "concepts" / "oolong.md").read_text()
    assert git(crashed, "status", "--porcelain") == ""
    assert not (crashed / ".git" / "index.lock").exists()


def test_what_the_user_wrote_after_the_crash_stays(crashed: Path) -> None:
    page = crashed / "concepts" / "oolong.md"
    page.write_text("my own page\n")

    with Repository(crashed) as repository:
        kept = repository.runtime.rescued.notes()
    said = status.run(Settings(crashed, {}, {}))

    assert page.read_text() == "my own page\n"
    assert "concepts/oolong.md: you saved this page" in "\n".join(said.lines)
    assert [note["path"] for note in kept] == ["concepts/oolong.md"]
    assert git(crashed, "status", "--porcelain").strip() == "M concepts/oolong.md"


def test_a_users_own_lock_is_never_taken_away(crashed: Path) -> None:
    lock = crashed / ".git" / "index.lock"
    lock.unlink()
    lock.write_text("the user's git")

    with pytest.raises(Exception, match="index"), Repository(crashed):
        pass

    assert lock.read_text() == "the user's git"
    lock.unlink()
    with Repository(crashed):
        pass
    assert git(crashed, "status", "--porcelain") == ""


def test_a_temporary_file_with_unknown_bytes_is_rescued(crashed: Path) -> None:
    stray = crashed / "concepts" / ".curator-stray~"
    stray.write_text("who wrote this?")
    torn = crashed / "concepts" / ".curator-torn~"
    torn.write_bytes((crashed / "concepts" / "oolong.md").read_bytes()[:40])

    with Repository(crashed) as repository:
        rescued = repository.runtime.rescued.notes()

    assert not stray.exists() and not torn.exists()
    assert [Path(note["path"]).read_text() for note in rescued] == ["who wrote this?"]


def test_a_journal_that_is_not_whole_is_not_acted_upon(crashed: Path) -> None:
    journal = crashed / ".git" / "curator" / "journal.json"
    journal.write_text(journal.read_text().replace("brewing", "browing"))
    before = (crashed / "concepts" / "oolong.md").read_text()

    with pytest.raises(WikiError) as caught:
        Repository(crashed)

    assert caught.value.code == "journal_unreadable"
    assert (crashed / "concepts" / "oolong.md").read_text() == before


def test_a_displaced_file_that_an_editor_wrote_into_is_rescued(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        page = (root / "concepts" / "oolong.md").open("r+")
        file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
        take_in(file, repository, ScriptedModel((MORE,)))
        page.write("late words")
        page.close()
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + 10)

        sweeping.sweep(repository.runtime)

        assert [Path(note["path"]).read_text()[:10] for note in repository.runtime.rescued.notes()] == ["late words"]
        assert list(repository.runtime.displaced.iterdir()) == []


def test_displaced_files_go_while_a_service_keeps_the_wiki_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "GRACE_SECONDS", 0.0)
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        first = set(repository.runtime.displaced.iterdir())
        file = drop(root, "brewing.txt", "Brewing\n\nOolong can be brewed five times from the same leaves.\n")
        take_in(file, repository, ScriptedModel((MORE,)))

    assert first
    assert not first & set(repository.runtime.displaced.iterdir())


def test_a_durable_write_replaces_the_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes(b"something longer than what follows")

    atomic.write(file, b"short")

    assert file.read_bytes() == b"short"
    assert [path.name for path in tmp_path.iterdir()] == ["token"]


def test_scratch_of_a_killed_transaction_goes_with_the_next(root: Path) -> None:
    with Repository(root) as repository:
        runtime = repository.runtime.folder
        (runtime / "blobs-x").mkdir()
        (runtime / "blobs-x" / "0").write_text("half")
        (runtime / ".journal.json.4711").write_text("half")

        take_in(drop(root), repository, ScriptedModel((OOLONG,)))

    assert not [file.name for file in runtime.iterdir() if file.name.startswith(("blobs-", ".journal"))]


def test_a_folder_that_became_a_link_after_the_crash_stays_the_users(crashed: Path, tmp_path: Path) -> None:
    (crashed / "concepts").rename(tmp_path / "elsewhere")
    (crashed / "concepts").symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere" / "oolong.md").read_text()

    with Repository(crashed) as repository:
        kept = [note["path"] for note in repository.runtime.rescued.notes()]

    assert "concepts/oolong.md" in kept
    assert (tmp_path / "elsewhere" / "oolong.md").read_text() == before
    assert not (crashed / ".git" / "index.lock").exists()


def test_a_torn_line_of_the_rescue_notes_is_passed_over(root: Path) -> None:
    with Repository(root) as repository:
        repository.runtime.rescued.note_kept("concepts/a.md")
        with (repository.runtime.folder / "rescue.log").open("a") as file:
            file.write('{"what": "ke')

        assert [note["path"] for note in repository.runtime.rescued.notes()] == ["concepts/a.md"]


def test_nothing_rescued_earlier_is_written_over(root: Path, tmp_path: Path) -> None:
    with Repository(root) as repository:
        for text in ("one", "two"):
            (tmp_path / "page.md").write_text(text)
            repository.runtime.rescued.move(tmp_path / "page.md", "why")

        assert sorted(file.read_text() for file in (repository.runtime.folder / "rescue").iterdir()) == ["one", "two"]
