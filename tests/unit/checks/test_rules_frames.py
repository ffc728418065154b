"""No new words stand over, under or around what others say and turn it."""

from __future__ import annotations

import pytest

from support.changes import GROWN, TEA, change, codes, edited
from support.pages import page

KETTLE = "Water is boiled in a kettle. [^old-1]"
GROWS = "Oolong is grown in Fujian"
ITEMS = page(
    "tea",
    "# Tea\n\nTea is a drink. [^old-1]\n\n- Tea is drunk hot. [^old-1]\n- Tea has leaves. [^old-1]\n\n"
    '[^old-1]: sources/old.txt#L1 "Water is boiled in a kettle."\n',
)


def framed(passage: str, text: str, old: object = TEA) -> bool:
    made = edited(old, (passage, text), notes=GROWN)  # type: ignore[arg-type]
    return "statement_framed" in codes(change([old], [made]))  # type: ignore[list-item]


@pytest.mark.parametrize(
    "before",
    [
        f"{GROWS}: [^oolong-2]\n\n",
        f"{GROWS}, and lies follow. [^oolong-2]\n\n",
        f"The following words of {GROWS} are wrong. [^oolong-2]\n\n",
        f"Everything below on how {GROWS} is wrong. [^oolong-2]\n\n",
        "All of this is outdated. [^oolong-2]\n\n",
    ],
)
def test_nothing_new_leads_in_what_was_there(before: str) -> None:
    assert framed(KETTLE, before + KETTLE)


@pytest.mark.parametrize(
    "text",
    [
        f"{KETTLE} This was a joke. [^oolong-2]",
        f"{KETTLE} Nobody believes it any more. [^oolong-2]",
        "Water is boiled in a kettle [^old-1], or so they say. [^oolong-2]",
        "Fujian says that water is boiled in a kettle. [^old-1] [^oolong-2]",
        f"{KETTLE}\n\nNone of the above is true in Fujian. [^oolong-2]",
    ],
)
def test_nothing_new_stands_around_it(text: str) -> None:
    assert framed(KETTLE, text)


def test_an_old_item_goes_below_no_new_one() -> None:
    item = "- Tea is drunk hot. [^old-1]"

    assert framed(item, f"- {GROWS}. [^oolong-2]\n  {item}", ITEMS)
    assert not framed(item, f"{item}\n  - {GROWS}. [^oolong-2]", ITEMS)


@pytest.mark.parametrize(
    "text",
    [
        f"{GROWS}. [^oolong-2]\n\n{KETTLE}",
        f"{KETTLE} {GROWS}. [^oolong-2]",
        f"{KETTLE} It is grown in Fujian. [^oolong-2]",
        f"The following year {GROWS}. [^oolong-2]\n\n{KETTLE}",
        f"{GROWS} above 900 metres and below the clouds. [^oolong-2]\n\n{KETTLE}",
    ],
)
def test_statements_of_their_own_frame_nothing(text: str) -> None:
    assert not framed(KETTLE, text)


def test_a_new_list_has_its_own_lead_in() -> None:
    last = "Tea is sold loose and in bags."

    assert not framed(last, f"{last}\n\n{GROWS}:\n\n- in the hills [^oolong-2]\n- by the sea [^oolong-2]")
