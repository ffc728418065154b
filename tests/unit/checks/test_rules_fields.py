from __future__ import annotations

import pytest

from curator.wiki.pages.page import Page
from support.changes import GROWN, OOLONG, PARTLY, PATH, TEA, change, codes, edited, fresh
from support.pages import STAMP, page

SAID = f"Oolong is partly oxidised. [^oolong-1]\n\n{PARTLY}"
VENDORS = {"obsidian": {"view": "x"}, "curator": {"type": "Drink", "aliases": ["Cha"]}}
RICH = page("rich", "Tea is a drink.", id="r-1", created="2020-01-01", tags=["a"], cssclass="wide", metadata=VENDORS)


def grown(old: Page, **fields: object) -> Page:
    return edited(old, add="Oolong grows in Fujian. [^oolong-2]", notes=GROWN, **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Rich!"},
        {"slug": "other"},
        {"kind": "entity"},
        {"id": "r-2"},
        {"created": STAMP},
        {"schema": "knowledge.entry/v1"},
        {"tags": ["a", "b"]},
        {"cssclass": "narrow"},
        {"aliases": ["Camellia"]},
        {"publish": True},
        {"metadata": {**VENDORS, "obsidian": {"view": "y"}}},
        {"metadata": {"curator": VENDORS["curator"]}},
        {"metadata": {**VENDORS, "curator": {"type": "Person", "aliases": ["Cha"]}}},
        {"metadata": "gone"},
    ],
)
def test_what_is_not_curators_stays_as_it_is(fields: dict[str, object]) -> None:
    assert "field_changed" in codes(change([RICH], [grown(RICH, **fields)]))


def test_an_edit_may_date_the_page_and_name_its_source() -> None:
    assert codes(change([RICH], [grown(RICH)])) == set()


def test_an_edit_may_add_another_name() -> None:
    metadata = {**VENDORS, "curator": {"type": "Drink", "aliases": ["Cha", "Camellia"]}}
    text = f"{OOLONG}\nRich (also called Camellia) is a tea.\n"

    assert codes(change([RICH], [grown(RICH, metadata=metadata)], source_text=text)) == set()


def test_the_flat_list_of_names_has_curators_own_after_those_of_the_owner() -> None:
    old = RICH.with_fields(aliases=["Tee"])

    assert codes(change([RICH], [grown(RICH, aliases=["Cha"])])) == set()
    assert codes(change([old], [grown(old, aliases=["Tee", "Cha"])])) == set()
    assert "field_changed" in codes(change([old], [grown(old, aliases=["Cha"])]))
    assert "field_changed" in codes(change([old], [grown(old, aliases="Tee, Cha")]))


def test_a_name_is_not_taken_away() -> None:
    metadata = {**VENDORS, "curator": {"type": "Drink", "aliases": []}}

    assert codes(change([RICH], [grown(RICH, metadata=metadata)])) == {"relation_lost"}


@pytest.mark.parametrize("value", [1.5, -0.1, "high", "nan", [0.5], True, "0.5"])
def test_confidence_is_a_number_from_0_to_1(value: object) -> None:
    assert "confidence_invalid" in codes(change([TEA], [fresh(SAID, confidence=value)]))
    assert "confidence_invalid" in codes(change([TEA], [grown(TEA, confidence=value)]))


@pytest.mark.parametrize("value", [0.96, 1, 1.0])
def test_a_new_page_is_never_quite_sure(value: float) -> None:
    assert codes(change([TEA], [fresh(SAID, confidence=value)])) == {"confidence_raised"}


def test_a_new_page_that_does_not_say_is_too_sure() -> None:
    text = fresh(SAID).text.replace("confidence: 0.7\n", "")

    assert codes(change([TEA], [Page("concepts/oolong.md", text)])) == {"confidence_raised"}


@pytest.mark.parametrize(("value", "wanted"), [(0.9, set()), (0.1, set()), (0.91, {"confidence_raised"}), (0.7, set())])
def test_one_source_makes_a_page_only_a_little_surer(value: float, wanted: set[str]) -> None:
    assert codes(change([TEA], [grown(TEA, confidence=value)])) == wanted


def test_a_better_source_may_make_a_page_as_sure_as_a_new_one() -> None:
    old = TEA.with_fields(confidence=0.4)

    for authority, most in (("rumour", 0.6), ("secondary", 0.7), ("primary", 0.8)):
        at_most = change([old], [grown(old, confidence=most)], authority=authority)
        above = change([old], [grown(old, confidence=most + 0.01)], authority=authority)
        assert (codes(at_most), codes(above)) == (set(), {"confidence_raised"})


def test_no_source_is_dropped() -> None:
    assert "source_lost" in codes(change([TEA], [grown(TEA, sources=[PATH])]))


def test_a_page_names_the_source_it_was_written_from() -> None:
    assert "source_unlisted" in codes(change([TEA], [grown(TEA, sources=["sources/old.txt"])]))
    assert "source_unlisted" in codes(change([TEA], [fresh(SAID, sources=[])]))


def test_a_page_names_its_source_as_its_dialect_does() -> None:
    new = fresh(SAID, schema="knowledge.entry/v1", sources=["oolong"])

    assert codes(change([TEA], [new])) == set()
    assert {"source_unlisted", "source_unknown"} <= codes(change([TEA], [new.with_fields(sources=[PATH])]))


def test_relations_alone_need_no_source() -> None:
    other = page("other", "Tea is a drink.")
    pair = [TEA.with_fields(contradicts=["other"], updated_at=STAMP), other.with_fields(contradicts=["tea"])]

    assert codes(change([TEA, other], pair)) == set()
    assert codes(change([TEA], [TEA.with_fields(confidence=0.2, updated_at=STAMP)])) == set()


@pytest.mark.parametrize("invented", ["sources/other.txt", "oolong", "sources/../KNOWLEDGE.md"])
def test_no_source_is_made_up(invented: str) -> None:
    assert codes(change([TEA], [grown(TEA, sources=["sources/old.txt", PATH, invented])])) == {"source_unknown"}
    assert codes(change([TEA], [fresh(SAID, sources=[PATH, invented])])) == {"source_unknown"}


@pytest.mark.parametrize("key", ["contradicts", "supersedes"])
def test_a_relation_is_not_taken_back(key: str) -> None:
    old = TEA.with_fields(**{key: ["other"]})

    assert "relation_lost" in codes(change([old, page("other", "Tea.")], [grown(TEA)]))


def test_a_page_lists_no_source_that_says_nothing_on_it() -> None:
    relinked = TEA.with_body(TEA.body.replace("boiled in a kettle", "boiled in a [[kettle]]"))

    listed = relinked.with_fields(sources=["sources/old.txt", PATH])

    assert codes(change([TEA, page("kettle", "It boils.")], [listed])) == {"source_uncited"}
    assert codes(change([TEA, page("kettle", "It boils.")], [relinked])) == set()


def test_no_page_grows_surer_by_a_source_that_says_nothing_on_it() -> None:
    assert "confidence_raised" in codes(
        change([TEA], [TEA.with_fields(confidence=0.75, sources=["sources/old.txt", PATH])])
    )
