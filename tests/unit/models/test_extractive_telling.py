"""What the built-in curator tells a sentence with, and which things it gives a page, with which opening."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.models.extractive import summary, telling
from curator.models.extractive.parsing.lists import read_lists
from curator.models.extractive.reading import SourceReading
from curator.models.proposal import Add, Create, Dispute
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source, SourceHead
from support.built_in import pages, proposed, reading, told
from support.pages import page


def texts(op: Add) -> list[str]:
    return [claim.text for claim in op.body]


def told_with_pages(text: str) -> str:
    """The summary of ``text`` beside the pages of things that are made of it."""
    (summary_page,) = (op for op in proposed(text) if isinstance(op, Create) and op.kind == "summary")
    return "\n".join(claim.text for claim in summary_page.body)


LAMP = "# The lamp\n\nThe lamp of Arne is lit by its keeper every night of the year.\n\n## Light\n\n"


@pytest.mark.parametrize(
    ("text", "sentence", "partner"),
    [
        ("The lens looks white to most visitors. But the light that it throws is yellow.", "looks white", "is yellow"),
        ("The wick is trimmed each morning. However, in fog nobody trims the wick.", "trimmed each", "in fog"),
        ("The oil freezes below minus ten degrees. Therefore the keeper warms the tank.", "warms the tank", "freezes"),
    ],
)
def test_a_contrast_and_a_reason_are_told_with_what_they_belong_to(text: str, sentence: str, partner: str) -> None:
    (line,) = (line for line in told(LAMP + text).split("\n") if sentence in line)

    assert partner in line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The lens has ten rings. In this case the count is written twice. A reader must scan all rings by hand.",
            "The lens has ten rings. In this case the count is written twice. A reader must scan all rings by hand.",
        ),
    ],
)
def test_what_points_back_is_told_with_what_it_points_to(text: str, said: str) -> None:
    assert said in told(LAMP + text)


def test_items_are_told_with_the_words_that_they_go_on_with() -> None:
    said = told(
        LAMP
        + "The keeper\n\n- lights the lamp when the sun is down,\n- keeps the wick book, and\n- may sleep by day.\n"
    )

    assert "- The keeper\n  - lights the lamp" in said


def test_an_item_may_go_on_at_the_margin() -> None:
    text = (
        "The lamp is tended in these ways by its keeper:\n\n* The wick is trimmed each morning with\nthe small knife.\n"
        "  * On Sundays nobody trims it before\n  the bell.\n* The oil is poured from the can in which it came\n"
        "over the sea.\n* The lens is wiped.\n\nThe keeper sleeps by day in the small house.\n* No star begins here.\n"
    )
    found = told(LAMP + text)

    assert (
        "  - The wick is trimmed each morning with the small knife.\n"
        "    - On Sundays nobody trims it before the bell.\n"
        "  - The oil is poured from the can in which it came over the sea.\n"
        "  - The lens is wiped."
    ) in found
    assert "\n- No star" not in found


def test_a_list_right_below_a_paragraph_is_told_under_its_last_sentence() -> None:
    text = (
        "**Wick book**: the keeper writes in it. A new book is begun each spring.\n"
        "- Having a book ensures that no wick is trimmed twice in one night by the two keepers.\n"
        "- This also makes the count of the oil easier for the keeper.\n"
    )

    assert (
        "A new book is begun each spring.\n  - Having a book ensures that no wick is trimmed twice in one night by the "
        "two keepers.\n  - This also makes the count of the oil easier for the keeper."
    ) in told(LAMP + text)


def test_a_name_is_told_with_what_is_nested_in_it() -> None:
    text = (
        "* Your House’s Keeper (Arne, Berit or Clas)\n  * In Part F, enter the name (box 1) and the title (box 2)\n"
        "* Harbour Master (Dorte Egge)\n  * In Part G, enter the name (box 1a) and the title (box 1b)\n"
    )

    assert (
        "- Your House’s Keeper (Arne, Berit or Clas)\n  - In Part F, enter the name (box 1) and the title (box 2)\n"
        "- Harbour Master (Dorte Egge)\n  - In Part G, enter the name (box 1a) and the title (box 1b)"
    ) in told(LAMP + text)


def test_a_condition_is_told_with_what_its_item_goes_on_with() -> None:
    text = (
        "1. If the oil of the lamp is above the mark:\n\nThe keeper pours it off, and writes the hour in the book.\n\n"
        "2. If the oil of the lamp is below the mark:\n\nThe keeper fills the can. The can must be dry.\n\n"
        "The keeper may sleep by day in the small house.\n"
    )

    assert (
        "1. If the oil of the lamp is above the mark: The keeper pours it off, and writes the hour in the book.\n"
        "2. If the oil of the lamp is below the mark: The keeper fills the can. The can must be dry.\n"
    ) in told(LAMP + text)
    assert "\nThe keeper may sleep by day in the small house." in told(LAMP + text)


def test_steps_of_which_one_says_this_are_told_with_their_numbers() -> None:
    text = (
        "1. Submit [this form](https://a.example/form) to ask for a new wick.\n"
        "2. Wait for the boat that brings the wick.\n"
    )

    assert "1. Submit this form to ask for a new wick.\n2. Wait for the boat" in told(LAMP + text)


@pytest.mark.parametrize("address", ["#the-{}", "{{{{site.baseurl}}}}/lamp/#the-{}", ""])
def test_a_menu_is_no_list(address: str) -> None:
    text = "".join(
        f"* [A keeper who is moving to the {place} tower]({address.format(place)})\n" for place in ("north", "south")
    )

    assert "A keeper who is moving" in told(LAMP + text.replace(")\n", ") writes a letter to the harbour.\n"))
    assert "A keeper who is moving" not in told(LAMP + text)
    assert "A keeper who is moving" in told(LAMP + "A letter to the harbour is written by:\n\n" + text)


def test_lists_that_begin_alike_are_told_each() -> None:
    text = "".join(
        f"## The {part}\n\n- Format: one line\n- Book: page of the {part} of the lamp\n- Names\n\n  - Arne: `{part}-a`\n"
        f"  - Berit: `{part}-b`\n\n"
        for part in ("wick", "lens")
    )

    assert all(
        f"- Names\n  - Arne: `{part}-a`\n  - Berit: `{part}-b`" in told(LAMP + text) for part in ("wick", "lens")
    )


def test_words_around_what_a_template_would_have_put_there_are_not_told() -> None:
    text = (
        "The keeper of the lamp is paid in spring. For help with the lamp of Arne, go to  or ask the harbour master.\n\n"
        "The oil of the lamp is ordered by writing to the office at . It comes by boat.\n"
    )

    assert "ask the harbour master" not in told(LAMP + text)
    assert "ordered by writing to the office. It comes by boat." in told(LAMP + text)


def test_steps_with_a_paragraph_between_them_are_one_list() -> None:
    text = (
        "# Ovens\n\nAn oven is heated by the baker in the morning in these two steps:\n\n"
        "1. oven login --room=my-oven\n\n"
        "   This only needs to be done once a year by the baker of the house.\n\n2. oven heat --room=my-oven\n\n"
        "Instead of always passing the room, a default room may be set in the settings file of the oven.\n"
    )
    (steps,) = read_lists(reading(text, "html").sentences)

    assert [item.sentences[0].plain for item in steps.items] == [
        "oven login --room=my-oven",
        "oven heat --room=my-oven",
    ]
    assert "\nInstead of always passing the room, a default room may be set" in told(text, "html")


def test_a_list_of_names_in_two_columns_is_no_table_of_properties() -> None:
    assert "Wick: oil" not in told(LAMP + "|  |  |\n|---|---|\n| wick | oil |\n| lens | mirror |\n| door | hood |\n")


ASCIIDOC = """\
lamp(5)

