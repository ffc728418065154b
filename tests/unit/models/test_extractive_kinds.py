"""Timelines and comparisons of the built-in curator: made where a source leaves no doubt, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.models.extractive import ExtractiveCurator
from curator.models.extractive.parsing.grids import read_tables
from curator.models.port import Request
from curator.models.proposal import Add, Create, Proposal
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.source import Document, Source
from support.pages import draft, page, wiki

EVENTS = """\
- 1743: The mill was built by the Thornquist family.
- **1802** – A second wheel was added to the mill.
- In 1868 the dam broke and the mill stood still for a year.
- June 1911: The wheels were replaced by a turbine.
- Nobody lived in the mill for long.
- 15 May 1954: The mill was closed by its owner.
"""
TABLE = """\
| Aspect | Water wheel | Turbine |
|---|---|---|
| Power | 4 kW | 22 kW |
| Speed | 8 turns a minute | |
"""
MILL = f"""\
# The mill of Brannick

The mill of Brannick is a water mill on the river Orr. It is the oldest mill of the whole valley.

## History

{EVENTS}
## Wheel and turbine

A water wheel is slower than a turbine, and it lasts longer.

{TABLE}"""
RST = """\
Scales
======

The two scales of the society are weighed against each other on this page.

Chronology
----------

2025-07-30 14:05
    The first scale stopped sending its readings.

2025-07-30 14:20
    Osric Fennimore was called by the society.

2025-07-30 15:10
    The mast was found without power by him.

2025-07-30 16:00
    A new fuse brought the readings back.

Scales
------

