"""What stands in a TeX file and on no page of print: branches not taken, boxes never used, white, tiny, phantom words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

_VERBATIM = re.compile(
    r"\\begin\{((?:verbatim|lstlisting|minted|Verbatim|alltt)\*?)\}|\\verb\*?([^\sA-Za-z*])[^\n]{0,500}?\2"
)
_BRANCH = re.compile(r"\\(if[a-zA-Z@]{0,30}|else|fi)(?![a-zA-Z@])(0(?!0))?")
_NO_BRANCH = re.compile(
    r"iff|ifthenelse|if(?:cs)?(?:un)?def(?:inable)?|ifstr\w{1,20}|ifblank|ifboolexpr|iftoggle|ifnumcomp|ifbool|iflanguage"
)
"""Names that begin so and take arguments, no ``fi``."""
_ARGUMENT = re.compile(
    r"\\(?:[hv]?phantom|invisible|note|pdfcomment|pdfmargincomment|@gobble|sbox\s?\{?\\?\w{1,30}\}?|savebox\s?\{?\\?\w{1,30}\}?"
    r"|setbox\s?\\?\w{1,30}\s?=?\s?\\[hv]box|scalebox\{0(?:\.0\d{0,9})?\}|resizebox\{0\w{0,9}\}\{[^{}]{0,30}\}|transparent\{0\}|texttransparent\{0\})"
    r"(?:<[^<>]{0,30}>)?(?:\[[^\[\]]{0,200}\]){0,3}\s?(?=\{)"
)
_GROUP = re.compile(
    r"\\(?:fontsize\{([\d.]{1,9})(?:pt)?\}\{[^{}]{0,20}\}\s?\\selectfont|transparent\{0(?:\.0)?\}"
    r"|pdfliteral\s?(?:direct|page)?\s?\{3 Tr\})"
)
_COLOUR = re.compile(r"\\(text)?color\s?(\[\w{1,9}\])?\s?\{([^{}]{1,60})\}")
_NAMED = re.compile(
    r"\\(?:definecolor\{([^{}]{1,60})\}\{(\w{1,9})\}\{([^{}]{1,60})\}|colorlet\{([^{}]{1,60})\}\{([^{}]{1,60})\})"
)
_GROUND = re.compile(
    r"\\(?:(?:row|cell|column|page|f)color(?:box)?|colorbox|begin\{(?:tcolorbox|mdframed|beamercolorbox))"
)
_WHITE = re.compile(
    r"white(?:!100)?|(?:1(?:\.0{1,9})?,\s?){2}1(?:\.0{1,9})?|#?[fF]{6}|255,\s?255,\s?255|1(?:\.0{1,9})?"
)
_DEFINED = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s?\{?\\([A-Za-z@]{1,40})\}?\s?(?:\[([1-9])\])?"
    r"(?:\[[^\[\]]{0,100}\])?\s?\{|\\[gex]?def\s?\\([A-Za-z@]{1,40})\s?((?:#[1-9]){0,9})\s?\{"
)
_EXCLUDED = re.compile(r"\\excludecomment\{([A-Za-z]{1,40})\}")
DEFINITIONS = "definitions"
_SMALLEST = 3.0
"""Points."""
_LONGEST_DEFINITION = 20_000
_LONGEST = 2_000
"""Characters of a definition that are looked at for what it does with what it is given."""
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BEGIN = re.compile(r"\\begin\{([A-Za-z]{1,40})\}")
_GIVEN = re.compile(r"\\([A-Za-z@]{1,40})\s?(?=\{)")

Span = tuple[int, int, str]


def printed(text: str) -> tuple[str, Counter[str]]:
    """``text`` without what is not printed, every line where it was; and how many characters went, by what hides them."""
    plain = _without_verbatim(text)
    counts = Counter[str]()
    parts, at = [], 0
    for start, end, why in sorted(_spans(plain)):
        start = max(start, at)
        if end > start:
            gone = text[start:end]
            counts[why] += sum(not sign.isspace() for sign in gone)
            parts += [text[at:start], "\n" * gone.count("\n")]
            at = end
    return "".join((*parts, text[at:])), counts


def _without_verbatim(text: str) -> str:
    """``text``, as long as it was, with code blanked out: what looks like a command in there is printed."""
    parts, at = [], 0
    for match in _VERBATIM.finditer(text):
        if match.start() >= at:
            end = text.find(f"\\end{{{match[1]}}}", match.end()) if match[1] else match.end()
            end = len(text) if end < 0 else end
            parts += [text[at : match.start()], re.sub(r"[^\n]", " ", text[match.start() : end])]
            at = end
    return "".join((*parts, text[at:]))


class _Groups:
    """Where each pair of braces ends, found in one pass."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._places: list[int] = []
        self._inside: list[int] = []
        """The group that is open behind each brace, by the place of its own; -1 for none."""
        self._ends: dict[int, int] = {}
        opened = [-1]
        for match in _BRACE.finditer(text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and len(opened) > 1:
                self._ends[opened.pop()] = match.end()
            self._places.append(match.start())
            self._inside.append(opened[-1])

    def end_of(self, place: int) -> int:
        """Behind the brace that closes the innermost group in which ``place`` stands; the text's end where none does."""
        at = bisect_left(self._places, place) - 1
        return self._ends.get(self._inside[at], self._length + 1) if at >= 0 else self._length + 1


def _spans(text: str) -> Iterator[Span]:
    yield from _branches(text)
    if (ends := text.find("\\endinput")) >= 0:
        yield ends, len(text), "comments"
    groups = _Groups(text)
    excluded = {match[1] for match in _EXCLUDED.finditer(text)}
    at = 0
    for match in _BEGIN.finditer(text) if excluded else ():
        if match[1] in excluded and match.start() >= at:
            at = text.find(f"\\end{{{match[1]}}}", match.end())
            at = len(text) if at < 0 else at + len(f"\\end{{{match[1]}}}")
            yield match.start(), at, "comments"
    for match in _ARGUMENT.finditer(text):
        yield match.start(), groups.end_of(match.end() + 1), "text that is not printed"
    for pattern in (_NAMED, _EXCLUDED):
        yield from ((*match.span(), DEFINITIONS) for match in pattern.finditer(text))
    dropping = set[str]()
    for match in _DEFINED.finditer(text):
        end = groups.end_of(match.end())
        if end - match.end() > _LONGEST_DEFINITION:
            continue  # a brace is missing somewhere
        yield match.start(), end, DEFINITIONS
        if (match[2] or match[4]) and "#" not in text[match.end() : min(end, match.end() + _LONGEST)]:
            dropping.add(match[1] or match[3])
    for match in _GIVEN.finditer(text) if dropping else ():
        if match[1] in dropping:
            yield match.start(), groups.end_of(match.end() + 1), "arguments of commands that drop them"
    for match in _GROUP.finditer(text):
        if match[1] is None or _points(match[1]) < _SMALLEST:
            why = "text too small to read" if match[1] else "transparent text"
            yield match.start(), groups.end_of(match.end()) - 1, why
    yield from _white(text, groups)


def _branches(text: str) -> Iterator[Span]:
    """The branches of conditions that are never taken: what ``\\iffalse`` leads to, and the ``\\else`` of ``\\iftrue``."""
    open_at: list[tuple[int, bool]] = []
    for match in _BRANCH.finditer(text):
        word = match[1]
        if word == "fi" or word == "else":
            if not open_at:
                continue
            start, never = open_at.pop()
            if start >= 0:
                yield start, match.end() if word == "fi" and never else match.start(), "branches that are never taken"
            if word == "else":
                open_at.append((match.end() if start < 0 and never else -1, False))
        elif not _NO_BRANCH.fullmatch(word):
            is_false = word == "iffalse" or (word == "if" and match[2] is not None)
            open_at.append((match.start() if is_false else -1, word == "iftrue" or is_false))


def _white(text: str, groups: _Groups) -> Iterator[Span]:
    white = {
        found[1] or found[4]
        for found in _NAMED.finditer(text)
        if _WHITE.fullmatch(found[3] or found[5]) and (found[3] != "1" or found[2] == "gray")
    }
    is_dark = "\\pagecolor" in text
    for match in _COLOUR.finditer(text):
        if match[3] not in white and (not _WHITE.fullmatch(match[3]) or (match[3][:1] == "1" and match[2] is None)):
            continue
        before = text[max(match.start() - 2_000, 0) : match.start()].rpartition("\n\n")[2]
        if is_dark or _GROUND.search(before):
            continue  # what is behind it is no paper
        if match[1]:
            start = text.find("{", match.end(), match.end() + 3)
            end = groups.end_of(start + 1) if start >= 0 else match.end()
        else:
            end = groups.end_of(match.end()) - 1
        yield match.start(), end, "text in the colour of its background"


def _points(said: str) -> float:
    try:
        return float(said)
    except ValueError:
        return 10.0
