"""Colours as pages write them, and how far apart two of them are to the eye."""

from __future__ import annotations

import colorsys
import re

from lengths import length

Colour = tuple[float, float, float]
"""Red, green and blue, up to 255."""

WHITE, BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "black": BLACK,
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
    "canvas": WHITE,
    "canvastext": BLACK,
}
_LEAST_CONTRAST = 1.25
"""By WCAG's reckoning; black on white has 21, and 4.5 is what is asked for."""
_COLOUR = re.compile(r"(#[0-9a-f]{3,8}\b|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()]{1,80}\)|[a-z]+)")


def colours_in(said: str, behind: Colour | None) -> list[tuple[Colour | None, float]]:
    """The colours that ``said`` names, each with how opaque it is."""
    found = []
    for word in _COLOUR.findall(said):
        if word == "transparent":
            found.append((behind, 0.0))
        elif word in _NAMED:
            found.append((_NAMED[word], 1.0))
        elif word.startswith("#") and len(word) in (4, 5, 7, 9):
            found.append(_hexadecimal(word[1:]))
        elif "(" in word and (colour := _function(word)) is not None:
            found.append(colour)
    return found


def is_same(one: Colour, other: Colour) -> bool:
    """True for two that no reader tells apart."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _LEAST_CONTRAST


def luminance(colour: Colour) -> float:
    """From 0 for black to 1 for white, as WCAG reckons it."""
    shares = (max(0.0, min(255.0, part)) / 255 for part in colour)
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _hexadecimal(digits: str) -> tuple[Colour, float]:
    long = digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)
    red, green, blue, *alpha = (int(long[at : at + 2], 16) for at in range(0, len(long), 2))
    return (red, green, blue), (alpha[0] / 255 if alpha else 1.0)


def _function(word: str) -> tuple[Colour | None, float] | None:
    """The colour of ``rgb(...)`` and the like; one without a name for it where only its opacity can be told."""
    name, _, inside = word.rstrip(")").partition("(")
    inside, slash, behind_slash = inside.partition("/")
    alpha = length(behind_slash, 1, percent=1) if slash else 1.0
    parts = re.split(r"[\s,]+", inside.strip())
    if name == "color":
        parts = parts[1:]
    numbers = [length(part.removesuffix("deg"), 1, percent=_whole(name, at)) for at, part in enumerate(parts)]
    known = [number for number in numbers if number is not None]
    if len(known) > 3:
        alpha = known[3]
    if alpha is None:
        return None
    alpha = max(0.0, min(1.0, alpha))
    if len(known) < 3 or len(known) != len(numbers):
        return (None, alpha) if slash else None
    return _rgb(name, known), alpha


def _whole(name: str, at: int) -> float:
    """What 100 % is of a colour function's number at this place."""
    if name.startswith("rgb"):
        return 255 if at < 3 else 1
    return 100 if name in ("lab", "lch") and at == 0 else 1


def _rgb(name: str, numbers: list[float]) -> Colour | None:
    if name.startswith("rgb"):
        return numbers[0], numbers[1], numbers[2]
    if name == "color":
        return 255 * numbers[0], 255 * numbers[1], 255 * numbers[2]
    if name.startswith("hsl"):
        red, green, blue = colorsys.hls_to_rgb((numbers[0] % 360) / 360, min(numbers[2], 1), min(numbers[1], 1))
        return 255 * red, 255 * green, 255 * blue
    if name == "hwb":
        return (255 * numbers[1],) * 3 if numbers[1] + numbers[2] >= 1 else None
    # As light as it is; of its hue nothing is known but where it is next to none.
    light = numbers[0] / (100 if name in ("lab", "lch") else 1)
    is_grey = light >= 0.98 or light <= 0.02 or max(map(abs, numbers[1:3])) < 0.02
    return (255 * light,) * 3 if is_grey else None
