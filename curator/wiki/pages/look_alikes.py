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
_LAST_LATIN = "\u024f"


def as_latin(text: str) -> str:
    """``text`` with the Latin letter for each that looks like one."""
    return text.translate(_LATIN)


def mixed_words(text: str) -> list[str]:
    """The words that mix Latin letters with such as only look Latin."""
    if text.isascii() or not _TWIN.search(text):
        return []
    return [word for word in _WORD.findall(text) if _TWIN.search(word) and any(c <= _LAST_LATIN for c in word)]
