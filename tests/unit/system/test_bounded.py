"""What a stranger's text may take of processor and memory."""

from __future__ import annotations

import os
import re
import signal
import threading

import pytest

from curator.system.bounded import clocked, forked


def without_end() -> int:
    number = 0
    while True:
        number += 1


def test_a_search_without_end_is_ended() -> None:
    with pytest.raises(TimeoutError), clocked(0.05):
        re.search(r"(a|a)*b", "a" * 60)

    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_what_goes_on_after_faults_does_not_go_on() -> None:
    def stubborn() -> None:
        while True:
            try:
                without_end()
            except Exception:  # noqa: S112 (as code that must not fail has it)
                continue

    with pytest.raises(TimeoutError), clocked(0.05):
        stubborn()


def test_what_ends_in_time_is_given() -> None:
    with clocked(60):
        assert forked(lambda: [os.getpid()], 60, 1_000) != [os.getpid()]


def test_a_fork_without_end_is_ended() -> None:
    with pytest.raises(TimeoutError):
        forked(without_end, 1, 1_000)


def test_a_fork_that_wants_too_much_memory_is_ended() -> None:
    with pytest.raises(MemoryError):
        forked(lambda: len(bytearray(400 << 20)), 60, 100)


def test_a_fault_in_a_fork_is_seen_here() -> None:
    with pytest.raises(ZeroDivisionError):
        forked(lambda: 1 / 0, 60, 1_000)


def test_where_nothing_can_be_forked_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(os, "fork", none)

    assert forked(os.getpid, 60, 1_000) == os.getpid()


def test_other_threads_have_no_clock() -> None:
    found: list[int] = []

    def work() -> None:
        with clocked(1):
            found.append(forked(os.getpid, 1, 1))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert found == [os.getpid()]
