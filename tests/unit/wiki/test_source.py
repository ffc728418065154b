"""Sources: numbered lines, an id, and the day they speak of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.sources.layout import Layout
from curator.wiki.sources.source import Document
from support.pages import laws, source


def test_lines_carry_their_numbers() -> None:
    document = Document(((3, "Tea."), (4, ""), (9, "Hot.")))

    assert document.text == "Tea.\n\nHot."
    assert document.last_line(2) == 9
    assert Document(document.lines, (3, 4, 11)).last_line(2) == 11


def test_a_title_in_the_middle_of_several_lines_is_one_line() -> None:
    first, second = ("Key words for use in RFCs".center(72), "to Indicate Requirement Levels".center(72))
    head = f"Network Working Group{' ' * 41}S. Bradner\nBCP: 14{' ' * 55}March 1997\n"
    text = f"{head}\n{first}\n{second}\n\nAbstract\n\n   It is short.\n"

    title = Layout(Document.from_text(text)).title

    assert title == "Key words for use in RFCs to Indicate Requirement Levels"


@laws
@given(st.text())
def test_a_document_holds_its_text(text: str) -> None:
    assert Document.from_text(text).text == text


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("sources/pep-0427.rst", "pep-0427"),
        ("sources/2025/My Notes (2).txt", "my-notes-2"),
        ("sources/研究.md", "u7814u7a76"),
        ("sources/!!!.md", "source"),
        ("sources/a.tar.gz", "a-tar"),
    ],
)
def test_footnotes_are_named_after_the_file(path: str, stem: str) -> None:
    assert source("x", path).stem == stem


@pytest.mark.parametrize(
    ("text", "path", "date"),
    [
        ("Date: 2024-10-12\n", "sources/a.txt", "2024-10-12"),
        ("Created: 20-Sep-2012\n", "sources/a.txt", "2012-09-20"),
        (":Date: 3 March 2024\n", "sources/a.rst", "2024-03-03"),
        ("---\ndate: 2024-10-12\n---\n", "sources/a.md", "2024-10-12"),
        ("**Published:** 2024-01-02\n", "sources/a.md", "2024-01-02"),
        ("words", "sources/2024-10-12-notes.md", "2024-10-12"),
        ("Updated: 2025-01-01", "sources/2024-10-12-notes.md", "2025-01-01"),
        ("On 2024-10-12 it rained.", "sources/a.md", ""),
        ("Date: soon", "sources/a.md", ""),
        ("Date: 12 Foo 2024", "sources/a.md", ""),
        ("Date: 2024-13-45", "sources/a.md", ""),
        ("\n" * 60 + "Date: 2024-10-12", "sources/a.md", ""),
        ("", "sources/12024-10-123.md", ""),
    ],
)
def test_a_source_tells_its_day(text: str, path: str, date: str) -> None:
    assert source(text, path).date == date
