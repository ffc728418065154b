"""Links by name: the first mention, the longest name, and never inside what is closed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.autolink import link_first_mentions, settle_links
from curator.wiki.pages import markdown
from support.pages import laws, page, wiki

WIKI = wiki(
    page("wheel", title="Wheel"),
    page("wheel-format", title="Wheel format"),
    page("ai-act", title="AI Act", metadata={"curator": {"aliases": ["EU AI Act"]}}),
    page("mill-wheel", title="Mill wheel"),
    page("us", title="US"),
    page("c-page", title="C"),
    page("c-plus-plus", title="C++"),
    page("node-js", title="Node.js"),
    page("green-tea", title="緑茶"),
    page("bienenstock", title="Bienenstock"),
)


def linked(text: str, *already: str) -> str:
    return link_first_mentions(text, WIKI, set(already))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A wheel is built.", "A [[wheel]] is built."),
        ("The Wheel is built.", "The [[wheel|Wheel]] is built."),
        ("Two wheels, one wheel.", "Two [[wheel|wheels]], one wheel."),
        ("The wheel format is a wheel.", "The [[wheel-format|wheel format]] is a [[wheel]]."),
        ("Some AI wheel format.", "Some AI [[wheel-format|wheel format]]."),
        ("The EU AI Act wheel is built.", "The [[ai-act|EU AI Act]] [[wheel]] is built."),
        ("The old mill wheel format is good.", "The old mill [[wheel-format|wheel format]] is good."),
        ("the EU AI Act", "the [[ai-act|EU AI Act]]"),
        ("It is in Node.js.", "It is in [[node-js|Node.js]]."),
        ("It is in C++ and C.", "It is in [[c-plus-plus|C++]] and [[c-page|C]]."),
        ("Ein Bienenstock ist leer.", "Ein [[bienenstock|Bienenstock]] ist leer."),
        ("In the US it is so, not for us.", "In the [[us|US]] it is so, not for us."),
        ("None of us.", "None of us."),
        ("As wheel(5) says, a wheel turns.", "As [[wheel|wheel(5)]] says, a wheel turns."),
        ("A wheel, a [[wheel|fine one]].", "A wheel, a [[wheel|fine one]]."),
    ],
)
def test_the_first_mention_is_linked(text: str, wanted: str) -> None:
    assert linked(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Use `wheel` here.",
        "```\nwheel\n```",
        "See [the wheel](https://example.org).",
        "See https://example.org/wheel for more.",
        "See [[tool|the wheel]].",
        "![wheel](x.png)",
        "Said so. [^wheel]",
        "the AI. Act now",
        "**AI** Act",
        "AI [Act",
        "AI\nAct",
        "wheelbarrow",
        "The -wheel files and a --wheel flag.",
        "<b title='wheel'>x</b>",
    ],
)
def test_what_is_closed_or_no_name_is_not_linked(text: str) -> None:
    assert linked(text) == text


def test_a_page_that_is_linked_already_is_left() -> None:
    already = {"wheel"}

    assert link_first_mentions("A wheel and the US.", WIKI, already) == "A wheel and the [[us|US]]."
    assert already == {"wheel", "us"}


def test_a_link_in_a_table_keeps_the_table() -> None:
    text = "| Name | What |\n|---|---|\n| Wheels | an archive |"

    after = linked(text)

    assert after == "| Name | What |\n|---|---|\n| [[wheel\\|Wheels]] | an archive |"
    (link,) = markdown.scan(after).links
    assert link.target == "wheel"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[[wheel]]", "[[wheel]]"),
        ("[[Wheel]]", "[[wheel|Wheel]]"),
        ("[[Wheels|many wheels]]", "[[wheel|many wheels]]"),
        ("[[wheel#Use|use]] and [[Wheel#Use]]", "[[wheel#Use|use]] and [[wheel#Use|Wheel]]"),
        ("[[concepts/wheel.md|w]]", "[[wheel|w]]"),
        ("[[nothing]]", "nothing"),
        ("[[nothing|the words]]", "the words"),
        ("[[nothing#part]]", "nothing"),
        ("😀 [[EU AI Act]]!", "😀 [[ai-act|EU AI Act]]!"),
        ("`[[Wheel]]` \\[[Wheel]]", "`[[Wheel]]` \\[[Wheel]]"),
        ("| a |\n|---|\n| [[Wheel\\|w]] [[nothing\\|n]] |", "| a |\n|---|\n| [[wheel\\|w]] n |"),
        ("| a |\n|---|\n| [[Wheel]] |", "| a |\n|---|\n| [[wheel\\|Wheel]] |"),
        ("![[nothing]]", "![[nothing]]"),
        ("[[us]] and [[wheel]](5)", "[[us|US]] and [[wheel|wheel(5)]]"),
        ("[[wheel]](and more)", "wheel(and more)"),
    ],
)
def test_links_are_settled_to_slugs_or_words(text: str, wanted: str) -> None:
    assert settle_links(text, WIKI.resolve) == wanted


WORDS = "wheel Wheels the AI Act US C++ [[ ]] | ` * ( [x](y) 緑茶 [^a] [[US]]".split()
PIECES = st.lists(st.sampled_from([*WORDS, "\n"]), max_size=12).map(" ".join)


@laws
@given(PIECES)
def test_linking_twice_links_nothing_more(text: str) -> None:
    already: set[str] = set()

    once = link_first_mentions(text, WIKI, already)

    assert link_first_mentions(once, WIKI, already) == once


@laws
@given(PIECES)
def test_linking_changes_no_word_that_is_read(text: str) -> None:
    def words(text: str) -> list[str]:
        return [" ".join(block.text.split()) for block in markdown.scan(text).blocks]

    assert words(linked(text)) == words(text)


@laws
@given(PIECES)
def test_settled_links_all_lead_somewhere(text: str) -> None:
    once = settle_links(text, WIKI.resolve)
    settled = settle_links(once, WIKI.resolve)

    assert all(WIKI.entry(link.target) for link in markdown.scan(settled).links if link.form == "wiki")


def test_words_that_mislead_are_no_link() -> None:
    pages = wiki(page("thymol"), page("oxalic-acid"))

    settled = settle_links("[[thymol|oxalic acid]], [[thymol|thymol strips]], [[Thymol|the remedy]]", pages.resolve)

    assert settled == "oxalic acid, [[thymol|thymol strips]], [[thymol|the remedy]]"


def test_a_thing_may_be_called_without_the_field_of_its_title_where_another_is_called_so() -> None:
    pages = wiki(page("java"), page("java-language", title="Java (language)"))

    settled = settle_links("[[java|Java]], [[java-language|Java]], [[java-language|Bali]]", pages.resolve)

    assert settled == "[[java|Java]], [[java-language|Java]], Bali"


@pytest.mark.parametrize("alias", ["the", "e", "which", "The"])
def test_a_common_word_is_nobodys_name_whatever_aliases_a_page_has(alias: str) -> None:
    pages = wiki(page("thymol", metadata={"curator": {"aliases": [alias]}}))

    assert link_first_mentions("It is the e of which The hive is.", pages, set()) == "It is the e of which The hive is."


def test_a_name_in_capitals_is_a_name_all_the_same() -> None:
    pages = wiki(page("information-technology", metadata={"curator": {"aliases": ["IT"]}}))

    assert "[[information-technology|IT]]" in link_first_mentions("It is done by IT.", pages, set())
