"""How an element looks to somebody who sees the page: its colours, its size, and whether it is there to be seen at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from css.colours import BLACK, WHITE, Colour, blended, colours_in, filtered, is_same
from css.hiding import FUNCTION, LEAST_OPACITY, hidden_by_itself, scaled
from css.lengths import EM, length

_LEAST_SIZE = 5.0
"""Pixels. What is printed small has some six."""
_PAGE, _STEP = -0.5, 0.001
_DARK = (18.0, 18.0, 18.0)
_OPAQUE = 0.9
_DRAWING = re.compile(r"url\([\"']?data:image/svg\+xml[^,]{0,40},(.{1,500})")
_SMALL_PICTURE = 400
"""Characters of an address that holds a picture: it has one colour, and nobody knows which."""


@dataclass(frozen=True)
class _Paint:
    colour: Colour | None
    ground: Colour | None
    alpha: float


@dataclass(frozen=True)
class Look:
    """How an element's text looks. ``why`` names what hides it; empty: nothing does."""

    colour: Colour | None = BLACK
    background: Colour | None = WHITE
    """None where nobody can tell, as with a picture."""
    size: float = EM
    opacity: float = 1.0
    is_unseen: bool = False
    """True under ``visibility: hidden``, out of which a child may come back."""
    why: str = ""
    is_filled: bool = False
    """True where the colour is one that ``color`` does not change."""
    is_one_line: bool = False
    """True where nothing wraps."""
    z: float = _PAGE
    """How far it lies above others."""

    @property
    def hidden(self) -> str:
        """Why its text is not seen; empty when it is."""
        if self.why or self.is_unseen:
            return self.why or "invisible"
        if self.size < _LEAST_SIZE:
            return "tiny"
        if self.opacity < LEAST_OPACITY:
            return "transparent"
        if self.colour is not None and self.background is not None:
            return "coloured as its background" if is_same(self.colour, self.background) else ""
        return ""

    def inside(self, declared: Mapping[str, str]) -> Look:
        """Of an element in this one, for which ``declared`` holds."""
        if not declared:
            return self
        size = self._size(declared)
        fill = declared.get("-webkit-text-fill-color", "")
        paint = _painted(declared, self.colour, self.background, fill or ("" if self.is_filled else None))
        why = self.why or hidden_by_itself(declared, size)
        z = _above(declared, self.z)
        if z < _PAGE <= self.z:
            why = why or "behind others"
        return replace(
            self,
            size=size,
            colour=paint.colour,
            background=paint.ground,
            opacity=self.opacity * paint.alpha * _opacity(declared),
            is_unseen=_is_unseen(declared, self.is_unseen),
            why=why or ("blended away" if self._is_blended_away(declared, paint) else ""),
            is_filled=self.is_filled or bool(fill),
            is_one_line=_stays_on_line(declared.get("white-space", ""), self.is_one_line),
            z=z,
        )

    def _size(self, declared: Mapping[str, str]) -> float:
        size, font = declared.get("font-size", ""), declared.get("font", "")
        if not size and font:
            size = next((part.partition("/")[0] for part in font.split() if part[:1].isdigit() or part[:1] == "."), "")
        found = length(size, self.size, percent=self.size)
        found = self.size if found is None else found
        return found * scaled(declared)

    def _is_blended_away(self, declared: Mapping[str, str], paint: _Paint) -> bool:
        """True where a blend, or a filter, makes the text what is behind it."""
        mode, filters = declared.get("mix-blend-mode", "normal"), FUNCTION.findall(declared.get("filter", ""))
        if paint.colour is None or self.background is None or (mode == "normal" and not filters):
            return False
        has_ground = paint.ground != self.background
        text, ground = paint.colour, paint.ground if has_ground else None
        for name, inside in filters:
            amount = length(inside, 1, percent=1)
            text = filtered(text, name, 1.0 if amount is None else amount)
            ground = ground and filtered(ground, name, 1.0 if amount is None else amount)
        text = blended(mode, text, self.background)
        behind = blended(mode, ground, self.background) if ground else self.background
        return is_same(text, behind)


def usual_look(root: Mapping[str, str]) -> Look:
    """How a page looks by default: dark on light, or light on dark where its root says so."""
    return Look(WHITE, _DARK) if root.get("color-scheme", "").split()[:1] == ["dark"] else Look()


def _stays_on_line(said: str, before: bool) -> bool:
    return said in ("nowrap", "pre") if said in ("nowrap", "pre", "normal", "pre-wrap", "pre-line") else before


