"""Lengths and plain numbers as pages write them, sums and bounds of them too."""

from __future__ import annotations

import re

EM = 16.0
_UNITS = {
    "": 1,
    "px": 1,
    "pt": 4 / 3,
    "pc": 16,
    "in": 96,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    **dict.fromkeys(("rem", "ric"), EM),
    **dict.fromkeys(("rch", "rex"), EM / 2),
    **dict.fromkeys(("vw", "vi", "vmax", "cqw", "cqi", "cqmax"), 12),
    **dict.fromkeys(("vh", "vb", "vmin", "cqh", "cqb", "cqmin"), 8),
    "rlh": 1.2 * EM,
}
_OF_LETTERS = {"em": 1.0, "ic": 1.0, "cap": 0.7, "ex": 0.5, "ch": 0.5, "lh": 1.2}
_TOKEN = re.compile(
    r"\s*(?:([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?)([a-z%]*)|([a-z-]{0,20}\(|[-+*/(),]))"
)
_MOST_TOKENS = 60


def length(said: str, em: float, *, percent: float) -> float | None:
    """Pixels, or a plain number; None for what is no length. ``percent`` is what 100 % would be."""
    tokens: list[float | str] = []
    at, said = 0, said.strip()
    while len(tokens) < _MOST_TOKENS and (found := _TOKEN.match(said, at)):
        at = found.end()
        if found[1]:
            # What a sign stands before is a number less, not a negative one behind it.
            tokens += ["+"] if tokens and isinstance(tokens[-1], float) and found[1][0] in "+-" else []
            if (scale := _scale(found[2], em, percent)) is None:
                return None
            tokens.append(float(found[1]) * scale)
        else:
            tokens.append(found[3])
        if len(tokens) == 1 and isinstance(tokens[0], float):
            return tokens[0]
    return _sum(tokens) if tokens and tokens[0] not in ("+", "-", "*", "/", ",", ")") else None


def _scale(unit: str, em: float, percent: float) -> float | None:
    if unit == "%":
        return percent / 100
    if unit in _OF_LETTERS:
        return _OF_LETTERS[unit] * em
    return _UNITS.get(unit, _UNITS.get(unit[1:]) if unit[:1] in "sld" and unit[1:2] == "v" else None)


def _sum(tokens: list[float | str]) -> float | None:
    """The value of what ``tokens`` begins with; takes it away. None for what nobody can work out."""
    total = _product(tokens)
    while total is not None and tokens and tokens[0] in ("+", "-"):
        sign = tokens.pop(0)
        more = _product(tokens)
        total = None if more is None else total + more if sign == "+" else total - more
    return total


def _product(tokens: list[float | str]) -> float | None:
    found = _value(tokens)
    while found is not None and tokens and tokens[0] in ("*", "/"):
        sign = tokens.pop(0)
        other = _value(tokens)
        found = (
            None if other is None or (sign == "/" and not other) else found * other if sign == "*" else found / other
        )
    return found


def _value(tokens: list[float | str]) -> float | None:
    if not tokens:
        return None
    first = tokens.pop(0)
    if isinstance(first, float):
        return first
    if first == "-":
        value = _value(tokens)
        return None if value is None else -value
    if not first.endswith("("):
        return None
    values = []
    while tokens and tokens[0] != ")":
        value = _sum(tokens)
        if value is None:
            return None
        values.append(value)
        if tokens and tokens[0] == ",":
            tokens.pop(0)
    del tokens[:1]
    return _called(first[:-1], values)


def _called(name: str, values: list[float]) -> float | None:
    if not values:
        return None
    if name in ("", "calc", "-webkit-calc", "-moz-calc"):
        return values[0]
    if name == "clamp" and len(values) == 3:
        return max(values[0], min(values[1], values[2]))
    # Of what a page works out with sines and powers nothing is known; it is not done to be read.
    return min(values) if name == "min" else max(values) if name == "max" else 0.0
