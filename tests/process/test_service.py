"""The service as its users meet it: real processes, real signals, and a model over HTTP that can be in any mood.

``soak_service.py`` and ``bench_service.py`` are the long versions.
"""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from curator.cli.commands.retry_skip import skip_sources
from curator.cli.commands.status import read_status
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import COMMIT_TURN
from curator.repository.settings import Settings
from scripts.soak import git, text
from support.arrivals import Arrivals
from support.daemons import IMPATIENT, PATIENT, Daemon, ingests, made, on_disk, surroundings
from support.depth import with_light_litellm
from support.endpoint import Reply
from support.model_server import ModelServer, Mood
from support.waiting import PATIENCE, until

CALM = 2.0
"""Seconds after which a file that does not change is settled."""


@dataclass
class Stage:
    """A wiki under watch, whoever watches it."""

    root: Path
    environment: dict[str, str]
    log: Path
    model: ModelServer
    program: Sequence[str] = IMPATIENT
    daemons: list[Daemon] = field(default_factory=list)
    kills: list[float] = field(default_factory=list)
    """When the service was killed with all its children."""

    def watched(self) -> Daemon:
        """A service; the one that runs, when one does."""
        if not self.daemons or self.daemons[-1].process.poll() is not None:
            self.daemons.append(Daemon(self.root, self.environment, self.log, self.program))
        return self.daemons[-1]

    def close(self) -> None:
        for daemon in self.daemons:
            daemon.__exit__(None, None, None)

    def drop(self, name: str, number: int) -> str:
        (self.root / "sources" / name).write_text(text(number), "utf-8")
        return f"sources/{name}"

    def is_in(self, *names: str) -> bool:
        return on_disk(self.root, *names) <= ingests(self.root).keys()

    def parked(self) -> dict[str, dict[str, Any]]:
        return {item["source"]: item for item in self._status()["parked"]}

    def settled(self) -> bool:
        """All is in, or set aside."""
        return len(ingests(self.root)) + len(self.parked()) == len(on_disk(self.root))

    def queued(self) -> dict[str, str]:
        return {item["source"]: item["state"] for item in self._status()["queue"]}

    def _status(self) -> dict[str, Any]:
        """What ``curate status`` says, without a process each time that it is looked at."""
        return read_status(Settings.gather(self.root, self.environment, {}))[0]

    def assert_each_once(self) -> None:
        """What lies in ``sources/`` is in with its bytes, once, and nothing else is."""
        until(lambda: git(self.root, "status", "--porcelain") == "")
        found = ingests(self.root)
        assert found.keys() == on_disk(self.root)
        assert set(found.values()) == {1}


def stage(folder: Path, model: ModelServer, *, is_asked: bool, **settings: object) -> Stage:
    environment = surroundings(folder, model if is_asked else None, **settings) | with_light_litellm()
    return Stage(made(folder / "wiki", environment), environment, folder / "log", model)


