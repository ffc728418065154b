from __future__ import annotations

import pytest

from curator.checks.rules.change import Change
from curator.wiki.pages.page import Page
from support.changes import GROWN, PARTLY, TEA, change, codes, edited, fresh

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"


def at(path: str) -> Page:
    """A sound new page, put at ``path``."""
    return Page(path, fresh(SAID).text)


def put(path: str) -> Change:
    return change([TEA], [at(path)])


@pytest.mark.parametrize(
    "path",
    [
        "/concepts/oolong.md",
        "concepts//oolong.md",
        "concepts/../oolong.md",
        "../oolong.md",
        "concepts/./oolong.md",
        "concepts\\oolong.md",
        "concepts/oo\nlong.md",
        "concepts/cafe\u0301.md",
        "concepts/oo\u202elong.md",
    ],
)
def test_a_path_that_is_not_plain_and_relative_is_refused(path: str) -> None:
    assert "path_malformed" in codes(put(path))


@pytest.mark.parametrize(
    "path",
    [
        "oolong.md",
        "notes/oolong.md",
        "concepts/deep/oolong.md",
        "concepts/Oolong.md",
        "concepts/oolong.txt",
        "docs/a.md",
    ],
)
def test_a_new_page_stands_in_a_folder_of_its_kind_or_nowhere(path: str) -> None:
    assert "path_outside" in codes(put(path))


@pytest.mark.parametrize(
    "path",
    [
        "KNOWLEDGE.md",
        "knowledge.MD",
        "AGENTS.md",
        "\uff21GENTS.md",
        "CLAUDE.md",
        "README.md",
        "_index.md",
        "_log.md",
        "_manifest.json",
        "concepts/_index.md",
        "sources/oolong.md",
        "Sources/oolong.md",
        ".git/hooks/pre-commit",
        ".github/workflows/x.md",
        ".obsidian/plugins/x.md",
        "concepts/.hidden.md",
    ],
)
def test_files_that_are_no_pages_are_never_written(path: str) -> None:
    assert "path_protected" in codes(put(path))


@pytest.mark.parametrize(
    "path",
    [
        *(f"concepts/{name}.md" for name in ("con", "aux.b", "nul", "com1", "lpt9", "oolong~1", "oo:long", "oo|long")),
        *(f"{name}/oolong.md" for name in ("prn", "oolong ", "oolong.")),
    ],
)
def test_names_that_windows_cannot_have_are_refused(path: str) -> None:
    assert "path_reserved" in codes(put(path))


@pytest.mark.parametrize("path", ["concepts/" + "a" * 200 + ".md", "concepts/a/b/c/d/oolong.md"])
def test_a_path_has_an_end(path: str) -> None:
    assert "path_too_long" in codes(put(path))


def test_a_new_page_that_differs_from_an_old_one_by_case_alone_is_refused() -> None:
    old = Page("concepts/Oolong.md", fresh(SAID, slug="Oolong").text)

    assert "path_collides" in codes(change([old], [at("concepts/oolong.md")]))


def test_two_new_pages_that_differ_by_width_alone_are_refused() -> None:
    assert "path_collides" in codes(change([TEA], [at("concepts/oolong.md"), at("concepts/\uff4folong.md")]))


def test_a_page_cannot_be_where_a_file_is_in_the_way() -> None:
    assert "path_collides" in codes(change([TEA], [at("concepts/oolong.md")], files={"concepts": "a file"}))
    assert "path_collides" in codes(change([TEA], [at("concepts/x.md"), at("concepts/x.md/oolong.md")]))


@pytest.mark.parametrize("folder", ["concepts", "entries/concepts", "Wiki/My concepts"])
def test_a_new_page_goes_where_the_pages_of_its_kind_are(folder: str) -> None:
    old = Page(f"{folder}/tea.md", TEA.text)

    assert codes(change([old], [at(f"{folder}/oolong.md")])) == set()


@pytest.mark.parametrize("path", ["Notes/Ünïcode and spaces.md", "a/b/c/d/e/f/tea.md", "concepts/con.md", "tea~1.md"])
def test_a_page_of_the_user_may_have_any_name(path: str) -> None:
    old = Page(path, TEA.text)

    assert codes(change([old], [edited(old, add="Oolong grows in Fujian. [^oolong-2]", notes=GROWN)])) == set()


def test_a_page_is_not_written_over_a_file_of_somebody_else() -> None:
    theirs = {"concepts/oolong.md": "---\nschema: crm.note/v1\n---\nBuy oolong.\n"}

    assert "path_outside" in codes(change([TEA], [at("concepts/oolong.md")], files=theirs))
