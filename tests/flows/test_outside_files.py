"""A file from outside the wiki: its copy reaches ``sources/`` with the commit, or with a reason that ``status`` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from curator.errors import ModelError, SourceBusy
from curator.ingest import intake, take_in
from curator.models.port import Request
from curator.repository.runtime.source_lock import source_lock
from curator.repository.transaction import recovery
from support import standard
from support.fakes import Killed
from support.standard import curate, scripted, state
from support.wikis import OOLONG, TEA, drop, git, proposal

root = standard.root

DOWN = ModelError("model_unreachable", "it is down", "wait", retryable=True)
Said = Callable[[Request], str]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "elsewhere" / "tea.txt"
    file.parent.mkdir()
    file.write_text(TEA, "utf-8")
    return file


def while_it_thinks(do: Callable[[], object]) -> Said:
    def said(_: Request) -> str:
        do()
        return OOLONG.dumps()

    return said


def killed() -> None:
    raise Killed


def test_it_comes_with_the_commit(root: Path, outside: Path) -> None:
    before, seen = state(root), []

    with scripted(while_it_thinks(lambda: seen.append(state(root)))):
        (result,) = curate(root, "ingest", outside)["results"]

    assert (result["status"], result["source"]) == ("ingested", "sources/tea.txt")
    assert seen == [before]
    assert (root / "sources/tea.txt").read_text("utf-8") == git(root, "show", "HEAD:sources/tea.txt") + "\n" == TEA
    assert git(root, "status", "--porcelain") == ""


def test_killed_while_the_model_thinks_nothing_has_changed(root: Path, outside: Path) -> None:
    before = state(root)

    with scripted(while_it_thinks(killed)), pytest.raises(Killed):
        curate(root, "ingest", outside)

    assert curate(root, "status")["parked"] == []
    assert state(root) == before


def test_killed_right_behind_the_commit_the_next_command_puts_it_there(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recover = recovery.recover

    def die(*arguments: object) -> None:
        if len(arguments) > 2 and arguments[2] is not None:
            raise Killed
        recover(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, scripted(OOLONG), pytest.raises(Killed):
        patch.setattr(recovery, "recover", die)
        curate(root, "ingest", outside)
    assert not (root / "sources/tea.txt").exists()

    assert curate(root, "status").status == 0
    assert (root / "sources/tea.txt").read_text("utf-8") == TEA
    assert git(root, "status", "--porcelain") == ""


def test_what_waits_lies_in_sources_and_status_says_why(root: Path, outside: Path) -> None:
    with scripted(proposal()):
        (result,) = curate(root, "ingest", outside)["results"]

    (waits,) = curate(root, "status")["parked"]
    assert (result["status"], waits["source"], waits["reason"]) == ("parked", "sources/tea.txt", result["reason"])
    assert git(root, "status", "--porcelain") == "?? sources/tea.txt"


def test_another_one_of_its_name_that_was_saved_meanwhile_is_not_parked_for_it(root: Path, outside: Path) -> None:
    def meanwhile() -> None:
        drop(root, "tea.txt", "Tea is a drink.\n")
        raise DOWN

    with scripted(while_it_thinks(meanwhile)):
        (result,) = curate(root, "ingest", outside)["results"]

    assert (result["status"], result["source"]) == ("parked", str(outside))
    told = curate(root, "status")
    assert (told["parked"], told["new"]) == ([], ["sources/tea.txt"])


def test_one_that_was_saved_again_meanwhile_has_changed_since(root: Path) -> None:
    def meanwhile() -> None:
        drop(root, "tea.txt", "Tea is a drink.\n")
        raise DOWN

    with scripted(while_it_thinks(meanwhile)):
        curate(root, "ingest", drop(root, "tea.txt", TEA))

    (waits,) = curate(root, "status")["parked"]
    assert waits["reason"] == "it is down (it has changed since)" and waits["next"] == "curate ingest sources/tea.txt"


def test_its_place_is_its_own_until_it_is_remembered_what_went_wrong(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, copy_in = [], intake.copy_in

    def looks(*about: Any) -> None:
        with suppress(SourceBusy), source_lock(root / ".git/curator/turns", "sources/tea.txt", 0):
            free.append(True)
        copy_in(*about)

    monkeypatch.setattr(intake, "copy_in", looks)
    with scripted(DOWN):
        curate(root, "ingest", outside)

    assert free == [] and (root / "sources/tea.txt").exists()


def test_in_a_wiki_that_commits_no_sources_status_says_that_it_was_broken_off(root: Path, outside: Path) -> None:
    (root / ".git/curator").mkdir(exist_ok=True)
    (root / ".git/curator/curator.toml").write_text("commit_sources = false\n")

    with scripted(while_it_thinks(killed)), pytest.raises(Killed):
        curate(root, "ingest", outside)
    (waits,) = curate(root, "status")["parked"]
    with scripted(OOLONG):
        results = curate(root, "ingest", outside)["results"]

    assert (waits["source"], waits["reason"]) == ("sources/tea.txt", "its ingest was broken off")
    assert [result["status"] for result in results] == ["ingested", "skipped"]
    assert curate(root, "status")["parked"] == []


def test_nobody_else_takes_it_in_meanwhile(root: Path, outside: Path) -> None:
    busy = [True]

    def meanwhile() -> None:
        with suppress(SourceBusy), source_lock(root / ".git/curator/turns", "sources/tea.txt", 0):
            busy.append(False)

    with scripted(while_it_thinks(meanwhile)):
        curate(root, "ingest", outside)

    assert busy == [True]


def test_another_one_of_its_name_that_was_waited_for_keeps_the_name(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def waits(folder: Path, source: str, seconds: float) -> Iterator[None]:
        with source_lock(folder, source, seconds):
            if source == "sources/tea.txt":
                drop(root, "tea.txt", "Tea is a drink.\n")
            yield

    monkeypatch.setattr(take_in, "source_lock", waits)
    with scripted(OOLONG):
        (result,) = curate(root, "ingest", outside)["results"]

    assert (result["status"], result["source"]) == ("ingested", "sources/tea-2.txt")
    assert (root / "sources/tea.txt").read_text("utf-8") == "Tea is a drink.\n"
    assert (root / "sources/tea-2.txt").read_text("utf-8") == TEA
