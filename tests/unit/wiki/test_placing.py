"""Additions that name no heading: to the section on their matter, to the opening part, never behind what stands last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.pages.page import Page
from curator.wiki.placing import with_additions

HEAD = """---
schema: knowledge/v1
kind: concept
title: Oil lamp
aliases: [kerosene lamp]
---
"""
OPENING = "An oil lamp is a lamp that burns oil. [^a-1]"
BODY = f"""# Oil lamp

{OPENING}

- It has a wick. [^a-1]

## Cleaning

- Soot on the glass is washed off with vinegar. [^a-1]

## Rejected ideas

- A lamp with two wicks was tried and given up: the flames of both wicks smoked. [^a-1]

[^a-1]: sources/a.md "A lamp."
"""


def page(body: str = BODY) -> Page:
    return Page("concepts/oil-lamp.md", HEAD + body)


@pytest.mark.parametrize(
    ("addition", "behind"),
    [
        ("- Its flame is yellow.", "- It has a wick. [^a-1]"),
        ("- Cleaning takes an hour.", "vinegar. [^a-1]"),
        ("- The soot on a glass comes off with hot vinegar.", "vinegar. [^a-1]"),
        ("- Both wicks of the flames smoked when the lamp was new.", "- It has a wick. [^a-1]"),
        ("- A rejected design had a pump.", "both wicks smoked. [^a-1]"),
        ("Its light is warm.", OPENING),
        ("An oil lamp lights a room.", OPENING),
        ("| wick | width |\n|---|---|\n| flat | 1 cm |", "- It has a wick. [^a-1]"),
    ],
)
def test_an_addition_goes_where_its_matter_is(addition: str, behind: str) -> None:
    assert with_additions(page(), [addition]).partition(behind)[2].lstrip().startswith(addition)


def test_a_second_sentence_that_says_what_the_thing_is_goes_on_with_the_first() -> None:
    second = "A kerosene lamp is a lantern with a wick. [^b-1]"

    assert f"\n\n{OPENING}\n{second}\n\n- It has a wick." in with_additions(page(), [second])
    assert f"\n\n{second}\n" in with_additions(page(BODY.replace("oil. [", f"oil{' and more' * 90}. [")), [second])


def test_what_says_what_the_thing_is_becomes_the_opening_where_the_first_sentence_does_not() -> None:
    weak = page(BODY.replace(OPENING, "Miners carried oil lamps. [^a-1]"))

    changed = with_additions(weak, ["A kerosene lamp (or oil lamp) is a lamp with a wick."])

    assert changed.startswith("# Oil lamp\n\nA kerosene lamp (or oil lamp) is a lamp with a wick.\n\nMiners carried")


def test_a_heading_takes_what_is_behind_it_along() -> None:
    changed = with_additions(page(), ["- It is old.", "## Cleaning", "- It is easy.", "## Prices", "It costs 3 euros."])

    assert "- It has a wick. [^a-1]\n- It is old.\n" in changed
    assert "vinegar. [^a-1]\n- It is easy.\n" in changed
    assert "smoked. [^a-1]\n\n## Prices\n\nIt costs 3 euros.\n\n[^a-1]:" in changed


def test_a_page_without_headings_is_gone_on_with_at_its_end() -> None:
    assert with_additions(page("One.\n\n- Two.\n"), ["- Three."]) == "One.\n\n- Two.\n- Three.\n"


@given(
    st.lists(st.sampled_from(["- A wick.", "Soot and vinegar on glass.", "## Prices", "- x", "| a |\n|---|\n| b |"]))
)
def test_all_that_was_there_stays_in_its_order_and_all_that_is_added_is_there(additions: list[str]) -> None:
    changed = with_additions(page(), additions).splitlines()

    lines = iter(changed)
    assert all(line in lines for line in BODY.splitlines() if line)
    assert all(line in changed for addition in additions for line in addition.splitlines())


def test_code_stays_below_the_words_that_lead_to_it() -> None:
    shown = "An oil lamp is lit like this: [^1]\n\n```\nlight --oil\n```"
    item = "- It is put out like this. [^1]\n\n  ```\n  light --off\n  ```"

    body = with_additions(page(), [shown, "An oil lamp stands upright. [^1]", item])

    assert (
        f"{OPENING}\n\n{shown}\n\nAn oil lamp stands upright. [^1]\n\n- It has a wick. [^a-1]\n{item}\n\n## Cleaning"
        in body
    )


def test_a_lead_in_stays_with_its_own_list() -> None:
    lamp = Page("concepts/oil-lamp.md", f"{HEAD}\n# Oil lamp\n\n{OPENING}\n\n- It is warm. [^a-1]\n")

    body = with_additions(lamp, ["It needs: [^n-1]", "- a wick [^n-1]", "- a glass [^n-1]"])

    assert "- It is warm. [^a-1]\n\nIt needs: [^n-1]\n\n- a wick [^n-1]\n- a glass [^n-1]\n" in body
