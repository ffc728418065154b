"""Texts cut into passages that full text can rank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WINDOW, _OVERLAP = 120, 20
_FULL, _LONG = 90, 180
"""Words from which a passage is not added to, and above which a paragraph is cut."""
_RULE = re.compile(r"([=\-~^'\"`+#*.:_])\1{2,}\s*$")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class TextPassage:
    """A piece of a document, with the headings above it; ``head`` is empty where those are left aside."""

    document: str
    head: str
    text: str

    @property
    def shown(self) -> str:
        return f"{self.head}\n{self.text}" if self.head else self.text


def windows(document: str, text: str) -> Iterator[TextPassage]:
    """Windows of so many words of the raw text, as plain retrieval cuts them: nobody looks what stands where."""
    words = text.split()
    for start in range(0, max(1, len(words) - _OVERLAP), _WINDOW - _OVERLAP):
        yield TextPassage(document, "", " ".join(words[start : start + _WINDOW]))


def titled(document: str, title: str, text: str) -> Iterator[TextPassage]:
    """Paragraphs that keep the title of their document and their headings; short neighbours go together."""
    for head, paragraphs in _sections(title, text):
        piece: list[str] = []
        for paragraph in (part for each in paragraphs for part in _parts(each)):
            if piece and _words(piece) + len(paragraph.split()) > _LONG:
                yield TextPassage(document, head, "\n\n".join(piece))
                piece = []
            piece.append(paragraph)
            if _words(piece) >= _FULL:
                yield TextPassage(document, head, "\n\n".join(piece))
                piece = []
        if piece:
            yield TextPassage(document, head, "\n\n".join(piece))


def title_of(text: str) -> str:
    """The title that a document gives itself; empty where it has none."""
    for pattern in (r"^Title:[ \t]*(.+)$", r"^#[ \t]+(.+)$"):
        if found := re.search(pattern, text, re.MULTILINE):
            return found[1].strip().strip("\"'")
    lines = text.lstrip().split("\n", 2)
    return lines[0].strip() if len(lines) > 1 and _RULE.match(lines[1]) else ""


def _words(piece: list[str]) -> int:
    return sum(len(each.split()) for each in piece)


def _sections(title: str, text: str) -> Iterator[tuple[str, list[str]]]:
    """The headings above each run of paragraphs, and these."""
    heads: list[tuple[str, str]] = []
    found: list[str] = []
    for block in _BLANK.split(text):
        heading, rest = _heading(block)
        if heading:
            if found:
                yield _head(title, heads), found
                found = []
            level, name = heading
            known = [at for at, (other, _) in enumerate(heads) if other == level]
            heads = [*heads[: known[0] if known else len(heads)], (level, name)]
        if rest.strip():
            found.append(rest.strip("\n"))
    if found:
        yield _head(title, heads), found


def _head(title: str, heads: list[tuple[str, str]]) -> str:
    return " > ".join(dict.fromkeys(each for each in (title, *(name for _, name in heads)) if each))


def _heading(block: str) -> tuple[tuple[str, str] | None, str]:
    """The level and the text of the heading that ``block`` begins with, and the rest of it."""
    lines = block.strip("\n").split("\n")
    if marked := re.match(r"(#{1,6})[ \t]+(.+)", lines[0]):
        return (marked[1], marked[2].strip()), "\n".join(lines[1:])
    if len(lines) > 2 and _RULE.match(lines[0]) and _RULE.match(lines[2]):
        return (lines[0][0] * 2, lines[1].strip()), "\n".join(lines[3:])
    if len(lines) > 1 and _RULE.match(lines[1]) and not lines[0].startswith((" ", "-", "*", "|")):
        return (lines[1][0], lines[0].strip()), "\n".join(lines[2:])
    return None, block


def _parts(paragraph: str) -> Iterator[str]:
    """``paragraph``, cut at its sentences where it is too long."""
    if len(paragraph.split()) <= _LONG:
        yield paragraph
        return
    piece = ""
    for sentence in _SENTENCE.split(paragraph):
        if piece and len(f"{piece} {sentence}".split()) > _FULL:
            yield piece
            piece = ""
        piece = f"{piece} {sentence}" if piece else sentence
    if piece:
        yield piece
