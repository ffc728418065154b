from __future__ import annotations

import pytest

from curator.wiki.workspace.workspace import CurationPolicy
from support.changes import BREWED, GROWN, OOLONG, PARTLY, TEA, change, codes, edited, fresh
from support.pages import page

CITED = "Oolong is partly oxidised. [^oolong-1]"


def said(body: str, policy: CurationPolicy | None = None) -> set[str]:
    """What the wall says of a new page with ``body`` below a sound claim."""
    return codes(change([TEA], [fresh(f"{CITED}\n\n{body}\n\n{PARTLY}")], policy=policy))


@pytest.mark.parametrize(
    "body",
    [
        "The moon is made of cheese.",
        "- Oolong is a tea. [^oolong-1]\n- The moon is made of cheese.",
        "- Oolong is a tea. [^oolong-1]\n  - The moon is made of cheese.",
        "- Oolong is a tea. [^oolong-1]\n\n  The moon is made of cheese.",
        "1. The moon is made of cheese.",
        "> The moon is made of cheese.",
        "> [!note]- Look\n> The moon is made of cheese.",
        "| a | b |\n|---|---|\n| tea [^oolong-1] | x |\n| moon | cheese |",
        "- [ ] The moon is made of cheese.",
        "The moon is made of cheese.[^oolong-1",
        "The moon is made of cheese. `[^oolong-1]`",
        "The moon is made of cheese. \\[^oolong-1]",
        "See also: the moon is made of cheese, [[tea]].",
        "[[tea|The moon is made of cheese]]",
        "- [[tea|The moon is made of cheese]]",
        "[The moon is made of cheese](tea.md)",
        "[The moon is made of cheese](https://tea.example.org/oolong?lang=en)",
        "$\\text{The moon is made of cheese}$",
    ],
)
def test_a_claim_that_cites_nothing_is_refused(body: str) -> None:
    assert "claim_uncited" in said(body)


@pytest.mark.parametrize(
    "body",
    [
        "Oolong is a tea. [^oolong-1]",
        "- Oolong is a tea. [^oolong-1]\n  - It is oxidised. [^oolong-1]\n\n    Partly so. [^oolong-1]",
        "> Oolong is a tea. [^oolong-1]",
        "| a | b |\n|---|---|\n| tea | x [^oolong-1] |",
        "See also: [[tea]]",
        "- [[tea|Tea]]\n- [[tea|the tea]]\n- [tea](tea.md)",
        "---",
        "## A section\n\nOolong is a tea. [^oolong-1]",
    ],
)
def test_a_page_on_which_all_is_cited_may_land(body: str) -> None:
    assert said(body) == set()


def test_old_claims_need_no_citation() -> None:
    assert codes(change([TEA], [edited(TEA, add="Oolong grows in Fujian. [^oolong-2]", notes=GROWN)])) == set()


def test_an_old_claim_may_say_that_it_is_the_earlier_one() -> None:
    pair = "Oolong is grown in Fujian. [^oolong-2]\n\nEarlier: Tea is sold loose and in bags."

    made = edited(TEA, ("Tea is sold loose and in bags.", pair), notes=GROWN)

    assert codes(change([TEA], [made], settled={TEA.path: frozenset({"tea is sold loose and in bags"})})) == set()
    assert "claim_uncited" in codes(change([TEA], [edited(TEA, add="Earlier: the moon is made of cheese.")]))


def test_cells_that_change_places_are_a_new_row() -> None:
    swapped = edited(TEA, ("| green | pale |", "| greenp | ale |"))

    assert "claim_uncited" in codes(change([TEA], [swapped]))


@pytest.mark.parametrize("grounding", ["recommended", "none"])
def test_where_grounding_is_not_required_a_claim_may_stand_alone(grounding: str) -> None:
    assert said("The moon is made of cheese.", CurationPolicy(grounding=grounding)) == set()


