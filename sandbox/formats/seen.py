"""Whether a person sees text of this size and colour on that ground."""

from __future__ import annotations

TWIPS_A_POINT = 20
SMALLEST_POINTS = 3.0
"""Nobody reads print below; footnotes have 7 points and more, the small print of medicines 6."""
_LEAST_CONTRAST = 0x18
"""In one of red, green and blue at least; less is the same colour to the eye."""


def why_unseen(colour: str, ground: str, points: float) -> str:
    """Why nobody sees such text, in a few words; empty when it is seen.

    Colours are ``RRGGBB``, or names of a theme's; empty: not known.
    """
    if 0 < points < SMALLEST_POINTS:
        return "text too small to read"
    if _is_same(colour, ground):
        return "text in the colour of its background"
    return ""


def grey(share: float) -> str:
    """The colour of that brightness, from 0 for black to 1 for white."""
    level = round(255 * min(max(share, 0.0), 1.0))
    return f"{level:02X}" * 3


def brightness(colour: str) -> float | None:
    """Of a grey, from 0 to 1; None for any other colour."""
    try:
        return int(colour[:2], 16) / 255 if colour[:2] == colour[2:4] == colour[4:6] else None
    except ValueError:
        return None


def is_off_page(twips: float) -> bool:
    """True for a place that far from the left margin: there is no page five inches before it, nor 25 behind it."""
    return not -7_200 <= twips <= 36_000


def _is_same(colour: str, ground: str) -> bool:
    if colour and colour == ground:
        # One of a theme, by its name.
        return True
    try:
        channels = [(int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (0, 2, 4)]
    except ValueError:
        return False
    return all(abs(one - other) < _LEAST_CONTRAST for one, other in channels)
