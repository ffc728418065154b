"""A text folded to what two copies of the same words share: letters and numbers, each with the place it came from."""

from __future__ import annotations

import re
import unicodedata

from curator.wiki.pages.citation import NOTE
from curator.wiki.pages.names import SPACELESS

WORD = re.compile(r"(?:(?<![\w−–-])[−–-](?=\d))?\w+(?:['’]\w+|(?<=\d)[.,](?=\d)\w+)*")
_RUN = re.compile(r"(?P<letters>[A-Za-z]+)|[^\sA-Za-z]")
ROLE = r":(?!(?:pep|rfc):)[A-Za-z][\w:+.-]{0,40}:(?=`(?!`|[^\n`]{0,2}(?:\s|$))[^\s`])"
"""Matches ``:func:`` before the words that it is said of; of ``:pep:`427``` a reader sees the name, too. In code that ends
with ``:all:`` no word follows its mark."""
TARGET = r"(?<=[\w.)\]])\s{1,40}<[^<>\s`]{1,300}>(?=`)"
"""Matches where a link of reStructuredText leads to; white space, a line's end with what the next one is set in among it,
stands before it, as none does in ````<name>````."""
TAG = re.compile(
    r"</?(?:a|abbr|b|br|cite|code|del|div|dfn|em|i|ins|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|tt|u|var)"
    r"(?:\s+[\w-]{1,30}=(?:\"[^\"<>]{0,300}\"|'[^'<>]{0,300}'|[^\s\"'<>]{1,300})){0,8}\s?/?>",
    re.IGNORECASE,
)
"""Matches a tag of HTML that forms words in a line of Markdown."""
_IGNORED = re.compile(
    rf"(?<=\])\([^()\s]*\)|{NOTE}|\[#?\w{{1,12}}\]_|{TARGET}|{ROLE}|(?i:{TAG.pattern})"
    r"|(?<=[\w`])\s{0,40}<https?://[^<>\s]*>(?=`?_)"
)


def fold(text: str) -> tuple[str, list[int]]:
    """The letters and numbers of ``text``, and for each character the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    is_number = False
    """The last character that was put is a digit."""
    for start, end in _kept(text):
        for run in _RUN.finditer(text, start, end):
            offset = run.start()
            if run.lastgroup:  # letters of ASCII, which nearly all of them are
                folded.append(run[0].lower())
                offsets.extend(range(offset, run.end()))
                is_number = False
                continue
            character = run[0]
            if character.isalnum():
                pieces = _character(character)
                if pieces[:1].isdigit() and is_number and not _continues(text, offset, offsets[-1]):
                    pieces = f" {pieces}"
            elif (character in ".," and _is_inner(text, offset)) or _is_minus(text, offset):
                pieces = "-" if character not in ".," else character
            else:
                continue
            folded.append(pieces)
            offsets.extend([offset] * len(pieces))
            is_number = pieces[-1:].isdigit() if pieces else is_number
    return "".join(folded), offsets


def _character(character: str) -> str:
    if character.isascii():
        return character.lower()
    pieces = unicodedata.normalize("NFKC", character).casefold()
    return "".join(c if c.isalnum() else " " if c == "⁄" else "" for c in pieces)


def _continues(text: str, offset: int, last: int) -> bool:
    """True when the digit at ``offset`` goes on with the number before it: ``10``, and not ``1 0``, ``1-0`` or ``1⁰``."""
    return last == offset - 1 and text[offset].isdecimal() and text[last].isdecimal()


def _is_inner(text: str, offset: int) -> bool:
    """True for the point or comma inside a number."""
    return text[offset - 1 : offset].isdecimal() and text[offset + 1 : offset + 2].isdecimal()


def _is_minus(text: str, offset: int) -> bool:
    before = text[offset - 1 : offset]
    return (
        text[offset : offset + 1] in ("-", "−", "–")
        and text[offset + 1 : offset + 2].isdecimal()
        and not (before.isalnum() or before in ("_", "-", "−", "–"))
    )


def ungrouped(number: str) -> str:
    """``1,250`` as ``1250``, and ``2,5``, as other languages write it, as ``2.5``."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", number):
        return number.replace(",", "")
    return number.replace(",", ".") if re.fullmatch(r"\d+,\d+", number) else number


def _kept(text: str) -> list[tuple[int, int]]:
    """The spans of ``text`` that are words a person reads, without link targets and footnote marks."""
    spans, last = [], 0
    for match in _IGNORED.finditer(text):
        spans.append((last, match.start()))
        last = match.end()
    return [*spans, (last, len(text))]


def word_spans(text: str) -> list[tuple[str, int, int]]:
    """Every word of ``text``, folded, with its span."""
    return [
        (_folded_word(match[0]), match.start() + start, match.end() + start)
        for start, end in _kept(text)
        for match in WORD.finditer(text[start:end])
    ]


def _folded_word(word: str) -> str:
    return word.lower() if word.isascii() and word.isalpha() else fold(word)[0]


def is_inside(text: str, at: int) -> bool:
    """True when ``at`` parts a word or a number."""
    left, right = text[at - 1 : at] if at else "", text[at : at + 1]
    if left.isalnum() and right.isalnum():
        return not SPACELESS.match(left + right)
    if right.isdecimal() and left and (_is_minus(text, at - 1) or (left in ".," and _is_inner(text, at - 1))):
        return True
    return left.isdecimal() and right in (".", ",") and _is_inner(text, at)
