"""What an ODF document says of its text beside the text: styles, and the numbers of lists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from formats.office.gathered import written
from formats.seen import SMALLEST_POINTS

Look = dict[str, str]
"""``display``, ``flat``, ``color`` and ``ground`` and ``behind`` (``RRGGBB``, empty: not known), ``points``; what is said.

``ground`` is behind a paragraph, a cell or a box, ``behind`` behind the words alone.
"""

_MOST_ANCESTORS = 20
_PROPERTIES = ("text-properties", "paragraph-properties", "table-cell-properties", "graphic-properties")
_FARTHEST_POINTS = 1_000
"""From the margin to where no page is."""
_TIGHTEST_POINTS = -5
"""Between letters; print that is set tight has -0.5 to -1.5."""
_POINTS = {"pt": 1.0, "in": 72.0, "cm": 28.35, "mm": 2.835, "px": 0.75, "pc": 12.0}


class Styles:
    """The styles by family and name."""

    def __init__(self, part: Element) -> None:
        self._elements: dict[tuple[str, str], Element] = {}
        self._known: dict[tuple[str, str], Look] = {}
        self.lists: dict[str, dict[int, Element]] = {}
        self.language = ""
        self.page_headers = [
            inner for inner in part.findall("master-styles/master-page/*") if inner.tag.startswith(("header", "footer"))
        ]
        self.page = self._page_of(part)
        for styles in (part.find("styles"), part.find("automatic-styles")):
            if styles is not None:
                self.add(styles)

    def add(self, styles: Element) -> None:
        """Take in the styles of one more part; those of the text itself come last and count."""
        self._known.clear()
        for style in styles:
            if style.tag == "style":
                self._elements[style.get("family", ""), style.get("name", "")] = style
            elif style.tag == "default-style":
                self._elements[style.get("family", ""), ""] = style
                self._note_language(style)
            elif style.tag == "list-style":
                self.lists[style.get("name", "")] = {
                    int(level.get("level", "1")): level for level in style if level.get("level", "1").isdecimal()
                }

    def look(self, family: str, name: str) -> Look:
        """What is said of something of that style."""
        key = (family, name)
        if key not in self._known:
            look: Look = {}
            for element in reversed(list(self._ancestors(family, name))):
                look |= _said(element, look)
            self._known[key] = look
        return self._known[key]

    def _ancestors(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(_MOST_ANCESTORS):
            element = self._elements.get((family, name)) if name else None
            if element is None:
                return
            yield element
            name = element.get("parent-style-name", "")

    def _note_language(self, style: Element) -> None:
        text = style.find("text-properties")
        if (
            style.get("family") == "paragraph"
            and text is not None
            and text.get("language", "none") not in ("none", "zxx")
        ):
            country = text.get("country", "none")
            self.language = text.get("language", "") + (f"-{country}" if country != "none" else "")

    def _page_of(self, part: Element) -> str:
        """The colour of the pages; white unless all agree on another."""
        grounds = {
            _colour(properties.get("background-color", "")) or "FFFFFF"
            for properties in part.iter("page-layout-properties")
        }
        return grounds.pop() if len(grounds) == 1 else "FFFFFF"


def _said(style: Element, inherited: Look) -> Look:
    look: Look = {}
    name = style.get("display-name") or style.get("name", "")
    if name:
        # A style made for one paragraph is still a title when its ancestor is.
        look["name"] = inherited.get("name", name) if inherited.get("name") == "Title" else name
    for properties in (found for tag in _PROPERTIES if (found := style.find(tag)) is not None):
        is_text = properties.tag == "text-properties"
        if display := properties.get("display") if is_text else None:
            look["display"] = display
        if is_text and properties.get("opacity") == "0%":
            look["display"] = "none"
        if is_text and "color" in properties.attrib:
            look["color"] = _colour(properties.get("color", ""))
        if is_text and properties.get("use-window-font-color") == "true":
            look["color"] = ""
        if (points := _points(properties.get("font-size", ""))) and is_text:
            look["points"] = str(points)
        if is_text and _points(properties.get("letter-spacing", "")) < _TIGHTEST_POINTS:
            look["flat"] = "true"
        if 0 < _points(properties.get("line-height", "")) < SMALLEST_POINTS:
            look["flat"] = "true"
        if is_text and properties.get("text-scale", "100%").rstrip("%") in tuple("12345"):
            look["points"] = "1"
        if (
            properties.tag == "paragraph-properties"
            and abs(_points(properties.get("margin-left", ""))) > _FARTHEST_POINTS
        ):
            look["display"] = "none"
        fill = properties.get("fill-color") if properties.get("fill") == "solid" else properties.get("background-color")
        if fill and (colour := _colour(fill)):
            look["behind" if is_text else "ground"] = colour
    return look


def _colour(written: str) -> str:
    return written[1:].upper() if len(written) == 7 and written.startswith("#") else ""


def _points(size: str) -> float:
    """A size in points; 0 for one that depends on another."""
    number, unit = size[:-2], size[-2:]
    is_number = number.removeprefix("-").replace(".", "", 1).isdecimal()
    return float(number) * _POINTS[unit] if is_number and unit in _POINTS else 0.0


def is_off_page(frame: Element) -> bool:
    """True for a frame that lies where no page is, or that has no room for a line."""
    sizes = [_points(frame.get(side, "")) for side in ("width", "height")]
    is_far = any(abs(_points(frame.get(side, ""))) > _FARTHEST_POINTS for side in ("x", "y"))
    return is_far or any(0 < size < SMALLEST_POINTS for size in sizes)


@dataclass
class _OpenList:
    style: str
    reached: int
    """The number of its last item."""
    goes_on: bool
    """True until it has an item of its own: it goes on where another ended, and so do the lists in it."""


class Marks:
    """Says what stands before each item of the lists that are open."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._open: list[_OpenList] = []
        """From the outside in."""
        self._ended: dict[tuple[str, int], int] = {}
        """The number that the last list of that style and depth has reached."""

    @contextmanager
    def inside(self, block: Element) -> Iterator[None]:
        around = self._open[-1] if self._open else _OpenList("", 0, False)
        style = block.get("style-name") or around.style
        key = (style, len(self._open))
        goes_on = around.goes_on or block.get("continue-numbering") == "true" or "continue-list" in block.attrib
        self._open.append(_OpenList(style, self._ended.get(key, 0) if goes_on else 0, goes_on))
        yield
        self._ended[key] = self._open.pop().reached

    def next(self, item: Element) -> str:
        """What stands before the next item of the innermost list."""
        this = self._open[-1]
        if this.goes_on and len(item) and item[0].tag == "list":
            return ""  # it leads to a list that goes on in the item before
        this.goes_on = False
        for deeper in [key for key in self._ended if key[0] == this.style and key[1] >= len(self._open)]:
            del self._ended[deeper]
        indent = "  " * (len(self._open) - 1)
        level = self._level(len(self._open))
        first = "" if this.reached or level is None else level.get("start-value", "")
        start = item.get("start-value", first)
        this.reached = int(start) if start.isdecimal() else this.reached + 1
        if level is None or level.tag != "list-level-style-number":
            return f"{indent}- "
        shown = level.get("display-levels", "1")
        outermost = len(self._open) - (min(int(shown), len(self._open)) if shown.isdecimal() else 1)
        numbers = [self._number(depth) for depth in range(outermost, len(self._open))]
        mark = f"{level.get('num-prefix', '')}{'.'.join(filter(None, numbers))}{level.get('num-suffix', '')}".strip()
        return f"{indent}{mark} " if mark else ""

    def _level(self, depth: int) -> Element | None:
        return self._styles.lists.get(self._open[depth - 1].style, {}).get(depth)

    def _number(self, depth: int) -> str:
        level = self._level(depth + 1)
        kind = "" if level is None else level.get("num-format", "")
        kinds = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
        return written(self._open[depth].reached, kinds[kind]) if kind in kinds else ""