Lamps
-----
A lamp is a light, see linkgit:light[5] and link:#Wick[the wick]. +
It is _not_ a fire.

The keeper checks the lamp each evening:

* the oil is at the mark,
  or above it, and
* the glass is clean, so that
** no soot is on it, and
** no crack runs through it.

`keeper` name:: The *person* who lights the lamp each evening.

....
FLAME
	rows of the layout stand here.
....

  S: 200 the lamp is lit

Buying lamps
------------
The office buys lamps in spring.

Wear
----
A lamp wears out after nine years of use.

Lending lamps
-------------
The office lends lamps in winter.

Wear
----
A lent lamp wears out after two years of use.
"""


def test_asciidoc_is_read_as_such_whatever_its_file_is_called() -> None:
    said = told(ASCIIDOC, "text")

    assert "A lamp is a light, see light(5) and the wick. It is not a fire." in said
    assert (
        "  - the oil is at the mark, or above it, and\n  - the glass is clean, so that\n    - no soot is on it" in said
    )
    assert "keeper name: The person who lights the lamp each evening." in said
    assert "Flame" not in said and "S: 200" not in said
    assert "## Wear\n" in said and "## Wear (Lending lamps)\n" in said


def test_what_is_supposed_for_an_example_is_told_behind_it() -> None:
    example = "For example, suppose that a storm breaks the lens. The keeper lights fifty candles in the window."

    assert example in told(f"{LAMP}The keeper of the lamp sleeps by day. {example}")


def test_a_list_that_is_not_told_whole_is_not_told_at_all() -> None:
    items = "".join(f"- the wind of day {number} blows from the north or from the east, and\n" for number in range(40))

    assert "the wind of day" not in told(f"{LAMP}The lamp is lit twice if\n\n{items}- the moon is new.\n")


def test_steps_that_are_too_many_for_one_list_are_told_in_parts_that_count_on() -> None:
    first = (
        "1. The lamp is put out by hand.\n2. The lens is taken off its ring.\n3. The ring is looked at by its keeper.\n"
    )
    days = "".join(f"   - On day {number} of the month it is cleaned of salt.\n" for number in range(1, 18))
    rest = "".join(f"{number}. The keeper waits for the light of mole {number}.\n" for number in range(4, 12))
    found = told(f"{LAMP}The keeper mends the lamp in these steps:\n\n{first}{days}{rest}")

    assert "- The keeper mends the lamp in these steps:\n  1. The lamp is put out by hand.\n  2. The lens" in found
    assert "\n3. The ring is looked at by its keeper.\n   - On day 1 of the month" in found
    assert "\n   - On day 17 of the month it is cleaned of salt.\n4. The keeper waits" in found
    assert "\n11. The keeper waits for the light of mole 11." in found


def test_steps_of_which_a_part_cannot_be_told_are_not_told() -> None:
    waits = [f"{number}. The keeper waits for mole {number}" for number in range(1, 40)]
    waits[30] += " and waits" * 200
    steps = "".join(f"{wait}.\n" for wait in waits)

    assert "waits for mole" not in told(f"{LAMP}The keeper mends the lamp in these steps:\n\n{steps}")


def test_a_long_list_of_terms_keeps_its_lead_in() -> None:
    items = "".join(
        f"- `day{number}`: The wind blows from the north on that day of the week.\n" for number in range(30)
    )
    found = told(f"{LAMP}A book of lamps has the following fields:\n\n{items}").split("\n")

    assert found[found.index("- A book of lamps has the following fields:") + 1].startswith("  - `day0`:")
    assert sum("`day" in line for line in found) == 30


def test_the_list_within_an_entry_is_told_with_what_leads_in_to_it() -> None:
    modes = "  - ``slow``: One flash a minute.\n  - ``fast``: Two flashes a minute.\n"
    text = f"mode\n  The mode of the lamp. It is one of:\n\n{modes}"
    found = told(
        f"Lamp\n====\n\nThe lamp of Arne has a book.\n\nModes\n-----\n\n{text}\nend\n  The end of the book.\n", "rst"
    )

    assert "It is one of:\n  - `slow`: One flash a minute.\n  - `fast`: Two flashes a minute." in found


@pytest.mark.parametrize(
    "says", ["This lamp is required in every harbour.", "Returns the light of the lamp to the sea."]
)
def test_what_a_section_begins_with_is_said_of_its_heading(says: str) -> None:
    text = f"{LAMP}The light is white.\n\n## The red lamp\n\n- `place`: The mole.\n\n{says} It burns oil of olives.\n"

    assert f"{says} It burns oil of olives." in told(text)
    assert says not in told(text.replace("## The red lamp\n\n", ""))


def test_of_a_paragraph_nothing_goes_that_what_follows_leans_on() -> None:
    clerk = "A toll clerk is a person who takes money at the ferry. A toll clerk must wear a cap of felt."
    rest = "If no cap is found, its place is taken by a hat."
    text = (
        f"# Ferry\n\nThe ferry crosses the sound.\n\n## Rules\n\n{clerk} {rest}\n\n## Boats\n\nThe boats are of oak.\n"
    )

    (page,) = (op for op in proposed(text) if isinstance(op, Create) and op.kind == "summary")

    assert any(f"must wear a cap of felt. {rest}" in claim.text for claim in page.body)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (
            "markdown",
            "- **Light.** Using the lamp MUST not need more oil.\n\n  It burns for a night.\n- The lamp is red.\n",
        ),
        (
            "rst",
            "**Light**\n\nUsing the lamp MUST not need more oil. It burns for a night.\n\n**Oil**\n\nIt is green.\n",
        ),
    ],
)
def test_a_label_in_bold_is_told_with_what_stands_below_it(format: str, text: str) -> None:
    rules = "Rules\n=====\n\nThe lamp has rules on the mole of Arne.\n\nGoals\n-----\n\n"
    found = told(f"{rules}{text}\nMore\n----\n\nThe mole is long.\n", format)

    assert "Light" in found.partition("Using the lamp MUST not need more oil.")[0]
    assert "It burns for a night." in found


def test_the_field_of_a_file_has_no_page() -> None:
    fields = "".join(
        f"{name}\n  An optional text for the {name} of the lamp. The {name} is read twice.\n\n"
        for name in ("place", "colour")
    )

    assert not pages(f"Lamps\n=====\n\nThe lamp of Arne has a file.\n\n{fields}", "rst")


def test_rows_of_a_term_and_its_text_are_a_list() -> None:
    rows = "OPEN | The gate stands open, and any boat may pass it.\nCLOSED | The gate is shut, and no boat may pass it."
    text = f"# Gates\n\nA gate can be in one of two states:\n{rows}\nNobody else turns the wheel of the gate."

    (found,) = read_lists(reading(text, "html").sentences)

    assert found.lead is not None
    assert [item.sentences[0].plain.split(":")[0] for item in found.items] == ["OPEN", "CLOSED"]
    assert found.names_terms


def test_headings_below_a_part_stay_above_what_stands_under_them() -> None:
    text = f"{LAMP}### Summer\n\nThe lamp is lit at ten in the evening.\n\n### Winter\n\nThe lamp is lit at four o'clock.\n"

    shown = told(f"{text}\n## Oil\n\nThe oil comes by boat from the town of Arne.\n")

    assert shown.index("### Summer") < shown.index("ten in the") < shown.index("### Winter") < shown.index("at four")


def test_a_text_with_the_headings_of_markdown_is_not_called_by_its_first_section() -> None:
    text = "## Poles\n\nThe poles of the sky are fixed.\n\n## Days\n\nA day has twenty-four hours of sixty minutes.\n"

    assert reading(text, "text").title == "A"
    assert reading("# 13.2. Locks\n\nA lock keeps other sessions out of a table.\n").title == "Locks"


THINGS = """\
# Journals

