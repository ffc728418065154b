"""One source on its way into its wiki, with a child that does what the test says."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from curator.fleet.checkout import Checkout
from curator.fleet.landing import Landing, asking_notes, keep_late_answers
from curator.fleet.records import Finished, FleetWiki, Lease, Tenant
from curator.fleet.source_worker import SourceWorker, WorkerDied, environment_of
from curator.fleet.store import MOST_DEATHS, FleetStore
from curator.models.llm.ledger import SpendingLedger
from curator.models.saved_answers import topic
from curator.repository.runtime.runtime import Runtime
from support.fleets import GitServer
from support.wikis import git

KEY, OTHERS_KEY = f"{topic('sources/a.txt')}-1", f"{topic('sources/b.txt')}-1"


@dataclass
class Machine:
    """A clone, and a child whose runs are functions of the clone: what they return is the child's result."""

    checkout: Checkout
    runs: list[Callable[[Machine], Mapping[str, Any]]]
    asks_a_model: bool = True
    dry_runs: list[bool] = field(default_factory=list)
    on_stage: Callable[[str], None] = print

    @property
    def runtime(self) -> Runtime:
        return Runtime.of(self.checkout.folder / ".git" / "curator", "")

    def run(
        self, path: str, on_stage: Callable[[str], None], *, dry_run: bool = False, saved_only: bool = False
    ) -> Mapping[str, Any]:
        assert (self.checkout.folder / path).read_bytes() == b"one"
        assert not (dry_run and saved_only)
        self.dry_runs.append(dry_run)
        self.on_stage = on_stage
        return self.runs.pop(0)(self)

    def land(self, store: FleetStore, lease: Lease) -> Finished:
        ledger = SpendingLedger(self.runtime.folder / "spend")
        return Landing(
            lease,
            self.checkout,
            lambda: cast(SourceWorker, self),
            store,
            self.runtime,
            ledger,
            pause=lambda seconds: None,
        ).run()


def answers(machine: Machine) -> Mapping[str, Any]:
    machine.runtime.replies.keep(KEY, {"paid": "dearly"})
    machine.on_stage("checking")
    return {"status": "ingested"}


def commits(machine: Machine) -> Mapping[str, Any]:
    """As curate does: from the answer that is kept, which goes with the commit."""
    folder = machine.checkout.folder
    assert machine.runtime.replies.get(KEY) == {"paid": "dearly"}
    git(folder, "add", "sources")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "ingest")
    machine.runtime.replies.drop(KEY)
    return {"status": "ingested"}


def dies(machine: Machine) -> Mapping[str, Any]:
    answers(machine)
    raise WorkerDied("it ended with signal 9")


def parks(machine: Machine) -> Mapping[str, Any]:
    return {"status": "parked", "code": "rejected", "reason": "no proof", "next": "ask anew"}


def waits(machine: Machine) -> Mapping[str, Any]:
    return {"status": "parked", "code": "model_unavailable", "reason": "down", "passes": True, "again_in": 30}


@pytest.fixture
def machines(
    tmp_path: Path, new_wiki: Path, store: FleetStore
) -> Callable[[Sequence[Callable[[Machine], Mapping[str, Any]]]], Machine]:
    """New machines that all work on one wiki, whose source is handed in."""
    (tmp_path / "git").mkdir()
    wiki = GitServer(tmp_path / "git").add("tea", new_wiki)
    store.put_wiki(wiki)
    store.hand_in("tea", "sources/a.txt", hashlib.sha256(b"one").hexdigest(), b"one")
    made: list[Machine] = []

    def new(runs: Sequence[Callable[[Machine], Mapping[str, Any]]]) -> Machine:
        made.append(Machine(Checkout(wiki, tmp_path / f"machine-{len(made)}"), list(runs)))
        return made[-1]

    return new


Machines = Callable[[Sequence[Callable[[Machine], Mapping[str, Any]]]], Machine]


def leased(store: FleetStore) -> Lease:
    lease = store.lease("tea", "w")
    assert lease is not None
    return lease


