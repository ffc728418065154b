from __future__ import annotations

import pytest

from curator.checks.rules.footnotes import citation_unproven
from support.changes import BREWED, GROWN, OLD_NOTE, PARTLY, PATH, TEA, change, codes, edited, fresh
from support.pages import page

TWO = page(
    "two",
    "Tea is a drink. [^old-1]\n\nTea is hot. [^old-2]\n\nTea is sold.\n\nTea is old.\n\n"
    f'{OLD_NOTE}\n[^old-2]: sources/old.txt#L2 "tea is hot when it is drunk"',
)


def noted(note: str, label: str = "oolong-1") -> set[str]:
    """What the wall says of a new page whose only claim has this footnote."""
    return codes(change([TEA], [fresh(f"Oolong is partly oxidised. [^{label}]\n\n{note}")]))


def test_a_footnote_that_quotes_the_source_proves_its_claim() -> None:
    assert noted(PARTLY) == set()


@pytest.mark.parametrize(
    ("piece", "new"),
    [
        ("Tea is a drink. [^old-1]", "Tea is a drink."),
        ("Tea is a drink. [^old-1]", "Tea is a drink. [^oolong-2]"),
        ("Tea is a drink. [^old-1]\n\nTea is hot. [^old-2]", "Tea is a drink. [^old-2]\n\nTea is hot. [^old-1]"),
        ("tea is hot when it is drunk", "tea is cold when it is drunk"),
        ("sources/old.txt#L2", "sources/old.txt#L3"),
        ("[^old-2]: sources", "[^old-3]: sources"),
        ('[^old-2]: sources/old.txt#L2 "tea is hot when it is drunk"', ""),
    ],
)
def test_no_citation_is_lost_or_changed(piece: str, new: str) -> None:
    made = edited(TWO, (piece, new), ("Tea is sold.", "Tea is sold.\n\nOolong grows. [^oolong-2]"), notes=GROWN)

    assert "citation_lost" in codes(change([TWO], [made]))


def test_a_claim_may_be_replaced_by_one_that_keeps_its_citation() -> None:
    made = edited(
        TWO,
        ("Tea is a drink. [^old-1]", "Tea is a drink, oolong one of Fujian. [^old-1] [^oolong-2]"),
        notes=GROWN,
    )

    assert codes(change([TWO], [made])) == set()


def test_an_old_claim_may_be_proven_once_more() -> None:
    old = page("two", f"Tea is a drink. [^old-1]\n\nOolong grows in Fujian. [^old-1]\n\n{OLD_NOTE}")
    made = edited(old, ("in Fujian. [^old-1]", "in Fujian. [^old-1] [^oolong-2]"), notes=GROWN)

    assert codes(change([old], [made])) == set()


def test_what_a_page_says_twice_keeps_the_citation_of_each_place() -> None:
    twice = TWO.body.replace("Tea is sold.", "Tea is hot. [^old-1]\n\nTea is sold.")
    old = TWO.with_body(twice)
    made = edited(old, ("Tea is sold.", "Tea is sold.\n\nOolong grows in Fujian. [^oolong-2]"), notes=GROWN)

    assert codes(change([old], [made])) == set()
    assert "citation_lost" in codes(change([old], [edited(made, ("Tea is hot. [^old-2]", "Tea is hot."))]))


def test_an_old_citation_proves_no_other_old_claim() -> None:
    made = edited(TWO, ("Tea is sold.", "Tea is sold. [^old-1]"))

    assert codes(change([TWO], [made])) == {"citation_unproven"}


@pytest.mark.parametrize("label", ["nowhere", "oolong-9", "old-1"])
def test_every_label_that_is_cited_is_defined(label: str) -> None:
    assert "citation_undefined" in codes(change([TEA], [fresh(f"Oolong is a tea. [^oolong-1] [^{label}]\n\n{PARTLY}")]))


def test_every_new_footnote_is_cited() -> None:
    assert codes(change([TEA], [fresh(f"Oolong is a tea. [^oolong-1]\n\n{PARTLY}\n{GROWN}")])) == {"note_unused"}


def test_faults_that_the_footnotes_had_before_do_not_matter() -> None:
    old = page(
        "old", 'Tea is a drink. [^gone] Tea is hot. [^free]\n\n[^free]: A free note.\n[^unused]: sources/x.txt#L1 "x"'
    )

    assert codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


@pytest.mark.parametrize(
    "note",
    [
        "[^oolong-1]: Oolong cures everything.",
        '[^oolong-1]: sources/oolong.txt "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/oolong.txt#L3 "Oolong is a tea that is partly oxidised" and cures everything',
        '[^oolong-1]: https://evil.example/#L3 "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/old.txt#L1 "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/oolong.txt#L3\n    "Oolong is a tea that is partly oxidised"',
        f'{PARTLY}\n[^oolong-1]: sources/oolong.txt#L4 "Oolong is grown in Fujian"',
        f'{PARTLY}\n[^OOLONG-1]: sources/oolong.txt#L4 "Oolong is grown in Fujian"',
    ],
)
def test_a_new_footnote_is_one_citation_of_the_source_and_nothing_else(note: str) -> None:
    assert "note_invalid" in noted(note)


@pytest.mark.parametrize(
    "note",
    [
        '[^oolong-1]: sources/oolong.txt#L3 "Oolong is a tea that is fully oxidised"',
        '[^oolong-1]: sources/oolong.txt#L4 "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/oolong.txt#p3 "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/oolong.txt#L99 "Oolong is a tea that is partly oxidised"',
        '[^oolong-1]: sources/oolong.txt#L3 "tea"',
        '[^oolong-1]: sources/oolong.txt#L3 "a"',
        '[^oolong-1]: sources/oolong.txt#L3 "..."',
        '[^oolong-1]: sources/oolong.txt#L3 "brewed with water of 95 degrees"',
    ],
)
def test_the_words_of_a_citation_are_where_it_says(note: str) -> None:
    assert "citation_unproven" in noted(note)


def test_a_citation_that_proves_nothing_is_told_with_its_words_and_why() -> None:
    made = fresh('Oolong is partly oxidised. [^oolong-1]\n\n[^oolong-1]: sources/oolong.txt#L3 "tea"')
    told = [each.message for each in citation_unproven(change([], [made]))]

    assert (
        "[^oolong-1]: 'tea' says too little to prove anything: quote the whole line, or the sentence around it" in told
    )


def test_words_over_two_lines_hold() -> None:
    quote = "for a map. A pot of oolong is brewed with water"

    assert noted(f'[^oolong-1]: {PATH}#L4-L5 "{quote}"') == {"claim_unsupported"}


def test_the_same_source_taken_in_again_is_proven_again() -> None:
    old = fresh(f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}")
    sound = old.with_body(old.body.replace("Oolong is partly", "It is partly"))
    stale = old.with_body(old.body.replace("\n[^oolong-1]:", "\nIt is brewed hot. [^oolong-1]\n\n[^oolong-1]:"))

    assert "citation_unproven" not in codes(change([old], [sound]))
    assert "citation_unproven" in codes(change([old], [stale], source_text="Oolong is a tea of another kind."))


def test_a_path_with_spaces_is_cited_as_written() -> None:
    note = BREWED.replace("sources/oolong.txt", "sources/my%20oolong.txt")
    new = fresh(f"Oolong is brewed. [^oolong-3]\n\n{note}", sources=["sources/my oolong.txt"])

    assert codes(change([TEA], [new], path="sources/my oolong.txt")) == set()
