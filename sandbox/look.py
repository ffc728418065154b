"""How an element looks to somebody who sees the page: its colours, its size, and whether it is there to be seen at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from colours import BLACK, WHITE, Colour, colours_in, is_same, luminance
from lengths import EM, length

_LEAST_SIZE = 4.0
"""Pixels. What is printed small has some six."""
_LEAST_OPACITY = 0.11
_FAR = 900.0
"""Pixels off the page."""
_NARROW = 2.0
_LIGHTENING = ("lighten", "screen", "color-dodge", "plus-lighter")
_DARKENING = ("darken", "multiply", "color-burn")
_BLURRED = 10.0
"""Pixels; letters are clouds."""
_SQUEEZED = -0.7
"""Of the size of the letters, between two of them: they lie on each other."""
_FUNCTION = re.compile(r"(?<![a-z0-9-])([a-z0-9-]+)\(([^()]{0,200})\)")


@dataclass(frozen=True)
class _Paint:
    colour: Colour | None
    ground: Colour | None
    alpha: float


@dataclass(frozen=True)
class Look:
    """Of an element's text. ``why`` names what hides it; empty: nothing does."""

    colour: Colour | None = BLACK
    background: Colour | None = WHITE
    """None where nobody can tell, as with a picture."""
    size: float = EM
    opacity: float = 1.0
    is_unseen: bool = False
    """True under ``visibility: hidden``, out of which a child may come back."""
    why: str = ""

    @property
    def hidden(self) -> str:
        """Why its text is not seen; empty when it is."""
        if self.why or self.is_unseen:
            return self.why or "invisible"
        if self.size < _LEAST_SIZE:
            return "tiny"
        if self.opacity < _LEAST_OPACITY:
            return "transparent"
        if self.colour is not None and self.background is not None:
            return "coloured as its background" if is_same(self.colour, self.background) else ""
        return ""

    def inside(self, declared: Mapping[str, str]) -> Look:
        """Of an element in this one, for which ``declared`` holds."""
        if not declared:
            return self
        size = self._size(declared)
        paint = _painted(declared, self.colour, self.background)
        why = self.why or _hidden_by_itself(declared, size)
        return replace(
            self,
            size=size,
            colour=paint.colour,
            background=paint.ground,
            opacity=self.opacity * paint.alpha * _opacity(declared),
            is_unseen=_is_unseen(declared, self.is_unseen),
            why=why or ("blended away" if _is_blended_away(declared, paint) else ""),
        )

    def _size(self, declared: Mapping[str, str]) -> float:
        size, font = declared.get("font-size", ""), declared.get("font", "")
        if not size and font:
            size = next((part.partition("/")[0] for part in font.split() if part[:1].isdigit() or part[:1] == "."), "")
        found = length(size, self.size, percent=self.size)
        found = self.size if found is None else found
        zoom = length(declared.get("zoom", ""), 1.0, percent=1.0)
        return found if zoom is None else found * zoom


def _hidden_by_itself(declared: Mapping[str, str], size: float) -> str:
    """What takes an element and all that is in it off the page."""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return "not displayed"
    if declared.get("content", "").startswith("url("):
        return "replaced by a picture"
    if _is_off_the_page(declared, size):
        return "off the page"
    if declared.get("font-size-adjust", "") in ("0", "0.0") or _is_squeezed(declared, size):
        return "squeezed"
    if _is_faded(declared):
        return "blurred or masked"
    if _is_cut_off(declared, size):
        return "cut off"
    return "transformed away" if _is_transformed_away(declared, size) else ""


def _is_squeezed(declared: Mapping[str, str], size: float) -> bool:
    between = length(declared.get("letter-spacing", ""), size, percent=size)
    return between is not None and between < _SQUEEZED * size


def _is_faded(declared: Mapping[str, str]) -> bool:
    """Blurred until nobody reads it, or under a mask of which all is transparent."""
    for name, inside in _FUNCTION.findall(declared.get("filter", "")):
        if name == "blur" and (length(inside, EM, percent=0) or 0.0) > _BLURRED:
            return True
    masks = f"{declared.get('mask-image', '')} {declared.get('-webkit-mask-image', '')} {declared.get('mask', '')}"
    stops = colours_in(masks, None) if "gradient(" in masks else []
    return bool(stops) and all(alpha < _LEAST_OPACITY for _, alpha in stops)


def _is_unseen(declared: Mapping[str, str], before: bool) -> bool:
    said = declared.get("visibility", "")
    return said in ("hidden", "collapse") if said in ("hidden", "collapse", "visible", "initial") else before


def _is_off_the_page(declared: Mapping[str, str], size: float) -> bool:
    indent = length(declared.get("text-indent", ""), size, percent=1000)
    if indent is not None and abs(indent) > _FAR:
        return True
    names = ["margin-left", "margin-top", "margin-inline-start", "margin"]
    if declared.get("position", "static") in ("absolute", "fixed", "relative", "sticky"):
        names += ["left", "top", "right", "bottom", "inset", "inset-inline-start", "inset-inline", "inset-block-start"]
    if declared.get("position") == "fixed" and any(
        (screens := re.match(r"-?(\d{1,6})v[hw]$", declared.get(name, ""))) and int(screens[1]) >= 100 for name in names
    ):
        return True
    lengths = (length(part, size, percent=1000) for name in names for part in declared.get(name, "").split()[:4])
    return any(each is not None and (each < -_FAR or each > 4 * _FAR) for each in lengths)


