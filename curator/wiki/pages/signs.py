"""Signs that state something beside the words: marks of check, warning or rank, words of task lists, numbers of lists.

No word of ``✅ audit of the books`` says that it is done, so no rule on words finds it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_ARROWS = 0x2190
"""Signs of a lower number are a writer's: degrees, copyright, trade marks, number signs."""
_SPECIALS = "\u2800\ufffc\ufffd"
"""Nobody sees the first two; what a reader of files puts for what it cannot read says nothing."""
_SHORTCODE = re.compile(r"(?<![\w:]):(?:[+-]1|[a-z][a-z0-9_+-]+):(?![\w:])")
_BEGINS = r"\A(?:[ \t>|#]|[-*+][ \t]|\d{1,9}[.)][ \t])*"
_BOX = re.compile(_BEGINS + r"\\?(\[[^]\w\s\\^]\\?\]|\[[ xX]\\?\])[ \t]")
_STATE = re.compile(
    _BEGINS + r"[*_~(\[]*(DONE|TODO|DOING|LATER|NOW|WAITING|CANCELL?ED|IN-PROGRESS|FIXED|WONTFIX|OK)\b(?!['’-])"
)
_GAP = 10
"""Items that may have been left out between two numbers of a list."""
ITEM = re.compile(r"(\d{1,9})[.)](?:\s|\Z)")
SOURCE_ITEM = re.compile(r"(?m)^[ \t>]*\\?(\d{1,9})\\?[.)]\s")


def signs_in(text: str) -> Iterator[str]:
    yield from (
        letter
        for letter in text
        if ord(letter) >= _ARROWS and letter not in _SPECIALS and unicodedata.category(letter) == "So"
    )
    yield from _SHORTCODE.findall(text)
    for pattern in (_BOX, _STATE):
        if found := pattern.match(text):
            yield found[1].replace("\\", "")


def sign_fault(text: str, source: str) -> str | None:
    """What is wrong with a sign in ``text`` that ``source`` does not have."""
    sign = next((each for each in signs_in(text) if each not in source), None)
    return sign and f"{sign!r} states something that no words of the source say: write it in words, or leave it out"


def number_fault(text: str, source: str, counted: int) -> str | None:
    """What is wrong with the number of an item that is far above those ``counted``, and no item's of the source."""
    found = ITEM.match(text)
    if found is None or int(found[1]) <= counted + _GAP or found[1] in SOURCE_ITEM.findall(source):
        return None
    return f"a numbered list counts from 1, its numbers state nothing: {found[1]}"
