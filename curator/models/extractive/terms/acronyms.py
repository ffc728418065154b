"""Names and their short forms, where a source introduces one by the other: ``source distribution (sdist)``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.models.extractive.parsing.lexicon import STOP

_PARENTHESIS = re.compile(
    r"(?P<before>[^()]{3,90}?)\s\((?:(?:or|aka|a\.k\.a\.|also called|also known as|i\.e\.|short:)\s)?"
    r"[\"“'`]?(?P<inside>[^()\"”]{2,60}?)[\"”'`]?\)"
)
_WORD = re.compile(r"[^\W_]+(?:[-.'’/][^\W_]+)*")


def pairs(plain: str) -> Iterator[tuple[str, str]]:
    """Each (long form, short form) that ``plain`` introduces, as written."""
    for match in _PARENTHESIS.finditer(plain):
        inside = match["inside"].strip()
        before = match["before"]
        if is_short(inside):
            if long := _long_form(before, inside):
                yield long, inside
            continue
        words = _WORD.findall(before)
        if words and is_short(words[-1]) and _fits(inside, words[-1]) and 1 < len(inside.split()) <= 6:
            yield inside, words[-1]


def is_short(word: str) -> bool:
    """True for what may be a short form."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{1,9}", word) is not None and word.casefold() not in STOP


def _long_form(before: str, short: str) -> str:
    """The words at the end of ``before`` that ``short`` stands for; the fewest that fit."""
    tail = re.split(r"[,;:.!?]\s", before)[-1]
    spans = [match.span() for match in _WORD.finditer(tail)]
    if not spans or tail[spans[-1][1] :].strip("\"”'`* "):
        return ""
    for count in range(1, min(len(short) + 2, len(spans), 7) + 1):
        long = tail[spans[-count][0] : spans[-1][1]]
        if long.split()[0].casefold() not in STOP and _fits(long, short):
            return long
    return ""


def _fits(long: str, short: str) -> bool:
    """Whether ``short`` abbreviates ``long``: by initials when in capitals, else by letters in order."""
    letters = re.sub(r"[^A-Za-z0-9]", "", short)
    if letters.endswith("s") and len(letters) > 2 and not letters.isupper():
        letters = letters[:-1]
    words = re.findall(r"[^\W_]+", long)
    if not words or len(long) < len(short) + 4:
        return False
    initials = "".join(word[0] for word in words if word.casefold() not in STOP).casefold()
    every = "".join(word[0] for word in words).casefold()
    folded = letters.casefold()
    if folded in (initials, every):
        return True
    if folded[0] != words[0][0].casefold() or (len(words) > 1 and len(folded) < len(words)):
        return False
    return _in_order(folded, [word.casefold() for word in words])


def _in_order(letters: str, words: list[str]) -> bool:
    """Every word begins with a letter of the short form, and the letters occur in order."""
    if len(words) > 1 and not all(word[0] in letters for word in words if word not in STOP):
        return False
    at = 0
    joined = "".join(words)
    for letter in letters:
        at = joined.find(letter, at) + 1
        if not at:
            return False
    return len(letters) >= 3
