"""Work that is spread over forks: handed over in order, done here when a fork fails, ended when nobody waits for it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from threading import Thread

import pytest

from curator.system import parallel
from curator.system.parallel import Fork, spread
from support.interruptions import Interrupted, after_fork, held


def squares(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    for number in numbers:
        yield number * number, os.getpid()


def nothing(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    pytest.fail("it was done here")


ITEMS = [1, 2, 3, 4, 5]


@pytest.fixture(params=[2, 3, 8])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "processes", lambda: request.param)
    monkeypatch.setattr(parallel, "_PART", 2)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were forked: a test before us may have left others."""
    fork, forked = os.fork, []

    def noted() -> int:
        if child := fork():
            forked.append(child)
        return child

    monkeypatch.setattr(os, "fork", noted)
    return forked


def still_there(processes: Sequence[int]) -> list[int]:
    assert processes, "nothing was forked"
    return [process for process in processes if is_child(process)]


def is_child(process: int) -> bool:
    try:
        os.waitpid(process, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


@pytest.mark.usefixtures("cores")
def test_what_forks_work_out_comes_in_the_order_of_the_parts() -> None:
    found = list(spread(ITEMS, squares, nothing))

    assert [value for value, _ in found] == [1, 4, 9, 16, 25]
    assert os.getpid() not in {process for _, process in found}


@pytest.mark.usefixtures("cores")
def test_what_a_fork_fails_to_do_is_done_here() -> None:
    def fails(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        if 3 in numbers:
            raise ValueError("no")
        return squares(numbers)

    found = list(spread(ITEMS, fails, squares))

    assert [value for value, _ in found] == [1, 4, 9, 16, 25]
    assert [process == os.getpid() for _, process in found] == [False, False, True, True, False]


def test_one_core_and_one_part_take_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_PART", 2)
    monkeypatch.setattr(parallel, "processes", lambda: 1)
    assert {process for _, process in spread(ITEMS, nothing, squares)} == {os.getpid()}

    monkeypatch.setattr(parallel, "processes", lambda: 4)
    assert {process for _, process in spread([1, 2], nothing, squares)} == {os.getpid()}


@pytest.mark.usefixtures("cores")
def test_where_no_fork_is_to_be_had_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", none_left)

    assert {process for _, process in spread(ITEMS, nothing, squares)} == {os.getpid()}


@pytest.mark.usefixtures("cores")
def test_where_children_are_reaped_by_themselves_all_is_done_here() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        found = list(spread(ITEMS, squares, squares))
    finally:
        signal.signal(signal.SIGCHLD, before)

    assert [value for value, _ in found] == [1, 4, 9, 16, 25]


@pytest.mark.usefixtures("cores")
def test_a_fork_that_hangs_is_not_waited_for_forever(monkeypatch: pytest.MonkeyPatch, begun: list[int]) -> None:
    def hangs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        time.sleep(3600 if 3 in numbers else 0)
        return squares(numbers)

    monkeypatch.setattr(parallel, "_LONGEST", 0.5)

    assert [value for value, _ in spread(ITEMS, hangs, squares)] == [1, 4, 9, 16, 25]
    assert not still_there(begun)


def test_a_thread_that_has_company_does_not_fork() -> None:
    found: list[int] = []
    thread = Thread(target=lambda: found.append(parallel.processes()))
    thread.start()
    thread.join()

    assert found == [1]


@pytest.mark.usefixtures("cores")
def test_nothing_is_left_at_work_when_nobody_waits_for_it(begun: list[int]) -> None:
    def endless(numbers: Sequence[int]) -> Iterator[int]:
        yield from numbers
        while 1 not in numbers:
            yield 0

    found = spread(ITEMS, endless, endless)
    assert [next(found), next(found)] == [1, 2]
    found.close()

    assert not still_there(begun)


# -- one fork --------------------------------------------------------------------------------------------------------


def test_a_helper_hands_over_what_it_worked_out() -> None:
    fork = Fork(lambda: ({"leaf": [number]} for number in range(3)))

    assert fork.has_done()
    assert list(fork.results()) == [{"leaf": [0]}, {"leaf": [1]}, {"leaf": [2]}]
    fork.close()


def test_a_helper_that_fails_says_so() -> None:
    def work() -> Iterator[int]:
        yield 1
        raise ValueError("no")

    fork = Fork(work)

    assert not fork.has_done()
    fork.close()


def test_a_helper_that_is_not_needed_any_more_is_ended() -> None:
    def work() -> Iterator[int]:
        while True:
            yield 1

    fork = Fork(work)
    fork.close()

    assert not fork.has_done()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_fork_is_left_when_its_beginning_is_interrupted(cores: None) -> None:
    before = held()

    with pytest.raises(Interrupted), after_fork():
        list(spread(ITEMS, squares, nothing))

    assert held() == before
