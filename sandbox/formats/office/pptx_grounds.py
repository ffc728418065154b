"""What is behind the shapes of a slide, as far as the presentation says it in so many words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from formats.office.archive import Archive
from formats.seen import brightness, grey

_MOST_FILLED = 500
_FILLS = ("gradFill", "blipFill", "pattFill", "grpFill")
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in the presentation's own measure."""


class Grounds:
    """The colours behind the shapes of one slide."""

    def __init__(self, archive: Archive, part: str, slide: Element, size: Mapping[str, str]) -> None:
        layout = archive.related_as(part, "slideLayout")
        master = archive.related_as(layout, "slideMaster")
        self._trees = [slide, archive.shared_tree(layout), archive.shared_tree(master)]
        theme = archive.shared_tree(archive.related_as(master, "theme"))
        self._colours = dict(_scheme(theme, self._trees[-1].find("clrMap")))
        self._slide = self._of_slide()
        self._size = tuple(_whole(size.get(side, "")) for side in ("cx", "cy"))
        shapes = slide.findall("cSld/spTree/*")
        self._order = {id(shape): at for at, shape in enumerate(shapes)}
        self._opaque = [(at, _box(each)) for at, each in enumerate(shapes) if _is_opaque(each)][:_MOST_FILLED]
        self._filled = [
            (shape, _box(shape)) for tree in self._trees for shape in tree.findall("cSld/spTree/*") if _is_filled(shape)
        ]

    def behind(self, shape: Element) -> str:
        """The colour behind the words of a shape, ``RRGGBB``; empty when it is not known."""
        properties = shape.find("spPr")
        if properties is not None and (fill := properties.find("solidFill")) is not None:
            return self.colour(fill)
        if _is_filled(shape):
            return ""
        if len(self._filled) > _MOST_FILLED:
            return ""
        box = _box(shape)
        is_over_another = any(other is not shape and _meet(box, around) for other, around in self._filled)
        return "" if is_over_another else self._slide

    def is_off_slide(self, shape: Element) -> bool:
        """True for a shape that lies beside the slide."""
        box, (width, height) = _box(shape), self._size
        return bool(box and width and height) and not _meet(box, (0, 0, width, height))

    def colour(self, fill: Element | None) -> str:
        """The one colour of a fill, ``RRGGBB``; empty when it is not that simple."""
        scheme = None if fill is None else fill.find("schemeClr")
        if scheme is not None:
            return _lit(scheme, self._colours.get(scheme.get("val", ""), ""))
        return colour_of(fill)

    def is_covered(self, shape: Element) -> bool:
        """True for a shape of the slide's own under an opaque one that lies upon all of it."""
        box, at = _box(shape), self._order.get(id(shape))
        return (
            box is not None and at is not None and any(above > at and _is_within(box, it) for above, it in self._opaque)
        )

    def _of_slide(self) -> str:
        for tree in self._trees:
            ground = tree.find("cSld/bg")
            if ground is not None:
                fill = ground.find("bgPr/solidFill")
                return self.colour(ground.find("bgRef") if fill is None else fill)
        return "FFFFFF"


def colour_of(fill: Element | None) -> str:
    """The colour of a fill that says it outright, ``RRGGBB``; else empty."""
    colour = None if fill is None else fill.find("srgbClr")
    return "" if colour is None or len(colour) else colour.get("val", "")


def _lit(scheme: Element, colour: str) -> str:
    """A colour of the theme, made lighter or darker as ``scheme`` says; empty where that is not simple."""
    light = brightness(colour)
    changes = {change.tag: change.get("val", "") for change in scheme}
    if not changes:
        return colour
    if light is None or not changes.keys() <= {"lumMod", "lumOff"} or not all(map(str.isdecimal, changes.values())):
        return ""
    return grey(light * int(changes.get("lumMod", "100000")) / 100_000 + int(changes.get("lumOff", "0")) / 100_000)


def _is_opaque(shape: Element) -> bool:
    fill = shape.find("spPr/solidFill")
    return shape.tag == "pic" or (fill is not None and fill.find("*/alpha") is None)


def _is_within(box: Box, around: Box | None) -> bool:
    if around is None:
        return False
    return around[0] <= box[0] and around[1] <= box[1] and around[2] >= box[2] and around[3] >= box[3]


def _scheme(theme: Element, mapped: Element | None) -> Iterator[tuple[str, str]]:
    """The colours of a theme by name, and by the names that the slides have for them."""
    known: dict[str, str] = {}
    for entry in theme.findall("themeElements/clrScheme/*"):
        for colour in entry:
            known[entry.tag] = colour.get("lastClr", colour.get("val", ""))
    yield from known.items()
    for name, target in () if mapped is None else mapped.attrib.items():
        yield name, known.get(target, "")


def _is_filled(shape: Element) -> bool:
    """True for what may cover the slide: images, groups, shapes with a fill, tables and charts."""
    if shape.tag in ("pic", "grpSp", "graphicFrame", "AlternateContent"):
        return True
    properties, style = shape.find("spPr"), shape.find("style/fillRef")
    if properties is not None:
        if properties.find("noFill") is not None:
            return False
        if any(properties.find(tag) is not None for tag in ("solidFill", *_FILLS)):
            return True
    return style is not None and style.get("idx", "0") != "0"


def _box(shape: Element) -> Box | None:
    """Where a shape lies; None where the layout says it, or nothing does."""
    for place in (shape.find("spPr/xfrm"), shape.find("grpSpPr/xfrm"), shape.find("xfrm")):
        offset, extent = (None, None) if place is None else (place.find("off"), place.find("ext"))
        if offset is not None and extent is not None:
            left, top = _whole(offset.get("x", "")), _whole(offset.get("y", ""))
            return left, top, left + _whole(extent.get("cx", "")), top + _whole(extent.get("cy", ""))
    return None


def _meet(one: Box | None, other: Box | None) -> bool:
    """True for two that overlap, or that may, since it is not said where one of them lies."""
    if one is None or other is None:
        return True
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _whole(number: str) -> int:
    return int(number) if number.removeprefix("-").isdecimal() and len(number) < 15 else 0
