"""Inline markup of the source formats, turned into words a person reads.

Code keeps its backticks in ``text``, which is safe markdown; ``plain`` has no marks at all.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from curator.wiki.pages import inline
from curator.wiki.pages.citation import MARK
from curator.wiki.pages.names import SPACELESS

Style = Literal["code", "emphasis", "label"]


@dataclass(frozen=True)
class RichText:
    """A piece of text as markdown and as plain words, with the phrases it sets apart."""

    text: str
    plain: str
    marks: tuple[tuple[Style, str], ...] = ()
    rough: bool = False
    """True when markup was left that has no words of its own: a bare URL, a reference without a label."""


class _InlineCollector:
    """Collects what the rules of a format find; code is put aside, so that no later rule reads it."""

    def __init__(self) -> None:
        self.aside: list[str] = []
        self.marks: list[tuple[Style, str]] = []
        self.rough = False

    def code(self, words: str) -> str:
        flat = " ".join(words.split())
        if not flat:
            return ""
        self.marks.append(("code", flat))
        self.aside.append(flat)
        return f"\ue000{len(self.aside) - 1}\ue001"

    def styled(self, style: Style, words: str) -> str:
        self.marks.append((style, " ".join(words.split())))
        return words


_LONGEST = 4_000
"""Characters of a sentence or a title. What is longer is none, and its marks stay: so no rule takes long over them."""

_SCRIPT = SPACELESS.pattern
"""A character of a script that writes no spaces: a line's end between two is none either."""

_Rule = tuple[re.Pattern[str], Callable[[re.Match[str], _InlineCollector], str]]


def _code(match: re.Match[str], pen: _InlineCollector) -> str:
    return pen.code(match[1])


def _drop(match: re.Match[str], pen: _InlineCollector) -> str:
    return ""


def _emphasis(match: re.Match[str], pen: _InlineCollector) -> str:
    return pen.styled("emphasis", match[1])


def _label(match: re.Match[str], pen: _InlineCollector) -> str:
    return pen.styled("label", match[1])


def _words(match: re.Match[str], pen: _InlineCollector) -> str:
    return match[1]


_CODE_ROLES = frozenset(
    "file code mod func class meth attr data envvar command program option samp literal const exc".split()
)
_IDENTIFIER = re.compile(r"\w_\w|[<>${}=]")
"""What only code is written with."""
_SERIES_ROLES = {"pep": "PEP", "rfc": "RFC"}


def _role(match: re.Match[str], pen: _InlineCollector) -> str:
    role, content = match[1].rpartition(":")[2].lower(), match[2].strip()
    labelled = _without_target(content)
    if labelled and role not in _CODE_ROLES:
        return pen.styled("label", labelled)
    if role in _SERIES_ROLES:
        return f"{_SERIES_ROLES[role]} {content.partition('#')[0]}"
    if role in _CODE_ROLES:
        name = labelled if labelled else content.lstrip("~!")
        return pen.code(name.rpartition(".")[2] if content[:1] == "~" else name)
    if role in ("ref", "doc", "numref", "term"):
        pen.rough = pen.rough or role != "term"
        return pen.styled("label", re.sub(r"[-_]+", " ", content.rpartition(":")[2].rpartition("/")[2]))
    return pen.code(content) if _IDENTIFIER.search(content) else content


def _rst_link(match: re.Match[str], pen: _InlineCollector) -> str:
    words = _without_target(match[1])
    if words is None:
        words = match[1]
    if not words:
        pen.rough = True
        return match[1].strip("<> ")
    return pen.styled("label", words)


def _without_target(label: str) -> str | None:
    """``words`` of ``words <target>``; None where there is no target, as in ``$<SEMICOLON>``."""
    words, bracket, _ = f" {label}".rstrip().partition(" <")
    return words.strip() if bracket and label.rstrip().endswith(">") else None


def _titled(match: re.Match[str], pen: _InlineCollector) -> str:
    return pen.styled("label", match[2] or match[1])


def _bare_url(match: re.Match[str], pen: _InlineCollector) -> str:
    pen.rough = True
    return match[0]


