"""A folder of notes that is there already: the wiki is made beside or among them, and they stay as they are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.cli.commands import ingest, init
from curator.cli.console import Report
from curator.errors import ConfigError
from curator.repository.settings import Settings, find_root
from support import link_rules, vault, vault_links
from support.depth import NIGHTLY
from support.places import DOCS
from support.wikis import git

NOTES = 120 if NIGHTLY else 24
_TOLD = re.compile(r"^\| ([^|]+?) \| (all|some|none) \|", re.MULTILINE)
"""Of the table in docs/vault.md: a program, and how many of the links it follows."""


def take(root: Path, *files: Path) -> Report:
    return ingest.run(Settings.gather(root, {**os.environ}, {}), files, False, False, lambda said: None)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault.make(tmp_path_factory.mktemp("vaults") / "Mein Vault", NOTES)


@pytest.fixture(scope="module")
def before(home: Path) -> dict[str, str]:
    return vault.fingerprint(home)


@pytest.fixture(scope="module")
def report(home: Path, before: dict[str, str]) -> Iterator[Report]:
    """All of the vault taken in."""
    init.run(home, None)
    yield take(home / "wiki", home)


def statuses(report: Report) -> dict[str, str]:
    return {result["source"]: result["status"] for result in report.data["results"]}


def test_no_byte_of_the_notes_changes(home: Path, before: dict[str, str], report: Report) -> None:
    assert vault.fingerprint(home) == before
    assert not (home / ".git").exists()
    assert git(home / "wiki", "status", "--porcelain") == ""


def test_sources_keep_their_folders(home: Path, report: Report) -> None:
    found = statuses(report)

    assert found["sources/Daily/2026/2026-01-01.md"] == "ingested"
    assert found["sources/Clippings/Grüner Tee 0.md"] == "ingested"
    assert found["sources/Projects/Projekt 1/index.md"] == "ingested"
    assert found["sources/Home.md"] == found["sources/Anhänge/Merkblatt.txt"] == "ingested"
    copied = (home / "wiki" / "sources" / "Daily" / "2026" / "2026-01-01.md").read_bytes()
    assert copied == (home / "Daily" / "2026" / "2026-01-01.md").read_bytes()


def test_each_link_leads_to_the_page_meant_by_the_rules_of_each_program(home: Path, report: Report) -> None:
    """Opened as people do: the vault, with the notes and the copies in sources/, or the wiki alone."""
    told = dict(_TOLD.findall((DOCS / "vault.md").read_text("utf-8")))

    found = {program: vault_links.led(home, program) for program in link_rules.RULES}

    assert {program: led.word for program, led in found.items()} == told
    assert all(led.total > 20 for led in found.values())


def test_the_links_of_the_notes_lead_where_they_led(home: Path, report: Report) -> None:
    """Though each copy in sources/ has the name of its note."""
    files = {path.relative_to(home).as_posix(): path.read_text("utf-8") for path in home.rglob("*.md")}
    notes = {path: text for path, text in files.items() if not path.startswith("wiki/")}

    followed = 0
    for note, text in notes.items():
        for link in link_rules.links(text):
            if before := link_rules.opened_by_obsidian(link, notes, note):
                assert link_rules.opened_by_obsidian(link, files, note) == before, link
                followed += 1

    assert followed > 5


def test_a_page_never_has_the_name_of_a_note_whichever_comes_first(tmp_path: Path) -> None:
    home = tmp_path / "Vault"
    (home / "Tea").mkdir(parents=True)
    says = "Oolong is a tea that is partly oxidised. Oolong is brewed in a gaiwan.\n\nA gaiwan is a bowl with a lid.\n"
    for name in ("Brewing.md", "Gaiwan.md", "Tea/Oolong.md"):
        (home / name).write_text(f"# {Path(name).stem}\n\n{says}")
    init.run(home, None)

    for name in ("Brewing.md", "Gaiwan.md", "Tea/Oolong.md"):
        assert statuses(take(home / "wiki", home / name)) == {f"sources/{name}": "ingested"}

    pages = {path.stem for path in (home / "wiki" / "concepts").glob("*.md")}
    assert {"oolong-concept", "gaiwan-concept"} <= pages
    assert vault_links.led(home, "Obsidian").wrong == {}


def test_what_is_left_out_is_said_once_with_why(report: Report) -> None:
    assert {entry["reason"]: entry["what"] for entry in report.data["left_out"]} == {
        "hidden or temporary": {".obsidian/": 1, ".trash/": 1},
        "templates": {"Muster/": 1, "Templates/": 1},
        "of a kind that is not read": {".png": 8, ".m4a": 1, ".canvas": 1, ".excalidraw.md": 1},
    }
    assert report.lines[-1].startswith("left out   2 hidden or temporary (.obsidian/, .trash/), ")
    assert "refused" not in statuses(report).values()


def test_a_second_time_takes_nothing_in(home: Path, report: Report) -> None:
    head = git(home / "wiki", "rev-parse", "HEAD")

    assert set(statuses(take(home / "wiki", home / "Daily")).values()) == {"skipped"}

    assert git(home / "wiki", "rev-parse", "HEAD") == head


def test_the_wiki_is_found_from_a_folder_of_the_notes(
    home: Path, report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home / "Daily" / "2026")

    assert find_root(None) == home / "wiki"


def test_a_wiki_that_only_lies_there_is_not_taken_for_that_of_the_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init.run(tmp_path / "wiki", None)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigError, match=r"no KNOWLEDGE\.md"):
        find_root(None)


def test_a_wiki_among_the_notes(tmp_path: Path) -> None:
    home = vault.make(tmp_path / "Notes", 4)
    before = vault.fingerprint(home)
    own = set(init.run(home, None, in_place=True).data["created"])

    found = statuses(take(home, home))

    now = vault.fingerprint(home)
    assert {path: now[path] for path in before} == before
    assert found["sources/Daily/2026/2026-01-01.md"] == "ingested"
    assert not any(name.startswith(("sources/sources/", "sources/summaries/")) for name in found)
    committed = git(home, "ls-files").split("\n")
    assert [path for path in committed if path in before] == []
    assert own <= set(committed)


def test_a_file_in_the_folder_of_a_wiki_is_taken_in_and_left_where_it_lies(root: Path) -> None:
    (root / "Daily").mkdir()
    note = root / "Daily" / "2026-11-01.md"
    note.write_text("# Day\n\nTea is a drink.\n")

    results = [take(root, note).data["results"][0] for _ in range(2)]

    assert [(each["status"], each["source"]) for each in results] == [
        ("ingested", "sources/2026-11-01.md"),
        ("skipped", "sources/2026-11-01.md"),
    ]
    assert git(root, "status", "--porcelain") == "?? Daily/"


def test_a_folder_with_nothing_but_a_readme_is_no_folder_of_notes(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# About\n")

    assert init.run(tmp_path, None).data["wiki"] == str(tmp_path)


def test_a_note_that_changed_takes_the_place_of_its_own_source(tmp_path: Path) -> None:
    home, note = small_vault(tmp_path)
    take(home / "wiki", note)

    note.write_text("# Oolong\n\nOolong is brewed with water of 80 degrees.\n")
    result = take(home / "wiki", note).data["results"][0]

    assert (result["status"], result["source"]) == ("ingested", "sources/Tea/Mein Oolong.md")
    assert git(home / "wiki", "-c", "core.quotePath=false", "ls-files", "sources").count("Oolong") == 1
    said = git(home / "wiki", "grep", "-h", "degrees", "HEAD", "--", "summaries", "concepts")
    assert "80 degrees" in said and "90 degrees" not in said
    assert take(home / "wiki", home).data["results"][0]["status"] == "skipped"


def test_a_copy_that_was_edited_is_not_written_over(tmp_path: Path) -> None:
    home, note = small_vault(tmp_path)
    take(home / "wiki", note)
    copy = home / "wiki" / "sources" / "Tea" / "Mein Oolong.md"
    copy.write_text("my own words")

    for degrees in (80, 70):
        note.write_text(f"# Oolong\n\nOolong is brewed with water of {degrees} degrees.\n")
        result = take(home / "wiki", note).data["results"][0]

        assert (result["status"], result["source"]) == ("ingested", "sources/Tea/Mein Oolong-2.md")
    assert copy.read_text() == "my own words"


def test_a_note_that_waited_and_changed_again_keeps_its_place(tmp_path: Path) -> None:
    home, note = small_vault(tmp_path)
    take(home / "wiki", note)
    index = home / "wiki" / "_index.md"
    written = index.read_text()
    index.write_text(written + "mine\n")
    git(home / "wiki", "add", "_index.md")
    note.write_text("# Oolong\n\nOolong is brewed with water of 80 degrees.\n")
    assert take(home / "wiki", note).data["results"][0]["status"] == "held"

    index.write_text(written)
    git(home / "wiki", "add", "_index.md")
    note.write_text("# Oolong\n\nOolong is brewed with water of 70 degrees.\n")
    result = take(home / "wiki", note).data["results"][0]

    assert (result["status"], result["source"]) == ("ingested", "sources/Tea/Mein Oolong.md")


def small_vault(folder: Path) -> tuple[Path, Path]:
    """A vault of one note, with a wiki in it."""
    home = folder / "Vault"
    note = home / "Tea" / "Mein Oolong.md"
    note.parent.mkdir(parents=True)
    note.write_text("# Oolong\n\nOolong is brewed with water of 90 degrees.\n")
    init.run(home, None)
    return home, note
