"""Presentations and books: slides and chapters as pages, and nothing of what an audience never sees."""

from __future__ import annotations

import pytest
from extracted import Extracted
from formats import epub, pptx
from unicode_text import Unreadable

from support.office_files import epub as book
from support.office_files import pptx as made
from support.office_files import sp

WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'
BLUE = '<a:solidFill><a:srgbClr val="000080"/></a:solidFill>'


def read(*slides: str, notes: str = "", show: str = "1") -> Extracted:
    return pptx.read(made(*slides, notes=notes, show=show), 100_000)


def at(left: int) -> str:
    return f'<a:xfrm><a:off x="{left}" y="10"/><a:ext cx="100" cy="50"/></a:xfrm>'


def test_a_slide_is_a_page_with_its_title_first_and_its_notes_last() -> None:
    found = read(sp("One."), sp("Point.", "body") + sp("Tea", "title") + sp("7", "sldNum"), notes=sp("Say it.", "body"))

    assert found.unit == "page"
    assert [line[:2] for line in found.lines] == [
        (1, "One."),
        (2, "# Tea"),
        (2, "- Point."),
        (2, "Speaker's notes: Say it."),
    ]


def test_a_row_of_a_table_is_a_line() -> None:
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    row = f"<a:tr>{cell.format('Grade')}{cell.format('Price')}</a:tr>"

    found = read(f"<p:graphicFrame><a:graphic><a:tbl>{row}</a:tbl></a:graphic></p:graphicFrame>")

    assert [text for _, text, _ in found.lines] == ["Grade | Price"]


HIDINGS = {
    "a hidden shape": sp("secret", hidden=1),
    "off the slide": sp("secret", properties=at(5_000)),
    "tiny": sp("secret", size=100),
    "white": sp("secret", run=WHITE, properties=at(10)),
    "transparent": sp("secret", run="<a:noFill/>"),
    "the colour of its shape": sp("secret", run=BLUE, properties=BLUE),
}


@pytest.mark.parametrize("shape", HIDINGS.values(), ids=HIDINGS)
def test_what_nobody_sees_is_left_out_and_counted(shape: str) -> None:
    found = read(sp("Seen.") + shape)

    assert [text for _, text, _ in found.lines] == ["Seen."]
    assert [(each.count, each.is_hidden) for each in found.left_out] == [(len("secret"), True)]


def test_white_on_a_dark_shape_is_seen() -> None:
    assert read(sp("seen", run=WHITE, properties=BLUE)).lines
    assert read(sp("", properties=at(10) + BLUE) + sp("seen", run=WHITE, properties=at(20))).lines
    assert not read(sp("", properties=at(500) + BLUE) + sp("unseen", run=WHITE, properties=at(20))).lines


def test_a_hidden_slide_is_left_out_and_yet_counted_as_a_slide() -> None:
    found = read(sp("One."), sp("secret"), show="0")

    assert [line[:2] for line in found.lines] == [(1, "One.")]
    assert [(each.what, each.count) for each in found.left_out] == [("hidden slides", 6)]


def test_a_chapter_is_a_page_and_the_head_is_that_of_the_book() -> None:
    said = (
        "<title>Tea</title><creator>Ann Lee</creator><creator>Bo Ek</creator><language>en</language><date>1906</date>"
    )

    found = epub.read(book("<h1>One</h1><p>In May.</p>", "<p hidden>no</p><p>In June.</p>", metadata=said), 1_000)

    assert found.unit == "page"
    assert [number for number, text, _ in found.lines if "May" in text or "June" in text] == [1, 2]
    assert not any(text == "no" for _, text, _ in found.lines)
    assert found.head == {"title": "Tea", "authors": ["Ann Lee", "Bo Ek"], "language": "en", "date": "1906"}


def test_a_book_that_was_bought_locked_is_refused() -> None:
    locked = {"META-INF/encryption.xml": '<e><CipherReference URI="OEBPS/c 1.xhtml"/></e>'}

    with pytest.raises(Unreadable) as caught:
        epub.read(book("<p>x</p>", **locked), 1_000)

    assert caught.value.code == "source_locked"
