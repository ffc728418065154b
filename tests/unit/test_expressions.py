"""Expressions of ours that once took a time that grew with the square of a text: on a long one they end at once.

The limit is of processor time, and a thousand times what they take; with the square of the length they would take minutes.
"""

from __future__ import annotations

import re

import pytest

from curator.checks.lint.facts import fast_reader
from curator.checks.lint.rules import graph
from curator.checks.rules import bodies, hidden
from curator.models.llm import prompts
from curator.system.bounded import clocked
from curator.wiki.english import words
from curator.wiki.sources import evidence, layout
from curator.wiki.support import context

_LENGTH = 100_000
_MARKUP = {pattern.pattern: pattern for pattern, _ in words._MARKUP}
WORST = [
    (fast_reader._OPEN_LABEL, "[^"),
    (fast_reader._ITEM, "1"),
    (graph._INDEX_LINK, "]("),
    (bodies._INLINE_QUERY, "`"),
    (hidden._FIELD, "\n"),
    (layout._STOP, "."),
    (layout._ROW_RULE, "-" * 99_999 + "x"),
    (layout._ROW_RULE, " " * 99_999 + "x"),
    (evidence._ELLIPSIS, "\n"),
    (context._CELL, " "),
    (prompts._MARKER, "<" + " " * 300_000),
    (hidden._FIELD, "- \n"),
    *((pattern, nasty) for pattern in _MARKUP.values() for nasty in ("` ", "`" + " " * 1_000, "[^", "` a<")),
]


@pytest.mark.parametrize(("pattern", "nasty"), WORST)
def test_it_is_over_at_once(pattern: re.Pattern[str], nasty: str) -> None:
    with clocked(30):
        text = nasty * (_LENGTH // len(nasty))
        assert pattern.match(text) is None if pattern is layout._ROW_RULE else pattern.sub("", text) is not None
