from __future__ import annotations

import pytest

from curator.wiki.pages.page import Page
from curator.wiki.workspace.workspace import CurationPolicy
from support.changes import BREWED, GROWN, OLD_NOTE, PARTLY, TEA, change, codes, edited, fresh
from support.pages import page

ANY_NAME = CurationPolicy(grounding="recommended")

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"
LONG = page("long", "\n\n".join(f"Tea is a drink, part {n}. [^old-1]" for n in range(200)) + f"\n\n{OLD_NOTE}")


def without(old: Page, first: int, last: int) -> Page:
    """``old`` with some of its paragraphs replaced by one that is cited."""
    cut = old.body[
        old.body.index(f"part {first}.") - 16 : old.body.index(f"part {last}. [^old-1]") + len(f"part {last}. [^old-1]")
    ]
    return edited(old, (cut, "Oolong grows in Fujian. [^oolong-2]"), notes=GROWN)


def test_one_source_changes_at_most_forty_pages() -> None:
    names = [f"oolong-{letter}{other}" for letter in "abcde" for other in "abcdefghi"]

    assert codes(change([TEA], [fresh(SAID, name) for name in names[:40]], policy=ANY_NAME)) == set()
    assert codes(change([TEA], [fresh(SAID, name) for name in names[:41]], policy=ANY_NAME)) == {"too_many_pages"}


def test_a_page_may_not_be_larger_than_64_kilobytes() -> None:
    lines = "\n".join("- Oolong is partly oxidised. [^oolong-1]" for _ in range(1700))

    assert codes(change([TEA], [fresh(f"{lines}\n\n{PARTLY}")])) == {"page_too_large"}


def test_a_page_that_was_too_large_before_may_change_but_not_grow() -> None:
    huge = page("huge", "\n\n".join("Tea is a drink, a drink, a drink." for _ in range(2000)))
    swap = ("Tea is a drink, a drink, a drink.\n\n" * 10, "Oolong grows in Fujian. [^oolong-2]\n\n")

    assert codes(change([huge], [edited(huge, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == {"page_too_large"}
    assert codes(change([huge], [edited(huge, swap, notes=GROWN)])) == set()


def test_all_pages_together_add_at_most_256_kilobytes() -> None:
    lines = "\n".join("- Oolong is partly oxidised. [^oolong-1]" for _ in range(1400))
    several = [fresh(f"{lines}\n\n{PARTLY}", f"oolong-{letter}") for letter in "abcde"]

    assert codes(change([TEA], several, policy=ANY_NAME)) == {"plan_too_large"}


@pytest.mark.parametrize(("first", "last"), [(0, 199), (0, 60), (10, 51)])
def test_an_edit_that_takes_away_too_much_is_refused(first: int, last: int) -> None:
    assert "page_shrinks" in codes(change([LONG], [without(LONG, first, last)]))


def test_an_edit_may_take_away_a_little() -> None:
    assert "page_shrinks" not in codes(change([LONG], [without(LONG, 10, 12)]))


def test_half_of_a_page_may_not_go() -> None:
    gone = TEA.body[TEA.body.index("- Black") : TEA.body.index("Tea is sold")]

    assert "page_shrinks" in codes(change([TEA], [edited(TEA, (gone, ""))]))


def test_the_only_paragraph_of_a_page_may_not_be_replaced() -> None:
    short = page("short", f"Tea is a drink. [^old-1]\n\n{OLD_NOTE}")
    swap = ("Tea is a drink. [^old-1]", "Tea is a drink of Fujian. [^old-1] [^oolong-2]")

    assert codes(change([short], [edited(short, swap, notes=GROWN)])) == {"page_shrinks"}


def test_a_moved_line_counts_as_taken_away() -> None:
    lines = LONG.body.split("\n\n")
    moved = LONG.with_body("\n\n".join([lines[0], *lines[101:201], *lines[1:101], *lines[201:]]))

    assert "page_shrinks" in codes(change([LONG], [edited(moved)]))


def test_an_outweighed_claim_is_not_taken_away() -> None:
    old = "Water is boiled in a kettle. [^old-1]"
    pair = f"Water is heated to 90 degrees. [^oolong-3]\n\nEarlier: {old}"

    settled = {TEA.path: frozenset({"water is boiled in a kettle"})}

    assert codes(change([TEA], [edited(TEA, (old, pair), notes=BREWED)], settled=settled)) == set()


@pytest.mark.parametrize("body", ["", "x", "## A heading\n\n## Another", "- ", "***", "[^oolong-1]"])
def test_a_page_that_says_nothing_is_refused(body: str) -> None:
    assert "body_empty" in codes(change([TEA], [fresh(body)]))
    assert "body_empty" in codes(change([TEA], [edited(TEA.with_body(body))]))


def test_a_page_that_said_nothing_before_does_not_stop_its_relations() -> None:
    empty = page("empty")
    other = page("other", "Tea is a drink.")
    pair = [empty.with_fields(contradicts=["other"]), other.with_fields(contradicts=["empty"])]

    assert codes(change([empty, other], pair)) == set()


HUMAN = page(
    "notes",
    "Tea is a drink. [^old-1]\n\n<!-- human -->\nMy own words.\nTwo lines of them.\n<!-- /human -->\n\nMore of tea.\n\n"
    f"## Section\n\n<!-- human -->\nAll of this section is mine.\n\n## Next\n\nFree again.\n\n{OLD_NOTE}",
)


@pytest.mark.parametrize(
    ("piece", "new"),
    [
        ("My own words.", "Our own words."),
        ("My own words.\nTwo", "My own words. \nTwo"),
        ("<!-- human -->\nMy", "My"),
        ("<!-- /human -->\n", ""),
        ("Two lines of them.", "Two lines of them.\n\nOolong grows in Fujian. [^oolong-2]"),
        ("All of this section is mine.", "All of this section is mine.\n\nOolong grows in Fujian. [^oolong-2]"),
        ("All of this section is mine.\n\n", ""),
    ],
)
def test_what_its_user_has_marked_stays_byte_for_byte(piece: str, new: str) -> None:
    assert "human_block" in codes(change([HUMAN], [edited(HUMAN, (piece, new), notes=GROWN)]))


@pytest.mark.parametrize("piece", ["More of tea.", "Free again."])
def test_beside_what_its_user_has_marked_a_page_may_grow(piece: str) -> None:
    new = edited(HUMAN, (piece, f"{piece}\n\nOolong grows in Fujian. [^oolong-2]"), notes=GROWN)

    assert codes(change([HUMAN], [new])) == set()


def test_a_line_has_an_end() -> None:
    assert "line_too_long" in codes(change([TEA], [fresh("Oolong " * 700 + f"[^oolong-1]\n\n{PARTLY}")]))


def test_long_lines_that_were_there_do_not_matter() -> None:
    old = page("wide", "Tea " * 2000 + "\n\nTea is a drink.")

    assert codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()
