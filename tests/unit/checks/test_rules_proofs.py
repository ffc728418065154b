"""What was proven before stays proven: old citations, title lines, leads of disputes, summaries of other sources."""

from __future__ import annotations

import pytest

from support.changes import GROWN, PATH, TEA, change, codes, edited
from support.pages import page

KETTLE = "Water is boiled in a kettle. [^old-1]"


def after(passage: str, text: str) -> set[str]:
    """The codes for ``text`` in the place of a passage of TEA, whose new words cite the source for Fujian."""
    return codes(change([TEA], [edited(TEA, (passage, text), notes=GROWN)]))


@pytest.mark.parametrize(
    "text",
    [
        "Oolong is grown in Fujian. [^oolong-2] [^old-1]",
        "Water is not boiled in a kettle. [^oolong-2] [^old-1]",
        "Nobody boils water in a kettle. [^oolong-2] [^old-1]",
        "Nothing is known of water in a kettle. [^oolong-2] [^old-1]",
        "Water may be boiled in a kettle. [^oolong-2] [^old-1]",
    ],
)
def test_what_keeps_a_mark_keeps_what_it_proves(text: str) -> None:
    assert "proof_changed" in after(KETTLE, text)


@pytest.mark.parametrize(
    "text",
    [
        "Water is boiled in a kettle in Fujian. [^oolong-2] [^old-1]",
        "Oolong is grown in Fujian. Water is boiled in a kettle. [^oolong-2] [^old-1]",
        "Oolong is grown in Fujian. [^oolong-2]\n\nWater is boiled in a kettle. [^old-1]",
    ],
)
def test_words_may_be_added_to_what_is_proven(text: str) -> None:
    assert after(KETTLE, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        f"## Refuted ideas\n\n{KETTLE}",
        f"Oolong is grown in Fujian. [^oolong-2]\n\n## Refuted ideas\n\n{KETTLE}",
        "## Refuted ideas\n\nWater is boiled in a kettle in Fujian. [^oolong-2] [^old-1]",
    ],
)
def test_a_heading_says_something_of_what_stands_under_it(text: str) -> None:
    assert "proof_changed" in after(KETTLE, text)


def test_two_items_may_become_one() -> None:
    others = "\n".join(f"- Tea has a leaf of kind {n}." for n in range(5))
    old = page("tea", f"{others}\n- Black tea is hot. [^old-1]\n- Green tea is mild. [^old-2]\n\n{_notes()}")
    both = "- Black tea is hot; green tea is mild, and oolong is grown in Fujian. [^old-1] [^old-2] [^oolong-2]"

    made = edited(old, ("- Black tea is hot. [^old-1]\n- Green tea is mild. [^old-2]", both), notes=GROWN)

    assert codes(change([old], [made])) == set()


def test_a_statement_does_not_go_while_its_citation_stands_elsewhere() -> None:
    assert "proof_changed" in after(f"{KETTLE}\n\n", "Oolong is grown in Fujian. [^oolong-2]\n\n")


def test_a_new_statement_borrows_no_citation() -> None:
    made = edited(TEA, add="Oolong is grown in Fujian. [^oolong-2] [^old-1]", notes=GROWN)

    assert codes(change([TEA], [made])) == {"proof_changed"}


def test_what_the_source_itself_said_may_be_reworded() -> None:
    old = edited(TEA, add="Oolong is grown in China. [^oolong-2]", notes=GROWN)

    made = edited(old, ("Oolong is grown in China.", "Oolong is grown in Fujian.")).with_fields(
        sources=list(old.sources)
    )

    assert codes(change([old], [made])) == set()


def test_a_link_of_a_kept_statement_leads_where_it_led() -> None:
    pages = [page(name, "It is hot.") for name in ("kettle", "pot")]
    old = TEA.with_body(TEA.body.replace("in a kettle", "in a [[kettle|vessel]]"))

    made = edited(old, ("[[kettle|vessel]]", "[[pot|vessel]]"))

    assert "proof_changed" in codes(change([old, *pages], [made]))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("# The moon", "title_changed"),
        ("", "title_changed"),
        ("Oolong is grown in Fujian. [^oolong-2]", "title_changed"),
    ],
)
def test_the_title_line_stays(line: str, wanted: str) -> None:
    assert wanted in after("# Tea", line)


def test_what_earlier_ingests_took_away_counts() -> None:
    made = edited(TEA, (KETTLE, "Water in Fujian is boiled in a kettle. [^oolong-2] [^old-1]"), notes=GROWN)

    assert codes(change([TEA], [made])) == set()
    assert codes(change([TEA], [made], worn={TEA.path: frozenset({"tea is cold", "tea is hot"})})) == {
        "statements_lost"
    }


@pytest.mark.parametrize(
    "lead",
    ["Earlier:", "Contradicted:", "Sources disagree; another says:", "Another source, now outweighed:", "earlier:"],
)
def test_the_lead_of_a_dispute_is_not_forged(lead: str) -> None:
    assert "lead_forged" in after(KETTLE, f"{lead} {KETTLE}")
    assert "lead_forged" in after(KETTLE, f"{KETTLE}\n\n{lead} Oolong is grown in Fujian. [^oolong-2]")


def test_a_lead_stands_where_a_dispute_put_it() -> None:
    made = edited(TEA, (KETTLE, f"Oolong is grown in Fujian. [^oolong-2]\n\nEarlier: {KETTLE}"), notes=GROWN)

    assert codes(change([TEA], [made], settled={TEA.path: frozenset({"water is boiled in a kettle"})})) == set()


def test_the_summary_of_another_source_is_not_reworded() -> None:
    old = page("old", f"Tea is a drink. [^old-1]\n\n{_notes()}", kind="summary")
    grown = edited(old, add="Oolong is grown in Fujian. [^oolong-2]", notes=GROWN)
    linked = edited(old, add="- [[tea]]", sources=["sources/old.txt"])
    own = old.with_fields(sources=[PATH])

    assert codes(change([old], [grown])) == {"summary_reworded"}
    assert codes(change([old, TEA], [linked])) == set()
    assert (
        codes(change([own], [edited(own, add="Oolong is grown in Fujian. [^oolong-2]", notes=GROWN, sources=[PATH])]))
        == set()
    )


def _notes() -> str:
    return '[^old-1]: sources/old.txt#L1 "black tea is hot"\n[^old-2]: sources/old.txt#L2 "green tea is mild"'


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("Water is boiled in a kettle of copper", set()),
        ("Much water is sold in spring", {"proof_added"}),
        ("The shop was closed in spring", {"claim_unsupported"}),
    ],
)
def test_a_statement_gets_another_proof_where_what_is_quoted_says_half_of_it(quoted: str, found: set[str]) -> None:
    note = f'[^oolong-1]: {PATH}#L1 "{quoted}"'
    made = edited(TEA, (KETTLE, f"{KETTLE} [^oolong-1]"), notes=note)

    assert codes(change([TEA], [made], source_text=f"{quoted}. A kettle is boiled, too.\n")) == found