_URL: _Rule = (re.compile(r"https?://[^\s<>()]+"), _bare_url)
_BACKTICKS: _Rule = (re.compile(r"(?<!`)`([^`]+)`(?!`)"), _code)
_DOUBLE_BACKTICKS: _Rule = (re.compile(r"``(.+?)``(?!`)", re.DOTALL), _code)
_STARS: _Rule = (re.compile(r"(?<![\w*])\*{1,3}(?=[^\s*])([^*]+?)(?<=[^\s*])\*{1,3}(?![\w*])"), _emphasis)
_UNDERSCORES: _Rule = (re.compile(r"(?<![\w_])_{1,2}(?=[^\s_])([^_]+?)(?<=[^\s_])_{1,2}(?![\w_])"), _emphasis)
_CITATION: _Rule = (
    re.compile(
        r"(?<!\bin)(?<!\bof)(?<!\bto)(?<!range)(?<!interval)(?<!between)(?<!from)"
        r"(?:\s|(?<=[^\W\d_]{3})|(?<=[.,;)”\"%]))\[[1-9]\d{0,2}(?:\s?[,–-]\s?[1-9]\d{0,2}){0,8}\](?![\w(\[:])"
    ),
    _drop,
)
"""``[4, 5]``, a number of the list of references; ``in the range [1, 5]`` is none."""
_ELSEWHERE: _Rule = (re.compile(r"\s?\((?:[Ss]ee|cf\.|vgl\.|siehe|voir|véase) [^()]{1,60}\)"), _drop)
"""``(see below for details)``"""
_LOOSE: _Rule = (
    re.compile(
        r"\A(?:\*\*_|_\*\*|(?:\*{1,3}|_)(?=(?i:note|warning|important|caution|tip)\b))(?=\w)|(?<=[.!?])(?:_?\*{1,3}|\*\*_|_)\Z"
    ),
    _drop,
)
"""Marks around more than one sentence, of which this is the first or the last."""
_LABEL = r"(?:link|here|pull request(?: \d)?)"
_BESIDE = re.compile(rf"\s?\({_LABEL}(?:, {_LABEL}){{0,5}}\)")
"""A link beside what it is on."""
_NO_ADDRESS = re.compile(r"[ \t]at(?:[ \t]{1,4}(?=[.,;](?!\S))|(?=[ \t]{2,4}(?:or|and)\b))")
"""An address that was no text: ``by contacting the office at .``"""
_TAGS: _Rule = (re.compile(r"</?[a-zA-Z][^<>]*>|<!--(?:[^<]|<(?!!--))*?-->"), _drop)

