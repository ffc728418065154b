"""A line of a source and what it is, and the block that lines make."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

LineKind = Literal["blank", "skip", "text", "item", "heading", "label", "end"]
"""``end``: what stands under the headings of its level, and below them, is over."""

BULLET = re.compile(r"\s*(?:[-*+•‣–○▪◦·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|#\.)[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
BOLD_LINE, BOLD_LEVEL = re.compile(r"\*\*([^*]{2,70})\*\*:?\s*$"), 7
"""A paragraph in bold alone is a heading below all others."""
CLAUSE = re.compile(r"(?:§ ?|Art(?:icle|ikel|ículo|icolo|igo|\.) )\d{1,3}[a-z]?[.:]? +")
"""The number before the name of a clause of statutes or of a contract: ``§ 2 Purpose``."""
BRIEF = 6_000
"""Characters of a note: it is told whole."""
COLUMNS = re.compile(r"(?<=\S)(?: {3,}|\t+)(?=\S)")
"""What stands between words in columns."""
_LONGEST = 2_000
"""Characters of a line by which it is told what the line is."""


@dataclass
class TextLine:
    """``start`` is the column its words begin at; ``alone``: it is a block by itself."""

    kind: LineKind
    offset: int
    text: str
    start: int = 0
    level: int = 0
    title: str = ""
    alone: bool = False
    taken: bool = False


@dataclass(frozen=True)
class TextBlock:
    """A paragraph or a list item."""

    kind: Literal["paragraph", "item"]
    start: int
    end: int
    path: tuple[str, ...]
    """The titles of the headings above, outermost first."""
    label: str = ""
    """The term of a definition list that the paragraph belongs to."""
    label_start: int = -1
    term: str = ""
    """The same for every paragraph below the term; ``label`` is of the first one alone."""
    answer: int = -1
    """Where the answer begins that follows a question of an interview; -1 where it is none."""


class LineReader:
    """One walk over the lines of a source, each an offset and a text; a format says in ``_step`` what a line is."""

    def __init__(self, raw: Sequence[tuple[int, str]]) -> None:
        self.raw = raw
        self.found: list[TextLine] = []
        self.last: TextLine | None = None
        """Of those found the last one that is no text; such are noted one by one: looking back costs the square."""

    def read(self) -> list[TextLine]:
        at = noted = 0
        while at < len(self.raw):
            at = self._step(at)
            for line in self.found[noted:]:
                self._note(line)
            noted = len(self.found)
        return self.found

    def _note(self, line: TextLine) -> None:
        if line.kind != "text":
            self.last = line

    def _step(self, at: int) -> int:
        """Put the line ``at``, with others that go with it; the number of the next one."""
        raise NotImplementedError

    def _put(self, at: int, kind: LineKind, start: int = 0) -> int:
        self.found.append(TextLine(kind, *self.raw[at], start=start))
        return at + 1

    def _put_heading(self, at: int, length: int, level: int, title: str) -> int:
        offset, text = self.raw[at]
        self.found.append(TextLine("heading", offset, text, level=level, title=title.strip()))
        return at + length

    def _skip_while(self, at: int, more: Callable[[str], bool]) -> int:
        while at < len(self.raw) and more(self._text(at)):
            at = self._put(at, "skip")
        return at

    def _in_paragraph(self) -> bool:
        return bool(self.found) and self.found[-1].kind in ("text", "item")

    def _text(self, at: int) -> str:
        return self.raw[at][1][:_LONGEST] if 0 <= at < len(self.raw) else ""


def indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def goes_on_a_list(found: Sequence[TextLine], text: str) -> bool:
    """True for a bullet below a paragraph of an item before it, in the column of that item's bullet."""
    column = indent(text)
    for line in reversed(found):
        if line.kind == "item" and indent(line.text) == column:
            return True
        if line.kind not in ("blank", "skip") and indent(line.text) <= column:
            return False
    return False


def is_rule(text: str) -> bool:
    """True for a line of one punctuation character, three or more."""
    bare = text.strip()
    return len(bare) >= 3 and bare[0] in "=-~^\"'`#*+.:_<>!$%&(),/;?@[\\]{|}" and len(set(bare)) == 1


def is_shouted(line: str) -> bool:
    """True for a line in capitals: ``STATUTES OF THE CLUB e.V.``"""
    return _SMALL.sub("", line).isupper() and len(re.findall(r"[^\W\d_]", line)) > 3


def quietly(line: str) -> str:
    """A line in capitals as ``S1. Rent``."""
    number = _COUNT.match(line)
    start = number.end() if number else 0
    return f"{line[:start]}{line[start:].capitalize()}"


_COUNT = re.compile(r"(?:[A-Z]?\d{1,2}(?:\.\d{1,2})*[.)]? |§ ?\d{1,3} )(?=\S)")
_SMALL = re.compile(r"(?<![^\W\d_])[a-zß-ÿ]\.(?:\w\.)*")
"""What stays small among capitals: ``e.V.``"""


def is_tabular(text: str) -> bool:
    """True for words in columns."""
    return COLUMNS.search(text.strip()) is not None


POINTS_ON = re.compile(
    r"\b(?:follow(?:s|ing)|below|examples?|instance|these|like so)\b"
    r"|\b(?:is|are|was|were|be|as|with|to|by|of|than|in|at|for|like|this|that|contains?|includes?|and|or|using|use|run|from"
    r"|either|if|when|says?)[^\w\s]{0,3}:$",
    re.IGNORECASE,
)
"""A sentence that is not whole without what is behind its colon."""
PROSE_ROW = re.compile(r"\s*(?P<term>[^|\s][^|.]{0,58}[^|\s]) \| (?=[^|]*\Z)")
"""A row of two columns, a term and a text."""
_LEAST_PROSE = 40


OPTION = re.compile(r"\s*--?[\w?#@\[]")
"""How an option of a command begins: ``-x``, ``--[no-]check``."""


def is_prose_row(text: str) -> bool:
    """True for the row of a table that is as good as the item of a list: a term, and sentences on it."""
    row = PROSE_ROW.match(text)
    return row is not None and len(text) - row.end() >= _LEAST_PROSE and text.rstrip().endswith((".", "。"))
