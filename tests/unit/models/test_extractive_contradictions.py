"""When two statements contradict each other, and when they only look alike."""

from __future__ import annotations

import pytest

from curator.models.extractive.contradictions import StatementsByValue, context_of, disagree, value_statement

THRESHOLD = "The August treatment threshold for the varroa mite is 3 mites per 100 bees."


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The tank pressure is 5 bar.", "The tank pressure is 3 bar."),
        ("The Osk 2 lifts up to 5 kg of oil.", "The Osk 2 lifts at most 3 kg of oil."),
        ("The flash period of a pulse lantern is 4 seconds.", "A pulse lantern flashes once every 5 seconds."),
        (
            "The office decides that each lantern is checked every 21 days.",
            "The keeper checks each lantern every 30 days.",
        ),
        ("The Osk 2 burned for 31 hours on a full tank.", "Burning time: 40 hours with a full tank"),
        ("The deadline for oil lamps is moved to 1 July 2039.", "Oil lamps must be out of use by 1 January 2038."),
        ("The mill was founded in 1912.", "The mill was founded in 1911."),
        ("A membership will cost 32 euros a month from 2027.", "A membership will cost 31 euros a month from 2027."),
        ("The pump will deliver 5 bar at the inlet.", "The pump delivers 3 bar at the inlet."),
        ("Weight: 17 kg", "Weight: 18 kg"),
        (THRESHOLD, THRESHOLD.replace("3 mites", "2 mites")),
        (
            "The deprecation period for egg uploads on the index lasts two months.",
            "The deprecation period for egg uploads on the index lasts one month.",
        ),
    ],
)
def test_one_value_of_one_thing_is_told_twice(new: str, old: str) -> None:
    names = context_of(("Osk 2",))

    assert disagree(value_statement(new), value_statement(old), names, names)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The membership will cost 32 euros a month from 2027.", "A membership costs 30 euros a month."),
        ("Next year the ferry will leave every 20 minutes.", "The ferry leaves every 30 minutes."),
        (
            "In clear weather the Osk 2 was seen from 9.5 kilometres.",
            "A lantern must be seen from 9 kilometres in clear weather.",
        ),
        ("In fog a pulse lantern flashes every 2 seconds.", "A pulse lantern flashes every 5 seconds."),
        ("The large tank holds 6 litres of oil.", "The small tank holds 3 litres of oil."),
        ("The Osk 1 burned for 22 hours.", "The Osk 2 burned for 31 hours."),
        ("The survey counted 5 mites in 2025.", "The survey counted 6 mites in 2026."),
        ("The boards were read on 14 December 2024.", "The boards were read on 21 December 2024."),
        ("A tank holds at least 5 litres of oil.", "A tank holds 6 litres of oil."),
        ("A tank holds at least 5 litres of oil.", "A tank holds up to 6 litres of oil."),
        ("Weight: 17 kg", "Height: 18 kg"),
        (THRESHOLD, THRESHOLD),
        (THRESHOLD, "The August treatment threshold for the varroa mite is low."),
        (
            "Hive 2 had a mean mite drop of 40 mites in two weeks of December.",
            "Hive 9 had a mean mite drop of 112 mites in two weeks of December.",
        ),
        (
            "Marit sampled the colonies at Aldermoor Apiary for 3 days in early spring.",
            "Marit sampled the drones at Barrow Meadow for 4 days in late autumn.",
        ),
        ("A worker bee needs 21 days to develop.", "A drone needs 24 days to develop."),
    ],
)
def test_values_of_two_things_or_under_a_condition_do_not_disagree(new: str, old: str) -> None:
    nobody = context_of(("Notes",))

    assert not disagree(value_statement(new), value_statement(old), nobody, context_of(("Osk 2",)))


def test_a_property_of_another_thing_does_not_disagree() -> None:
    one, other = context_of(("Osk 1 manual",)), context_of(("Osk 2 manual",))

    assert not disagree(value_statement("Weight: 17 kg"), value_statement("Weight: 18 kg"), one, other)


def test_of_many_statements_the_first_that_disagrees_is_found() -> None:
    said = ["The gate is green.", "The gate opens at 5 bar.", "The gate opens at 7 bar."]
    nobody: frozenset[str] = frozenset()

    assert StatementsByValue(said).against(value_statement("The gate opens at 3 bar."), nobody, nobody) == 1
    assert StatementsByValue(said).against(value_statement("The gate is red."), nobody, nobody) == -1