_RULES: dict[str, tuple[_Rule, ...]] = {
    "rst": (
        _DOUBLE_BACKTICKS,
        (re.compile(r":([\w:.+-]{1,80}):`([^`]+)`"), _role),
        (re.compile(r"`([^`]+)`__?(?!\w)"), _rst_link),
        (re.compile(r"\s?\[(?:\d+|#[\w-]*|\*|[A-Za-z][\w.-]*)\]_(?!\w)"), _drop),
        (re.compile(r"\|([^|\s][^|]*)\|_{0,2}"), _words),
        _STARS,
        (re.compile(r"`([^`]+)`"), _words),
        (re.compile(r"(?<![\w/.-])([A-Za-z0-9](?:[\w.+-]{0,80}[A-Za-z0-9])?)__?(?=[\s.,;:!?)\]'’\"/-]|$)"), _label),
        (re.compile(r"\\\s?(.?)"), _words),
        _URL,
    ),
    "markdown": (
        (re.compile(r"(?<!`)``++\s?(.+?)\s?``+", re.DOTALL), _code),
        _BACKTICKS,
        (re.compile(r"\s?!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])"), _drop),
        (re.compile(rf"\s?{MARK.pattern}"), _drop),
        (re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]"), _titled),
        (re.compile(r"\[([^\[\]]+)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+[\"'][^()]*)?\)"), _label),
        (re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]"), _label),
        (re.compile(r"<(https?://[^<>\s]+)>"), _bare_url),
        _CITATION,
        _TAGS,
        _STARS,
        _UNDERSCORES,
        _LOOSE,
        (re.compile(r"~~([^~]+)~~"), _words),
        (re.compile(r"\\([!-/:-@\[-`{-~])"), _words),
        _URL,
    ),
    "org": (
        (re.compile(r"(?<![\w=])=([^=\s](?:[^=]*[^=\s])?)=(?![\w=])"), _code),
        (re.compile(r"(?<![\w~])~([^~\s](?:[^~]*[^~\s])?)~(?![\w~])"), _code),
        (re.compile(r"\[fn:[^\[\]]*\]"), _drop),
        (re.compile(r"\[\[([^\[\]]+)(?:\]\[([^\[\]]+))?\]\]"), _titled),
        _STARS,
        (re.compile(r"(?<![\w/])/([^/\s](?:[^/]*[^/\s])?)/(?![\w/])"), _emphasis),
        _URL,
    ),
    "asciidoc": (
        _BACKTICKS,
        (re.compile(r"<<([^<,>]+)(?:,\s*+([^<>]+))?>>"), _titled),
        (re.compile(r"\b[a-z]{3,10}:([\w.-]{1,80})\[(\d\w?)\]"), lambda match, _: f"{match[1]}({match[2]})"),
        (re.compile(r"xref:([^\[\s]{1,500})\[([^\[\]]*)\]"), _titled),
        (re.compile(r"(?:link:|mailto:|https?://)[^\[\s]{1,500}\[([^\[\]]+?)\^?\]"), _label),
        (re.compile(r"footnote:\[[^\[\]]*\]"), _drop),
        _STARS,
        _UNDERSCORES,
        (re.compile(r"\{([\w-]+)\}"), _words),
        _URL,
    ),
    "html": (_CITATION, _URL),
    "text": (_BACKTICKS, _CITATION, _URL),
}


_BREAK = re.compile(r" \+(?=\n|\Z)")
"""How AsciiDoc breaks a line."""


def rejoined(raw: str) -> str:
    """``raw`` without the hyphens that only part a word at the end of a line."""
    return re.sub(r"(?<=\w)[\u2010\u00ad]\n\s*(?=\w)", "", raw)


def read_inline(raw: str, format: str) -> RichText:
    """``raw`` (markup on any number of lines) as words."""
    if len(raw) > _LONGEST:
        text = " ".join(raw.split())
        return RichText(inline.escape(text), text, rough=True)
    pen = _InlineCollector()
    raw = rejoined(_BREAK.sub("", raw) if format == "asciidoc" else raw)
    raw = _NO_ADDRESS.sub("", raw) if format == "markdown" else raw
    text = re.sub(r"(?<=\w-)\n\s*(?=\w)(?!(?:and|or|und|oder)\b)", "", raw)
    text = re.sub(rf"(?<={_SCRIPT})\n\s*(?={_SCRIPT})", "", text)
    text = " ".join(text.split()).replace("\ue000", "").replace("\ue001", "")
    for pattern, replacement in (*_RULES.get(format, _RULES["text"]), _ELSEWHERE):
        text = pattern.sub(lambda match, rule=replacement: rule(match, pen), text)  # type: ignore[misc]
    if any(re.fullmatch(_LABEL, words) for _, words in pen.marks):
        text = _BESIDE.sub("", text)
    if format in ("markdown", "asciidoc"):
        text = html.unescape(text)
    text = " ".join(text.split())
    return RichText(
        _put_back(inline.escape(text), pen, _as_code), _put_back(text, pen, str), tuple(pen.marks), pen.rough
    )


def _put_back(text: str, pen: _InlineCollector, form: Callable[[str], str]) -> str:
    return re.sub("\ue000(\\d+)\ue001", lambda match: form(pen.aside[int(match[1])]), text)


def _as_code(words: str) -> str:
    if "`" not in words:
        return f"`{words}`"
    return inline.escape(words)
