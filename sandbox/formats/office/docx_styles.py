"""What a Word document says of its text beside the text: styles, and the numbers of lists and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from formats.office.gathered import written
from formats.seen import brightness, grey

_MOST_ANCESTORS = 20
"""Of a style; one that is based on itself has no end of them."""
HIGHLIGHTS = {"black": "000000", "white": "FFFFFF", "yellow": "FFFF00", "darkBlue": "000080", "darkRed": "800000"}

_THEME = {"background1": "FFFFFF", "light1": "FFFFFF", "text1": "000000", "dark1": "000000"}
_SCHEME = {"bg1": "FFFFFF", "lt1": "FFFFFF", "tx1": "000000", "dk1": "000000"}
_INVISIBLE = frozenset(str(share) for share in range(95_000, 100_001))
"""Thousandths of a percent of transparency."""

Look = dict[str, str]
"""What is said of text: ``vanish``, ``color``, ``sz`` (half points), ``w`` (percent of its width), ``position`` (above the
line, in half points), ``spacing`` (between letters, in twips), ``fill`` (behind it); only what is said."""


def child(element: Element | None, *path: str) -> Element | None:
    """The first child of that name, its first child of the next name, and so on."""
    for tag in path:
        element = element.find(tag) if element is not None else None
    return element


def value(element: Element | None, *path: str) -> str:
    """The ``val`` of that child, ``on`` for an element without one, empty for none."""
    found = child(element, *path)
    return "" if found is None else found.get("val", "on")


def is_on(word: str) -> bool:
    return word not in ("", "0", "false", "off", "none")


def look_of(properties: Element | None) -> Look:
    """What an ``rPr`` says of how its text looks."""
    if properties is None:
        return {}
    names = ("vanish", "sz", "w", "position", "spacing", "fitText")
    look = {name: said for name in names if (said := value(properties, name))}
    for place in ("textFill/solidFill/srgbClr", "textFill/solidFill/schemeClr", "color"):
        if (colour := properties.find(place)) is not None:
            look["color"] = _SCHEME.get(colour.get("val", ""), "") or _colour(colour)
            break
    see_through = properties.find("textFill/solidFill/*/alpha")
    if properties.find("textFill/noFill") is not None or (
        see_through is not None and see_through.get("val", "0") in _INVISIBLE
    ):
        look["vanish"] = "on"
    if fill := fill_of(properties):
        look["fill"] = fill
    if highlight := value(properties, "highlight"):
        look["fill"] = HIGHLIGHTS.get(highlight, "other") if highlight != "none" else ""
    return look


def fill_of(properties: Element | None) -> str:
    """The colour behind what the properties are of; ``other`` for a pattern; empty: none is said."""
    shade = child(properties, "shd")
    if shade is None or shade.get("val") == "nil":
        return ""
    if shade.get("val") == "solid":
        colour = _colour(shade, "color")
        return "000000" if colour == "auto" else colour or "other"
    if shade.get("val", "clear") != "clear":
        return "other"
    fill = _colour(shade, "fill", "themeFill")
    return "" if fill == "auto" else fill or "other"


def _colour(element: Element, plain: str = "val", theme: str = "themeColor") -> str:
    """``RRGGBB``, ``auto``, or the name of one of the theme's that is no black and no white; the theme's go first."""
    name = element.get(theme, "")
    if not name:
        return element.get(plain, "auto")
    tint, shade = (element.get(f"{theme.removesuffix('Color')}{change}", "FF") for change in ("Tint", "Shade"))
    light = brightness(_THEME.get(name, ""))
    if light is None or not re.fullmatch(r"[0-9A-Fa-f]{2}", tint) or not re.fullmatch(r"[0-9A-Fa-f]{2}", shade):
        return f"{name} {tint} {shade}"
    return grey(1 - (1 - light * int(shade, 16) / 255) * int(tint, 16) / 255)


@dataclass(frozen=True)
class Style:
    """A paragraph's, a run's or a table's, with all that it inherits."""

    name: str = ""
    look: Look = field(default_factory=dict)
    fill: str = ""
    """The colour behind a paragraph of this style."""
    level: int = 0
    """Of a heading; 0: it is none."""
    numbering: tuple[str, str] = ("", "")
    """The list that it is an item of, and the level there."""
    is_shaded: bool = False
    """True for a table with colours behind some of its cells."""


