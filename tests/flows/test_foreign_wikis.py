"""Wikis of other runtimes, with operators and skills beside them: read, taken into, undone, never reformatted."""

from __future__ import annotations

import difflib
import re
import shutil
from pathlib import Path

import pytest

from curator.models.proposal import Add, Claim, Create
from curator.packs import ContextRequest, PackLibrary, PackRoot, select, wrap
from support.places import FIXTURES
from support.standard import curate, head, ingest, state, tree
from support.wikis import drop, git, proposal

KILN = """# Third firing

A raku kiln is opened at 1000 degrees with iron tongs.
Iron tongs are the tool that lifts bowls from a raku kiln.
Iron tongs rust when they are left in water.
"""
ACME = """Second call with Acme

Acme buys 400 tins a year.
Tins are sealed with tin solder by hand.
Bolt Ltd is a maker of tins in Leeds.
Bolt Ltd sells its tins to Acme.
"""
SOURCES = {"kiln": KILN, "sales": ACME}
GENERATED = {"_index.md", "_log.md", "_manifest.json"}
OPENED = Claim(text="Opened at 1000 degrees.", quotes=("A raku kiln is opened at 1000 degrees with iron tongs.",))
RUST = Claim(text="Iron tongs rust in water.", quotes=("Iron tongs rust when they are left in water.",))


def foreign(name: str, place: Path) -> Path:
    """The wiki of that name, committed."""
    root = Path(shutil.copytree(FIXTURES / "foreign" / name, place / name))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "as it was")
    return root


@pytest.fixture
def kiln(tmp_path: Path) -> Path:
    return foreign("kiln", tmp_path)


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    return foreign("sales", tmp_path)


@pytest.fixture(params=list(SOURCES))
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return foreign(request.param, tmp_path)


def added(before: bytes, after: bytes) -> tuple[list[str], list[str]]:
    """The lines that are gone and those that are new."""
    lines = list(difflib.ndiff(before.decode().splitlines(), after.decode().splitlines()))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


OURS = re.compile(r"(sources: \[.*\].*|updated_at: .*|confidence: .*)")
"""Fields of the head that an ingest sets."""

# -- as it is found ------------------------------------------------------------------------------------------------


def test_it_is_valid_and_what_is_no_page_is_one_line(root: Path) -> None:
    said = curate(root, "lint", "--no-log")

    others = [each for each in said["findings"] if each["code"] == "not_pages"]
    assert curate(root, "validate", "--all").status == 0 and len(others) == 1
    assert others[0]["message"].startswith("2 Markdown files without") and others[0]["severity"] == "info"


def test_status_tells_pages_from_what_lies_beside_them(kiln: Path) -> None:
    said = curate(kiln, "status")

    assert (said["pages"], said["lifecycle"]) == (3, "populated")
    assert said["not_pages"] == ["operators/librarian/concepts/tone.md", "skills/glazing/references/mix.md"]


def test_the_doctor_counts_pages_and_minds_its_own_business(kiln: Path) -> None:
    (kiln / "skills" / "glazing" / "references" / "mix.md").write_text("Mix more.\n")
    (kiln / "docs").mkdir()
    (kiln / "docs" / "new.md").write_text("Words.\n")
    (kiln / "entries" / "concepts" / "new.md").write_text("# New\n")

    said = curate(kiln, "doctor")

    git_says = {"page_uncommitted", "not_committed"}
    assert said["pages"] == 3
    assert [each["path"] for each in said["findings"] if each["code"] in git_says] == ["entries/concepts/new.md"]


def test_what_operators_and_skills_are_told_is_not_found(root: Path) -> None:
    for words in ("root", "sudo", "Light", "librarian", "printer", "free"):
        assert curate(root, "search", words)["hits"] == [], words


def test_a_question_is_answered_from_pages_alone(kiln: Path) -> None:
    query = "How hot does the raku kiln get, and who opens it?"
    state_file = kiln.parent / "home" / "packs.json"
    library = PackLibrary((PackRoot(str(kiln), "user"),), state_file)
    text = wrap(select(ContextRequest(query, evidence="verification"), [library.loaded("kiln-codex")]))

    assert "1000 degrees within an hour" in text
    assert "librarian to open" not in text and "sudo" not in text


def test_lint_finds_no_fault_in_what_is_no_page(root: Path) -> None:
    said = curate(root, "lint", "--no-log")

    places = {each["path"].partition("/")[0] for each in said["findings"] if each["code"] != "not_pages"}
    assert places.isdisjoint({"operators", "skills", "playbooks", "docs", "meetings"})


def test_a_link_to_a_file_beside_is_broken_once_that_is_gone(kiln: Path) -> None:
    page = kiln / "entries" / "concepts" / "raku-kiln.md"
    page.write_text(page.read_text() + "\nSee also [the tone](../../operators/librarian/concepts/tone.md).\n")
    git(kiln, "commit", "-qam", "a link")
    assert "link_broken" not in curate(kiln, "lint", "--no-log").codes

    git(kiln, "rm", "-q", "operators/librarian/concepts/tone.md")
    git(kiln, "commit", "-qm", "gone")

    assert "link_broken" in curate(kiln, "lint", "--no-log").codes


