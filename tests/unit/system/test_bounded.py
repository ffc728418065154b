"""What a stranger's text may take of processor and memory."""

from __future__ import annotations

import os
import re
import signal
import threading

import pytest

from curator.system.bounded import clocked


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


def test_what_ends_in_time_goes_on() -> None:
    with clocked(60):
        pass


def test_other_threads_have_no_clock() -> None:
    found: list[int] = []

    def work() -> None:
        with clocked(1):
            found.append(os.getpid())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert found == [os.getpid()]
