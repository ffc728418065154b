"""AIP-10's public JSON Schema accepts what curator writes: pages in the later dialect, manifests, source records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from curator.api import define_source
from curator.cli.commands import init
from curator.models.proposal import Claim, Create, Dispute, Mark
from support import standard
from support.lints import TEA_TEXT, commit, page
from support.places import DOCS, SAMPLE, SHARED
from support.standard import BREWING, SAID, curate, effective, head, ingest, lab, pages
from support.wikis import TEA, concept, drop, proposal, summary

root = standard.root

Check = Callable[[str, Any], list[str]]

NINETY = Claim(text="Oolong takes 90 degrees.", quotes=("water of 90 degrees",))
EIGHTY = Claim(text="Oolong takes 80 degrees.", quotes=("water of 80 degrees",))
YEARS = "The mill was built in 1998.\nIn 2001 the mill was painted red.\nSpeed: pip is slow, uv is fast.\n"
BUILT = Claim(text="- 1998: It was built.", quotes=("The mill was built in 1998",))
PAINTED = Claim(text="- 2001: It was painted.", quotes=("In 2001 the mill was painted red",))
TABLE = Claim(text="| | pip | uv |\n|---|---|---|\n| Speed | slow | fast |", quotes=("Speed: pip is slow, uv is fast",))


def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@pytest.fixture(scope="module")
def problems() -> Check:
    """What the public schema has against a value, by the name of one of its definitions."""
    jsonschema = pytest.importorskip("jsonschema")
    file = SHARED / "spec" / "schemas" / "aip-10-knowledge.schema.json"
    if not file.is_file():
        pytest.skip("the public schemas are not beside the project: there is no ../shared/spec/schemas")
    schema = json.loads(file.read_text("utf-8"))
    formats = jsonschema.FormatChecker(formats=())
    formats.checkers["date-time"] = (_is_moment, ValueError)

    def check(name: str, value: Any) -> list[str]:
        definition = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
        found = jsonschema.Draft202012Validator(definition, format_checker=formats).iter_errors(value)
        return [f"{error.json_path}: {error.message}" for error in found]

    return check


def test_the_schema_is_no_friend_of_everything(problems: Check) -> None:
    """JSON Schema: “knowledge.entry/v1”"""
    good = {
        "schema": "knowledge.entry/v1",
        "slug": "ab",
        "kind": "concept",
        "title": "A",
        "updated_at": "2026-05-01T12:00:00Z",
    }

    assert problems("entry", good) == []
    for change in (
        {"schema": "knowledge/v1"},
        {"sources": ["sources/a.txt"]},
        {"slug": "2nd"},
        {"x": 1},
        {"updated_at": "now"},
    ):
        assert problems("entry", {**good, **change}) != []


# -- pages ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def later(root: Path) -> Path:
    """A wiki in the later dialect with one page by hand."""
    (root / "entries" / "concepts").mkdir(parents=True)
    text = page("home", "See also: [[home]]", schema="knowledge.entry/v1", sources="[tea]")[1]
    (root / "entries" / "concepts" / "home.md").write_text(text)
    drop(root, "tea.txt", TEA_TEXT)
    commit(root)
    return root


def wrong(root: Path, problems: Check) -> dict[str, list[str]]:
    """What the schema has against the pages, by page."""
    found = {path: problems("entry", head(file)) for path, file in pages(root).items()}
    return {path: said for path, said in found.items() if said}


def created(result: dict[str, Any]) -> Iterator[str]:
    assert result["status"] == "ingested", result
    yield from result["created"]


NAMES = "The 2nd Fujian Tea Board (FTB) met. 研究 & co.: «oolong» is a firm. The mill is old. Here are pip and uv.\n"
"""What names the pages of the next test."""


def test_pages_of_every_kind_by_a_model(later: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.entry/v1”"""
    made = [
        Create(op="create", kind="entity", title="2nd Fujian Tea Board", aliases=("FTB",), body=(SAID,)),
        Create(op="create", kind="concept", title="研究 & co.: «oolong»", body=(SAID,)),
        Create(op="create", kind="timeline", title="The mill's history", body=(BUILT, PAINTED)),
        Create(op="create", kind="comparison", title="pip and uv", body=(TABLE,)),
    ]
    new = [
        *created(ingest(later, "2026-04-15 Päper (1).txt", f"{TEA}{YEARS}\n{NAMES}", proposal(summary(SAID), *made)))
    ]

    assert {head(file)["kind"] for file in pages(later).values()} == {
        "summary",
        "entity",
        "concept",
        "timeline",
        "comparison",
    }
    assert {head(file)["schema"] for file in pages(later).values()} == {"knowledge.entry/v1"}
    assert len(new) == 5 and wrong(later, problems) == {}


@pytest.mark.parametrize("name", ["2026-04-15-oolong.md", "a.txt", "Öl & Tee.txt", f"{'long-' * 30}name.txt"])
def test_pages_by_the_built_in_curator(later: Path, problems: Check, name: str) -> None:
    """JSON Schema: “knowledge.entry/v1”"""
    made = [
        *created(ingest(later, name, f"{TEA}The 3rd flush is a harvest of oolong.\nThe 3rd flush comes in autumn.\n"))
    ]

    assert made and wrong(later, problems) == {}
    assert curate(later, "validate").status == 0


