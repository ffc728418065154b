"""Where an event goes on a timeline, and a row in a comparison."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.pages import dates, editing
from curator.wiki.pages.tables import tables, with_head
from curator.wiki.pages.timeline import dated, events, in_order, placed
from support.pages import laws

BODY = """
# History

It is old. [^a-1]

- 1998: It was built. [^a-1]
  - By hand. [^a-1]

  In stone. [^a-2]
- 2003-05-06: It burnt. [^a-1]
- Nobody knows when it was sold. [^a-1]

## Sources

- 2010: A book about it. [^a-2]

[^a-1]: sources/a.md#L1 "words of it"
"""


def put(item: str, body: str = BODY, section: str = "") -> str:
    after, rest = placed("timeline", body, [item], section)
    assert rest == []
    return after


def added(after: str, body: str = BODY) -> str:
    """What stands before the one line that was put in."""
    old, new = body.split("\n"), after.split("\n")
    at = next(n for n, line in enumerate(new) if n >= len(old) or line != old[n])
    assert new[:at] + new[at + 1 :] == old
    return new[at - 1]


@pytest.mark.parametrize(
    ("item", "behind"),
    [
        ("- 1990: It was planned. [^b-1]", ""),
        ("- 1998-02-03: It was begun. [^b-1]", "  In stone. [^a-2]"),
        ("- In 2001 it was painted. [^b-1]", "  In stone. [^a-2]"),
        ("- 6 May 2003: It burnt again. [^b-1]", "- 2003-05-06: It burnt. [^a-1]"),
        ("- 2004: It was mourned. [^b-1]", "- 2003-05-06: It burnt. [^a-1]"),
        ("- 2024: It was forgotten. [^b-1]", "- 2010: A book about it. [^a-2]"),
    ],
)
def test_an_event_is_put_behind_the_nearest_one_before_it(item: str, behind: str) -> None:
    assert added(put(item)) == behind


def test_lists_that_do_not_go_on_one_another_are_not_one() -> None:
    body = BODY.replace("2010", "1980")

    assert added(put("- 2024: It was forgotten.", body), body) == "- 2003-05-06: It burnt. [^a-1]"


def test_a_section_that_is_named_counts() -> None:
    assert added(put("- 1990: A paper about it.", section="Sources")) == ""
    assert put("- 1990: A paper.", section="Sources").index("1990") > put("- 1990: A paper.", section="Sources").index(
        "##"
    )
    assert added(put("- 2001: It was painted.", section="No such")) == "  In stone. [^a-2]"


def test_a_list_that_runs_from_the_newest_to_the_oldest_is_kept_so() -> None:
    body = "* 2005: e\n* 2003: c\n* 2001: a\n"

    assert put("- 2004: d", body) == "* 2005: e\n* 2004: d\n* 2003: c\n* 2001: a\n"
    assert put("- 2006: f", body).startswith("* 2006: f\n* 2005: e\n")
    assert put("- 2000: z", body).endswith("* 2001: a\n* 2000: z\n")


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("1. 2001: a\n2. 2003: c\n", "1. 2001: a\n1. 2002: b\n2. 2003: c\n"),
        ("- 2001: a\n\n- 2003: c\n", "- 2001: a\n\n- 2002: b\n\n- 2003: c\n"),
        ("- 2003: c", "- 2002: b\n- 2003: c"),
        ("- 2001: a", "- 2001: a\n- 2002: b"),
        ("- 2001: a\n- 1999: q\n- 2005: e\n", "- 2001: a\n- 2002: b\n- 1999: q\n- 2005: e\n"),
        ("- **2001**: a\n- [[x|2003]]: c\n", "- **2001**: a\n- 2002: b\n- [[x|2003]]: c\n"),
    ],
)
def test_a_list_stays_as_it_is_written(body: str, wanted: str) -> None:
    assert put("- 2002: b", body) == wanted


@pytest.mark.parametrize(
    ("item", "body", "section"),
    [
        ("- It has no date.", BODY, ""),
        ("2004: no item.", BODY, ""),
        ("- 2004: there is no list.", "# Title\n\nWords.\n", ""),
        ("- 2004: none is dated here.", "## One\n\n- Undated.\n\n## Two\n\n- 2001: a\n", "One"),
        ("## 2004", BODY, ""),
    ],
)
def test_what_has_no_place_is_left_to_the_end(item: str, body: str, section: str) -> None:
    assert placed("timeline", body, [item], section) == (body, [item])


def test_other_pages_have_no_order() -> None:
    assert placed("concept", BODY, ["- 2001: x"], "") == (BODY, ["- 2001: x"])
    assert in_order("concept", ["- 2003: c\n- 2001: a"]) == ["- 2003: c\n- 2001: a"]


def test_new_events_come_in_order_and_undated_ones_last() -> None:
    blocks = [
        "It is old.",
        "- 2003: c\n- When? [^a-1]\n- 2001: a\n  - more",
        "- 2002: b",
        "## Later",
        "- 2009: z",
        "- 2008: y",
    ]

    assert in_order("timeline", blocks) == [
        "It is old.",
        "- 2001: a\n  - more",
        "- 2002: b",
        "- 2003: c",
        "- When? [^a-1]",
        "## Later",
        "- 2008: y",
        "- 2009: z",
    ]


def test_blocks_that_begin_with_a_date_are_counted() -> None:
    assert (
        dated("## 1998\n\nIn 1999 it was.\n\n- 2001: a\n- b\n\n| When | What |\n|---|---|\n| 2002 | c |\n| d | 2003 |")
        == 4
    )
    assert dated("It was built in 1998.") == 0


# -- tables ------------------------------------------------------------------------------------------------------------

TABLE = "| Property | pip | uv |\n|:---|---|---|\n| Speed | slow [^a-1] | fast |\n| Age | 15 | 2 [^a-1] |"
PAGE = f"\n# pip and uv\n\nBoth install. [^a-1]\n\n{TABLE}\n\nThat is all.\n"


@pytest.mark.parametrize(
    ("row", "behind"),
    [
        ("| Language | Python | Rust [^b-1] |", "| Age | 15 | 2 [^a-1] |"),
        ("| speed | 10 | 100 [^b-1] |", "| Speed | slow [^a-1] | fast |"),
    ],
)
def test_a_row_joins_the_table_of_the_same_head(row: str, behind: str) -> None:
    after, rest = placed("comparison", PAGE, [f"| PROPERTY | [[pip]] | **uv** |\n|---|---|---|\n{row}"], "Elsewhere")

    assert rest == []
    assert added(after, PAGE) == behind


def test_a_row_that_is_there_is_not_put_again() -> None:
    assert placed("comparison", PAGE, [TABLE.replace("[^a-1]", "[^b-7]")], "") == (PAGE, [])


def test_another_head_is_another_table() -> None:
    other = TABLE.replace("uv", "conda")

    assert placed("comparison", PAGE, [other], "") == (PAGE, [other])


def test_rows_of_a_timeline_go_by_their_dates() -> None:
    table = "| When | What |\n|---|---|\n| 2001 | a |\n| 2005 | e |\n| ? | q |"
    new = "| When | What |\n|---|---|\n| 2003 | c |\n| 1999 | z |\n| unknown | u |"

    after, _ = placed("timeline", table, [new], "")

    assert [row.cells[0] for row in tables(after)[0].rows] == ["1999", "2001", "2003", "2005", "?", "unknown"]
    assert [row.cells[0] for row in tables(in_order("timeline", [new.replace("unknown", "2004")])[0])[0].rows] == [
        "1999",
        "2003",
        "2004",
    ]


def test_rows_without_a_head_get_the_one_that_fits() -> None:
    known = tables(PAGE)

    assert (
        with_head("| Language | Python | Rust |", known)
        == "| Property | pip | uv |\n|:---|---|---|\n| Language | Python | Rust |"
    )
    assert with_head("| Language | Python |", known) == "| Language | Python |"
    assert with_head(TABLE, known) == TABLE
    assert with_head("Words.", known) == "Words."
    assert with_head("| a | b | c |", [*known, *tables(TABLE.replace("uv", "conda"))]) == "| a | b | c |"


def test_tables_are_found_where_they_are() -> None:
    text = f"```\n{TABLE}\n```\n\n{TABLE}\n\n> {TABLE}\n\na | b\n--|--\n1 \\| 2 | 3\n"

    assert [(table.head, len(table.rows)) for table in tables(text)] == [
        (("Property", "pip", "uv"), 2),
        (("a", "b"), 1),
    ]
    assert tables(text)[1].rows[0].cells == ("1 \\| 2", "3")


# -- laws --------------------------------------------------------------------------------------------------------------

YEARS = st.integers(1990, 2010)
ITEM = st.builds(lambda year, word: f"- {year}: {word}", YEARS, st.sampled_from("abcdef"))
LIST = st.lists(
    st.one_of(ITEM, st.sampled_from(["- undated", "- nested\n  - 1999: x", "words\n", "## H\n"])), max_size=8
)


@laws
@given(LIST, st.lists(ITEM, max_size=4))
def test_nothing_that_stands_there_is_moved_or_lost(old: list[str], new: list[str]) -> None:
    body = editing.join(old)

    after, rest = placed("timeline", body, new, "")

    lines = after.split("\n")
    for line in body.split("\n"):
        at = lines.index(line)
        del lines[:at]
    assert sorted(after.split()) == sorted([*body.split(), *" ".join(item for item in new if item not in rest).split()])


@laws
@given(st.lists(ITEM, min_size=1, max_size=8), st.lists(ITEM, min_size=1, max_size=4), st.booleans())
def test_a_list_in_order_stays_in_order(old: list[str], new: list[str], falls: bool) -> None:
    body = "\n".join(sorted(old, key=lambda item: item[2:6], reverse=falls)) + "\n"

    after, rest = placed("timeline", body, new, "")

    years = [event.moment for event in events(after)]
    assert rest == []
    assert years in (sorted(years), sorted(years, reverse=True))  # type: ignore[type-var]


@laws
@given(st.lists(ITEM, max_size=8), st.lists(ITEM, max_size=4))
def test_the_order_in_which_events_come_is_nothing(old: list[str], new: list[str]) -> None:
    one, _ = placed("timeline", "\n".join(in_order("timeline", [*old, *new])), [], "")
    body = "\n".join(in_order("timeline", old))

    other, rest = placed("timeline", body, new, "")

    first = [dates.leading(line[2:]) for line in one.split("\n")]
    assert rest or [dates.leading(line[2:]) for line in other.split("\n")] == first
