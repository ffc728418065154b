from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import Page
from support.changes import GROWN, PARTLY, TEA, change, codes, edited, fresh
from support.pages import NOW, page

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"


def headed(head: str) -> Page:
    return Page("concepts/oolong.md", f"---\n{head}---\n\n# Oolong\n\n{SAID}\n")


@pytest.mark.parametrize(
    "head",
    [
        "a: &x 1\nb: *x\n",
        "a: !!python/object:os.system 1\n",
        "a: 1\na: 2\n",
        "- a list\n",
        "a: [[[[\n",
        f"a: {'x' * 20_000}\n",
    ],
)
def test_a_head_that_cannot_be_read_gives_one_finding_and_no_crash(head: str) -> None:
    assert codes(change([TEA], [headed(head)])) == {"frontmatter_unreadable"}


def test_an_unreadable_page_is_still_judged_by_its_place() -> None:
    broken = Page("../KNOWLEDGE.md", "---\nopen")

    assert {"frontmatter_unreadable", "path_malformed"} <= codes(change([TEA], [broken]))


def test_a_page_whose_head_could_not_be_read_before_is_left_to_its_user() -> None:
    old = Page("concepts/tea.md", "---\na: *x\n---\n\nTea.\n")

    assert codes(change([old], [edited(TEA)])) == {"frontmatter_unreadable"}


def test_text_that_is_no_unicode_is_refused() -> None:
    assert codes(change([TEA], [Page("concepts/oolong.md", "\ud800")])) == {"frontmatter_unreadable"}


def test_a_new_page_begins_with_its_head() -> None:
    assert "frontmatter_missing" in codes(change([TEA], [Page("concepts/oolong.md", f"# Oolong\n\n{SAID}")]))
    assert "frontmatter_missing" in codes(change([TEA], [Page("concepts/tea.md", TEA.body)]))


def test_a_page_without_a_head_can_be_added_to() -> None:
    old = Page("concepts/tea.md", "# Tea\n\nTea is a drink.\n")

    assert codes(change([old], [edited(old, add="Oolong grows. [^oolong-2]", notes=GROWN)])) == set()


def test_the_head_of_a_new_page_closes_within_4_kilobytes() -> None:
    tags = [f"tag-number-{n}" for n in range(400)]

    assert codes(change([TEA], [fresh(SAID, tags=tags)])) == {"frontmatter_too_long"}


@pytest.mark.parametrize("value", ["knowledge/v2", "knowledge.workspace/v1", "", ["knowledge/v1"]])
def test_a_new_page_is_of_a_known_dialect(value: object) -> None:
    assert "schema_unknown" in codes(change([TEA], [fresh(SAID, schema=value)]))


@pytest.mark.parametrize("value", ["Oolong", "../oolong", "other", "con", "x", "", ["oolong"], "oolong\n"])
def test_a_new_page_has_its_files_name_as_slug(value: object) -> None:
    new = fresh(SAID)

    assert "slug_invalid" in codes(change([TEA], [new.with_fields(slug=value)]))


def test_the_public_dialect_has_no_slug_that_begins_with_a_digit() -> None:
    new = fresh(SAID, slug="2026-oolong", title="Oolong", schema="knowledge.entry/v1", sources=["oolong"])

    assert codes(change([TEA], [new])) == {"slug_invalid"}
    assert codes(change([TEA], [fresh(SAID, slug="2026-oolong", title="Oolong")])) == set()


@pytest.mark.parametrize("kind", ["spell", "", "Concept", ["concept"], "entity"])
def test_a_new_page_is_of_a_known_kind_and_stands_among_its_like(kind: object) -> None:
    new = fresh(SAID)

    assert "kind_unknown" in codes(change([TEA], [new.with_fields(kind=kind)]))


@pytest.mark.parametrize("title", ["", " ", "x" * 201, "two\nlines", "a: b\n---\n# Injected", ["a", "list"], None])
def test_a_title_is_one_line_of_at_most_200_characters(title: object) -> None:
    new = fresh(SAID)

    assert "title_invalid" in codes(change([TEA], [new.with_fields(title=title)]))


@pytest.mark.parametrize("alias", ["x" * 201, "two\nlines"])
def test_an_alias_is_a_name_too(alias: str) -> None:
    aliases = {"curator": {"aliases": [alias]}}

    assert "title_invalid" in codes(change([TEA], [fresh(SAID, metadata=aliases)]))
    assert "title_invalid" in codes(change([TEA], [edited(TEA, metadata=aliases)]))


@pytest.mark.parametrize("title", ["Oolong: a tea", "C++ & [[more]] | less", "烏龍茶", "---", "# Oolong", "x" * 200])
def test_any_other_words_may_be_a_title(title: str) -> None:
    assert "title_invalid" not in codes(change([TEA], [fresh(SAID, title=title)]))


@pytest.mark.parametrize("stamp", ["yesterday", "2026-13-01", "", "20260401", (NOW + timedelta(minutes=6)).isoformat()])
def test_the_time_of_a_change_is_a_time_and_no_later_than_now(stamp: str) -> None:
    assert codes(change([TEA], [fresh(SAID, updated_at=stamp)])) == {"updated_at_invalid"}
    assert codes(change([TEA], [edited(TEA, updated_at=stamp)])) == {"updated_at_invalid"}


@pytest.mark.parametrize("stamp", ["2026-04-15", "2026-04-15T09:34:00Z", "2026-04-15T11:30:00+02:00"])
def test_clocks_may_differ_a_little(stamp: str) -> None:
    assert codes(change([TEA], [fresh(SAID, updated_at=stamp)])) == set()


def test_a_time_that_was_wrong_before_is_its_users() -> None:
    old = page("old", "Tea is a drink.", updated_at="last spring")
    other = page("other", "Tea is a drink.")
    pair = [old.with_fields(contradicts=["other"]), other.with_fields(contradicts=["old"])]

    assert codes(change([old, other], pair)) == set()


@pytest.mark.parametrize(
    "extra", [{"cssclass": "x"}, {"metadata": {"dataview": {"a": 1}}}, {"metadata": "x"}, {"publish": True}]
)
def test_a_new_page_has_no_fields_of_its_own_making(extra: dict[str, Any]) -> None:
    assert "field_unknown" in codes(change([TEA], [fresh(SAID, **extra)]))


@pytest.mark.parametrize(
    "said",
    [
        "---\n\nOolong is partly oxidised. [^oolong-1]",
        "Oolong is partly oxidised. [^oolong-1]\n\n---\ntitle: Other\nconfidence: 1\n---\n",
        "Oolong is partly oxidised. [^oolong-1]\n\n---\nsources:\n- sources/x.md\n...\n",
    ],
)
def test_there_is_one_head_a_page(said: str) -> None:
    text = frontmatter.split(fresh(SAID).text)[0] + f"\n{said}\n\n{PARTLY}\n"

    assert "second_frontmatter" in codes(change([TEA], [Page("concepts/oolong.md", text)]))
    assert "second_frontmatter" in codes(
        change([TEA], [edited(TEA, add=f"---\ntitle: x\n---\n\n{said}", notes=PARTLY)])
    )


def test_a_rule_across_the_page_is_no_head() -> None:
    said = f"Oolong is partly oxidised. [^oolong-1]\n\n---\n\nOolong grows in Fujian. [^oolong-2]\n\n{PARTLY}\n{GROWN}"

    assert codes(change([TEA], [fresh(f"Oolong is a tea. [^oolong-1]\n\n{said}")])) == set()