@pytest.mark.parametrize("grounding", ["required", "recommended", "none"])
def test_a_false_citation_is_refused_whatever_the_grounding(grounding: str) -> None:
    note = '[^oolong-9]: sources/oolong.txt#L3 "the moon is made of cheese"'

    assert "citation_unproven" in said(
        f"The moon is cheese. [^oolong-9]\n\n{note}", CurationPolicy(grounding=grounding)
    )


def test_a_citation_of_another_source_proves_nothing_new() -> None:
    new = edited(TEA, add="The moon is made of cheese. [^old-1]")

    assert codes(change([TEA], [new])) == {"claim_uncited", "proof_changed"}


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Oolong is brewed at 95 degrees. [^oolong-3]", {"claim_unsupported"}),
        ("Oolong is brewed at 90 degrees. [^oolong-1]", {"claim_unsupported"}),
        ("Oolong is brewed at 90 degrees. [^oolong-3]", set()),
        ("Oolong 2.0 is a tea. [^oolong-1]", {"claim_unsupported"}),
        ("| a | b |\n|---|---|\n| 90 degrees | 3 minutes [^oolong-3] |", set()),
        ("| a | b |\n|---|---|\n| 9 | 03 [^oolong-3] |", {"claim_unsupported"}),
        ("7. Oolong is a tea. [^oolong-1]", set()),
    ],
)
def test_the_numbers_of_a_claim_are_in_the_source(claim: str, wanted: set[str]) -> None:
    assert said(f"{claim}\n\n{BREWED}" if "oolong-3" in claim else claim) == wanted


@pytest.mark.parametrize(
    "claim",
    [
        "Oolong is not oxidised.",
        "Oolong is grown in Fujian.",
        "Oolong is always partly oxidised, and cures the flu.",
        "- Oolong was invented by Lu Yu.",
        "| tea | is |\n|---|---|\n| oolong | a harmless butterfly |",
        "> [[tea|Oolong]] cures the flu.",
        "[[tea|Tea]] cures the flu of sailors.",
    ],
)
def test_a_claim_says_what_its_words_say(claim: str) -> None:
    marked = claim[:-2] + " [^oolong-1] |" if claim.startswith("|") else f"{claim} [^oolong-1]"

    assert "claim_unsupported" in said(marked)


def test_one_quote_does_not_carry_any_number_of_claims() -> None:
    words = "oolong tea that is partly oxidised before it is fired".split()
    rows = [f"| {' '.join(words[n % 9 :])} | {' '.join(words[: 1 + n // 9])} [^oolong-1] |" for n in range(40)]
    few = "Oolong is a tea. [^oolong-1]\n\nOolong is oxidised in part. [^oolong-1]\n\nIt is fired later. [^oolong-1]"

    assert "quote_stretched" in said("| a | b |\n|---|---|\n" + "\n".join(rows))
    assert "quote_stretched" not in said(few)


def test_what_is_quoted_in_english_is_said_in_english_in_an_english_wiki() -> None:
    german = page("tee", "Tee ist ein Getränk, und er wird aus den Blättern der Pflanze gemacht.")
    new = fresh(f"Oolong ist ein Schmetterling und heilt die kranken Völker. [^oolong-1]\n\n{PARTLY}")

    assert "claim_unsupported" in codes(change([TEA], [new]))
    assert "claim_unsupported" not in codes(change([german], [new]))


def test_small_words_of_another_language_do_not_switch_the_judge_off() -> None:
    assert "claim_unsupported" in said("Oolong cures the flu of sailors, und der von den. [^oolong-1]")
    assert "claim_unsupported" in said("Oolong cures sick sailors und der von den. [^oolong-1]")


def test_a_mark_put_behind_an_old_claim_has_to_bear_it_out() -> None:
    old = "Tea is sold loose and in bags."

    made = change([TEA], [edited(TEA, (old, f"{old} [^oolong-2]"), notes=GROWN)])

    assert codes(made) == {"claim_unsupported"}


