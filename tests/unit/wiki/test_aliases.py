"""Other names stand twice: in curator's own list, and flat for note programs; what is read back is the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ingest.drafting import new_page
from curator.models.proposal import Create, Kind
from curator.wiki.merging import merged
from curator.wiki.pages.aliases import alias_fields, with_flat_aliases
from curator.wiki.pages.page import ENTRY_DIALECT, Page
from curator.wiki.relink import retitled
from support.pages import STAMP, claim, laws, page, source, wiki

NAMES = st.lists(st.text("abc -'\":#[]{}é", min_size=1, max_size=12).map(str.strip).filter(bool), max_size=5)
BODY = (claim("Oolong is a tea."),)
KINDS: tuple[Kind, ...] = ("summary", "concept")
NESTED = {"curator": {"type": "Drink", "aliases": ["Cha"]}, "obsidian": {"view": "x"}}


@laws
@given(own=NAMES, theirs=NAMES, added=NAMES)
def test_reading_back_gives_the_same_names(own: list[str], theirs: list[str], added: list[str]) -> None:
    old = page("tea", "Tea is a drink.", aliases=theirs, metadata={"curator": {"aliases": own}})

    new = old.with_fields(**alias_fields(old, (*old.own_aliases, *added)))

    assert new.own_aliases == tuple(dict.fromkeys((*own, *added)))
    assert set(new.aliases) == {*own, *theirs, *added}
    assert set(new.fields["aliases"]) == set(new.aliases)
    assert new.fields["aliases"][: len(theirs)] == theirs


@laws
@given(own=NAMES)
def test_a_page_that_is_written_anyway_gets_the_flat_list_and_keeps_its_names(own: list[str]) -> None:
    old = page("tea", "Tea is a drink.", metadata={"curator": {"aliases": own}})

    new = with_flat_aliases(old)

    assert new.aliases == old.aliases
    assert new.fields.get("aliases", []) == list(old.aliases)
    assert with_flat_aliases(new) == new


def test_a_page_of_the_later_dialect_gets_no_field_that_its_schema_does_not_have() -> None:
    old = page("tea", "Tea is a drink.", schema=ENTRY_DIALECT, metadata=NESTED)

    new = old.with_fields(**alias_fields(old, ("Cha", "Chai")))

    assert "aliases" not in new.fields
    assert new.aliases == ("Cha", "Chai")


def test_other_metadata_stays() -> None:
    old = page("tea", "Tea is a drink.", metadata=NESTED)

    new = old.with_fields(**alias_fields(old, ("Cha", "Chai")))

    assert new.fields["metadata"] == {
        "curator": {"type": "Drink", "aliases": ["Cha", "Chai"]},
        "obsidian": {"view": "x"},
    }


def test_a_form_of_the_owners_own_is_left_alone() -> None:
    old = page("tea", "Tea is a drink.", aliases="Cha", metadata={"curator": {"aliases": ["Chai"]}})

    assert with_flat_aliases(old) == old
    assert old.aliases == ("Chai", "Cha")


@pytest.mark.parametrize(("dialect", "flat"), [("knowledge/v1", ["Wulong"]), (ENTRY_DIALECT, None)])
def test_a_new_page_has_both(dialect: str, flat: list[str] | None) -> None:
    create = Create(op="create", kind="concept", title="Oolong", aliases=("Wulong",), body=BODY)

    made = new_page.blank(create, source("Oolong."), wiki(), STAMP, (), dialect=dialect)

    assert made.fields.get("aliases") == flat
    assert made.own_aliases == ("Wulong",)


def test_a_renamed_page_keeps_its_old_name_in_both_and_drops_the_new_one() -> None:
    old = with_flat_aliases(page("tea", "Tea is a drink.", metadata={"curator": {"aliases": ["Cha"]}}))

    new = retitled(old, "cha", "Cha")

    assert (new.fields["aliases"], new.own_aliases, new.title) == (["Tea"], ("Tea",), "Cha")


def test_a_merged_page_has_the_names_of_both() -> None:
    one = with_flat_aliases(page("tea", "Tea is a drink.", metadata={"curator": {"aliases": ["Cha"]}}))
    other = page("chai", "Chai is a drink.", aliases=["Tee"])

    both = merged(wiki(one, other), one, other).page("tea")

    assert both is not None
    assert both.fields["aliases"] == ["Cha", "Chai", "Tee"] == list(both.aliases)


def test_a_summary_has_the_tags_its_source_gives_itself() -> None:
    taken = source("Oolong is a tea.")
    head = replace(taken.document.head, tags=("Tea", "clipping/web", "tea", "daily"))
    taken = replace(taken, document=replace(taken.document, head=head))
    summary, concept = (
        new_page.blank(Create(op="create", kind=kind, title="Oolong", body=BODY), taken, wiki(), STAMP, ())
        for kind in KINDS
    )

    assert summary.tags == ("tea", "daily")
    assert concept.tags == ()


def test_names_written_twice_are_read_once() -> None:
    assert Page(
        "concepts/tea.md", "---\naliases: [Cha]\nmetadata: {curator: {aliases: [Cha]}}\n---\n\n# Tea\n"
    ).aliases == ("Cha",)
