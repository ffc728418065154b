"""The words of a source as a reader reads them: without the marks of reStructuredText, Markdown and HTML around them.

Only marks go, no letter or digit that ``folding.fold`` counts, so that the words are found in the source again.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from curator.wiki.sources.folding import ROLE, TAG

_CODE = re.compile(r"(`{1,3})([^`\n]{1,400})\1")
_RST_CODE = re.compile(r"``([^`\n]{1,400})``")
_RST_TEXT = re.compile(rf"(?:{ROLE})?`([^`\n<>]{{1,400}}?)(?:\s?<[^<>`]{{1,200}}>)?`(?:__?(?!\w))?")
_SERIES = re.compile(r":(pep|rfc):`(\d{1,5})`")
_RST_NOTE = re.compile(r"\s?\[#?\w{1,12}\]_(?!\w)")
_RST_LINK = re.compile(r"(?<![\w`])(\w[\w.-]{1,60})__?(?![\w`])")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]\n]{0,400})\]\([^()\s]{0,400}\)")
_NOTE = re.compile(r"\s?\[\^[^\[\]\s]{1,60}\]")
_STRONG = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{1,400}?)(?<=[^\s*])\1(?![\w*])")
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^\n]{1,400}?)(?<=[^\s_])\1(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_OPEN = re.compile(r"^[*_`]{1,3}(?=\w)|(?<=\w)[*`]{1,3}$")
"""A mark at the edge whose other half is outside of the quote."""
_KEPT = re.compile("\ue000(\\d+)\ue001")

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def as_read(words: str, format: str) -> str:
    """``words``, on one line, of a source of this ``format`` without their markup."""
    if format not in ("markdown", "rst", "notebook"):
        return words
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[found.lastindex or 0])
        return f"\ue000{len(kept) - 1}\ue001"

    rst: tuple[Rule, ...] = (
        *(
            (_SERIES, _named),
            (_RST_CODE, keep),
            (_RST_TEXT, keep),
            (_RST_NOTE, ""),
            (_STRONG, r"\2"),
            (_RST_LINK, r"\1"),
        ),
    )
    markdown: tuple[Rule, ...] = (
        *(
            (_CODE, keep),
            (_ESCAPED, keep),
            (_NOTE, ""),
            (_IMAGE_OR_LINK, r"\1"),
            (TAG, ""),
            (_STRONG, r"\2"),
            (_UNDERSCORES, r"\2"),
        ),
    )
    text = words.replace("\ue000", "").replace("\ue001", "")
    for pattern, shown in rst if format == "rst" else markdown:
        text = pattern.sub(shown, text)
    text = _OPEN.sub("", text.strip())
    return " ".join(_KEPT.sub(lambda found: kept[int(found[1])], text).split())


def _named(found: re.Match[str]) -> str:
    """``PEP 427``, as reStructuredText shows it."""
    return f"{found[1].upper()} {found[2]}"


_BEFORE, _BEHIND = "`*“\"'(", ".!?)]”’\"'%°`"
"""What opens before the first word of a quote and closes behind its last one."""


def with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of ``text`` with the marks around it, and all of a link that begins there: half of one is broken marks."""
    start = _opened(text, start)
    if text[start - 1 : start] == "[" and "](" in text[start:end]:
        start = _opened(text, start - 1)
    while end < len(text) and (text[end] in _BEHIND or text.startswith(">`", end)):
        end += 1
    return start, end


def _opened(text: str, start: int) -> int:
    while start > 0 and text[start - 1] in _BEFORE:
        start -= 1
    return start


def on_one_line(span: str, quote: str, text: str) -> str:
    """``span`` with white space folded; a hyphen at a line's end goes when the quote, or the text elsewhere, has none."""

    def rejoin(match: re.Match[str]) -> str:
        joined = match[1] + match[2]
        elsewhere = re.search(rf"(?<!\w){re.escape(joined)}(?!\w)", text) is not None
        return joined if joined.casefold() in quote.casefold() or elsewhere else f"{match[1]}-{match[2]}"

    return " ".join(re.sub(r"(?<!\w)(\w*[^\W\d])[-‐]\n\s*(\w+)", rejoin, span).split())
