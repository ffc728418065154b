"""The breaker: one closed door is met once, not ten thousand times; and no clock that is set shuts it for a day."""

from __future__ import annotations

import math

import pytest

from curator.service.circuit_breaker import CircuitBreaker

NOW = 1_000_000.0
DAY = 86_400.0


def shut(*, passes: bool = True, again_in: float | None = None) -> CircuitBreaker:
    breaker = CircuitBreaker()
    breaker.fault("it is down", NOW, passes=passes, again_in=again_in)
    return breaker


def test_while_all_is_well_there_are_all_places() -> None:
    assert CircuitBreaker().allowed(4, NOW) == 4
    assert not CircuitBreaker().is_open(NOW)


def test_after_a_fault_nobody_goes_and_then_one() -> None:
    breaker = shut()

    assert (breaker.allowed(4, NOW + 4), breaker.allowed(4, NOW + 6)) == (0, 1)

    breaker.close()
    assert breaker.allowed(4, NOW + 6) == 4


def test_the_pause_doubles_up_to_an_hour() -> None:
    breaker, now, pauses = CircuitBreaker(), NOW, []
    for _ in range(20):
        breaker.fault("it is down", now, passes=True)
        pauses.append(breaker.until - now)
        now = breaker.until

    assert pauses[:4] == [5.0, 10.0, 20.0, 40.0]
    assert pauses[-1] == 3600.0


def test_a_fault_that_does_not_pass_by_itself_pauses_for_longer() -> None:
    assert shut(passes=False).until == NOW + 60


def test_answers_to_questions_that_were_under_way_make_the_pause_no_longer() -> None:
    breaker = shut()

    for late in range(3):
        breaker.fault("the same", NOW + late, passes=True)

    assert (breaker.until, breaker.faults, breaker.why) == (NOW + 5, 1, "it is down")


@pytest.mark.parametrize(
    ("wish", "pause"),
    [(0.0, 1.0), (-7.0, 1.0), (90.0, 90.0), (31 * DAY, 31 * DAY), (1e12, 32 * DAY), (math.inf, 5.0), (math.nan, 5.0)],
)
def test_what_the_provider_wishes_holds_where_it_is_a_time(wish: float, pause: float) -> None:
    assert shut(again_in=wish).until - NOW == pause


def test_a_clock_that_is_set_back_does_not_shut_it_for_a_day() -> None:
    breaker = shut(again_in=90)
    yesterday = NOW - DAY

    assert not breaker.is_open(yesterday)
    assert breaker.allowed(4, yesterday) == 1

    breaker.fault("it is down still", yesterday, passes=True)
    assert breaker.is_open(yesterday + 1), "the one that found it out starts a pause of its own"
    assert breaker.until < yesterday + 60


def test_a_clock_that_is_put_right_by_seconds_changes_nothing() -> None:
    assert shut(again_in=90).is_open(NOW - 3)
