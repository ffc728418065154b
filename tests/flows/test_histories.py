"""Timelines are of things with a history: what only a document's head dates is told by its summary."""

from __future__ import annotations

from pathlib import Path

from curator.models.proposal import Claim, Create
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import drop, proposal, take_in

RULES = """Rules: 12
Title: Kiln rules
Status: Final
Created: 04-Sep-2015
Accepted: 11-Oct-2015

Kiln rules
==========

Kiln rules are rules for people who fire a kiln.
In May 2016 the first kiln was fired by them.
In June 2017 the second kiln was fired by them.
"""
OPENING = Claim(text="Kiln rules are rules for people who fire a kiln.", quotes=("Kiln rules are rules for people",))
CREATED = Claim(text="- 04-Sep-2015: The rules were created.", quotes=("Created: 04-Sep-2015",))
ACCEPTED = Claim(text="- 11-Oct-2015: The rules were accepted.", quotes=("Accepted: 11-Oct-2015",))
FIRST = Claim(text="- May 2016: The first kiln was fired.", quotes=("In May 2016 the first kiln was fired by them",))
SECOND = Claim(text="- June 2017: The second kiln was fired.", quotes=("In June 2017 the second kiln was fired",))


def history(root: Path, repository: Repository, *events: Claim) -> None:
    summary = Create(op="create", kind="summary", title="Kiln rules", body=(OPENING,))
    timeline = Create(op="create", kind="timeline", title="History of Kiln rules", body=events)
    take_in(drop(root, "kiln-rules.txt", RULES), repository, ScriptedModel((proposal(summary, timeline),)))


def test_the_dates_of_a_head_are_told_by_the_summary(root: Path, repository: Repository) -> None:
    history(root, repository, CREATED, ACCEPTED)

    summary = (root / "summaries" / "kiln-rules.md").read_text("utf-8")
    assert "## History\n\n- 04-Sep-2015: The rules were created. [^kiln-rules-2]\n- 11-Oct-2015: The rules" in summary
    assert list(root.glob("*/*history*")) == []


def test_a_thing_with_a_history_has_a_timeline(root: Path, repository: Repository) -> None:
    history(root, repository, SECOND, CREATED, FIRST)

    timeline = (root / "timelines" / "history-of-kiln-rules.md").read_text("utf-8")
    assert timeline.index("04-Sep-2015") < timeline.index("May 2016") < timeline.index("June 2017")