The store keeps its data safe while it is written, and it tells its users what it does.

## The rollback journal

The rollback journal lies beside the data. A rollback journal is a file that holds the old pages of a change.
The rollback journal is deleted at the end of a change. The rollback journal file has a header of eight bytes.

## Values

The NULL is returned by the store when a page cannot be read. NULL stands in an empty field of the store.
A missing index is made where it is needed. The missing index is dropped at the end of the day by the store.
"""


def test_a_page_opens_with_the_sentence_that_says_what_its_thing_is() -> None:
    made = pages(THINGS)

    assert made["Rollback journal"][0].startswith("A rollback journal is a file that holds the old pages of a change.")
    assert made.keys().isdisjoint({"NULL", "Missing index", "Rollback journal file"})


LOADING = """\
# Loading at Arne

## Terms

A *crate loader* is a tool that a keeper runs that takes crates from a boat and sets them down on the mole. The actual
lifting of the crates is done by the *mole crane* of each mole in the harbour, whatever the boat is. In a yard like the one
of Arne, the long arm is acting as a crate loader.

"""


@pytest.mark.parametrize(
    ("paragraph", "is_tied"),
    [
        (
            "A *berth planner* is a tool that takes a set of requirements and moves boats to satisfy those requirements.",
            False,
        ),
        (
            "It hands the crates of a *berth planner*, which is a tool for boats, down to the mole and counts them.",
            True,
        ),
    ],
)
def test_on_the_page_of_a_thing_no_paragraph_hangs_on_the_one_before_unless_it_leans_on_it(
    paragraph: str, is_tied: bool
) -> None:
    read = reading(f"{LOADING}{paragraph} Boats are moved by day.\n")
    (part,) = {telling.led(read, s).plain for s in read.sentences if "berth planner" in s.plain}

    assert part.startswith("In a yard like") is is_tied
    more = (
        "The *berth planner* moves small boats first in every harbour of the coast.\n\nA *berth planner* never sleeps."
    )
    found = pages(f"{LOADING}{paragraph}\n\n{more}\n")

    assert is_tied or found["Berth planner"][0] == paragraph.replace("*", "")


def test_what_is_not_in_force_is_no_opening() -> None:
    end = "PEP: 9700\nTitle: Journals by post\nStatus: Superseded\nSuperseded-By: 9701\nCreated: 01-Jan-2020\n\n"

    blocks = pages(end + THINGS)["Rollback journal"]

    assert blocks[0] == "## From PEP 9700 (superseded, replaced by PEP 9701)"
    assert blocks[1].startswith("- A rollback journal is a file that holds the old pages of a change.")


# -- pages of things -----------------------------------------------------------------------------------------------


LEDGER = """\
# The ferry of Holm

The ferry of Holm carries people and goats across the sound all year.

## The toll ledger

A toll ledger is a book that holds the name of each passenger. It is kept in ink.

The toll ledger lies in the hut of the clerk, unless the hut is flooded. The clerk carries the toll ledger home then.

Note that a page must never be torn out.

## The hut

