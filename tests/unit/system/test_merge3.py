"""Three versions of a page become one: what one side alone changed is in, what both changed is a clash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.system.merge3 import merge

LINES = st.lists(st.sampled_from(["# Tea", "One.", "Two.", "- three", "- four", "Five. [^a-1]"]), max_size=7)
GAPS = st.sampled_from(["\n", "\n\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    return "".join(line + draw(GAPS) for line in draw(LINES))


@given(texts(), texts())
def test_what_only_one_side_changed_is_taken_whole(base: str, changed: str) -> None:
    assert merge(base, changed, base).text == changed
    assert merge(base, base, changed).text == changed
    assert merge(base, changed, changed).text == changed


@given(texts(), texts(), texts())
def test_no_line_is_made_up_and_none_of_ours_alone_is_lost(base: str, ours: str, theirs: str) -> None:
    merged = merge(base, ours, theirs)

    lines = set(merged.text.split("\n"))
    assert lines <= {"", *ours.split("\n"), *theirs.split("\n")}
    assert set(ours.split("\n")) - set(base.split("\n")) <= lines


@given(texts(), texts(), texts())
def test_both_ways_round_clash_alike(base: str, ours: str, theirs: str) -> None:
    assert len(merge(base, ours, theirs).clashes) == len(merge(base, theirs, ours).clashes)


@given(texts(), texts(), texts())
def test_taking_back_what_was_added_below_it_gives_the_addition_alone(base: str, first: str, second: str) -> None:
    """An ingest appends, a later one appends more: without the first, the second stands where the first stood."""
    first, second = first.replace(".", "!"), second.replace(".", "?").replace("-", "*").replace("#", "##")
    if not (base and first and second) or not base.endswith("\n\n") or not first.endswith("\n\n"):
        return

    merged = merge(base + first, base + first + second, base)

    assert merged.clashes == ()
    assert merged.text.split() == (base + second).split()


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "wanted"),
    [
        ("A\n\nB\n", "A\n\nY\n\nB\n", "A\n\nX\n\nB\n", "A\n\nY\n\nX\n\nB\n"),  # both put in at one spot: ours first
        ("A\n\nX\n\nB\n", "A\n\nX\n\nY\n\nB\n", "A\n\nB\n", "A\n\nY\n\nB\n"),  # taken out above what was put in
        ("A\n\nX\n\nB\n", "A\n\nY\n\nX\n\nB\n", "A\n\nB\n", "A\n\nY\n\nB\n"),
        ("- a\n- b\n", "- a\n- b\n- c\n", "- b\n", "- b\n- c\n"),
        ("A\n\nB\n", "A\n\nB\n\nC\n", "A2\n\nB\n", "A2\n\nB\n\nC\n"),
        ("A\n", "A\nB\n", "", "B\n"),
        ("\n# T\n\nA\n", "\n# T\n\nA\n\nB\n", "\n# T\n", "\n# T\n\nB\n"),
    ],
)
def test_changes_that_only_touch_are_no_clash(base: str, ours: str, theirs: str, wanted: str) -> None:
    merged = merge(base, ours, theirs)

    assert (merged.text, merged.clashes) == (wanted, ())


def test_a_line_both_changed_is_a_clash_and_stays_ours() -> None:
    merged = merge("A\n\nB\n", "A ours\n\nB\n", "A theirs\n\nB\n\nC\n")

    assert merged.text == "A ours\n\nB\n\nC\n"
    assert [(clash.base, clash.ours, clash.theirs) for clash in merged.clashes] == [
        (("A",), ("A ours",), ("A theirs",))
    ]


def test_a_line_that_stays_is_not_taken_away() -> None:
    base = "# T\n\nA\n\n## S\n\nB\n"

    merged = merge(base, base + "\nC\n", "", stays=lambda line: line.startswith("#"))

    assert merged.text == "# T\n\n## S\n\nC\n"
