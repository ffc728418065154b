"""Which passages of a page a source touches, and how they are shown."""

from __future__ import annotations

from curator.wiki.pages import editing, positions
from curator.wiki.pages.page import Page
from curator.wiki.passages import touched
from curator.wiki.passages.touched import SourcePlaces
from support.pages import page, source

DICT = page(
    "typed-dict",
    "A TypedDict is a type of dictionaries with fixed keys. [^a-1]\n\n## Keys\n\n"
    "- A class cannot mix required and non-required keys. [^a-2]\n- Keys are strings. [^a-3]\n\n"
    "## Rows\n\n| kind | size |\n| --- | --- |\n| slim wooden box | 3 [^a-4] |\n| round barrel | 4 [^a-5] |\n\n"
    "```\nclass Movie(TypedDict): ...\n```\n",
    title="Typed dict",
)
NEW = (
    "Abstract\n\nThis document lets a class mix required and non-required keys, by a marker at each key.\n\n"
    "A slim wooden box now has size 5.\n\nOf the weather nothing is said here.\n"
)


def found(text: str, of: Page = DICT) -> list[str]:
    places = SourcePlaces.of(source(text).document, "text")
    return [each.text for each in sorted(places.touched(of, "sources/new.txt"), key=lambda each: -each.score)]


def test_a_statement_that_one_place_of_the_source_speaks_of_is_touched_and_others_are_not() -> None:
    assert found(NEW) == [
        "- A class cannot mix required and non-required keys. [^a-2]",
        "| slim wooden box | 3 [^a-4] |",
    ]


def test_what_the_source_denies_or_denies_no_more_comes_before_what_it_says_as_well() -> None:
    rules = page(
        "lts-release",
        "- Changes of a release in LTS are limited to bug fixes and features of npm, with its updates. [^a-1]\n"
        "- No new features may be added to a release once it enters LTS. [^a-2]\n",
    )
    said = "A release in LTS takes new features, bug fixes and updates of npm that were audited.\n"

    assert [text[:8] for text in found(said, rules)] == ["- No new", "- Change"]
    assert [text[:8] for text in found(said.replace("takes", "takes no"), rules)] == ["- Change", "- No new"]


def test_words_that_are_spread_over_the_source_touch_nothing() -> None:
    assert found("A class.\n\n" + "Of others. " * 30 + "\n\nMix it.\n\n" + "More. " * 60 + "\n\nKeys of it.\n") == []


def test_headings_stay_and_what_is_left_out_is_marked() -> None:
    blocks = [block for block in DICT.outline.blocks if "barrel" in block.text or "strings" in block.text]

    assert touched.shown(DICT, blocks) == (
        "[...]\n\n## Keys\n\n[...]\n\n- Keys are strings. [^a-3]\n\n## Rows\n\n[...]\n\n"
        "| kind | size |\n| --- | --- |\n| round barrel | 4 [^a-5] |\n\n[...]"
    )


def test_what_is_shown_can_be_named_by_an_edit() -> None:
    for block in DICT.outline.blocks:
        if block.kind in editing.CLAIMS:
            assert positions.find_passage(DICT.body, touched.raw(DICT, block)) is not None