def test_what_takes_the_place_of_a_claim_may_repeat_it_and_still_has_to_be_borne_out() -> None:
    green = "- Green tea takes 80 degrees"

    longer = edited(TEA, (f"{green}.", f"{green}, oolong 90. [^oolong-3]"), notes=BREWED)
    other = edited(TEA, (f"{green}.", f"{green}! [^oolong-2]"), notes=GROWN)

    assert codes(change([TEA], [longer])) == set()
    assert codes(change([TEA], [other])) == {"claim_unsupported"}


def test_a_number_that_was_on_the_page_may_stay() -> None:
    swap = ("- Green tea takes 80 degrees.", "- Green tea takes 80 degrees, oolong 90. [^oolong-3]")

    assert codes(change([TEA], [edited(TEA, swap, notes=BREWED)])) == set()


@pytest.mark.parametrize(
    "heading",
    [
        "Oolong cures 95 of all ills",
        "Oolong, which is a tea that grows on the moon, is made of the best cheese",
        "x" * 81,
        "95",
    ],
)
def test_a_heading_labels_and_states_nothing(heading: str) -> None:
    assert "label_claims" in said(f"## {heading}\n\n{CITED}")
    assert "label_claims" in said(f"| {heading} | b |\n|---|---|\n| tea | x [^oolong-1] |")


def test_a_heading_of_the_source_may_be_long() -> None:
    heading = "My leaves have been in the water for 95 minutes, can I still drink what has become of it?"
    page = fresh(f"{CITED}\n\n## {heading}\n\n{PARTLY}")

    found = codes(change([TEA], [page], source_text=f"{OOLONG}\n\n{heading}\n{'=' * len(heading)}\n\nNo."))

    assert "label_claims" not in found


@pytest.mark.parametrize("heading", ["How it is made", "1. Making", "2.3 Making", "Water of 90 degrees", "Oolong"])
def test_a_heading_may_label(heading: str) -> None:
    assert said(f"## {heading}\n\n{CITED}") == set()


@pytest.mark.parametrize(
    "cell", ["[[pep-0440\\|Tea]]", "[Tea](../concepts/a-very-long-name-of-a-page-on-tea-and-440.md)"]
)
def test_a_linked_table_head_says_what_its_words_say(cell: str) -> None:
    assert "label_claims" not in said(f"| {cell} | b |\n|---|---|\n| tea | x [^oolong-1] |")
    assert "label_claims" in said(f"| {cell} of 1842 | b |\n|---|---|\n| tea | x [^oolong-1] |")


@pytest.mark.parametrize(
    "heading",
    ["# Another title", "Oolong is a tea\n===", "Oolong is a tea\n---", "Oolong is\na tea\n---", "> # Quoted"],
)
def test_a_heading_is_written_as_one(heading: str) -> None:
    assert "heading_form" in said(f"{heading}\n\n{CITED}")


def test_the_title_of_an_old_page_stays_the_only_one() -> None:
    assert "heading_form" in codes(change([TEA], [edited(TEA, add=f"# Another\n\n{CITED}", notes=PARTLY)]))


def test_a_table_that_is_all_head_is_refused() -> None:
    assert said("| The moon is | made of cheese |\n|---|---|") == {"table_empty", "label_unknown"}
    old = page("old", "| a | b |\n|---|---|\n\nTea is a drink.")
    assert codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


@pytest.mark.parametrize("piece", ["| --- | --- |\n", "| kind | colour |\n"])
def test_the_rows_of_a_table_stay_rows(piece: str) -> None:
    swapped = edited(TEA, (piece, ""), add="Oolong grows in Fujian. [^oolong-2]", notes=GROWN)

    assert "table_broken" in codes(change([TEA], [swapped]))


def test_a_row_may_be_replaced() -> None:
    swap = ("| green | pale |", "| oolong | amber [^oolong-2] |")

    assert codes(change([TEA], [edited(TEA, swap, notes=GROWN)])) == set()
