"""What lies over letters in a drawing: shapes that are painted after them, in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from css.colours import Colour, colours_in
from css.lengths import EM, length
from css.selectors import Element

SHAPES = frozenset("rect image circle ellipse polygon path".split())
_OPAQUE = 0.9
_FAR = 9e4
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")
_MOST = 2000

Area = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True)
class _Letters:
    line: list[str]
    at: int
    x: float
    y: float
    moved: str


class Drawing:
    """The letters of a drawing that were read so far, each piece at its place in a line."""

    def __init__(self) -> None:
        self._letters: list[_Letters] = []
        self._shapes: list[tuple[Area, str, Colour | None]] = []
        """Where each was painted, and in which colour; None: nobody can tell."""

    def add(self, line: list[str], path: list[Element]) -> None:
        """Note the last piece of ``line``; ``path`` leads to the element that it stands in."""
        if len(self._letters) < _MOST:
            said = next((each.attributes for each in reversed(path) if each.attributes.keys() & {"x", "y"}), {})
            self._letters.append(_Letters(line, len(line) - 1, _of(said, "x"), _of(said, "y"), _moved(path)))

    def cover(self, path: list[Element], declared: Mapping[str, str]) -> int:
        """Take away the letters that the shape ``path`` leads to lies over; how many characters that are."""
        area, moved, gone = _area(path[-1]), _moved(path), 0
        if area is None or not _is_opaque(path[-1].attributes, declared):
            return 0
        fill = declared.get("fill", path[-1].attributes.get("fill", "black")).lower()
        colours = colours_in(fill, None) if path[-1].tag != "image" else []
        if len(self._shapes) < _MOST:
            self._shapes.append((area, moved, colours[0][0] if colours else None))
        for each in self._letters:
            inside = area[0] - 4 <= each.x <= area[2] and area[1] <= each.y <= area[3] + 2
            if inside and each.moved == moved and each.at < len(each.line):
                gone += len(each.line[each.at].strip())
                each.line[each.at] = ""
        return gone

    def ground(self, path: list[Element]) -> tuple[Colour | None] | None:
        """The colour of the shape that the letters ``path`` leads to stand on; None where there is none."""
        if path[-1].tag not in ("text", "tspan") or not self._shapes:
            return None
        said = next((each.attributes for each in reversed(path) if each.attributes.keys() & {"x", "y"}), {})
        x, y, moved = _of(said, "x"), _of(said, "y"), _moved(path)
        for area, where, colour in reversed(self._shapes):
            if where == moved and area[0] <= x <= area[2] and area[1] <= y <= area[3] + 2:
                return (colour,)
        return None


def _moved(path: list[Element]) -> str:
    return " ".join(each.attributes.get("transform", "") for each in path).strip()


def _of(attributes: Mapping[str, str], name: str) -> float:
    return length(attributes.get(name, "").partition(",")[0], EM, percent=_FAR) or 0.0


def _is_opaque(attributes: Mapping[str, str], declared: Mapping[str, str]) -> bool:
    said = {name: declared.get(name, attributes.get(name, "")) for name in ("fill", "opacity", "fill-opacity")}
    shares = (length(said[name], 1, percent=1) for name in ("opacity", "fill-opacity"))
    if any(share is not None and share < _OPAQUE for share in shares):
        return False
    return not said["fill"] or any(alpha >= _OPAQUE for _, alpha in colours_in(said["fill"].lower(), (0.0, 0.0, 0.0)))


def _area(shape: Element) -> Area | None:
    said = shape.attributes
    if shape.tag in ("rect", "image"):
        left, top = _of(said, "x"), _of(said, "y")
        return left, top, left + _of(said, "width"), top + _of(said, "height")
    if shape.tag in ("circle", "ellipse"):
        wide, high = (_of(said, name) or _of(said, "r") for name in ("rx", "ry"))
        return _of(said, "cx") - wide, _of(said, "cy") - high, _of(said, "cx") + wide, _of(said, "cy") + high
    points = said.get("points", "") or said.get("d", "")
    if re.search(r"[a-gi-ln-uw-y]", points.replace("e", "")):  # steps from where the pen is
        return None
    pairs = [float(number) for number in _NUMBER.findall(points)[:400]]
    if re.search(r"[HV]", points) or len(pairs) < 6:
        return (0.0, 0.0, max(pairs), max(pairs)) if len(pairs) > 3 else None
    return min(pairs[::2]), min(pairs[1::2]), max(pairs[::2]), max(pairs[1::2])
