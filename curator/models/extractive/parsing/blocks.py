"""The running text of a source: paragraphs and list items with the headings they stand under.

A format's reader says of every line what it is; here lines become blocks. What is no prose (code, tables, headers, link
targets) is no block. Offsets count characters of ``document.text``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from curator.models.extractive.parsing import header, inline, mail, markup, messages, rst, sections
from curator.models.extractive.parsing.line import BOLD_LEVEL, BRIEF, TextBlock, TextLine, indent
from curator.wiki.sources import chat
from curator.wiki.sources.source import Document, Source

_NUMBER = re.compile(
    r"(?:(?:Chapter|Section|Part|Appendix|Annex|Kapitel|Anhang|Chapitre|Annexe)\s(?:\d{1,2}|[A-Z]|[IVX]{1,4})[.:]"
    r"|\d{1,2}\)|(?P<count>\d{1,2})(?!\.\d)\.?|\d{1,2}(?:\.\d{1,2}){1,3}\.?|[IVX]{1,4}\.|[A-Z]\.(?:\d{1,2}\.?)*)\s+"
    r"(?=[^\W\d_])"
)
_COUNTED = re.compile(r"[\s>]*(\d{1,3})[.)]\s")
_TURN = re.compile(r"[*_]{0,2}(?P<who>[A-Z][\w.’'-]{0,20}(?: [A-Z][\w.’'-]{0,20})?)(?::[*_]{0,2}|[*_]{1,2}:)\s")
"""How a turn of an interview begins: ``Q: ``, ``GA: ``, ``**Rob:** ``"""
_ASKED = re.compile(r"\?[\"'”’)*_\]]*\s*\Z")
_CODED = re.compile(r"(`{1,2})[^`]+\1")
_LEAST_NUMBERED = 2
_LONGEST_APART = 90
_ADMONITIONS = frozenset("note tip warning important caution hinweis warnung achtung remarque attention nota".split())
"""What stands over a remark like a heading, and parts nothing."""
_HEADINGS = re.compile(r"(?:\A|\n\n)#{1,6} [^\W\d_].{0,99}(?=\n\n)|(?:\A|\n\n)#{1,6} [\d.]+ [^\W\d_].{0,99}(?=\n\n)")
"""Headings as Markdown writes them, in a file that does not say that it is Markdown."""
_ASCIIDOC = re.compile(
    r"^={1,5} \S.{0,90}$\n\n|^\S.{0,78}::$\n[ \t]*\S|^\[\[[\w-]+\]\]$|^\[(?:verse|source|listing)\b.*\]$|^\+$"
    r"|^(?:-{4,}|\.{4,})$\n(?:.*\n){1,60}?(?:-{4,}|\.{4,})$\n\n",
    re.MULTILINE,
)
_MACRO = re.compile(r"\b(?:link|xref):[\w./#-]{1,200}\[[^\]\n]|\blink[a-z]{2,8}:[\w.-]{1,80}\[\d")
_LONGEST_QUESTION = 120
_LEAST_ASCIIDOC = 4
"""Marks of AsciiDoc, in a file that does not say what it is, of two kinds at least."""


@dataclass(frozen=True)
class SourceText:
    """A source as it is read."""

    header: header.Header
    title: str
    """The heading of the whole, if it has one; it is in no block's path."""
    headings: tuple[str, ...]
    """The other headings, in order."""
    blocks: tuple[TextBlock, ...]
    places: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Where each heading stands, with the headings above it and itself, outermost first."""
    coded: frozenset[str] = frozenset()
    """The headings that are no more than a name in code: what they are on is called so."""


def as_written(source: Source) -> Source:
    """``source`` in the format that the text of a plain file shows."""
    if source.format != "text":
        return source
    text = source.document.text
    if len(_HEADINGS.findall(text)) >= _LEAST_NUMBERED:
        return replace(source, format="markdown")
    marks = [match[0] for match in _ASCIIDOC.finditer(text)]
    shown = len(marks) >= _LEAST_ASCIIDOC and len({mark[:2] for mark in marks}) >= _LEAST_NUMBERED
    return replace(source, format="asciidoc") if shown or _MACRO.search(text) else source


def read_blocks(source: Source) -> SourceText:
    """The text of ``source``."""
    head = header.read_header(source.document)
    lines = list(_classified(source.document, source.format, head))
    for line in lines:
        if line.kind == "heading" and line.title.strip(" :.!").casefold() in _ADMONITIONS:
            line.kind = "skip"
    title = _title(lines)
    if title is not None:
        title.kind = "skip"
    _drop_numbers([line for line in lines if line.kind == "heading"])
    headings = tuple(_plain(line.title, source.format) for line in lines if line.kind == "heading")
    _tell_apart([line for line in lines if line.kind == "heading"])
    return SourceText(
        head,
        _plain(title.title, source.format) if title else "",
        headings,
        tuple(_with_answers(source.document.text, list(_blocks(lines, source.format)))),
        tuple(_places(lines, source.format)),
        frozenset(_plain(line.title, source.format) for line in lines if _CODED.fullmatch(line.title)),
    )


def _places(lines: Sequence[TextLine], format: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    path: list[tuple[int, str]] = []
    for line in lines:
        if line.kind in ("heading", "end"):
            path = [(level, title) for level, title in path if level < line.level]
        if line.kind == "heading":
            path.append((line.level, line.title))
            yield line.offset, tuple(_plain(title, format) for _, title in path)


def _tell_apart(headings: Sequence[TextLine]) -> None:
    """A section called like one above it that has the same headings over it is told with the new one before it."""
    path: list[TextLine] = []
    seen: dict[tuple[str, ...], int] = {}
    begun = [""]
    for line in headings:
        path = [*(above for above in path if above.level < line.level), line]
        names = tuple(each.title for each in path)
        if names in seen:
            first = seen[names]
            like = set(begun[first - 1].split())
            part = max(reversed(begun[first + 1 :] or [""]), key=lambda title: len(like & set(title.split())))
            if part and not sections.is_skipped(line.title) and len(line.title) + len(part) <= _LONGEST_APART:
                line.title = f"{line.title} ({part})"
        else:
            seen[names] = len(begun)
            begun.append(line.title)


def _drop_numbers(headings: Sequence[TextLine]) -> None:
    """``2.1 Methods`` is ``Methods``, in a source that numbers its headings; the days of a diary number nothing."""
    numbered = [(line, match) for line in headings if (match := _NUMBER.match(line.title))]
    counted = [(int(match["count"]), line.title[match.end() :]) for line, match in numbered if match["count"]]
    if len(numbered) < _LEAST_NUMBERED or not _counts(counted):
        numbered = [each for each in numbered if not each[1]["count"]]
    for line, match in numbered if len(numbered) >= _LEAST_NUMBERED else ():
        line.title = line.title[match.end() :]


def _counts(counted: Sequence[tuple[int, str]]) -> bool:
    """True where the bare numbers before the titles go up by one, and the titles are not all the same word: no days."""
    steps = [other - one for (one, _), (other, _) in pairwise(counted)]
    return len({title for _, title in counted}) == len(counted) and 2 * steps.count(1) >= len(steps)


def _title(lines: Sequence[TextLine]) -> TextLine | None:
    """The first heading, when it stands before all text and alone on its level; of lines in bold, the first of all."""
    first = next((line for line in lines if line.kind in ("heading", "text", "item", "label")), None)
    if first is None or first.kind != "heading" or sections.is_quoted(first.title) or sections.forbids(first.title):
        return None
    if chat.DAY.fullmatch(first.title):
        return None
    peers = [
        line for line in lines if line.kind == "heading" and line.level <= first.level and line.title != first.title
    ]
    is_bold = first.level == BOLD_LEVEL and all(line.level == BOLD_LEVEL for line in peers)
    return first if is_bold or not peers else None


def _classified(document: Document, format: str, head: header.Header) -> Iterator[TextLine]:
    raw = []
    offset = 0
    for index, (_, text) in enumerate(document.lines):
        raw.append((offset, "" if index in head.lines else text.expandtabs(1)))
        offset += len(text) + 1
    if format == "rst":
        return rst.read_lines(raw)
    if format == "text" and chat.is_chat(text for _, text in raw):
        return messages.read_lines(raw)
    letters = mail.letters_quoted(raw) if format == "text" else {}
    return mail.read_lines(raw, letters) if letters else markup.read_lines(raw, format)


def _blocks(lines: Sequence[TextLine], format: str) -> Iterator[TextBlock]:
    path: list[tuple[int, str]] = []
    open_lines: list[TextLine] = []
    label: TextLine | None = None
    before = ""
    in_item = -1
    """The column of the list item's text that indented paragraphs still belong to; -1 outside of lists."""
    steps = _steps_at_the_margin(lines)

    def close() -> Iterator[TextBlock]:
        if open_lines:
            first, last = open_lines[0], open_lines[-1]
            kind: Literal["paragraph", "item"] = "item" if first.kind == "item" or in_item >= 0 else "paragraph"
            labelled = label is not None and not label.taken
            yield TextBlock(
                kind,
                first.offset + first.start,
                last.offset + len(last.text.rstrip()),
                tuple(title for _, title in path),
                _plain(label.title, format) if label is not None and labelled else "",
                label.offset + max(label.start, 0) if label is not None and labelled and label is not first else -1,
                _plain(label.title, format) if label is not None else "",
            )
            if label is not None:
                label.taken = True
        open_lines.clear()

    for line in lines:
        if line.kind == "text":
            if not open_lines and min(line.start, indent(line.text)) < in_item and line.offset not in steps:
                in_item = -1
            left = before == "blank" and label is not None and label.taken and label.start < 0
            if label is not None and (line.start <= label.start or left):
                label = None
            open_lines.append(line)
            before = line.kind
            if line.alone:
                yield from close()
            continue
        before = line.kind
        yield from close()
        if line.kind == "item":
            if label is not None and line.start <= label.start:
                label = None
            label = line if line.title else label
            in_item = line.start
            open_lines.append(line)
            if line.alone:
                yield from close()
        elif line.kind in ("heading", "end"):
            while path and path[-1][0] >= line.level:
                path.pop()
            path += [(line.level, _plain(line.title, format))] if line.kind == "heading" else []
            label, in_item = None, -1
        elif line.kind == "label":
            label, in_item = line, -1
    yield from close()


