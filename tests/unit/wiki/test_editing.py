"""Edits inside a body: only what is spliced changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.pages import editing, footnote_edits, markdown, positions
from support.pages import laws

BODY = """# Tea

Tea is a drink. [^a-1]

## Making

- Boil water. [^a-2]
- Wait.

### In a pot

1. Warm it.

## Kinds

| Kind | Colour |
|------|--------|
| Sencha | green [^a-1] |

[^a-1]: sources/a.txt#L1 "Tea is a drink."
[^a-2]: sources/a.txt#L2 "Boil water."
"""
PIECES = ["# A\n", "text\n", "\n", "- item\n", "| a |\n|---|\n| b |\n", "[^1]: x\n", "```\ncode\n```\n"]
BODIES = st.one_of(
    st.text(alphabet="ab #-|[]^:\n.1", max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
)


def found(passage: str, body: str = BODY) -> str | None:
    spot = positions.find_passage(body, passage)
    return None if spot is None else body[spot.start : spot.end]


# -- citing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Tea is hot.", "Tea is hot. [^x-1] [^x-2]"),
        ("- One\n- Two", "- One [^x-1] [^x-2]\n- Two [^x-1] [^x-2]"),
        ("- One\n  - In it", "- One [^x-1] [^x-2]\n  - In it [^x-1] [^x-2]"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 1 | 2 [^x-1] [^x-2] |"),
        ("a | b\n---|---\n1 | 2", "a | b\n---|---\n1 | 2 [^x-1] [^x-2]"),
        ("## Head", "## Head"),
        ("See also: [[tea]], [[cup]]", "See also: [[tea]], [[cup]]"),
        ("```\ncode\n```", "```\ncode\n```"),
        ("One.\n\nTwo `x`.", "One. [^x-1] [^x-2]\n\nTwo `x`. [^x-1] [^x-2]"),
        ("> Quoted **words**", "> Quoted **words** [^x-1] [^x-2]"),
    ],
)
def test_every_block_that_says_something_is_cited(text: str, cited: str) -> None:
    assert editing.cite(text, {"x-1": "tea", "x-2": "tea"}) == cited


def test_no_labels_cite_nothing() -> None:
    assert editing.cite("Tea.", {}) == "Tea."


# -- joining and inserting -------------------------------------------------------------------------------------------


def test_lists_and_tables_stand_close_and_all_else_apart() -> None:
    blocks = ["One.", "- a", "- b", "* c", "Two.", "1. x", "2. y", "| a |\n|---|", "| b |", "## H"]

    assert editing.join(blocks) == "One.\n\n- a\n- b\n* c\n\nTwo.\n\n1. x\n2. y\n\n| a |\n|---|\n| b |\n\n## H"


@pytest.mark.parametrize(
    ("heading", "last"),
    [
        ("Making", "1. Warm it."),
        ("## making ", "1. Warm it."),
        ("In a pot", "1. Warm it."),
        ("Kinds", "| Sencha | green [^a-1] |"),
        ("Tea", "| Sencha | green [^a-1] |"),
    ],
)
def test_a_section_ends_behind_its_last_block(heading: str, last: str) -> None:
    at = editing.end_of_section(BODY, heading)

    assert at is not None
    assert BODY[:at].endswith(last)


def test_a_heading_that_is_not_there_has_no_section() -> None:
    assert editing.end_of_section(BODY, "History") is None


def test_the_text_ends_before_its_footnotes() -> None:
    assert BODY[: editing.end_of_text(BODY)].endswith("| Sencha | green [^a-1] |")
    assert editing.end_of_text("") == 0


@pytest.mark.parametrize(
    ("body", "text", "wanted"),
    [
        ("", "New.", "New.\n"),
        ("One.\n", "New.", "One.\n\nNew.\n"),
        ("- a\n", "- b", "- a\n- b\n"),
        ("- a", "- b", "- a\n- b\n"),
        ("- a\n\n\n", "New.", "- a\n\nNew.\n"),
        ("One.\n\n[^1]: x\n", "New.", "One.\n\nNew.\n\n[^1]: x\n"),
        ("| a |\n|---|\n| b |\n", "| c |", "| a |\n|---|\n| b |\n| c |\n"),
    ],
)
def test_a_block_is_put_at_the_end_of_the_text(body: str, text: str, wanted: str) -> None:
    assert editing.insert(body, editing.end_of_text(body), text) == wanted


def test_a_block_is_put_between_two() -> None:
    body = "- a\n- b\n\nTwo.\n"

    assert editing.insert(body, 3, "- x") == "- a\n- x\n- b\n\nTwo.\n"
    assert editing.insert(body, 7, "New.") == "- a\n- b\n\nNew.\n\nTwo.\n"


def test_a_table_goes_on_with_rows_and_not_with_another_table() -> None:
    table, other = "| a |\n|---|\n| b |", "| c |\n| :-: |\n| d |"

    assert editing.join([table, "| e |", other]) == f"{table}\n| e |\n\n{other}"
    assert editing.insert(f"{table}\n\n{other}\n", len(table), "| e |") == f"{table}\n| e |\n\n{other}\n"


def test_a_loose_list_keeps_its_blank_line() -> None:
    assert editing.insert("- a\n\n- b\n", 3, "- x") == "- a\n- x\n\n- b\n"


@laws
@given(BODIES, st.sampled_from(["New words.", "- new words", "| new | words |"]))
def test_nothing_of_a_body_is_lost_when_a_block_is_added(body: str, text: str) -> None:
    after = editing.insert(body, editing.end_of_text(body), text)

    assert text in after
    assert [line for line in after.split("\n") if line and line != text] == [line for line in body.split("\n") if line]


@laws
@given(BODIES)
def test_footnotes_go_behind_all_else(body: str) -> None:
    after = footnote_edits.add_notes(body, ['[^n-1]: sources/a.txt#L1 "x"'])

    assert after.startswith(body.rstrip("\n"))
    assert after.endswith('\n[^n-1]: sources/a.txt#L1 "x"\n')
    assert footnote_edits.add_notes(body, []) == body


def test_footnotes_stand_together() -> None:
    assert footnote_edits.add_notes("A.\n\n[^1]: x\n", ["[^2]: y"]) == "A.\n\n[^1]: x\n[^2]: y\n"


# -- finding a passage -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passage", "place"),
    [
        ("Tea is a drink. [^a-1]", "Tea is a drink. [^a-1]"),
        ("  Boil water.\n", "Boil water."),
        ("- Boil water. - Wait.", "- Boil water. [^a-2]\n- Wait."),
        ("- Boil\u00a0water.", "- Boil water. [^a-2]"),
        ("Warm it.", "Warm it."),
    ],
)
def test_a_passage_is_found_as_it_was_copied(passage: str, place: str) -> None:
    assert found(passage) == place


@pytest.mark.parametrize(
    ("body", "passage", "place"),
    [
        ("It’s “hot” – very.", 'It\'s "hot" - very.', "It’s “hot” – very."),
        ("Tea is\nhot and [^1] wet. [^2] More.", "Tea is hot and wet.", "Tea is\nhot and [^1] wet. [^2]"),
        ("Tea   is hot.", "Tea is\nhot.", "Tea   is hot."),
        ("Der ﬁsch ist da.", "Der fisch ist da.", "Der ﬁsch ist da."),
    ],
)
def test_a_passage_is_found_through_folding(body: str, passage: str, place: str) -> None:
    assert found(passage, body) == place


@pytest.mark.parametrize(
    ("passage", "place"),
    [
        ("The pump Orla weighs 12 kg.", "The [[pump-orla|pump Orla]] weighs 12 kg. [^a-1]"),
        ("pump Orla weighs", "[[pump-orla|pump Orla]] weighs"),
        ("Note: see the docs and x_y, *now*.", "**Note:** see the [docs](https://tea.org) and `x_y`, now. [^a-2]"),
        ("see the docs", "see the [docs](https://tea.org)"),
        ("Note: see", "**Note:** see"),
        ("5 * 3 at an Oolong", "5 \\* 3 at an [[oolong\\|Oolong]]"),
        ("see the [[docs]]", "see the [docs](https://tea.org)"),
        ("the tea", None),
    ],
)
def test_a_passage_is_found_as_a_reader_sees_it(passage: str, place: str | None) -> None:
    body = (
        "The [[pump-orla|pump Orla]] weighs 12 kg. [^a-1]\n\n- **Note:** see the [docs](https://tea.org) and `x_y`, now."
        " [^a-2]\n- Of the [[tea]], the *tea*.\n\n| a | b |\n|---|---|\n| 5 \\* 3 at an [[oolong\\|Oolong]] | 2 |\n"
    )

    assert found(passage, body) == place


@pytest.mark.parametrize(
    ("body", "passage"),
    [
        ("Tea is hot. Tea is hot.", "Tea is hot."),
        ("It’s hot. It’s hot.", "It's hot."),
        ("Tea is hot.", "Tea is cold."),
        ("Tea is hot.", "  "),
        ("Tea is hot.", "[^1]"),
        ("Unable to rest.", "able to rest."),
        ("Tea is hot", "Tea is ho"),
    ],
)
def test_a_passage_that_is_not_in_one_place_is_not_found(body: str, passage: str) -> None:
    assert found(passage, body) is None


def test_a_passage_is_looked_for_where_it_stands_as_a_word() -> None:
    assert found("tea", "A teapot holds tea.") == "tea"


def test_a_passage_that_is_also_quoted_in_a_footnote_is_found_in_the_text() -> None:
    assert found("Tea is a drink.") == "Tea is a drink."
    assert BODY.index(found("Tea is a drink.") or "?") == positions.find_passage(BODY, "Tea is a drink.").start  # type: ignore[union-attr]


def test_words_of_a_footnote_alone_are_no_passage() -> None:
    assert found("sources/a.txt") is None


@laws
@given(BODIES, st.integers(0, 60), st.integers(1, 40))
def test_what_is_found_is_what_was_asked_for(body: str, at: int, length: int) -> None:
    passage = body[at : at + length]

    spot = positions.find_passage(body, passage)

    if spot is not None:
        assert 0 <= spot.start < spot.end <= len(body)
        assert {each for each in passage if each.isalnum()} <= {*body[spot.start : spot.end]}


@pytest.mark.parametrize(
    ("passage", "kind"), [("Tea is a drink.", "paragraph"), ("Wait.", "item"), ("Sencha", "row"), ("Making", None)]
)
def test_a_passage_stands_in_a_block_that_claims_something(passage: str, kind: str | None) -> None:
    spot = positions.find_passage(BODY, passage)

    assert spot is not None
    block = positions.block_at(BODY, spot)
    assert (block.kind if block else None) == kind


def test_a_passage_over_two_blocks_stands_in_none() -> None:
    spot = positions.find_passage(BODY, "- Boil water. - Wait.")

    assert spot is not None
    assert positions.block_at(BODY, spot) is None


@pytest.mark.parametrize(
    ("text", "navigates"),
    [
        ("See also: [[tea]]", True),
        ("[[tea]], [[cup]]", True),
        ("See [[tea]].", True),
        ("[[Tea]] is hot.", False),
        ("See.", True),
    ],
)
def test_only_links_say_nothing(text: str, navigates: bool) -> None:
    (block,) = markdown.scan(text).blocks

    assert editing.is_navigation(block) is navigates


def test_no_quote_of_a_table_is_lost() -> None:
    table = "| | Use |\n|---|---|\n| Alcohol wash | exact, for doubtful cases |\n| Sugar shake | the standard count |"
    quotes = {
        "a-1": "An alcohol wash is an exact count.",
        "a-2": "It is kept for doubtful cases.",
        "a-3": "The sugar shake is the standard count.",
    }

    lines = editing.cite(table, quotes).split("\n")

    assert lines[2:] == [
        "| Alcohol wash | exact, for doubtful cases [^a-1] [^a-2] |",
        "| Sugar shake | the standard count [^a-3] |",
    ]


def test_rows_of_the_same_figures_keep_their_own_marks() -> None:
    table = "| Hive | Mites | Share |\n| --- | --- | --- |\n| 1 | 1 | 0.3 |\n| 3 | 1 | 0.3 |"

    lines = editing.cite(table, {"x-1": "1 | 1 | 0.3", "x-2": "3 | 1 | 0.3"}).split("\n")

    assert lines[2:] == ["| 1 | 1 | 0.3 [^x-1] |", "| 3 | 1 | 0.3 [^x-2] |"]