The hut of the clerk is built of stone and has one window.
"""


def test_what_the_page_of_a_thing_tells_its_documents_summary_does_not_tell_again() -> None:
    (summary,) = (op for op in proposed(LEDGER) if isinstance(op, Create) and op.kind == "summary")
    said = "\n".join(claim.text for claim in summary.body)

    assert "- A toll ledger is a book that holds the name of each passenger." in said
    assert "built of stone" in said
    assert "in ink" not in said and "home then" not in said and "torn out" not in said


def test_a_thing_is_told_of_with_the_conditions_and_warnings_beside_it() -> None:
    blocks = pages(LEDGER)["Toll ledger"]

    assert blocks[0].endswith("It is kept in ink.")
    assert any("unless the hut is flooded. The clerk carries" in said for said in blocks)
    assert any("must never be torn out" in said for said in blocks)


def test_what_is_said_beside_a_thing_of_another_one_stands_on_that_ones_page() -> None:
    text = (
        "# Manual\n\nThe pump Orla is a pump of Acme Works.\nThe pump Orla needs 3 kW.\n"
        "Dry running is also called cavitation running (CR).\n"
        "Cavitation running is a state in which the pump sucks air.\n"
    )
    made = pages(text)

    heading = "## From Manual"
    assert made["Pump Orla"] == [
        "The pump Orla is a pump of Acme Works.",
        heading,
        "- The pump Orla needs 3 kW.",
    ]
    assert made["Cavitation running"] == [
        "Cavitation running is a state in which the pump sucks air.",
        heading,
        "- Dry running is also called cavitation running (CR).",
    ]


def test_what_leans_on_a_statement_by_its_first_words_comes_along() -> None:
    said = "The tar lamp burns down to minus 20 degrees. Below that, the keeper warms the tar."

    assert f"- {said}" in pages(f"# Lamps\n\nThe tar lamp is a lamp for boats.\n\n{said}\n")["Tar lamp"]


def test_a_value_is_disputed_without_what_stands_beside_it() -> None:
    manual = (
        "# Manual\n\nThe pump Orla is a pump of Acme Works. The pump Orla needs 3 kW. The pump Orla stands still.\n"
    )
    body = "\n\n".join(f"{said} [^m-{at}]" for at, said in enumerate(pages(manual)["Pump Orla"]) if said[0] != "#")
    known = page("pump-orla", f"{body}\n", title="Pump Orla")
    found = proposed("# Note\n\nThe pump Orla needs 5 kW.\n", "markdown", known)

    assert [op.passage for op in found if isinstance(op, Dispute)] == ["The pump Orla needs 3 kW. [^m-2]"]


@pytest.mark.parametrize(
    ("first", "gap", "others"),
    [
        (
            "The Lorn Bridge is a bridge over the river Lorn.",
            "\n\n",
            [
                f"The Lorn Bridge was {became} by the council of the town of Lorn in {year}."
                for became, year in [("rejected", 2017), ("approved", 2018), ("opened", 2020), ("closed", 2023)]
            ],
        ),
        (
            "The crane project is a plan to build a crane.",
            " ",
            [
                "The crane project was rejected in fall 2017.",
                "The crane project was approved in June 2018.",
                "The crane project was finished on 16-Jan-2015 on paper.",
                "The crane project pays its workers every week.",
                "Q3 2020 saw the crane project extended.",
            ],
        ),
    ],
)
def test_all_that_a_short_source_says_of_a_thing_stands_on_its_page(first: str, gap: str, others: list[str]) -> None:
    (blocks,) = pages(f"# Minutes\n\n{gap.join([first, *others])}\n").values()

    assert blocks == [first, "## From Minutes", *(f"- {said}" for said in others)]


def test_the_latest_of_what_a_long_source_says_of_a_thing_stands_on_its_page() -> None:
    years = "".join(
        f"## Year {year}\n\nThe Lorn Bridge was painted by the smith of the town in {year} with a tar of its own.\n\n"
        for year in range(1950, 2000)
    )
    text = f"# Lorn\n\nThe Lorn Bridge is a bridge over the river Lorn.\n\n{years}"

    assert any("in 1999" in said for said in pages(text)["Lorn Bridge"])


def test_a_later_event_is_told_on_a_page_that_tells_of_one_like_it() -> None:
    said = "The Lorn Bridge was painted white and red by the smith of the town and his nine sons from Holm in the spring of"
    known = page("lorn-bridge", f"A bridge.\n\n- {said} 2017. [^a-1]\n", title="Lorn Bridge", sources=["sources/b.md"])
    found = proposed(f"# Note\n\n{said} 2021.\n", "markdown", known)

    assert [op.body[0].text for op in found if isinstance(op, Add)] == [f"- {said} 2021."]


def test_a_thing_that_nobody_defines_has_no_page() -> None:
    text = (
        "# Tolls\n\n## What toll clerks do\n\nThe toll clerks have no power over the ferry. The toll clerks must write "
        "down each passenger. The toll clerks must hand in the purse before the bell. Holm allows toll clerks a lamp.\n"
    )

    assert not pages(text)


def test_a_word_of_one_system_is_not_added_to_the_page_of_anothers() -> None:
    known = page(
        "node",
        "A node is a machine of Kelpnet.\n\n- In Kelpnet, a node asks Kelpnet for its name. [^a-1]\n"
        "- Of nodes Kelpnet has no list. [^a-2]\n",
        kind="concept",
        title="Node",
        sources=["sources/kelpnet.md"],
    )
    text = "# Trees\n\nA node is a branch of the tree that has leaves. Each node is pruned in spring by the keeper.\n"

    assert not [op for op in proposed(text, "markdown", known) if isinstance(op, Add)]


def test_what_a_plan_says_of_a_thing_is_told_as_planned() -> None:
    text = (
        "# Honey by post\n\n## Jars\n\nA honey jar is a jar with a lid that cannot be lost. A honey jar MUST be closed "
        "with wax before it is sent.\n\n## Transition plan\n\nEach valley gets new jars, one valley a year.\n"
    )

    assert pages(text)["Honey jar"][0] == "## From Honey by post (planned)"


def test_an_entry_of_a_glossary_opens_its_page_as_a_sentence_and_stands_on_no_other() -> None:
    text = (
        "Words\n=====\n\nharbour clerk\n    A person who writes down the ships of the harbour and their cargo.\n\n"
        "tide board\n    A board of oak that shows the height of the sea to the harbour clerk.\n\n"
        "Rules\n=====\n\nThe harbour clerk locks the tide board at night. The tide board is painted once a year.\n"
    )
    clerk = pages(text, "rst")["Harbour clerk"]

    assert clerk[0] == "A harbour clerk is a person who writes down the ships of the harbour and their cargo."
    assert not any("board of oak" in said for said in clerk)


def test_a_definition_that_comes_later_opens_a_page_that_had_none() -> None:
    later = "# More\n\nA toll clerk is a person who takes money at the ferry. The toll clerk sits in a hut of stone.\n"
    known = page("toll-clerk", "## From Tolls\n\n- Toll clerks must write down each passenger. [^tolls-1]\n")
    adds = [op for op in proposed(later, "markdown", known) if isinstance(op, Add) and op.page == "toll-clerk"]

    assert adds[0].section == ""
    assert adds[0].body[0].text.startswith("A toll clerk is a person who takes money at the ferry.")


# -- examples ------------------------------------------------------------------------------------------------------


SAID = "A lamp is declared by its place and its colour"
CODE = "[lamp]\n{0}colour = 3\n"


@pytest.mark.parametrize(
    ("shown", "format"),
    [
        (f"{SAID}, for example:\n\n```toml\n{CODE.format('')}```\n", "markdown"),
        (f"{SAID}, for example::\n\n    {CODE.format('    ')}", "rst"),
        (f"{SAID}.\n\nFor example:\n\n.. code-block:: toml\n\n   {CODE.format('   ')}", "rst"),
    ],
)
def test_an_example_comes_with_the_words_that_lead_to_it(shown: str, format: str) -> None:
    text = f"Lamps\n=====\n\n{shown}\nThe lamp of the mole is red and stands on a post of oak.\n"
    blocks = told(text, format).split("```")

    assert SAID in blocks[0]
    assert blocks[1].strip() == "[lamp]\ncolour = 3"


def test_lines_that_the_manual_of_a_program_hides_are_left_out() -> None:
    code = "# fn main() {\n# let lamp = 1;\nlight(lamp);\n#[quiet]\nrest();\n# }\n"
    shown = told(f"# Lamps\n\nA lamp is lit by its name, for example:\n\n```rust\n{code}```\n\nThe lamp is red.\n")

    assert shown.split("```")[1].strip() == "light(lamp);\n#[quiet]\nrest();"
    assert "# let" in told(
        f"# Lamps\n\nA lamp is lit by its name, for example:\n\n```sh\n{code}```\n\nThe lamp is red.\n"
    )


def test_long_code_and_code_that_nothing_leads_to_are_not_told() -> None:
    long = "\n".join(f"lamp {number}" for number in range(60))

    assert "```" not in told(f"# Lamps\n\nA lamp is declared by its colour, for example:\n\n```\n{long}\n```\n")
    assert "```" not in told("# Lamps\n\n```\nlamp 1\n```\n\nA lamp is declared by its place and its colour.\n")


# -- files of other kinds ------------------------------------------------------------------------------------------


def test_a_heading_that_other_readers_would_run_loses_that_and_a_note_parts_nothing() -> None:
    text = (
        "# Lamps\n\n## Making a lamp: {}\n\nA lamp of brass is cast in one piece by the smith.\n\n### Note\n\n"
        "A lamp of tin is soldered by hand.\n\n## Posts\n\nA post of oak carries the lamp of the mole. Tar keeps it dry.\n"
    )
    page = told(text.replace("# Lamps\n", "# Lamps\n\nThe harbour of Arne keeps nine lamps. Each has a keeper.\n"))

    assert "## Making a lamp\n" in page and "{" not in page
    assert "Note" not in page


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        (
            "# ttail\n\nttail is a viewer of logs in a terminal.\n\nIt runs anywhere.\n",
            "ttail is a viewer of logs in a",
        ),
        ("# Crontab\n\nThis is a version of cron that runs on old ships.\n", "This is a version of cron that"),
        (
            "NAME\n\nttail is a viewer of logs in a terminal.\n\nOPTIONS\n\nOptions are read in their order.\n",
            "ttail is",
        ),
        (
            "# NAME\n\nttail, mtail - view logs of many machines\n\n# DESCRIPTION\n\nttail is a viewer of logs.\n",
            "ttail, mtail - view logs of many",
        ),
    ],
)
def test_a_readme_opens_with_what_it_is_of(text: str, opening: str) -> None:
    assert told(text).startswith(opening)
    assert reading(text).title != "NAME"


def test_an_option_is_told_with_its_name_and_all_that_is_said_of_it() -> None:
    text = (
        "Tea\n\nOPTIONS\n       -s, --steep\n"
        "              Let the leaves steep in hot water. They are taken out when it is done.\n"
    )

    assert "`-s, --steep`: Let the leaves steep in hot water. They are taken out when it is done." in told(text, "text")


def test_blocks_of_code_behind_one_another_are_told_together() -> None:
    old, new = "```\n// v4\nlisten(8000)\n```\n\n", "```\n// v5\nlisten({ port: 8000 })\n```\n"
    text = f"# Tea\n\nThe server is told in an object where it has to listen, as in this example:\n{old}{new}"

    assert "// v4\nlisten(8000)\n```\n```\n// v5\nlisten({ port: 8000 })" in told(text)


def test_another_page_tells_which_document_says_it() -> None:
    text = """PEP: 9530
