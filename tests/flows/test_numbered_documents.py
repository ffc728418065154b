"""Documents that have their number in a head of YAML are called by it, and linked where others name them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from curator.cli import cli
from curator.models.proposal import Claim
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import concept, drop, proposal, summary, take_in

FEE = """---
eip: 91559
title: Fee market of the yard
status: Final
---

## Abstract

A yard fee is an amount that each crate pays for the space that it takes in the yard.
The yard fee is raised by one eighth when more than half of the yard is taken.
"""
CRATE = """---
eip: 94844
title: Crates in the yard
status: Review
requires: 91559
---

## Abstract

A wide crate is a crate that takes the space of two in the yard.
As in [EIP-91559](./eip-91559.md), a wide crate pays a yard fee for the space that it takes.
"""


def test_a_document_is_linked_by_its_number(root: Path) -> None:
    for name, text in (("eip-91559.md", FEE), ("eip-94844.md", CRATE)):
        (root / "sources" / name).write_text(text)
        done = CliRunner().invoke(cli, ["--wiki", str(root), "ingest", str(root / "sources" / name)])
        assert "ingested" in done.output, done.output

    fee = (root / "summaries" / "eip-91559-summary.md").read_text()
    pages = "".join(page.read_text() for page in root.glob("*/*.md") if page.parent.name != "sources")
    assert "title: EIP 91559 – Fee market of the yard" in fee
    assert "[[eip-91559-summary|EIP-91559]], a wide crate pays" in pages
    assert "./eip-91559.md" not in pages


def test_a_summary_by_a_model_goes_by_the_number_of_its_document_too(root: Path, repository: Repository) -> None:
    """Without it nothing that others write of EIP-91559 is linked."""
    quote = "A yard fee is an amount that each crate pays for the space that it takes in the yard."
    fee = summary(Claim(text=quote, quotes=(quote,)), title="EIP-91559: Fee market of the yard")
    take_in(drop(root, "eip-91559.md", FEE), repository, ScriptedModel((proposal(fee),)))
    wide = Claim(
        text="As in EIP 91559, a wide crate pays a yard fee for the space that it takes.",
        quotes=("a wide crate pays a yard fee for the space that it takes", "As in [EIP-91559]"),
    )
    named = summary(wide, title="EIP-94844: Crates in the yard")
    take_in(
        drop(root, "eip-94844.md", CRATE),
        repository,
        ScriptedModel((proposal(named, concept(wide, title="Wide crate")),)),
    )

    assert "aliases:\n- EIP 91559\n" in (root / "summaries" / "eip-91559-summary.md").read_text()
    assert "[[eip-91559-summary|EIP 91559]]" in (root / "concepts" / "wide-crate.md").read_text()
