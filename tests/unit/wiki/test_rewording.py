"""A statement that is reworded still says what it said, or what is gone is told."""

from __future__ import annotations

import pytest

from curator.wiki.support.rewording import lost


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tea is a drink.", "Tea is a hot drink."),
        ("Tea is a drink.", "Tea is a drink made of leaves. It is drunk hot."),
        ("Tea is a drink.", "Camellia is a shrub of Asia. Tea is a drink."),
        ("Tea is a drink.", "Tea, from China, is a drink."),
        ("Tea is a drink.", "Tea is a drink, and coffee is not sold in any shop."),
        ("Tea is a drink.", "Tea is a drink; nobody knows who wrote the wrong label."),
        ("Boil water.", "Boil water at 80 degrees."),
        ("Boil the water.", "Boil water, then wait for 3 minutes."),
        ("The pump must be off.", "The pump must be off while the tank is filled."),
        (
            "Wheels are installed without running a build.",
            "Wheels are installed without running a build, in any order.",
        ),
        ("The scale weighs hive 4.", "The scale weighs hive 4 and sends the weight at noon."),
        ("It does not need a key.", "It does not need a key, but a network."),
        ("A hive needs 20 kg.", "From October to March a hive needs 20 kg."),
        ("Varroa is a mite.", "Varroa destructor is a parasitic mite of honey bees."),
        ("It was founded in 1950.", "It was founded in 1950 by six families."),
        ("The members feed syrup.", "Syrup is fed by the members until the end of October."),
    ],
)
def test_what_is_added_to_loses_nothing(old: str, new: str) -> None:
    assert lost(old, new) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The pump must be off.", "The pump must stay on."),
        ("The pump must be off.", "The pump must not be off."),
        ("The pump must be off.", "The pump may be off."),
        ("Tea is a drink.", "Nothing is known of tea."),
        ("Tea is a drink.", "Nothing is known."),
        ("Tea is a drink.", "Nobody says that tea is a drink."),
        ("Tea is a drink.", "It is a myth that tea is a drink."),
        ("Tea is a drink.", "Tea was once believed to be a drink."),
        ("Tea is a drink.", "Tea is not a drink."),
        ("Tea is a drink.", "Nothing is known of whether tea is a drink."),
        ("Tea is a drink of the valley.", "If only tea were a drink of the valley."),
        ("Tea is a drink of the valley.", "Tea is a drink of the valley, which is false."),
        ("The fondant is given in the last week of May.", "The fondant may be given in the last week of May."),
        ("Tea is a drink.", "Tea may be a drink."),
        ("A hive needs 20 kg.", "A hive needs 10 kg, not 20 kg."),
        ("A hive needs 20 kg.", "A hive needs 10 kg."),
        ("Varroa weakens colonies.", "Varroa is harmless and cures colonies."),
        ("It does not need a key.", "It does need a key."),
        ("It lost 9 of 12 hives.", "It lost 3 of 12 hives."),
        ("It lost 9 hives to 3.", "It lost 3 hives to 9."),
        ("Bees feed the queen.", "The queen eats."),
        ("It never freezes.", "It often freezes."),
    ],
)
def test_what_says_otherwise_has_lost_something(old: str, new: str) -> None:
    assert lost(old, new) != ""
