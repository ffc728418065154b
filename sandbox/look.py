"""How an element looks to somebody who sees the page: its colours, its size, and whether it is there to be seen at all."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

Colour = tuple[float, float, float]

_WHITE, _BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)
_NAMED: dict[str, Colour] = {
    "white": _WHITE,
    "black": _BLACK,
    "red": (255, 0, 0),
    "lime": (0, 255, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "aqua": (0, 255, 255),
    "cyan": (0, 255, 255),
    "fuchsia": (255, 0, 255),
    "magenta": (255, 0, 255),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "maroon": (128, 0, 0),
    "olive": (128, 128, 0),
    "purple": (128, 0, 128),
    "teal": (0, 128, 128),
    "orange": (255, 165, 0),
    "whitesmoke": (245, 245, 245),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "aliceblue": (240, 248, 255),
    "azure": (240, 255, 255),
    "mintcream": (245, 255, 250),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "gainsboro": (220, 220, 220),
    "beige": (245, 245, 220),
    "linen": (250, 240, 230),
    "canvas": _WHITE,
    "canvastext": _BLACK,
}
_LEAST_CONTRAST = 1.25
"""By WCAG's reckoning; black on white has 21, and 4.5 is what is asked for."""
_LEAST_SIZE = 4.0
"""Pixels. What is printed small has some six."""
_LEAST_OPACITY = 0.11
_FAR = 900.0
"""Pixels off the page."""
_NARROW = 2.0
_EM = 16.0
_UNITS = {
    "": 1,
    "px": 1,
    "pt": 4 / 3,
    "pc": 16,
    "in": 96,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    "rem": _EM,
    "vw": 12,
    "vh": 8,
}
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{0,9})?|-?\.\d{1,9})(?:e\+?(\d))?([a-z%]*)")
_COLOUR = re.compile(r"(#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]{1,80}\)|[a-z]+)")
_FUNCTION = re.compile(r"(?<![a-z0-9-])([a-z0-9-]+)\(([^()]{0,200})\)")


@dataclass(frozen=True)
class Look:
    """Of an element's text. ``why`` names what hides it; empty: nothing does."""

    colour: Colour | None = _BLACK
    background: Colour | None = _WHITE
    """None where nobody can tell, as with a picture."""
    size: float = _EM
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
            return "coloured as its background" if _contrast(self.colour, self.background) < _LEAST_CONTRAST else ""
        return ""

    def inside(self, declared: Mapping[str, str]) -> Look:
        """Of an element in this one, for which ``declared`` holds."""
        if not declared:
            return self
        size = self._size(declared)
        background = _background(declared, self.background)
        colour, alpha = _colour(
            declared.get("-webkit-text-fill-color") or declared.get("color", ""), self.colour, background
        )
        return replace(
            self,
            size=size,
            colour=colour,
            background=background,
            opacity=self.opacity * alpha * _opacity(declared),
            is_unseen=_is_unseen(declared, self.is_unseen),
            why=self.why or _hidden_by_itself(declared, size),
        )

    def _size(self, declared: Mapping[str, str]) -> float:
        size, font = declared.get("font-size", ""), declared.get("font", "")
        if not size and font:
            size = next((part.partition("/")[0] for part in font.split() if part[:1].isdigit() or part[:1] == "."), "")
        found = _length(size, self.size, percent=self.size)
        found = self.size if found is None else found
        zoom = _length(declared.get("zoom", ""), 1.0, percent=1.0)
        return found if zoom is None else found * zoom


def _hidden_by_itself(declared: Mapping[str, str], size: float) -> str:
    """What takes an element and all that is in it off the page."""
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return "not displayed"
    if _is_off_the_page(declared, size):
        return "off the page"
    if _is_cut_off(declared, size):
        return "cut off"
    return "transformed away" if _is_transformed_away(declared, size) else ""


def _is_unseen(declared: Mapping[str, str], before: bool) -> bool:
    said = declared.get("visibility", "")
    return said in ("hidden", "collapse") if said in ("hidden", "collapse", "visible", "initial") else before


