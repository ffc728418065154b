"""Letters of other scripts that look like Latin ones: ``Thуmol`` with a Cyrillic ``у`` is no word of any language."""

from __future__ import annotations

import re

_TWINS = {
    # Cyrillic
    **dict(zip("аеорсухіјѕһԁԛԝкӏ", "aeopcyxijshdqwkl", strict=True)),
    **dict(zip("АВЕЅІЈКМНОРСТУХҮ", "ABESIJKMHOPCTYXY", strict=True)),
    # Greek
    **dict(zip("οανρικυϲϳ", "oavpikucj", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
}
_LATIN = str.maketrans(_TWINS)
_TWIN = re.compile(f"[{''.join(_TWINS)}]")
_WORD = re.compile(r"[^\W\d_]+")
_OTHER = re.compile("[\u0370-\u03ff\u0400-\u052f\U0001d400-\U0001d7cb]")
_HEAP = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20dc\ufe20-\ufe2f]{4,}")
_LAST_LATIN = "\u024f"


def as_latin(text: str) -> str:
    """``text`` with the Latin letter for each that looks like one."""
    return text.translate(_LATIN)


def twin_words(text: str) -> list[str]:
    """The words that mix Latin letters with such as only look Latin."""
    return [word for word in mixed_words(text) if _TWIN.search(word)]


def mixed_words(text: str) -> list[str]:
    """The words that mix Latin letters with Greek, Cyrillic or mathematical ones, and letters under heaps of marks."""
    if text.isascii():
        return []
    mixed = [word for word in _WORD.findall(text) if _OTHER.search(word) and any(c <= _LAST_LATIN for c in word)]
    return mixed + _HEAP.findall(text)
