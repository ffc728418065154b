"""The fork that the built-in curator works in: what it has of its parent, and what comes out of it."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
from dataclasses import replace

import pytest

from curator.models.sandbox import locked_fork
from curator.models.sandbox.locked_fork import ForkDied, ForkLimits, in_jail
from support.interruptions import Interrupted, after_fork, held

LIMITS = ForkLimits(seconds=60, megabytes=500)


def test_a_text_comes_out_and_how_strong_the_jail_was() -> None:
    answer = in_jail(lambda: f"a text with {'ü'} of {os.getpid()}", LIMITS)

    assert answer["text"] != f"a text with ü of {os.getpid()}" and answer["text"].startswith("a text with ü")
    assert answer["sandbox"] in ("strong", "medium", "weak") and len(answer["attempts"]) > 20


def test_something_else_is_done_while_it_works_and_nothing_once_that_is_over() -> None:
    done: list[int] = []

    with locked_fork.meanwhile(lambda: done.append(os.getpid())):
        answer = in_jail(lambda: f"{len(done)}", LIMITS)
    in_jail(str, LIMITS)

    assert (answer["text"], done) == ("0", [os.getpid()])


def test_it_has_nothing_of_its_parent_but_what_it_works_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    file = tmp_path_factory.mktemp("open") / "notes"

    def look() -> str:
        return json.dumps([sorted(filter(_is_open, range(1_024))), dict(os.environ)])

    with file.open("w") as stream:
        os.set_inheritable(stream.fileno(), True)
        descriptors, environment = json.loads(in_jail(look, LIMITS)["text"])

    assert (descriptors, environment) == ([1], {})


def _is_open(number: int) -> bool:
    try:
        fcntl.fcntl(number, fcntl.F_GETFD)
    except OSError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nothing_of_it_is_left_when_its_beginning_is_interrupted() -> None:
    before = held()

    with pytest.raises(Interrupted), after_fork():
        in_jail(lambda: "x" * 1_000_000, LIMITS)

    assert held() == before


def test_it_works_in_a_thread_as_well() -> None:
    found: list[str] = []

    thread = threading.Thread(target=lambda: found.append(in_jail(lambda: "text", LIMITS)["text"]))
    thread.start()
    thread.join()

    assert found == ["text"]


def test_sleep_without_end_is_ended() -> None:
    with pytest.raises(TimeoutError):
        in_jail(lambda: str(threading.Event().wait()), replace(LIMITS, clock=0.01))


def test_a_descriptor_that_is_given_is_all_that_is_had() -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"said")

    assert in_jail(lambda: os.read(0, 10).decode(), LIMITS, ours)["text"] == "said"
    os.close(ours)
    os.close(theirs)


def test_too_much_memory_is_not_had() -> None:
    with pytest.raises(MemoryError):
        in_jail(lambda: str(len(bytearray(400 << 20))), ForkLimits(seconds=60, megabytes=100))


def test_an_answer_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked_fork, "_MOST_BYTES", 1_000)

    with pytest.raises(ForkDied, match="without end"):
        in_jail(lambda: "x" * 100_000, LIMITS)


def test_a_fault_is_told_with_its_place_and_runs_nothing_here() -> None:
    with pytest.raises(
        ForkDied, match=r"ended with ZeroDivisionError: 'division by zero' at .*test_sandbox_fork\.py:\d+"
    ):
        in_jail(lambda: str(1 / 0), LIMITS)


@pytest.mark.parametrize("said", [b"", b"[]", b"{}", b'{"text": 1, "sandbox": "strong"}', b"[" * 100_000])
def test_an_answer_that_is_none_is_a_fault(monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(json, "dumps", lambda answer: said.decode())

    with pytest.raises(ForkDied, match="gave no answer"):
        in_jail(lambda: "text", LIMITS)
