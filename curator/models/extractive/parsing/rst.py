"""Reads the lines of reStructuredText: what is prose, what is a heading, what is neither."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.models.extractive.parsing.line import (
    BOLD_LEVEL,
    BOLD_LINE,
    BULLET,
    LineReader,
    TextLine,
    goes_on_a_list,
    indent,
    is_rule,
)

_DIRECTIVE = re.compile(r"\s*\.\. ([\w:-]+?)::(?: +(\S.*))?$")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s|$)|\s*__ \S")
_ADMONITIONS = frozenset("note warning tip important caution attention hint danger error admonition".split())
_FIELD = re.compile(r"\s*:[\w][\w .-]*:(?:\s|$)")
_GRID = re.compile(r"\s*\+[-=+]{3,}+\s*$")
_SIMPLE = re.compile(r"\s*={2,}(?: +={2,})+\s*$")
_LINE_BLOCK = re.compile(r"\s*\| (?=\S)")


def read_lines(raw: Sequence[tuple[int, str]]) -> Iterator[TextLine]:
    """Every line of ``raw`` (offset and text), classified."""
    return iter(_RstReader(raw).read())


class _RstReader(LineReader):
    def __init__(self, raw: Sequence[tuple[int, str]]) -> None:
        super().__init__(raw)
        self.levels: list[str] = []

    def _step(self, at: int) -> int:
        text = self._text(at)
        if not text.strip():
            return self._put(at, "blank")
        if (heading := self._heading(at)) > at:
            return heading
        directive = _DIRECTIVE.match(text)
        if directive and directive[1] in _ADMONITIONS:
            return self._admonition(at, directive)
        if directive or _EXPLICIT.match(text) or (_FIELD.match(text) and not self._in_paragraph()):
            return self._skip_indented(at)
        if text.lstrip().startswith(">>> "):
            return self._skip_while(at, lambda line: bool(line.strip()))
        if _GRID.match(text):
            return self._skip_while(at, lambda line: bool(line.strip()))
        if _SIMPLE.match(text):
            return self._skip_simple_table(at)
        if is_rule(text):
            return self._put(at, "skip")
        if not self._in_paragraph() and not self._text(at + 1).strip() and (bold := BOLD_LINE.match(text)):
            return self._put_heading(at, 1, BOLD_LEVEL, bold[1])
        return self._prose(at, text)

    def _prose(self, at: int, text: str) -> int:
        bullet = BULLET.match(text)
        if bullet and (not self._in_paragraph() or self._in_list() or goes_on_a_list(self.found, text)):
            self._put(at, "item", bullet.end())
        elif self._is_label(at, text):
            self.found.append(TextLine("label", self.raw[at][0], text, indent(text), title=text.strip()))
        else:
            block = _LINE_BLOCK.match(text)
            self._put(at, "text", block.end() if block else indent(text))
        if text.rstrip().endswith("::"):
            return self._skip_literal(at + 1, self.found[-1].start)
        return at + 1

    def _is_label(self, at: int, text: str) -> bool:
        """The term of a definition list: one short line, straight above an indented one."""
        below = self._text(at + 1)
        goes_on = self._in_paragraph() and indent(text) >= indent(self.found[-1].text)
        return (
            not goes_on
            and len(text.strip()) <= 80
            and bool(below.strip())
            and indent(below) > indent(text)
            and not text.rstrip().endswith((",", "::"))
        )

    def _heading(self, at: int) -> int:
        """The line behind the heading that begins at ``at``, or ``at``."""
        text, below, after = self._text(at), self._text(at + 1), self._text(at + 2)
        if is_rule(text) and is_rule(after) and below.strip() and text.strip() == after.strip():
            return self._put_heading(at, 3, self._level(text.strip()[0] * 2), below)
        if (
            not self._in_paragraph()
            and not indent(text)
            and is_rule(below)
            and not indent(below)
            and not is_rule(text)
            and len(below.rstrip()) + 2 >= len(text.rstrip())
        ):
            return self._put_heading(at, 2, self._level(below.strip()[0]), text)
        return at

    def _level(self, mark: str) -> int:
        if mark not in self.levels:
            self.levels.append(mark)
        return self.levels.index(mark) + 1

    def _admonition(self, at: int, directive: re.Match[str]) -> int:
        """Its words are prose; the paragraph begins behind the directive's name."""
        if directive[2] and directive[1] != "admonition":
            return self._put(at, "text", directive.start(2))
        self._put(at, "skip")
        at += 1
        while at < len(self.raw) and _FIELD.match(self._text(at)):
            at = self._put(at, "skip")
        return at

    def _skip_indented(self, at: int) -> int:
        base = indent(self._text(at))
        self._put(at, "skip")
        return self._skip_while(at + 1, lambda line: not line.strip() or indent(line) > base)

    def _skip_literal(self, at: int, base: int) -> int:
        """The block a ``::`` announces: all that is indented more than the paragraph, behind a blank line."""
        if self._text(at).strip():
            return at
        return self._skip_while(at, lambda line: not line.strip() or indent(line) > base)

    def _skip_simple_table(self, at: int) -> int:
        end = at + 1
        while end < len(self.raw) and not (_SIMPLE.match(self._text(end)) and not self._text(end + 1).strip()):
            end += 1
        for index in range(at, min(end + 1, len(self.raw))):
            self._put(index, "skip")
        return min(end + 1, len(self.raw))

    def _in_list(self) -> bool:
        """True when the paragraph that is being read began as a list item."""
        return self.last is not None and self.last.kind == "item"
