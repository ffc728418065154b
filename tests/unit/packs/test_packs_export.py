"""A wiki for strangers: what an export holds, that it is a function of the commit, and what it leaves alone."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml

from curator.packs.pack_shape import shape_findings
from support.packs import known
from support.places import SAMPLE, SHARED
from support.standard import Said, curate
from support.wikis import git

SCHEMAS = SHARED / "spec" / "schemas"
NAME = "harrow-valley-beekeeping"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample wiki in git, with a dispute, a page that is superseded, one without source, a replaced source."""
    wiki = Path(shutil.copytree(SAMPLE, tmp_path_factory.mktemp("made") / "wiki"))

    def change(path: str, old: str, new: str) -> None:
        text = (wiki / path).read_text("utf-8")
        assert old in text
        (wiki / path).write_text(text.replace(old, new, 1), "utf-8")

    change("concepts/thymol.md", "\n---\n\n", "\ncontradicts: [fondant]\n---\n\n")
    change("concepts/june-gap.md", "\n---\n\n", "\nsupersedes: [nectar-flow, sugar-shake]\n---\n\n")
    change("concepts/hefting.md", "# Hefting\n", "# Hefting\n\nHefting is fun. See [[smoker]].\n")
    log = '"title": "Hive scale log, October 2024 to July 2025"'
    change("_manifest.json", log, f'{log}, "supersededBy": "2025-04-12-varroa-survey"')
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        git(wiki, *command)
    return wiki


@pytest.fixture
def wiki(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "wiki", symlinks=True))


def exported(wiki: Path, folder: Path, *more: str) -> Said:
    return curate(wiki, "packs", "export", folder, *more)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_an_export_has_the_parts_of_a_pack_and_leaves_the_wiki_alone(wiki: Path, tmp_path: Path) -> None:
    before = git(wiki, "status", "--porcelain")

    said = exported(wiki, tmp_path / NAME)

    head = yaml.safe_load((tmp_path / NAME / "KNOWLEDGE.md").read_text("utf-8").split("---\n")[1])
    tops = {path.partition("/")[0] for path in files(tmp_path / NAME)}
    assert said.status == 0 and said["findings"] == []
    assert (head["name"], head["type"], head["status"], head["profile"]) == (
        NAME,
        "research-wiki",
        "ready",
        "wiki-first",
    )
    assert len(head["description"]) <= 1024 and "trust" not in head and "schema" not in head
    assert tops == {"KNOWLEDGE.md", "wiki", "compiled", "sources", "indexes", "runs"}
    assert curate(None, "packs", "validate", tmp_path / NAME).data["findings"] == []
    assert git(wiki, "status", "--porcelain") == before


def test_each_statement_names_a_place_where_its_words_are(wiki: Path, tmp_path: Path) -> None:
    exported(wiki, tmp_path / NAME)

    facts = [
        line for line in (tmp_path / NAME / "compiled/facts.md").read_text("utf-8").splitlines() if line[:1] == "-"
    ]
    assert len(facts) > 50
    for line in facts:
        anchors = re.findall(r"\[source: (sources/[^\]#]+)#L(\d+)(?:-L(\d+))?\]", line)
        assert anchors and line.endswith("]")
        for path, first, last in anchors:
            lines = (tmp_path / NAME / path).read_text("utf-8").splitlines()[int(first) - 1 : int(last or first)]
            word = r"\w+" if line.startswith("- |") else r"\w{5,}"  # the row of a table may be but figures
            wanted = set(re.findall(word, line.partition(" [source:")[0].casefold()))
            there = set(re.findall(word, " ".join(lines).casefold()))
            assert wanted & there, line


def test_what_is_not_to_be_relied_on_is_in_the_boundaries_and_not_in_the_facts(wiki: Path, tmp_path: Path) -> None:
    exported(wiki, tmp_path / NAME)
    facts, boundaries = (
        (tmp_path / NAME / f"compiled/{name}.md").read_text("utf-8") for name in ("facts", "boundaries")
    )

    sections = dict(re.findall(r"^## (.*)\n\n((?:- .*\n)+)", boundaries, re.MULTILINE))
    assert "Grounding: required." in boundaries
    assert sections["Disputed"] == "- Thymol, against fondant\n"
    assert sections["Superseded"] == "- Nectar flow, by june-gap\n- Sugar shake, by june-gap\n"
    assert sections["Superseded sources"] == "- sources/2025-07-20-hive-scale-log.html, by 2025-04-12-varroa-survey\n"
    assert sections["Without a source"] == "- Hefting: Hefting is fun. See smoker.\n"
    assert sections["Not in the wiki, though it is linked to"] == "- smoker\n"
    assert "Each sugar shake used half a cup of bees, which is close to 300 workers." in sections["Stale statements"]
    for heading in ("Disputed statements", "Stale statements"):
        assert not any(line.partition(": ")[2] in facts for line in sections[heading].splitlines())


def test_the_public_schemas_accept_run_and_source_map(wiki: Path, tmp_path: Path) -> None:
    exported(wiki, tmp_path / NAME)
    (run,) = (tmp_path / NAME / "runs").iterdir()

    for file, schema in ((run, "compile-run"), (tmp_path / NAME / "indexes/source-map.json", "source-map")):
        value: dict[str, Any] = json.loads(file.read_text("utf-8"))
        assert curate(None, "packs", "check-run", file).status == 0
        if SCHEMAS.is_dir():
            jsonschema.validate(value, json.loads((SCHEMAS / f"{schema}.schema.json").read_text("utf-8")))
    listed = {each["path"] for each in json.loads(run.read_text("utf-8"))["outputs"]}
    assert listed == set(files(tmp_path / NAME))


