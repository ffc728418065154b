"""The claims of a plainly written page, without a whole markdown parse: of ten thousand pages nearly all are such.

Plain are headings, paragraphs, flat lists and footnotes, a line each or wrapped. Whatever could be anything else (code,
HTML, tables, quotes, nesting, escapes, rules) is not read here: then ``read_body`` gives None, and markdown has the word.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from curator.wiki.pages import editing, footnote_edits
from curator.wiki.pages.citation import ANCHOR, MARK, Citation
from curator.wiki.pages.inline import code_spans
from curator.wiki.pages.markdown import Outline

_NEVER = ("\\", "\r", "\t", "\x0b", "\x0c", "\xa0")
"""Escapes, and white space that may mean something."""
_HTML = re.compile(r"<[A-Za-z!/?]")
_OPEN_LABEL = re.compile(r"\[\^(?:(?!\[\^)[^\]\n])*[ \n]")
_RULE = re.compile(r"(?:[-*_:|=][ ]*){2,}$|[=-]+[ ]*$|[-*+][ ]{2,}|\d+[.)](?:[ ]{2,}|[ ]*$)|\[(?!\^)[^\]\n]*\]:|[-*+]$")
_NOTE = re.compile(r"\[\^([^\[\]\s]+)\]:[ ]*+(.*)")
_CITATION = re.compile(rf"\[\^([^\[\]\s]+)\]:[ ]*((sources/[^\s#%]*)#({ANCHOR}) \"(.*)\")\Z")
"""A footnote that cites, in a body where nothing is escaped."""
_ITEM = re.compile(r"(?:[-*+]|(?<!\d)(\d+)[.)]) (?=\S)")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_MARK = re.compile(r" ?\[\^[^\[\]\s]+\]")
_SEPARATORS = ("\x1c", "\x1d", "\x1e", "\x1f")
"""The other white space of ASCII."""
_LINKS = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()]*\)|\[\^[^\[\]\s]+\]")
_MARKER = frozenset("-*+_:|=[#0123456789")
_HARD = frozenset(" `~>|")
_LONGEST_LEAD, _LONGEST_BULLET = 24, 12


class ClaimBlock(NamedTuple):
    """A paragraph, list item or table row; ``line`` counts in the body."""

    line: int
    text: str
    bare: str
    """The text without its marks of citation."""
    labels: tuple[str, ...]
    leads: bool
    """True when it states nothing and only leads to other pages."""


class FootnoteDefinition(NamedTuple):
    """A footnote's definition: what stands behind ``[^label]:``."""

    line: int
    label: str
    text: str
    citation: Citation | None
    below: str = ""
    """What stands right below the citation and is read as a part of the footnote."""


class BodyReading(NamedTuple):
    """What a body says, and what it rests on."""

    said: tuple[ClaimBlock, ...]
    notes: tuple[FootnoteDefinition, ...]


def read_body(body: str) -> BodyReading | None:
    """The body's claims and footnotes; None for a body that is not plain."""
    if any(map(body.__contains__, _NEVER)) or ("<" in body and _HTML.search(body)):
        return None
    if "[^" in body and (_OPEN_LABEL.search(body) or ("`" in body and _is_in_code(body))):
        return None
    is_even = _is_even(body)
    said: list[tuple[int, str]] = []
    notes: list[FootnoteDefinition] = []
    last = ""  # what the line before was: text, item, number, note, or nothing
    for number, line in enumerate(body.split("\n"), start=1):
        first = line[:1]
        if first.isalpha():
            kind = "text"
        elif not first:
            last = ""
            continue
        elif first == "[" and (note := _note(number, line, is_even)) is not None:
            notes.append(note)
            last = "note"
            continue
        elif first == "-" and line[1:2] == " " and line[2:3].isalnum():
            kind = "item"
        else:
            marked = _kind(line) if first in _MARKER else ("" if line.isspace() else "text")
            if marked is None or (first in _HARD and marked):
                return None
            kind = marked
        if kind in ("item", "number") or (kind == "text" and last in ("", "heading")):
            if kind == "number" and last in ("text", "item"):
                return None  # it may or may not begin a list
            said.append((number, line))
        elif kind == "text":
            if last == "note":
                return None
            said[-1] = (said[-1][0], f"{said[-1][1]} {line}")
            kind = last
        last = kind
    return BodyReading(tuple([_said(number, text, is_even) for number, text in said]), tuple(notes))


def _is_in_code(body: str) -> bool:
    """True when some mark of a citation stands between backticks."""
    return any("[^" in body[start:end] for start, end in code_spans(body))


def _is_even(body: str) -> bool:
    """True when no other white space is in a plain body than line breaks and single spaces between words."""
    if "  " in body or " \n" in body or body[-1:] == " ":
        return False
    return not any(map(body.__contains__, _SEPARATORS)) if body.isascii() else body.replace("\n", "").isprintable()


def _note(number: int, line: str, is_even: bool) -> FootnoteDefinition | None:
    """The footnote that a line defines, if it does; with what ``Citation.parse`` gives for it."""
    match = _CITATION.match(line) if is_even else None
    if match is not None:
        label, text, path, anchor, quote = match.groups()
        return FootnoteDefinition(number, label, text, Citation(path, anchor, quote))
    match = _NOTE.match(line)
    return FootnoteDefinition(number, match[1], match[2], Citation.parse(match[2])) if match is not None else None


def _kind(line: str) -> str | None:
    """What a line that may begin with a marker is; None for what is not plain."""
    if line.startswith("[^"):
        return "text"
    if _RULE.match(line):
        return None
    if _HEADING.match(line):
        return "heading"
    item = _ITEM.match(line)
    return "text" if item is None else "item" if item[1] is None else "number"


def _said(line: int, text: str, is_even: bool) -> ClaimBlock:
    bare, mark, rest = text.rpartition(" [^")
    if is_even and mark and rest[-1:] == "]" and rest.find("]") == len(rest) - 1 > 0 and "[^" not in bare:
        labels = (rest[:-1],)  # most claims have one mark, at the end
    else:
        text = " ".join(text.split())
        labels = tuple(MARK.findall(text))
        bare = _MARK.sub("", text) if labels else text
    at = text.find("[")
    # So many words before the first link are no lead-in, whatever their marker: most claims begin so.
    leads = (at if at >= 0 else len(text)) <= _LONGEST_BULLET + _LONGEST_LEAD and _leads(text)
    return ClaimBlock(line, text, bare, labels, leads)


def _leads(text: str) -> bool:
    rest = _LINKS.sub(" ", _ITEM.sub("", text, count=1))
    return len(rest.strip()) <= _LONGEST_LEAD and editing.is_lead_in(rest)


def of_outline(body: str, outline: Outline) -> BodyReading:
    """The same, as markdown reads the body."""
    said, notes = [], []
    for block in outline.blocks:
        if block.kind == "note":
            end = footnote_edits.citation_end(body, block)
            text, below = body[block.start : end].partition("]:")[2], " ".join(body[end : block.end].split())
            said_of = " ".join(text.split()), Citation.parse(text)
            notes.append(FootnoteDefinition(block.line, block.info, *said_of, below))
        elif block.kind in editing.CLAIMS:
            text = " ".join(block.text.split())
            said.append(
                ClaimBlock(block.line, text, _MARK.sub("", text), block.citations, editing.is_navigation(block))
            )
    return BodyReading(tuple(said), tuple(notes))
