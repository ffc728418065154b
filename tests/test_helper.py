"""Work that is spread over forks: handed over in order, done here when a fork fails, ended when nobody waits for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Thread

import pytest

from curator import helper
from curator.helper import Helper, spread


def squares(numbers: list[int]) -> Iterator[tuple[int, int]]:
    for number in numbers:
        yield number * number, os.getpid()


def nothing(numbers: list[int]) -> Iterator[tuple[int, int]]:
    pytest.fail("it was done here")


PARTS = [[1, 2], [3], [], [4, 5], [6]]


@pytest.fixture(params=[2, 3, 8])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "processes", lambda: request.param)


@pytest.mark.usefixtures("cores")
def test_what_forks_work_out_comes_in_the_order_of_the_parts() -> None:
    found = list(spread(PARTS, squares, nothing))

    assert [value for value, _ in found] == [1, 4, 9, 16, 25, 36]
    assert os.getpid() not in {process for _, process in found}


@pytest.mark.usefixtures("cores")
def test_what_a_fork_fails_to_do_is_done_here() -> None:
    def fails(numbers: list[int]) -> Iterator[tuple[int, int]]:
        if 3 in numbers or 5 in numbers:
            raise ValueError("no")
        return squares(numbers)

    found = list(spread(PARTS, fails, squares))

    assert [value for value, _ in found] == [1, 4, 9, 16, 25, 36]
    assert [process == os.getpid() for _, process in found] == [False, False, True, True, True, False]


def test_one_core_and_one_part_take_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "processes", lambda: 1)
    assert {process for _, process in spread(PARTS, nothing, squares)} == {os.getpid()}

    monkeypatch.setattr(helper, "processes", lambda: 4)
    assert {process for _, process in spread([[1]], nothing, squares)} == {os.getpid()}


def test_a_thread_that_has_company_does_not_fork() -> None:
    found: list[int] = []
    thread = Thread(target=lambda: found.append(helper.processes()))
    thread.start()
    thread.join()

    assert found == [1]


@pytest.mark.usefixtures("cores")
def test_nothing_is_left_at_work_when_nobody_waits_for_it() -> None:
    def endless(numbers: list[int]) -> Iterator[int]:
        yield from numbers
        while 1 not in numbers:
            yield 0

    found = spread(PARTS, endless, endless)
    assert [next(found), next(found)] == [1, 2]
    found.close()  # type: ignore[attr-defined]

    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


# -- one fork --------------------------------------------------------------------------------------------------------


def test_a_helper_hands_over_what_it_worked_out() -> None:
    fork = Helper(lambda: ({"leaf": [number]} for number in range(3)))

    assert fork.has_done()
    assert list(fork.results()) == [{"leaf": [0]}, {"leaf": [1]}, {"leaf": [2]}]
    fork.close()


def test_a_helper_that_fails_says_so() -> None:
    def work() -> Iterator[int]:
        yield 1
        raise ValueError("no")

    fork = Helper(work)

    assert not fork.has_done()
    fork.close()


def test_a_helper_that_is_not_needed_any_more_is_ended() -> None:
    def work() -> Iterator[int]:
        while True:
            yield 1

    fork = Helper(work)
    fork.close()

    assert not fork.has_done()
