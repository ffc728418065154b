"""Reads the lines of markdown, plain text, Org, AsciiDoc and the text of HTML: what is prose, what is a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from curator.models.extractive.parsing.grammars import GRAMMARS, IN_BLOCKS, Grammar
from curator.models.extractive.parsing.grids import is_delimiter
from curator.models.extractive.parsing.headings import ENDED, LEAD_IN, HeadingReader
from curator.models.extractive.parsing.line import (
    BRIEF,
    BULLET,
    COLUMNS,
    OPTION,
    TextLine,
    goes_on_a_list,
    indent,
    is_prose_row,
    is_rule,
    is_tabular,
)
from curator.wiki.naming.terms import is_name_of_list

_INTERRUPTS = re.compile(r" {0,3}(?:[-*+•‣▪]|1[.)])[ \t]")
"""How a list of Markdown may begin right below the line of a paragraph (CommonMark, 5.3), and one that only looks so."""
_CLOSED_BY = (("#+BEGIN", "#+END"), (":", ":END:"), ("<!--", "-->"), ("<", "</"))
"""What ends a block that begins so; others end as they begin."""
_ASCIIDOC_TERM = re.compile(r"(?!//)\s*(\S.{0,78}?):{2,4}\s*$")
_DEFINED = re.compile(r" {0,3}:[ \t]+(?=\S)")
"""What stands below a term of Markdown."""
_ASCIIDOC_ENTRY = re.compile(r"\s*(?P<term>[^\s:].{0,58}?)::[ \t]+(?=\S)")
_ENTRY = re.compile(r"\s*(?P<term>[^\s|](?:\S| (?! )){0,38}?) {2,}(?=\S)")
"""A term and what it means, in columns: ``-o FILE   where it is written``."""
_ROW = re.compile(r"\s+(?P<term>[^\W_][\w/-]{0,19}) ?: (?=\S)")
"""One of several lines that begin with what they tell of: ``st: Time stolen from a virtual machine.``"""
_ISSUES = re.compile(r"#\d+(?: #\d+)*")
"""What a change is entered under in a list of changes."""
_STAMPED = re.compile(
    r"\s*(?:[-*+•] +)?(?:\d{1,2}[./]\d{2,4}|\d{1,2}[:.]\d{2}(?: ?[ap]m)?|\d{4}-\d\d-\d\d|\[[ x]\]):?\s+(?=[^\W\d_]|\d)",
    re.IGNORECASE,
)
_FIELD_LINE = re.compile(r"\s*([A-ZÀ-ÞĀ-Ž][\w /()-]{1,30}): \S.{0,100}\Z")
"""A line of a list without bullets, ``Weight: 10.4 kg``, where one beside it is like it."""
_BOLD_FIELD = re.compile(r"\*\*[^*]{1,40}(?::\*\*|\*\*:) \S")
"""The same in Markdown: ``**Weight:** 10.4 kg``"""
_MOST_SHOWN, _LEAST_PROSE = 30, 7
"""Lines of a block that are looked at, and words of a line of prose."""
_WORDS = re.compile(r"[^\W\d_]{3,}")
_DIGIT = re.compile(r"\d")
_NAMED_ROW = re.compile(r"\s*[^\W\d_][^:]{1,40}:\s")


def _ends_in_figures(row: str) -> bool:
    """True for numbers in columns, of which only a head says what they are."""
    figures = [cell for cell in COLUMNS.split(row.strip())[-2:] if re.fullmatch(r"[\d.,]+", cell)]
    return len(figures) > 1


def _are_told(rows: Sequence[str]) -> bool:
    """True for rows in columns that say something without a head: each has two words, or stands behind a name. Where the
    others have figures and the first has none, or a rule is below it, it is their head.
    """
    ruled = len(rows) > 1 and not rows[1].strip("-=+| \t")
    headed = len(rows) > 1 and not _DIGIT.search(rows[0]) and all(map(_DIGIT.search, rows[1:]))
    says = all(_NAMED_ROW.match(row) or (len(_WORDS.findall(row)) > 1 and not _ends_in_figures(row)) for row in rows)
    return says and not ruled and not headed


def read_lines(raw: Sequence[tuple[int, str]], format: str) -> Iterator[TextLine]:
    """Every line of ``raw`` (offset and text), classified."""
    grammar = "html" if format in IN_BLOCKS else format
    return iter(MarkupReader(raw, GRAMMARS.get(grammar, GRAMMARS["text"]), grammar).read())


class MarkupReader(HeadingReader):
    """One walk over the lines of a source that ``grammar`` describes."""

    def __init__(self, raw: Sequence[tuple[int, str]], grammar: Grammar, format: str) -> None:
        super().__init__(raw, grammar, format)
        self.headings = 0
        """How many there were."""
        self.opener: TextLine | None = None
        """What text, with blank lines in it, stands below: an item, a heading, code."""
        self.is_left = False
        """A blank line parts the text at the margin from it."""

    def _note(self, line: TextLine) -> None:
        if line.kind == "text":
            self.is_left |= not line.start and self.last is not self.opener and self.format != "asciidoc"
        elif line.kind != "blank":
            self.opener, self.is_left = line, False
        self.headings += line.kind == "heading"
        super()._note(line)

    def _step(self, at: int) -> int:
        text, grammar = self._text(at), self.grammar
        if not text.strip():
            return self._put(at, "blank")
        if grammar.fence and (fence := grammar.fence.match(text)):
            return self._skip_fenced(at, fence[1])
        if self.format == "asciidoc" and (term := _ASCIIDOC_TERM.match(text)):
            return self._put_label(at, term[1], -1)
        if self.found and self.found[-1].kind == "label" and (defined := _DEFINED.match(text)):
            return self._put(at, "text", defined.end())
        if self.format == "markdown" and _DEFINED.match(self._text(at + 1)) and not self._in_paragraph():
            return self._put_label(at, text.strip(), -1)
        if self.format == "asciidoc" and self._is_literal(text):
            return self._put(at, "skip")
        if grammar.heading and (match := grammar.heading.match(text)):
            title = grammar.closing.sub("", match[2].rstrip()) if grammar.closing else match[2]
            return self._put_heading(at, 1, len(match[1]), title)
        if (heading := self._heading(at, text)) > at:
            return heading
        if entry := self._entry(at, text):
            self._put(at, "item", indent(text))
            self.found[-1].title = entry
            return at + 1
        if self._is_shown(at, text):
            base = indent(self._above(at))
            return self._skip_while(at, lambda line: not line.strip() or indent(line) > base)
        if self._is_table(at, text):
            if self.format == "text" and self._is_brief and self._is_told_table(at):
                self._put(at, "text", indent(text))
                self.found.append(TextLine("blank", *self.raw[at]))
                return at + 1
            return self._skip_while(at, lambda line: bool(line.strip()))
        if self.format == "html" and is_prose_row(text):
            return self._put(at, "item")
        if is_rule(text) or (grammar.skipped and grammar.skipped.match(text) and not self._is_wrapped(at)):
            return self._put(at, "skip")
        if grammar.indented_code and indent(text) >= 4 and not self._in_paragraph() and not self._in_list():
            return self._put(at, "skip")
        return self._prose(at, text)

    @cached_property
    def _is_brief(self) -> bool:
        """Its tables are lists of what somebody noted down."""
        return sum(len(text) + 1 for _, text in self.raw) <= BRIEF

    def _is_told_table(self, at: int) -> bool:
        """True for a line of a table whose rows say something by themselves."""
        while at and is_tabular(self._text(at - 1)):
            at -= 1
        block = takewhile(str.strip, (self._text(line) for line in range(at, min(len(self.raw), at + _MOST_SHOWN))))
        return _are_told(list(block))

    def _above(self, at: int) -> str:
        """The line of text above the blank ones over line ``at``; empty where none parts them."""
        above = at - 1
        while above >= 0 and not self._text(above).strip():
            above -= 1
        return self._text(above) if above < at - 1 else ""

    def _is_shown(self, at: int, text: str) -> bool:
        """A block of plain text that stands further in than the words with a colon above it, and is no prose."""
        above = self._above(at)
        if self.format != "text" or not above.rstrip().endswith(":") or indent(text) <= indent(above):
            return False
        block = list(takewhile(str.strip, (line for _, line in self.raw[at : at + _MOST_SHOWN])))
        is_prose = ENDED.search(block[-1]) and max(len(line.split()) for line in block) >= _LEAST_PROSE
        return not (is_prose or BULLET.match(text) or _ENTRY.match(text))

    def _is_literal(self, text: str) -> bool:
        """A line of AsciiDoc that stands further in, and goes on no item or entry."""
        below = self.opener is not None and self.opener.kind in ("item", "label")
        return bool(indent(text)) and not (below or self._in_paragraph() or self.grammar.bullet.match(text))

    def _prose(self, at: int, text: str) -> int:
        if self.format in ("markdown", "text") and (self._is_field(at, text) or self._is_stamped(at, text)):
            self.found.append(TextLine("blank", self.raw[at][0], ""))
            return self._put(at, "text", indent(text))
        quote = self.grammar.quote.match(text) if self.grammar.quote else None
        start = quote.end() if quote else 0
        bullet = self.grammar.bullet.match(text, start)
        begins = self.format in ("text", "markdown") and self._text(at - 1).rstrip().endswith(":")
        begins = begins or (self.format == "text" and self._is_listed(at, text))
        begins = begins or (self.format == "markdown" and _INTERRUPTS.match(text, start) is not None)
        if bullet and (not self._in_paragraph() or begins or self._in_list() or goes_on_a_list(self.found, text)):
            return self._put(at, "item", bullet.end())
        if quote and not text[start:].strip():
            return self._put(at, "blank")
        if self.format == "text" and self._is_out_of_item(text):
            self.found.append(TextLine("blank", self.raw[at][0], ""))
        if self._in_list() and LEAD_IN.fullmatch(text) and self.grammar.bullet.match(self._text(at + 1)):
            self.found.append(TextLine("blank", self.raw[at][0], ""))  # the next list begins
        return self._put(at, "text", max(start, indent(text)))

    def _is_listed(self, at: int, text: str) -> bool:
        """The first of several bullets straight below a few words that say what they are: ``Mounting``."""
        above, mark = self._text(at - 1).strip(), text.lstrip()[:1]
        is_first = mark in "-*+•" and not self._text(at - 2).strip()
        return is_first and is_name_of_list(above) and self._text(at + 1).lstrip().startswith(f"{mark} ")

    def _is_out_of_item(self, text: str) -> bool:
        """A sentence that begins further out than the bullet of the item above it."""
        item = self.opener if self._in_paragraph() and self._in_list() else None
        return item is not None and indent(text) < indent(item.text) and text.lstrip()[:1].isupper()

    def _is_stamped(self, at: int, text: str) -> bool:
        """One of several lines that begin with a date, a time or a box: ``06/24  leak``, ``22:00 First dance``."""
        if _STAMPED.match(text) is None or BULLET.match(text):
            return False
        return any(_STAMPED.match(self._text(self._beside(at, step))) for step in (-1, 1))

    def _beside(self, at: int, step: int) -> int:
        """The next line that goes on none, for its words begin no further in than those of the line at ``at``."""
        column, beside = indent(self._text(at)), at + step
        while indent(text := self._text(beside)) > column and text.strip():
            beside += step
        return beside

    def _is_field(self, at: int, text: str) -> bool:
        """One of several lines that begin with what they tell of, each its own."""
        near = [self._text(beside) for beside in (at - 1, at + 1)]
        if self._in_paragraph() and not any(field.match(near[0]) for field in (_BOLD_FIELD, _FIELD_LINE)):
            return False
        return any(field.match(text) and any(map(field.match, near)) for field in (_BOLD_FIELD, _FIELD_LINE))

    def _entry(self, at: int, text: str) -> str:
        """The term of a line that tells of it: of an option, or of words beside which the text goes on in its column."""
        if self.format == "asciidoc" and not self._in_paragraph() and (defined := _ASCIIDOC_ENTRY.match(text)):
            return defined["term"]
        # Below the first heading are the author and the date of the whole.
        if self.format == "html" and self.headings > 1 and (field := _FIELD_LINE.match(text)):
            near = (self._text(beside) for beside in (at - 2, at - 1, at + 1, at + 2))
            return field[1] if any(map(_FIELD_LINE.match, near)) else ""
        if self.format != "text" or not indent(text) or BULLET.match(text):
            return ""
        if (row := _ROW.match(text)) and any(self._is_row(each, indent(text)) for each in (at - 1, at + 1)):
            return row["term"]
        entry = _ENTRY.match(text)
        if entry is None:
            return ""
        among = self.last is not None and self.last.title and self.last.start == indent(text)
        below = self._text(at + 1)
        fits = OPTION.match(text) or (below.strip() and indent(below) == entry.end())
        is_numbered = _ISSUES.fullmatch(entry["term"]) is not None
        return entry["term"] if is_numbered or (fits and (among or not self._in_paragraph())) else ""

    def _is_row(self, at: int, column: int) -> bool:
        return indent(self._text(at)) == column and _ROW.match(self._text(at)) is not None

    def _is_table(self, at: int, text: str) -> bool:
        if self._in_paragraph():
            return False
        if self.format == "markdown" and "|" in text:
            return is_delimiter(self._text(at + 1))
        return (
            self.format == "text"
            and not BULLET.match(text)
            and is_tabular(text)
            and (indent(text) >= 2 or is_tabular(self._text(at + 1)))
        )

    def _is_wrapped(self, at: int) -> bool:
        """A line in the middle of a paragraph that only looks like something else."""
        return self.format in ("text", "html") and self._in_paragraph() and "|" not in self._text(at)

    def _skip_fenced(self, at: int, mark: str) -> int:
        upper = mark.strip().upper()
        closing = next((end for begin, end in _CLOSED_BY if upper.startswith(begin)), upper)
        self._put(at, "skip")
        end = at + 1
        if self.format == "asciidoc" and not any(line.strip() == mark.strip() for _, line in self.raw[end:]):
            return end
        while end < len(self.raw):
            line = self._text(end).strip().upper()
            self._put(end, "skip")
            end += 1
            if line.startswith(closing) or (closing in ("-->", "</") and closing in line):
                break
        return end

    def _in_list(self) -> bool:
        """True below an item; lines at the margin belong to it, where no blank one parts them from it."""
        return self.opener is not None and self.opener.kind == "item" and not self.is_left
