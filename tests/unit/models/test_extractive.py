"""The built-in curator: what it proposes for a source, on small documents and on generated ones."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.checks.rules import sizes
from curator.errors import ModelError
from curator.models.extractive import ExtractiveCurator
from curator.models.port import Request
from curator.models.proposal import Add, Claim, Create, Dispute, Mark, Proposal, Replace
from curator.models.question import Question
from curator.wiki.pages import markdown
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.pages.slug import is_slug, slugify
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.source import Document, Source
from curator.wiki.wiki import PageEntry
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import laws, page
from support.places import SHARED

SURVEY = """\
Title: Mite survey, spring 2025
Date: 2025-04-12
Author: Osric Fennimore

# Mite survey, spring 2025

The survey counted varroa mites in every colony of Aldermoor Apiary. Aldermoor Apiary is the teaching apiary of
Harrow Valley Beekeepers (HVB), on a south-facing slope. Eleven colonies were alive on the day of the survey.

## The sugar shake

A sugar shake is a field test that loosens varroa mites from live bees with icing sugar. Each sugar shake used half
a cup of bees, which is close to 300 workers. The sugar shake returns the bees alive to their colony.

| Hive | Mites |
|------|-------|
| 1    | 3     |

## Results

Hive 6 was the only colony with more than 1 mite per 100 bees. This was a surprise. The August treatment threshold
for the varroa mite is 3 mites per 100 bees. See the table above.

- Treat hive 6 with an oxalic acid dribble before the end of May.

## References

Some book stands here and is never quoted.
"""

GUIDE = """\
=================
Guide to the mite
=================

:Date: 2025-05-18
:Supersedes: old-guide.rst

Summary
=======

This guide describes how members of the society count and treat varroa mites. A sugar shake is the standard count of
the society for all colonies. The sugar shake needs half a cup of bees from each hive.

The August treatment threshold for the varroa mite is 2 mites per 100 bees.
"""

PEP = """\
PEP: 9427
Title: The Crate Package Format
Author: Ada Example <ada@example.org>
Status: Final
Replaces: 9376

Abstract
========

This PEP describes a built-package format for Python called "crate".

A crate is a ZIP archive with a specially formatted file name and the ``.crt`` extension. Crates are installed by
``crate-tool`` without a build step. The file ``crates.toml`` is a list of crates that belong together.

Specification
=============

Installers MUST check the hash of every crate before they unpack it. Installers MUST NOT run code from a crate during
the installation. Each crate MUST carry one manifest. The manifest of a crate SHOULD name its build backend. A crate
MAY hold files of any kind. Every crate SHOULD be smaller than 100 megabytes to be accepted by an index.

Rejected Ideas
==============