Title: Lamps

Abstract
========

This PEP renames the lamps of PEP 9510 in the whole of the harbour. A *harbour lamp* is a lamp that is lit by its keeper.
Harbour lamps are white. In addition, this PEP makes the harbour book the place for all rules.

PEP 9510 specified a mechanism to light the harbour without a keeper.
"""
    made = pages(text, "rst")

    assert made["PEP 9510"] == [
        "PEP 9510 specified a mechanism to light the harbour without a keeper.",
        "## From PEP 9530",
        "- PEP 9530 renames the lamps of PEP 9510 in the whole of the harbour.",
    ]
    assert "This PEP" in told(text, "rst")


def test_what_a_document_is_and_what_is_done_to_it_are_not_told_in_the_same_words() -> None:
    text = (
        "PEP: 9530\nTitle: Lamps\n\nAbstract\n========\n\nPEP 9510 is a rule for lamps that is replaced by this PEP. Lamps "
        "are lit at dusk by the keeper of the mole.\n"
    )

    assert pages(text, "rst")["PEP 9510"] == [
        "## From PEP 9530",
        "- PEP 9510 is a rule for lamps that is replaced by PEP 9530.",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("This PEP renames the lamp.", "PEP 9530 renames the lamp."),
        ("Lamps are red since this PEP, and so is the lamp of this PEP's author.", "Lamps are red since PEP 9530, and"),
        ("Lamps are bigger than in this PEP and **MUST** be red.", "Lamps are bigger than in PEP 9530 and"),
        ("However, this document does not define lamps.", "However, PEP 9530 does not define lamps."),
        ("This document MUST have a key for each lamp.", ""),
        ("The keys of this document specify lamps.", ""),
        ("This PEP draft is old.", ""),
        ("This PEP process is slow.", ""),
        ("The PEP was rejected.", ""),  # it may be the one named last
    ],
)
def test_only_the_words_for_the_document_itself_are_told_as_its_number(words: str, said: str) -> None:
    read = reading(f"PEP: 9530\nTitle: Lamps\n\nAbstract\n========\n\n{words}\n", "rst")
    (sentence,) = read.sentences

    assert telling.named(read, sentence).text.startswith(said or words.replace("*", ""))
    assert telling.speaks_of_its_document(read, sentence) is not bool(said)
    of_another = reading(f"# Lamps\n\n{words.replace('PEP', 'EIP')}\n")
    assert telling.speaks_of_its_document(of_another, of_another.sentences[0])


def test_the_name_of_a_series_in_that_of_another_thing_is_told_as_it_is() -> None:
    for words in ("The PEP editors keep a list of lamps.", "The PEP-defined lamps are red."):
        read = reading(f"PEP: 9530\nTitle: Lamps\n\nAbstract\n========\n\n{words}\n", "rst")

        assert telling.named(read, read.sentences[0]).text == words
        assert not telling.speaks_of_its_document(read, read.sentences[0])


def test_what_a_document_without_a_number_says_of_itself_is_told_on_its_own_page_alone() -> None:
    text = (
        "# Lamps\n\nA harbour lamp is a lamp that is lit by its keeper. Harbour lamps are white at night. They are red in "
        "fog. In addition, this document has rules for the keepers.\n\nThis document has an example of harbour lamps.\n"
    )

    assert "this document" not in " ".join(pages(text)["Harbour lamp"]).casefold()
    assert "rules for the keepers" in told(text)


LAMP_LIST = "A *harbour lamp* is a lamp with a keeper.\n\nA harbour lamp is lit twice if one of these is true:\n\n"


RULES = """\
# The harbour

The harbour of Arne has nine lamps on its mole.

## Lamps

A *harbour flag* is a flag that the keeper sets at noon. A harbour flag is white.

Before a keeper lights a lamp, the keeper should make two checks:

1. Is the sun down?
2. Is there a harbour flag on the mole?

If one of these is so, the keeper should light no lamp.{}

## Oil

