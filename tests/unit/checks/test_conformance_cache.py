"""What ``curate validate`` keeps: pages that are the same are not read again, and no verdict is another for it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from curator.checks.conformance.judge import judge
from curator.checks.lint.facts.schema import FILE
from curator.checks.lint.maintenance import lint_wiki
from curator.errors import ConfigError
from curator.repository.repository import Repository
from curator.wiki import define_entry
from curator.wiki.pages.page import Page
from curator.wiki.validation import Failure
from support.conforming import CLOCK, commit, conforming, page, with_manifest
from support.lints import limits
from support.wikis import NOW, git


@pytest.fixture
def wiki(made: Callable[..., Path]) -> Path:
    return made(conforming)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the pages that are read, as they are."""
    paths: list[str] = []
    check = define_entry.of_entry

    def of_entry(page: Page, types: Collection[str]) -> Iterator[Failure]:
        paths.append(page.path)
        return check(page, types)

    monkeypatch.setattr(define_entry, "of_entry", of_entry)
    return paths


def failures(root: Path, **options: bool) -> list[Failure]:
    return [*judge(root, CLOCK, **options).failures]  # type: ignore[arg-type]


def codes(root: Path, **options: bool) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in failures(root, **options)]


def kept_in(root: Path) -> Path:
    return root / ".git" / "curator" / FILE


# -- pages ---------------------------------------------------------------------------------------------------------


def test_a_page_is_read_once(wiki: Path, read: list[str]) -> None:
    failures(wiki)
    assert read == ["concepts/green.md", "concepts/oolong.md"]
    read.clear()

    assert failures(wiki) == []

    assert read == []


def test_of_what_is_staged_only_what_changed_is_read(wiki: Path, read: list[str]) -> None:
    failures(wiki)
    read.clear()
    page(wiki, "green", "See [[oolong]] and [[gone]].")
    git(wiki, "add", "-A")

    assert codes(wiki, staged=True) == [("concepts/green.md", "link_broken")]
    assert codes(wiki) == []
    assert codes(wiki, staged=True) == [("concepts/green.md", "link_broken")]

    assert {*read} == {"concepts/green.md"}


def test_a_page_that_goes_breaks_links_of_pages_that_are_not_read(wiki: Path, read: list[str]) -> None:
    failures(wiki)
    read.clear()
    git(wiki, "rm", "-q", "concepts/green.md")

    assert codes(wiki, staged=True) == [("concepts/oolong.md", "link_broken")]
    assert read == []


def test_all_that_is_found_is_found_again(wiki: Path) -> None:
    page(wiki, "green", "See [[gone]] and [it](../sources/tea.txt).", title="", sources=["sources/gone.txt"])
    page(wiki, "black", supersedes=["white"], mood="good").rename(wiki / "entities" / "other.md")
    (wiki / "concepts" / "odd.md").write_bytes(b"\xff\xfe")
    (wiki / "concepts" / "head.md").write_text("---\nslug: [\n---\n\nSee [[nowhere]].\n")
    commit(wiki)

    first = failures(wiki)
    again = failures(wiki)
    kept_in(wiki).unlink()

    assert len({each.code for each in first}) > 4
    assert again == first == failures(wiki)


def test_a_page_with_the_text_of_another_is_judged_by_its_own_name(wiki: Path) -> None:
    failures(wiki)
    git(wiki, "mv", "concepts/green.md", "concepts/mint.md")

    assert ("concepts/mint.md", "entry_invalid") in codes(wiki, staged=True)


def test_other_entity_types_are_heeded_though_the_pages_are_the_same(wiki: Path) -> None:
    page(wiki, "green", kind="leaf")
    commit(wiki)
    assert codes(wiki) == [("concepts/green.md", "entry_invalid")]

    with_manifest(wiki, "entityTypes:\n", "entityTypes:\n  - name: Leaf\n    description: Of a plant.\n")
    commit(wiki)

    assert codes(wiki) == []


def test_what_is_kept_of_pages_that_are_gone_goes(wiki: Path) -> None:
    failures(wiki)
    git(wiki, "rm", "-q", "concepts/green.md")
    failures(wiki, staged=True)

    with sqlite3.connect(kept_in(wiki)) as db:
        assert db.execute("SELECT path FROM entry").fetchall() == [("concepts/oolong.md",)]


def test_two_wikis_of_a_repository_keep_their_pages_apart(wiki: Path, tmp_path: Path, read: list[str]) -> None:
    both = tmp_path / "both"
    for name in ("mine", "other"):
        shutil.copytree(wiki, both / name, ignore=shutil.ignore_patterns(".git"))
    page(both / "other", "green", kind="leaf")
    git(both, "init", "-q")
    git(both, "add", "-A")
    git(both, "commit", "-qm", "both")
    for _ in range(2):
        assert codes(both / "mine") == []
        assert ("concepts/green.md", "entry_invalid") in codes(both / "other")

    assert len(read) == 4


def test_a_path_that_is_no_text_is_a_page_all_the_same(wiki: Path, read: list[str]) -> None:
    name = os.fsdecode(b"concepts/gr\xfcn.md")
    (wiki / name).write_text("# Bare\n")
    git(wiki, "add", "-A")

    for _ in range(2):
        assert codes(wiki, staged=True, everything=False) == [(name, "schema_missing")]


# -- the file ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spoilt", [b"no database", b"SQLite format 3\0" + bytes(5000)])
def test_a_file_that_is_spoilt_is_made_anew(wiki: Path, read: list[str], spoilt: bytes) -> None:
    failures(wiki)
    kept_in(wiki).write_bytes(spoilt)
    read.clear()

    assert failures(wiki) == []
    assert failures(wiki) == []

    assert len(read) == 2


def test_a_file_of_which_the_middle_is_spoilt_does_no_harm(wiki: Path, read: list[str]) -> None:
    for number in range(200):
        page(wiki, f"leaf-{number}")
    commit(wiki)
    failures(wiki)
    data = bytearray(kept_in(wiki).read_bytes())
    data[8192:] = b"\xa5" * (len(data) - 8192)
    kept_in(wiki).write_bytes(data)

    assert failures(wiki) == []
    assert failures(wiki) == []
    read.clear()
    assert failures(wiki) == []
    assert read == []


def test_a_file_that_another_writes_to_is_gone_without(wiki: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.repository.catalogue.schema.PATIENCE", 0.01)
    failures(wiki)
    page(wiki, "green", kind="leaf")
    commit(wiki)
    with sqlite3.connect(kept_in(wiki)) as db:
        db.execute("BEGIN IMMEDIATE")

        with pytest.raises(ConfigError) as caught, Repository(wiki) as repository:
            lint_wiki(repository, NOW, limits)
        assert codes(wiki) == [("concepts/green.md", "entry_invalid")]

    error = caught.value
    assert error.message == "what lint found cannot be kept: another curate has been at work on it for 0.01 seconds"
    assert error.hint == "wait until it is done (status, lint and validate end by themselves), then try again"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_gone_without(wiki: Path) -> None:
    failures(wiki)
    kept_in(wiki).chmod(0o400)
    page(wiki, "green", kind="leaf")
    commit(wiki)

    assert codes(wiki) == [("concepts/green.md", "entry_invalid")]
