"""What stands where in a source: its blocks, their sentences, and what speaks with them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from curator.wiki.sources.block_reader import BlockReader, SourceBlock
from curator.wiki.sources.source import Document

_LED = 40
"""Blocks that a block is led by, at most."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|resp|approx|ca|incl|fig|no|vol|pp?|sec|ch|dr|mr|mrs|ms|prof|st|jr|sr|inc|ltd|co"
    r"|al|viz|elev|est)|\b[A-Z])\..?$"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz])\.\d$",
    re.IGNORECASE,
)
_OWN_LINE = re.compile(r"^([ \t]*+)(?:\||[A-Z][^\n:|.!?]{0,50}:(?=\s))", re.MULTILINE)
_FEWEST_LINES = 3
"""Lines of a paragraph that begin with a label or a bar, by which each of them speaks for itself: ``Climate: mild``."""
_ALIGNED = 1
"""Columns by which the marks of one list may be set apart, as those of 9 and 10."""
_PAGE = 72
"""Columns of a page of plain text."""
_MOST_CENTRED = 3
_SECTION = re.compile(
    r"(?:abstract|introduction|summary|overview|preface|foreword|background|(?:table of )?contents"
    r"|status of this (?:memo|document))\Z|[a-z]1[.)] |§ ?1\b"
)
"""What heads a part of a document, never the whole where other text stands before it."""
_STOP = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]*_`]*\s+(?:(?<=\n)>[> ]*+)?(?=[\"'“‘(\[*_`:]*[A-Z0-9À-Þ`:])|[。！？]")
"""Where a sentence ends; the next one may begin on a line of a letter that is quoted with ``>``."""

_MARKER = re.compile(r"\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})")
"""What an item is counted by, before its point."""
_CODE_LINE = re.compile(r"([ \t]*+(?://|#|--|;)[ \t])[^\n]*(?:(?<![.:!?])\n\1(?=[a-z(`])[^\n]*)*|[^\n]+")
"""A line of code; a sentence of a comment with the lines that it goes on over."""


