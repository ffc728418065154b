"""What a page opens with, when a second source says what the thing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import edit
from curator.models.proposal import Claim
from curator.repository.repository import Repository
from curator.repository.settings import Settings
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


@pytest.mark.parametrize(
    ("first", "second", "opens"),
    [
        ("is a rotary pump that lifts water", "is a rotary pump", "is a rotary pump that lifts water. [^a-page-1]\n"),
        (
            "is a rotary pump",
            "is a rotary pump that lifts water",
            "is a rotary pump that lifts water. [^a-page-1] [^b-page-1]\n",
        ),
        ("is a rotary pump", "is a device", "is a rotary pump. [^a-page-1]\nThe pump Orla is a device. [^b-page-1]\n"),
    ],
    ids=["that says less", "that says more", "that says something else"],
)
def test_a_page_opens_with_what_says_most(
    root: Path, repository: Repository, first: str, second: str, opens: str
) -> None:
    pages = []
    for name, what, more in (("a", first, "It weighs 12 kilograms"), ("b", second, "It was built in 1990")):
        said, rest = f"The pump Orla {what}", Claim(text=f"- {more.replace('It', 'The pump Orla')}.", quotes=(more,))
        page = concept(Claim(text=f"{said}.", quotes=(said,)), rest, title="Pump Orla")
        model = ScriptedModel((proposal(summary(rest, title=f"Notes {name}"), page),))
        take_in(drop(root, f"{name}.txt", f"Notes {name}\n\n{said}. {more}.\n"), repository, model)
        pages.append((root / "concepts" / "pump-orla.md").read_text("utf-8"))

    assert f"# Pump Orla\n\nThe pump Orla {opens}\n- The pump Orla weighs" in pages[1]
    assert audit(root).faults == []
    edit.undo_commits(Settings(root, {}, {}), ["sources/b.txt"], dry_run=False)
    assert (root / "concepts" / "pump-orla.md").read_text("utf-8").split("---")[2] == pages[0].split("---")[2]