def _above(declared: Mapping[str, str], before: float) -> float:
    """Among positioned elements, later ones lie over earlier ones, and over elements without a position."""
    said = length(declared.get("z-index", ""), EM, percent=0)
    if declared.get("position", "static") == "static" and declared.get("transform", "none") == "none":
        return before
    if said is not None and said < 0:
        return min(said, -1.0)
    return max(before + _STEP, (said or 0.0) + _PAGE + _STEP)


def _is_unseen(declared: Mapping[str, str], before: bool) -> bool:
    said = declared.get("visibility", "")
    return said in ("hidden", "collapse") if said in ("hidden", "collapse", "visible", "initial") else before


def _opacity(declared: Mapping[str, str]) -> float:
    said = [declared.get("opacity", "")]
    for name, inside in FUNCTION.findall(declared.get("filter", "")):
        said += [inside] if name == "opacity" else []
    found = 1.0
    for each in said:
        number = length(each, 1, percent=1)
        found *= 1.0 if number is None else max(0.0, min(1.0, number))
    return found


def _painted(declared: Mapping[str, str], colour: Colour | None, ground: Colour | None, fill: str | None) -> _Paint:
    """The colour of the text, the one behind it, and how opaque the text is, on what had ``colour`` and ``ground``.

    ``fill`` is the colour that goes before ``color``: empty where one outside does, None where there is none.
    """
    found = colours_in(declared.get("color", "") if fill is None else fill, ground)
    text, alpha = found[0] if found else (colour, 1.0)
    behind = _background(declared, ground, text)
    if "text" in f"{declared.get('background-clip', '')} {declared.get('-webkit-background-clip', '')}":
        # The letters are cut out of the background, where they are transparent themselves.
        return _Paint(behind if alpha < 0.5 else text, ground, 1.0)
    return _Paint(text, behind, alpha)


def _background(declared: Mapping[str, str], before: Colour | None, text: Colour | None) -> Colour | None:
    said = declared.get("background-color") or declared.get("background", "")
    found = colours_in(said, before)
    colour, alpha = found[0] if found else (before, 1.0)
    behind = text if "currentcolor" in said else before if alpha < 0.5 else colour
    images = f"{declared.get('background', '')} {declared.get('background-image', '')}"
    if "inset" in (shadow := declared.get("box-shadow", "")) and (_spread(shadow) > EM):
        return next((each for each, alpha in colours_in(shadow, before) if alpha >= 0.5), behind)
    if "url(" in images and (drawn := _drawn_ground(images, declared, before)) is not None:
        return drawn
    if "url(" in images:
        return (
            behind if "url(data:" in images.replace('"', "").replace("'", "") and len(images) < _SMALL_PICTURE else None
        )
    if "gradient(" in images:
        stops = [stop if alpha >= 0.5 else behind for stop, alpha in colours_in(images, before)]
        is_one = (
            bool(stops) and stops[0] is not None and all(stop is not None and is_same(stop, stops[0]) for stop in stops)
        )
        return stops[0] if is_one else None
    return behind


def _drawn_ground(images: str, declared: Mapping[str, str], before: Colour | None) -> Colour | None:
    """The one colour of a drawing in an address that fills what is behind the text with boxes; None for any other."""
    found = _DRAWING.search(images)
    is_once = "no-repeat" in images + declared.get("background-repeat", "")
    if not found or (is_once and "cover" not in images + declared.get("background-size", "")):
        return None
    boxes = re.findall(r"<rect\b([^<>]{0,300})", unquote(found[1]).replace('\\"', '"'))
    fills = [re.search(r"fill[=:]\s?[\"']?([^\"';]{1,40})", box) for box in boxes]
    colours = [(colours_in(fill[1], before) or [(None, 0.0)])[0][0] if fill else BLACK for fill in fills]
    return colours[0] if colours and len(set(colours)) == 1 else None


def _spread(shadow: str) -> float:
    return max((length(part, EM, percent=0) or 0.0 for part in shadow.split()), default=0.0)


def is_opaque(declared: Mapping[str, str]) -> bool:
    """True for an element that nothing is seen through."""
    said = f"{declared.get('background', '')} {declared.get('background-color', '')} {declared.get('background-image', '')}"
    if "url(" in said or any(alpha >= _OPAQUE for _, alpha in colours_in(said, BLACK)):
        return _opacity(declared) >= _OPAQUE
    return any(
        (length(inside, EM, percent=1) or 0.0) > 4 if name == "blur" else name in ("brightness", "contrast", "opacity")
        for name, inside in FUNCTION.findall(declared.get("backdrop-filter", ""))
    )
