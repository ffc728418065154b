"""What is interrupted anywhere leaves what the next use can go on with: nothing of it, or all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from curator.repository import catalogue as catalogue_module
from curator.repository import source_index as source_index_module
from curator.repository.catalogue import Catalogue, Delta, rows, schema
from curator.repository.source_index import IndexedSource, SourceIndex
from curator.wiki.passages.passage import Passage
from support.interruptions import at_each_line
from support.pages import page

TEA, CHAI = page("tea", "Tea is a drink."), page("tea", "Tea is poured over milk.")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache.db"


@pytest.fixture
def other(file: Path) -> Iterator[sqlite3.Connection]:
    """Another process that looks at the same file, and does not wait."""
    with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
        yield connection


def is_free(other: sqlite3.Connection) -> None:
    """Nobody holds the file's lock."""
    other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")


def test_a_change_of_the_catalogue(file: Path, other: sqlite3.Connection) -> None:
    catalogue = Catalogue.open(file)
    catalogue.update("", "one", [Delta(TEA.path, None, TEA.text)])

    def change() -> None:
        if catalogue.commit == "one":
            assert catalogue.update("one", "two", [Delta(TEA.path, TEA.text, CHAI.text)])

    def look() -> None:
        is_free(other)
        words = {"one": "drink", "two": "milk"}
        assert [slug for slug, _ in catalogue.search(words[catalogue.commit], 5)] == ["tea"]
        if catalogue.commit == "two":
            assert catalogue.update("two", "one", [Delta(TEA.path, CHAI.text, TEA.text)])

    assert at_each_line((catalogue_module, schema, rows), change, look) > 20
    look()
    catalogue.close()


def test_sources_that_are_put_into_their_index(file: Path, other: sqlite3.Connection) -> None:
    index = SourceIndex.open(file)
    texts = {"1": "Tea is a drink.", "2": "Tea is poured over milk."}

    def refresh(digest: str) -> None:
        passage = Passage("source", texts[digest], anchor="L1")
        index.refresh({"sources/tea.txt": digest}, lambda path: IndexedSource(path, "Tea", (passage,)))

    def look() -> None:
        is_free(other)
        refresh("1")
        assert (index.holding(["drink", "milk"]), index.count()) == ({"drink": 1, "milk": 0}, 1)

    refresh("1")
    assert at_each_line((source_index_module, schema), lambda: refresh("2"), look) > 10
    index.close()