Oil is kept in the tower.
"""


def test_a_list_is_told_of_what_its_items_name_with_what_follows_from_it() -> None:
    made = "\n".join(pages(RULES.format(" The pilot may light it."))["Harbour flag"])

    assert (
        "\n- Before a keeper lights a lamp, the keeper should make two checks:\n  1. Is the sun down?\n  2. Is" in made
    )
    assert "\n- If one of these is so, the keeper should light no lamp. The pilot may light it." in made
    assert "light no lamp" not in str(pages(RULES.format(" This guide has more of them.")))
    assert "two checks" not in str(pages(RULES.format("").replace("the keeper should make two checks", "they do it")))


def test_what_goes_on_from_a_list_is_told_behind_it_though_a_page_of_a_thing_tells_both() -> None:
    more = " The pilot may light it, for example:\n\n```\nlight 1\n```\n\nThis does not hold on Sundays, when he rests."
    found = told_with_pages(RULES.format(more))

    assert found.index("two checks") < found.index("If one of these is so") < found.index("does not hold on Sundays")


def test_the_items_of_a_list_tell_which_document_says_it() -> None:
    text = f"{LAMP_LIST}- fog comes, as this PEP warns,\n- the moon of the mole is new.\n"
    head = "PEP: 9530\nTitle: Lamps\n\nAbstract\n========\n\n"
    found = "\n".join(pages(f"{head}{text}", "rst")["Harbour lamp"])

    assert "is lit twice if one of these is true:\n  - fog comes, as PEP 9530 warns," in found
    assert "as this PEP warns" in told(f"{head}{text}", "rst")


def test_a_list_with_an_item_on_its_document_without_a_number_is_told_on_no_other_page() -> None:
    text = f"{LAMP_LIST}- fog comes, as this guide warns,\n- the moon of the mole is new.\n"

    assert "lit twice" not in " ".join(
        pages(f"# Lamps\n\nLamps are lit.\n\n## Light\n\n{text}").get("Harbour lamp", ())
    )
    assert "as this guide warns" in told(f"# Lamps\n\n{text}")


def test_an_item_that_names_a_term_ends_where_its_document_speaks_of_itself() -> None:
    items = (
        "- `oil`: It burns in each harbour lamp of the coast. {} this guide.\n- `wick`: It is trimmed each morning.\n"
    )
    more = reading(f"# Lamps\n\nA harbour lamp has two parts.\n\n{items.format('More of it is in')}")
    less = reading(f"# Lamps\n\nA harbour lamp has two parts.\n\n{items.format('It never does in')}")

    assert [telling.led(more, s).plain for s in more.sentences if "burns" in s.plain] == [
        "oil: It burns in each harbour lamp of the coast."
    ]
    assert not any(less.fitness[s.index] for s in less.sentences if "burns" in s.plain)


@pytest.mark.parametrize(
    ("more", "is_told"),
    [
        ("In addition, this document has rules for the keepers.", True),
        ("See also this document if the lamp is broken.", True),
        ("However, this document forbids it in fog.", False),
        ("In addition, this document asks the pilots. Nobody does it unless they agree.", False),
        ("The table below has the harbours where it is not allowed.", False),
    ],
)
def test_a_statement_is_not_told_without_what_may_take_it_back(more: str, is_told: bool) -> None:
    read = reading(f"# Lamps\n\nA harbour lamp is lit by its keeper. They turn it red in the night. {more}\n")

    assert bool(read.parts.get(1)) is is_told
    assert is_told is (read.fitness[0] > 0)


@pytest.mark.parametrize(
    ("text", "title", "opening"),
    [
        (
            "The lighting is done by each harbour's *lamp keeper*. `lamp-keeper` is a string with the name of a person. "
            "A lamp keeper MUST light the lamp at dusk.",
            "Lamp keeper",
            "The lighting is done by each harbour's lamp keeper.",
        ),
        (
            "The harbour has a *lamp list*, a list of lamps and keepers that the pilots read. Each lamp list is printed "
            "in spring.",
            "Lamp list",
            "The harbour has a lamp list, a list of lamps and keepers that the pilots read.",
        ),
        (
            "*Lamp confusion* attacks, in which a false lamp is lit at the shore, are an old crime. Lamp confusion is rare "
            "in the north.",
            "Lamp confusion",
            "Lamp confusion attacks, in which a false lamp is lit at the shore, are an old crime.",
        ),
    ],
)
def test_a_page_opens_with_the_definition_of_its_thing(text: str, title: str, opening: str) -> None:
    assert pages(f"# Harbours\n\n{text}\n")[title][0] == opening


def test_what_tells_a_document_in_short_opens_its_page() -> None:
    text = (
        "# Lamp rule 7\n\n## Simple Summary\n\nDo not light lamps for ships that have a pilot on board\n\n## Abstract\n\n"
        "Lamps are only two metres high. This is done for the pilots.\n\n## Rules\n\nThis rule describes lamps for ships.\n"
    )

    assert told(text).split("\n")[0] == "Do not light lamps for ships that have a pilot on board"


def test_a_section_on_abstract_things_does_not_tell_its_document_in_short() -> None:
    text = (
        "# Lamp rules\n\nA lamp rule is a rule that the keepers of the harbour have.\n\n## Abstract base lamps\n\n"
        "Do not light these for ships without a pilot\n\n## Oil\n\nOil is kept in the tower.\n"
    )

    assert told(text).startswith(
        "A lamp rule is a rule that the keepers of the harbour have.\n## Abstract base lamps\n"
    )
    assert told(text.replace("Abstract base lamps", "Abstract")).startswith("Do not light these")


@pytest.mark.parametrize(
    "untold",
    [
        "Lamp keepers are encouraged to report such broken glass.",
        "The table should contain the name of each lamp keeper of the harbour.",
        "A lamp keeper is expected to know some or all of the following signals.",
        "Users of both lamps will need to tell the lamp keeper in which harbour they are.",
        "If such a lamp breaks in the night, the lamp keeper MUST write it down.",
    ],
)
def test_what_goes_by_what_was_named_before_is_not_told_alone_on_another_page(untold: str) -> None:
    text = (
        "# Harbours\n\nA *lamp keeper* is a person who lights the lamps of the harbour.\n\nLamp keepers live in the tower "
        f"by the sea.\n\n{untold}\n"
    )

    assert f"- {untold}" not in pages(text)["Lamp keeper"]
    assert untold in told(text)


def test_what_comes_later_is_told_with_what_comes_first() -> None:
    text = (
        "# Harbours\n\nA *lamp fee* is a sum that each ship pays for the light.\n\nWhile a ship enters, its captain pays "
        "the whole lamp fee. Later, when the lamp fee is settled, a part of it is paid back.\n"
    )

    assert (
        "- While a ship enters, its captain pays the whole lamp fee. Later, when the lamp fee is settled, a part of it is "
        "paid back."
    ) in pages(text)["Lamp fee"]


def test_a_rule_on_a_thing_has_room_on_its_page_where_others_have_none() -> None:
    deeds = (
        "carry coal up the stairs|record gulls in winter|write letters to the king|play cards with pilots|open doors for"
        " visitors|fetch water near the beach|repair clocks on Sundays|check nets of fishermen|prepare tea from nettles"
        "|follow storms by ear|raise goats behind the wall|copy songs about whales|remove snow in March"
    ).split("|")
    told = [f"Lamp keepers {deed}." for deed in deeds]
    others = [f"The pilot {name} came from {name}land by ship." for name in map(str, range(10, 40))]
    rule = "At dusk, in every harbour of the coast, a lamp keeper MUST write the oil into the book."
    text = "\n\n".join(["# Harbours", "A *lamp keeper* is a person who lights lamps.", *told, *others, rule])

    made = pages(f"{text}\n")["Lamp keeper"]

    assert f"- {rule}" in made
    assert sum(f"- {each}" in made for each in told) == 9


def test_a_document_is_called_as_its_head_says_wherever_its_heading_stands() -> None:
    text = "Sailed in spring.\n\n# Ferry line 9\n\nThe ship Solveig is a ferry of Veldra. It carries 180 carts.\n"

    said = replace(Document.from_text(text), head=SourceHead(title="Ferry line 9"))
    source = Source("sources/f.md", "sha256:0", said, "markdown")
    assert SourceReading(source, Evidence(source.path, said)).title == "Ferry line 9"


SHIFTS = """\
# The shifts of the keepers

The shifts of the keepers of Arne are the hours at which they are at the lamp. Each keeper has one.

## Kinds of shift

There are three kinds of shift for the keepers.

### Fixed

- You choose a specific hour to begin at. Once set, the hour is not changed before the end of the month.
- You work 8 hours a night, and 5 nights a week.

### Gliding

- Each night can be slightly longer or shorter than 8 hours.
- You work 8 hours a night, and 5 nights a week.

### Free

- Same as Gliding, but you only work 4 nights a week instead of 5.

| Night | Begins | Ends |
|---|---|---|
| Monday night | 18 hours | 23 hours |
| Tuesday night | 19 hours | 24 hours |

## Oil

