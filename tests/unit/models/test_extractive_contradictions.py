"""When two statements contradict each other, and when they only look alike."""

from __future__ import annotations

import pytest

from curator.models.extractive.contradictions import compared_statement, contradict

THRESHOLD = "The August treatment threshold for the varroa mite is 3 mites per 100 bees."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (THRESHOLD, THRESHOLD.replace("3 mites", "2 mites")),
        (
            "For a full-sized colony at Aldermoor Apiary, plan on 14 kg of winter stores.",
            "Every full-sized colony at Aldermoor Apiary should hold 18 kg of winter stores on 1 October.",
        ),
        (
            "The upload service accepts egg files from all registered project owners.",
            "The upload service does not accept egg files from all registered project owners.",
        ),
        (
            "The deprecation period for egg uploads on the index lasts two months.",
            "The deprecation period for egg uploads on the index lasts one month.",
        ),
    ],
)
def test_a_different_value_or_a_negation_contradicts(one: str, other: str) -> None:
    assert contradict(compared_statement(one), compared_statement(other))
    assert contradict(compared_statement(other), compared_statement(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
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
        ("Sticky boards were read on 14 December.", "Sticky boards were read on 21 December."),
        ("A worker bee needs 21 days to develop.", "A drone needs 24 days to develop."),
        (
            "Tools MUST raise an error when the name of the project is missing.",
            "Tools MUST NOT raise a warning when the version of another package is unknown.",
        ),
    ],
)
def test_equal_other_or_short_statements_do_not(one: str, other: str) -> None:
    assert not contradict(compared_statement(one), compared_statement(other))
