"""What a stranger's text may take of processor and memory."""

from __future__ import annotations

import os
import re
import signal
import threading

import pytest

from curator.system import bounded
from curator.system.bounded import clocked
from support.interruptions import at_each_line


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


def test_an_alarm_that_comes_while_the_clock_is_stopped_is_the_same_error(monkeypatch: pytest.MonkeyPatch) -> None:
    setitimer, before = signal.setitimer, signal.getsignal(signal.SIGPROF)
    rung: list[bool] = []

    def rings_before(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        if seconds == 0 and not rung:
            rung.append(True)
            signal.raise_signal(signal.SIGPROF)
        return setitimer(which, seconds, interval)

    monkeypatch.setattr(signal, "setitimer", rings_before)
    with pytest.raises(TimeoutError), clocked(60):
        pass

    assert (rung, signal.getitimer(signal.ITIMER_PROF)) == ([True], (0.0, 0.0))
    assert signal.getsignal(signal.SIGPROF) == before


def test_no_clock_goes_on_wherever_its_start_or_its_end_is_interrupted() -> None:
    def work() -> None:
        with clocked(60):
            pass

    def look() -> None:
        assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)

    before = signal.getsignal(signal.SIGPROF)
    try:
        assert at_each_line((bounded,), work, look) > 5
    finally:
        signal.signal(signal.SIGPROF, before)


def test_other_threads_have_no_clock() -> None:
    found: list[int] = []

    def work() -> None:
        with clocked(1):
            found.append(os.getpid())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert found == [os.getpid()]
