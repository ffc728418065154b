"""What a page opens with, when a second source says what the thing is."""

from __future__ import annotations

from pathlib import Path

from curator.models.proposal import Claim
from curator.repository.repository import Repository
from scripts.audit import audit
from support.fakes import ScriptedModel
from support.wikis import OOLONG, concept, drop, proposal, summary, take_in

SECOND = "Oolong\n\nDate: 2026-04-01\n\nOolong is a drink of Fujian that is brewed five times.\nIt is sold in tins.\n"


def test_a_second_opening_is_worked_into_the_first(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    is_drink = Claim(
        text="Oolong is a drink of Fujian that is brewed five times.",
        quotes=("Oolong is a drink of Fujian that is brewed five times",),
    )
    tins = Claim(text="- Oolong is sold in tins.", quotes=("It is sold in tins",))
    second = proposal(summary(is_drink, title="Brewing"), concept(is_drink, tins))

    take_in(drop(root, "second.txt", SECOND), repository, ScriptedModel((second,)))

    text = (root / "concepts" / "oolong.md").read_text("utf-8")
    assert (
        "Oolong is a tea that is oxidised in part. [^oolong-notes-1]\n"
        "Oolong is a drink of Fujian that is brewed five times. [^second-1]\n\n- Oolong is sold in tins. [^second-2]\n"
    ) in text
    assert audit(root).faults == []
