"""A wiki is a value: a change makes the next one and leaves this one as it was."""

from __future__ import annotations

from weakref import ref

import pytest

from curator.wiki.wiki import PageEntry
from support.pages import page, wiki

TEA = page("tea", "Tea is made of [[camellia]] and [[Hot Water]]s.", metadata={"curator": {"aliases": ["chai"]}})
CAMELLIA = page("camellia", "A shrub.", kind="entity")
WATER = page("hot-water", "See [tea](tea.md) and [[camellia|it]].")


def test_a_page_over_a_wiki_makes_the_next_wiki() -> None:
    before = wiki(TEA, CAMELLIA)
    edited = TEA.with_body("# Tea\n\nNew.\n")

    after = before.with_page(edited)

    assert before.page("tea") == TEA
    assert after.page("tea") == after.page_at("concepts/tea.md") == edited
    assert after.page("camellia") == CAMELLIA
    assert [entry.summary for entry in after.entries() if entry.slug == "tea"] == ["New."]


def test_a_new_page_is_an_entry_too() -> None:
    after = wiki(TEA).with_page(WATER)

    assert {entry.slug for entry in after.entries()} == {"tea", "hot-water"}
    assert after.entry("hot-water") == PageEntry.of(WATER)


@pytest.mark.parametrize(
    "target",
    ["tea", "Tea", "chai", "Teas", "concepts/tea.md", "concepts/tea"],
)
@pytest.mark.parametrize("changed", [False, True])
def test_a_link_names_a_page_by_slug_title_alias_or_path(target: str, changed: bool) -> None:
    found = (wiki().with_page(TEA) if changed else wiki(TEA)).resolve(target)

    assert found is not None
    assert found.slug == "tea"


@pytest.mark.parametrize("target", ["coffee", "", "!", "concepts/coffee.md", "../tea.md", "entities/tea"])
def test_a_link_to_nothing_names_nothing(target: str) -> None:
    assert wiki(TEA).resolve(target) is None


def test_an_entry_is_made_once_and_does_not_keep_its_page() -> None:
    short_lived = page("steam", "What hot water becomes.")
    entry, alive = PageEntry.of(short_lived), ref(short_lived)
    assert PageEntry.of(short_lived) is entry

    del short_lived

    assert alive() is None


def test_a_slug_goes_before_a_title() -> None:
    other = page("drink", "x", title="Tea")

    found = wiki(TEA, other).resolve("tea")

    assert found is not None
    assert found.slug == "tea"


def test_of_two_pages_with_one_name_the_first_slug_is_meant() -> None:
    found = wiki(page("b-tea", title="Cha"), page("a-tea", title="Cha")).named("cha")

    assert found is not None
    assert found.slug == "a-tea"


def test_a_renamed_page_no_longer_goes_by_its_old_name() -> None:
    renamed = TEA.with_fields(title="Infusion")

    after = wiki(page("drink", title="Tea Time"), TEA).with_page(renamed.with_fields(slug="infusion", metadata={}))

    assert after.named_all(["chai", "infusion"]).keys() == {"infusion"}
    assert after.named("chai") is None


def test_inbound_links_are_found_however_they_are_written() -> None:
    base = wiki(TEA, CAMELLIA, WATER)

    assert base.inbound("camellia") == {"tea", "hot-water"}
    assert base.inbound("tea") == {"hot-water"}
    assert base.inbound("hot-water") == {"tea"}


@pytest.mark.parametrize(
    ("named", "is_link"),
    [
        ("tea", True),
        ("Chai", True),
        ("concepts/tea.md", True),
        ("concepts/tea", True),
        ("[[tea]]", True),
        ("[[Tea#Kinds|all]]", True),
        ("teapot", False),
        ("https://example.org/tea", False),
    ],
)
def test_a_link_of_a_head_is_an_inbound_link(named: str, is_link: bool) -> None:
    cup = page("cup", "Alone.", links=[named, {"a": "b"}, None])
    base = wiki(TEA, cup)

    assert ("cup" in base.inbound("tea")) is is_link
    assert ("cup" in wiki(TEA).with_page(cup).inbound("tea")) is is_link


def test_inbound_links_follow_an_edit() -> None:
    base = wiki(TEA, CAMELLIA, WATER)

    after = base.with_page(TEA.with_body("# Tea\n\nAlone.\n")).with_page(
        CAMELLIA.with_body("Of [[tea]] and [[camellia]].")
    )

    assert after.inbound("camellia") == {"hot-water"}
    assert after.inbound("tea") == {"hot-water", "camellia"}


def test_files_that_are_no_pages_can_be_read() -> None:
    base = wiki(TEA, sources__a_dot_txt="words")

    assert base.store.read("sources/a.txt") == "words"
    assert base.store.read("sources/b.txt") is None
    assert [entry.slug for entry in base.entries()] == ["tea"]


def test_names_are_title_aliases_and_the_words_of_the_slug() -> None:
    assert PageEntry.of(page("green-tea", title="Sencha")).names == ("Sencha", "green tea")
