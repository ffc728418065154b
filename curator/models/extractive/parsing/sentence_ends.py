"""Where the sentences of a block end: a full stop does it where what follows can begin one, and no abbreviation, initial or
ordinal stands before it. Code is not looked into.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest

from curator.models.extractive.parsing.lexicon import ABBREVIATIONS, AUXILIARIES, VERBS
from curator.models.extractive.parsing.line import BRIEF, TextBlock

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STOP = re.compile(
    r"(?<=[.!?])(?P<ended>[\"'”’»)\]*_`~]*)(?:[ \t]*\n[ \t]*(?:>[ \t]?)+|\s+)(?=\S)|(?<=[。！？])(?P<done>[」』”’）)]*)"
)
"""A stop, with the marks that close behind it, and the gap: white space, with the marks of a quote in it."""
_BEGINS = re.compile(r"[\"'“‘„«(\[*_:`]*[A-Z0-9©À-ÞĀ-Ž\u0400-\u042f]|[\"'“‘(\[*_:]*(?:\w{1,40}:)?`")
_NEAR = 200
"""Characters on either side of a full stop that are looked at: with the whole paragraph each stop would cost as much."""
_MASKED = re.compile(r"``.+?``|`[^`]+`|https?://\S+", re.DOTALL)
_MONTHS = re.compile(
    r"(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|jahr|januar|century|jh)", re.IGNORECASE
)
_MONTH = re.compile(r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz])")
_BEFORE_NUMBER = re.compile(
    r"(?:[Tt]el|[Rr]ef|[Ff]ax|[Aa]pt|[Dd]ef|[Tt]hm|[Ll]em|[Cc]or|[Ee]x|[Rr]em|[Aa]bs|[Aa]bb|[Kk]ap|[Tt]ab|[Aa]nm|Mo|Di|Mi|Do|Sa|So"
    r"|\w{0,30}[Ss]tr|Mon|Tues?|Wed|Thu|Thurs|Sat|Sun|Rm|Bldg)"
)
"""What is short before a number: ``Tel. 0131``, ``Sa. 7-20``."""
_ORDINAL = frozenset(
    "am der die das den dem des jeden jeder jedes jede im vom zum zur bis ab seit beim ein eine einen".split()
)
"""German words that a number with a stop goes on from: ``jeden 1. Mittwoch``."""
_PART = re.compile(r"(?:Kapitel|Abschnitt|Teil|Anhang|Chapitre|Partie|Capítulo|Chapter|Section|Part|Appendix)")
_ASKED = re.compile(r"\?[*_\"'”’)]*\Z")
_MARKED_QUESTION = re.compile(r"[*_]|(?:Q|Question)[:.)] ")
_LEAST_OF_ITEM = 4
"""Words of what says something by itself."""
_SUBJECTLESS = VERBS | AUXILIARIES | set("it its they their them by only not no for from use see ask do".split())
_HEADED = re.compile(r"(\*\*|__)[^*_\n]{2,60}\1(?: \([^()]*\))? ?[:–—-] ?|(\*\*|__)[^*_\n]{2,60}:\2 ")
"""A name in bold that a paragraph begins with, and what sets it apart: ``**Drone**: male bee.``"""
_RUN_IN = re.compile(r"(\*\*|__)[^*_\n]{2,60}[.:]\1")
"""A heading in bold in the line of its paragraph: ``**Recap.** Last week ...``"""
_BUT = re.compile(r"(?:But|However|Yet|Aber|Mais|Pero):\s*")
"""What leads to a list, and says nothing without the words before it."""
_WIDEST = 80
"""Characters of a line that was filled up."""


def sentence_spans(whole: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    """The offsets of the sentences of ``block`` in ``whole``.

    A question that is marked as one, begins an item, or stands in a note is one with its answer: ``**Why?** For fun.`` So
    is all that is asked in an interview. The few words that an item begins with are one with what is said of them: ``XML
    import. Use the converter.``
    """
    is_headed = _HEADED.match(whole, block.start) is not None
    begins = block.kind == "item" or block.label or is_headed
    spans, is_note = [*_cut(whole, block)], len(whole) <= BRIEF
    start = -1
    for number, (span, behind) in enumerate(zip_longest(spans, spans[1:])):
        start = span[0] if start < 0 else start
        words = whole[start : span[1]]
        is_first = begins and not number
        is_asked = _ASKED.search(words) and (is_first or is_note or _MARKED_QUESTION.match(words))
        is_piece = is_first and len(WORD.findall(words)) < _LEAST_OF_ITEM
        leans = behind is not None and is_piece and (is_headed or _leans_on_a_name(whole[slice(*behind)]))
        leans = leans or (behind is not None and _BUT.fullmatch(whole, *behind) is not None)
        leans = leans or (not number and _RUN_IN.fullmatch(words) is not None)
        is_question = span[0] < block.answer
        if behind is not None and (is_asked or leans or is_question):
            continue
        yield start, span[1]
        start = -1


def _leans_on_a_name(text: str) -> bool:
    """True for what has no subject of its own: ``Use the converter.``"""
    first = WORD.search(text)
    word = first[0].casefold() if first else ""
    return word in _SUBJECTLESS


def _cut(whole: str, block: TextBlock) -> Iterator[tuple[int, int]]:
    """Where a stop ends a sentence."""
    raw = whole[block.start : block.end]
    masked = _MASKED.sub(lambda match: match[0][0] + "x" * (len(match[0]) - 2) + match[0][-1], raw)
    start = 0
    for stop in _STOP.finditer(masked):
        before = masked[max(start, stop.start() - _NEAR) : stop.start()]
        if stop.end() < len(masked) and not _ends(before, masked[stop.end() : stop.end() + _NEAR]):
            continue
        end = max(stop.end("ended"), stop.end("done"))
        if raw[start:end].strip():
            yield block.start + start, block.start + end
        start = stop.end()
    if raw[start:].strip():
        yield block.start + start, block.end


def _ends(before: str, after: str) -> bool:
    """True when a sentence ends between ``before``, which ends with its stop, and ``after``."""
    if before[-1:] in "。！？":
        return True
    last = before.split()[-1:] if not before[-1:].isspace() else []
    word = last[0].lstrip("(\"'“‘[*") if last else ""
    bare = word.rstrip(".!?").casefold()
    if word.endswith("."):
        if bare == "etc" and after[:1].isupper():
            return True
        if bare in ABBREVIATIONS or re.fullmatch(r"[A-Za-zÀ-ž]", bare) or word.endswith(".."):
            return False
        is_short = _MONTH.fullmatch(bare) or _BEFORE_NUMBER.fullmatch(re.split(r"[-–—/]", word)[-1].rstrip("."))
        if is_short and after[:1].isdigit():
            return False
        ahead = before[: -len(word)].split()[-1:]
        is_led = not ahead or _PART.fullmatch(ahead[0]) or ahead[0].casefold() in _ORDINAL
        if re.fullmatch(r"[a-z]?\d{1,2}", bare) and (is_led or _MONTHS.match(after)):
            return False
    if _BEGINS.match(after):
        return True
    if before[-1:] != "." or before.count("(") > before.count(")"):
        return False
    return re.fullmatch(r"[^\W\d_]{3,}", bare) is not None and after[:1].isalpha()


def is_of_lines(text: str) -> bool:
    """True for a note, whose lines end where its author ended them: they were not filled up."""
    lines = [line.strip() for line in text.split("\n")]
    width = max((len(line) for line in lines if len(line) <= _WIDEST), default=0)
    early = sum(len(line) + 1 + len(below.split(" ")[0]) <= width for line, below in pairwise(lines))
    return len(lines) > 1 and early * 2 >= len(lines) - 1
