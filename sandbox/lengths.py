"""Lengths as pages write them."""

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
    "rem": EM,
    "vw": 12,
    "vh": 8,
}
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{0,9})?|-?\.\d{1,9})(?:e\+?(\d))?([a-z%]*)")
_CALC = re.compile(r"calc\(([^()]{1,200})\)")
_TERM = re.compile(r"(?<!\S)(?:([+-])\s++)?(\S++)")


def length(said: str, em: float, *, percent: float) -> float | None:
    """Pixels, or a plain number; None for what is no length. ``percent`` is what 100 % would be."""
    said = said.strip()
    if sum_of := _CALC.fullmatch(said):
        terms = [(sign, length(term, em, percent=percent)) for sign, term in _TERM.findall(sum_of[1])]
        if not any(number is None for _, number in terms):
            return sum(-(number or 0.0) if sign.startswith("-") else number or 0.0 for sign, number in terms)
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
