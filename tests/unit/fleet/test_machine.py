"""A machine: what it makes of failures that nobody foresaw, and which of its clones go when."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator.fleet import figures
from curator.fleet.checkout import Checkout
from curator.fleet.clones import Keep, runtime_of
from curator.fleet.database import Database
from curator.fleet.jobs import run_worker
from curator.fleet.landing import asking_notes
from curator.fleet.machine import Machine
from curator.fleet.records import FleetWiki
from curator.fleet.store import FleetStore
from curator.system.signal_event import SignalEvent
from support.fleets import GitServer
from support.wikis import git


@pytest.fixture
def wiki(tmp_path: Path, new_wiki: Path, store: FleetStore) -> FleetWiki:
    (tmp_path / "git").mkdir()
    wiki = GitServer(tmp_path / "git").add("tea", new_wiki)
    store.put_wiki(wiki)
    return wiki


@pytest.fixture
def told() -> list[tuple[str, Mapping[str, Any]]]:
    return []


@pytest.fixture
def machine(tmp_path: Path, store: FleetStore, told: list[tuple[str, Mapping[str, Any]]]) -> Machine:
    return Machine(store, tmp_path / "clones", lambda event, about: told.append((event, about)))


def test_a_source_whose_failure_nobody_foresaw_is_queued_again_and_says_why(
    machine: Machine, wiki: FleetWiki, store: FleetStore, told: list[tuple[str, Mapping[str, Any]]]
) -> None:
    machine.folder.write_text("no folder")  # nothing in the fleet looks for that
    for name in ("a", "b"):
        store.hand_in("tea", f"sources/{name}.txt", name, b"one")

    assert machine.work_on("tea") == 2

    rows = figures.open_sources(store.database, "tea", 9)
    assert [(row["state"], row["code"]) for row in rows] == [("queued", "fleet_failed")] * 2
    assert all("FileExistsError: " in row["reason"] and str(machine.folder) in row["reason"] for row in rows)
    assert [about["code"] for event, about in told if event == "queued"] == ["fleet_failed"] * 2
    assert machine._at == {}


def test_a_machine_renews_what_it_is_at_and_nothing_that_it_lost(
    machine: Machine, wiki: FleetWiki, store: FleetStore
) -> None:
    for name in ("a", "b"):
        store.hand_in("tea", f"sources/{name}.txt", name, b"one")
    lost, at = store.lease("tea", machine.name), store.lease("tea", machine.name)
    assert lost is not None and at is not None
    machine._at["tea", at.path] = at.id
    store.database.all("UPDATE fleet_sources SET lease_until = 'epoch'")

    machine.renew()

    other = store.lease("tea", "another")
    assert other is not None and other.id == lost.id
    assert store.lease("tea", "another") is None


def test_what_fails_beside_the_work_is_told_and_ends_no_thread(
    machine: Machine, wiki: FleetWiki, told: list[tuple[str, Mapping[str, Any]]]
) -> None:
    checkout = old_clone(machine, wiki, days=9)
    checkout.folder.with_name("tea.gone").touch()

    machine._try(machine.evict)

    assert [event for event, _ in told] == ["failed"]
    assert "NotADirectoryError: " in told[0][1]["reason"]
    assert checkout.update()


def test_a_worker_outlives_a_database_that_is_away_for_longer_than_it_is_waited_for(
    tmp_path: Path, store: FleetStore
) -> None:
    events: list[str] = []
    stopping = SignalEvent()

    def emit(event: str, about: Mapping[str, Any]) -> None:
        events.append(event)
        stopping.set()

    lost = FleetStore(Database("host=/nowhere/at/all dbname=x", patience=0.0))
    machine = Machine(lost, tmp_path / "clones", emit, stopping=stopping)

    run_worker(store.database.address, machine, 1)

    assert events == ["database_away"]


def old_clone(machine: Machine, wiki: FleetWiki, days: float) -> Checkout:
    checkout = machine._local(wiki).checkout
    checkout.update()
    then = time.time() - days * 86_400
    os.utime(checkout.folder / ".git" / "FETCH_HEAD", (then, then))
    return checkout


def test_a_clone_that_nobody_has_used_for_long_goes_and_comes_back(
    machine: Machine, wiki: FleetWiki, told: list[tuple[str, Mapping[str, Any]]]
) -> None:
    checkout = old_clone(machine, wiki, days=6.9)
    assert machine.evict() == []
    old_clone(machine, wiki, days=7.1)

    assert machine.evict() == ["tea"]

    assert list(machine.folder.iterdir()) == []
    assert told == [("removed", {"clone": "tea", "reason": "nobody has worked in it for 7 days"})]
    assert machine._local(wiki).checkout.lock is checkout.lock, "who had it in hand still shuts out others"
    checkout.update()
    assert (checkout.folder / "KNOWLEDGE.md").exists()
    assert machine.evict() == []


def test_a_clone_that_is_worked_in_stays(machine: Machine, wiki: FleetWiki) -> None:
    old_clone(machine, wiki, days=9)
    machine._at["tea", "sources/a.txt"] = 1

    assert machine.evict() == []

    machine._at.clear()
    assert machine.evict() == ["tea"]


def test_what_a_crash_left_of_a_removal_goes_with_the_next(machine: Machine, wiki: FleetWiki) -> None:
    checkout = old_clone(machine, wiki, days=9)
    checkout.folder.rename(checkout.folder.with_name("tea.gone"))

    assert machine.evict() == []
    assert list(machine.folder.iterdir()) == []


def test_of_too_many_clones_those_go_that_were_worked_in_longest_ago(
    machine: Machine, wiki: FleetWiki, store: FleetStore, told: list[tuple[str, Mapping[str, Any]]]
) -> None:
    for days, name in enumerate(("tea", "cocoa", "coffee", "water")):
        store.put_wiki(replace(wiki, name=name))
        old_clone(machine, replace(wiki, name=name), days=days)
    machine.keep = Keep(most=2)
    machine._at["water", "sources/a.txt"] = 1

    assert machine.evict() == ["coffee"], "somebody is at work in the one that is older"
    assert told == [("removed", {"clone": "coffee", "reason": "2 others have been worked in since"})]
    machine._at.clear()
    assert machine.evict() == ["water"]
    assert machine.evict() == []
    assert sorted(folder.name for folder in machine.folder.iterdir()) == ["cocoa", "tea"]


def test_a_clone_with_what_is_nowhere_else_stays(machine: Machine, wiki: FleetWiki, tmp_path: Path) -> None:
    checkout = old_clone(machine, wiki, days=9)
    runtime, head = runtime_of(checkout.folder), checkout.server_head
    notes = asking_notes(runtime)

    notes.put({"source": "sources/a.txt", "id": 1, "known": {}})
    assert machine.evict() == [], "a killed worker's child may still be answered"
    notes.drop("sources/a.txt")
    git(checkout.folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "ours")
    assert machine.evict() == []
    git(checkout.folder, "reset", "-q", "--hard", head)
    git(checkout.folder, "update-ref", "refs/curator/proposals/a", head)
    assert machine.evict() == []
    away = Path(wiki.url).rename(tmp_path / "away")
    assert machine.evict() == [], "nobody says whether the server has the proposal"
    away.rename(wiki.url)
    checkout.push()
    with runtime.lock():
        assert machine.evict() == [], "somebody commits"

    assert machine.evict() == ["tea"]
