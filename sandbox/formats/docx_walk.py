"""What stands in elements of a Word document: rows, cells, paragraphs, text boxes, words."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from formats.docx_styles import value


def is_merged(cell: Element) -> bool:
    """True for a cell that goes on from the one above or before it, whose text alone is shown."""
    properties = cell.find("tcPr")
    return any(value(properties, kind) in ("on", "continue") for kind in ("vMerge", "hMerge"))


def is_drawn(element: Element) -> bool:
    """True for what has a text box or a picture in it."""
    return any(element.find(f".//{tag}") is not None for tag in ("txbxContent", "blip"))


def outermost(element: Element, tag: str) -> Iterator[Element]:
    for inner in element:
        if inner.tag == tag:
            yield inner
        elif inner.tag == "AlternateContent":
            yield from outermost(inner[0], tag) if len(inner) else ()
        else:
            yield from outermost(inner, tag)


def inside(element: Element, tag: str) -> Iterator[Element]:
    """The rows of a table, or the cells of a row, content controls and insertions looked into."""
    for inner in element:
        if inner.tag == tag:
            yield inner
        elif inner.tag in ("sdt", "sdtContent", "customXml", "ins"):
            yield from inside(inner, tag)


def paragraphs_of(cell: Element) -> Iterator[Element]:
    """The paragraphs of a cell, those of tables in it included; text boxes are looked at behind the row."""
    for inner in cell:
        if inner.tag == "p":
            yield inner
        elif inner.tag in ("sdt", "sdtContent", "customXml", "ins", "tbl", "tr", "tc"):
            yield from paragraphs_of(inner)


def plain(element: Element) -> str:
    """All words beneath an element, seen or not, for counting them."""
    return "".join(inner.text or "" for inner in element.iter() if inner.tag in ("t", "delText"))