# -- taken into ----------------------------------------------------------------------------------------------------


def test_an_ingest_reformats_nothing(root: Path) -> None:
    before = tree(root)

    done = ingest(root, "new-words.md", SOURCES[root.name])

    after = tree(root)
    changed = {path for path in before if before[path] != after.get(path)} - GENERATED
    told = {"kiln": {"entries/concepts/raku-kiln.md"}, "sales": {"concepts/tins.md", "entities/customers/acme.md"}}
    assert done["status"] == "ingested" and changed == told[root.name]
    for path in changed:
        gone, _ = added(before[path], after[path])
        assert all(OURS.fullmatch(line) for line in gone), gone
    assert curate(root, "validate").status == 0


def test_a_list_in_brackets_keeps_its_blanks(kiln: Path) -> None:
    ingest(kiln, "new-words.md", KILN)

    assert (
        b"\nsources: [ firing-notes, new-words ]   # by id\n" in (kiln / "entries/concepts/raku-kiln.md").read_bytes()
    )


def test_new_pages_go_where_the_others_are(kiln: Path) -> None:
    """By kind, by declared type, by year."""
    critique = Create(op="create", kind="Critique", title="Third firing", body=(OPENED,))
    tongs = Create(op="create", kind="concept", title="Iron tongs", body=(RUST,))
    digest = Create(op="create", kind="summary", title="On the third firing", body=(RUST,))

    done = ingest(
        kiln, "new-words.md", KILN, proposal(digest, critique, tongs, Add(op="add", page="raku-kiln", body=(OPENED,)))
    )

    new = git(kiln, "diff", "--name-only", "--diff-filter=A", "HEAD~1", "--", "*.md").split()
    assert done["status"] == "ingested"
    assert new == [
        "entries/concepts/iron-tongs.md",
        "entries/critiques/2026/third-firing.md",
        "entries/summaries/new-words-summary.md",
        "sources/new-words.md",
    ]
    said = head(kiln / "entries/critiques/2026/third-firing.md")
    assert (said["kind"], said["schema"], "metadata" in said) == ("critique", "knowledge.entry/v1", False)
    assert curate(kiln, "validate").status == 0


def test_a_file_of_somebody_else_is_not_written_over(sales: Path) -> None:
    theirs = sales / "concepts" / "solder.md"
    theirs.write_text("---\nschema: crm.note/v1\n---\nBuy solder.\n")
    git(sales, "add", "-A")
    git(sales, "commit", "-qm", "a note")
    sealed = Claim(text="It seals tins.", quotes=("Tins are sealed with tin solder by hand.",))

    done = ingest(
        sales,
        "b.txt",
        ACME + "Solder is a metal that melts.\n",
        proposal(Create(op="create", kind="concept", title="Solder", body=(sealed,))),
    )

    assert done["created"] == ["solder-concept"], done
    assert theirs.read_text().endswith("Buy solder.\n")


def test_a_page_with_an_anchor_is_named_and_the_others_are_taken_into(kiln: Path) -> None:
    page = kiln / "entries/concepts/raku-kiln.md"
    page.write_text(page.read_text().replace("guilde:   {rank", "guilde: &g {rank"))
    git(kiln, "commit", "-qam", "an anchor")
    written = page.read_bytes()

    assert curate(kiln, "validate")["findings"][0]["path"] == "entries/concepts/raku-kiln.md"
    assert ingest(kiln, "new-words.md", KILN)["status"] == "ingested"
    assert page.read_bytes() == written


# -- and taken back ------------------------------------------------------------------------------------------------


def test_an_undo_gives_back_every_byte(root: Path) -> None:
    before = tree(root)
    done = ingest(root, "new-words.md", SOURCES[root.name])

    assert curate(root, "undo", done["commit"]).status == 0

    after = tree(root)
    kept = {path: data for path, data in after.items() if path not in GENERATED and not path.startswith("sources/")}
    assert kept == {path: data for path, data in before.items() if path in kept}


def test_a_rename_changes_names_and_nothing_of_others(kiln: Path) -> None:
    before = tree(kiln)

    assert curate(kiln, "rename", "raku-kiln", "Raku oven").status == 0

    after = tree(kiln)
    metadata = re.compile(rb"metadata:\n    guilde.*?ours'\}\n", re.DOTALL)
    moved = metadata.search(after["entries/concepts/raku-oven.md"])
    assert moved and moved[0] == metadata.search(before["entries/concepts/raku-kiln.md"])[0]  # type: ignore[index]
    others = {path for path in before if path.startswith(("operators", "skills", "playbooks", "sources"))}
    assert all(after[path] == before[path] for path in others)
    for name in ("2025/first", "2026/second"):
        path = f"entries/critiques/{name}-firing.md"
        assert after[path] == before[path].replace(b"[[raku-kiln]]", b"[[raku-oven]]")


def test_looking_changes_nothing(root: Path) -> None:
    drop(root, "waiting.txt", "Words.\n")
    before = state(root)

    for command in (
        ("status",),
        ("validate",),
        ("search", "tins"),
        ("lint", "--no-log"),
        ("ask", "What is a raku kiln?"),
    ):
        curate(root, *command)

    assert state(root) == before
