"""Colours as pages write them, and how far apart two of them are to the eye."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable

from css.lengths import length

Colour = tuple[float, float, float]
"""Red, green and blue, up to 255."""

WHITE, BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)
_NAMES = """
    alicebluef0f8ff antiquewhitefaebd7 aqua00ffff aquamarine7fffd4 azuref0ffff beigef5f5dc bisqueffe4c4 black000000
    blanchedalmondffebcd blue0000ff blueviolet8a2be2 browna52a2a burlywooddeb887 cadetblue5f9ea0 chartreuse7fff00
    chocolated2691e coralff7f50 cornflowerblue6495ed cornsilkfff8dc crimsondc143c cyan00ffff darkblue00008b
    darkcyan008b8b darkgoldenrodb8860b darkgraya9a9a9 darkgreen006400 darkgreya9a9a9 darkkhakibdb76b
    darkmagenta8b008b darkolivegreen556b2f darkorangeff8c00 darkorchid9932cc darkred8b0000 darksalmone9967a
    darkseagreen8fbc8f darkslateblue483d8b darkslategray2f4f4f darkslategrey2f4f4f darkturquoise00ced1
    darkviolet9400d3 deeppinkff1493 deepskyblue00bfff dimgray696969 dimgrey696969 dodgerblue1e90ff firebrickb22222
    floralwhitefffaf0 forestgreen228b22 fuchsiaff00ff gainsborodcdcdc ghostwhitef8f8ff goldffd700 goldenroddaa520
    gray808080 green008000 greenyellowadff2f grey808080 honeydewf0fff0 hotpinkff69b4 indianredcd5c5c indigo4b0082
    ivoryfffff0 khakif0e68c lavendere6e6fa lavenderblushfff0f5 lawngreen7cfc00 lemonchiffonfffacd lightblueadd8e6
    lightcoralf08080 lightcyane0ffff lightgoldenrodyellowfafad2 lightgrayd3d3d3 lightgreen90ee90 lightgreyd3d3d3
    lightpinkffb6c1 lightsalmonffa07a lightseagreen20b2aa lightskyblue87cefa lightslategray778899
    lightslategrey778899 lightsteelblueb0c4de lightyellowffffe0 lime00ff00 limegreen32cd32 linenfaf0e6 magentaff00ff
    maroon800000 mediumaquamarine66cdaa mediumblue0000cd mediumorchidba55d3 mediumpurple9370db mediumseagreen3cb371
    mediumslateblue7b68ee mediumspringgreen00fa9a mediumturquoise48d1cc mediumvioletredc71585 midnightblue191970
    mintcreamf5fffa mistyroseffe4e1 moccasinffe4b5 navajowhiteffdead navy000080 oldlacefdf5e6 olive808000
    olivedrab6b8e23 orangeffa500 orangeredff4500 orchidda70d6 palegoldenrodeee8aa palegreen98fb98
    paleturquoiseafeeee palevioletreddb7093 papayawhipffefd5 peachpuffffdab9 perucd853f pinkffc0cb plumdda0dd
    powderblueb0e0e6 purple800080 rebeccapurple663399 redff0000 rosybrownbc8f8f royalblue4169e1 saddlebrown8b4513
    salmonfa8072 sandybrownf4a460 seagreen2e8b57 seashellfff5ee siennaa0522d silverc0c0c0 skyblue87ceeb
    slateblue6a5acd slategray708090 slategrey708090 snowfffafa springgreen00ff7f steelblue4682b4 tand2b48c
    teal008080 thistled8bfd8 tomatoff6347 turquoise40e0d0 violetee82ee wheatf5deb3 whiteffffff whitesmokef5f5f5
    yellowffff00 yellowgreen9acd32
"""
"""Each name and, right behind it, its six digits."""
_NAMED: dict[str, Colour] = {
    **{word[:-6]: tuple(bytes.fromhex(word[-6:])) for word in _NAMES.split()},  # type: ignore[misc]
    **dict.fromkeys(("canvas", "field", "window", "background", "menu"), WHITE),
    **dict.fromkeys(("canvastext", "fieldtext", "windowtext", "menutext", "initial"), BLACK),
    "linktext": (0, 0, 238),
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


def blended(mode: str, top: Colour, ground: Colour) -> Colour:
    """What ``mix-blend-mode`` makes of a colour on another."""
    if mode in ("hue", "saturation", "color"):
        return ground
    one = _BLENDS.get(mode)
    return top if one is None else tuple(255 * one(t / 255, g / 255) for t, g in zip(top, ground, strict=True))  # type: ignore[return-value]


def filtered(colour: Colour, name: str, amount: float) -> Colour:
    """What a ``filter`` makes of a colour, as far as it is lighter or darker then."""
    change = {
        "invert": lambda part: part + (255 - 2 * part) * min(amount, 1.0),
        "brightness": lambda part: part * amount,
        "contrast": lambda part: 127.5 + (part - 127.5) * amount,
    }.get(name)
    return tuple(max(0.0, min(255.0, change(part))) for part in colour) if change else colour


_BLENDS: dict[str, Callable[[float, float], float]] = {
    "multiply": lambda t, g: t * g,
    "screen": lambda t, g: t + g - t * g,
    "overlay": lambda t, g: 2 * t * g if g <= 0.5 else 1 - 2 * (1 - t) * (1 - g),
    "hard-light": lambda t, g: 2 * t * g if t <= 0.5 else 1 - 2 * (1 - t) * (1 - g),
    "soft-light": lambda t, g: (1 - 2 * t) * g * g + 2 * t * g,
    "darken": min,
    "lighten": max,
    "color-dodge": lambda t, g: g if g == 0 else 1.0 if t >= 1 else min(1.0, g / (1 - t)),
    "color-burn": lambda t, g: g if g >= 1 else 0.0 if t <= 0 else 1 - min(1.0, (1 - g) / t),
    "difference": lambda t, g: abs(t - g),
    "exclusion": lambda t, g: t + g - 2 * t * g,
    "plus-lighter": lambda t, g: min(1.0, t + g),
    "plus-darker": lambda t, g: max(0.0, t + g - 1),
}


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
    if parts[0] == "from":
        if len(parts) > 4 and all(part.isalpha() for part in parts[2:5]) and parts[1] in _NAMED:
            return _NAMED[parts[1]], 1.0 if alpha is None else alpha
        parts = parts[2:]
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
