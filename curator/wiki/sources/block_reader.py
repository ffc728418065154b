"""Reads the lines of a source as blocks: headings, paragraphs, list items, table rows, code, the fields of its head.

It goes by what the lines look like and so reads Markdown, reStructuredText and plain text alike; nothing is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from curator.wiki.sources.chat import SENT, is_chat

Kind = Literal["heading", "paragraph", "item", "row", "code", "field"]

_FIELD = re.compile(r":?([A-Za-z][\w -]{0,30}):(?:\s+\S|\s*$)")
_TOML_FIELD = re.compile(r"[\w.-]{1,200}+\s*=\s*\S")
_ITEM = re.compile(r"\s*(?:[-*+•‣]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|#\.)\s+(?=\S)")
_NUMBER = re.compile(r"\s*(\d{1,3})[.)]\s")
_RULE = re.compile(r"\s*([=\-~^\"'#*+.:`_])\1{2,}\s*$")
_ATX = re.compile(r"\s{0,3}(#{1,6})\s+\S")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ROW_RULE = re.compile(r"\s*+(?:\+[-=+:]{3,}\+?\s*+$|(?=[\s:|-]*?-{3})[\s:|-]++$|={2,}(?:\s++={2,})+\s*+$)")
_CODE_DIRECTIVE = re.compile(r"\s*\.\. (?:code|code-block|sourcecode|literalinclude|parsed-literal|testcode|doctest)::")
_DIRECTIVE = re.compile(r"\s*\.\. [\w:-]+::\s*")
_OUTLINE = re.compile(r"(\*{1,6})\s\S")
_CAPITALS = re.compile(r"(?:[A-Z]?\d{1,2}\. )?[A-Z][A-Z0-9 ,/&'()-]*[A-Z)]\s*$")
_BOLD = re.compile(r"\s{0,3}(\*\*|__)[^*_]{1,80}\1:?\s*$")
_PARAGRAPH_END = re.compile(r"[.;,:!?]\s*$")
_NUMBERED = re.compile(r"(?:(?:article|section|chapter|part|title|appendix|annex|§)\b|§).{0,60}$", re.IGNORECASE)
_LONGEST_HEADING = 80
_LONGEST_BLOCK = 4_000
"""Characters of a block; a longer one is parted where a sentence ends, so that no claim is compared with a book."""


@dataclass(frozen=True)
class SourceBlock:
    """One piece of a source, as offsets of ``document.text``."""

    kind: Kind
    start: int
    end: int
    indent: int
    headings: tuple[int, ...] = ()
    """The places in ``Layout.blocks`` of the headings it stands under, outermost first."""


class BlockReader:
    """One walk over the lines of a source."""

    def __init__(self, lines: list[str], is_marked: bool) -> None:
        self.lines = lines
        self.is_marked = is_marked
        """A reader has put marks before headings and items, and parted what stands in blocks of its own."""
        self.offsets = [0]
        for line in lines[:-1]:
            self.offsets.append(self.offsets[-1] + len(line) + 1)
        self.blocks: list[SourceBlock] = []
        self.levels: list[str] = []
        self.path: list[tuple[int, int]] = []
        underlined = any(
            _RULE.match(rule) and line[:1].strip() and abs(len(line.rstrip()) - len(rule.rstrip())) < 2
            for line, rule in pairwise(lines)
        )
        self.outlined = not underlined and any(line.startswith("** ") for line in lines)
        """Stars mark headings by their number; where headings are underlined, they mark items."""
        self.is_chat = is_chat(lines)
        self.plain = not underlined and not any(_ATX.match(line) for line in lines)
        """No headings are marked as such."""

    def read(self) -> list[SourceBlock]:
        at = 0 if self.is_marked else self._head()
        while at < len(self.lines):
            at = self._step(at)
        return self.blocks

    def _step(self, at: int) -> int:
        line = self.lines[at]
        if not line.strip():
            return at + 1
        if fence := _FENCE.match(line):
            return self._code(at, self._until_fence(at, fence[1]))
        if (after := self._heading(at)) > at:
            return after
        if self.is_marked:
            return self._marked(at)
        if _ROW_RULE.match(line) or (line.lstrip().startswith("|") and line.count("|") > 1):
            return self._table(at)
        if _RULE.match(line):
            return at + 1
        if _CODE_DIRECTIVE.match(line):
            return self._code(at + 1, self._indented_below(at))
        if line.lstrip().startswith(">>> "):
            return self._code(at, self._paragraph_end(at))
        return self._prose(at)

    def _marked(self, at: int) -> int:
        """A paragraph, item or row of a text whose blocks are marked."""
        line = self.lines[at]
        self._put("row" if " | " in line else "item" if _ITEM.match(line) else "paragraph", at, at + 1)
        return at + 1

    def _head(self) -> int:
        """The fields before the first blank line; of a Markdown file those between two ``---`` (YAML) or ``+++`` (TOML)."""
        mark = self.lines[0].strip()
        at = 1 if mark in ("---", "+++") else 0
        field = _TOML_FIELD if mark == "+++" else _FIELD
        if not (at < len(self.lines) and field.match(self.lines[at])):
            return 0
        while at < len(self.lines) and self.lines[at].strip() and self.lines[at].strip() not in ("---", "+++"):
            stop = at + 1
            while stop < len(self.lines) and self.lines[stop][:1] in (" ", "\t") and self.lines[stop].strip():
                stop += 1
            self._put("field", at, stop)
            at = stop
        return at + 1

    def _heading(self, at: int) -> int:
        """The line behind the heading that begins at ``at``, or ``at``."""
        line, below, after = [*self.lines[at : at + 3], "", ""][:3]
        if atx := _ATX.match(line):
            return self._put_heading(at, at + 1, len(atx[1]))
        if self.is_marked:
            return at
        if (rule := _RULE.match(line)) and below.strip() and _RULE.match(after) and after.strip() == line.strip():
            return self._put_heading(at + 1, at + 2, self._level(rule[1] * 2)) + 1
        if self.outlined and (stars := _OUTLINE.match(line)):
            return self._put_heading(at, at + 1, len(stars[1]))
        if self._is_bare_heading(at):
            mark = "bold" if _BOLD.match(line) else "capitals" if _CAPITALS.match(line) else _first_word(line)
            return self._put_heading(at, at + 1, self._level(mark) + (6 if mark == "bold" else 0))
        if line[:1].isspace() or _ITEM.match(line) or _RULE.match(line):
            return at
        if (rule := _RULE.match(below)) and len(below.rstrip()) + 2 >= len(line.rstrip()):
            return self._put_heading(at, at + 1, self._level(rule[1])) + 1
        return at

    def _is_bare_heading(self, at: int) -> bool:
        """True for a bold line by itself, and, where no headings are marked, for a short line that ends no sentence."""
        line = self.lines[at]
        before = self.lines[at - 1].strip() if at else ""
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        if before or len(line) > _LONGEST_HEADING:
            return False
        if _BOLD.match(line):
            return not below.strip()
        if not self.plain or line[:1].isspace() or _RULE.match(line):
            return False
        if _CAPITALS.match(line):
            return not below.strip() or below[:1].isspace()
        if below.strip() or not line[:1].isalnum() or "|" in line:
            return False
        return bool(_NUMBERED.match(line)) or (line[:1].isupper() and not _PARAGRAPH_END.search(line))

    def _level(self, mark: str) -> int:
        if mark not in self.levels:
            self.levels.append(mark)
        return self.levels.index(mark) + 1

    def _put_heading(self, at: int, stop: int, level: int) -> int:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self._put("heading", at, stop)
        self.path.append((level, len(self.blocks) - 1))
        return stop

    def _table(self, at: int) -> int:
        stop = self._paragraph_end(at)
        for row in range(at, stop):
            if not _ROW_RULE.match(self.lines[row]):
                self._put("row", row, row + 1)
        return stop

    def _prose(self, at: int) -> int:
        directive = _DIRECTIVE.match(self.lines[at])
        if directive and not self.lines[at][directive.end() :].strip():
            return at + 1
        kind: Kind = "item" if _ITEM.match(self.lines[at]) else "paragraph"
        stop = at + 1
        while stop < len(self.lines) and self.lines[stop].strip():
            if self._begins_block(stop) and not (kind == "paragraph" and self._goes_on(stop)):
                break
            stop += 1
        self._put(kind, at, stop)
        if not self.lines[stop - 1].rstrip().endswith("::"):
            return stop
        return self._code(stop, self._indented_below(stop - 1, _indent(self.lines[at])))

    def _begins_block(self, at: int) -> bool:
        line = self.lines[at]
        return bool(
            _ITEM.match(line)
            or _FENCE.match(line)
            or _ATX.match(line)
            or (self.is_chat and SENT.match(line))
            or line.lstrip().startswith("| ")
        )

    def _goes_on(self, at: int) -> bool:
        """True for a line that only happens to begin with a number: ``The default is`` above ``10. Lower ones win``."""
        number = _NUMBER.match(self.lines[at])
        is_broken = not _PARAGRAPH_END.search(self.lines[at - 1])
        return number is not None and int(number[1]) != 1 and is_broken

    def _paragraph_end(self, at: int) -> int:
        while at < len(self.lines) and self.lines[at].strip():
            at += 1
        return at

    def _until_fence(self, at: int, fence: str) -> int:
        at += 1
        while at < len(self.lines) and not self.lines[at].strip().startswith(fence):
            at += 1
        return min(at + 1, len(self.lines))

    def _indented_below(self, at: int, base: int | None = None) -> int:
        base = _indent(self.lines[at]) if base is None else base
        at += 1
        while at < len(self.lines) and (not self.lines[at].strip() or _indent(self.lines[at]) > base):
            at += 1
        return at

    def _code(self, at: int, stop: int) -> int:
        last = stop
        while last > at and not self.lines[last - 1].strip():
            last -= 1
        while at < last and not self.lines[at].strip():
            at += 1
        if last > at:
            self._put("code", at, last)
        return max(stop, at)

    def _put(self, kind: Kind, at: int, stop: int) -> None:
        end = self.offsets[stop - 1] + len(self.lines[stop - 1])
        headings = tuple(place for _, place in self.path)
        start = self.offsets[at]
        text = "\n".join(self.lines[at:stop])
        while end - start > _LONGEST_BLOCK:
            done = start - self.offsets[at]
            piece = text[done : done + _LONGEST_BLOCK]
            cut = max(piece.rfind(". ") + 2, 2) if ". " in piece else piece.rfind(" ") + 1 or _LONGEST_BLOCK
            self.blocks.append(SourceBlock(kind, start, start + cut, _indent(self.lines[at]), headings))
            start += cut
        self.blocks.append(SourceBlock(kind, start, end, _indent(self.lines[at]), headings))


def _first_word(line: str) -> str:
    """``section`` of ``Section 3``: what such headings have in common."""
    return line.split()[0].lower() if _NUMBERED.match(line) else "line"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