def _with_answers(whole: str, blocks: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """``blocks``, the questions of an interview in one with their answers; so are those of a note that asks several."""
    asked = {
        at for at in range(len(blocks) - 1) if len(whole) <= BRIEF and _is_lone_question(whole, *blocks[at : at + 2])
    }
    turns = [_TURN.match(whole, block.start, block.end) for block in blocks]
    times = Counter(turn["who"] for turn in turns if turn)
    speaking = {who for who, often in times.items() if often > 1} | {"Q", "A", "Question", "Answer"}
    at = 0
    while at < len(blocks):
        asks, answers = turns[at], turns[at + 1] if at + 1 < len(blocks) else None
        are_two = asks and answers and {asks["who"], answers["who"]} <= speaking and asks["who"] != answers["who"]
        if (are_two and _is_answered(whole, *blocks[at : at + 2])) or (len(asked) > 1 and at in asked):
            yield replace(blocks[at], end=blocks[at + 1].end, answer=blocks[at + 1].start)
            at += 2
        else:
            yield blocks[at]
            at += 1


def _is_lone_question(whole: str, one: TextBlock, other: TextBlock) -> bool:
    """True for a short paragraph that only asks, above one that asks nothing."""
    question, behind = whole[one.start : one.end].strip(), whole[other.start : other.end].rstrip("*_ \n")
    is_lone = len(question) <= _LONGEST_QUESTION and re.search(r"[.!?] ", question) is None
    return is_lone and not behind.endswith("?") and _is_answered(whole, one, other)


def _is_answered(whole: str, one: TextBlock, other: TextBlock) -> bool:
    """True for two paragraphs of one section that nothing parts, the first of them a question."""
    gap = whole[one.end : other.start].strip()
    is_next = not gap or ((sent := chat.SENT.match(f"{gap} x")) is not None and sent.end() == len(gap) + 1)
    near = one.path == other.path and one.kind == other.kind == "paragraph" and is_next
    return near and _ASKED.search(whole[one.start : one.end]) is not None


def _steps_at_the_margin(lines: Sequence[TextLine]) -> frozenset[int]:
    """The offsets of the paragraphs that say what the colons of numbered items announce: ``1. If ...:``, words at the
    margin, ``2. If ...:``, words.
    """
    found: list[list[int]] = []
    number, is_announced = 0, False
    for line, above in zip(lines, (None, *lines), strict=False):
        if line.kind == "item":
            count = _COUNTED.match(line.text)
            number = number + 1 if count and int(count[1]) == number + 1 else 0
            found += [[]] if number == 1 else []
        elif line.kind == "heading":
            number = 0
        if line.kind in ("item", "text"):
            begins = line.kind == "text" and above is not None and above.kind == "blank"
            if number and begins and is_announced:
                found[-1].append(line.offset)
            is_announced = line.text.rstrip().endswith((":", "："))
    return frozenset(offset for run in found if len(run) >= _LEAST_NUMBERED for offset in run)


def _plain(title: str, format: str) -> str:
    return inline.read_inline(title, format).plain.rstrip(": ")
