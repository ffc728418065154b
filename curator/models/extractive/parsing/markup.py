"""Reads the lines of markdown, plain text, Org, AsciiDoc and the text of HTML: what is prose, what is a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, takewhile

from curator.models.extractive.parsing.grammars import GRAMMARS, IN_BLOCKS, Grammar
from curator.models.extractive.parsing.grids import is_delimiter
from curator.models.extractive.parsing.line import (
    BOLD_LEVEL,
    BOLD_LINE,
    BRIEF,
    BULLET,
    CLAUSE,
    OPTION,
    LineKind,
    LineReader,
    TextLine,
    goes_on_a_list,
    indent,
    is_prose_row,
    is_rule,
    is_shouted,
    is_tabular,
)

_INTERRUPTS = re.compile(r" {0,3}(?:[-*+•‣▪]|1[.)])[ \t]")
"""How a list of Markdown may begin right below the line of a paragraph (CommonMark, 5.3), and one that only looks so."""
_CLOSED_BY = (("#+BEGIN", "#+END"), (":", ":END:"), ("<!--", "-->"), ("<", "</"))
"""What ends a block that begins so; others end as they begin."""
_NUMBERED = re.compile(
    r"(?:Chapter|Section|Part|Appendix|Annex|Kapitel|Anhang|Chapitre|Annexe)\s(?:\d{1,2}|[A-Z]|[IVX]{1,4})[.:]\s\S.{0,70}$|"
    r"(?:\d{1,2}\.){1,4}\d{0,2}\s+[A-Z].{0,70}$|[IVX]{1,4}\. [A-Z].{0,70}$|[A-Z](?:\.\d{1,2}){1,3}\.?\s+[A-Z].{0,70}$"
)
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
_UNEVEN = 2
"""Characters by which the line below a title may be longer or shorter: else it begins code."""
_LEAD_IN = re.compile(r"\w[\w /]{0,30}:")
"""A line that leads to a list, below the name of what it is of."""
_POINTED = re.compile(r"\d{1,2}(?:\)\s+\S.{0,75}(?<![.!:;,])|\.\s+\S.{0,74}\?)$")
"""A numbered heading, or question, above text that stands further in."""
_FIELD_LINE = re.compile(r"\s*([A-ZÀ-ÞĀ-Ž][\w /()-]{1,30}): \S.{0,100}\Z")
"""A line of a list without bullets, ``Weight: 10.4 kg``, where one beside it is like it."""
_BOLD_FIELD = re.compile(r"\*\*[^*]{1,40}(?::\*\*|\*\*:) \S")
"""The same in Markdown: ``**Weight:** 10.4 kg``"""
_CLAUSE = re.compile(rf"{CLAUSE.pattern}[^\W\d_].{{0,70}}\Z")
_COUNT = re.compile(r"(\d{1,2})[.)]")
_MOST_POINTED = 3
"""Lines of one; the first of a text has one alone."""
_LEAST_HEADS = 3
"""Paragraphs that begin with a line in bold, where such lines are the headings of a text."""
_MOST_SHOWN, _LEAST_PROSE = 30, 7
"""Lines of a block that are looked at, and words of a line of prose."""
_TERM = 60
"""Characters of a line that is a heading or a term, where the text below stands further in."""
_WORDS = re.compile(r"[^\W\d_]{3,}")
_NAMED_ROW = re.compile(r"\s*[^\W\d_][^:]{1,40}:\s")
_CODED = re.compile(r"://|\A\s*\[|[^\W_]=|= |[{}|]|[<>]\s|->")
"""What a line of a grammar, a layout or a list of links has, and no heading."""
_ENDED = re.compile(r"[.!?;:,。！？][\"'”’)\]]*\s*$")
_ENDS = re.compile(rf"{_ENDED.pattern}|[、。]")


def _is_told_row(text: str, below: str) -> bool:
    """True for words in columns that say something without a head: with two words, or behind a name. Others have one."""
    is_head = bool(below.strip()) and not below.strip("-=+| \t")
    return not is_head and (len(_WORDS.findall(text)) > 1 or _NAMED_ROW.match(text) is not None)


def read_lines(raw: Sequence[tuple[int, str]], format: str) -> Iterator[TextLine]:
    """Every line of ``raw`` (offset and text), classified."""
    grammar = "html" if format in IN_BLOCKS else format
    return iter(MarkupReader(raw, GRAMMARS.get(grammar, GRAMMARS["text"]), grammar).read())


class MarkupReader(LineReader):
    """One walk over the lines of a source that ``grammar`` describes."""

    def __init__(self, raw: Sequence[tuple[int, str]], grammar: Grammar, format: str) -> None:
        super().__init__(raw)
        self.grammar, self.format = grammar, format
        self.heading: TextLine | None = None
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
        self.heading = line if line.kind == "heading" else self.heading
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
        if (heading := self._other_heading(at, text)) > at:
            return heading
        if entry := self._entry(at, text):
            self._put(at, "item", indent(text))
            self.found[-1].title = entry
            return at + 1
        if self._is_shown(at, text):
            base = indent(self._above(at))
            return self._skip_while(at, lambda line: not line.strip() or indent(line) > base)
        if self._is_table(at, text):
            if self.format == "text" and self._is_brief and _is_told_row(text, self._text(at + 1)):
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
        is_prose = _ENDED.search(block[-1]) and max(len(line.split()) for line in block) >= _LEAST_PROSE
        return not (is_prose or BULLET.match(text) or _ENTRY.match(text))

    def _is_literal(self, text: str) -> bool:
        """A line of AsciiDoc that stands further in, and goes on no item or entry."""
        below = self.opener is not None and self.opener.kind in ("item", "label")
        return bool(indent(text)) and not (below or self._in_paragraph() or self.grammar.bullet.match(text))

    def _prose(self, at: int, text: str) -> int:
        if self.format in ("markdown", "text") and self._is_field(at, text):
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
        if self._in_list() and _LEAD_IN.fullmatch(text) and self.grammar.bullet.match(self._text(at + 1)):
            self.found.append(TextLine("blank", self.raw[at][0], ""))  # the next list begins
        return self._put(at, "text", max(start, indent(text)))

    def _is_listed(self, at: int, text: str) -> bool:
        """The first of several bullets straight below a few words that say what they are: ``Mounting``."""
        above, mark = self._text(at - 1).strip(), text.lstrip()[:1]
        is_first = (
            mark in "-*+•" and len(above) <= _TERM and not _ENDED.search(above) and not self._text(at - 2).strip()
        )
        return is_first and self._text(at + 1).lstrip().startswith(f"{mark} ")

    def _is_out_of_item(self, text: str) -> bool:
        """A sentence that begins further out than the bullet of the item above it."""
        item = self.opener if self._in_paragraph() and self._in_list() else None
        return item is not None and indent(text) < indent(item.text) and text.lstrip()[:1].isupper()

    def _is_field(self, at: int, text: str) -> bool:
        """One of several lines that begin with what they tell of, each its own."""
        near = [self._text(beside) for beside in (at - 1, at + 1)]
        return any(field.match(text) and any(map(field.match, near)) for field in (_BOLD_FIELD, _FIELD_LINE))

    def _other_heading(self, at: int, text: str) -> int:
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
        if self.format == "text" and BULLET.match(text) and (lines := self._pointed(at)):
            return self._put_heading(at, len(lines), 2, " ".join(lines))
        if self.format == "text" and _CLAUSE.match(bare) and not _ENDED.search(bare):
            return self._put_heading(at, 1, 2, bare)
        if self.format == "text" and not below.strip() and len(bare) <= 80 and not _ENDED.search(bare):
            shouted = is_shouted(bare)
            if shouted or _NUMBERED.match(bare):
                deep = len(re.findall(r"\.\d", bare.split()[0]))
                return self._put_heading(at, 1, 2 + deep, bare.capitalize() if shouted else bare)
            if not any(line.kind != "blank" for line in self.found) and not BULLET.match(bare):
                return self._put_heading(at, 1, 1, bare)
        if self.format == "text" and is_shouted(bare) and not any(line.kind != "blank" for line in self.found):
            return self._put_heading(at, 1, 1, bare)  # what stands below it is on the whole
        if self.format == "text" and self._hangs(at):
            if indent(text) < 4 and not bare.startswith("-"):
                if _CODED.search(text):
                    return at
                return self._put_heading(at, 1, 2 + (indent(text) > 0), bare.capitalize() if bare.isupper() else bare)
            return self._put_label(at, bare, indent(text))
        if self.format == "markdown" and (bold := BOLD_LINE.match(bare)) and self._stands_over(bold[1], below):
            return self._put_heading(at, 1, BOLD_LEVEL, bold[1])
        if self.format == "html" and self._is_html_heading(at, bare, below):
            return self._put_heading(at, 1, 1 if at == 0 else 2, bare)
        return at

    def _stands_over(self, bold: str, below: str) -> bool:
        """True for a line in ``bold`` that is the heading of what is below; a question is told with its answer."""
        leads = BULLET.match(below) is not None or _LEAD_IN.fullmatch(below.strip()) is not None
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
            if count is None or self._text(at - 1).strip() or not below or _ENDED.search(text):
                continue
            room = len(text.strip()) + 1 + len(below.split(" ")[0])
            if int(count[1]) == len(found) + 1 and len(text.strip()) <= _TERM and room <= max(len(below), _TERM):
                found.append(at)
        return frozenset(found if len(found) >= _LEAST_HEADS else ())

    def _hangs(self, at: int) -> bool:
        """A short line straight above text that stands further in: a heading or a term of a manual page."""
        text, below = self._text(at), self._text(at + 1)
        short = 2 <= len(text.strip()) <= _TERM and not _ENDS.search(text) and not BULLET.match(text)
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

    def _is_html_heading(self, at: int, bare: str, below: str) -> bool:
        """A short line without a stop, above one that has one or a table; no item of a list."""
        short = len(bare) <= 80 and not _ENDED.search(bare) and " | " not in bare and not BULLET.match(bare)
        return short and bool(_ENDED.search(below) or " | " in below or at == 0)

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

    def _in_list(self) -> bool:
        """True below an item; lines at the margin belong to it, where no blank one parts them from it."""
        return self.opener is not None and self.opener.kind == "item" and not self.is_left
