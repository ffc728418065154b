"""The claims of a plainly written page, without a whole markdown parse: of ten thousand pages nearly all are such.

Plain are headings, paragraphs, flat lists and footnotes, a line each or wrapped. Whatever could be anything else (code,
HTML, tables, quotes, nesting, escapes, rules) is not read here: then ``read`` gives None, and markdown has the word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curator import editing
from curator.markdown import Outline, code_spans

_NEVER = ("\\", "\r", "\t", "\x0b", "\x0c", "\xa0", "<!", "</", "<?")
"""Escapes, HTML, and white space that may mean something."""
_HTML = re.compile(r"<[A-Za-z]")
_OPEN_LABEL = re.compile(r"\[\^[^\]\n]*[ \n]")
_RULE = re.compile(r"(?:[-*_:|=][ ]*){2,}$|[=-]+[ ]*$|[-*+][ ]{2,}|\d+[.)](?:[ ]{2,}|[ ]*$)|\[(?!\^)[^\]\n]*\]:|[-*+]$")
_NOTE = re.compile(r"\[\^([^\]\s]+)\]:[ ]*(.*)")
_ITEM = re.compile(r"(?:[-*+]|(\d+)[.)]) (?=\S)")
_HEADING = re.compile(r"#{1,6}(?: |$)")
_LABEL = re.compile(r"\[\^([^\]\s]+)\]")
_LINKS = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()]*\)|\[\^[^\]\s]+\]")
_MARKER = frozenset("-*+_:|=[#0123456789")
_HARD = frozenset(" `~>|")
_LONGEST_LEAD, _LONGEST_BULLET = 24, 12


@dataclass(frozen=True)
class Said:
    """A paragraph, list item or table row; ``line`` counts in the body."""

    line: int
    text: str
    labels: tuple[str, ...]
    leads: bool
    """True when it states nothing and only leads to other pages."""


@dataclass(frozen=True)
class Note:
    """A footnote's definition: what stands behind ``[^label]:``."""

    line: int
    label: str
    text: str


@dataclass(frozen=True)
class Reading:
    """What a body says, and what it rests on."""

    said: tuple[Said, ...]
    notes: tuple[Note, ...]


def read(body: str) -> Reading | None:
    """The body's claims and footnotes; None for a body that is not plain."""
    if any(mark in body for mark in _NEVER) or ("<" in body and _HTML.search(body)):
        return None
    if "[^" in body and (_OPEN_LABEL.search(body) or any("[^" in body[a:b] for a, b in code_spans(body))):
        return None
    said: list[Said] = []
    notes: list[Note] = []
    last = ""  # what the line before was: text, item, number, note, or nothing
    for number, line in enumerate(body.split("\n"), start=1):
        first = line[:1]
        kind = _kind(line) if first in _MARKER else ("" if not line or line.isspace() else "text")
        if kind is None or (first in _HARD and kind):
            return None
        if kind == "note":
            note = _NOTE.match(line)
            if note is None:
                return None
            notes.append(Note(number, note[1], note[2]))
        elif kind in ("item", "number") or (kind == "text" and last in ("", "heading")):
            if kind == "number" and last in ("text", "item"):
                return None  # it may or may not begin a list
            said.append(Said(number, line, (), False))
        elif kind == "text":
            if last == "note":
                return None
            said[-1] = Said(said[-1].line, f"{said[-1].text} {line}", (), False)
            kind = last
        last = kind
    return Reading(tuple(map(_finished, said)), tuple(notes))


def _kind(line: str) -> str | None:
    """What a line that may begin with a marker is; None for what is not plain."""
    if _RULE.match(line):
        return None
    if _HEADING.match(line):
        return "heading"
    if line.startswith("[^"):
        return "note" if _NOTE.match(line) else "text"
    item = _ITEM.match(line)
    return "text" if item is None else "item" if item[1] is None else "number"


def _finished(said: Said) -> Said:
    text = said.text
    at = text.find("[")
    labels = tuple(_LABEL.findall(text)) if at >= 0 and "[^" in text else ()
    # So many words before the first link are no lead-in, whatever their marker: most claims begin so.
    leads = (at if at >= 0 else len(text)) <= _LONGEST_BULLET + _LONGEST_LEAD and _leads(text)
    return Said(said.line, text, labels, leads)


def _leads(text: str) -> bool:
    rest = _LINKS.sub(" ", _ITEM.sub("", text, count=1))
    return len(rest.strip()) <= _LONGEST_LEAD and editing.is_lead_in(rest)


def of_outline(body: str, outline: Outline) -> Reading:
    """The same, as markdown reads the body."""
    said, notes = [], []
    for block in outline.blocks:
        if block.kind == "note":
            text = " ".join(body[block.start : block.end].partition("]:")[2].split())
            notes.append(Note(block.line, block.info, text))
        elif block.kind in editing.CLAIMS:
            said.append(Said(block.line, block.text, block.citations, editing.is_navigation(block)))
    return Reading(tuple(said), tuple(notes))
