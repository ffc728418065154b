"""Sources on their way into a fleet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.fleet import handing_in
from curator.fleet.handing_in import HandedIn, Intake
from curator.fleet.records import FleetWiki
from curator.fleet.store import FleetStore
from curator.system.signal_event import SignalEvent


@pytest.fixture
def intake(store: FleetStore) -> Intake:
    wiki = FleetWiki("tea", "/srv/tea.git", settings={"max_source_bytes": "100"})
    store.put_wiki(wiki)
    return Intake(store, wiki)


def told(handed: Iterator[HandedIn]) -> list[tuple[str, str]]:
    return [(each.path, each.status) for each in handed]


def test_folders_keep_their_structure_and_one_file_that_cannot_be_stops_none(intake: Intake, tmp_path: Path) -> None:
    for name, size in (("2026/a b.md", 10), ("big.md", 101), (".git/config", 5), ("z\n.md", 5), ("z.md", 100)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size)
    (tmp_path / "link.md").symlink_to(tmp_path / "z.md")

    assert told(intake.all([tmp_path])) == [
        ("sources/2026/a b.md", "queued"),
        ("sources/big.md", "refused"),
        ("sources/z\\x0a.md", "refused"),
        ("sources/z.md", "queued"),
    ]
    assert told(intake.all([tmp_path / "z.md"])) == [("sources/z.md", "known")]
    (tmp_path / "new.md").touch()
    absent, new = intake.all([tmp_path / "nothing.md", tmp_path / "new.md"])
    assert (absent.path, absent.status, new.status) == ("sources/nothing.md", "refused", "queued")
    assert absent.reason == "it cannot be read: No such file or directory"


def test_a_watched_folder_hands_in_what_has_settled(
    intake: Intake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handing_in, "_PAUSE", 0.0)
    ended = SignalEvent()
    (tmp_path / "a.md").write_text("one")

    handed = intake.watch([tmp_path], ended)
    assert next(handed).path == "sources/a.md"
    (tmp_path / "a.md").write_text("one and more")
    (tmp_path / "b.md").write_text("two")
    assert {(each.path, each.status) for each in (next(handed), next(handed))} == {
        ("sources/a.md", "queued"),
        ("sources/b.md", "queued"),
    }
    ended.set()
    assert list(handed) == []
