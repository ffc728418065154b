"""Numbers in words: ``nineteen thousand four hundred``, ``two and a half``, ``three quarters``, ``half a dozen``."""

from __future__ import annotations

from collections.abc import Sequence

from curator.wiki.english.words import StemmedWord

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS: dict[str, float] = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: 20 + 10 * at for at, word in enumerate(_TENS)},
    "dozen": 12,
    "single": 1,
}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "k": 1_000, "dozen": 12}
_PARTS = {
    "half": 0.5,
    "third": 1 / 3,
    "quarter": 0.25,
    "fifth": 0.2,
    "sixth": 1 / 6,
    "seventh": 1 / 7,
    "eighth": 0.125,
    "ninth": 1 / 9,
    "tenth": 0.1,
    "hundredth": 0.01,
    "thousandth": 0.001,
    "millionth": 1e-6,
}
_MANY_PARTS = {f"{part}s": value for part, value in _PARTS.items()}
_SEVERAL = frozenset("several few couple many these those of per".split())


def is_number(word: str) -> bool:
    """True for a word that counts: ``12``, ``twelve``."""
    return word.isdigit() or word in WORDS


def spelled(words: Sequence[StemmedWord], at: int) -> tuple[float | None, int]:
    """What the words from ``at`` on say in number words, and the place behind them; None where they say none."""
    word = words[at]
    behind = words[at + 1].lower if at + 1 < len(words) else ""
    if word.lower == "half" and behind in ("a", "an"):
        return scaled(words, at + 2, 0.5)
    if word.lower in ("a", "one") and behind in _PARTS and (word.lower == "one" or follows(words, at + 1, "of")):
        of = follows(words, at + 1, "of")
        article = of and at + 3 < len(words) and words[at + 3].lower in ("a", "an")
        return _PARTS[behind], at + 2 + of + article
    if word.lower in ("a", "an") and behind in SCALES:
        value, after = scaled(words, at + 1, 1)
    elif word.lower in ("hundred", "thousand") and not (at and words[at - 1].lower in _SEVERAL):
        value, after = scaled(words, at, 1)
    elif word.lower in WORDS:
        value, after = _below_hundred(words, at)
        if after + 1 < len(words) and words[after].lower == "point" and words[after + 1].lower in _ONES[:10]:
            return value + WORDS[words[after + 1].lower] / 10, after + 2
        value, after = scaled(words, after, value)
    else:
        return None, at + 1
    while value >= 100:  # "two hundred and fifty", "nineteen thousand four hundred"
        start = after + follows(words, after - 1, "and")
        if (
            start >= len(words)
            or words[start].after
            or words[start].lower not in WORDS
            or words[start].lower == "dozen"
        ):
            break
        more, end = _below_hundred(words, start)
        more, end = scaled(words, end, more)
        if more >= (1_000 if value % 1_000 == 0 else 100):
            break
        value, after = value + more, end
    return with_parts(words, after, value)


def with_parts(words: Sequence[StemmedWord], at: int, value: float) -> tuple[float, int]:
    """``value`` with the ``and a half`` or the ``quarters`` that stand from ``at`` on."""
    if at + 2 < len(words) and follows(words, at - 1, "and", "a") and words[at + 2].lower in ("half", "quarter"):
        return value + _PARTS[words[at + 2].lower], at + 3
    if at < len(words) and words[at].lower in _MANY_PARTS and not words[at].after:
        return value * _MANY_PARTS[words[at].lower], at + 1
    return value, at


def scaled(words: Sequence[StemmedWord], at: int, value: float) -> tuple[float, int]:
    """``value`` times the ``hundred``, ``thousand`` or ``dozen`` that stand from ``at`` on."""
    if at < len(words) and words[at].text == "M" and words[at - 1].is_number and not words[at].after:
        return value * SCALES["million"], at + 1
    while at < len(words) and words[at].lower in SCALES and value >= 0:
        value, at = value * SCALES[words[at].lower], at + 1
    return value, at


def follows(words: Sequence[StemmedWord], at: int, *expected: str) -> bool:
    """True where ``expected`` stand right behind place ``at``."""
    return tuple(word.lower for word in words[at + 1 : at + 1 + len(expected)]) == expected


def _below_hundred(words: Sequence[StemmedWord], at: int) -> tuple[float, int]:
    value, after = WORDS[words[at].lower], at + 1
    if value >= 20 and after < len(words) and not words[after].after and words[after].lower in _ONES[1:10]:
        value, after = value + WORDS[words[after].lower], after + 1
    return value, after
