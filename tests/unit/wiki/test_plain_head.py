"""Heads of the plain form, against YAML's own reader: the law by which it need not be asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curator.errors import FrontmatterError
from curator.wiki.pages import frontmatter, plain_head

SCALARS = st.one_of(
    st.text(max_size=12),
    st.text("aZ09é中 :#-'\"\\,[]{}&*!?|>%@`~.\t\u2013\u2028\ufeff", max_size=8),
    st.sampled_from(
        ["true", "null", "~", "no", "1:30", "0.70", "1e5", "-1", "007", "a: b", "a #b", "x:", "- a", "", "0.7"]
    ),
    st.integers(-5, 10**16).map(str),
    st.floats(0, 2).map(str),
)
QUOTED = st.one_of(SCALARS, SCALARS.map(lambda text: f"'{text}'"), SCALARS.map(lambda text: f'"{text}"'))
KEYS = st.one_of(st.sampled_from(["title", "slug", "sources", "true", "null", "y", "a-b"]), st.text(max_size=3))
LINES = st.one_of(
    st.builds("{}: {}".format, KEYS, QUOTED),
    st.builds("{}:\n{}".format, KEYS, st.lists(QUOTED.map("- {}".format), min_size=1, max_size=3).map("\n".join)),
    st.builds("{}:\n{}".format, KEYS, st.lists(QUOTED.map("  - {}".format), min_size=1, max_size=3).map("\n".join)),
    st.sampled_from(["a: []", "a:", "", "- x", "  x", "---", "...", "# note", "a: {}", "a:  x", "a: x ", "a: x\r"]),
)
VALUES = st.one_of(st.text(max_size=20), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans())


def as_yaml_has_it(head: str) -> dict[str, Any] | None:
    try:
        return frontmatter._parsed(head)
    except FrontmatterError:
        return None


def shown(fields: dict[str, Any] | None) -> str:
    """With the order of the fields, and the types of the values."""
    return repr(fields)


@given(st.lists(LINES, max_size=4), st.sampled_from(["---\n", "---", "--- \n"]))
@example(["title: 'It''s'", "slug: a", "sources:\n- sources/a.md\n- sources/b c.md", "confidence: 0.7"], "---\n")
@example(["a: x", "a: y"], "---\n")
@example(["a: b:c d", "c: http://x/y#z"], "---\n")
@settings(max_examples=600)
def test_what_is_taken_is_read_as_yaml_reads_it(lines: list[str], end: str) -> None:
    head, _ = frontmatter.split("---\n" + "".join(f"{line}\n" for line in lines) + end)

    found = plain_head.read(head)

    assert found is None or shown(found) == shown(as_yaml_has_it(head))


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), st.one_of(VALUES, st.lists(VALUES, max_size=3))))
def test_what_curator_writes_is_read_as_yaml_reads_it(fields: dict[str, Any]) -> None:
    head, _ = frontmatter.split(frontmatter.compose(fields, "Words."))

    found = plain_head.read(head)

    assert found is None or shown(found) == shown(as_yaml_has_it(head))


@pytest.mark.parametrize(
    "line",
    [
        "title: Oolong tea (half oxidised), 2nd flush",
        "title: 'No. 5: a tea''s name'",
        "sources:\n- sources/a.md\n- 'b: c'",
        "updated_at: '2026-01-01T00:00:00Z'",
        "confidence: 0.7",
        "n: 12",
        "aliases: []",
        'title: "Tea"',
        "u: https://a.b/c",
    ],
)
def test_what_most_heads_have_is_taken(line: str) -> None:
    assert plain_head.read(f"---\n{line}\n---\n") is not None