def test_pages_in_dispute_and_superseded(later: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.entry/v1”"""
    policy = later / "KNOWLEDGE.md"
    policy.write_text(policy.read_text().replace("conflictResolution: recency", "conflictResolution: defer"))
    commit(later)
    ingest(later, "old.txt", TEA, proposal(summary(NINETY, title="Old"), concept(NINETY)))
    dispute = Dispute(op="dispute", page="oolong", passage="Oolong takes 90 degrees.", claim=EIGHTY)
    marks = (
        Mark(op="mark", page="new", supersedes=("old",), quotes=("This replaces the notes in old.txt",)),
        Mark(op="mark", page="oolong", confidence=0.5, quotes=("It is doubtful that oolong is grown at all",)),
    )
    text = (
        TEA.replace("90", "80") + "This replaces the notes in old.txt.\nIt is doubtful that oolong is grown at all.\n"
    )
    ingest(later, "new.txt", text, proposal(summary(EIGHTY, title="New"), dispute, *marks))

    heads = {fields["slug"]: fields for fields in map(head, pages(later).values())}
    assert heads["oolong"]["contradicts"] == ["new"] and heads["new"]["supersedes"] == ["old"]
    assert heads["oolong"]["sources"] == ["old", "new"] and heads["oolong"]["confidence"] == 0.5
    assert wrong(later, problems) == {}


def test_pages_after_a_rename_an_undo_and_a_question(later: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.entry/v1”"""
    ingest(later, "oolong.txt", TEA)
    ingest(later, "more.txt", TEA + BREWING)

    assert curate(later, "rename", "oolong", "Blue tea of Fujian").status == 0
    assert curate(later, "undo", "sources/more.txt").status == 0
    assert curate(later, "ask", "--save", "Where is oolong grown?").status == 0

    assert len(pages(later)) >= 4 and wrong(later, problems) == {}


def test_pages_renamed_to_begin_with_a_digit(later: Path, problems: Check) -> None:
    """JSON Schema: “^[a-z][a-z0-9-]*[a-z0-9]$”"""
    ingest(later, "oolong.txt", TEA)

    curate(later, "rename", "oolong", "3rd flush")

    assert wrong(later, problems) == {}


# -- manifests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["2024 notes", "Über «Tee»: 研究 #1", "---", "'quoted' \"twice\": yes", "t" * 150])
def test_the_manifest_of_a_new_wiki(tmp_path: Path, problems: Check, title: str) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    init.run(tmp_path / "wiki", title)

    fields = head(tmp_path / "wiki" / "KNOWLEDGE.md")

    assert problems("workspace", fields) == []
    assert fields["title"] == title


@pytest.mark.parametrize("name", ["2024", "-", "Mein Wiki", "研究", "w" * 120])
def test_the_manifest_of_a_new_wiki_is_named_after_its_folder(tmp_path: Path, problems: Check, name: str) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    init.run(tmp_path / name, None)

    assert problems("workspace", head(tmp_path / name / "KNOWLEDGE.md")) == []


def test_the_manifest_of_the_sample_wiki(problems: Check) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    assert problems("workspace", head(SAMPLE / "KNOWLEDGE.md")) == []


def test_the_manifest_of_a_view_and_what_it_comes_to(root: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    (root.parent / "skills" / "sales").mkdir(parents=True)
    view = lab(root, appliesTo=["ws://skills/sales"], queryHints={"scopeTo": ["Concept"]}, metadata={"v": {"a": [1]}})

    assert problems("workspace", head(view / "KNOWLEDGE.md")) == []
    assert problems("workspace", effective(view)["effective"]) == []


def test_the_manifest_of_a_fork(root: Path, tmp_path: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    curate(root, "fork", tmp_path / "2nd fork!")

    assert problems("workspace", head(tmp_path / "2nd fork!" / "KNOWLEDGE.md")) == []


def test_views_of_the_manual(problems: Check) -> None:
    """JSON Schema: “knowledge.workspace/v1”"""
    manual = (DOCS / "views.md").read_text("utf-8")
    (written,) = re.findall(r"^    ---\n(.*?)^    ---$", manual, re.DOTALL | re.MULTILINE)

    assert problems("workspace", yaml.safe_load(written.replace("\n    ", "\n").removeprefix("    "))) == []


# -- sources -------------------------------------------------------------------------------------------------------


def test_records_of_sources(root: Path, problems: Check) -> None:
    """JSON Schema: “knowledge.source/v1”"""
    names = ["2026-04-15 Päper (1).txt", "a.txt", "deep/a.txt", "deep/a.md", "研究.txt", f"{'long-' * 30}name.txt"]
    for number, name in enumerate(names):
        said = Claim(text=f"It is sold in {number} tins.", quotes=(f"Tea is sold in {number} tins",))
        ingest(root, name, f"Tea is sold in {number} tins.\n", proposal(summary(said, title=f"Tea {number}")))
    curate(
        root,
        "sources",
        "set",
        "sources/a.txt",
        "--language",
        "en-GB",
        "--tag",
        "tea",
        "--superseded-by",
        "deep-a",
        "--by",
        "Ada",
    )

    records = curate(root, "sources")["records"]

    assert {record["path"] for record in records} == {f"sources/{name}" for name in names}
    assert [found for record in records for found in problems("source", record)] == []
    assert len({record["id"] for record in records}) == len(names)


def test_records_that_are_defined(problems: Check) -> None:
    """JSON Schema: “knowledge.source/v1”"""
    record = {
        "schema": "knowledge.source/v1",
        "id": "tea",
        "path": "sources/tea.txt",
        "title": "Tea",
        "captured_at": "2026-05-01T12:00:00Z",
    }

    defined = define_source(record, files={"sources/tea.txt": b"Tea."})

    assert problems("source", dict(defined.fields)) == []