def test_the_model_is_asked_first_and_the_commit_made_and_pushed_from_its_answer(
    machines: Machines, store: FleetStore
) -> None:
    machine = machines([answers, commits])

    became = machine.land(store, leased(store))

    assert (became.state, became.status, machine.dry_runs) == ("done", "ingested", [True, False])
    assert became.commit == machine.checkout.update()


def test_the_answer_of_a_machine_that_died_is_there_on_the_next(machines: Machines, store: FleetStore) -> None:
    lease = leased(store)
    with pytest.raises(WorkerDied):
        machines([dies]).land(store, lease)

    second = machines([lambda machine: {"status": "ingested"}, commits])

    assert second.land(store, lease).state == "done"


def test_what_was_answered_after_its_worker_was_killed_is_kept_all_the_same(
    machines: Machines, store: FleetStore
) -> None:
    lease = leased(store)

    def is_killed(machine: Machine) -> Mapping[str, Any]:
        raise KeyboardInterrupt

    first = machines([is_killed])
    with pytest.raises(KeyboardInterrupt):
        first.land(store, lease)
    asking_notes(first.runtime).put({"source": lease.path, "id": lease.id, "known": {}})  # as a SIGKILL leaves it
    first.runtime.replies.keep(KEY, {"paid": "dearly"})

    keep_late_answers(first.runtime, store, besides={lease.path})
    assert store.answers(lease) == {}, "its own landing does that"
    keep_late_answers(first.runtime, store, besides=())

    assert store.answers(lease) == {KEY: {"paid": "dearly"}}
    assert asking_notes(first.runtime).all() != []
    store.finish(lease, Finished("done"))
    keep_late_answers(first.runtime, store, besides=())
    assert asking_notes(first.runtime).all() == []
    assert store.answers(lease) == {}


def test_an_answer_is_kept_under_its_own_source_alone(machines: Machines, store: FleetStore) -> None:
    store.hand_in("tea", "sources/b.txt", "b", b"two")
    lease, others = leased(store), leased(store)

    def answers_beside_others(machine: Machine) -> Mapping[str, Any]:
        machine.runtime.replies.keep(OTHERS_KEY, {"paid": "by others who work in this clone"})
        return answers(machine)

    def looks(machine: Machine) -> Mapping[str, Any]:
        assert store.answers(lease) == {KEY: {"paid": "dearly"}}
        return commits(machine)

    machine = machines([answers_beside_others, looks])
    machine.checkout.update()
    asking_notes(machine.runtime).put({"source": others.path, "id": others.id, "known": {}})

    assert machine.land(store, lease).state == "done"
    assert machine.runtime.replies.times(topic(lease.path)) == {}, "what is in the database is brought to who is next"
    keep_late_answers(machine.runtime, store, besides=())
    assert store.answers(others) == {OTHERS_KEY: {"paid": "by others who work in this clone"}}
    assert store.answers(lease) == {KEY: {"paid": "dearly"}}
    store.database.all("DELETE FROM fleet_answers")
    keep_late_answers(machine.runtime, store, besides=())
    assert store.answers(others) == {}, "once"


def test_an_answer_that_a_killed_worker_could_not_tell_is_kept_by_who_goes_on_here(
    machines: Machines, store: FleetStore
) -> None:
    lease = leased(store)

    def looks(machine: Machine) -> Mapping[str, Any]:
        machine.on_stage("checking")
        assert store.answers(lease) == {KEY: {"paid": "dearly"}}
        return {"status": "ingested"}

    machine = machines([looks, commits])
    machine.checkout.update()
    machine.runtime.replies.keep(KEY, {"paid": "dearly"})

    assert machine.land(store, lease).state == "done"


