"""The queue survives any end of its process, and a source that ends it twice is set aside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curator.service.queue import DEATHS, Queue, QueueItem, State, crashed


def item(source: str = "sources/a.txt", state: State = "queued", **more: float) -> QueueItem:
    return QueueItem(source, "1", state, more.pop("arrived", 1.0), **more)  # type: ignore[arg-type]


def test_what_was_put_in_is_there_after_a_restart(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue.jsonl")
    queue.put(item())
    queue.put(item("sources/b.txt", "done"))
    queue.put(item(state="done"))

    assert {i.source: i.state for i in Queue(tmp_path / "queue.jsonl").items.values()} == {
        "sources/a.txt": "done",
        "sources/b.txt": "done",
    }


def test_what_was_at_work_when_the_service_died_is_tried_again_alone(tmp_path: Path) -> None:
    file = tmp_path / "queue.jsonl"
    first = Queue(file)
    first.put(item(state="thinking"))
    first.put(item("sources/b.txt", "reading"))

    again = Queue(file).items

    assert {i.source: (i.state, i.suspect, i.deaths) for i in again.values()} == {
        "sources/a.txt": ("queued", True, 0),
        "sources/b.txt": ("queued", True, 0),
    }


def test_a_source_that_is_always_alone_in_progress_when_the_service_dies_is_parked_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "queue.jsonl"
    Queue(file).put(item(state="thinking"))
    states: list[str] = []
    while states[-1:] != ["parked"]:
        queue = Queue(file)
        states.append(queue.items["sources/a.txt"].state)
        queue.put(replace(queue.items["sources/a.txt"], state="thinking") if states[-1] == "queued" else item("x"))

    assert states == ["queued"] * (DEATHS - 1) + ["parked"]
    assert [i.source for i in queue.newly_parked] == ["sources/a.txt"]


def test_a_restart_of_the_machine_is_no_sources_doing(tmp_path: Path) -> None:
    file = tmp_path / "queue.jsonl"
    Queue(file).put(item(state="thinking", deaths=DEATHS - 1))

    assert Queue(file, restarted=True).items["sources/a.txt"].state == "queued"


def test_a_source_whose_process_dies_twice_is_parked() -> None:
    once = crashed(item(state="reading"))
    twice = crashed(replace(once, state="reading"))

    assert (once.state, once.suspect, twice.state) == ("queued", True, "parked")
    assert "died 2 times" in twice.reason


def test_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    Queue(tmp_path / "q").put(item())
    with (tmp_path / "q").open("a") as file:
        file.write('{"source": "sources/b.t')

    assert list(Queue(tmp_path / "q").items) == ["sources/a.txt"]


def test_what_waits_is_due_at_its_time_in_order_of_arrival(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "q")
    queue.put(item("sources/late.txt", arrived=5.0))
    queue.put(item("sources/soon.txt", "waiting", arrived=1.0, next_try=100.0))
    queue.put(item("sources/early.txt", arrived=2.0))

    assert [i.source for i in queue.due(50.0, 9)] == ["sources/early.txt", "sources/late.txt"]
    assert next(i.source for i in queue.due(100.0, 9)) == "sources/soon.txt"
    assert (queue.next_due(50.0), queue.next_due(100.0)) == (100.0, None)


def test_the_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "q")
    for turn in range(3000):
        queue.put(item(attempts=turn))

    assert len((tmp_path / "q").read_text().splitlines()) < 1500
    assert Queue(tmp_path / "q").items["sources/a.txt"].attempts == 2999
