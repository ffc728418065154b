"""What looks like the mark of a footnote and stands in code is code: nothing takes it out."""

from __future__ import annotations

import pytest

from curator.wiki.pages.citation import marks_in, replace_marks, without_marks
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document

REGEX = "re.sub(r'[^A-Za-z0-9-.]+', '_', name).lower()"

TEXTS = [
    (f"- Names go through `{REGEX}`. [^pep-1]", f"- Names go through `{REGEX}`.", ["pep-1"]),
    ("A ``[^/]`` b [^a] [^b]", "A ``[^/]`` b", ["a", "b"]),
    ("- one ` tick [^a]\n- another ` tick [^b]", "- one ` tick\n- another ` tick", ["a", "b"]),
    ("one ` tick [^a]\n\nanother ` tick [^b]", "one ` tick\n\nanother ` tick", ["a", "b"]),
    ("| `[^x]` [^a] | b ` |\n| c ` [^d] | e |", "| `[^x]` | b ` |\n| c ` | e |", ["a", "d"]),
    ("Words [^a]\n\n```\n[^b]\n\n[^c]\n```\n\nmore [^d]", "Words\n\n```\n[^b]\n\n[^c]\n```\n\nmore", ["a", "d"]),
    ("~~~\n[^b]\n```\n[^c]", "~~~\n[^b]\n```\n[^c]", []),
]


@pytest.mark.parametrize(("text", "bare", "labels"), TEXTS)
def test_marks_in_code_are_code(text: str, bare: str, labels: list[str]) -> None:
    assert without_marks(text) == bare
    assert marks_in(text) == labels
    assert replace_marks(text, lambda label: None) == text


def test_only_marks_that_are_asked_for_are_replaced() -> None:
    assert replace_marks("a [^x] `[^x]` [^y]", {"x": "[^z]"}.get) == "a [^z] `[^x]` [^y]"
    assert without_marks("a [^x] b [^y]", {"y"}) == "a [^x] b"


def test_a_regular_expression_of_a_source_is_found_where_it_stands_and_not_where_another_does() -> None:
    source = Evidence(
        "sources/a.txt", Document.from_text(f"One is re.sub(r'[-_.]+', '_', name).lower().\n\nTwo:\n\n    {REGEX}\n")
    )

    found = source.find(f"{REGEX}")

    assert isinstance(found, list) and [each.anchor for each in found] == ["L5"]
    assert REGEX[:-2] in found[0].quote


def test_a_footnote_of_a_source_is_no_word_of_it() -> None:
    source = Evidence("sources/a.md", Document.from_text("Oolong is partly[^1] oxidised[^note-2] by air.\n"))

    assert isinstance(source.find("Oolong is partly oxidised by air"), list)