def test_who_was_slower_makes_the_commit_again_without_asking(machines: Machines, store: FleetStore) -> None:
    lease = leased(store)
    other = machines([])
    other.checkout.update()

    def overtaken(machine: Machine) -> Mapping[str, Any]:
        (other.checkout.folder / "news.txt").write_text("news")
        git(other.checkout.folder, "add", "news.txt")
        git(other.checkout.folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "news")
        other.checkout.push()
        return commits(machine)

    machine = machines([answers, overtaken, commits])

    assert machine.land(store, lease).state == "done"
    assert machine.dry_runs == [True, False, False]
    assert (machine.checkout.folder / "news.txt").exists()


def test_a_model_is_asked_anew_while_others_have_the_clone(machines: Machines, store: FleetStore) -> None:
    had: list[bool] = []

    def fits_no_more(machine: Machine) -> Mapping[str, Any]:
        had.append(others_have_the_clone(machine))
        return {"status": "held", "code": "answer_wanted", "reason": "it fits no more", "passes": True}

    def answers_anew(machine: Machine) -> Mapping[str, Any]:
        had.append(others_have_the_clone(machine))
        return answers(machine)

    machine = machines([answers, fits_no_more, answers_anew, commits])

    assert machine.land(store, leased(store)).state == "done"
    assert machine.dry_runs == [True, False, True, False]
    assert had == [False, True]


def others_have_the_clone(machine: Machine) -> bool:
    """Whether another thread could have it now."""
    got: list[bool] = []

    def take() -> None:
        got.append(machine.checkout.lock.acquire(blocking=False))
        if got[0]:
            machine.checkout.lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return got[0]


def test_a_free_curator_is_asked_once(machines: Machines, store: FleetStore) -> None:
    def both(machine: Machine) -> Mapping[str, Any]:
        machine.runtime.replies.keep(KEY, {"paid": "dearly"})
        return commits(machine)

    machine = machines([both])
    machine.asks_a_model = False

    assert machine.land(store, leased(store)).state == "done"
    assert machine.dry_runs == [False]


def test_what_passes_is_tried_again_and_what_does_not_is_parked(machines: Machines, store: FleetStore) -> None:
    lease = leased(store)
    waiting, parked = machines([waits]).land(store, lease), machines([parks]).land(store, lease)

    assert (waiting.state, waiting.code, waiting.next_try is not None) == ("queued", "model_unavailable", True)
    assert (parked.state, parked.next) == ("parked", "ask anew; then: curate fleet retry tea sources/a.txt")


def test_a_source_that_kills_its_workers_is_parked_unread(machines: Machines, store: FleetStore) -> None:
    for _ in range(MOST_DEATHS):
        leased(store)
        store.database.all("UPDATE fleet_sources SET lease_until = 'epoch'")

    became = machines([]).land(store, leased(store))

    assert (became.state, became.code) == ("parked", "fleet_deaths")


def test_what_is_parked_leaves_no_file_behind(machines: Machines, store: FleetStore) -> None:
    machine = machines([parks])
    machine.land(store, leased(store))

    assert not (machine.checkout.folder / "sources/a.txt").exists()


def test_a_child_sees_the_keys_of_its_tenant_and_nobody_elses() -> None:
    ours = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "house",
        "ACME_KEY": "acme",
        "OTHER_TOKEN": "x",
        "CURATOR_FLEET_DATABASE": "p",
    }
    wiki = FleetWiki("tea", "/srv/tea.git", settings={"model": "openai/x"})
    checkout = Checkout(wiki, Path("/clones/tea"))

    seen = environment_of(wiki, Tenant("acme", keys={"OPENAI_API_KEY": "ACME_KEY"}), checkout, ours)
    of_the_house = environment_of(wiki, Tenant("default"), checkout, ours)

    assert seen == {
        "PATH": "/bin",
        "OPENAI_API_KEY": "acme",
        "CURATOR_MODEL": "openai/x",
        "CURATOR_ON_DIRTY": "park",
        "CURATOR_PUSH": "false",
        "CURATOR_TRUSTED": "/clones/tea",
    }
    assert of_the_house["OPENAI_API_KEY"] == "house"
    assert "CURATOR_FLEET_DATABASE" not in json.dumps(of_the_house)
