from __future__ import annotations

import pytest

from curator.wiki.pages.page import Page
from support.changes import PARTLY, TEA, change, codes, edited, fresh
from support.pages import page

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"
MATE = page("mate", "Mate is a drink.")


def test_a_slug_is_one_pages_alone() -> None:
    elsewhere = Page("entities/oolong.md", page("oolong", "Tea.", title="Another").text)

    assert "slug_taken" in codes(change([elsewhere], [fresh(SAID)]))


def test_two_new_pages_do_not_share_a_slug() -> None:
    twin = Page("entities/oolong.md", fresh(SAID, kind="entity", title="Another").text)

    assert "slug_taken" in codes(change([TEA], [fresh(SAID), twin]))


@pytest.mark.parametrize("title", ["Tea", "tea", "TEAS", "The Tea", "Téa", "Camellia tea"])
def test_a_name_is_one_pages_alone_however_it_is_spelt(title: str) -> None:
    old = TEA.with_fields(metadata={"curator": {"aliases": ["Camellia Tea"]}})

    assert "name_taken" in codes(change([old], [fresh(SAID, title=title)]))


def test_an_alias_is_a_name() -> None:
    aliases = {"curator": {"aliases": ["Tea"]}}

    assert "name_taken" in codes(change([TEA], [fresh(SAID, metadata=aliases)]))
    assert "name_taken" in codes(change([TEA, MATE], [edited(MATE, metadata=aliases)]))


def test_two_new_pages_do_not_share_a_name() -> None:
    assert codes(change([TEA], [fresh(SAID), fresh(SAID, slug="wulong", title="Oolongs")])) == {"name_taken"}


def test_a_name_given_up_in_the_same_change_is_free() -> None:
    assert codes(change([TEA, MATE], [fresh(SAID), edited(MATE)])) == set()


def test_a_summary_may_be_called_like_the_thing_its_source_is_about() -> None:
    thing = page("oolong", "Tea.")
    assert codes(change([thing], [fresh(SAID, slug="notes", kind="summary", title="Oolong")])) == set()
    old = page("notes", "Tea.", "summary", title="Oolong")
    assert codes(change([old], [fresh(SAID)])) == set()


def test_pages_that_shared_a_name_before_may_be_edited() -> None:
    twin = page("chai", "Tea.", title="Tea")

    assert codes(change([TEA, twin], [edited(TEA), edited(twin)])) == set()


@pytest.mark.parametrize("key", ["contradicts", "supersedes"])
def test_a_relation_names_a_page_that_is_there(key: str) -> None:
    assert "relation_broken" in codes(change([TEA], [edited(TEA).with_fields(**{key: ["nowhere"]})]))
    assert "relation_broken" in codes(change([TEA], [fresh(SAID).with_fields(**{key: ["../../etc/passwd"]})]))


@pytest.mark.parametrize("key", ["contradicts", "supersedes"])
def test_no_page_relates_to_itself(key: str) -> None:
    assert codes(change([TEA], [edited(TEA).with_fields(**{key: ["tea"]})])) == {"relation_to_self"}


def test_a_relation_may_name_a_page_of_the_same_change() -> None:
    new = fresh(SAID, contradicts=["tea"], supersedes=["mate"])

    assert codes(change([TEA, MATE], [new, edited(TEA, contradicts=["oolong"])])) == set()


def test_of_two_pages_that_contradict_each_other_both_say_so() -> None:
    assert codes(change([TEA, MATE], [edited(TEA, contradicts=["mate"])])) == {"contradiction_one_sided"}
    assert codes(change([TEA, MATE], [edited(TEA, contradicts=["mate"]), edited(MATE)])) == {"contradiction_one_sided"}
    already = MATE.with_fields(contradicts=["tea"])
    assert codes(change([TEA, already], [edited(TEA, contradicts=["mate"])])) == set()


def test_relations_that_were_broken_before_do_not_matter() -> None:
    old = TEA.with_fields(contradicts=["nowhere", "tea", "mate"])

    assert codes(change([old, MATE], [edited(old)])) == set()


def test_pages_do_not_supersede_each_other_in_a_ring() -> None:
    one, two, three = page("one", "One.", supersedes=["two"]), page("two", "Two."), page("three", "Three.")
    ring = [two.with_fields(supersedes=["three"]), three.with_fields(supersedes=["one"])]

    assert codes(change([one, two, three], ring)) == {"relation_ring"}
    assert codes(change([one, two, three], ring[:1])) == set()


def test_one_source_does_not_relate_everything_with_everything() -> None:
    many = [page(f"p{n}", "A page.") for n in range(22)]
    old = many[0].with_fields(supersedes=[f"p{n}" for n in range(1, 22)])

    assert codes(change(many, [old])) == {"relations_too_many"}
