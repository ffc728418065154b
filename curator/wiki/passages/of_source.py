"""The text of a source, cut into passages: paragraphs, short neighbours together, each with the headings over it.

Nothing is left out but headings and rules: what is no prose (a table, an example, the head of the document) answers
questions, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.wiki.passages.passage import Passage
from curator.wiki.sources.source import Document

_SHORT = 180
"""Characters below which a paragraph takes its next neighbour in."""
_LONGEST = 300
"""Characters after which neighbours are not put together. What is longer is cut into pieces of about so many: at 400, and
at 230, material of the same size shows fewer facts (measured)."""
_MARKED = re.compile(r" {0,3}(#{1,6}|={1,6}|\*{1,6})[ \t]+(\S.*?)[ \t]*(?:#+|=+)?\s*$")
_MARKS = {"asciidoc": "=", "org": "*", **dict.fromkeys("rst text data code csv xlsx".split(), "")}
_UNDERLINED = ("rst", "text", "markdown", "asciidoc")
_RULE = re.compile(r"\s*([=\-~^\"'`#*+.:_<>])\1{2,}\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•‣–]|\(?\d{1,3}[.)]|#\.)\s+\S")
_FIELD = re.compile(r"^[A-Z][\w-]*(?: [\w-]+){0,2}:(?:[ \t]|$)", re.MULTILINE)
"""A line of a document's head: ``Status: Final``."""
_FEWEST_FIELDS, _LONGEST_FIELDS = 3, 100
"""From so many on they are a head, of which so many characters stand together: who asks for one field wants no others."""
_LONGEST_TITLE = 150
SENTENCE_BORDER = re.compile(
    r"(?<!\A\d)(?<!\A\d\d)(?<!\n\d)(?<!\n\d\d)(?<!\n \d)(?<!  \d)(?<!  \d\d)"  # the number of an item is no sentence
    r"[.!?][\"')\]*`_]*\s+(?=[^a-z\s])|[。！？]\s*(?=\S)|(?<!\n)\n+(?=[ \t]*(?:[-*+•|]|\d{1,3}[.)])[ \t])"
)
_SHORT_FORMS = frozenset("Mrs Mr Ms Dr Prof St vs ca approx pp vol incl etc".split())
_LONGEST_SHORT = 4
_BORDERS = (
    (SENTENCE_BORDER, _LONGEST // 3),
    (SENTENCE_BORDER, _LONGEST),
    (re.compile(r"(?<!\n)\n+(?=\S)"), _LONGEST // 3),
    (re.compile(r"\n+"), _LONGEST // 3),
    (re.compile(r"\s+"), _LONGEST // 3),
)
"""What parts sentences, then lines, then words; and within how many characters of where a cut is wanted."""


def sentence_borders(text: str, start: int = 0) -> list[int]:
    """Where the sentences of ``text`` from ``start`` on begin, and where the last one ends."""
    found = (each for each in SENTENCE_BORDER.finditer(text, start) if not _is_cut_short(text, each))
    return [start, *(each.end() for each in found), len(text)]


def _is_cut_short(text: str, border: re.Match[str]) -> bool:
    """True behind a short form: ``Mrs. Ellis``, ``J. Patel``, ``only Sa. 7-20 Uhr``."""
    before = text[max(0, border.start() - _LONGEST_SHORT) : border.start()] if border[0].startswith(".") else ""
    short = next((before[at:] for at in range(len(before)) if before[at:].isalnum()), "")
    is_before_number = text[border.end() : border.end() + 1].isdigit() and len(short) < _LONGEST_SHORT
    return short in _SHORT_FORMS or (len(short) == 1 and short.isupper()) or (short.istitle() and is_before_number)


@dataclass
class _Part:
    """Lines that belong together, by their numbers in the text; ``over`` the headings."""

    over: tuple[str, ...]
    first: int
    last: int
    size: int = 0
    joins: bool = False
    """True for what goes with what stands before: an item of its list, what a colon announces."""


def passages_of(document: Document, format: str) -> tuple[str, tuple[Passage, ...]]:
    """The title that the document has as its only topmost heading, or none; and its passages in order."""
    parts = list(_parts(document, format))
    title = _title(parts)
    passages = []
    for part in _joined(parts):
        over = tuple(each for each in part.over if each != title)
        text = "\n".join(line.rstrip() for _, line in document.lines[part.first : part.last + 1])
        for start, end in _fields(text) or _pieces(text):
            first = part.first + text.count("\n", 0, start)
            last = first + text.count("\n", start, end)
            passages.append(Passage("source", text[start:end], headings=over, anchor=document.anchor(first, last)))
    return title, tuple(passages)


def _fields(text: str) -> list[tuple[int, int]]:
    """Where the head of a document is cut: between two fields; nowhere where ``text`` is none."""
    starts = [found.start() for found in _FIELD.finditer(text)]
    lines = [line for line in text.split("\n") if not line[:1].isspace()]
    if len(starts) < _FEWEST_FIELDS or starts[0] or len(starts) < len(lines):
        return []
    cuts = [0]
    for start, end in pairwise([*starts, len(text)]):
        if end - cuts[-1] > _LONGEST_FIELDS and start > cuts[-1]:
            cuts.append(start)
    return [(start, len(text[:end].rstrip())) for start, end in pairwise([*cuts, len(text)])]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where ``text`` is cut: between two sentences, else between two lines, else between two words."""
    count = round(len(text) / _LONGEST) or 1
    start = 0
    for number in range(1, count):
        wanted = len(text) * number // count
        for border, near in _BORDERS:
            within = border.finditer(text, max(start, wanted - near), wanted + near + _LONGEST)
            found = [each.end() for each in within if each.start() < wanted + near]
            if found:
                best = min(found, key=lambda at: abs(at - wanted))
                yield start, len(text[:best].rstrip())
                start = best
                break
    yield start, len(text)


def _title(parts: Sequence[_Part]) -> str:
    tops = {part.over[0] if part.over else "" for part in parts}
    return tops.pop() if len(tops) == 1 else ""


def _parts(document: Document, format: str) -> Iterator[_Part]:
    """The paragraphs, with the headings over each."""
    over: dict[int, str] = {}
    levels: list[str] = []
    open_part: _Part | None = None
    fence = ""
    colon = False
    lines = [line for _, line in document.lines]
    at = 0
    while at < len(lines):
        line = lines[at]
        heading, length = ("", 0) if fence else _heading(lines, at, format)
        if heading:
            mark = _level(lines, at, length)
            if mark not in levels:
                levels.append(mark)
            level = levels.index(mark) if length > 1 else len(mark)
            over = {number: title for number, title in over.items() if number < level}
            over[level] = heading
        if (opened := _FENCE.match(line)) is not None and format not in ("rst", "text"):
            fence = "" if fence and line.strip().startswith(fence) else fence or opened[1]
        if heading or (not line.strip() and not fence):
            if open_part is not None:
                yield open_part
            open_part = None
            colon = colon and not heading
            at += max(length, 1)
            continue
        if open_part is None:
            joins = colon or _ITEM.match(line) is not None or line[:1].isspace()
            open_part = _Part(tuple(over.values()), at, at, joins=joins)
        open_part.last, open_part.size = at, open_part.size + len(line)
        colon = line.rstrip().endswith(":")
        at += 1
    if open_part is not None:
        yield open_part


def _joined(parts: Sequence[_Part]) -> Iterator[_Part]:
    """Short neighbours under one heading as one; items stay with what leads in to them, as far as there is room."""
    before: _Part | None = None
    for part in parts:
        if before is not None and before.over == part.over:
            most = _LONGEST if part.joins else _SHORT
            if before.size + part.size <= most and (before.size < _SHORT or part.joins):
                before = _Part(part.over, before.first, part.last, before.size + part.size, before.joins)
                continue
        if before is not None:
            yield before
        before = part
    if before is not None:
        yield before


def _heading(lines: Sequence[str], at: int, format: str) -> tuple[str, int]:
    """The heading that begins at line ``at`` and how many lines it takes; nothing where none does."""
    line = lines[at]
    mark = _MARKS.get(format, "#")
    if mark and (found := _MARKED.match(line)) is not None and found[1].startswith(mark):
        return found[2][:_LONGEST_TITLE], 1
    if format not in _UNDERLINED or not line.strip() or (at and lines[at - 1].strip()):
        return "", 0
    below = lines[at + 1] if at + 1 < len(lines) else ""
    after = lines[at + 2] if at + 2 < len(lines) else ""
    if _RULE.match(line) and _RULE.match(after) and below.strip() and line.strip()[0] == after.strip()[0]:
        return below.strip()[:_LONGEST_TITLE], 3
    is_title = not line[0].isspace() and not _RULE.match(line) and len(line.strip()) <= _LONGEST_TITLE
    if is_title and _RULE.match(below) and not below[0].isspace() and len(below.strip()) + 2 >= len(line.strip()) // 2:
        return line.strip(), 2
    return "", 0


def _level(lines: Sequence[str], at: int, length: int) -> str:
    """What marks a heading's level: the hashes before it, or the letter that it is underlined with."""
    if length == 1:
        found = _MARKED.match(lines[at])
        return found[1] if found is not None else ""
    return lines[at + 1].strip()[0] if length == 2 else lines[at].strip()[0] * 2