A crate could have been a tarball with another name and other rules for all of its files.
"""


def source(text: str, path: str = "sources/2025-04-12-survey.md") -> Source:
    return Source(path, "sha256:0", Document.from_text(text), FORMATS.get(Path(path).suffix, "text"))


def propose(text: str, path: str = "sources/2025-04-12-survey.md", *pages: Page, **more: object) -> Proposal:
    request = Request(source(text, path), pages=pages, **more)  # type: ignore[arg-type]
    return Proposal.parse(ExtractiveCurator().propose(request).text)


def created(proposal: Proposal) -> dict[str, Create]:
    return {op.title: op for op in proposal.operations if isinstance(op, Create)}


def claims(proposal: Proposal) -> list[Claim]:
    found: list[Claim] = []
    for op in proposal.operations:
        if isinstance(op, Dispute):
            found.append(op.claim)
        elif isinstance(op, Create | Add | Replace):
            found += op.body
    return [claim for claim in found if not claim.text.startswith("## ")]


def texts(operation: Create | Add) -> list[str]:
    return [claim.text for claim in operation.body]


def of_kind(proposal: Proposal, kind: type) -> list[object]:
    return [op for op in proposal.operations if isinstance(op, kind)]


# -- a new source ------------------------------------------------------------------------------------------------


def test_a_source_gets_a_summary_page_and_pages_for_its_subjects() -> None:
    pages = created(propose(SURVEY))

    assert pages["Mite survey, spring 2025"].kind == "summary"
    assert pages["Sugar shake"].kind == "concept"
    assert pages["Aldermoor Apiary"].kind == "entity"
    assert texts(pages["Sugar shake"])[:2] == [
        "A sugar shake is a field test that loosens varroa mites from live bees with icing sugar.",
        "## From Mite survey, spring 2025",
    ]


def test_a_document_of_a_series_is_called_by_its_number_too() -> None:
    pages = created(propose(PEP, "sources/pep-9427.rst"))

    summary = pages["PEP 9427 – The Crate Package Format"]
    assert summary.aliases == ("PEP 9427",)
    assert texts(summary)[0] == 'This PEP describes a built-package format for Python called "crate".'
    assert "## Specification" in texts(summary)
    assert pages["Crate"].kind == "concept"
    assert not any(
        "tarball" in claim.text for title, page in pages.items() if page is not summary for claim in page.body
    )


def test_so_is_one_that_has_its_number_in_a_head_of_yaml() -> None:
    text = "---\neip: 94270\ntitle: Crates of gas\nstatus: Review\n---\n\n## Abstract\n\nA crate is a box that holds gas.\n"

    summary = created(propose(text, "sources/eip-94270.md"))["EIP 94270 – Crates of gas"]

    assert summary.aliases == ("EIP 94270",)


def test_what_its_head_says_of_a_documents_standing_is_told() -> None:
    summary = created(propose(PEP, "sources/pep-9427.rst"))["PEP 9427 – The Crate Package Format"]

    assert {"- Status: Final", "- Replaces: 9376"} <= set(texts(summary))
    assert "- Author: Ada Example <ada@example.org>" not in texts(summary)


def test_a_long_source_is_told_under_its_own_headings_too() -> None:
    text = f"# The mill\n\nThe mill grinds corn for the valley.\n\n{OF_A_MILL}"
    summary = created(propose(text, policy=CurationPolicy(depth="shallow")))["The mill"]

    headings = [claim.text for claim in summary.body if claim.text.startswith("## ")]
    assert headings == ["## Water", "## Stones", "## People"]


def test_a_summary_follows_its_source_and_keeps_neighbours_together() -> None:
    text = (
        "# Ferry\n\nThe ferry of Arne crosses the sound in nine minutes.\n\n"
        "## Hull\n\nThe hull of the ferry is made of larch. Tar closes its seams every spring.\n\n"
        "## Crew\n\nThe crew of the ferry must hold a licence. A deckhand must throw the rope.\n\n"
        "Every pilot must rest for eight hours. The purser must count all passengers. The cook must sleep on board.\n"
    )
    said = texts(created(propose(text, "sources/ferry.md"))["Ferry"])

    assert said[1:] == [
        "## Hull",
        "- The hull of the ferry is made of larch. Tar closes its seams every spring.",
        "## Crew",
        "- The crew of the ferry must hold a licence. A deckhand must throw the rope.",
        "- Every pilot must rest for eight hours. The purser must count all passengers. The cook must sleep on board.",
    ]


OF_A_MILL = """\
## Water

The wheel hangs below a weir of oak beams. Floods tore the old sluice away in 1952. A grate keeps branches out of the race.
Eels pass the dam by a ladder of brushes. Ice stops the wheel for ten days in most winters.
The pond silts up and is dredged.

## Stones

Both runners were cut from French quartz. A crane lifts them once a season for dressing. Furrows carry the flour outwards.
The hopper feeds grain through a leather shoe. Rye needs a wider gap than wheat. Dust is drawn off by a wooden fan.

## People

