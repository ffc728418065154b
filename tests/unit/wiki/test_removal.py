"""Blocks taken out of a body: what is left stays what it was."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.wiki.pages import markdown
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.removal import TAKEN_OUT, human_spans, without_blocks

CASES = {
    "a paragraph": ("One. [^b]\n\nDead. [^a]\n\nTwo. [^b]\n", "One. [^b]\n\nTwo. [^b]\n"),
    "an item": ("Of them:\n\n- one\n- dead [^a]\n- two\n", "Of them:\n\n- one\n- two\n"),
    "an item's children": ("- dead [^a]\n  - one\n    - two\n- three\n", "- one\n  - two\n- three\n"),
    "an item's further paragraph": ("1. dead [^a]\n\n   More.\n\n   - one\n", "1. More.\n\n   - one\n"),
    "an item of several lines": ("- one\n- dead\n  and gone [^a]\n- two\n", "- one\n- two\n"),
    "a row": (
        "| a | b |\n|---|---|\n| 1 | 2 [^a] |\n| 3 | 4 |\n",
        "| a | b |\n|---|---|\n| 3 | 4 |\n",
    ),
    "all rows": ("One.\n\n| a | b |\n|---|---|\n| 1 | 2 [^a] |\n| 3 | 4 [^a] |\n\nTwo.\n", "One.\n\nTwo.\n"),
    "a section": ("# T\n\n## One\n\nDead. [^a]\n\n## Two\n\nAlive.\n", "# T\n\n## Two\n\nAlive.\n"),
    "a section of sections": (
        "# T\n\nOne.\n\n## One\n\n### Sub\n\nDead. [^a]\n\n### Sub too\n\n- dead [^a]\n",
        "# T\n\nOne.\n\n",
    ),
    "a section underlined": ("One.\n\nSection\n-------\n\nDead. [^a]\n", "One.\n\n"),
    "a heading that was empty before": ("## Empty\n\n## One\n\nDead. [^a]\n", "## Empty\n\n"),
    "a quotation": ("> Dead [^a]\n> on.\n>\n> Alive.\n\nOne.\n", "> Alive.\n\nOne.\n"),
    "the title stays": ("# T\n\nDead. [^a]\n", "# T\n\n"),
    "what a comment stands under": ("## One\n\n<!-- mine -->\n\nDead. [^a]\n", "## One\n\n<!-- mine -->\n\n"),
    "lines of Windows": ("One.\r\n\r\nDead. [^a]\r\n\r\nTwo.\r\n", "One.\r\n\r\nTwo.\r\n"),
}


def taken(body: str) -> str:
    return without_blocks(body, dead_in(body))


def dead_in(body: str) -> list[Block]:
    return [block for block in markdown.scan(body).blocks if "a" in block.citations and block.kind in CLAIMS]


def told(body: str) -> list[tuple[str, str]]:
    return [(block.kind, " ".join(block.text.split())) for block in markdown.scan(body).blocks]


@pytest.mark.parametrize("name", CASES)
def test_what_goes_goes_with_what_it_leaves_empty(name: str) -> None:
    body, expected = CASES[name]
    assert taken(body).rstrip("\n") == expected.rstrip("\n")


def test_nothing_taken_is_the_same_text() -> None:
    assert all(without_blocks(body, []) == body for body, _ in CASES.values())


_WORDS = st.sampled_from(["one", "two [^a]", "three", "four [^a] [^b]", "| x |", "six\n  seven [^a]", "***", "8."])
_LINES = st.tuples(
    st.sampled_from(["", "- ", "  - ", "    ", "1. ", "> ", "## ", "   "]), _WORDS, st.sampled_from(["\n", "\n\n"])
)


@example("8.\n    two [^a]\n\n    one\n")
@given(st.lists(_LINES, max_size=12).map(lambda lines: "".join(map("".join, lines))))
def test_whatever_the_text_the_others_stay(body: str) -> None:
    dead = dead_in(body)
    stay = [(b.kind, " ".join(b.text.split())) for b in markdown.scan(body).blocks if b not in dead]

    after = [each for each in told(without_blocks(body, dead)) if each[1] != TAKEN_OUT]

    assert sorted(each for each in after if each[0] != "heading") == sorted(
        each for each in stay if each[0] != "heading"
    )
    assert all(each in stay for each in after)


def test_a_users_block_ends_at_its_mark_or_with_its_section() -> None:
    body = "## A\n\n<!-- human -->\n\nMine.\n\n<!-- /human -->\n\nNot.\n\n## B\n\n<!-- human -->\n\nMine.\n\n## C\n"
    spans = human_spans(body, markdown.scan(body).blocks)

    assert [body[start:end].count("Mine.") for start, end in spans] == [1, 1]
    assert all("Not." not in body[start:end] and "## C" not in body[start:end] for start, end in spans)
