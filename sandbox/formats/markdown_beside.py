"""What stands in a Markdown file for programs, or for a mouse that hovers, and in no rendered text.

Titles of links, descriptions of pictures, attributes, fields of a head, cells that a table has no column for.
Positions are those of the text that is looked at, in which code is blanked out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from front_matter import head_end, is_known

Span = tuple[int, int, str]
"""From, to, and what it is, or what hides it."""

NOTES, FIELDS, ATTRIBUTES = "notes that nothing refers to", "fields of its head", "attributes"
SEEN_ELSEWHERE = frozenset(
    (
        FIELDS,
        ATTRIBUTES,
        "titles of links",
        "descriptions of pictures",
        "references that nothing refers to",
        "meanings of",
    )
)
"""What somebody sees of it who hovers over it, or uses the file otherwise: no sign that it hides."""

_QUOTED = (
    r"\"(?:[^\"\\\n]|\\.|\n(?!\n)){0,500}\"|'(?:[^'\\\n]|\\.|\n(?!\n)){0,500}'|\((?:[^()\\\n]|\\.|\n(?!\n)){0,500}\)"
)
_TITLE = re.compile(
    rf"\]\([ \t]{{0,9}}(?:<[^<>\n]{{0,500}}>|[^()\s<]{{1,500}}+(?:\([^()\s]{{0,200}}\))?)\s{{1,9}}({_QUOTED})\s{{0,9}}\)"
)
_SPACED = re.compile(r"\]\([ \t]{0,9}<([^<>\n]{0,500}?[ \t][^<>\n]{0,500})>")
_PICTURE = re.compile(r"!\[((?:[^\[\]\\\n]|\\.|\n(?!\n)|\[[^\[\]\n]{0,200}\]){1,1000})\](?=[\[(])")
_WORDLESS = re.compile(
    r"(?<!!)\[[ \t\u00a0\u00ad\u200b-\u200d\u2060\ufeff]{0,20}\](?:\((?:<[^<>\n]{0,500}>|[^()\s]{0,500})[^()\n]{0,500}\)"
    r"|\[[^\[\]\n]{1,200}\])"
)
_BRACES = re.compile(r"\{[ \t]?[:#.%][^{}\n]{0,500}\}")
_ABBREVIATION = re.compile(r"^\*\[[^\[\]\n]{1,200}\]:(.*)$", re.MULTILINE)
_REMARK = re.compile(r"%%([^%\n]{1,1000})%%")
_REMARKS = re.compile(r"^[ \t]{0,3}%%[ \t]{0,9}$", re.MULTILINE)
_BRACED = r"\{(?:[^{}\n]|\{[^{}\n]{0,500}\}){0,500}\}"
_UNPRINTED = re.compile(
    rf"\\[hv]?phantom\s?{_BRACED}|\\(?:text)?color(?:\[\w{{1,9}}\])?\{{(?:white|#[fF]{{3,6}}|1,1,1|FFFFFF)\}}\s?"
    rf"(?:{_BRACED}|[^{{}}$\n]{{1,500}})"
)
_ATTRIBUTE_LIST = re.compile(r"(?:\[([^\[\]\n]{1,1000})\]|^)\{([^{}\n]{1,600})\}", re.MULTILINE)
_HIDES = re.compile(r"display:\s{0,3}none|visibility:\s{0,3}hidden|font-size:\s{0,3}0")
_FORMULA = re.compile(r"^\$\$[^$]{1,4000}?\$\$", re.MULTILINE)
_ASIDE = re.compile(r"(?<!\\)%[^\n]{1,1000}")
_CRITIC = re.compile(r"\{>>([^\n]{1,1000}?)<<\}|\{--([^\n]{1,1000}?)--\}")
_NOTE = re.compile(
    r"^ {0,3}(?:> ?)*\[\^([^\[\]\n]{1,100})\]:(.*(?:\n(?![ \t]*\n|[ >]*\[\^).+|\n[ \t]*\n(?: {4}|\t).+){0,100})",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"\[\^([^\[\]\n]{1,100})\](?!:)")
_LATER_HEAD = re.compile(
    r"(?<=\n\n)---[ \t]*\n((?:[\w.-]{1,40}:[ \t][^\n]{1,1000}\n|[ \t]{1,20}\S[^\n]{0,1000}\n){1,100})"
    r"(?:---|\.\.\.)[ \t]*(?=\n|$)"
)
"""As pandoc reads one anywhere."""
_PERCENT = re.compile(r"(?<=\n\n)(?:% [^\n]{1,2000}(?:\n|$)){1,50}")
"""Comments of MyST; at its top a file of pandoc's has its title so."""
_PUSHED = re.compile(
    r"(?<![;\s])(?:[ \t\u00a0\u2000-\u200a\u3000]|&(?:nbsp|e[nm]sp|#160|#x[aA]0);){200,}+([^\n|][^\n]{0,10000})"
)
"""What stands so far to the right that nobody gets there."""
_BETWEEN = re.compile(
    r"\{%-?\s{0,5}comment\b[^%]{0,50}%\}.{0,2000}?\{%-?\s{0,5}endcomment\s{0,5}-?%\}"
    r"|\{\{[<%]\s{0,5}comment\s{0,5}[%>]\}\}.{0,2000}?\{\{[<%]\s{0,5}/\s{0,5}comment\s{0,5}[%>]\}\}"
    r"|\\begin\{comment\}.{0,2000}?\\end\{comment\}",
    re.DOTALL,
)
_PUSHED_AWAY = re.compile(
    r"\\(?:hspace\*?|hskip|mkern|kern|mspace)\s?\{?-?\d{3,9}(?:\.\d{0,9})?\s?(?:em|ex|mu|pt|px|cm|mm|in)\}?([^$\n]{1,1000})"
)
_TARGET = re.compile(r"\[\[([^\[\]|\n]{1,500})\|(?=[^\[\]\n]{1,500}\]\])")
_MOST_WORDS = 6
"""Of a page's name."""
_HIDDEN_PART = re.compile(r"^:{3,}[^\n]{0,200}(?:hidden|content-visible|display: ?none)[^\n]{0,200}$", re.MULTILINE)
_END_OF_PART = re.compile(r"^:{3,}[ \t]{0,9}$", re.MULTILINE)
_DELIMITER = re.compile(
    r"[ >]{0,20}\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}(?:\|[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}){0,200}\|?[ \t]{0,20}$"
)
_BAR = re.compile(r"(?<!\\)\|(?![^\[\]|\n]{0,200}\]\])")
_FIELD = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]{0,9}[:=]")