Greta Holm bought the building from the parish. Two apprentices live above the office.
Farmers pay with every sixteenth sack. School classes visit on Fridays in May. The bakery next door uses all bran.
A bell calls the miller when the hopper is empty.
"""


def test_what_the_authors_did_stands_on_their_documents_page_and_on_no_other() -> None:
    text = (
        "# Cooling\n\n## Abstract\n\nCells age faster when they are hot. We compared two packs of cells over 26 months. "
        "An oil bath is a tank of oil that keeps cells cool. We filled the oil bath with 410 litres of an ester.\n\n"
        "## Results\n\nThe oil bath halved the loss of capacity. An oil bath needs no fan and makes no noise at night.\n"
    )
    pages = created(propose(text, "sources/cooling.md"))

    assert texts(pages["Cooling"])[0].startswith("We compared two packs of cells over 26 months.")
    assert any("We filled the oil bath" in said for said in texts(pages["Cooling"]))
    assert not any("We " in said for said in texts(pages["Oil bath"]))


def test_a_table_stands_whole_under_its_heading() -> None:
    text = (
        "# Plaster\n\nLime plaster hardens by the air.\n\n## Mix\n\nSand and putty are mixed without any water.\n\n"
        "| Coat | Lime to sand | Hair |\n|---|---|---|\n| Scratch coat | 1 to 3 | yes |\n| Last coat | 1 to 1 | no |\n\n"
        "## Cure\n\nDamp cloth hangs before the wall for ten days.\n"
    )
    summary = created(propose(text, "sources/plaster.md"))["Plaster"]
    (table,) = [claim for claim in summary.body if claim.text.startswith("|")]
    said = texts(summary)

    assert table.text.split("\n")[2:] == ["| Scratch coat | 1 to 3 | yes |", "| Last coat | 1 to 1 | no |"]
    assert table.quotes == ("Scratch coat | 1 to 3 | yes", "Last coat | 1 to 1 | no")
    assert said.index("## Mix") < said.index(table.text) < said.index("## Cure")


def test_a_page_opens_with_what_its_thing_is() -> None:
    text = (
        "# Tides\n\nIf the harbour has called the `tide-board` before, the tide board is not painted again. "
        'To avoid confusion, this document does not use the word "harbour" for the quay. '
        "The tide board is a board that shows the height of the sea. Each tide board is read by the pilot at noon. "
        "Most tide boards are made of oak and carry white figures. The pilot goes home.\n"
    )
    pages = created(propose(text, "sources/tides.md"))

    assert texts(pages["Tide board"])[0].startswith("The tide board is a board that shows the height of the sea.")


def test_what_is_said_of_others_than_a_thing_is_not_said_of_it() -> None:
    text = (
        "# Boats\n\nA sailing boat is a boat that the wind drives. Each sailing boat carries a lamp at its mast. "
        "Every non-sailing boat of the harbour pays nine crowns a month.\n"
    )
    said = texts(created(propose(text, "sources/boats.md"))["Sailing boat"])

    assert any("carries a lamp" in each for each in said) and not any("non-sailing" in each for each in said)


def test_a_thing_is_not_the_file_that_is_called_so_in_capitals() -> None:
    text = (
        "# Crates\n\nA crate is a box of pine with a lid that is nailed down. Each crate carries one bill of its owner. "
        "CRATE is the list of boxes specific to one ship. A crate weighs less than forty kilos when it is loaded.\n"
    )
    said = texts(created(propose(text, "sources/notes.md"))["Crate"])

    assert said[0].startswith("A crate is a box") and not any("CRATE is the list" in each for each in said)


def test_a_page_has_no_more_claims_than_an_operation_may(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "".join(f"Oolong is a tea of {number} leaves in the garden of Fujian.\n\n" for number in range(10, 40))
    monkeypatch.setattr(import_module("curator.models.extractive.curate"), "MOST_CLAIMS", 1)

    proposal = propose(f"# Oolong\n\nOolong is a tea that is partly oxidised.\n\n{said}")

    assert max(len(each.body) for each in created(proposal).values()) == 1


def test_nothing_is_said_without_the_words_of_the_source() -> None:
    for text, path in ((SURVEY, "sources/a.md"), (GUIDE, "sources/b.rst"), (PEP, "sources/c.rst")):
        evidence = Evidence(path, source(text, path).document)
        for claim in claims(propose(text, path)):
            assert claim.quotes
            assert all(isinstance(evidence.find(quote), list) for quote in claim.quotes)
            assert not evidence.numbers_missing(claim.text)


def test_what_does_not_stand_alone_is_not_quoted() -> None:
    said = " ".join(claim.text for claim in claims(propose(SURVEY)))

    assert "1 mite per 100 bees. This was a surprise." in said
    assert "See the table" not in said
    assert "never quoted" not in said
    assert "|" not in said


def test_the_same_request_gets_the_same_answer_and_so_does_its_repair() -> None:
    request = Request(source(SURVEY))
    curator = ExtractiveCurator()

    first = curator.propose(request)

    assert curator.propose(request) == first
    assert curator.propose(request.again(first.text, ())).text == first.text
    assert first.model == curator.name == "built-in extractive curator (no language model)"
    assert (first.usage.prompt, first.usage.completion, first.usage.cost) == (0, 0, 0.0)


def test_two_pages_never_share_a_name() -> None:
    for text in (SURVEY, GUIDE, PEP):
        keys = [name_key(name) for op in created(propose(text)).values() for name in (op.title, *op.aliases)]
        assert len(keys) == len(set(keys))


def test_a_deeper_wiki_gets_more_of_a_source() -> None:
    text = PEP.replace(" A crate\nMAY hold", "\n\nA crate\nMAY hold")  # a paragraph is told whole
    amounts = [
        len(claims(propose(text, policy=CurationPolicy(depth=depth)))) for depth in ("shallow", "medium", "deep")
    ]

    assert amounts == sorted(amounts) and amounts[0] < amounts[2]


def test_the_threshold_of_the_wiki_counts() -> None:
    policy = CurationPolicy(new_entry_threshold="A thing gets a page when a source says at least five things about it.")

    assert all(op.kind == "summary" or len(op.body) > 5 for op in created(propose(SURVEY, policy=policy)).values())


def test_the_own_name_of_a_concept_is_left_to_its_page() -> None:
    text = "# Sugar shake\n\n" + SURVEY.partition("## The sugar shake")[2].partition("## References")[0]
    pages = created(propose(text))

    assert {"Sugar shake (2025-04-12)", "Sugar shake"} <= set(pages)
    assert pages["Sugar shake (2025-04-12)"].kind == "summary"


# -- a wiki that knows something ---------------------------------------------------------------------------------

SHAKE = page(
    "sugar-shake",
    "A sugar shake is a field test that loosens varroa mites from live bees with icing sugar. [^old-1]\n\n"
    "## From Old notes\n\n- The August treatment threshold for the varroa mite is 3 mites per 100 bees. [^old-2]\n\n"
    '[^old-1]: sources/old.txt#L1 "a sugar shake is a field test"\n'
    '[^old-2]: sources/old.txt#L2 "The August treatment threshold for the varroa mite is 3 mites per 100 bees."\n',
)


def test_a_known_page_is_added_to_and_not_made_again() -> None:
    proposal = propose(GUIDE, "sources/guide.rst", SHAKE)

    assert "Sugar shake" not in created(proposal)
    (add,) = [op for op in proposal.operations if isinstance(op, Add)]
    assert add.page == "sugar-shake"
    assert add.section == "From Guide to the mite"
    assert any(said.endswith("The sugar shake needs half a cup of bees from each hive.") for said in texts(add))


def test_a_known_page_may_be_known_by_an_alias_or_a_plural() -> None:
    for known in (
        page("icing-test", title="Icing test", aliases=["Sugar shakes"]),
        page("x", title="The Sugar-Shake"),
    ):
        assert [op.page for op in propose(SURVEY, "sources/s.md", known).operations if isinstance(op, Add)] == [
            known.slug
        ]


def test_an_ordinary_word_brings_no_statement_to_a_page_where_it_is_no_noun() -> None:
    known = (
        page("swift", "Swift is a programming language made at Apple. [^old-1]"),
        page("cast", "`cast` is a function that tells which type a value has. [^old-1]", "entity", title="cast"),
        page("extra", "An extra is a set of packages that a project may ask for. [^old-1]"),
    )
    fair = (
        "# The fair\n\nA swift reply is required. A dancer must be cast by the council. The village pays for it all.\n"
    )
    notes = (
        "# Notes\n\nSwift is a language with optional values. `cast` is a function that returns its value as it is. "
        "When comparing extra names, tools must fold them to small letters.\n"
    )

    assert {op.page for op in propose(fair, "sources/fair.md", *known).operations if isinstance(op, Add)} == set()
    assert {op.page for op in propose(notes, "sources/notes.md", *known).operations if isinstance(op, Add)} == {
        "swift",
        "cast",
        "extra",
    }


def test_of_two_things_of_a_name_that_page_is_added_to_whose_words_are_said() -> None:
    known = (
        page("java", "Java is an island of Indonesia with forty volcanoes. [^old-1]", "entity"),
        page("java-language", "Java runs on the JVM. [^old-2]", "entity", title="Java (language)"),
    )
    log = (
        "# Log\n\nThe volcano of Java that was seen is one of forty.\nJava was compiled for the JVM by Ada on Monday.\n"
    )

    (add,) = [op for op in propose(log, "sources/log.md", *known).operations if isinstance(op, Add)]
    assert (add.page, len(add.body)) == ("java", 1)
    trip = "# Trip\n\nJava was reached by the ship of the line in May.\nThe volcanoes of the island are high.\n"
    (add,) = [op for op in propose(trip, "sources/trip.md", *known).operations if isinstance(op, Add)]
    assert (add.page, len(add.body)) == ("java", 1)


def test_a_page_known_only_as_a_line_of_the_index_is_added_to() -> None:
    proposal = propose(GUIDE, "sources/guide.rst", entries=(PageEntry.of(SHAKE),))

    assert "Sugar shake" not in created(proposal)
    assert [op.page for op in proposal.operations if isinstance(op, Add)] == ["sugar-shake"]


def test_what_a_page_says_already_is_not_added() -> None:
    adds = [op for op in propose(SURVEY, "sources/new.md", SHAKE).operations if isinstance(op, Add)]

    assert adds
    assert not any("loosens varroa mites" in text for add in adds for text in texts(add))


def test_a_summary_page_of_another_source_is_never_added_to() -> None:
    other = page("other", kind="summary", title="Sugar shake")

    assert not [op for op in propose(SURVEY, "sources/s.md", other).operations if isinstance(op, Add)]


def test_a_contradiction_is_disputed_with_the_passage_as_the_page_writes_it() -> None:
    (dispute,) = [op for op in propose(GUIDE, "sources/guide.rst", SHAKE).operations if isinstance(op, Dispute)]

    assert dispute.page == "sugar-shake"
    assert SHAKE.body.count(dispute.passage) == 1
    assert dispute.passage.startswith("The August treatment threshold for the varroa mite is 3 mites")
    assert dispute.claim.text == "The August treatment threshold for the varroa mite is 2 mites per 100 bees."


def test_what_a_source_tells_as_a_change_is_disputed_with_it() -> None:
    cake = page(
        "honey-cake",
        'Honey cake is a cake. [^o]\n\n- The honey cake cannot be eaten warm. [^o]\n\n[^o]: sources/o.txt#L1 "it"\n',
    )
    text = "# Rules of baking\n\nSince the trial of 2020 the honey cake can be eaten warm. It keeps for a week.\n"

    (dispute,) = [op for op in propose(text, "sources/rules.md", cake).operations if isinstance(op, Dispute)]

    assert dispute.page == "honey-cake" and dispute.passage.startswith("The honey cake cannot be eaten warm.")
    assert dispute.claim.text == "Since the trial of 2020 the honey cake can be eaten warm."


def test_another_sources_summary_is_disputed_when_nothing_else_is() -> None:
    other = page("old-notes", SHAKE.body.partition("\n\n")[2], kind="summary")
    proposal = propose(GUIDE, "sources/guide.rst", other)

    assert [op.page for op in proposal.operations if isinstance(op, Dispute)] == ["old-notes"]


@pytest.mark.parametrize(("text", "path"), [(GUIDE, "sources/guide.rst"), (PEP, "sources/pep-9427.rst")])
def test_a_source_that_supersedes_another_says_so(text: str, path: str) -> None:
    olds = (
        page("old-guide", kind="summary"),
        page("pep-9376", kind="summary", title="PEP 9376 – Crates", metadata={"curator": {"aliases": ["PEP 9376"]}}),
    )
    marks = [op for op in propose(text, path, *olds).operations if isinstance(op, Mark)]

    own = Path(path).stem
    assert [(mark.page, mark.supersedes) for mark in marks] == [
        (own, ("pep-9376",) if own == "pep-9427" else ("old-guide",))
    ]


def test_a_source_that_names_its_successor_marks_the_successor() -> None:
    text = PEP.replace("Replaces: 9376", "Superseded-By: 9500")
    new = page("pep-9500", kind="summary", title="PEP 9500 – Boxes", metadata={"curator": {"aliases": ["PEP 9500"]}})

    assert (
        Mark(op="mark", page="pep-9500", supersedes=("pep-9427",))
        in propose(text, "sources/pep-9427.rst", new).operations
    )


REJECTED = """\
PEP: 9700
Title: Honey by post
Status: Rejected

