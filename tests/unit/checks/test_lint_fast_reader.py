"""The quick reading of a plain page is what markdown reads; of what is not plain there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checks.lint.facts import fast_reader
from curator.checks.lint.facts.fast_reader import BodyReading
from curator.wiki.pages import markdown
from support.pages import laws

LINES = (
    "Tea is a drink. [^tea-1]",
    "It is brewed [[hot]] and `steeped`.",
    "- green [^tea-1] [^tea-2]",
    "- [[black|Black tea]]",
    "* white",
    "1. first",
    "2. second [^tea-2]",
    "7) seventh",
    "## Kinds",
    "#hashtag",
    "See also: [[oolong]] [green](green.md)",
    "",
    "",
    '[^tea-1]: sources/tea.txt#L1 "Oolong is partly oxidised."',
    "[^tea-2]: a note",
    "  indented",
    "    code",
    "```",
    "> quoted",
    "| a | b |",
    "|---|---|",
    "a | b",
    "--- | ---",
    "---",
    "===",
    "***",
    "- ",
    "-",
    "+ plus",
    "<b>bold</b>",
    "a < b",
    "escaped \\[^x]",
    "`code [^x]`",
    "[label]: target.md",
    "[open",
    "[^tea-3] begins a line",
    "**bold** text",
    "_under_",
    "1.",
    "2026. A year begins a list",
    "*emphasis* at the start",
    "-no item",
    "ends with two spaces  ",
    "ends with a tab\t",
    "Überall [^ü-1]",
    ": colon",
    "+",
    "= equals",
)


@laws
@given(st.lists(st.sampled_from(LINES), max_size=9).map("\n".join))
def test_a_quick_reading_is_markdowns(body: str) -> None:
    quick = fast_reader.read_body(body)

    if quick is not None:
        assert gist(quick) == gist(fast_reader.of_outline(body, markdown.scan(body)))


def gist(reading: BodyReading) -> tuple[object, object]:
    said = [(s.line, sorted(set(s.labels)), s.leads) for s in reading.said if s.text.strip()]
    return said, [(note.line, note.label, " ".join(note.text.split())) for note in reading.notes]


@pytest.mark.parametrize(
    "body", ["> quoted", "```\ncode\n```", "    code", "a | b\n--- | ---\n1 | 2", "<i>x</i>", "a\n==="]
)
def test_what_is_not_plain_is_left_to_markdown(body: str) -> None:
    assert fast_reader.read_body(body) is None


def test_a_curated_page_is_plain() -> None:
    body = """
# Fondant

Fondant is a stiff sugar paste. [^winter-1]

## From Winter notes

- Place it over the [[winter-cluster|winter cluster]]. [^winter-2]
- Light hives get it in January. [^winter-3]

See also: [[winter-stores]]

[^winter-1]: sources/winter.md#L35 "Fondant is a stiff sugar paste"
[^winter-2]: sources/winter.md#L36 "Place the fondant over the cluster"
"""

    reading = fast_reader.read_body(body)

    assert reading is not None
    assert [(said.line, said.labels, said.leads) for said in reading.said] == [
        (4, ("winter-1",), False),
        (8, ("winter-2",), False),
        (9, ("winter-3",), False),
        (11, (), True),
    ]
    assert [note.label for note in reading.notes] == ["winter-1", "winter-2"]