The oil of the lamp is measured by the keeper at the end of each shift.
"""


def test_of_sections_beside_each_other_each_is_told_though_the_same_words_are_said_in_another() -> None:
    said = told(SHIFTS)

    assert "- You choose a specific hour to begin at. Once set, the hour" in said
    assert said.count("- You work 8 hours a night, and 5 nights a week.") == 2
    assert "### Free\n- Same as Gliding, but you only work 4 nights" in said


def test_a_table_stands_under_its_own_heading_though_nothing_else_is_told_there() -> None:
    said = told(SHIFTS.replace("- Same as Gliding, but you only work 4 nights a week instead of 5.", "See below."))

    assert "### Free\n| Night | Begins" in said
    assert "## Kinds of shift\n- There are three" in said


def test_steps_that_are_long_are_told_in_parts_before_they_are_told_cut() -> None:
    hands = ("wick of wool", "glass of the tower", "oil of a whale", "brass of its door", "book of nights")
    steps = "".join(
        f"{n}. The keeper takes the {what}.{f' Then the {what} is cleaned.' * 8}\n" for n, what in enumerate(hands, 1)
    )
    said = told(f"{LAMP}{steps}\n## Oil\n\nThe tower is measured by the keeper.\n")

    assert [said.count(f"Then the {what} is cleaned.") for what in hands] == [8] * 5


def test_a_field_called_like_what_is_about_a_document_is_told_where_its_heading_is_code() -> None:
    text = f"{LAMP}The lamp has a light.\n\n## `license`\n\nThe license of a lamp is the name of its keeper."
    said = told(f"{text}\n\n## License\n\nThis text may be copied by all the keepers of Arne.\n")

    assert "The license of a lamp is the name of its keeper." in said
    assert "may be copied" not in said


def test_what_leads_to_code_that_is_too_long_to_be_shown_is_not_told() -> None:
    lead = "The light of the lamp is changed to include its checks of wind:\n\n"
    text = f"{LAMP}The lamp has a light that burns.\n\n{lead}```\n%s```\n\nThe lamp is round and green.\n"

    assert "checks of wind:\n```\nburn()" in told(text % "burn()\n")
    assert "checks of wind" not in told(text % ("burn()\n" * 50))


@pytest.mark.parametrize(
    "said",
    [
        "Unpaid leave, also called Lamp Leave (LL), is exactly what it sounds like.",
        "Lamp Leave is a privilege and not an entitlement.",
    ],
)
def test_what_only_says_what_is_thought_of_a_thing_does_not_open_its_page(said: str) -> None:
    text = f"{LAMP}{said} Keepers can request Lamp Leave at any time. Lamp Leave (LL) needs a reason.\n"

    assert not any(blocks[0].startswith(said) for blocks in pages(text).values())


def test_what_refers_by_name_to_what_is_not_told_is_not_told_either() -> None:
    points = "For a small lamp nobody needs to fill out the Night Request Form above."
    form = "The Night Request Form is kept by the harbour of Arne in the tower."

    assert points not in told(f"{LAMP}The lamp has a light that burns.\n\n{points}\n")
    assert points in told(f"{LAMP}{form}\n\n{points}\n")


def test_the_short_fields_of_what_a_heading_names_are_told_too() -> None:
    fields = (
        "- Metadata: Lamp Name\n- Format: one line of letters, without a full stop\n\nThe name of the lamp is carved.\n"
    )
    said = told(f"{LAMP}The lamp has a light that burns.\n\n## `name`\n\n{fields}")

    assert "- Metadata: Lamp Name\n- Format: one line of letters" in said


@pytest.mark.parametrize(
    "kept",
    [
        "_Bool is the type of a value that is true or false.",
        "The statement `from . import lamps` imports a module of the same package.",
        "Keepers on the tower above 80 metres need a rope that holds two.",
    ],
)
def test_what_only_looks_like_loose_markup_or_a_gap_is_told_as_it_is(kept: str) -> None:
    assert kept.replace("_Bool", "\\_Bool") in told(f"{LAMP}The lamp has a light that burns.\n\n{kept}\n")


# -- the section that is called like a thing -----------------------------------------------------------------------

HARBOURS = """# Harbours of Arne

Each harbour of the coast has a mole of granite.

## Night lamps

A night lamp is a lamp that burns until the sun is up. It stands on the mole.

The lamp must be lit before the first boat comes in. This rule has no exception.

A night lamp needs the following things:

- oil from the shed behind the tower
- a wick of cotton

## Handling of night lamps

Keepers carry it with both hands:

```
lift, turn, carry
```

## Day