def _is_off_the_page(declared: Mapping[str, str], size: float) -> bool:
    indent = _length(declared.get("text-indent", ""), size, percent=1000)
    if indent is not None and abs(indent) > _FAR:
        return True
    names = ["margin-left", "margin-top", "margin-inline-start", "margin"]
    if declared.get("position", "static") in ("absolute", "fixed", "relative", "sticky"):
        names += ["left", "top", "right", "bottom", "inset", "inset-inline-start", "inset-inline", "inset-block-start"]
    lengths = (_length(part, size, percent=1000) for name in names for part in declared.get(name, "").split()[:4])
    return any(length is not None and (length < -_FAR or length > 4 * _FAR) for length in lengths)


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
    lengths = [_length(declared.get(name, ""), size, percent=1000) for name in names]
    return any(length is not None and length <= _NARROW for length in lengths)


def _is_clipped(declared: Mapping[str, str]) -> bool:
    """``clip: rect(0 0 0 0)``, ``clip-path: inset(50%)`` and the like leave nothing of it."""
    for name, inside in _FUNCTION.findall(f"{declared.get('clip', '')} {declared.get('clip-path', '')}"):
        numbers = [
            length or 0.0
            for part in re.split(r"[\s,]+", inside)[:20]
            if (length := _length(part, _EM, percent=100)) is not None
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
    scale = declared.get("scale", "").split()
    if scale and any((number := _length(part, 1, percent=1)) is not None and abs(number) < 0.05 for part in scale[:2]):
        return True
    moved = [_length(part, size, percent=1000) for part in declared.get("translate", "").split()[:2]]
    for name, inside in _FUNCTION.findall(declared.get("transform", "")):
        numbers = [_length(part.strip(), size, percent=1000) for part in inside.split(",")]
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
        number = _length(each, 1, percent=1)
        found *= 1.0 if number is None else max(0.0, min(1.0, number))
    return found


def _background(declared: Mapping[str, str], before: Colour | None) -> Colour | None:
    said = declared.get("background-color") or declared.get("background", "")
    if "url(" in said or "gradient(" in said or "url(" in declared.get("background-image", ""):
        return None
    colour, alpha = _colour(said, None, before)
    return before if colour is None or alpha < 0.5 else colour


def _colour(said: str, before: Colour | None, behind: Colour | None) -> tuple[Colour | None, float]:
    """The colour that ``said`` names, and how opaque it is; ``before`` where it names none that is known."""
    for word in _COLOUR.findall(said):
        if word == "transparent":
            return behind, 0.0
        if word in _NAMED:
            return _NAMED[word], 1.0
        if word.startswith("#") and len(word) in (4, 5, 7, 9):
            return _hexadecimal(word[1:])
        if "(" in word and (found := _function(word)) is not None:
            return found
    return before, 1.0


def _hexadecimal(digits: str) -> tuple[Colour, float]:
    long = digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)
    red, green, blue, *alpha = (int(long[at : at + 2], 16) for at in range(0, len(long), 2))
    return (red, green, blue), (alpha[0] / 255 if alpha else 1.0)


def _function(word: str) -> tuple[Colour, float] | None:
    name, _, inside = word.rstrip(")").partition("(")
    parts = re.split(r"[\s,/]+", inside.strip())
    numbers = [
        _length(part.removesuffix("deg"), 1, percent=255 if name.startswith("rgb") and at < 3 else 1)
        for at, part in enumerate(parts)
    ]
    known = [number for number in numbers if number is not None]
    if len(known) < 3 or len(known) != len(numbers):
        return None
    alpha = max(0.0, min(1.0, known[3])) if len(known) > 3 else 1.0
    if name.startswith("rgb"):
        return (known[0], known[1], known[2]), alpha
    red, green, blue = colorsys.hls_to_rgb((known[0] % 360) / 360, min(known[2], 1), min(known[1], 1))
    return (255 * red, 255 * green, 255 * blue), alpha


def _contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    shares = (max(0.0, min(255.0, part)) / 255 for part in colour)
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _length(said: str, em: float, *, percent: float) -> float | None:
    """Pixels, or a plain number; None for what is no length. ``percent`` is what 100 % would be."""
    said = said.strip()
    if said.startswith(("calc(", "min(", "max(", "clamp(")):
        said = said.partition("(")[2].strip()
    match = _LENGTH.match(said)
    if match is None:
        return None
    number, unit = float(match[1]) * 10.0 ** int(match[2] or 0), match[3]
    if unit == "%":
        return number / 100 * percent
    if unit in ("em", "ex", "ch"):
        return number * em * (1.0 if unit == "em" else 0.5)
    return number * _UNITS[unit] if unit in _UNITS else None
