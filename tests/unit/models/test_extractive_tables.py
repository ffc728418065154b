"""The tables of a source, and that what it sets side by side, and its dates, stand on its summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.models.extractive import ExtractiveCurator
from curator.models.extractive.parsing.grids import read_tables
from curator.models.port import Request
from curator.models.proposal import Create, Proposal
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.source import Document, Source
from support.pages import draft, wiki

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

- 1743: The mill was built by the Thornquist family.
- 15 May 1954: The mill was closed by its owner.

## Wheel and turbine

A water wheel is slower than a turbine, and it lasts longer.

{TABLE}"""
RST = """\
Scales
======

The two scales of the society are weighed against each other on this page.

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


def test_events_and_a_table_stand_whole_under_their_headings() -> None:
    mill = source(MILL)
    proposal = Proposal.parse(ExtractiveCurator().propose(Request(mill)).text)
    found = draft(wiki(), mill, *proposal.operations)
    (summary,) = (op for op in proposal.operations if isinstance(op, Create))
    said = [claim.text for claim in summary.body]

    assert found.broken == found.left_out == ()
    assert said[said.index("## History") + 1] == "- 1743: The mill was built by the Thornquist family."
    assert said[-1].split("\n") == [
        "| Aspect | Water wheel | Turbine |",
        "| --- | --- | --- |",
        "| Power | 4 kW | 22 kW |",
        "| Speed | 8 turns a minute | – |",
    ]
    assert summary.body[-1].quotes == ("Power | 4 kW | 22 kW", "Speed | 8 turns a minute |")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| 4 kW | 22 kW |", "| | |"),
        ("| 4 kW |", "| {{ power }} |"),
        ("| 4 kW |", "| 4 kW | more |"),
        ("| Power | 4 kW | 22 kW |\n", ""),
    ],
)
def test_a_table_with_a_row_that_cannot_be_proven_is_not_shown(old: str, new: str) -> None:
    proposal = Proposal.parse(ExtractiveCurator().propose(Request(source(MILL.replace(old, new)))).text)

    assert not any("---" in claim.text for op in proposal.operations if isinstance(op, Create) for claim in op.body)


def test_a_row_without_a_name_is_of_the_row_above_and_stays() -> None:
    text = MILL.replace("| Power |", "| |")
    proposal = Proposal.parse(ExtractiveCurator().propose(Request(source(text))).text)

    assert any(
        "| – | 4 kW |" in claim.text for op in proposal.operations if isinstance(op, Create) for claim in op.body
    )


@pytest.mark.parametrize(
    ("text", "path", "heads"),
    [
        (TABLE, "sources/a.md", [["Aspect", "Water wheel", "Turbine"]]),
        (
            TABLE.replace("\n|", "\n").replace("| Aspect", "Aspect"),
            "sources/a.md",
            [["Aspect", "Water wheel", "Turbine"]],
        ),
        (RST, "sources/a.rst", [["Feature", "Brannick", "Thorn"]]),
        (RST.replace("Readings by hour", "         by hour"), "sources/a.rst", []),
        (RST.replace("Weight   12 kg      9 kg", "Weight of both    9 kg"), "sources/a.rst", []),
        ("Month | Change\nMay | 6\nJune | 8\n", "sources/a.html", [["Month", "Change"]]),
        ("| Name | Value |\n| - | :-: |\n| - | - |\n", "sources/a.md", [["Name", "Value"]]),
        ("a | b\n", "sources/a.md", []),
        ("Words.\n\n| a |\n", "sources/a.md", []),
    ],
)
def test_the_tables_of_a_source(text: str, path: str, heads: list[list[str]]) -> None:
    assert [[cell.plain for cell in grid.head] for grid in read_tables(source(text, path))] == heads


def test_a_short_row_of_values_is_proven_with_its_neighbour_the_last_one_too() -> None:
    text = "# The mill\n\nThe mill of Brannick is a water mill on the river Orr.\n\n## Parameters\n\n"
    text += "| Constant | Value |\n| - | - |\n| `GATE` | `2` |\n| `WHEEL` | `3` |\n"
    proposal = Proposal.parse(ExtractiveCurator().propose(Request(source(text))).text)
    (summary,) = (op for op in proposal.operations if isinstance(op, Create) and op.kind == "summary")

    assert [claim.text for claim in summary.body[1:]] == ["## Parameters", "- `GATE`: `2`", "- `WHEEL`: `3`"]
    assert summary.body[-2].quotes == summary.body[-1].quotes == ("`GATE` | `2` | | `WHEEL` | `3`",)


TWO = "# Lamps\n\nThe lamps of the bay are lit.\n\n## Light\n\n{}### Brekk\n\n{}| Day | Hours |\n|--|--|\n{}\n"


def summary_of(text: str) -> str:
    """The blocks of the summary, one behind the other."""
    proposal = Proposal.parse(ExtractiveCurator().propose(Request(source(text))).text)
    (made,) = (op for op in proposal.operations if isinstance(op, Create) and op.kind == "summary")
    return "\n".join(claim.text for claim in made.body)


DAYS = "| Monday the first | 10 |\n| Tuesday the second | 9 |\n"


def test_a_table_of_two_columns_is_told_under_its_heading_though_its_rows_have_no_names() -> None:
    page = summary_of(
        TWO.format("Lamps are lit at dusk.\n\n", "", "| 26.0.0 | April 2026 |\n| 27.0.0 | April 2027 |\n")
    )

    assert "## Brekk\n| Day | Hours |\n| --- | --- |\n| 26.0.0 | April 2026 |" in page


def test_a_table_that_is_an_example_is_told_as_one_and_not_row_by_row() -> None:
    page = summary_of(TWO.format("Lamps are lit at dusk.\n\n", "For example:\n\n", DAYS))

    assert "### For example\n| Day | Hours |\n| --- | --- |\n| Monday the first | 10 |" in page
    assert "- Monday the first: 10" in summary_of(TWO.format("Lamps are lit at dusk.\n\n", "", DAYS))
