"""The queue survives any end of its process, and a source that ends it twice is set aside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from curator.queue import Item, Queue, State


def item(source: str = "sources/a.txt", state: State = "queued", **more: float) -> Item:
    return Item(source, "1", state, more.pop("arrived", 1.0), **more)  # type: ignore[arg-type]


def test_what_was_put_in_is_there_after_a_restart(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "queue.jsonl")
    queue.put(item())
    queue.put(item("sources/b.txt", "done"))
    queue.put(item(state="done"))

    assert {i.source: i.state for i in Queue(tmp_path / "queue.jsonl").items.values()} == {
        "sources/a.txt": "done",
        "sources/b.txt": "done",
    }


def test_what_was_at_work_is_tried_again_once_and_then_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "queue.jsonl"
    Queue(file).put(item(state="thinking"))

    second = Queue(file)
    states = [second.items["sources/a.txt"].state]
    second.put(replace(second.items["sources/a.txt"], state="thinking"))
    third = Queue(file)

    assert [*states, third.items["sources/a.txt"].state] == ["queued", "parked"]
    assert "died 2 times" in third.items["sources/a.txt"].reason


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

    assert [i.source for i in queue.due(50.0)] == ["sources/early.txt", "sources/late.txt"]
    assert next(i.source for i in queue.due(100.0)) == "sources/soon.txt"
    assert (queue.next_due(50.0), queue.next_due(100.0)) == (100.0, None)


def test_the_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    queue = Queue(tmp_path / "q")
    for turn in range(3000):
        queue.put(item(attempts=turn))

    assert len((tmp_path / "q").read_text().splitlines()) < 1500
    assert Queue(tmp_path / "q").items["sources/a.txt"].attempts == 2999