def beside(text: str) -> Iterator[Span]:
    """All of it, in no order; some may stand within another."""
    for pattern, what in (
        (_TITLE, "titles of links"),
        (_SPACED, ATTRIBUTES),
        (_PICTURE, "descriptions of pictures"),
        (_ABBREVIATION, "meanings of"),
        (_REMARK, "comments"),
    ):
        yield from ((*match.span(1), what) for match in pattern.finditer(text))
    yield from ((*match.span(), ATTRIBUTES) for match in _BRACES.finditer(text))
    yield from ((*match.span(), "links without words") for match in _WORDLESS.finditer(text))
    yield from ((*match.span(), "not printed") for match in _UNPRINTED.finditer(text))
    for match in _ATTRIBUTE_LIST.finditer(text):
        if _HIDES.search(match[2]):  # it is about the words in brackets right before it, or the paragraph above
            yield (
                *(match.span(1) if match[1] else (text.rfind("\n\n", 0, match.start()) + 1, match.start())),
                "not displayed",
            )
    yield from ((*match.span(), "comments") for match in _CRITIC.finditer(text))
    for formula in _FORMULA.finditer(text):
        yield from ((*match.span(), "comments") for match in _ASIDE.finditer(text, *formula.span()))
    marks = [match.end() for match in _REMARKS.finditer(text)]
    yield from ((start, end, "comments") for start, end in zip(marks[::2], marks[1::2], strict=False))
    for match in _HIDDEN_PART.finditer(text):
        end = _END_OF_PART.search(text, match.end())
        yield match.end(), end.start() if end else len(text), "not displayed"
    yield from ((*match.span(), "comments") for match in _BETWEEN.finditer(text))
    yield from ((*match.span(1), "far off the page") for match in _PUSHED_AWAY.finditer(text))
    yield from ((*match.span(1), ATTRIBUTES) for match in _TARGET.finditer(text) if match[1].count(" ") >= _MOST_WORDS)
    yield from ((*match.span(1), FIELDS) for match in _LATER_HEAD.finditer(text))
    yield from ((*match.span(), "comments") for match in _PERCENT.finditer(text))
    yield from ((*match.span(1), "far off the page") for match in _PUSHED.finditer(text))
    yield from _notes(text)
    lines = text.split("\n")
    yield from _head(lines)
    yield from _cells(lines)


def _notes(text: str) -> Iterator[Span]:
    used = Counter(match[1].casefold() for match in _REFERENCE.finditer(text))
    for match in _NOTE.finditer(text):
        if not used[match[1].casefold()]:
            yield match.start(), match.end(2), NOTES


def _head(lines: list[str]) -> Iterator[Span]:
    """The fields of the head that say no title, author, date or the like."""
    at, known = len(lines[0]) + 1, True
    for line in lines[1 : head_end(lines)]:
        field = _FIELD.match(line)
        known = is_known(field[1]) if field else known
        if not known:
            yield at + (field.end() if field else 0), at + len(line), FIELDS
        at += len(line) + 1


def _cells(lines: list[str]) -> Iterator[Span]:
    """Cells to the right of a table's last column."""
    at = columns = 0
    for number, line in enumerate(lines):
        if "|" not in line:
            columns = 0
        elif columns:
            bars = [match.start() for match in _BAR.finditer(line)]
            bars = bars[1:] if bars and not line[: bars[0]].strip(" >") else bars
            if len(bars) >= columns and line[bars[columns - 1] :].strip(" |\t"):
                yield at + bars[columns - 1] + 1, at + len(line), "beyond the columns of its table"
        elif number and _DELIMITER.match(line) and "|" in lines[number - 1]:
            columns = len(line.strip(" >|\t").split("|"))
        at += len(line) + 1
