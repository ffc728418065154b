"""Reads the lines of a letter in plain text that answers others: what it quotes stands under who wrote it, and when.

``On Mon, 13 Jan 2025, Tom Becker wrote:`` is the heading of what stands behind ``>`` below it, up to where fewer of these
marks stand. Signatures are no text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from curator.models.extractive.parsing.grammars import GRAMMARS
from curator.models.extractive.parsing.line import TextLine
from curator.models.extractive.parsing.markup import MarkupReader

_MARKS = re.compile(r"\A(?:> ?)+(?!>)")
_WROTE = re.compile(
    r"(?:On|Am|Le|El)\b.{0,160}\b\d{1,2}\b.{0,160}\b(?:wrote|schrieb|écrit|escribió)\b.{0,60}:|"
    r"-{2,} ?(?:Original|Forwarded) [Mm]essage ?-{2,}"
)
_ADDRESS = re.compile(r"\s?<[^<>\s]{3,80}>|\s?\[mailto:[^\]\s]{3,80}\]")
_SIGNATURE = re.compile(r"-- ?\Z")
_LEVEL = 2
"""Of the letter itself; what it quotes stands below that."""
_MOST_SIGNED = 8


def letters_quoted(raw: Sequence[tuple[int, str]]) -> dict[int, int]:
    """How many lines say who wrote what ``raw`` quotes below them, by the number of the first; empty for no letter."""
    lines = [line for _, line in raw]
    if not any(line.startswith(">") for line in lines):
        return {}
    return {at: count for at, line in enumerate(lines) if line.strip() and (count := _wrote(lines, at))}


def read_lines(raw: Sequence[tuple[int, str]], letters: Mapping[int, int]) -> Iterator[TextLine]:
    """Every line of ``raw`` (offset and text), classified; ``letters``: those that it quotes."""
    return iter(_MailReader(raw, letters).read())


def _wrote(lines: Sequence[str], at: int) -> int:
    """How many lines say who wrote what is quoted below them: one or two, or none."""
    for count in (1, 2):
        said = " ".join(_bare(line) for line in lines[at : at + count])
        if _WROTE.fullmatch(said.strip()) and _depth(_below(lines, at + count)) >= max(1, _depth(lines[at])):
            return count
    return 0


def _below(lines: Sequence[str], at: int) -> str:
    """The line ``at``, or the one behind it where that is blank."""
    return next((line for line in lines[at : at + 2] if line.strip()), "")


def _depth(line: str) -> int:
    """How many letters back it was written."""
    marks = _MARKS.match(line)
    return marks[0].count(">") if marks else 0


def _bare(line: str) -> str:
    return _MARKS.sub("", line).strip()


class _MailReader(MarkupReader):
    def __init__(self, raw: Sequence[tuple[int, str]], letters: Mapping[int, int]) -> None:
        super().__init__(raw, replace(GRAMMARS["text"], quote=_MARKS), "text")
        self.letters = letters
        self.lines = [line for _, line in raw]
        self.depth = 0

    def _step(self, at: int) -> int:
        text = self._text(at)
        if at in self.letters:
            return self._put_letter(at, self.letters[at])
        if _bare(text) and (depth := _depth(text)) < self.depth:
            self.found.append(TextLine("end", self.raw[at][0], "", level=_LEVEL + depth + 1))
            self.depth = depth
        if _SIGNATURE.fullmatch(_bare(text)):
            end = at + 1
            while end < min(at + _MOST_SIGNED, len(self.raw)) and _bare(self._text(end)):
                end += 1
            for line in range(at, end):
                self._put(line, "skip")
            return end
        return super()._step(at)

    def _put_letter(self, at: int, count: int) -> int:
        self.depth = _depth(_below(self.lines, at + count))
        said = " ".join(_bare(line) for line in self.lines[at : at + count])
        title = _ADDRESS.sub("", said).strip("-: ")
        return self._put_heading(at, count, _LEVEL + self.depth, title)