def by_lines(text: str) -> dict[str, Any]:
    """The head as a reader has it that goes by lines and indents."""
    head = re.match(r"---\n(.*?)\n---", text, re.DOTALL)
    said: dict[str, Any] = {}
    within = [(-1, said)]
    for line in (head[1] if head else "").split("\n"):
        indent, (name, _, value) = len(line) - len(line.lstrip()), line.strip().partition(":")
        while indent <= within[-1][0]:
            within.pop()
        within[-1][1][name] = value.strip().strip("'\"") or {}
        if not value.strip():
            within.append((indent, within[-1][1][name]))
    return said


def looked_through(folder: Path) -> list[str]:
    """What the public reference command line finds in a pack, made again from what it checks.

    It reads the head line by line, nested by what a line is indented, and knows no braces, lists or folded text; it looks
    for four fields, compares the name with the folder's, and looks for the source of each claim; shapes have a test of
    their own.
    """
    said = by_lines((folder / "KNOWLEDGE.md").read_text("utf-8"))
    found = [f"no {name}" for name in ("name", "description", "type", "status") if not said.get(name)]
    found += [] if said.get("runtime") == {"mode": "data"} and said.get("profile") == "wiki-first" else ["profile"]
    found += [] if said.get("name") == folder.name else [f"called {said.get('name')!r}"]
    claims = json.loads((folder / "indexes" / "source-map.json").read_text("utf-8"))["claims"]
    paths = {claim["source"]["path"] for claim in claims} - {""}
    return [*found, *(f"{path} is missing" for path in sorted(paths) if not (folder / path).is_file())]


def test_the_public_reference_tool_has_nothing_to_say_of_it(wiki: Path, tmp_path: Path) -> None:
    text = (wiki / "KNOWLEDGE.md").read_text("utf-8")
    long = "description: >-\n  What keepers know: " + "hives and bees, " * 20 + "and so on.\n"
    (wiki / "KNOWLEDGE.md").write_text(re.sub(r"description: .*\n", long, text, count=1), "utf-8")
    git(wiki, "rm", "-q", "sources/2025-07-20-hive-scale-log.html")
    git(wiki, "commit", "-qam", "one of the sources is kept elsewhere")

    exported(wiki, tmp_path / NAME)

    assert looked_through(tmp_path / NAME) == []
    assert list(shape_findings(known(tmp_path / NAME))) == []
    for name in ("briefing", "facts", "boundaries"):
        assert (tmp_path / NAME / "compiled" / f"{name}.md").stat().st_size > 50
    head = yaml.safe_load((tmp_path / NAME / "KNOWLEDGE.md").read_text("utf-8").split("---\n")[1])
    assert head["description"].endswith("and so on.") and head["metadata"]["producedBy"]["name"] == "curator"


def test_twice_the_same_is_no_difference_and_nothing_is_rewritten(wiki: Path, tmp_path: Path) -> None:
    first = exported(wiki, tmp_path / NAME)
    stamps = {path: (tmp_path / NAME / path).stat().st_mtime_ns for path in files(tmp_path / NAME)}
    (tmp_path / NAME / "runs" / "context-1.json").write_text("{}", "utf-8")

    second = exported(wiki, tmp_path / NAME)
    exported(wiki, tmp_path / "other" / NAME)

    assert len(first["written"]) == first["files"] and (second["written"], second["removed"]) == ([], [])
    assert stamps == {path: (tmp_path / NAME / path).stat().st_mtime_ns for path in stamps}
    assert files(tmp_path / "other" / NAME) == {
        p: data for p, data in files(tmp_path / NAME).items() if "context" not in p
    }


def test_what_went_from_the_wiki_goes_from_the_export(wiki: Path, tmp_path: Path) -> None:
    exported(wiki, tmp_path / NAME)
    git(wiki, "rm", "-q", "concepts/fondant.md")
    git(wiki, "commit", "-qm", "gone", "--date", "2031-01-01T00:00:00Z")

    said = exported(wiki, tmp_path / NAME)

    assert "wiki/concepts/fondant.md" in said["removed"]
    assert not (tmp_path / NAME / "wiki/concepts/fondant.md").exists()
    exported(wiki, tmp_path / "new" / NAME)
    assert files(tmp_path / NAME) == files(tmp_path / "new" / NAME)


def test_an_export_goes_nowhere_else(wiki: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("mine", "utf-8")

    assert exported(wiki, wiki / "export").error == "inside_wiki"
    assert exported(wiki, tmp_path / "mine").error == "already_there"
    exported(wiki, tmp_path / NAME)
    shutil.rmtree(tmp_path / NAME / "compiled")
    (tmp_path / NAME / "compiled").symlink_to(tmp_path / "mine")
    assert exported(wiki, tmp_path / NAME).error == "outside_export"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.md"]


def test_a_folder_that_cannot_be_made_is_told(wiki: Path) -> None:
    said = curate(wiki, "packs", "export", "/dev/null/pack")

    assert (said.status, said["error"]["code"]) == (2, "export_unwritable")


def test_a_dry_run_writes_nothing_and_a_wrong_folder_name_is_told(wiki: Path, tmp_path: Path) -> None:
    said = exported(wiki, tmp_path / "bees", "--dry-run")

    assert said["written"] and said.codes == ["pack_name_differs"] and not (tmp_path / "bees").exists()


def test_an_exported_pack_answers(wiki: Path, tmp_path: Path) -> None:
    exported(wiki, tmp_path / NAME)
    curate(None, "packs", "approve", tmp_path / NAME)

    said = curate(None, "packs", "context", "What is an alcohol wash kept for?", "--pack", tmp_path / NAME)

    assert "kept for doubtful cases. [source: sources/2025-05-18-integrated-pest-management.rst#L24]" in said["text"]
