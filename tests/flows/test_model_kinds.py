"""A language model's replies with a comparison, a timeline and entity types of the wiki's own, taken in again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_model_replies import Replays

from curator.ingest.plan import Outcome
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page
from scripts.audit import audit
from support.lints import commit
from support.places import FIXTURES, SAMPLE
from support.wikis import drop, git, take_in

KEPT = FIXTURES / "model-kinds"
TYPES = """entityTypes:
  - {name: HiveType, parent: Entity, description: A pattern that hives are built to., fields: [frame_size]}
  - {name: Plant, parent: Entity, description: A plant that bees gather nectar or pollen from., fields: [flowers_in]}
"""


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    """The sample wiki, in a repository of its own, with a type of its own."""
    root = tmp_path / "wiki"
    shutil.copytree(SAMPLE, root)
    text = (root / "KNOWLEDGE.md").read_text("utf-8")
    (root / "KNOWLEDGE.md").write_text(text.replace("entityTypes:\n", TYPES, 1), "utf-8")
    git(root, "init", "-q")
    commit(root)
    return root


def taken_in(root: Path, name: str) -> tuple[Replays, Outcome]:
    model = Replays(KEPT / name)
    source = next(KEPT.glob(f"{name.split('-', 1)[1].split('.')[0]}.*"))
    with Repository(root) as repository:
        return model, take_in(drop(root, source.name, source.read_text("utf-8")), repository, model)


def page(root: Path, path: str) -> Page:
    return Page(path, (root / path).read_text("utf-8"))


def test_what_a_source_sets_side_by_side_is_a_table(typed: Path) -> None:
    model, _ = taken_in(typed, "1-2025-11-02-hive-types.blocks.txt")

    body = page(typed, "comparisons/national-langstroth-and-warre-compared.md").body
    assert "\n| | National | Langstroth | Warré |\n|---|---|---|---|\n| Brood frames | 11 | 10 |" in body
    assert body.count('"Frame size | 356 x 216 mm | 448 x 232 mm | none"') == 1
    assert len(model.requests) == 1 and audit(typed).faults == []


def test_every_thing_of_a_type_gets_its_heading_and_nothing_is_left_out(typed: Path) -> None:
    model, outcome = taken_in(typed, "3-2026-05-30-year-of-the-valley.blocks.txt")

    plants = {slug: page(typed, f"entities/{slug}.md") for slug in ("willow", "white-clover", "heather", "ivy")}
    assert {(plant.type, plant.kind) for plant in plants.values()} == {("Plant", "entity")}
    assert all("\n## Flowers in\n" in plant.body for plant in plants.values())
    assert (outcome.left_out, outcome.updated, len(model.requests)) == ((), (), 1)
    assert audit(typed).faults == []


def test_things_of_a_type_are_filed_as_such_with_its_fields(typed: Path) -> None:
    taken_in(typed, "1-2025-11-02-hive-types.blocks.txt")

    for slug in ("national", "langstroth", "warre"):
        made = page(typed, f"entities/{slug}.md")
        assert (made.kind, made.type) == ("entity", "HiveType") and "\n## Frame size\n" in made.body


def test_what_happened_is_a_timeline(typed: Path) -> None:
    model, _ = taken_in(typed, "2-2025-11-20-forty-years.json")

    (file,) = (typed / "timelines").glob("*.md")
    items = [line for line in file.read_text("utf-8").split("\n") if line.startswith("- ") and "[^" in line]
    assert [item.split(":")[0] for item in items] == [
        "- 12 May 1985",
        "- 1992",
        "- March 1998",
        "- 2003-2006",
        "- 4 February 2007",
        "- 2019",
        "- 12 April 2025",
    ]
    assert len(model.requests) == 1 and audit(typed).faults == []


def test_a_date_may_be_written_in_another_way_than_in_the_source(typed: Path) -> None:
    model, outcome = taken_in(typed, "dates-2025-11-20-forty-years.blocks.txt")

    (file,) = (typed / "timelines").glob("*.md")
    assert "\n- 1985-05-12: " in file.read_text("utf-8")
    assert (len(model.requests), outcome.left_out) == (1, ()) and audit(typed).faults == []