class Layout:
    """A source in blocks."""

    def __init__(self, document: Document) -> None:
        self.text = document.text
        self.blocks: tuple[SourceBlock, ...] = tuple(BlockReader(self.text.split("\n"), document.unit != "line").read())
        self._starts = [block.start for block in self.blocks]
        self.said_title = " ".join(document.head.title.split())
        """What the head of the source says it is called; may be empty."""

    def touched(self, start: int, end: int) -> list[int]:
        """The places of the blocks that share a character with the span."""
        first = max(0, bisect_right(self._starts, start) - 1)
        return [at for at in range(first, bisect_left(self._starts, end)) if self.blocks[at].end > start]

    def sentences(self, at: int, start: int, end: int) -> list[tuple[int, int]]:
        """The whole sentences of block ``at`` that the span touches; of code the lines, all of any other block."""
        block = self.blocks[at]
        if block.kind in ("paragraph", "item"):
            found = list(self._sentences(block))
        elif block.kind == "code":
            found = [(found.start() + block.start, found.end() + block.start) for found in self._lines(block)]
        else:
            found = [(block.start, block.end)]
        return [span for span in found if span[0] < end and span[1] > start]

    def around(self, at: int) -> Iterator[int]:
        """The blocks that speak with block ``at``: headings, neighbours, the whole list and what leads to it."""
        block = self.blocks[at]
        yield from block.headings
        same = list(self.run(at))
        yield from same
        yield from self.outer(same[0])
        for beside in (self.above(same[0]), same[-1] + 1):
            if 0 <= beside < len(self.blocks) and self.blocks[beside].kind != "heading":
                yield beside
                if beside > at and block.kind == "paragraph" and self.of(block).rstrip().endswith(":"):
                    yield from self.run(beside)  # what it leads to
                # Code speaks with the words before it, and those with what led to it.
                if beside < at and self.blocks[beside].kind == "code" and beside - 1 not in block.headings:
                    yield beside - 1

    @cached_property
    def head(self) -> tuple[SourceBlock, ...]:
        """The fields the source begins with."""
        return tuple(block for block in self.blocks if block.kind == "field")

    @cached_property
    def title(self) -> str:
        """What the document is called in its head, where its text has a line of that, too; else its first heading."""
        if self.said_title and any(" ".join(self.of(block).split()) == self.said_title for block in self.blocks):
            return self.said_title
        above = self.blocks[:-1] or self.blocks  # below a title stands its text
        first = next((at for at, block in enumerate(above) if block.kind == "heading"), -1)
        before = self.of(self.blocks[first - 1]) if first > 0 else ""
        if before and _is_centred(self.text, self.blocks[first - 1]):
            return " ".join(before.split())
        is_section = before and _SECTION.match(self.of(self.blocks[first]).strip("#*=: \n").casefold())
        return self.of(self.blocks[first]) if first >= 0 and not is_section else ""

    def of(self, block: SourceBlock) -> str:
        return self.text[block.start : block.end]

    def run(self, at: int) -> Iterator[int]:
        """The whole list or table that block ``at`` belongs to; else the block alone."""
        block = self.blocks[at]
        if block.kind not in ("item", "row") and not (block.kind in ("paragraph", "code") and self._is_in_item(at)):
            yield at
            return
        first = last = at
        while first > 0 and self._goes_on(first - 1, block):
            first -= 1
        while last + 1 < len(self.blocks) and self._goes_on(last + 1, block):
            last += 1
        yield from range(first, last + 1)

    def above(self, at: int) -> int:
        """The place of the block before ``at``; a "::" on a line of its own is passed over. -1 for none."""
        while at and not re.search(r"\w", self.of(self.blocks[at - 1])):
            at -= 1
        return at - 1

    def outer(self, at: int) -> Iterator[int]:
        """The blocks that block ``at`` stands under by its indentation, as what an option's tag says, to the heading."""
        indent = self.blocks[at].indent
        for before in range(at - 1, max(-1, at - _LED), -1):
            other = self.blocks[before]
            if not indent or other.kind == "heading":
                return
            if other.indent < indent:
                yield before
                indent = other.indent

    def _is_in_item(self, at: int) -> bool:
        """True for a paragraph or code of a list item."""
        return any(self.blocks[outer].kind == "item" for outer in self.outer(at))

    def _goes_on(self, at: int, block: SourceBlock) -> bool:
        other = self.blocks[at]
        if block.kind == "row":
            return other.kind == "row"
        is_in_list = other.kind == "item" or (other.kind in ("paragraph", "code") and other.indent > 0)
        return is_in_list and other.indent >= block.indent - _ALIGNED

    def _lines(self, block: SourceBlock) -> Iterator[re.Match[str]]:
        return _CODE_LINE.finditer(self.of(block))

    def _sentences(self, block: SourceBlock) -> Iterator[tuple[int, int]]:
        text = self.of(block)
        for first, end in pairwise((0, *_own_lines(text), len(text))):
            last = first
            for match in _STOP.finditer(text, first, end):
                before = text[max(0, match.start() - 11) : match.start() + 1] + text[match.end() : match.end() + 1]
                is_marker = last == 0 and block.kind == "item" and _MARKER.fullmatch(text, 0, match.start())
                if is_marker or _ABBREVIATION.search(before) or text.count("``", last, match.start()) % 2:
                    continue
                yield block.start + last, block.start + match.end()
                last = match.end()
            if last < end:
                yield block.start + last, block.start + end


def _is_centred(text: str, block: SourceBlock) -> bool:
    """True for a few lines in the middle of a page of plain text, which end no sentence: the title of an RFC."""
    lines = text[text.rfind("\n", 0, block.start) + 1 : block.end].split("\n")
    margins = [(len(line) - len(line.lstrip()), _PAGE - len(line.rstrip())) for line in lines]
    is_short = len(lines) <= _MOST_CENTRED and not lines[-1].rstrip().endswith((".", ":"))
    return (
        is_short and block.kind == "paragraph" and all(left > 1 and abs(left - right) <= 4 for left, right in margins)
    )


def _own_lines(text: str) -> list[int]:
    """Where lines begin that speak for themselves: the rows and the fields of a table that nothing marks as one."""
    found = [(match.start(), len(match[1])) for match in _OWN_LINE.finditer(text)]
    outermost = min((indent for _, indent in found), default=0)
    starts = [start for start, indent in found if indent == outermost]
    return [start for start in starts if start] if len(starts) >= _FEWEST_LINES else []
