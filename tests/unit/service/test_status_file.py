"""What ``curate status`` shows of a service: while it runs, after its death, and of files that are none of ours."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from curator.repository.runtime.runtime import Runtime
from curator.service import status_file
from curator.service.queue import Queue, QueueItem
from curator.service.status import ServiceStatus
from curator.service.status_file import StatusFile

TOLD: dict[str, Any] = {
    "watcher": {"mode": "events", "why": "", "watches": 2, "lost": 0},
    "paused": None,
    "settling": 1,
}


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(tmp_path)


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    queue = Queue(tmp_path / "queue.jsonl")
    queue.put(QueueItem("sources/b.txt", "1", "queued", 2.0))
    queue.put(QueueItem("sources/a.txt", "1", "thinking", 1.0))
    queue.put(QueueItem("sources/done.txt", "1", "done", 0.0))
    return queue


@pytest.fixture
def _runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.service.status.instance_lock.running", lambda _: "process 7 on tea")


@pytest.mark.usefixtures("_runs")
def test_a_running_service_tells_what_it_is_at(runtime: Runtime, queue: Queue) -> None:
    StatusFile(runtime.service).update(queue, TOLD, 0.0)

    seen = ServiceStatus.of(runtime)

    assert [(item["source"], item["state"]) for item in seen.queue] == [
        ("sources/a.txt", "thinking"),
        ("sources/b.txt", "queued"),
    ]
    assert seen.counts == {"queued": 1, "thinking": 1, "done": 1}
    assert seen.lines()[:3] == [
        "service  process 7 on tea",
        "watcher  events, 2 watches, 0 times lost",
        "queue    1 queued, 1 thinking, 1 settling",
    ]
    assert seen.as_json()["health"] == []


def test_after_a_kill_the_queue_tells_and_nothing_is_said_to_go_on(runtime: Runtime, queue: Queue) -> None:
    StatusFile(runtime.service).update(queue, {**TOLD, "paused": {"until": 9e9, "why": "it is down"}}, 0.0)

    seen = ServiceStatus.of(runtime)

    assert seen.running is None
    assert seen.as_json()["health"] == []
    assert [item["source"] for item in seen.queue] == ["sources/a.txt", "sources/b.txt"]
    assert seen.lines()[:2] == ["service  none runs", "queue    2 queued"]


def test_where_no_service_ever_ran_there_is_nothing_to_tell(runtime: Runtime) -> None:
    assert ServiceStatus.of(runtime).lines() == []


@pytest.mark.usefixtures("_runs")
@pytest.mark.parametrize(
    "foreign",
    [
        "",
        '{"queue": [',
        "[]",
        "null",
        "{}",
        '{"queue": [], "counts": {}}',
        json.dumps({**TOLD, "counts": {}, "queue": [{"source": "sources/a.txt"}]}),
        json.dumps(
            {**TOLD, "counts": {}, "queue": [{"source": "a", "stamp": "1", "arrived": 1.0, "state": "dreaming"}]}
        ),
        json.dumps({**TOLD, "counts": {"queued": "many"}, "queue": []}),
        json.dumps({**TOLD, "watcher": "events", "counts": {}, "queue": []}),
        json.dumps({**TOLD, "watcher": {}, "counts": {}, "queue": []}),
        json.dumps({**TOLD, "paused": {"until": float("inf"), "why": "x"}, "counts": {}, "queue": []}),
        json.dumps({**TOLD, "paused": {"why": "x"}, "counts": {}, "queue": []}),
        "\ufeff\u00e9",
    ],
)
def test_what_is_torn_or_foreign_is_passed_over_for_the_queue_itself(
    runtime: Runtime, queue: Queue, foreign: str
) -> None:
    runtime.service.write_text(foreign, "utf-8")

    seen = ServiceStatus.of(runtime)

    assert seen.lines()[0] == "service  process 7 on tea"
    assert len(seen.queue) == len(queue.items) - 1


@pytest.mark.usefixtures("_runs")
def test_a_pause_is_told_until_when_and_after_it_that_one_is_tried(runtime: Runtime, queue: Queue) -> None:
    at = time.time()
    told = [
        _troubles(runtime, queue, {"until": at + ahead, "why": "the budget of the day is used up"})
        for ahead in (3600, 90_000, -1)
    ]

    later = time.strftime("%H:%M:%S", time.localtime(at + 3600))
    tomorrow = time.strftime("%Y-%m-%d %H:%M", time.localtime(at + 90_000))
    assert told == [
        [f"nothing is asked until {later}: the budget of the day is used up"],
        [f"nothing is asked until {tomorrow}: the budget of the day is used up"],
        ["one source is tried: the budget of the day is used up"],
    ]


@pytest.mark.usefixtures("_runs")
def test_a_push_that_failed_is_told_with_its_code_and_what_to_do(runtime: Runtime, queue: Queue) -> None:
    push = {"state": "failing", "reason": "main was refused", "code": "push_behind", "hint": "'git pull' in the wiki"}
    notify = {"state": "failing", "reason": "its program is not there"}
    StatusFile(runtime.service).update(queue, {**TOLD, "push": push, "notify": notify}, 0.0)

    assert ServiceStatus.of(runtime).headlines()[2:4] == [
        "trouble  push: main was refused; 'git pull' in the wiki (push_behind)",
        "trouble  notify: its program is not there",
    ]


def _troubles(runtime: Runtime, queue: Queue, paused: dict[str, Any]) -> list[str]:
    StatusFile(runtime.service).update(queue, {**TOLD, "paused": paused}, 0.0)
    return ServiceStatus.of(runtime).troubles


def test_it_is_written_when_there_is_something_new_and_not_too_often(runtime: Runtime, queue: Queue) -> None:
    shown = StatusFile(runtime.service)

    assert shown.update(queue, TOLD, 10.0) == 60.0
    assert shown.update(queue, TOLD, 10.1) == 60.0
    queue.put(QueueItem("sources/c.txt", "1", "queued", 3.0))
    assert shown.update(queue, TOLD, 10.1) == pytest.approx(0.4)
    assert len(status_file.read_status(runtime.service)["queue"]) == 2
    shown.update(queue, TOLD, 10.6)
    assert len(status_file.read_status(runtime.service)["queue"]) == 3


def test_many_sources_are_counted_and_few_told_of(runtime: Runtime, tmp_path: Path) -> None:
    queue = Queue(tmp_path / "many.jsonl")
    for number in range(1000):
        queue.put(QueueItem(f"sources/{number:04}.txt", "1", "queued", float(number)))
    StatusFile(runtime.service).update(queue, TOLD, 0.0)

    told = status_file.read_status(runtime.service)

    assert told["counts"] == {"queued": 1000}
    assert [item["source"] for item in told["queue"]] == [f"sources/{number:04}.txt" for number in range(200)]


def test_a_name_that_cannot_be_printed_is_shown_so_that_it_can(runtime: Runtime, tmp_path: Path) -> None:
    queue = Queue(tmp_path / "odd.jsonl")
    queue.put(QueueItem("sources/\udcff\x1b.txt", "1", "skipped", 1.0, reason="a name \udcff"))

    StatusFile(runtime.service).update(queue, TOLD, 0.0)

    (item,) = status_file.read_status(runtime.service)["queue"]
    assert item["source"].isprintable()


def test_when_it_ends_nothing_is_left_to_mislead(runtime: Runtime, queue: Queue) -> None:
    shown = StatusFile(runtime.service)
    shown.update(queue, TOLD, 0.0)

    shown.close()
    shown.close()

    assert status_file.read_status(runtime.service) == {}


@pytest.mark.usefixtures("_runs")
def test_a_source_that_waits_says_what_lets_it_go_on_by_itself(runtime: Runtime, queue: Queue) -> None:
    queue.put(QueueItem("sources/b.txt", "1", "waiting", 2.0, next_try=9e9, reason="waiting for tea.md"))
    StatusFile(runtime.service).update(queue, TOLD, 0.0)

    seen = ServiceStatus.of(runtime).with_next(
        {"sources/b.txt": "git commit tea.md; then: curate ingest sources/b.txt"}
    )

    assert seen.lines()[-1] == "    next: git commit tea.md"
    assert [item["next"] for item in seen.waiting] == ["", "git commit tea.md"]
