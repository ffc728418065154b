"""The scheduler step by step: fake workers, a clock that the test turns, a real folder, and no thread."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import gmtime, strftime
from typing import Any

import pytest

from curator.repository.runtime.runtime import Runtime
from curator.service.queue import Queue, QueueItem, load_queue
from curator.service.scheduler import Scheduler
from curator.service.status_file import read_status
from curator.service.watching.scan import Settling

HOUR, DAY = 3600.0, 86_400.0
DOWN = {"status": "parked", "general": True, "passes": True, "code": "model_rate_limited", "reason": "it is down"}
TIMEOUT = {**DOWN, "code": "model_timeout", "reason": "no answer"}
UNREAD = {**DOWN, "passes": False, "code": "reader_unreadable", "reason": "no verdict"}
REFUSED_KEY = {**DOWN, "passes": False, "code": "model_key_refused", "reason": "the key is refused"}
HELD = {"status": "held", "passes": True, "code": "page_dirty", "reason": "a page has unsaved changes"}
WRONG = {"status": "parked", "passes": False, "code": "proposal_rejected", "reason": "it breaks rules"}
WELL = {"status": "ingested", "commit": "c0ffee", "model": "test"}


@dataclass
class Clock:
    """Stands for the module ``time``."""

    wall: float = 1_800_000_000.0
    steady: float = 1000.0

    def time(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.steady

    def thread_time(self) -> float:
        return 0.0

    def pass_(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    strftime = staticmethod(strftime)
    gmtime = staticmethod(gmtime)


@dataclass(eq=False)
class FakeWorker:
    """Takes what it is given, unless it has ended already."""

    clock: Clock
    took: list[str] = field(default_factory=list)
    source: str = ""
    idle_since: float = 0.0
    takes: bool = True
    waits: bool = False
    is_drained: bool = False
    is_killed: bool = False

    def assign(self, source: str, *, waits: bool = False) -> bool:
        assert not self.source, "one source at a time"
        assert not self.is_drained, "a worker that is drained takes nothing"
        if self.takes:
            self.source = source
            self.took.append(source)
            self.waits = waits
        return self.takes

    def go_on(self) -> None:
        assert self.waits, "what does not wait is not told to go on"
        self.waits = False

    def mark_idle(self) -> None:
        self.source, self.idle_since = "", self.clock.steady

    def drain(self) -> None:
        self.is_drained = True

    def kill(self) -> None:
        self.is_killed = True


class FakeWatcher:
    period = 30.0

    def check(self, now: float) -> None: ...

    def wants_scan(self) -> bool:
        return False

    def state(self) -> dict[str, Any]:
        return {"mode": "events", "why": "", "watches": 1, "lost": 0}


@dataclass
class Stage:
    """A service over a folder, and what it did."""

    root: Path
    clock: Clock
    started: list[FakeWorker] = field(default_factory=list)
    said: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    prepared: int = 0
    """How often what a worker needs was to be loaded."""
    service: Scheduler = field(init=False)
    parallel: int = 2

    def __post_init__(self) -> None:
        self.runtime.folder.mkdir(parents=True)
        (self.root / "sources").mkdir()
        self.start()

    def start(self) -> None:
        self.service = Scheduler(
            self.root, self.runtime, Queue(self.file), FakeWatcher(), self._start_worker, self._say, self.parallel
        )
        self.service.scans.settling = Settling(calm=2.0)
        self.service.prepare = self._prepare

    @property
    def runtime(self) -> Runtime:
        return Runtime(self.root / ".git" / "curator")

    @property
    def file(self) -> Path:
        return self.runtime.folder / "queue.jsonl"

    def _start_worker(self) -> FakeWorker:
        self.started.append(FakeWorker(self.clock))
        return self.started[-1]

    def _prepare(self) -> None:
        self.prepared += 1

    def _say(self, event: str, about: dict[str, Any]) -> None:
        self.said.append((event, about))

    def drop(self, *names: str) -> None:
        """Sources that came one after another, and are settled."""
        for name in names:
            file = self.root / "sources" / name
            file.write_text(f"{name} at {self.clock.steady}")
            self.clock.pass_(1)
            os.utime(file, (self.clock.wall, self.clock.wall))
        for _ in range(2):
            self.step(3, dirty=True)

    def step(self, seconds: float = 1.0, dirty: bool = False) -> float:
        self.clock.pass_(seconds)
        return self.service.step(dirty)

    @property
    def at_work(self) -> list[str]:
        return [name(worker.source) for worker in self.started if worker.source]

    @property
    def waiting(self) -> list[str]:
        return [name(worker.source) for worker in self.started if worker.source and worker.waits]

    def bring(self, source: str, result: dict[str, Any], stage: str = "reading") -> None:
        """A worker has begun with a source and is done with it."""
        worker = self.worker_of(source)
        if stage:
            self.service.messages.append((worker, {"source": worker.source, "stage": stage}))
        if "unfit" not in result and "ended" not in result:
            result = {**result, "source": worker.source}
        self.service.messages.append((worker, result))
        self.service.step(False)
        if "ended" in result:
            self.started.remove(worker)

    def tell(self, source: str, stage: str) -> None:
        self.service.messages.append((self.worker_of(source), {"source": f"sources/{source}", "stage": stage}))
        self.service.step(False)

    def worker_of(self, source: str) -> FakeWorker:
        return next(worker for worker in self.started if worker.source == f"sources/{source}")

    def die(self, source: str, stage: str = "thinking") -> None:
        self.bring(source, {"ended": "signal 9", "said": ""}, stage)

    def item(self, source: str) -> QueueItem:
        return self.service.queue.items[f"sources/{source}"]

    @property
    def states(self) -> dict[str, str]:
        return {name(item.source): item.state for item in self.service.queue.items.values()}


def name(source: str) -> str:
    return source.removeprefix("sources/")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    clock = Clock()
    for module in ("scheduler", "assignments", "queue", "source_scans"):
        monkeypatch.setattr(f"curator.service.{module}.time", clock)
    yield Stage(tmp_path, clock)


def test_sources_go_in_order_of_arrival_as_many_at_once_as_allowed(stage: Stage) -> None:
    stage.drop("b.txt", "a.txt", "c.txt")

    assert stage.at_work == ["b.txt", "a.txt"]

    stage.bring("a.txt", WELL)
    assert stage.at_work == ["b.txt", "c.txt"]
    assert len(stage.started) == 2, "a worker that is free takes the next one"
    assert stage.states == {"a.txt": "done", "b.txt": "reading", "c.txt": "reading"}


def test_who_has_an_answer_makes_room_for_the_question_of_one_that_is_read_already(stage: Stage) -> None:
    stage.service.assignments.ahead = 1
    stage.drop("a.txt", "b.txt", "c.txt", "d.txt")
    for source in ("a.txt", "b.txt"):
        stage.tell(source, "thinking")
    assert (stage.at_work, stage.waiting, stage.service.assignments.asking) == (
        ["a.txt", "b.txt", "c.txt"],
        ["c.txt"],
        2,
    )

    stage.tell("a.txt", "checking")
    assert (stage.waiting, stage.service.assignments.asking) == ([], 2)
    stage.tell("b.txt", "checking")
    assert (stage.at_work, stage.service.assignments.asking) == (["a.txt", "b.txt", "c.txt"], 1), "one more, not two"
    stage.tell("a.txt", "thinking")  # its answer goes back once
    stage.bring("b.txt", WELL)
    assert (stage.at_work, stage.waiting) == (["a.txt", "d.txt", "c.txt"], ["d.txt"])
    stage.bring("a.txt", DOWN)
    stage.bring("c.txt", WELL)
    assert (stage.at_work, stage.states["d.txt"]) == ([], "queued"), "nobody waits through a pause"
    stage.step(3600)
    assert (len(stage.at_work), stage.waiting) == (1, []), "who tries whether it is there again is alone"


def test_to_wait_for_its_turn_is_no_work_on_a_source(stage: Stage) -> None:
    stage.service.assignments.ahead, stage.service.source_seconds = 1, 60
    stage.drop("a.txt", "b.txt", "c.txt")
    stage.step(50)
    for source in ("a.txt", "b.txt"):
        stage.bring(source, WELL)

    stage.step(50)
    assert stage.states["c.txt"] == "reading"
    stage.step(20)
    assert stage.states["c.txt"] == "parked"


@pytest.fixture
def ahead(stage: Stage) -> FakeWorker:
    """The worker of c.txt, which waits until the model has answered about a.txt or b.txt; it has begun to read."""
    stage.service.assignments.ahead = 1
    stage.drop("a.txt", "b.txt", "c.txt")
    assert stage.waiting == ["c.txt"]
    stage.tell("c.txt", "reading")
    return stage.worker_of("c.txt")


def test_what_waits_can_be_put_aside(stage: Stage, ahead: FakeWorker) -> None:
    order(stage, "skip", "c.txt")
    order(stage, "skip", "a.txt")
    stage.bring("a.txt", WELL)

    assert stage.states == {"a.txt": "done", "b.txt": "reading", "c.txt": "skipped"}
    assert ahead.is_drained and (ahead.waits, stage.service.assignments.asking) == (True, 1)


@pytest.mark.parametrize("is_there", [True, False])
def test_what_waits_and_is_another_file_by_now_or_none_is_asked_about_as_it_is_then(
    stage: Stage, ahead: FakeWorker, is_there: bool
) -> None:
    file = stage.root / "sources" / "c.txt"
    if is_there:
        file.write_text("it says something else")
    else:
        file.unlink()
    stage.step(0.6, dirty=True)
    stage.bring("a.txt", WELL)
    assert stage.states == {"a.txt": "done", "b.txt": "reading"}
    assert ahead.is_drained and ahead.waits

    for _ in range(3):
        stage.step(3, dirty=True)
    assert sorted(stage.at_work) == ["b.txt", *["c.txt"] * is_there]


def test_what_waits_waits_on_while_its_folder_cannot_be_looked_at(stage: Stage, ahead: FakeWorker) -> None:
    (stage.root / "sources").rename(stage.root / "away")
    stage.step(3, dirty=True)

    assert stage.waiting == ["c.txt"] and not ahead.is_drained


@pytest.mark.parametrize("fault", [REFUSED_KEY, DOWN])
def test_nothing_waits_for_its_turn_in_a_pause(stage: Stage, ahead: FakeWorker, fault: dict[str, Any]) -> None:
    stage.bring("a.txt", fault)
    stage.bring("b.txt", fault)

    assert set(stage.states.values()) == {"queued"} and stage.item("c.txt").attempts == 0
    assert ahead.is_drained and ahead.waits and stage.service.is_idle


def test_what_waits_goes_to_a_worker_with_the_new_settings(stage: Stage, ahead: FakeWorker) -> None:
    stage.service.reload()
    stage.step()

    assert ahead.is_drained and ahead.waits
    assert (stage.waiting, stage.service.assignments.asking) == (["c.txt"], 2)
    assert stage.worker_of("c.txt") is not ahead


@pytest.mark.parametrize("last", [{**WRONG, "source": "sources/c.txt"}, {"ended": "status 1", "said": ""}])
def test_what_a_worker_says_of_a_source_that_was_taken_from_it_is_past(
    stage: Stage, ahead: FakeWorker, last: dict[str, Any]
) -> None:
    stage.service.reload()
    stage.step()
    stage.service.messages += [(ahead, {"source": "sources/c.txt", "stage": "checking"}), (ahead, last)]
    stage.step()

    assert stage.waiting == ["c.txt"] and stage.worker_of("c.txt") is not ahead
    assert stage.states["c.txt"] == "reading" and stage.item("c.txt").crashes == 0
    stage.bring("a.txt", WELL)
    assert (stage.waiting, stage.service.assignments.asking) == ([], 2), "the one that has it now goes on"


def test_what_a_worker_needs_is_loaded_once_while_new_files_settle(stage: Stage) -> None:
    stage.step()
    assert stage.prepared == 0
    (stage.root / "sources" / "a.md").write_text("new")

    stage.step(dirty=True)
    assert (stage.prepared, stage.started) == (1, [])
    (stage.root / "sources" / "b.md").write_text("new, too")
    stage.step(0.6, dirty=True)
    assert stage.prepared == 1

    stage.step(3, dirty=True)
    stage.bring("a.md", WELL)
    stage.bring("b.md", WELL)
    stage.service.close()
    stage.start()  # over files that are all in
    stage.step(dirty=True)
    assert stage.prepared == 1
    (stage.root / "sources" / "b.md").write_text("changed since")
    stage.step(dirty=True)
    assert stage.prepared == 2


def test_a_suspect_goes_last_and_alone(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt")
    stage.die("a.txt")

    assert stage.at_work == ["b.txt", "c.txt"]
    stage.bring("b.txt", WELL)
    assert stage.at_work == ["c.txt"], "not beside another"
    stage.bring("c.txt", WELL)
    assert stage.at_work == ["a.txt"]
    stage.drop("d.txt")
    assert stage.at_work == ["a.txt"], "and no other beside it"
    stage.bring("a.txt", WELL)
    assert stage.at_work == ["d.txt"]


def test_a_source_over_which_two_workers_die_is_set_aside_and_told(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.die("a.txt")
    stage.die("a.txt")

    assert stage.states == {"a.txt": "parked"}
    assert [parked.code for parked in stage.runtime.parked()] == ["crashed"]
    assert [event for event, _ in stage.said if event == "died"] == ["died", "died"]


def test_a_worker_that_is_at_one_source_for_too_long_is_ended_and_the_source_parked(stage: Stage) -> None:
    stage.service.source_seconds = 60
    stage.drop("endless.txt", "other.txt")
    slow = stage.worker_of("endless.txt")
    stage.bring("other.txt", {"status": "ingested"})
    assert stage.step(50) <= 10

    stage.step(10)

    assert slow.is_killed
    assert stage.states == {"endless.txt": "parked", "other.txt": "done"}
    assert [(parked.source, parked.code) for parked in stage.runtime.parked()] == [
        ("sources/endless.txt", "source_timeout")
    ]
    assert "60 seconds" in stage.item("endless.txt").reason

    stage.service.messages.append((slow, {"ended": "signal 9", "said": ""}))
    stage.drop("next.txt")
    assert stage.at_work == ["next.txt"]
    assert stage.states["endless.txt"] == "parked"


def test_a_clock_that_is_set_back_does_not_change_the_order(stage: Stage) -> None:
    stage.service.assignments.parallel = 0
    stage.drop("1.txt", "2.txt")
    stage.clock.wall -= DAY
    stage.drop("0.txt")
    stage.service.assignments.parallel = 2
    stage.step()

    assert stage.at_work == ["1.txt", "2.txt"]


def test_a_worker_that_dies_before_it_began_is_no_sources_doing(stage: Stage) -> None:
    stage.drop("a.txt")
    for _ in range(5):
        stage.die("a.txt", stage="")
        assert stage.at_work == [], "one start after another would only burn the machine"
        stage.step(HOUR)

    assert stage.states == {"a.txt": "reading"}
    assert (stage.item("a.txt").crashes, stage.item("a.txt").attempts) == (0, 1)


def test_a_worker_that_dies_idle_is_forgotten(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", WELL)
    stage.service.messages.append((stage.started[0], {"ended": "status 0", "said": ""}))
    stage.drop("b.txt")

    assert stage.at_work == ["b.txt"]
    assert len(stage.started) == 2
    assert stage.states["a.txt"] == "done"


def test_a_worker_that_takes_nothing_is_replaced(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", WELL)
    stage.started[0].takes = False
    stage.drop("b.txt")
    stage.step()

    assert stage.at_work == ["b.txt"]
    assert stage.item("b.txt").attempts == 1


def test_idle_workers_are_let_go(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", WELL)
    stage.step(60)

    assert stage.started[0].is_drained
    assert stage.service.assignments.pool.workers == []


# -- faults that any source would have met -----------------------------------------------------------------------------


def test_after_a_general_fault_the_queue_waits_and_one_source_tries_it(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt")
    stage.bring("a.txt", DOWN)
    stage.bring("b.txt", DOWN)

    assert stage.at_work == []
    assert set(stage.states.values()) == {"queued"}
    stage.step(1)
    assert read_status(stage.runtime.service)["paused"]["why"] == "it is down"

    stage.step(6)
    assert len(stage.at_work) == 1
    stage.bring(stage.at_work[0], WELL)
    assert len(stage.at_work) == 2


def test_a_refused_key_sets_nothing_aside(stage: Stage) -> None:
    names = [f"{number:03}.txt" for number in range(300)]
    stage.drop(*names)
    asked = 0
    for _ in range(60):
        for source in stage.at_work:
            asked += 1
            stage.bring(source, REFUSED_KEY)
        stage.step(60)

    assert set(stage.states.values()) <= {"queued", "reading"}
    assert asked < 10, "in an hour"


def test_an_answer_that_was_under_way_does_not_end_the_pause(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt")
    stage.bring("a.txt", {**DOWN, "again_in": HOUR})
    stage.bring("b.txt", WELL)

    assert stage.at_work == []


def test_a_spent_budget_is_waited_for_and_the_end_of_it_told(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", {**HELD, "general": True, "code": "budget_day", "again_in": 5 * HOUR, "reason": "spent"})
    until = stage.clock.wall + 5 * HOUR
    stage.step(4 * HOUR)

    assert (stage.at_work, stage.service.is_idle) == ([], True)
    assert read_status(stage.runtime.service)["paused"] == {"until": until, "why": "spent"}

    stage.step(HOUR + 1)
    assert stage.at_work == ["a.txt"]


def test_a_wrong_answer_shows_that_the_model_is_there_again(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt", "d.txt")
    for source in stage.at_work:
        stage.bring(source, DOWN)
    stage.step(6)
    stage.bring("a.txt", WRONG)

    assert len(stage.at_work) == 2
    stage.step()
    assert read_status(stage.runtime.service)["paused"] is None


@pytest.mark.parametrize("fault", [TIMEOUT, UNREAD])
def test_a_source_that_the_model_fails_over_while_it_works_for_others_is_set_aside(
    stage: Stage, fault: dict[str, Any]
) -> None:
    stage.drop("bad.txt")
    for number in range(40):
        if stage.states["bad.txt"] == "parked":
            break
        stage.drop(f"good-{number}.txt")
        for source in stage.at_work:
            stage.bring(source, fault if source == "bad.txt" else WELL)
        stage.step(HOUR)

    assert stage.states["bad.txt"] == "parked"
    assert stage.item("bad.txt").reason == fault["reason"]
    assert 3 < list(stage.states.values()).count("done") < 40


def test_a_source_that_the_model_fails_over_does_not_keep_the_others_waiting(stage: Stage) -> None:
    stage.drop("0-bad.txt", *(f"{number}.txt" for number in range(1, 9)))
    for _ in range(30):
        for source in stage.at_work:
            stage.bring(source, TIMEOUT if source == "0-bad.txt" else WELL)
        stage.step(15)

    assert list(stage.states.values()).count("done") == 8


def test_a_model_that_is_simply_down_sets_nothing_aside(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt")
    for _ in range(50):
        for source in stage.at_work:
            stage.bring(source, TIMEOUT)
        stage.step(HOUR)

    assert set(stage.states.values()) <= {"queued", "reading"}
    for _ in range(6):
        for source in stage.at_work:
            stage.bring(source, WELL)
        stage.step(HOUR)
    assert set(stage.states.values()) == {"done"}


def test_an_unfit_wiki_makes_all_wait_and_is_told(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    stage.bring("a.txt", {"unfit": "curator.toml: unknown key 'modle'"}, stage="")
    stage.bring("b.txt", {"unfit": "curator.toml: unknown key 'modle'"}, stage="")

    assert stage.at_work == []
    assert ("unfit", {"reason": "curator.toml: unknown key 'modle'"}) in stage.said
    assert [stage.item(source).attempts for source in ("a.txt", "b.txt")] == [0, 0]

    stage.step(61)
    (probe,) = stage.at_work
    stage.bring(probe, {"status": "skipped"})
    assert len(stage.at_work) == 1
    stage.step()
    assert read_status(stage.runtime.service)["paused"] is None, "it is fit again, though nothing had to be taken in"


def test_a_source_that_alone_makes_the_wiki_seem_unfit_is_set_aside(stage: Stage) -> None:
    stage.drop("0-bad.txt", *(f"{number}.txt" for number in range(1, 20)))
    for _ in range(60):
        for source in stage.at_work:
            stage.bring(source, {"unfit": "I/O error"} if source == "0-bad.txt" else WELL)
        stage.drop(f"new-{stage.clock.steady:.0f}.txt")
        stage.step(HOUR)

    assert stage.states["0-bad.txt"] == "parked"
    assert [parked.reason for parked in stage.runtime.parked()] == ["I/O error"]


def test_a_provider_that_has_enough_to_do_is_left_alone(stage: Stage) -> None:
    may_start = False
    stage.service.assignments.may_start = lambda: may_start
    stage.drop("a.txt")
    assert (stage.at_work, stage.states) == ([], {"a.txt": "queued"})

    may_start = True
    stage.step()
    assert stage.at_work == ["a.txt"]


# -- faults of one source ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("git_busy", [5, 10, 20, 40, 80, 160, 300, 300, 300]),
        ("page_dirty", [5, 10, 20, 20]),  # whoever commits the page sees the source go on
    ],
)
def test_what_somebodys_work_holds_is_tried_again_later_and_later(stage: Stage, code: str, expected: list[int]) -> None:
    stage.drop("held.txt", "other.txt")
    stage.bring("other.txt", WELL)
    pauses = []
    for _ in expected:
        began = stage.clock.wall
        stage.bring("held.txt", {**HELD, "code": code})
        assert stage.states["held.txt"] == "waiting"
        while not stage.at_work:
            stage.step(1)
        pauses.append(stage.clock.wall - began)

    assert pauses == expected


def test_what_will_not_pass_is_not_tried_again(stage: Stage) -> None:
    stage.drop("wrong.txt", "odd.txt")
    stage.bring("wrong.txt", WRONG)
    stage.bring("odd.txt", {"status": "refused", "passes": False, "code": "source_unreadable", "reason": "no text"})
    for _ in range(50):
        stage.step(DAY)

    assert stage.states == {"wrong.txt": "parked", "odd.txt": "parked"}
    assert [len(worker.took) for worker in stage.started] == [1, 1]


# -- orders ------------------------------------------------------------------------------------------------------------


def order(stage: Stage, what: str, source: str) -> None:
    stage.runtime.order(what, f"sources/{source}" if source else "")
    stage.step(3)


def test_retry_brings_back_what_is_parked_waits_or_was_put_aside(stage: Stage) -> None:
    stage.drop("parked.txt", "held.txt")
    stage.bring("parked.txt", WRONG)
    stage.bring("held.txt", HELD)
    order(stage, "retry", "parked.txt")
    assert stage.at_work == ["parked.txt"]

    order(stage, "retry", "held.txt")
    assert sorted(stage.at_work) == ["held.txt", "parked.txt"]
    assert stage.item("held.txt").attempts == 1

    for source in stage.at_work:
        stage.bring(source, WRONG)
    order(stage, "skip", "held.txt")
    assert stage.states == {"parked.txt": "parked", "held.txt": "skipped"}

    order(stage, "retry", "")
    stage.step(3)
    assert sorted(stage.at_work) == ["held.txt", "parked.txt"]


def test_retry_ends_the_pause_after_a_fault_and_skip_does_not(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    for source in stage.at_work:
        stage.bring(source, {**DOWN, "again_in": DAY})
    order(stage, "skip", "b.txt")
    assert stage.at_work == []

    order(stage, "retry", "a.txt")
    assert stage.at_work == ["a.txt"]


def test_what_is_at_work_or_done_does_not_heed_orders(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    stage.bring("b.txt", WELL)
    for what in ("skip", "retry"):
        for source in ("a.txt", "b.txt", "never-seen.txt"):
            order(stage, what, source)

    assert stage.states == {"a.txt": "reading", "b.txt": "done"}
    assert [worker.took for worker in stage.started] == [["sources/a.txt"], ["sources/b.txt"]]


def test_put_aside_and_then_all_retried_is_tried_whatever_the_names(stage: Stage) -> None:
    stage.parallel = stage.service.assignments.parallel = 0
    names = [f"{number}.txt" for number in range(12)]
    stage.drop(*names)
    for source in names:
        stage.runtime.order("skip", f"sources/{source}")
    order(stage, "retry", "")
    stage.step(3)

    assert set(stage.states.values()) == {"queued"}


def test_many_that_were_put_aside_are_brought_back_at_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.service.assignments.parallel = 0
    stage.drop(*(f"{number}.txt" for number in range(50)))
    for source in list(stage.states):
        stage.runtime.order("skip", f"sources/{source}")
    stage.step(3)
    written = []
    monkeypatch.setattr("curator.service.queue.atomic.write", lambda path, _: written.append(path))

    order(stage, "retry", "")

    assert len(written) < 3, "each time the whole queue is written"


# -- files that change and go ------------------------------------------------------------------------------------------


def test_a_file_that_changes_while_it_is_worked_on_is_taken_in_again_at_once(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.drop("a.txt")
    assert stage.at_work == ["a.txt"]
    assert not stage.service.is_idle

    stage.bring("a.txt", WELL)

    assert stage.at_work == ["a.txt"]
    assert stage.started[0].took == ["sources/a.txt"] * 2
    stage.bring("a.txt", WELL)
    stage.step(60)
    assert stage.at_work == []
    assert stage.service.is_idle


def test_with_once_it_does_not_end_before_what_has_changed_meanwhile(stage: Stage) -> None:
    stage.service.assignments.parallel = 1
    stage.drop("a.txt")
    stage.drop("a.txt")
    worker = stage.worker_of("a.txt")
    stage.service.messages.append((worker, {**WELL, "source": "sources/a.txt"}))
    stage.service.step(False)

    assert not stage.service.is_idle


def test_what_is_parked_is_tried_when_its_file_changes(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", WRONG)
    stage.drop("a.txt")

    assert stage.at_work == ["a.txt"]
    assert stage.item("a.txt").attempts == 1


def test_a_file_that_is_deleted_while_it_waits_is_forgotten(stage: Stage) -> None:
    stage.service.assignments.parallel = 0
    stage.drop("a.txt", "b.txt")
    (stage.root / "sources" / "a.txt").unlink()
    stage.step(3, dirty=True)

    assert stage.states == {"b.txt": "queued"}
    assert load_queue(stage.file).keys() == {"sources/b.txt"}


def test_a_file_that_is_deleted_while_it_is_worked_on_is_forgotten_after_that(stage: Stage) -> None:
    stage.drop("a.txt")
    (stage.root / "sources" / "a.txt").unlink()
    stage.step(3, dirty=True)
    assert stage.states == {"a.txt": "reading"}

    stage.bring("a.txt", {"status": "refused", "passes": False, "code": "source_unreadable", "reason": "no such file"})
    stage.step(31)
    assert stage.states == {}
    assert stage.service.is_idle


def test_a_folder_that_is_away_for_a_while_is_not_forgotten(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", WRONG)
    (stage.root / "sources").rename(stage.root / "away")
    stage.step(3, dirty=True)
    (stage.root / "away").rename(stage.root / "sources")
    stage.step(3, dirty=True)
    stage.step(3, dirty=True)

    assert stage.states == {"a.txt": "parked"}
    assert len(stage.started[0].took) == 1


def test_a_storm_of_events_is_not_a_storm_of_looks(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def counted(root: Path) -> tuple[()]:
        looks.append(root)
        return ()

    monkeypatch.setattr("curator.service.source_scans.scan", counted)
    for _ in range(100):
        stage.step(0.02, dirty=True)

    assert 3 <= len(looks) <= 5
    stage.step(0.5)
    assert len(looks) <= 6


# -- settings, clocks, the end -----------------------------------------------------------------------------------------


def test_new_settings_hold_for_the_next_source(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    stage.bring("b.txt", WELL)
    busy, idle = stage.started
    stage.service.reload()
    stage.service.reload()

    assert idle.is_drained
    assert not busy.is_drained
    stage.drop("c.txt")
    assert stage.started[2].took == ["sources/c.txt"]
    stage.bring("a.txt", WELL)
    assert busy.is_drained
    stage.drop("d.txt")
    assert busy.took == ["sources/a.txt"]


def test_new_settings_end_the_pause(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", REFUSED_KEY)
    stage.service.reload()
    stage.step()

    assert stage.at_work == ["a.txt"]


@pytest.mark.parametrize("result", [HELD, {**DOWN, "again_in": 90.0}, REFUSED_KEY])
def test_a_clock_that_is_set_back_by_a_day_keeps_nothing_waiting(stage: Stage, result: dict[str, Any]) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", result)
    stage.clock.wall -= DAY
    for _ in range(30):
        pause = stage.step(4)
        assert pause <= 30

    assert stage.at_work == ["a.txt"]
    stage.bring("a.txt", result)
    assert stage.at_work == [], "and then it waits again, as long as it would have"


def test_a_clock_that_was_set_back_while_the_service_was_down_keeps_nothing_waiting(stage: Stage) -> None:
    stage.drop("a.txt")
    stage.bring("a.txt", HELD)
    stage.service.close()
    stage.clock.wall -= DAY
    stage.start()
    stage.step()

    assert stage.at_work == ["a.txt"]


def test_a_clock_that_is_set_forward_makes_nothing_worse(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    stage.bring("a.txt", HELD)
    stage.clock.wall += DAY
    stage.step()

    assert sorted(stage.at_work) == ["a.txt", "b.txt"]


def test_at_the_end_what_is_at_work_is_queued_and_what_is_done_is_done(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt")
    stage.service.messages.append((stage.worker_of("a.txt"), {**WELL, "source": "sources/a.txt"}))
    stage.service.close()

    kept = load_queue(stage.file)
    assert {name(item.source): item.state for item in kept.values()} == {"a.txt": "done", "b.txt": "queued"}
    assert not kept["sources/b.txt"].suspect
    assert not stage.runtime.service.exists()


def test_a_worker_that_is_ended_with_the_service_makes_no_suspect(stage: Stage) -> None:
    for _ in range(4):
        stage.drop("a.txt")
        worker = stage.worker_of("a.txt")
        stage.service.messages += [
            (worker, {"source": worker.source, "stage": "thinking"}),
            (worker, {"ended": "signal 9", "said": ""}),
        ]
        stage.service.close()
        stage.start()
        stage.started.clear()

    assert stage.states == {"a.txt": "queued"}
    assert (stage.item("a.txt").crashes, stage.item("a.txt").suspect) == (0, False)


def test_a_full_disk_is_one_error_and_not_two(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.drop("a.txt", "b.txt")
    stage.bring("b.txt", WELL)
    (stage.root / "sources" / "b.txt").unlink()

    def is_full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("curator.service.queue.atomic.write", is_full)
    with pytest.raises(OSError, match="No space"):
        stage.step(31)

    stage.service.close()
    assert load_queue(stage.file)["sources/a.txt"].state == "queued"


def test_after_a_kill_it_goes_on_where_it_was(stage: Stage) -> None:
    stage.drop("a.txt", "b.txt", "c.txt", "d.txt")
    stage.bring("a.txt", WELL)
    stage.bring("b.txt", WRONG)
    stage.started.clear()
    stage.start()
    stage.step()

    assert stage.states == {"a.txt": "done", "b.txt": "parked", "c.txt": "reading", "d.txt": "queued"}
    assert stage.at_work == ["c.txt"], "what was at work together is tried one by one"
