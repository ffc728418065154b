"""Several hands at work on one wiki: each hears what the others are making before it lands."""

from __future__ import annotations

from pathlib import Path

from curator.ingest import announcements
from curator.ingest.flow import Stage
from curator.ingest.plan import Outcome
from curator.models.port import Request, Usage
from curator.models.proposal import Claim, Dispute, Proposal
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.wikis import FIVE, OOLONG, TEA, concept, drop, git, proposal, summary, take_in

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


HOT = Claim(text="A pot of oolong is brewed with water of 90 degrees.", quotes=("brewed with water of 90 degrees",))
REWORDED = "It takes water of 90 degrees, for a pot of oolong."
BOILED = Claim(text="Oolong is brewed with boiling water.", quotes=("Oolong is brewed with boiling water.",))
SAID = f"Oolong is brewed with boiling water.\n{FIVE.quotes[0]}\n"


def disputing(passage: str) -> Proposal:
    """Key points, and a dispute of ``passage``: operations 1 and 2."""
    return proposal(summary(FIVE, title="Brewing"), Dispute(op="dispute", page="oolong", passage=passage, claim=BOILED))


def at_work(root: Path, repository: Repository, *answers: Proposal) -> tuple[ScriptedModel, Outcome, str]:
    """A source with these answers, before whose commit somebody rewords the passage that it disputes; and the page then."""
    take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(*concept().body, HOT)),)))
    model, page = ScriptedModel(answers, usage=Usage(10, 5, 1.0)), root / "concepts/oolong.md"

    def reword(stage: Stage) -> None:
        if stage == "committing" and HOT.text in page.read_text("utf-8"):
            page.write_text(page.read_text("utf-8").replace(HOT.text, REWORDED), "utf-8")
            git(root, "commit", "-qam", "reworded by hand")

    outcome = take_in(drop(root, "brewing.txt", SAID), repository, model, on_stage=reword)
    return model, outcome, page.read_text("utf-8")


def test_of_an_answer_that_fits_no_more_only_the_parts_that_do_not_are_asked_for(
    root: Path, repository: Repository
) -> None:
    model, outcome, page = at_work(root, repository, disputing(HOT.text), disputing(REWORDED))

    asked = model.requests[1]
    assert [(fault.code, fault.places) for fault in asked.faults] == [("passage_not_found", ("2",))]
    assert [REWORDED in each.text for each in asked.pages if each.slug == "oolong"] == [True]
    assert (len(model.requests), outcome.reply.usage) == (2, Usage(20, 10, 2.0))
    assert "boiling water. [^brewing-1]" in page and REWORDED in page


def test_a_part_that_fits_no_more_even_then_is_left_out_and_the_rest_is_taken(
    root: Path, repository: Repository
) -> None:
    model, outcome, page = at_work(root, repository, disputing(HOT.text))

    assert len(model.requests) == 2 and "boiling" not in page
    assert [finding.code for finding in outcome.left_out] == ["passage_not_found"]
    assert "It gives five brews." in (root / "summaries/brewing.md").read_text("utf-8")


def test_a_dispute_of_what_is_nowhere_costs_no_more_than_itself(root: Path, repository: Repository) -> None:
    take_in(drop(root), repository, ScriptedModel((proposal(summary(), concept(*concept().body, HOT)),)))
    model = ScriptedModel((disputing("Words that are nowhere."),))

    outcome = take_in(drop(root, "brewing.txt", SAID), repository, model)

    assert len(model.requests) == 2
    assert [finding.code for finding in outcome.left_out] == ["passage_not_found"]
    assert "It gives five brews." in (root / "summaries/brewing.md").read_text("utf-8")


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
