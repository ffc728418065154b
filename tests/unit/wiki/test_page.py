"""A page in either dialect: what it says of itself, and that an edit changes nothing else."""

from __future__ import annotations

import pytest

from curator.errors import FrontmatterError
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.page import Page, is_page, is_page_path, source_reference
from support.pages import page

SEED = """---
schema: knowledge/v1
slug: wheel
kind: concept
title: Wheel
sources: [sources/pep-0427.rst]
aliases: Wheels
contradicts: [egg]
supersedes:
- bdist
confidence: 0.85
tags: [packaging, zip]
updated_at: 2026-01-01T00:00:00Z
metadata:
  curator:
    aliases: [wheel format]
    type: FileFormat
  other.vendor: {keep: 'this'}   # theirs
---

# Wheel

A wheel is a ZIP archive. It is built once. [^pep-0427-1]

See [[egg]], [bdist](../entities/bdist%20dumb.md#use) and [PyPI](https://pypi.org/a.md).

[^pep-0427-1]: sources/pep-0427.rst#L38 "a wheel is a ZIP-format archive"
[^note]: our own remark
"""

ENTRY = """---
schema: knowledge.entry/v1
slug: wheel
kind: file-format
title: Wheel
sources: [pep-0427]
---
Body
"""


def test_a_page_of_the_seeds_dialect() -> None:
    wheel = Page("concepts/wheel.md", SEED)

    assert (wheel.dialect, wheel.slug, wheel.kind, wheel.title) == ("knowledge/v1", "wheel", "concept", "Wheel")
    assert wheel.sources == ("sources/pep-0427.rst",)
    assert wheel.aliases == ("wheel format", "Wheels")
    assert wheel.type == "FileFormat"
    assert (wheel.contradicts, wheel.supersedes, wheel.tags) == (("egg",), ("bdist",), ("packaging", "zip"))
    assert (wheel.confidence, wheel.updated_at) == (0.85, "2026-01-01T00:00:00Z")
    assert wheel.summary == "A wheel is a ZIP archive."


def test_a_page_of_the_schemas_dialect() -> None:
    wheel = Page("entries/file-formats/wheel.md", ENTRY)

    assert (wheel.dialect, wheel.kind, wheel.type) == ("knowledge.entry/v1", "file-format", "FileFormat")
    assert wheel.sources == ("pep-0427",)
    assert wheel.confidence == 1.0


def test_each_dialect_names_a_source_in_its_own_way() -> None:
    assert source_reference("knowledge/v1", "sources/My Paper.pdf") == "sources/My Paper.pdf"
    assert source_reference("knowledge.entry/v1", "sources/My Paper.pdf") == "my-paper"


def test_a_page_without_a_head_is_named_by_its_place() -> None:
    tea = Page("entities/tea.md", "# Green *tea*\n\nIt is hot.\n")

    assert (tea.slug, tea.kind, tea.title) == ("tea", "entity", "Green tea")
    assert (tea.sources, tea.aliases, tea.confidence) == ((), (), 1.0)


@pytest.mark.parametrize("value", ["high", "[1]", "", "{a: 1}"])
def test_a_confidence_that_is_no_number_counts_as_none(value: str) -> None:
    assert Page("a/b.md", f"---\nconfidence: {value}\n---\n").confidence == 1.0


def test_fields_of_another_shape_are_empty_not_an_error() -> None:
    odd = Page(
        "concepts/odd.md", "---\nsources: {a: 1}\ntags: [[a], b, ~]\nmetadata: [curator]\ntitle: [x]\nslug:\n---\n"
    )

    assert (odd.sources, odd.tags, odd.aliases, odd.title, odd.slug) == ((), ("b",), (), "odd", "odd")


def test_links_name_pages_and_paths() -> None:
    assert [target for target, _ in Page("concepts/wheel.md", SEED).links] == ["egg", "entities/bdist dumb.md"]


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("b.md", "x/y/b.md"),
        ("./b.md", "x/y/b.md"),
        ("../b.md", "x/b.md"),
        ("/b.md", "b.md"),
        ("../../../b.md", "../b.md"),
        ("caf%C3%A9.md", "x/y/café.md"),
    ],
)
def test_a_relative_link_is_seen_from_its_page(target: str, path: str) -> None:
    assert [found for found, _ in Page("x/y/a.md", f"[b]({target})").links] == [path]


def test_citations_are_the_footnotes_that_cite() -> None:
    citation = Citation("sources/pep-0427.rst", "L38", "a wheel is a ZIP-format archive")

    assert Page("concepts/wheel.md", SEED).citations == {"pep-0427-1": citation}


def test_lines_count_from_the_files_first() -> None:
    wheel = Page("concepts/wheel.md", SEED)

    (heading,) = wheel.outline.headings
    assert wheel.text.splitlines()[wheel.line_of(heading.line) - 1] == "# Wheel"


