"""What a page hides from its readers does not reach a model, and what it shows is not lost."""

from __future__ import annotations

from collections import Counter

import pytest
from css.look import Look
from css.rules import StyleRules
from css.selectors import Element
from html_page.page import read_page
from hypothesis import given
from hypothesis import strategies as st

from support.places import TESTS

CASES = TESTS / "cases" / "hidden"
HIDDEN = CASES.joinpath("html-hidden.txt").read_text("utf-8").splitlines()
"""Pages, one a line, that hide the word SECRET and show the word shown."""
SHOWN = CASES.joinpath("html-shown.txt").read_text("utf-8").splitlines()


def seen(page: str, hidden: Counter[str] | None = None) -> str:
    read = read_page(page)
    if hidden is not None:
        hidden.update(read.unseen)
    return "\n".join(line.words for line in read.lines)


@pytest.mark.parametrize("page", HIDDEN)
def test_what_a_page_hides_is_left_out(page: str) -> None:
    assert "SECRET" not in seen(page)
    assert "shown" in seen(page)


@pytest.mark.parametrize("page", SHOWN)
def test_what_a_page_shows_is_read(page: str) -> None:
    assert "shown" in seen(page)


def test_what_is_left_out_is_counted_by_what_hides_it() -> None:
    hidden = Counter[str]()

    seen("<p>shown</p><p style='opacity:0'>four</p><p style='color:#fff'> ab </p><script>x</script>", hidden)

    assert hidden == {"transparent": 4, "coloured as its background": 2}


def test_a_page_of_folded_answers_is_read() -> None:
    question = "<details><summary>Why?</summary>shown: because it is so, as everybody knows.</details>"

    assert "shown" in seen(question * 3)


def test_a_folded_section_is_read() -> None:
    page = "<p>It is so.</p>" * 200 + "<details><summary>How</summary>" + "<p>shown: by hand, with a spoon.</p>" * 30

    assert "shown" in seen(page + "</details>")


_MORE = st.text(alphabet="{}();:.#*>+~[]\\\"'@/!,-%abdiv0159 \n", max_size=200)


@given(_MORE)
def test_no_style_sheet_is_too_much(sheet: str) -> None:
    seen(f"<style>{sheet}</style><p style='{sheet}'>x</p>")


@given(st.dictionaries(st.sampled_from(["color", "background", "font", "left", "transform", "clip", "opacity"]), _MORE))
def test_no_declaration_is_too_much(declared: dict[str, str]) -> None:
    Look().inside(declared).hidden  # noqa: B018


@pytest.mark.parametrize(
    "sheet",
    [
        "{" * 60_000,
        "a{" * 30_000,
        "@media x{" * 10_000,
        ".a" * 40_000 + "{color:red}",
        "/*" * 40_000,
        "a," * 40_000 + "{b:c}",
    ],
    ids=["braces", "rules", "media", "classes", "comments", "selectors"],
)
def test_a_long_sheet_is_read_in_bounds(sheet: str) -> None:
    rules = StyleRules(sheet)

    assert rules.of([Element("p")]) == {}