@pytest.fixture
def offline(tmp_path: Path) -> Stage:
    """With the built-in curator."""
    return stage(tmp_path, ModelServer(), is_asked=False)


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One wiki and one model for several tests, and one service as long as it lives: its first answer takes seconds."""
    with ModelServer() as model:
        settings = {"parallel": 2, "max_attempts": 2, "retry_seconds": 0.2, "answer_seconds": 3600}
        found = stage(tmp_path_factory.mktemp("asking"), model, is_asked=True, **settings)
        yield found
        found.close()


@pytest.fixture
def asked(asking: Stage) -> Iterator[Stage]:
    """The model is well at first."""
    asking.model.up()
    asking.model.limit(0, 0)
    asking.model.mood = Mood()
    asking.watched().wait_ready()
    yield asking
    asking.model.up()


# -- how files come ----------------------------------------------------------------------------------------------------


def test_a_full_folder_moved_in_a_synced_file_and_a_slow_one_come_in_once(offline: Stage) -> None:
    arrivals = Arrivals(offline.root, random.Random(1))
    offline.program = PATIENT
    with offline.watched() as daemon:
        daemon.wait_ready()
        arrivals.folder()
        arrivals.synced()
        arrivals.renamed()
        arrivals.slow()
        arrivals.below()
        arrivals.wait()
        until(lambda: len(ingests(offline.root)) == len(arrivals.files))
        time.sleep(CALM + 1)  # what is to come a second time has had its time

        offline.assert_each_once()
        queued = [event["source"] for event in daemon.events("queued")]
    assert sorted(queued) == sorted(f"sources/{file.relative_to(offline.root / 'sources')}" for file in arrivals.files)


def test_work_that_does_not_end_is_ended_and_the_next_source_comes_in(tmp_path: Path) -> None:
    service = stage(tmp_path, ModelServer(), is_asked=False)
    settings = service.root / ".git" / "curator" / "curator.toml"
    settings.write_text("source_seconds = 1\n", "utf-8")
    with Repository(service.root) as repository, service.watched() as daemon:
        daemon.wait_ready()
        with repository.runtime.lock(name=COMMIT_TURN):  # an ingest waits for it a quarter of an hour
            stuck = service.drop("stuck.md", 1)
            until(lambda: stuck in service.parked())
        settings.write_text("source_seconds = 600\n", "utf-8")  # a busy machine must do the other one in it
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.events("reloaded"))
        service.drop("next.md", 2)
        until(lambda: service.is_in("next.md"))

    assert service.parked()[stuck]["code"] == "source_timeout"
    assert {source for source, _ in ingests(service.root)} == {"sources/next.md"}


def test_what_came_or_changed_while_the_service_was_down_comes_in(offline: Stage) -> None:
    changed = offline.root / offline.drop("before.md", 1)
    with offline.watched():
        until(lambda: offline.is_in("before.md"))
    offline.drop("meanwhile.md", 2)
    with changed.open("a", encoding="utf-8") as stream:
        stream.write("\n" + text(3))

    with offline.watched():
        until(lambda: offline.is_in("before.md", "meanwhile.md"))

    assert sorted(path for path, _ in ingests(offline.root)) == ["sources/before.md"] * 2 + ["sources/meanwhile.md"]


# -- the model's moods -------------------------------------------------------------------------------------------------


def test_a_rate_limit_is_waited_for_as_long_as_the_provider_says(asked: Stage) -> None:
    asked.model.limit(calls=2, seconds=2.0)

    source = asked.drop("limited.md", 10)
    until(lambda: asked.is_in("limited.md"))

    calls = asked.model.asked(source)
    assert [call.status for call in calls] == [429, 429, 200]
    assert all(later.at - earlier.ended >= 2.0 for earlier, later in itertools.pairwise(calls))
    assert asked.parked() == {}


def test_a_model_that_is_down_is_waited_for_and_nobody_is_bothered(asked: Stage) -> None:
    daemon = asked.watched()
    asked.model.down()
    sources = {asked.drop("down-1.md", 20), asked.drop("down-2.md", 21)}
    until(lambda: any(event["source"] in sources for event in daemon.events("result")))
    until(lambda: asked.queued().keys() >= sources)
    parked = asked.parked()
    asked.model.up()
    until(lambda: asked.is_in("down-1.md", "down-2.md"))

    assert parked.keys().isdisjoint(sources), "a model that is down is nothing that the user has to act upon"
    assert asked.parked().keys().isdisjoint(sources)
    assert all(len(asked.model.asked(source)) == 1 for source in sources)
    assert daemon.process.poll() is None


def test_a_wrong_answer_sets_the_source_aside_with_the_reason(asked: Stage) -> None:
    asked.model.mood = Mood(is_wrong=True)
    source = asked.drop("wrong.md", 30)
    until(lambda: source in asked.parked(), every=0.5)
    asked.model.mood = Mood()
    asked.drop("sound.md", 31)
    until(lambda: asked.is_in("sound.md"))
    time.sleep(1)

    assert "reply_not_blocks" in asked.parked()[source]["reason"]
    assert len(asked.model.asked(source)) == 2, "an answer, its repair, and then it waits for the user"

    with (asked.root / source).open("a", encoding="utf-8") as stream:
        stream.write("\n" + text(32))
    until(lambda: asked.is_in("wrong.md"))
    assert source not in asked.parked()


def test_what_waits_for_its_turn_is_put_aside_let_go_or_read_anew_and_paid_for_only_as_it_is(tmp_path: Path) -> None:
    thought = threading.Event()
    with ModelServer() as model:
        answer = model.answer
        model.answer = lambda request: answer(request) if thought.wait(PATIENCE) else Reply("")
        wiki = stage(tmp_path, model, is_asked=True, parallel=4)
        with wiki.watched():
            asked_about = {wiki.drop(f"{number}.md", 70 + number) for number in range(4)}
            until(lambda: {call.source for call in model.calls} == asked_about)
            waiting = wiki.drop("aside.md", 75)
            until(lambda: wiki.queued().get(waiting) == "reading")
            skip_sources(Settings.gather(wiki.root, wiki.environment, {}), [wiki.root / waiting])
            waiting = wiki.drop("gone.md", 76)
            until(lambda: wiki.queued().get(waiting) == "reading")
            (wiki.root / waiting).unlink()
            waiting = wiki.drop("edited.md", 77)
            until(lambda: wiki.queued().get(waiting) == "reading")
            wiki.drop("edited.md", 78)
            thought.set()
            until(lambda: wiki.is_in(*(source.removeprefix("sources/") for source in (*asked_about, waiting))))
            until(lambda: wiki.parked() == {})

    assert sorted(call.source for call in model.calls) == sorted((*asked_about, waiting))
    assert not (wiki.root / "sources" / "gone.md").exists()


# -- kills and signals -------------------------------------------------------------------------------------------------


def test_killed_with_all_children_again_and_again_nothing_is_lost_doubled_or_paid_twice(asked: Stage) -> None:
    chance = random.Random(5)
    asked.model.mood = Mood(delay=1.0)
    sources = {asked.drop(f"killed-{number}.md", 40 + number) for number in range(4)}
    for _ in range(2):
        known = len(asked.model.calls)
        until(lambda known=known: len(asked.model.calls) > known, every=0.02)  # type: ignore[misc]
        time.sleep(chance.uniform(0, 1.5))
        asked.watched().kill(with_children=True)
        asked.kills.append(time.time())
        asked.watched()

    until(lambda: sources <= {path for path, _ in ingests(asked.root)} | asked.parked().keys(), every=0.5)
    assert asked.parked() == {}, "nothing is wrong with a source over which the service was killed"
    asked.assert_each_once()
    assert asked.model.paid_twice(asked.kills) == []


def test_killed_alone_it_does_not_ask_again_what_its_children_still_wait_for(asked: Stage) -> None:
    asked.model.mood = Mood(delay=6.0)
    source = asked.drop("waited-for.md", 50)
    until(lambda: asked.model.asked(source), every=0.02)
    asked.model.mood = Mood()
    asked.watched().kill(with_children=False)
    asked.watched()

    until(lambda: asked.is_in("waited-for.md"))
    until(lambda: all(call.ended for call in asked.model.asked(source)))
    time.sleep(1)

    assert len(asked.model.asked(source)) == 1
    assert asked.parked() == {}
    asked.assert_each_once()


def test_a_signal_ends_the_service_while_the_model_hangs(asked: Stage) -> None:
    daemon = asked.watched()
    asked.model.mood = Mood(hangs=True)
    source = asked.drop("hanging.md", 60)
    until(lambda: asked.model.asked(source))

    daemon.stop()
    time.sleep(1)
    queued, parked, orphans = asked.queued(), asked.parked(), daemon.orphans()
    (asked.root / source).unlink()

    assert daemon.process.returncode == 0
    assert source in queued
    assert source not in parked
    assert orphans == [], "processes are left that wait for the model's answer"