@pytest.mark.parametrize(
    ("body", "summary"),
    [
        ("# T\n\nTea, e.g. green tea, is a drink. It is hot.", "Tea, e.g. green tea, is a drink."),
        ("# T\n\nTea is a drink of leaves [^a-1]. More.\n\n[^a-1]: x", "Tea is a drink of leaves."),
        ("# T\n\n- One.\n- Two.", "One."),
        ("# T\n\n茶は飲み物で、世界で広く飲まれています。熱い。", "茶は飲み物で、世界で広く飲まれています。"),
        ("# T\n", ""),
        ("```\ncode\n```\n", ""),
        ("word " * 50, "word " * 30 + "word…"),
    ],
)
def test_a_summary_is_the_first_sentence(body: str, summary: str) -> None:
    found = Page("a/b.md", body).summary

    assert found == summary.strip()
    assert len(found) <= 160


def test_a_changed_field_leaves_every_other_byte() -> None:
    after = Page("concepts/wheel.md", SEED).with_fields(confidence=0.9, supersedes=["bdist", "sdist"])

    assert after.text == SEED.replace("0.85", "0.9").replace("- bdist\n", "- bdist\n- sdist\n")


def test_a_changed_body_leaves_the_head() -> None:
    assert Page("a/b.md", ENTRY).with_body("New\n").text == ENTRY.replace("Body\n", "New\n")


def test_a_byte_order_mark_stays_in_front() -> None:
    marked = Page("a/b.md", "\ufeff" + ENTRY)

    after = marked.with_fields(title="Egg").with_body("New\n")

    assert after.title == "Egg"
    assert after.text == "\ufeff" + ENTRY.replace("Wheel", "Egg").replace("Body", "New")


def test_a_head_that_cannot_be_read_says_so() -> None:
    with pytest.raises(FrontmatterError):
        _ = Page("a/b.md", "---\na: *b\n---\n").slug


@pytest.mark.parametrize(
    "path",
    [
        "concepts/a.md",
        "a.md",
        "entries/file-formats/a.md",
        "concepts/_a.md",
        "deep/er/and/deeper/a.md",
        "a/docs/b.md",
        "b/knowledge.md",
        "concepts/skill.md",
        "concepts/compiled/a.md",
    ],
)
def test_what_is_a_page(path: str) -> None:
    assert is_page_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "sources/a.md",
        "_index.md",
        "_log.md",
        "KNOWLEDGE.md",
        "AGENTS.md",
        "README.md",
        ".obsidian/a.md",
        "concepts/.a.md",
        "concepts/a.txt",
        "concepts/a.MD",
        "operators/x/KNOWLEDGE.md",
        "concepts/AGENTS.md",
        "operators/research/OPERATOR.md",
        "skills/sales-assist/SKILL.md",
        "skills/sales-assist/PLAYBOOK.md",
        "SECURITY.md",
        "compiled/briefing.md",
        "indexes/topics.md",
        "runs/2026.md",
    ],
)
def test_what_is_no_page(path: str) -> None:
    assert not is_page_path(path)


@pytest.mark.parametrize(
    "path, head, expected",
    [
        ("notes/a.md", "schema: knowledge/v1\n", True),
        ("docs/a.md", 'schema: "knowledge.entry/v1"\n', True),
        ("operators/x/a.md", "title: A\nschema : &s 'knowledge/v1' # ours\n", True),
        ("notes/a.md", "{schema: knowledge/v1, slug: a}\n", True),
        ("notes/a.md", "schema: knowledge/v9\n", True),  # a page with a fault, not somebody else's
        ("notes/a.md", "schema: knowledge/v1\nslug: [a\n", True),
        ("a.md", "schema: knowledge/v1\n", True),
        ("entities/a.md", "schema: agentoperators/v1\n", False),
        ("entries/a.md", "schema: knowledge.source/v1\n", False),
        ("entries/a.md", "schema: knowledge.workspace/v1\n", False),
        ("entries/a.md", "schema: knowledgebase/v1\n", False),
        ("entities/a.md", "metadata:\n  schema: crm/v1\n", True),
        ("notes/a.md", "metadata:\n  schema: knowledge/v1\n", False),
        ("entities/a.md", "schema:\ntitle: A\n", True),
        ("notes/a.md", "schema:\ntitle: knowledge/v1\n", False),
        ("entries/critiques/2026/a.md", "", True),
        ("wiki/concepts/a.md", "title: A\n", True),
        ("notes/a.md", "title: A\n", False),
        ("a.md", "", False),
        ("operators/x/concepts/a.md", "", False),
        ("skills/x/entries/a.md", "title: A\n", False),
        ("docs/concepts/a.md", "", False),
        ("entities/SKILL.md", "schema: knowledge/v1\n", False),
        ("sources/a.md", "schema: knowledge/v1\n", False),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_page_says_so_or_lies_where_pages_are(path: str, head: str, expected: bool, newline: str) -> None:
    text = (f"---\n{head}---\n" if head else "") + "# A\n\nschema: words of the body\n"

    assert is_page(path, text.replace("\n", newline)) is expected


def test_a_head_that_nothing_closes_says_what_it_is() -> None:
    assert is_page("notes/a.md", "---\nslug: a\nschema: knowledge/v1\n\n# A\n")
    assert not is_page("notes/a.md", "---\nslug: a\n\nschema: knowledge/v1\n")
    assert not is_page("notes/a.md", "schema: knowledge/v1\n\nWords that are no head.\n")


def test_a_helper_page_is_a_sound_one() -> None:
    assert page("green-tea", "Hot.").title == "Green tea"