class Styles:
    """The styles by their ids, worked out when asked for."""

    def __init__(self, part: Element) -> None:
        self._elements = {style.get("styleId", ""): style for style in part.iter("style")}
        self._known: dict[str, Style] = {"": Style()}
        self.default = look_of(part.find("docDefaults/rPrDefault/rPr"))
        language = child(part.find("docDefaults/rPrDefault/rPr"), "lang")
        self.language = "" if language is None else language.get("val", "")
        usual = (name for name, style in self._elements.items() if is_on(style.get("default", "")))
        self.paragraph = next((name for name in usual if self._elements[name].get("type") == "paragraph"), "")

    def __getitem__(self, name: str) -> Style:
        if name not in self._known:
            self._known[name] = self._worked_out(name)
        return self._known[name]

    def _worked_out(self, name: str) -> Style:
        style = Style()
        for element in reversed(list(self._ancestors(name))):
            paragraph = element.find("pPr")
            level, numbering = value(paragraph, "outlineLvl"), numbering_of(paragraph)
            style = Style(
                name=value(element, "name").lower(),
                look={**style.look, **look_of(element.find("rPr"))},
                fill=fill_of(paragraph) or style.fill,
                level=int(level) + 1 if level in tuple("012345678") else style.level * (level == ""),
                numbering=(numbering[0] or style.numbering[0], numbering[1] or style.numbering[1]),
                is_shaded=style.is_shaded or element.find(".//shd") is not None,
            )
        return style

    def _ancestors(self, name: str) -> Iterator[Element]:
        for _ in range(_MOST_ANCESTORS):
            element = self._elements.get(name)
            if element is None:
                return
            yield element
            name = value(element, "basedOn")


def numbering_of(paragraph: Element | None) -> tuple[str, str]:
    """The list and the level that the properties of a paragraph name."""
    return value(paragraph, "numPr", "numId"), value(paragraph, "numPr", "ilvl")


class Numbering:
    """Counts the items of lists and says what stands before each."""

    def __init__(self, part: Element) -> None:
        self._abstract = {element.get("abstractNumId", ""): _levels(element) for element in part.iter("abstractNum")}
        self._numbers = {element.get("numId", ""): element for element in part.iter("num")}
        self._counts: dict[str, list[int]] = {}
        """The numbers reached, by the list that several may be one with, level by level."""
        self._begun: set[str] = set()

    def mark(self, number: str, level: str) -> str:
        """What stands before the next item of that list on that level: ``-``, ``2.``, ``1.4``, ``(b)``; or nothing."""
        element = self._numbers.get(number)
        if element is None or number == "0":
            return ""
        key, depth = value(element, "abstractNumId"), min(int(level), 8) if level.isdecimal() else 0
        levels = self._abstract.get(key, {})
        counts = self._counts.setdefault(key, [0] * 9)
        if number not in self._begun:
            self._begun.add(number)
            self._restart(element, counts)
        kind, text, start = levels.get(depth, ("decimal", f"%{depth + 1}.", 1))
        counts[depth] = counts[depth] + 1 if counts[depth] else start
        counts[depth + 1 :] = [0] * (8 - depth)
        if kind in ("bullet", "none"):
            return "-" if kind == "bullet" else ""
        for at in range(depth + 1):
            upper, _, first = levels.get(at, ("decimal", "", 1))
            text = text.replace(f"%{at + 1}", written(counts[at] or first, upper))
        return text

    def _restart(self, element: Element, counts: list[int]) -> None:
        for override in element.iter("lvlOverride"):
            level, start = override.get("ilvl", ""), value(override, "startOverride")
            if start.isdecimal() and level in tuple("012345678"):
                counts[int(level)] = max(int(start) - 1, 0)


def _levels(abstract: Element) -> dict[int, tuple[str, str, int]]:
    """The kind of number, the text around it and the first number, by level."""
    found = {}
    for level in abstract.iter("lvl"):
        at, start = level.get("ilvl", ""), value(level, "start")
        if at in tuple("012345678"):
            first = int(start) if start.isdecimal() else 1
            found[int(at)] = (value(level, "numFmt") or "decimal", value(level, "lvlText")[:40], first)
    return found
