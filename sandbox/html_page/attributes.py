"""How an element's own tag and attributes change how it looks, and whether it is seen."""

from __future__ import annotations

import re
from collections.abc import Mapping

from css.lengths import EM, length
from css.selectors import Element

FOLDED = "folded away"
_SEVERAL, _MUCH, _LONG = 3, 0.3, 500
_LEGACY = {"color": "color", "bgcolor": "background-color", "text": "color"}
"""Attributes of old that are styles: ``<body bgcolor text>``, ``<font color>``."""
_PAGE_PARTS = ("body", "font", "table", "tr", "td", "th", "basefont", "marquee")
_DRAWN = ("svg", "g", "text", "tspan", "textpath", "switch", "foreignobject")
_DRAWING = (
    "opacity visibility display font-size transform clip-path mask filter letter-spacing word-spacing color".split()
)
_SAID_BY_PROGRAMS = (
    *((name, "false") for name in ("v-if", "v-show", "x-if", "x-show", "ng-if", "ng-show", "*ngif")),
    ("ng-hide", "true"),
)
_OWN: dict[str, dict[str, str]] = {
    "small": {"font-size": "83%"},
    "sub": {"font-size": "83%"},
    "sup": {"font-size": "83%"},
    "mark": {"background-color": "yellow", "color": "black"},
}
"""What browsers do of themselves."""


def own_styles(element: Element) -> dict[str, str]:
    """What tag and attributes say, as styles in lower case; rules go before."""
    attributes = element.attributes
    if element.tag in _DRAWN:
        said = {name: attributes[name].lower() for name in _DRAWING if name in attributes}
        if element.tag != "svg" and "fill" in attributes:
            said["fill"] = attributes["fill"].lower()
        if "fill-opacity" in attributes:
            said["opacity"] = attributes["fill-opacity"]
        if element.tag in ("svg", "foreignobject"):
            said |= {"overflow": "hidden"}
            said |= {name: attributes[name] for name in ("width", "height") if name in attributes}
        return said
    if element.tag == "marquee":
        sizes = {name: attributes[name] for name in ("width", "height") if name in attributes}
        return {"overflow": "hidden", **sizes} if sizes else {}
    if element.tag == "mstyle" and "mathsize" in attributes:
        return {"font-size": attributes["mathsize"].lower()}
    said = {_LEGACY[name]: value.lower() for name, value in attributes.items() if name in _LEGACY}
    return {**_OWN.get(element.tag, {}), **(said if element.tag in _PAGE_PARTS else {})}


def as_text(element: Element, declared: dict[str, str]) -> dict[str, str]:
    """``declared``, with the colour that letters of a drawing have."""
    if element.tag in _DRAWN and "fill" in declared:
        fill = declared["fill"]
        declared = {**declared, "color": fill if fill != "none" or "stroke" in element.attributes else "transparent"}
    return declared


def folds_are_contents(count: int, folded: int, all: int) -> bool:
    """True where closed ``<details>`` are how a text shows what it says: several, with much of it, or whole sections."""
    return (count >= _SEVERAL and folded > _MUCH * all) or 0 < count * _LONG <= folded


def hidden_by_attribute(element: Element, folds: bool) -> str:
    """What its attributes say of an element that is not seen; empty for one that is. ``folds``: closed details hide."""
    attributes = element.attributes
    if attributes.keys() & {"hidden", "popover"} or element.tag == "epub:case":
        return "not displayed"
    if any(attributes.get(name, "").strip() == word for name, word in _SAID_BY_PROGRAMS):
        return "not displayed"
    if element.tag == "dialog" and "open" not in attributes:
        return "not displayed"
    if folds and element.tag == "details" and "open" not in attributes:
        return FOLDED
    if element.tag in ("text", "tspan") and (length(attributes.get("textlength", ""), EM, percent=1000) or EM) < EM:
        return "squeezed"
    return "for no reader" if attributes.get("aria-hidden", "").lower() == "true" else ""


def is_one_of_many(element: Element) -> bool:
    """True for an element of which the first child alone is shown."""
    return element.tag in ("switch", "semantics") or (
        element.tag == "maction" and "selection" not in element.attributes
    )


def is_out_of_drawing(element: Element, drawing: Mapping[str, str]) -> bool:
    """True for letters of a drawing with these attributes that stand beside it, or are too small in it."""
    if element.tag not in ("text", "tspan", "textpath"):
        return False
    box = [float(number) for number in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", drawing.get("viewbox", ""))[:4]]
    sizes = [length(drawing.get(name, ""), EM, percent=0) for name in ("width", "height")]
    if len(box) == 4:
        left, top, wide, high = box
        if box[2] > 25 * (sizes[0] or 1200) and "font-size" not in element.attributes:
            return True
    else:
        left, top, wide, high = 0.0, 0.0, sizes[0] or 1200.0, sizes[1] or (150.0 if "height" not in drawing else 1200.0)
    for name, start, extent in (("x", left, wide), ("y", top, high)):
        at = length(element.attributes.get(name, "").split(",")[0], EM, percent=extent)
        if at is not None and (at < start - (200 if name == "x" else 4) or at > start + extent + 20):
            return True
    return False
