"""Evidence held once more: the quick look never says yes where the careful one says no."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pages import laws

from curator.citation import Citation
from curator.evidence import Evidence
from curator.lint.proofs import moved, stands
from curator.source import Document

PIECES = st.sampled_from(
    [
        "tea",
        "Tea",
        "is",
        "1.5",
        "-3",
        "1",
        ",",
        "5 %",
        "[a](b)",
        "https://x.y/tea",
        "`code`",
        "[^n]",
        "caf\u00e9",
        "\u2212",
        ".",
    ]
)


def evidence(text: str) -> Evidence:
    return Evidence("sources/a.md", Document.from_text(text))


@laws
@given(st.lists(PIECES, min_size=1, max_size=8), st.integers(0, 7), st.integers(1, 8), st.sampled_from([" ", "", "\n"]))
@example(["tea", "1.5", "5 %"], 0, 3, " ")
def test_what_stands_holds(words: list[str], start: int, length: int, between: str) -> None:
    text = between.join(words)
    quote = " ".join(" ".join(words[start : start + length]).split())
    citation = Citation("sources/a.md", f"L1-L{text.count(chr(10)) + 1}", quote)

    if stands(citation, evidence(text)):
        assert evidence(text).holds(citation)


@pytest.mark.parametrize("quote", ["is partly", "Tea is partly oxidised.", "oxidised. It is brewed hot."])
def test_plain_words_are_soon_found(quote: str) -> None:
    assert stands(Citation("sources/a.md", "L1-L2", quote), evidence("Tea is partly\noxidised. It  is brewed hot."))


@pytest.mark.parametrize("anchor", ["L2", "p1", "L9-L12"])
def test_words_in_other_lines_do_not_stand_here(anchor: str) -> None:
    assert not stands(Citation("sources/a.md", anchor, "tea is good"), evidence("tea is good\nindeed"))


def test_moved_words_get_the_place_where_they_stand() -> None:
    source = evidence("one line\nTea is partly oxidised.\nanother line")

    there = moved(Citation("sources/a.md", "L3", "Tea is partly oxidised."), source)

    assert there is not None and there.anchor == "L2"
    assert moved(Citation("sources/a.md", "L3", "Tea is never oxidised at all."), source) is None
