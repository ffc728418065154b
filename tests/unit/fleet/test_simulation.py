"""The simulated fleet behaves like one: what must hold of any queue holds of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripts.simulate_fleet import Fleet, Measured, Outcome, Simulation, table

SMALL = Fleet(machines=1, hands=40, tokens_a_minute=1_000_000)


def run(fleet: Fleet, a_second: float = 0.5, wikis: int = 20) -> Outcome:
    return Simulation(Measured(), fleet, wikis, a_second, 600.0, 1).run()


def test_a_fleet_with_room_lands_what_arrives_in_little_more_than_the_model_takes() -> None:
    outcome = run(SMALL)

    assert outcome.landed == pytest.approx(outcome.arrived, abs=40)
    assert SMALL.model_seconds < outcome.median < 1.3 * SMALL.model_seconds
    # Little's law: so many are at work as arrive in the time that one takes.
    assert outcome.use["hands"] * SMALL.hands == pytest.approx(0.5 * outcome.median, rel=0.25)


@pytest.mark.parametrize(
    "scarce, what",
    [
        ({"tokens_a_minute": 100_000.0}, "model"),
        ({"hands": 4}, "hands"),
        ({"cores": 1, "tokens_a_minute": 1e9, "hands": 400}, "processors"),
        ({"git_pushes": 1, "tokens_a_minute": 1e9, "hands": 400}, "git"),
    ],
)
def test_what_is_scarce_fills_up_and_is_named(scarce: dict[str, float], what: str) -> None:
    outcome = run(replace(SMALL, **scarce), a_second=3.0)  # type: ignore[arg-type]

    assert outcome.fullest == what
    assert outcome.use[what] > 0.85
    assert outcome.backlog > 100


def test_many_at_one_wiki_lose_races_and_land_all_the_same() -> None:
    alone = run(replace(SMALL, model_seconds=2.0), a_second=0.5, wikis=1)
    apart = run(replace(SMALL, model_seconds=2.0), a_second=0.5, wikis=200)

    assert alone.tries > apart.tries
    assert alone.landed == pytest.approx(apart.landed, rel=0.1)


def test_a_run_is_told_in_a_line() -> None:
    *_, line = table([run(SMALL)])

    assert line.startswith("| as planned | ")
