"""A search in a big wiki whose catalogue is lost: what is found meanwhile is said to be partial."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator.ask import partial_search
from curator.cli.commands import search
from curator.repository.catalogue import FILE
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.lints import page, plant
from support.wikis import git

MANY = 5


@pytest.fixture
def wiki(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As many pages as make a wiki big here, and no catalogue."""
    plant(
        root,
        page("kettle", "It boils. It whistles, as of old."),
        page("wok", "Beside the kettle, it boils nothing."),
        page("pan", "Beside all Kettles."),
        page("lid", "It covers."),
    )
    monkeypatch.setattr(partial_search, "BIG", MANY)
    lose(root)
    return root


def lose(root: Path) -> None:
    for file in (root / ".git" / "curator").glob("catalogue-*"):
        file.unlink()


def found(root: Path, words: str, limit: int = 9, **flags: str) -> dict[str, Any]:
    return search.run(Settings(root, {}, flags), words, limit).data


def slugs(root: Path, words: str, limit: int = 9) -> list[str]:
    """What is found while somebody else is at work on the catalogue, who is not waited for."""
    with Repository(root) as repository:
        assert not repository.has_catalogue  # its file is there
    with closing(sqlite3.connect(root / ".git" / "curator" / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        data = found(root, words, limit)
    assert data["partial"] is True
    return [hit["slug"] for hit in data["hits"]]


def test_the_pages_are_found_and_the_catalogue_is_made_beside(wiki: Path) -> None:
    report = search.run(Settings(wiki, {}, {}), "kettle", 2)

    assert report.data["partial"] is True
    assert [each["code"] for each in report.data["warnings"]] == ["search_partial"]
    assert [hit["path"] for hit in report.data["hits"]] == ["concepts/kettle.md", "concepts/home.md"]
    assert report.notes[0].startswith("partial: the catalogue of pages is lost and is being made anew")
    until = time.monotonic() + 60
    while time.monotonic() < until and "partial" in (data := found(wiki, "kettle")):
        time.sleep(0.1)
    assert {hit["slug"] for hit in data["hits"]} == {"home", "kettle", "wok", "pan"}
    assert data["warnings"] == []


def test_pages_with_all_words_come_first_then_those_with_one(wiki: Path) -> None:
    assert slugs(wiki, "boils beside") == ["wok", "kettle", "pan"]
    assert slugs(wiki, "boils beside", 1) == ["wok"]
    assert slugs(wiki, "spoon") == slugs(wiki, "-kettle") == []


def test_a_phrase_has_to_stand_there_and_what_is_left_out_must_not(wiki: Path) -> None:
    assert slugs(wiki, '"the kettle" whistles') == ["wok"]
    assert slugs(wiki, "boils -beside") == ["kettle"]
    assert slugs(wiki, 'boils -"as of old"') == ["wok"]


def test_the_scope_of_the_manifest_narrows_it(wiki: Path) -> None:
    manifest = wiki / "KNOWLEDGE.md"
    manifest.write_text(
        manifest.read_text("utf-8").replace("---\n", "---\nqueryHints: {scopeTo: [Entity]}\n", 1), "utf-8"
    )
    git(wiki, "commit", "-qam", "only entities")

    assert slugs(wiki, "kettle") == []


def test_a_small_wiki_and_a_view_are_waited_for(wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "schema: knowledge.workspace/v1\nname: lab\ntitle: Lab\ndescription: A lab.\nversion: 1.0.0\n"
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "KNOWLEDGE.md").write_text(f"---\n{head}extends: ../wiki/KNOWLEDGE.md\n---\n", "utf-8")

    assert "partial" not in found(wiki, "kettle", view=str(tmp_path / "lab"))
    lose(wiki)
    monkeypatch.setattr(partial_search, "BIG", MANY + 100)
    assert "partial" not in found(wiki, "kettle")


def test_the_files_as_they_lie_are_looked_at_whole(wiki: Path) -> None:
    report = search.run(replace(Settings(wiki, {}, {}), worktree=True), "kettle", 9)

    assert "partial" not in report.data
    assert len(report.data["hits"]) == 4