.. note::
   This PEP was rejected due to a lack of jars in the whole of the valley.

Abstract
========

This PEP describes how honey is sent by post in the valley. Honey by post needs a jar that cannot break.

Specification
=============

A honey jar is a jar with a lid that cannot be lost. A honey jar MUST be closed with wax before it is sent. However, a honey
jar MAY be sent without wax in the winter.
"""


def test_that_a_document_was_rejected_and_why_stands_in_its_opening_and_beside_its_rules() -> None:
    pages = created(propose(REJECTED, "sources/pep-9700.rst"))

    why = "This PEP was rejected due to a lack of jars in the whole of the valley."
    summary = texts(pages["PEP 9700 – Honey by post"])
    assert why in summary[: summary.index("- Status: Rejected")]
    assert texts(pages["Honey jar"])[0] == "## From PEP 9700 (rejected)"


@pytest.mark.parametrize(
    ("heading", "is_why"), [("Why it was rejected", True), ("Rejection", True), ("Rejected ideas", False)]
)
def test_the_section_on_why_a_document_was_rejected_is_none_of_rejected_ideas(heading: str, is_why: bool) -> None:
    table = "| | |\n|---|---|\n| Status | rejected |\n| Author | Ruben Ahl |\n"
    proposal = "The note proposed that two stations fly from one field in turns."
    why = "The council turned the note down, five votes to two, in the autumn."
    text = f"# Note 4: Shared fields\n\n{table}\n## Proposal\n\n{proposal}\n\n## {heading}\n\n{why}\n"

    (page,) = created(propose(text, "sources/note-4.md")).values()

    head = ["- Status: rejected", "- Author: Ruben Ahl"]
    assert texts(page)[: 3 + is_why] == [proposal, *([why] if is_why else []), *head]


def test_a_change_of_a_document_goes_to_its_page_too() -> None:
    old = page("pep-9427", kind="summary", title="PEP 9427 – The egg format", aliases=["PEP 9427"])
    text = (
        "PEP: 9500\nTitle: Wheels\n\nAbstract\n========\n\nThis PEP extends PEP 9427 with a file that lists all eggs. "
        "Eggs are named as PEP 9427 wants it. This PEP does not change PEP 9427 in any other way. The weight, when used "
        "in the PEP 9427 table of eggs, MUST be written in grams."
    )

    pages = created(propose(text, "sources/pep-9500.rst", old))

    assert texts(pages["PEP 9427"]) == [
        "## From PEP 9500",
        "- PEP 9500 extends PEP 9427 with a file that lists all eggs.",
        "- The weight, when used in the PEP 9427 table of eggs, MUST be written in grams.",
    ]


def test_a_change_of_a_document_that_is_not_here_yet_waits_for_it() -> None:
    text = (
        "PEP: 9500\nTitle: Wheels\n\nAbstract\n========\n\nThis PEP extends PEP 9427 with a file that lists all eggs. "
        "Eggs are weighed by the rule of PEP 9333."
    )

    pages = created(propose(text, "sources/pep-9500.rst"))

    assert texts(pages["PEP 9427"])[1:] == ["- PEP 9500 extends PEP 9427 with a file that lists all eggs."]
    assert "PEP 9333" not in pages


@pytest.mark.parametrize(("became", "is_told"), [("have been disabled since May", True), ("would be disabled", False)])
def test_what_became_of_what_a_document_says_is_told_there_with_its_name(became: str, is_told: bool) -> None:
    old = page("pep-9427", kind="summary", title="PEP 9427 – The egg format", aliases=["PEP 9427"])
    named, end = "Eggs carry a seal of wax by PEP 9427.", f"Seals of wax {became}, after most of them fell off."
    text = f"PEP: 9500\nTitle: Wheels\n\nSeals\n=====\n\n{named}\n\n{end}\n\nCrates\n======\n\nCrates are of wood."

    pages = created(propose(text, "sources/pep-9500.rst", old))

    assert ("PEP 9427" in pages) is is_told
    if is_told:
        (claim,) = pages["PEP 9427"].body[1:]
        assert (claim.text, claim.quotes) == (f"- {named} {end}", (named, end))


def test_a_list_comes_whole_with_what_leads_in_to_it() -> None:
    lists = (
        "A pond is opened under these conditions:\n\n- The ice is 15 cm thick, and\n- a boat,\n  and a rope, lie at it."
    )
    steps = "The keeper of the pond measures ice like this:\n\n1. Drill a hole.\n2. Lower the rule.\n3. Read the mark."
    terms = "A pond has two signs.\n\n- `open`: It is green. If present, it hangs at the gate.\n- `closed`: It is red."
    text = (
        f"# Ice\n\nSkating is allowed in a cold winter only.\n\n## Rules\n\n{lists}\n\n{steps}\n\n## Signs\n\n{terms}\n"
    )

    (summary,) = (p for p in created(propose(text, "sources/ice.md")).values() if p.kind == "summary")

    assert [text for text in texts(summary) if "\n" in text] == [
        "- A pond is opened under these conditions:\n  - The ice is 15 cm thick, and\n  - a boat, and a rope, lie at it.",
        "- The keeper of the pond measures ice like this:\n  1. Drill a hole.\n  2. Lower the rule.\n  3. Read the mark.",
        "- A pond has two signs.\n  - `open`: It is green. If present, it hangs at the gate.\n  - `closed`: It is red.",
    ]


def test_a_long_part_is_told_under_the_headings_below_its_own() -> None:
    fields = "".join(
        f"### crate{n}\n\n"
        + " ".join(f"Crate {n} has the rule number {m}{n} for apples of sort {m}." for m in range(3))
        for n in range(2)
    )
    rules = " ".join(f"An orchard of sort {n} keeps its {n}0 ladders in a shed with a roof." for n in range(12))
    text = f"# Fruit\n\n## Aim\n\nFruit is kept in crates of wood.\n\n## Format\n\n{rules}\n\n{fields}"

    (summary,) = (p for p in created(propose(text, "sources/fruit.md")).values() if p.kind == "summary")

    assert {"## Format", "## crate0"} <= set(texts(summary))


def test_a_long_source_is_told_as_far_as_a_page_has_room() -> None:
    spoken = random.Random(7)
    words = ["".join(spoken.choices(["ba", "ko", "ri", "lu", "me", "sta", "no"], k=3)) for _ in range(900)]

    def sentence() -> str:
        one, two, three, four, five, six = spoken.sample(words, 6)
        return f"The {one} keeps a {two} of {three} in the {four}, and every {five} is mended by the {six} of its ward."

    parts = [f"## The {word}\n\n" + " ".join(sentence() for _ in range(9)) for word in words[:90]]
    text = "# The wards\n\nThe wards keep their things by rules.\n\n" + "\n\n".join(parts)

    (summary,) = (p for p in created(propose(text, "sources/wards.md")).values() if p.kind == "summary")

    size = sum(len(claim.text) + sum(map(len, claim.quotes)) for claim in summary.body)
    assert 20_000 < size < sizes.MAX_PAGE_BYTES - 5_000


def test_a_source_that_changed_changes_its_pages() -> None:
    path = "sources/guide.rst"
    body = (
        "This guide describes how members of the society count and treat varroa mites. [^guide-1]\n\n## Key points\n\n"
        "- The August treatment threshold for the varroa mite is 3 mites per 100 bees. [^guide-2]\n\n"
        f'[^guide-1]: {path}#L12 "This guide describes how members of the society count and treat varroa mites."\n'
        f'[^guide-2]: {path}#L15 "The August treatment threshold for the varroa mite is 3 mites per 100 bees."\n'
    )
    old = page("guide", body, kind="summary", title="Guide to the mite", sources=[path])

    proposal = propose(GUIDE, path, old)

    assert not any(op.kind == "summary" for op in created(proposal).values())
    (replace,) = [op for op in proposal.operations if isinstance(op, Replace)]
    assert old.body.count(replace.passage) == 1
    assert (
        replace.body[0].text == "The August treatment threshold for the varroa mite is 2 mites per 100 bees. [^guide-2]"
    )
    assert all(op.page == "guide" for op in proposal.operations if isinstance(op, Add))
    assert not of_kind(proposal, Dispute)


def test_an_unchanged_source_asks_for_nothing_twice() -> None:
    first = propose(SURVEY)
    pages = []
    for op in first.operations:
        assert isinstance(op, Create)
        slug = "2025-04-12-survey" if op.kind == "summary" else slugify(op.title)
        body = "\n\n".join(texts(op))
        pages.append(page(slug, body, kind=op.kind, title=op.title, sources=["sources/2025-04-12-survey.md"]))

    again = propose(SURVEY, "sources/2025-04-12-survey.md", *pages)

    known = {name_key(p.title) for p in pages}
    assert not any(name_key(title) in known for title in created(again))
    assert not of_kind(again, Add) and not of_kind(again, Replace) and not of_kind(again, Dispute)


# -- other languages, odd sources --------------------------------------------------------------------------------


@pytest.mark.reads_in_jail
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "# Der Wintersitz\n\nDie Wintertraube ist eine Kugel aus Bienen, die das Volk im Winter warm hält. "
            "Der Imker wiegt die Beute im Herbst und im Frühjahr. Die Völker brauchen achtzehn Kilogramm Futter.\n",
            "Die Wintertraube ist eine Kugel aus Bienen, die das Volk im Winter warm hält.",
        ),
        (
            "# L'hiver\n\nLa grappe est une boule d'abeilles qui garde la colonie au chaud. L'apiculteur pèse la ruche en "
            "automne.\n",
            "La grappe est une boule d'abeilles qui garde la colonie au chaud.",
        ),
        (
            "# 蜜蜂\n\n蜜蜂是一种会飞行的群居昆虫。它们在蜂箱里储存蜂蜜过冬。养蜂人在秋天称蜂箱的重量。\n",
            "蜜蜂是一种会飞行的群居昆虫。",
        ),
    ],
)
def test_other_languages_get_a_summary_and_pages_of_what_they_define(text: str, said: str) -> None:
    pages = created(propose(text, "sources/notes.md"))

    assert {op.kind for op in pages.values()} <= {"summary", "concept"}
    assert said in "".join(texts(next(iter(pages.values()))))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "```\ncode\n```\n",
        "# Only a title\n",
        "---\ntitle: x\n---\n",
        "|a|b|\n|-|-|\n",
        "x",
        "- a\n- b\n",
        "\x0c",
    ],
)
def test_a_source_that_says_nothing_gets_an_empty_proposal(text: str) -> None:
    assert propose(text).operations == ()


def test_a_list_of_names_still_gets_a_summary() -> None:
    (summary,) = created(propose("Ada Lovelace of London\nGrace Hopper of Arlington\n", "sources/n.txt")).values()

    assert summary.kind == "summary"
    assert claims(propose("Ada Lovelace of London\nGrace Hopper of Arlington\n", "sources/n.txt"))


def test_hostile_markup_becomes_plain_words() -> None:
    text = (
        "# Bees\n\nThe keeper of the bees writes [[a|b]] and <script>alert(1)</script> into the card of the hive. "
        "The card of the hive shows ![x](https://x.org/y.png) and [a link](javascript:alert) every single day.\n"
    )
    for claim in claims(propose(text)):
        outline = markdown.scan(claim.text)
        assert not outline.links and not outline.html and "javascript" not in claim.text


# -- laws --------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    "the a bee hive syrup queen Harrow Valley `crate` **mite** *brood* winter is are of and 18 kg 2024 (HVB) :ref:`x` "
    "[label](https://x.org) ``code`` [1]_ e.g. MUST not <b> & _x_ café 蜜蜂 \\* text_ |s| [^2] build-\nbackend “fondant” "
    "... `DRY\n<https://x.org/a>`_ `b <https://x.org/b>`__ --".split(" ")
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=18).map(lambda words: " ".join(words).capitalize() + ".")
BLOCKS = st.one_of(
    st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join),
    SENTENCES.map(lambda text: f"- {text}"),
    SENTENCES.map(lambda text: f"## {text[:30]}".replace("\n", " ")),
    st.sampled_from(
        ["Title\n=====", "    code", "```\nx\n```", "| a | b |\n|---|---|", "> quoted words stand here.", "::", "* a"]
    ),
)
FORMAT = st.sampled_from([".md", ".rst", ".txt", ".org", ".adoc", ".html"])


@laws
@example("`dry\n<https://x.org/a>`_.", ".html")
@given(st.lists(BLOCKS, max_size=14).map("\n\n".join), FORMAT)
def test_every_quote_is_found_in_its_source_whatever_the_source(text: str, suffix: str) -> None:
    path = f"sources/any{suffix}"
    proposal = propose(text, path)
    evidence = Evidence(path, source(text, path).document)

    for claim in claims(proposal):
        outline = markdown.scan(claim.text)
        assert not outline.links and not outline.html
        for quote in claim.quotes:
            found = evidence.find(quote)
            assert isinstance(found, list) and all(map(evidence.holds, found))
    for op in created(proposal).values():
        assert op.kind == "summary" or is_slug(slugify(op.title))


@laws
@given(st.text(max_size=300), FORMAT)
def test_no_text_is_too_odd_for_it(text: str, suffix: str) -> None:
    assert propose(text, f"sources/any{suffix}") == propose(text, f"sources/any{suffix}")


# -- the corpus, where there is one ------------------------------------------------------------------------------

CORPUS = SHARED / "corpus" / "peps"
JUNK = {
    "the",
    "pep",
    "abstract",
    "rationale",
    "example",
    "package manager",
    "user",
    "tool",
    "file",
    "standard track",
    "final",
}


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not part of the project")
def test_real_documents_are_quoted_word_for_word() -> None:
    for path in sorted(CORPUS.glob("*.rst")):
        read = source(path.read_text(), f"sources/{path.name}")
        proposal = Proposal.parse(ExtractiveCurator().propose(Request(read)).text)
        evidence = Evidence(read.path, read.document)
        assert all(isinstance(evidence.find(quote), list) for claim in claims(proposal) for quote in claim.quotes)
        pages = created(proposal)
        assert sum(op.kind == "summary" for op in pages.values()) == 1
        assert len(pages) <= 20
        assert not JUNK & {name_key(title) for title in pages}


@pytest.mark.reads_in_jail
def test_a_question_is_answered_in_a_jail_and_a_fault_there_is_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    curator = ExtractiveCurator()
    question = Question("What is oolong?", ())

    assert curator.answer(question).sandbox in ("strong", "medium", "weak")
    monkeypatch.setattr(import_module("curator.models.extractive.answer"), "answer", lambda question: 1 / 0)
    with pytest.raises(ModelError, match="the built-in answer ended with ZeroDivisionError"):
        curator.answer(question)


def test_what_leans_on_a_sentence_comes_with_it() -> None:
    text = (
        "# Ada Crane\n\nAda Crane built the lens of the harbour. She sold the patent to a mill in 1929 for a crown.\n"
    )
    said = [claim.text for claim in claims(propose(text, "sources/crane.md"))]

    assert any("harbour. She sold the patent to a mill in 1929 for a crown." in text for text in said)


def test_a_table_of_properties_is_told_row_by_row() -> None:
    table = "| property | value |\n|---|---|\n| weight | 18 kg |\n| tank | 6 litres of oil |\n"
    text = f"# The Osk lamp\n\nThe Osk lamp is an oil lamp for ships and harbours.\n\n## Data\n\n{table}"
    said = [claim.text for claim in claims(propose(text, "sources/osk.md"))]

    assert "- Weight: 18 kg\n- Tank: 6 litres of oil" in "\n".join(said)


def test_a_document_whose_table_of_standing_says_that_it_replaces_another_supersedes_it() -> None:
    old = page("note-1", kind="summary", title="Kite Note 1: Wire of steel")
    text = (
        "# Kite Note 6: Lines\n\n| | |\n|---|---|\n| Status | in force, replaces Kite Note 1 |\n| Author | Selma |\n\n"
    )

    marks = of_kind(propose(f"{text}## Rules\n\nThe line of a kite is braided of fibre.\n", "sources/n6.md", old), Mark)

    assert [mark.supersedes for mark in marks if isinstance(mark, Mark)] == [("note-1",)]


def test_a_document_that_says_it_replaces_another_one_supersedes_it() -> None:
    old = page("standard-4", kind="summary", title="Lamp Standard 4")
    text = "# Lamp Standard 5\n\nLamp Standard 5 replaces Lamp Standard 4 and its amendment.\n"
    marks = [op for op in propose(text, "sources/standard-5.md", old).operations if isinstance(op, Mark)]

    assert [mark.supersedes for mark in marks] == [("standard-4",)]
