"""Relations of pages need words of the source that name both and say how they stand."""

from __future__ import annotations

import pytest

from curator.ingest.drafting.drafted import Draft
from curator.models.proposal import Create, Mark, Operation
from curator.wiki.pages.page import Page
from support.pages import claim, draft, page, source, wiki

OLD = page("old-guide", "Old.", kind="summary", title="Guide to hives", sources=["sources/old-guide.txt"])
PEP = page("pep-0241", "Old.", kind="summary", title="PEP 241 – Crates", sources=["sources/pep-0241.txt"])
HIVE = page("hive", "A hive.")
THYMOL = page("thymol", "A cure.", sources=["sources/old.txt"])
OXALIC = page("oxalic-acid", "An acid.", metadata={"curator": {"aliases": ["OA"]}})
BASE = (OLD, PEP, HIVE, THYMOL, OXALIC)


def worked(text: str, *marks: Operation, path: str = "sources/new.txt", base: tuple[Page, ...] = BASE) -> Draft:
    """What becomes of ``marks`` when a source of these words comes in, which gets a summary called "New notes"."""
    words = f"Bees are kept in many countries.\n\n{text}\n"
    said = claim("Bees are kept in many countries.", "Bees are kept in many countries")
    create = Create(op="create", kind="summary", title="New notes", body=(said,))
    return draft(wiki(*base), source(f"Title: New notes\n\n{words}", path), create, *marks)


def codes(found: Draft) -> list[str]:
    return [finding.code for finding in (*found.broken, *found.left_out)]


def mark(slug: str, *quotes: str, **relations: object) -> Mark:
    return Mark.model_validate({"op": "mark", "page": slug, "quotes": quotes, **relations})


@pytest.mark.parametrize(
    "said",
    [
        "This guide replaces the Guide to hives.",
        "These notes supersede the guide to hives of 2020 in full.",
        "The new notes take the place of the Guide to Hives.",
        "The Guide to Hives is superseded by these notes.",
        "The Guide to hives was replaced in 2021 by the present notes.",
    ],
)
def test_a_source_supersedes_what_it_says_it_replaces(said: str) -> None:
    found = worked(said, mark("new", said, supersedes=("old-guide",)))

    assert codes(found) == []
    assert (summary := found.wiki.page("new")) is not None
    assert summary.supersedes == ("old-guide",)


@pytest.mark.parametrize(
    "said",
    [
        "The Guide to hives is a fine book.",
        "This guide does not replace the Guide to hives.",
        "These notes may replace the Guide to hives one day.",
        "It is proposed to replace the Guide to hives.",
        "These notes replace the frame of a hive.",
        "These notes supersede the chapter on feeding of the Guide to hives.",
        "Section 4 of the Guide to hives is superseded by these notes.",
        "These notes are replaced by the Guide to hives.",
        "The Guide to hives replaces these notes.",
        "The Guide to hives is superseded by PEP 241.",
        "PEP 241 replaces the Guide to hives.",
    ],
)
def test_what_the_source_does_not_say_is_no_relation(said: str) -> None:
    found = worked(said, mark("new", said, supersedes=("old-guide",)))

    assert codes(found) == ["relation_unproven"]
    assert (summary := found.wiki.page("new")) is not None
    assert summary.supersedes == ()


def test_words_that_are_not_in_the_source_prove_no_relation() -> None:
    made = worked("Nothing.", mark("new", "This guide replaces the Guide to hives", supersedes=("old-guide",)))

    assert codes(made) == ["relation_unproven"]


def test_a_cut_not_is_seen() -> None:
    said = "This guide does in no way replace the Guide to hives."

    assert codes(worked(said, mark("new", "replace the Guide to hives", supersedes=("old-guide",)))) == [
        "relation_unproven"
    ]


def test_a_field_of_the_head_needs_no_quote() -> None:
    text = "Title: New notes\nReplaces: 241\nSupersedes: old-guide.txt\n\nBees are kept in many countries.\n"
    said = claim("Bees are kept in many countries.", "Bees are kept in many countries")
    create = Create(op="create", kind="summary", title="PEP 345 – Boxes", aliases=("PEP 345",), body=(said,))
    both = mark("pep-0345", supersedes=("pep-0241", "old-guide"))

    found = draft(wiki(*BASE), source(text, "sources/pep-0345.txt"), create, both)

    assert codes(found) == []
    assert (summary := found.wiki.page("pep-0345")) is not None
    assert summary.supersedes == ("pep-0241", "old-guide")


def test_a_source_may_name_its_successor() -> None:
    text = "Title: New notes\nSuperseded-By: Guide to hives\n\nBees are kept in many countries.\n"
    said = claim("Bees are kept in many countries.", "Bees are kept in many countries")
    create = Create(op="create", kind="summary", title="New notes", body=(said,))

    found = draft(wiki(*BASE), source(text, "sources/new.txt"), create, mark("old-guide", supersedes=("new",)))

    assert codes(found) == []
    assert (guide := found.wiki.page("old-guide")) is not None
    assert guide.supersedes == ("new",)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("What is said of thymol contradicts what is known of OA.", []),
        ("Thymol is not in contradiction to OA.", ["relation_unproven"]),
        ("Thymol and oxalic acid are used in autumn.", ["relation_unproven"]),
        ("Thymol is challenged.", ["relation_unproven"]),
    ],
)
def test_a_contradiction_of_two_pages_is_stated(said: str, wanted: list[str]) -> None:
    assert codes(worked(said, mark("thymol", said, contradicts=("oxalic-acid",)))) == wanted


@pytest.mark.parametrize(
    ("slug", "said", "wanted"),
    [
        ("thymol", "Thymol may work, but nobody is sure.", 0.5),
        ("new", "All of this is preliminary.", 0.3),
        ("thymol", "Thymol works well in warm weather.", 0.7),
        ("thymol", "Formic acid may work in warm weather.", 0.7),
        ("thymol", "There is no doubt that thymol works.", 0.7),
    ],
)
def test_a_page_is_only_doubted_where_the_source_doubts(slug: str, said: str, wanted: float) -> None:
    found = worked(f"{said}", mark(slug, said, confidence=0.3))

    assert (after := found.wiki.page(slug)) is not None
    assert after.confidence == wanted


def test_a_page_is_doubted_once_however_often_it_is_said() -> None:
    said = "Thymol may work, but nobody is sure."

    found = worked(said, *[mark("thymol", said, confidence=0.3 - n / 10) for n in range(3)])

    assert (after := found.wiki.page("thymol")) is not None
    assert after.confidence == 0.5


def test_all_pages_are_not_doubted_at_once() -> None:
    pages = tuple(page(f"cure-{chr(97 + n)}", f"Cure {n}.") for n in range(8))
    words = "\n".join(f"Perhaps the cure {chr(97 + n)} works." for n in range(8))
    marks = [mark(each.slug, f"Perhaps the cure {each.slug[-1]} works", confidence=0.0) for each in pages]

    found = worked(words, *marks, base=pages)

    assert codes(found) == ["relations_too_many"] * 3
    assert {each.confidence for each in found.wiki.changed.values()} == {0.5, 0.7}


def test_no_page_supersedes_what_supersedes_it() -> None:
    one = page("one", "One.", supersedes=["two"])
    two, three = page("two", "Two.", supersedes=["three"]), page("three", "Three.")
    said = "Three replaces the one of old."

    assert codes(worked(said, mark("three", said, supersedes=("one",)), base=(one, two, three))) == ["relation_ring"]