def _is_cut_off(declared: Mapping[str, str], size: float) -> bool:
    if _is_clipped(declared):
        return True
    if declared.get("line-height") in ("0", "0px") and declared.get("overflow", "visible") != "visible":
        return True
    overflow = " ".join(declared.get(name, "") for name in ("overflow", "overflow-x", "overflow-y"))
    if not re.search(r"hidden|clip|scroll|auto", overflow):
        return False
    names = (
        "width",
        "height",
        "max-width",
        "max-height",
        "inline-size",
        "block-size",
        "max-block-size",
        "max-inline-size",
    )
    lengths = [length(declared.get(name, ""), size, percent=1000) for name in names]
    return any(each is not None and each <= _NARROW for each in lengths)


def _is_clipped(declared: Mapping[str, str]) -> bool:
    """``clip: rect(0 0 0 0)``, ``clip-path: inset(50%)`` and the like leave nothing of it."""
    for name, inside in _FUNCTION.findall(f"{declared.get('clip', '')} {declared.get('clip-path', '')}"):
        numbers = [
            number for part in re.split(r"[\s,]+", inside)[:20] if (number := length(part, EM, percent=100)) is not None
        ]
        if name == "rect" and len(numbers) == 4 and abs(numbers[1] - numbers[3]) <= _NARROW:
            return True
        if name == "rect" and len(numbers) == 4 and abs(numbers[2] - numbers[0]) <= _NARROW:
            return True
        if name == "inset" and numbers and "%" in inside and max(numbers) >= 50:
            return True
        if name in ("circle", "ellipse") and numbers and numbers[0] <= _NARROW:
            return True
        if name == "polygon" and numbers and max(numbers) - min(numbers) <= _NARROW:
            return True
    return False


def _is_transformed_away(declared: Mapping[str, str], size: float) -> bool:
    turned = declared.get("transform", "") + declared.get("rotate", "")
    if declared.get("backface-visibility") == "hidden" and re.search(r"[xy](?:\(| ) ?-?(?:180deg|0?\.5turn)", turned):
        return True
    if re.fullmatch(r"[xy] -?(?:90|270)deg|[xy] -?0?\.[27]5turn", declared.get("rotate", "")):
        return True
    scale = declared.get("scale", "").split()
    if scale and any((number := length(part, 1, percent=1)) is not None and abs(number) < 0.05 for part in scale[:2]):
        return True
    moved = [length(part, size, percent=1000) for part in declared.get("translate", "").split()[:2]]
    for name, inside in _FUNCTION.findall(declared.get("transform", "")):
        numbers = [length(part.strip(), size, percent=1000) for part in inside.split(",")]
        if name.startswith("scale") and any(number is not None and abs(number) < 0.05 for number in numbers[:2]):
            return True
        if name in ("rotatex", "rotatey") and inside.strip() in ("90deg", "-90deg", "270deg", "0.25turn", ".25turn"):
            return True
        if name == "matrix" and len(numbers) == 6 and not (numbers[0] or numbers[3]):
            return True
        moved += numbers if name.startswith("translate") else []
        moved += numbers[4:] if name == "matrix" else []
    return any(number is not None and abs(number) > _FAR for number in moved)


def _opacity(declared: Mapping[str, str]) -> float:
    said = [declared.get("opacity", "")]
    for name, inside in _FUNCTION.findall(f"{declared.get('filter', '')} {declared.get('mask-image', '')}"):
        said += [inside] if name == "opacity" else []
    found = 1.0
    for each in said:
        number = length(each, 1, percent=1)
        found *= 1.0 if number is None else max(0.0, min(1.0, number))
    return found


def _painted(declared: Mapping[str, str], colour: Colour | None, ground: Colour | None) -> _Paint:
    """The colour of the text, the one behind it, and how opaque the text is, on what had ``colour`` and ``ground``."""
    found = colours_in(declared.get("-webkit-text-fill-color") or declared.get("color", ""), ground)
    text, alpha = found[0] if found else (colour, 1.0)
    behind = _background(declared, ground, text)
    if "text" in f"{declared.get('background-clip', '')} {declared.get('-webkit-background-clip', '')}":
        # The letters are cut out of the background, where they are transparent themselves.
        return _Paint(behind if alpha < 0.5 else text, ground, 1.0)
    return _Paint(text, behind, alpha)


def _background(declared: Mapping[str, str], before: Colour | None, text: Colour | None) -> Colour | None:
    said = declared.get("background-color") or declared.get("background", "")
    images = f"{declared.get('background', '')} {declared.get('background-image', '')}"
    if "url(" in images:
        return None
    if "gradient(" in images:
        stops = {colour if alpha >= 0.5 else None for colour, alpha in colours_in(images, before)}
        return stops.pop() if len(stops) == 1 else None
    if "currentcolor" in said:
        return text
    found = colours_in(said, before)
    colour, alpha = found[0] if found else (before, 1.0)
    return before if alpha < 0.5 else colour


def _is_blended_away(declared: Mapping[str, str], paint: _Paint) -> bool:
    """True for what takes the lighter of two colours, or the darker, and that is the one behind the text."""
    mode = declared.get("mix-blend-mode", "")
    if paint.colour is None or paint.ground is None or mode not in (*_LIGHTENING, *_DARKENING):
        return False
    is_lighter = luminance(paint.colour) > luminance(paint.ground)
    return is_lighter is (mode in _DARKENING)
