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


def test_a_question_of_a_note_is_told_with_what_follows_it_and_of_a_long_text_not() -> None:
    text = "# The mill\n\nThe mill was built in 1820. Who paid for it? The town paid for the wheel and the dam.\n"

    assert "Who paid for it? The town paid" in told(text)
    assert "Who paid" not in told(text + "\n" + "The mill grinds the corn of all the farms around the town. " * 120)


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


def test_a_marked_question_within_a_paragraph_keeps_its_answer_too() -> None:
    text = "# Studio\n\n**Core hours:** from 10 to 15. **Sick?** Mail to your lead before nine. **Leave:** 28 days.\n"

    assert "Sick? Mail to your lead before nine." in told(text)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (
            "- **BREAKING** XML import. Use `convert` of version 1.9 first.",
            "XML import. Use `convert` of version 1.9 first.",
        ),
        (
            "- Wheel truing. By appointment only, and not in August.",
            "Wheel truing. By appointment only, and not in August.",
        ),
    ],
)
def test_the_few_words_that_an_item_begins_with_stay_with_what_is_said_of_them(item: str, said: str) -> None:
    assert said in told(
        f"# The shop\n\nThe shop sells bicycles and mends them.\n\n## Removed\n\n{item}\n- Support for tandems\n"
    )


def test_one_thing_of_a_list_that_ends_in_a_mark_does_not_part_it() -> None:
    text = (
        "# Strudel\n\n## Filling\n\n- 1.2 kg apples (if you get them)\n- 80 g sugar\n- 50 g raisins (not for Ben!!)\n"
    )

    assert [line[:6] for line in told(text).split("\n")] == ["## Fil", "- 1.2 ", "- 80 g", "- 50 g"]


def test_what_its_author_struck_out_is_not_told() -> None:
    text = (
        "# Office\n\n## Tasks\n\n- the report: due in three days\n- ~~the page is changed by hand~~ (not since May)\n"
    )

    assert "three days" in told(text) and "by hand" not in told(text)


def test_a_later_section_does_not_open_the_page() -> None:
    text = (
        "# Runbook: checkout is down\n\n## Symptoms\n\n- the alarm of the shop rings\n- customers see an error\n\n"
        "## Database\n\nUsually caused by the nightly report, which runs at two.\n"
    )

    assert told(text).startswith("## Symptoms") and "## Database\n- Usually caused" in told(text)


def test_clauses_of_statutes_are_sections_and_their_points_steps() -> None:
    text = (
        "Statutes of the club\n\n§ 1 Name and seat\n(1) The club bears the name Heron.\n(2) Its seat is in Wesel.\n\n"
        "§ 2 Purpose\nThe purpose of the club is the promotion of rowing.\n"
    )

    found = told(text, "text")
    assert "## § 1 Name and seat\n1. The club bears the name Heron.\n2. Its seat is in Wesel." in found
    assert "## § 2 Purpose\n- The purpose of the club" in found


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "Brake pads last about 2000 km\ntyre pressure: 3.5 bar front, 4 bar rear\nTom is asked about the chain.",
            "Brake pads last about 2000 km; tyre pressure: 3.5 bar front, 4 bar rear; Tom is asked about the chain.",
        ),
        (
            "The keeper of the lamp goes up the stairs every evening before it is\ndark, and lights it with a long match.",
            "before it is dark, and lights",
        ),
    ],
)
def test_the_lines_of_a_note_are_parted_and_those_of_a_filled_paragraph_are_not(lines: str, said: str) -> None:
    assert said in told(f"The mill\n\nThe mill has a lamp, and a keeper who lives in it.\n\n{lines}\n", "text")


def test_bold_lines_over_paragraphs_and_lists_are_headings() -> None:
    text = (
        "**We look for a gardener**\n\n**What you do**\n• look after the alpine house\n• guide groups of the schools\n\n"
        "**How to apply**\nLetters are read until February. Travel costs are not paid.\n"
    )

    assert told(text) == (
        "## What you do\n- look after the alpine house\n- guide groups of the schools\n"
        "## How to apply\n- Letters are read until February. Travel costs are not paid."
    )


def test_a_word_that_leads_to_a_list_is_told_with_it() -> None:
    text = "# Camp\n\nThe camp lies by the river.\n\nBring along:\n\n- a sleeping bag\n- good shoes\n"

    assert "Bring along:\n  - a sleeping bag\n  - good shoes" in told(text)
