"""Links to a heading: as Obsidian and as GitHub write them, and those that lead nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.checks.lint.rules.anchors import names_of
from curator.wiki.pages.page import Page
from support.lints import commit, examined, found, page, plant, the_only, with_lints

BODY = """Tea is a drink. [^tea-1]

## Feeding, in winter

It is fed. [^tea-1]

## Notes

One. [^tea-1] ^block-1

## Notes

Two. [^tea-1]

## Use `git log` of [[home|the home]]

It is used. [^tea-1]

Ünder 100 % (über)
---

<a id="Place"></a>"""


@pytest.mark.parametrize(
    "link",
    [
        "[[tea]]",
        "[[tea#Feeding, in winter]]",
        "[[tea#feeding in winter|so]]",
        "[so](tea.md#feeding-in-winter)",
        "[so](tea.md#Feeding%2C%20in%20winter)",
        "[so](tea.md#notes-1)",
        "[[tea#Notes]]",
        "[[tea#Tea#Notes]]",
        "[[tea#^block-1]]",
        "[[tea#Use git log of the home]]",
        "[[tea#Use `git log` of home the home]]",
        "[so](tea.md#use-git-log-of-the-home)",
        "[so](tea.md#ünder-100--über)",
        "[so](tea.md#place)",
        "[so](tea.md#L3-L5)",
        "[so](tea.md#top)",
        "[so](tea.md#:~:text=tea)",
        "[so](tea.md#user-content-fn-1)",
        "[so](tea.md#)",
        "[so](#own-part)",
        "[[#Own part]]",
        "![[tea#Notes]]",
        "[so](https://example.org/tea.md#nowhere)",
        "[so](<tea.md#notes>)",
        "[so][ref]\n\n[ref]: tea.md#notes\n\n",
        "`[[tea#Nowhere]]`",
    ],
)
def test_links_to_what_is_there(root: Path, link: str) -> None:
    plant(root, page("tea", BODY), page("oolong", f"It is {link}, as said. [^tea-1]\n\n## Own part\n\n[[tea]]"))

    assert not found(root, "link_anchor_broken")


@pytest.mark.parametrize(
    ("link", "where", "heading"),
    [
        ("[[tea#Nowhere]]", "concepts/tea.md", "Nowhere"),
        ("[so](tea.md#feeding)", "concepts/tea.md", "feeding"),
        ("[so](tea.md#feedinginwinter)", "concepts/tea.md", "feedinginwinter"),
        ("[so](tea.md#notes-2)", "concepts/tea.md", "notes-2"),
        ("[so](../concepts/tea.md#nowhere)", "concepts/tea.md", "nowhere"),
        ("[so][ref]\n\n[ref]: tea.md#nowhere\n\n", "concepts/tea.md", "nowhere"),
        ("![[tea#Nowhere]]", "concepts/tea.md", "Nowhere"),
        ("[[tea#Notes#Nowhere]]", "concepts/tea.md", "Notes#Nowhere"),
        ("[[tea#^block-2]]", "concepts/tea.md", "^block-2"),
        ("[[#Nowhere]]", "this page", "Nowhere"),
        ("[so](#nowhere)", "this page", "nowhere"),
        ("[[Verde#Nowhere]]", "concepts/tea.md", "Nowhere"),
    ],
)
def test_links_to_no_heading(root: Path, link: str, where: str, heading: str) -> None:
    plant(root, page("tea", BODY, aliases="[Verde]"), page("oolong", f"It is {link}, as said. [^tea-1]"))

    fault = the_only(root, "link_anchor_broken")

    assert (fault.path, fault.line, fault.severity) == ("concepts/oolong.md", 13, "error")
    assert fault.message == f"{where} has no heading {heading!r}"


def test_it_is_a_warning_unless_the_manifest_says_more(root: Path) -> None:
    with_lints(root)
    plant(root, page("tea", BODY), page("oolong", "It is [[tea#Nowhere]]. [^tea-1]"))
    assert the_only(root, "link_anchor_broken").severity == "warn"

    with_lints(root, 'id: links, kind: broken-ref, appliesTo: "*", severity: info')
    assert the_only(root, "link_anchor_broken").severity == "warn"


def test_a_heading_of_a_page_that_is_not_there_is_a_broken_link(root: Path) -> None:
    plant(root, page("oolong", "It is [[nowhere#Part]]. [^tea-1]"))

    assert not found(root, "link_anchor_broken")
    assert found(root, "link_broken")


def test_a_heading_that_goes_is_missed_by_pages_that_stay(root: Path) -> None:
    plant(root, page("tea", BODY), page("oolong", "It is [[tea#Notes]]. [^tea-1]"))
    assert not found(root, "link_anchor_broken")

    file = root / "concepts" / "tea.md"
    file.write_text(file.read_text("utf-8").replace("## Notes", "## Remarks"), "utf-8")
    commit(root)
    result = examined(root)

    assert result.looked_at == 1
    assert [finding.path for finding in result.findings if finding.code == "link_anchor_broken"] == [
        "concepts/oolong.md"
    ]


def test_headings_have_the_names_that_github_gives() -> None:
    names = set(names_of(Page("a.md", "# Café: 1.5 & *more* `x_y`\n\n# Notes\n\n# notes\n\n# 研究\n\n# 👍\n")))

    assert {"#café-15--more-x_y", "#notes", "#notes-1", "#研究"} <= names
