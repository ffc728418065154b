"""A page's diff takes the page from before to after, exactly, or refuses."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.errors import ProposalError
from curator.wiki.pages import diff
from support.pages import laws

PATH = "concepts/tea.md"
ODD_LINES = ["a", "b", "", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "\\ No newline at end of file", "-", "+", " "]
LINES = st.lists(st.sampled_from([*ODD_LINES, "c\r", "d\u2028e", "\x0c", "\x85"]), max_size=12)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\r\n"])),
)


@laws
@given(TEXTS, TEXTS)
@example("", "")
@example("a", "a\n")
@example("a\n", "a")
@example("a\r\nb\r\n", "a\r\nc\r\n")
@example("a\u2028b\nc", "a\u2028d\nc")
@example("a\rb\n", "a\rc\n")
@example("", "a")
@example("a", "")
@example("\n", "")
def test_a_diff_leads_from_before_to_after(before: str, after: str) -> None:
    assert diff.apply(before, diff.between(PATH, before, after)) == after


@laws
@given(TEXTS)
@example("")
@example("a")
def test_a_diff_makes_a_new_page(after: str) -> None:
    assert diff.apply(None, diff.between(PATH, None, after)) == after


@laws
@given(TEXTS, TEXTS, TEXTS)
def test_a_diff_fits_only_the_page_it_was_made_for(before: str, after: str, other: str) -> None:
    change = diff.between(PATH, before, after)

    try:
        found = diff.apply(other, change)
    except ProposalError as error:
        assert error.code in ("diff_mismatch", "diff_overlap")
    else:
        assert found == after or other != before


def test_a_diff_names_its_page() -> None:
    change = diff.between(PATH, "a\nb\n", "a\nc\n")

    assert change == "--- a/concepts/tea.md\n+++ b/concepts/tea.md\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert diff.between(PATH, None, "a\n").startswith("--- /dev/null\n+++ b/concepts/tea.md\n@@ -0,0 +1 @@\n")


def test_nothing_changed_is_no_diff() -> None:
    assert diff.between(PATH, "a\n", "a\n") == ""


@pytest.mark.parametrize("before", ["x\nb\n", "a\n", "a\nb", "a\r\nb\r\n", "", None, "b\na\n"])
def test_a_page_that_is_not_as_the_diff_says_is_left_alone(before: str | None) -> None:
    change = diff.between(PATH, "a\nb\n", "a\nc\n")

    with pytest.raises(ProposalError, match="is not as the diff says"):
        diff.apply(before, change)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no diff at all", "diff_malformed"),
        ("--- a/x\n+++ b/x\n", "diff_malformed"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n", "diff_malformed"),
        ("--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n+b\n", "diff_malformed"),
        ("--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n+c\n@@ -1 +1 @@\n-a\n+b\n", "diff_overlap"),
        ("--- a/x\n+++ b/x\n@@ -99 +99 @@\n-a\n+b\n", "diff_mismatch"),
    ],
)
def test_a_diff_of_another_make_is_refused(text: str, code: str) -> None:
    with pytest.raises(ProposalError) as caught:
        diff.apply("a\nb\n", text)

    assert caught.value.code == code


@laws
@given(st.text(alphabet="@-+ ,1a\n\\", max_size=80))
@example("--- a\n+++ b\n@@ -1,1 +1,1 @@\n\\ No newline\n")
def test_any_diff_is_read_or_refused(text: str) -> None:
    try:
        diff.apply("a\n", f"--- a/x\n+++ b/x\n{text}")
    except ProposalError as error:
        assert error.code.startswith("diff_")
