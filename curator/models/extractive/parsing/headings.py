"""Which lines are headings that no mark says is one: underlined, in capitals, counted, in bold, above words further in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from curator.models.extractive.parsing.grammars import Grammar
from curator.models.extractive.parsing.line import (
    BOLD_LEVEL,
    BOLD_LINE,
    BULLET,
    CLAUSE,
    OPTION,
    LineKind,
    LineReader,
    TextLine,
    indent,
    is_rule,
    is_shouted,
    is_tabular,
    quietly,
)
from curator.models.extractive.parsing.sections import forbids
from curator.wiki.naming.terms import is_name_of_list

LEAD_IN = re.compile(r"\w[\w /]{0,30}:")
"""A line that leads to a list, below the name of what it is of."""
LONGEST_TERM = 60
"""Characters of a line that is a heading or a term, where the text below stands further in."""
ENDED = re.compile(r"[.!?;:,。！？][\"'”’)\]]*\s*$")
_ENDS = re.compile(rf"{ENDED.pattern}|[、。]")
_NUMBERED = re.compile(
    r"(?:Chapter|Section|Part|Appendix|Annex|Kapitel|Anhang|Chapitre|Annexe)\s(?:\d{1,2}|[A-Z]|[IVX]{1,4})[.:]\s\S.{0,70}$|"
    r"(?:\d{1,2}\.){1,4}\d{0,2}\s+[A-Z].{0,70}$|[IVX]{1,4}\. [A-Z].{0,70}$|[A-Z](?:\.\d{1,2}){1,3}\.?\s+[A-Z].{0,70}$"
)
_UNEVEN = 2
"""Characters by which the line below a title may be longer or shorter: else it begins code."""
_POINTED = re.compile(r"\d{1,2}(?:\)\s+\S.{0,75}(?<![.!:;,])|\.\s+\S.{0,74}\?)$")
"""A numbered heading, or question, above text that stands further in."""
_CLAUSE = re.compile(rf"{CLAUSE.pattern}[^\W\d_].{{0,70}}\Z")
_COUNT = re.compile(r"(\d{1,2})[.)]")
_MOST_POINTED = 3
"""Lines of one; the first of a text has one alone."""
_LEAST_HEADS = 3
"""Paragraphs that begin with a line in bold, where such lines are the headings of a text."""
_CODED = re.compile(r"://|\A\s*\[|[^\W_]=|= |[{}|]|[<>]\s|->")
"""What a line of a grammar, a layout or a list of links has, and no heading."""


class HeadingReader(LineReader):
    """One walk over the lines of a source in ``format`` that ``grammar`` describes."""

    def __init__(self, raw: Sequence[tuple[int, str]], grammar: Grammar, format: str) -> None:
        super().__init__(raw)
        self.grammar, self.format = grammar, format
        self.heading: TextLine | None = None
        """The last one."""

    def _note(self, line: TextLine) -> None:
        self.heading = line if line.kind == "heading" else self.heading
        super()._note(line)

    def _heading(self, at: int, text: str) -> int:
        """The line behind the heading, or the term, that no mark tells and that begins at ``at``; or ``at``."""
        bare, below = text.strip(), self._text(at + 1)
        if self._in_paragraph():
            return at
        if self.grammar.underlined and is_rule(below) and below.strip()[0] in "=-~*^#+" and not is_rule(text):
            plain = not BULLET.match(text) and indent(text) < 4 and len(below.strip()) >= min(len(bare), 40) // 2
            is_title = self.format != "asciidoc" or abs(len(below.rstrip()) - len(text.rstrip())) <= _UNEVEN
            if plain and is_title and not is_tabular(text):
                return self._put_heading(at, 2, "=-~^+".find(below.strip()[0]) + 1 or 2, bare)
        if self.format == "text" and at in self._counted_heads:
            return self._put_heading(at, 1, 2, bare)
        if at in self._list_heads:
            return self._put_heading(at, 1, BOLD_LEVEL, bare)
        if self.format == "text" and BULLET.match(text) and (lines := self._pointed(at)):
            return self._put_heading(at, len(lines), 2, " ".join(lines))
        if self.format == "text" and _CLAUSE.match(bare) and not ENDED.search(bare):
            return self._put_heading(at, 1, 2, bare)
        if self.format == "text" and not below.strip() and len(bare) <= 80 and not ENDED.search(bare):
            shouted = is_shouted(bare)
            if shouted or _NUMBERED.match(bare):
                deep = len(re.findall(r"\.\d", bare.split()[0]))
                return self._put_heading(at, 1, 2 + deep, quietly(bare) if shouted else bare)
            if not any(line.kind != "blank" for line in self.found) and not BULLET.match(bare):
                return self._put_heading(at, 1, 1, bare)
        if self.format == "text" and is_shouted(bare) and not any(line.kind != "blank" for line in self.found):
            return self._put_heading(at, 1, 1, bare)  # what stands below it is on the whole
        if self.format == "text" and self._hangs(at):
            if indent(text) < 4 and not bare.startswith("-"):
                if _CODED.search(text):
                    return at
                return self._put_heading(at, 1, 2 + (indent(text) > 0), quietly(bare) if bare.isupper() else bare)
            return self._put_label(at, bare, indent(text))
        if self.format == "markdown" and (bold := BOLD_LINE.match(bare)) and self._stands_over(bold[1], below):
            return self._put_heading(at, 1, BOLD_LEVEL, bold[1])
        if self.format == "html" and self._is_html_heading(at, bare, below):
            return self._put_heading(at, 1, 1 if at == 0 else 2, bare)
        return at

    def _stands_over(self, bold: str, below: str) -> bool:
        """True for a line in ``bold`` that is the heading of what is below; a question is told with its answer."""
        leads = BULLET.match(below) is not None or LEAD_IN.fullmatch(below.strip()) is not None
        return not below.strip() or leads or (self._has_bold_heads and "?" not in bold)

    @cached_property
    def _has_bold_heads(self) -> bool:
        """Lines in bold begin its paragraphs again and again."""
        lines = ["", *(line for _, line in self.raw)]
        heads = (BOLD_LINE.match(line.strip()) for above, line in pairwise(lines) if not above.strip())
        return sum(head is not None for head in heads) >= _LEAST_HEADS

    @cached_property
    def _counted_heads(self) -> frozenset[int]:
        """The lines of a text that count its parts, each straight above its text: ``1. Waste``, ``2. Stairs``."""
        found: list[int] = []
        for at, (_, text) in enumerate(self.raw):
            count = _COUNT.match(text)
            below = self._text(at + 1).strip()
            if count is None or self._text(at - 1).strip() or not below or ENDED.search(text):
                continue
            room = len(text.strip()) + 1 + len(below.split(" ")[0])
            if (
                int(count[1]) == len(found) + 1
                and len(text.strip()) <= LONGEST_TERM
                and room <= max(len(below), LONGEST_TERM)
            ):
                found.append(at)
        return frozenset(found if len(found) >= _LEAST_HEADS else ())

    @cached_property
    def _list_heads(self) -> frozenset[int]:
        """The lines of notes that name a list each, straight above its first item: ``Kitchen``, ``Tools``."""
        if self.format not in ("text", "markdown"):
            return frozenset()
        lines = [text for _, text in self.raw]
        found = [
            at
            for at, (above, text, below) in enumerate(zip(["", *lines], lines, [*lines[1:], ""], strict=False))
            if BULLET.match(below) and not above.strip() and is_name_of_list(text) and not ENDED.search(text)
        ]
        alone = (at for at in found if forbids(lines[at]) or is_shouted(lines[at]))
        return frozenset(found if len(found) > 1 else alone)

    def _hangs(self, at: int) -> bool:
        """A short line straight above text that stands further in: a heading or a term of a manual page."""
        text, below = self._text(at), self._text(at + 1)
        short = 2 <= len(text.strip()) <= LONGEST_TERM and not _ENDS.search(text) and not BULLET.match(text)
        opens = at == 0 or not self._text(at - 1).strip() or self.found[-1].kind in ("heading", "label")
        named = OPTION.match(text) or re.search(r"[^\W\d_]{2}", text)
        return bool(short and opens and indent(below) >= indent(text) + 3 and named)

    def _pointed(self, at: int) -> list[str]:
        """The lines of a numbered heading: below it, behind a blank line, words stand further in that are no item."""
        lines = [text.strip() for _, text in self.raw[at : at + _MOST_POINTED + 1]]
        if "" not in lines[1:]:
            return []
        end = lines.index("", 1)
        count = _COUNT.match(lines[0])
        number = int(count[1]) if count else 0
        among = (
            self.heading is not None
            and number > 1
            and self.heading.title.startswith((f"{number - 1}.", f"{number - 1})"))
        )
        below = next((text for _, text in self.raw[at + end + 1 : at + end + 3] if text.strip()), "")
        stands_over = indent(below) > indent(self._text(at)) and not BULLET.match(below)
        return lines[:end] if stands_over and (among or (end == 1 and _POINTED.match(lines[0]))) else []

    def _is_html_heading(self, at: int, bare: str, below: str) -> bool:
        """A short line without a stop, above one that has one or a table; no item of a list."""
        short = len(bare) <= 80 and not ENDED.search(bare) and " | " not in bare and not BULLET.match(bare)
        return short and bool(ENDED.search(below) or " | " in below or at == 0)

    def _put_label(self, at: int, title: str, start: int) -> int:
        """A term; several above one text are one."""
        last = self.found[-1] if self.found else None
        if last is not None and last.kind == "label":
            last.title = f"{last.title}, {title}"
            return at + 1
        self.found.append(TextLine("label", self.raw[at][0], self._text(at), start=start, title=title))
        return at + 1

    def _put(self, at: int, kind: LineKind, start: int = 0) -> int:
        super()._put(at, kind, start)
        self.found[-1].alone = self.format == "html"
        return at + 1

    def _in_paragraph(self) -> bool:
        return self.format != "html" and super()._in_paragraph()
