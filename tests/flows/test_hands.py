"""Several hands at work on one wiki: each hears what the others are making before it lands."""

from __future__ import annotations

from pathlib import Path

from curator.ingest import announcements
from curator.ingest.flow import Stage
from curator.models.port import Request
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import FIVE, OOLONG, TEA, drop, proposal, summary, take_in

BREWED = TEA + "Oolong can be brewed five times from the same leaves.\n"


def test_a_hand_hears_what_others_are_making_and_no_more_of_it_when_that_has_landed(
    root: Path, repository: Repository
) -> None:
    second = ScriptedModel((proposal(summary(FIVE, title="Brewing")),))
    third = ScriptedModel((proposal(summary(FIVE, title="Brews")),))

    def meanwhile(request: Request) -> str:
        take_in(drop(root, "second.txt", BREWED), repository, second)
        return OOLONG.dumps()

    def answered(stage: Stage) -> None:
        if stage == "checking":
            take_in(drop(root, "third.txt", f"{BREWED}More of it.\n"), repository, third)

    take_in(
        drop(root, "first.md", f"# Oolong notes\n\n{TEA}"), repository, ScriptedModel((meanwhile,)), on_stage=answered
    )
    last = ScriptedModel((proposal(summary(FIVE, title="Brewed")),))
    take_in(drop(root, "last.txt", f"{BREWED}And more.\n"), repository, last)

    assert [model.requests[0].coming for model in (second, third, last)] == [
        ("sources/first.md: Oolong notes",),
        ("sources/first.md: Oolong notes; Oolong",),
        (),
    ]


def test_what_a_crash_has_left_counts_no_more(repository: Repository) -> None:
    repository.runtime.make()
    repository.runtime.announce("sources/a.txt", ["Tea"], 1_000.0)

    assert repository.runtime.announced("sources/b.txt", 2_000.0) == {"sources/a.txt": ["Tea"]}
    assert repository.runtime.announced("sources/a.txt", 2_000.0) == {}
    assert repository.runtime.announced("sources/b.txt", 20_000.0) == {}


def test_what_is_told_of_others_keeps_its_size() -> None:
    told = announcements.told({f"sources/{n:02}.txt": ["A long name of a thing"] * 40 for n in range(30)})

    assert len(told) == 8
    assert all(len(line) <= 700 for line in told)
