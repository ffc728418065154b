"""What stands in elements of a Word document (rows, cells, paragraphs, boxes), and where: on the page, or unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from formats.office.docx_styles import child, value
from formats.seen import SMALLEST_POINTS, TWIPS_A_POINT, is_off_page

_EMU_A_TWIP = 635


def hidden_of(drawing: Element) -> str:
    properties = drawing.find(".//docPr")
    styles = (
        "".join(inner.get("style", "") for inner in drawing.iter() if "style" in inner.attrib).replace(" ", "").lower()
    )
    if re.search(
        r"visibility:hidden|display:none|mso-hide|(?:margin-)?(?:left|top):-\d{4}|(?:width|height):[0-2](?![\d.])",
        styles,
    ):
        return "on"
    return "" if properties is None else properties.get("hidden", "")


def is_away(properties: Element | None) -> bool:
    """True for a paragraph that is indented, or framed, to where no page is."""
    indent, frame = child(properties, "ind"), child(properties, "framePr")
    places = [] if indent is None else [indent.get(name, "") for name in ("left", "start", "firstLine")]
    if indent is not None and (hanging := indent.get("hanging", "")):
        places.append(f"-{hanging}")
    places += [] if frame is None else [frame.get("x", ""), frame.get("y", "")]
    table, floating = child(properties, "tblInd"), child(properties, "tblpPr")
    places += [] if table is None else [table.get("w", "")]
    places += [] if floating is None else [floating.get("tblpX", ""), floating.get("tblpY", "")]
    return any(is_off_page(whole(place)) for place in places)


def is_box_away(drawing: Element) -> bool:
    """True for a box that is placed where no page is, or that has no size."""
    places = [whole(offset.text or "") / _EMU_A_TWIP for offset in drawing.iter("posOffset")]
    sizes = [whole(extent.get(side, "")) for extent in drawing.iter("extent") for side in ("cx", "cy")]
    is_far = any(is_off_page(place) for place in places)
    return is_far or any(size < SMALLEST_POINTS * TWIPS_A_POINT * _EMU_A_TWIP for size in sizes)


def whole(number: str) -> int:
    return int(number) if number.removeprefix("-").isdecimal() and len(number) < 12 else 0


def is_small(twips: str) -> bool:
    """True for a height in which nobody reads a line."""
    return twips.isdecimal() and int(twips) < SMALLEST_POINTS * TWIPS_A_POINT


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
