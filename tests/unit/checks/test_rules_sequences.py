from __future__ import annotations

from support.changes import TEA, change, form_codes, fresh

STEPS = """Oolong notes

To brew oolong:

1. Heat the water to boiling.
2. Warm the pot with it.
3. Pour the water on the leaves.

Good company for oolong:

- almond biscuits
- dried plums

Scalding company for oolong:

- teacups of glass
  - of Bohemian make
- saucers

Bad company for oolong:

- strong cheese
- raw garlic

## Cold

- iced peaches
"""
NOTES = {
    "heat": (5, "Heat the water to boiling"),
    "warm": (6, "Warm the pot with it"),
    "pour": (7, "Pour the water on the leaves"),
    "good": (9, "Good company for oolong"),
    "plums": (12, "dried plums"),
    "scalding": (14, "Scalding company for oolong"),
    "glass": (16, "teacups of glass"),
    "make": (17, "of Bohemian make"),
    "bad": (20, "Bad company for oolong"),
    "cheese": (22, "strong cheese"),
    "iced": (27, "iced peaches"),
}


def said(body: str) -> set[str]:
    notes = "\n".join(
        f'[^{name}]: sources/oolong.txt#L{line} "{words}"'
        for name, (line, words) in NOTES.items()
        if f"[^{name}]" in body
    )
    return form_codes(change([TEA], [fresh(f"{body}\n\n{notes}")], source_text=STEPS))


def test_steps_stand_in_the_order_of_the_source() -> None:
    heat, warm, pour = (f"{name} it. [^{name}]" for name in ("heat", "warm", "pour"))

    assert "list_order" not in said(f"1. {heat}\n2. {warm}\n3. {pour}")
    assert "list_order" in said(f"1. {warm}\n2. {heat}\n3. {pour}")
    assert "list_order" not in said(f"- {warm}\n- {heat}\n- {pour}")


def test_a_few_words_stay_under_what_leads_to_them() -> None:
    assert "item_misled" not in said("Good company for oolong: [^good]\n\n- dried plums [^plums]")
    assert "item_misled" in said("Good company for oolong: [^good]\n\n- strong cheese [^cheese]")
    assert "item_misled" not in said("Good company for oolong: [^good]\n\n- strong cheese is bad for it [^cheese]")
    assert "item_misled" not in said("- strong cheese [^cheese]")
    assert "item_misled" in said("Good company for oolong: [^good]\n\n- strong cheese [^bad]")
    assert "item_misled" not in said("Bad company for oolong: [^bad]\n\n- strong cheese [^bad] [^cheese]")


def test_a_few_words_of_a_list_within_an_item_stay_under_what_leads_to_that() -> None:
    items = "- teacups of glass [^glass]\n  - of Bohemian make [^make]"

    assert "item_misled" not in said(f"Scalding company for oolong: [^scalding]\n\n{items}")
    assert "item_misled" in said(f"Good company for oolong: [^good]\n\n{items}")


def test_a_few_words_stay_under_their_heading() -> None:
    assert "item_misled" not in said("## Cold\n\n- iced peaches [^iced]")
    assert "item_misled" in said("## Cold\n\n- dried plums [^plums]")
    assert "item_misled" not in said("## Company\n\n- dried plums [^plums]")
