"""Where paragraphs, tables and boxes of a Word document stand: on the page, or where nobody sees them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from formats.docx_styles import child
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
