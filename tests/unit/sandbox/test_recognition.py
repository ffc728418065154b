"""Scans: the words on pages that are pictures."""

from __future__ import annotations

import sys

import pytest
from unicode_text import Unreadable

from curator.models.sandbox import ocr
from support.pdf_files import paragraph, show
from support.scans import picture_of, scan_of

if ocr.models() is None:
    pytest.skip("the extra ocr is not installed", allow_module_level=True)

from extracted import Extracted
from formats import pdf, scan

FOUND = """The bees of the first hive left their home in May and
settled in the old pear tree behind the barn, where no-
body had seen a swarm for years. They stayed a week.""".split("\n")
LETTERS = show("Notes on two hives", 180, 700, 20, "B") + paragraph(FOUND, 72, 600, 14)
TYPED = "The second hive was quiet until June."


@pytest.fixture(scope="module", autouse=True)
def folder_of_models() -> None:
    sys.path.append(str(ocr.models()))


@pytest.fixture(scope="module")
def mixed() -> Extracted:
    pictures = (
        picture_of(LETTERS),
        picture_of("0 0 300 300 re f"),
        picture_of(paragraph(FOUND, 72, 600, 14), degrees=90),
    )
    return scan.read(scan_of(*pictures, pages=(show(TYPED, 72, 700),)), 9_999)


def test_words_on_a_picture_are_read_as_those_of_any_page(mixed: Extracted) -> None:
    first = [text for number, text, _ in mixed.lines if number == 1]

    assert first[0] == "Notes on two hives" and first[1].startswith("The bees of the first hive")
    assert "where nobody had seen" in first[1] and first[1].endswith("They stayed a week.")
    assert mixed.head["title"] == "Notes on two hives" and mixed.unit == "page"


def test_it_is_said_which_pages_were_recognised_and_how_many_could_not_be(mixed: Extracted) -> None:
    assert list(mixed.recognised) == [1, 3] and (4, TYPED, 4) in mixed.lines
    assert [(each.what, each.count) for each in mixed.left_out] == [(ocr.PICTURES, 1)]


def test_a_page_on_its_side_is_turned(mixed: Extracted) -> None:
    assert any(number == 3 and text.startswith(FOUND[0]) for number, text, _ in mixed.lines)


def test_a_scan_without_words_is_refused_as_one() -> None:
    with pytest.raises(Unreadable) as raised:
        scan.read(scan_of(picture_of("0 0 300 300 re f")), 9_999)

    assert raised.value.code == "source_is_scan" and pdf.PICTURES == ocr.PICTURES