At noon, when the boats are out, the keeper may clean a night lamp with sand. A night lamp is never moved by a boy.
"""
OWN = [
    "A night lamp is a lamp that burns until the sun is up. It stands on the mole.",
    "## From Harbours of Arne",
    "- The lamp must be lit before the first boat comes in. This rule has no exception.",
    "- A night lamp needs the following things:\n  - oil from the shed behind the tower\n  - a wick of cotton",
    "- Keepers carry it with both hands:",
    "```\nlift, turn, carry\n```",
]


def test_a_page_has_the_sections_that_are_called_like_its_thing_then_what_else_is_said_of_it() -> None:
    made = pages(HARBOURS)["Night lamp"]

    assert made[: len(OWN)] == OWN
    assert "- A night lamp is never moved by a boy." in made


def test_a_page_that_has_enough_of_its_sections_has_nothing_else_that_only_names_its_thing() -> None:
    stray = "Within a night lamp, the wick MUST be as wide as the hole in the lid."
    text = HARBOURS + f"\n{stray}\n"
    chains = [
        f"The chain of lamp {name} is as long as the mole and as strong as an old oak tree." for name in "ABCDEFGH"
    ]
    long = text.replace(
        "## Day", "\n\n".join(f"{chain} {chain.replace('chain', 'rope')}" for chain in chains) + "\n\n## Day"
    )

    assert f"- {stray}" in pages(text)["Night lamp"]
    assert f"- {stray}" not in pages(long)["Night lamp"]


def test_so_has_one_whose_definition_stands_under_the_beginning_of_its_name() -> None:
    text = HARBOURS.replace("## Night lamps", "## Night").replace("## Handling of night lamps", "## Moving")
    made = pages(text.replace("lamp", "key"))

    assert made["Night key"][: len(OWN) - 2] == [each.replace("lamp", "key") for each in OWN[:-2]]


def test_what_a_document_that_is_called_like_a_thing_says_first_is_about_it() -> None:
    points = "The main points are:\n\n- All lamps share one shed of oak.\n- All keepers share one key of brass.\n"
    text = (
        f"# Lamp rings\n\nA lamp ring is a group of lamps that are lit together.\n\n{points}\n## Oil\n\nOil is dear.\n"
    )

    assert any("All lamps share one shed of oak." in block for block in pages(text)["Lamp ring"])
    assert "All lamps share one shed of oak." in told_with_pages(text)


def test_an_unchanged_source_adds_nothing_to_a_page_that_opens_with_a_sentence_of_its_section() -> None:
    text = HARBOURS.replace("A night lamp is", "The mole of Arne is long and grey. A night lamp is")
    made = pages(text)["Night lamp"]
    known = page("night-lamp", "\n\n".join(made), title="Night lamp", sources=["sources/a.md"])

    assert "- The mole of Arne is long and grey." in made
    assert [op for op in proposed(text, "markdown", known) if isinstance(op, Add)] == []


def test_what_only_a_thing_does_opens_its_page_with_what_stands_before_it_of_the_thing() -> None:
    first = "Keepers take their oil from an oil store. An oil store contains a list of all barrels."
    text = f"# Oil\n\nOil is dear.\n\n## Oil stores\n\n{first} An oil store is locked at night.\n"

    assert pages(text)["Oil store"][0] == first
    for other in ("at noon", "from an oil store with two doors"):
        assert pages(text.replace("from an oil store", other))["Oil store"][0] == first.partition(". ")[2]


def test_two_documents_of_one_title_have_a_heading_each_also_for_what_differs_in_a_number_alone() -> None:
    said = "A lamp keeper of the {}harbours of the coast has {} keys of brass in the tower and {} at home."
    first = page("release-2019-summary", "Old.", kind="summary", title="Keepers", sources=["sources/2019.md"])
    body = f"A lamp keeper is a person who lights lamps.\n\n## From Keepers\n\n- {said.format('', 'three', 'two')}\n"
    known = page("lamp-keeper", body, title="Lamp keeper", sources=["sources/2019.md"])
    text = f"# Keepers\n\nA lamp keeper is a person who lights lamps.\n\n{said.format('LTS ', 'two', 'one')}\n"

    added = {op.section: texts(op) for op in proposed(text, "markdown", first, known) if isinstance(op, Add)}

    assert f"- {said.format('LTS ', 'two', 'one')}" in added["From Keepers (a-page)"]


def test_a_name_of_code_has_the_form_that_code_gives_of_it() -> None:
    form = "The payload of a night call is so:\n\n```\nwrite(lamp_list)\n\nlamp_list = [[harbour, tower], ...]\n```\n"
    said = "The `lamp_list` is a list of pairs that say which lamp burns. The call fails if `lamp_list` is empty."
    made = pages(
        f"# Calls\n\nCalls are made at night.\n\n## Night calls\n\n{form}\n{said}\n\n## Day\n\nDays are long.\n"
    )

    assert "```\nwrite(lamp_list)\n\nlamp_list = [[harbour, tower], ...]\n```" in made["lamp_list"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The lamp is lit at dusk.\n\nThis is not the case on Brekk, where nobody is left.\n",
            "- This is not the case on Brekk",
        ),
        (
            "The lamp is lit at dusk.\n\nHowever, this is not the case on Brekk.\n",
            "- However, this is not the case on Brekk.",
        ),
        (
            "The keeper sees to it, for short:\n\nThis lamp is never lit on Brekk.\n",
            "- The keeper sees to it, for short: This lamp",
        ),
    ],
)
def test_a_bullet_ends_where_its_paragraph_ends(text: str, said: str) -> None:
    assert said in told(f"{LAMP}{text}\n## Oil\n\nThe oil of the lamp comes from the mainland once a year.\n")


def test_a_long_paragraph_is_cut_where_its_words_stand_by_themselves() -> None:
    first = "The keeper of the lamp writes down each ship of the bay, its name, its harbour, its cargo and its master."
    second = "The book of the keeper has five hundred pages, which the office of Torrin sends him in the spring."
    third = f"It is sent back when it is full, {'with the letters of the year, ' * 10}and is kept in the cellar."
    page = told(
        f"{LAMP}{first} {second} {third}\n\n## Oil\n\nThe oil of the lamp comes from the mainland once a year.\n"
    )

    assert f"- {first}\n- {second} {third}" in page


def test_a_paragraph_is_told_whole_or_not_at_all() -> None:
    rule = (
        "The keeper MUST light the lamp of {} at dusk and put it out at dawn, whatever the weather on the bay may be."
    )
    aims = " ".join(
        f"Ships of the harbour {n} go by the lamp when they come home from the sea and the fog is thick."
        for n in range(4)
    )
    islands = "".join(
        f"{rule.format(name)} {aims.replace('harbour', name)}\n\n" for name in ("Brekk", "Torrin", "Vell")
    )
    read = reading(
        f"# Lamps\n\nThe lamps of the bay are lit by keepers.\n\n## Light\n\n{islands}## Oil\n\nThe oil is sent.\n"
    )
    page = "\n".join(claim.text for claim in summary.body(read, summary.sections(read, "shallow")))

    assert [page.count(rule.format(name)) * 4 for name in ("Brekk", "Torrin", "Vell")] == [
        page.count(f"Ships of the {name}") for name in ("Brekk", "Torrin", "Vell")
    ]


def test_what_an_example_leads_to_is_no_rule() -> None:
    items = "- You light the lamp at seven.\n- You put it out at five.\n"
    text = f"{LAMP}The hours of the lamp change daily.\n\nFor example:\n\n{items}\n## Oil\n\nThe oil comes by ship.\n"
    indented = "".join(f"  {line}\n" for line in items.splitlines())

    assert f"For example:\n{indented}".rstrip() in told(text)
    assert "You light" not in told(text.replace("The hours of the lamp change daily.", "Hours?"))


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("Alternative lamp houses", True),
        ("Alternative approaches", False),
        ("Alternatives", False),
        ("Thank you", False),
    ],
)
def test_what_was_weighed_is_told_no_more_than_thanks(title: str, is_told: bool) -> None:
    long = "    oil\n" * 800
    text = f"{LAMP}The lamp is lit at dusk.\n\n{long}\n## {title}\n\nKeepers put a lamp on the pier.\n"

    assert ("Keepers put a lamp" in told(text)) == is_told


def test_what_was_weighed_is_told_of_a_short_note_under_its_heading() -> None:
    text = f"{LAMP}The lamp is lit at dusk.\n\n## Alternatives\n\nKeepers put a lamp on the pier.\n"

    assert told(text).endswith("## Alternatives\n- Keepers put a lamp on the pier.")


def test_words_that_stand_twice_are_quoted_with_those_beside_them() -> None:
    hours = (
        "## {}\n\nThe lamp is {}. You light it five days a week.\n\n- Oil and wicks: Yes.\n- Keepers: {} of them\n\n"
    )
    read = reading(f"# Lamps\n\n{hours.format('Brekk', 'old', 'four')}{hours.format('Vell', 'new', 'nine')}")
    told_under = {s.path: read.claim(s) for s in read.sentences if s.plain.startswith("You light it")}
    quotes = [claim.quotes for claim in told_under.values() if claim is not None]

    assert quotes == [
        ("The lamp is old. You light it five days a week.",),
        ("The lamp is new. You light it five days a week.",),
    ]


def test_what_leans_on_a_statement_is_told_with_it_though_its_paragraph_goes_on() -> None:
    first = f"The lamp book is a list of ships. {'Only the keeper of the pier may write in the lamp book, ' * 5}always."
    lean = "For example, in Vell it is the keeper Hale."
    more = f"It is his duty to write in it {'each day when the ships come in and the bell rings, ' * 4}and at night."
    read = reading(
        f"# Lamps\n\nThe lamps of the bay are lit.\n\n## Books\n\n{first}\n\n{lean} {more}\n\n## Oil\n\nThe oil is sent.\n"
    )
    (example,) = (s for s in read.sentences if s.plain == lean)

    assert read.parts[example.index][0].plain.startswith("Only the keeper")


# -- two things that are called alike, and what is said of both ------------------------------------------------------


def test_sections_of_two_things_called_alike_are_not_told_on_one_page() -> None:
    text = """# Lamps and horns

Each tower of the coast has a lamp and a horn.

## Lamp

### Night watch

A night watch is the time in which a keeper stays awake. The night watch of the lamp cannot be changed. It lasts nine hours.

## Horn

### Night watch

The keeper sleeps. The horn is blown by a boy, who can be changed for another one.
"""

    assert not any("blown by a boy" in each for each in pages(text).get("Night watch", []))


def test_what_is_said_of_two_things_in_the_same_words_is_told_of_both() -> None:
    text = """# Boats of Arne

Three boats leave the harbour of Arne each day.

## Night boat

A night boat is a boat that leaves after sunset. Seats must be reserved. Bicycles are not carried on it.

The night boat has a lamp. The night boat calls at no island.

## Express boat

The express boat leaves at noon. Seats must be reserved. It takes an hour.
"""

    assert "Seats must be reserved" in told_with_pages(text).partition("Express boat")[2]


def test_a_section_on_something_wider_stays_with_its_document() -> None:
    text = """# Rules of the pier

The pier of Arne is open to all ships.

## Fog

A fog horn is a horn that is blown when nobody can see the lamp. The fog horn stands on the mole.

No ship may leave the pier in it. The fee is doubled.
"""

    assert "The fee is doubled" in told_with_pages(text)
