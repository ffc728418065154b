"""What the built-in curator tells of what people write day by day: questions and answers, lists of things, minutes."""

from __future__ import annotations

import pytest

from curator.models.proposal import Create
from support.built_in import pages, proposed, told


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("**How many books may I borrow?** Up to 20 at a time.", "How many books may I borrow? Up to 20 at a time."),
        ("*Who can get a card?* Anyone who lives here.", "Who can get a card? Anyone who lives here."),
        ("Q: Where is the rack?\nA: Behind the kiosk.", "Where is the rack? Behind the kiosk."),
        ("- Is subletting allowed? Only with written leave.", "Is subletting allowed? Only with written leave."),
        ("1. **Who pays?** The landlord, as a rule.\n2. **When?** In May.", "Who pays? The landlord, as a rule."),
    ],
)
def test_an_answer_has_its_question_before_it(written: str, said: str) -> None:
    assert said in told(f"# The house\n\nThe house on the hill has five flats and a garden.\n\n{written}\n")


def test_what_answers_a_heading_does_not_open_the_page() -> None:
    text = "# Pool\n\n## When is it open?\n\nFrom 7 am to 9 pm on all days.\n\n## And dogs?\n\nNo dogs are let in.\n"

    assert told(text).startswith("## When is it open?\n- From 7 am")


def test_a_question_of_running_text_is_not_glued_to_what_follows() -> None:
    text = "# The mill\n\nThe mill was built in 1820. Who paid for it? The town paid for the wheel and the dam.\n"

    assert "Who paid" not in told(text)


def test_a_section_that_is_a_list_of_things_is_told_as_one() -> None:
    text = (
        "# Bread\n\nRye bread is baked in a closed pot at high heat.\n\n"
        "## The dough\n\n- 500 g wheat flour\n- 350 g water\n- 10 g salt\n\n"
        "## Baking\n\nBake it at 250 degrees for 15 minutes, then at 220 degrees.\n"
    )

    assert "## The dough\n- 500 g wheat flour\n- 350 g water\n- 10 g salt\n" in told(text)


def test_minutes_that_are_a_list_stay_one() -> None:
    text = (
        "# Minutes of May\n\n- Vault is full, and the office buys a new one.\n- Ben writes the new manual until June.\n"
    )

    assert told(text) == (
        "## Key points\n- Vault is full, and the office buys a new one.\n- Ben writes the new manual until June."
    )


def test_a_thing_has_a_page_where_its_own_section_says_more_of_it() -> None:
    text = (
        "# The mill\n\n## Kettle\n\nA kettle is a vessel in which water is boiled for the dye. It holds forty litres.\n\n"
        "## Pump\n\nA pump is a machine that moves water from the well to the kettle.\n\n"
        "The lid is held by a steel spring and has to be oiled each month.\n"
    )

    assert any("steel spring" in said for said in pages(text)["Pump"])


def test_what_is_said_of_two_things_in_the_same_words_is_quoted_where_it_is_said_of_each() -> None:
    lid = "The lid is held by a steel spring. It must be oiled every month with the blue oil."
    kettle, pump = "A kettle is a vessel in which water is boiled for the dye.", "A pump is a machine that moves water."
    made = proposed(f"# The mill\n\n## Kettle\n\n{kettle}\n\n{lid}\n\n## Pump\n\n{pump}\n\n{lid}\n")

    found = {
        op.title: [claim.quotes for claim in op.body if claim.text.endswith(lid)]
        for op in made
        if isinstance(op, Create)
    }
    assert found["Kettle"] == [(f"{kettle} {lid}",)]
    assert found["Pump"] == [(f"{pump} {lid}",)]