======== ========== =========
Feature  Brannick   Thorn
======== ========== =========
Weight   12 kg      9 kg
Readings by hour
======== ========== =========
"""


def source(text: str, path: str = "sources/mill.md") -> Source:
    return Source(path, "sha256:0", Document.from_text(text), FORMATS[Path(path).suffix])


def proposed(text: str, path: str = "sources/mill.md", *pages: Page) -> Proposal:
    return Proposal.parse(ExtractiveCurator().propose(Request(source(text, path), pages=pages)).text)


def made(text: str, path: str = "sources/mill.md") -> dict[str, Create]:
    """The timelines and comparisons by their titles; whatever is proposed lands whole."""
    proposal = proposed(text, path)
    found = draft(wiki(), source(text, path), *proposal.operations)
    assert found.broken == found.left_out == ()
    pages = [op for op in proposal.operations if isinstance(op, Create) and op.kind in ("timeline", "comparison")]
    return {op.title: op for op in pages}


def test_a_history_becomes_a_timeline_and_a_table_of_things_a_comparison() -> None:
    pages = made(MILL)

    assert {title: op.kind for title, op in pages.items()} == {
        "History of the mill of Brannick": "timeline",
        "Water wheel and turbine compared": "comparison",
    }
    assert [claim.text[:11] for claim in pages["History of the mill of Brannick"].body] == [
        "- 1743: The",
        "- 1802 – A ",
        "- In 1868 t",
        "- June 1911",
        "- 15 May 19",
    ]
    lead, table = pages["Water wheel and turbine compared"].body
    assert lead.text == "A water wheel is slower than a turbine, and it lasts longer."
    assert table.text.split("\n") == [
        "| Aspect | Water wheel | Turbine |",
        "| --- | --- | --- |",
        "| Power | 4 kW | 22 kW |",
        "| Speed | 8 turns a minute | – |",
    ]
    assert table.quotes == ("Power | 4 kW | 22 kW", "Speed | 8 turns a minute |")


def test_a_definition_list_and_a_simple_table_are_read_too() -> None:
    pages = made(RST, "sources/scales.rst")

    assert set(pages) == {"Timeline of Scales", "Brannick and Thorn compared"}
    assert pages["Timeline of Scales"].body[1].text == "- 2025-07-30 14:20: Osric Fennimore was called by the society."
    assert pages["Brannick and Thorn compared"].body[-1].text.endswith("| Readings | by hour | – |")


def test_every_row_and_every_event_is_proven() -> None:
    for text, path in ((MILL, "sources/mill.md"), (RST, "sources/scales.rst")):
        evidence = Evidence(path, source(text, path).document)
        for operation in made(text, path).values():
            for claim in operation.body:
                assert claim.quotes
                assert all(isinstance(evidence.find(quote), list) for quote in claim.quotes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## History", "## Visitors"),
        ("## History", "## Revision history"),
        ("- June 1911: The wheels were", "- The wheels were"),
        (
            "- 1743: The mill was built by the Thornquist family.\n- **1802** – A second wheel was added to the mill.\n",
            "",
        ),
        ("- 15 May 1954: The mill was closed by its owner.", "- 15 May 1954: closed"),
    ],
)
def test_what_is_no_history_makes_no_timeline(old: str, new: str) -> None:
    text = MILL.replace(old, new)
    if "15 May" in old:
        text = text.replace("- June 1911: The wheels were replaced by a turbine.", "- June 1911: turbine")

    assert text != MILL
    assert [op.kind for op in made(text).values()] == ["comparison"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| Aspect |", "| Mill |"),
        ("| Water wheel | Turbine |", "| Description | Turbine |"),
        ("| Water wheel | Turbine |", "| Default value | Example |"),
        ("| Water wheel | Turbine |", "| Turbine | Turbines |"),
        ("| Water wheel | Turbine |", "| 2024 | 2025 |"),
        ("| Power | 4 kW | 22 kW |\n", ""),
        ("| Power |", "| |"),
        ("| 4 kW | 22 kW |", "| | |"),
        ("| 4 kW |", "| {{ power }} |"),
        ("| 4 kW |", "| 4 kW | more |"),
    ],
)
def test_what_is_no_comparison_makes_none(old: str, new: str) -> None:
    text = MILL.replace(old, new)

    assert text != MILL
    assert [op.kind for op in made(text).values()] == ["timeline"]


def test_a_known_timeline_and_a_known_comparison_are_added_to() -> None:
    known = (
        page("mill", "Old.", "timeline", title="History of the mill of Brannick"),
        page("wheels", "Old.", "comparison", title="Water wheel and turbine compared"),
        page("hives", "Old.", "concept", title="History of hives"),
    )

    found = [op for op in proposed(MILL, "sources/mill.md", *known).operations if isinstance(op, Add)]

    assert {op.page: len(op.body) for op in found} == {"mill": 5, "wheels": 1}


def test_a_page_of_that_name_of_another_kind_is_left_alone() -> None:
    other = page("mill", "Old.", "concept", title="History of the mill of Brannick")

    operations = proposed(MILL, "sources/mill.md", other).operations

    assert not [op for op in operations if isinstance(op, Create) and op.kind == "timeline"]


GRID = """\
+----------+----------+
| Feature  | Brannick |
+==========+==========+
| Weight   | 12 kg    |
+----------+----------+
| Readings | hourly   |
+----------+----------+
"""


@pytest.mark.parametrize(
    ("text", "path", "heads"),
    [
        (TABLE, "sources/a.md", [["Aspect", "Water wheel", "Turbine"]]),
        (
            TABLE.replace("\n|", "\n").replace("| Aspect", "Aspect"),
            "sources/a.md",
            [["Aspect", "Water wheel", "Turbine"]],
        ),
        (GRID, "sources/a.rst", [["Feature", "Brannick"]]),
        (GRID.replace("12 kg    |\n", "12 kg    |\n| a       | b        |\n"), "sources/a.rst", []),
        (RST, "sources/a.rst", [["Feature", "Brannick", "Thorn"]]),
        (RST.replace("Readings by hour", "         by hour"), "sources/a.rst", []),
        (RST.replace("Weight   12 kg      9 kg", "Weight of both    9 kg"), "sources/a.rst", []),
        ("Month | Change\nMay | 6\nJune | 8\n", "sources/a.html", [["Month", "Change"]]),
        ("a | b\n", "sources/a.md", []),
        ("Words.\n\n| a |\n", "sources/a.md", []),
    ],
)
def test_the_tables_of_a_source(text: str, path: str, heads: list[list[str]]) -> None:
    assert [[cell.plain for cell in grid.head] for grid in read_tables(source(text, path))] == heads
