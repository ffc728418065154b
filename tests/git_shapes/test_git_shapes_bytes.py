"""Line ends, encodings and filters: what curator writes is what git reads back, or it is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import init
from curator.errors import Conflict, CuratorError
from curator.repository.repository import Repository
from support.fakes import ScriptedModel
from support.shapes import FIVE, NEW, PAGE, TEXT, add, everything, lands, refused, said, whole
from support.wikis import MORE, OOLONG, drop, git, take_in


def attributes(root: Path, text: str) -> None:
    (root / ".gitattributes").write_text(text)
    add(root, ".gitattributes")


@pytest.mark.parametrize(
    ("setting", "attribute", "ends"),
    [
        ("core.autocrlf=true", "", b"\r\n"),
        ("core.autocrlf=input", "", b"\n"),
        ("core.eol=crlf", "* text=auto", b"\r\n"),
        ("core.safecrlf=true", "*.md text eol=crlf", b"\r\n"),
        ("core.autocrlf=true", "*.md -text", b"\n"),
        ("core.autocrlf=true", "* eol=lf", b"\n"),
        ("core.autocrlf=true", "*.md binary", b"\n"),
    ],
)
def test_line_ends_are_the_users_in_the_work_tree_and_plain_in_the_commit(
    root: Path, setting: str, attribute: str, ends: bytes
) -> None:
    git(root, "config", *setting.split("="))
    if attribute:
        attributes(root, attribute + "\n")

    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", FIVE), repository, ScriptedModel((MORE,)))

    page = (root / NEW).read_bytes()
    assert page.count(b"\n") == page.count(ends)
    assert (b"\r" in page) == (b"\r" in ends)
    assert "\r" not in git(root, "cat-file", "-p", f"HEAD:{NEW}")
    whole(root)


def test_another_encoding_in_the_work_tree_is_kept(root: Path) -> None:
    attributes(root, "concepts/*.md working-tree-encoding=UTF-16LE-BOM\n")

    lands(root, {NEW: TEXT})

    assert (root / NEW).read_bytes().decode("utf-16") == TEXT
    assert git(root, "cat-file", "-p", f"HEAD:{NEW}") + "\n" == TEXT
    lands(root, {NEW: "# Oolong\n\nMore.\n"})


def test_an_encoding_that_cannot_hold_the_page_is_refused(root: Path) -> None:
    attributes(root, "*.md working-tree-encoding=ISO-8859-1\n")

    error = refused(root, {NEW: "# 烏龍\n"})

    assert said(error) == (
        "page_not_stable",
        f"git would not give {NEW} back as it was committed: its attributes are working-tree-encoding=ISO-8859-1",
    )
    lands(root, {NEW: TEXT})


def test_ident_is_no_hindrance_unless_the_page_has_one(root: Path) -> None:
    attributes(root, "*.md ident\n")

    lands(root, {NEW: TEXT})
    lands(root, {PAGE: "# Tea\n\n$Id$\n"})

    assert refused(root, {PAGE: "# Tea\n\n$Id: 1234 $\n"}).code == "page_not_stable"


@pytest.mark.parametrize("driver", ["lfs", "none"])
def test_pages_behind_a_filter_are_refused(root: Path, driver: str) -> None:
    if driver == "lfs":
        git(root, "config", "filter.lfs.clean", "tr a-z A-Z")
    attributes(root, "*.md filter=lfs diff=lfs merge=lfs -text\n")

    error = refused(root, {NEW: TEXT})

    assert error.code == "page_filtered"
    assert error.message.startswith(f"git puts {NEW} through the filter 'lfs'")
    attributes(root, "*.md filter=lfs diff=lfs merge=lfs -text\n*.md !filter !diff !merge text\n")
    lands(root, {NEW: TEXT})


def test_init_refuses_a_place_where_pages_go_through_a_filter(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text("concepts/** filter=git-crypt\n")
    before = everything(tmp_path)

    with pytest.raises(Conflict) as caught:
        init.run(tmp_path, "Tea")

    assert caught.value.code == "page_filtered"
    assert everything(tmp_path) == before


def test_init_writes_files_as_git_would_check_them_out(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "core.autocrlf", "true")

    init.run(tmp_path, "Tea")

    assert b"\r\n" in (tmp_path / "KNOWLEDGE.md").read_bytes()
    assert git(tmp_path, "status", "--porcelain") == ""


POINTER = "pointer\n"


@pytest.fixture
def filtered(root: Path) -> Path:
    """A wiki whose sources go through a filter that has to run; it stores a pointer, and the text beside the objects."""
    attributes(root, "sources/*.txt filter=big\n")
    git(root, "config", "filter.big.clean", f"cat > '{root}/.git/big'; echo {POINTER.strip()}")
    git(root, "config", "filter.big.smudge", f"cat > /dev/null; cat '{root}/.git/big'")
    git(root, "config", "filter.big.required", "true")
    return root


def test_a_source_goes_through_its_filter(filtered: Path) -> None:
    with Repository(filtered) as repository:
        take_in(drop(filtered), repository, ScriptedModel((OOLONG,)))

    assert git(filtered, "cat-file", "-p", "HEAD:sources/oolong-notes.txt") + "\n" == POINTER
    assert "Fujian" in (filtered / "sources" / "oolong-notes.txt").read_text()
    whole(filtered)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("filter.big.clean", "no-such-program", "filter_failed"), (None, "", "filter_missing")],
)
def test_a_source_whose_filter_does_not_work_waits(filtered: Path, name: str | None, value: str, code: str) -> None:
    if name:
        git(filtered, "config", name, value)
    else:
        git(filtered, "config", "--remove-section", "filter.big")
    file = drop(filtered)
    before = everything(filtered)

    with Repository(filtered) as repository, pytest.raises(CuratorError) as caught:
        take_in(file, repository, ScriptedModel((OOLONG,)))

    assert caught.value.code == code
    assert "sources/oolong-notes.txt" in caught.value.message
    assert caught.value.hint
    assert everything(filtered) == before
