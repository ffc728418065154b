"""What a reader has to see of a source to judge a claim: the pieces it is quoted from, and those that speak with them.

A source is cut once into numbered pieces, its blocks; a long block into several. A claim names pieces by their numbers, so
that a paragraph that carries ten claims is shown once.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from curator.wiki.sources.evidence import Missing
from curator.wiki.sources.layout import Layout
from curator.wiki.support.source_context import SourceContext

_LONGEST = 1500
"""Characters of a piece."""
_MOST_BESIDE = 3000
"""Characters of the pieces beside the quoted ones: the nearest."""


@dataclass(frozen=True)
class Excerpt:
    """Where a claim is quoted from, as numbers of pieces."""

    quoted: tuple[int, ...]
    beside: tuple[int, ...]
    """Headings, paragraphs, list items, table rows and code that are read with them."""
    passages: tuple[str, ...]
    """The whole sentences, rows or lines that the quotes touch."""

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted({*self.quoted, *self.beside}))


@dataclass(frozen=True)
class _Piece:
    start: int
    end: int
    block: int


class SourceExcerpts:
    """A source in numbered pieces."""

    def __init__(self, context: SourceContext) -> None:
        self.context = context
        self._layout = context.layout

    def text(self, number: int) -> str:
        piece = self._pieces[number]
        return self._layout.text[piece.start : piece.end]

    def kind(self, number: int) -> str:
        """heading, paragraph, item, row, code or field."""
        return self._layout.blocks[self._pieces[number].block].kind

    def shown(self, numbers: Iterable[int]) -> str:
        """Pieces as a model is shown them: each with its number and kind, its text indented below."""
        return "\n".join(f"[{n}] {self.kind(n)}\n{indented(self.text(n))}" for n in numbers)

    def of(self, quotes: Sequence[str], claim: str = "", most_beside: int = _MOST_BESIDE) -> Excerpt | Missing:
        """The pieces that ``quotes`` stand in, and those around them; or the first quote that is not in the source.

        ``claim`` is what they are quoted for; ``most_beside``: how many characters those around them may have.
        """
        spans: list[tuple[int, int]] = []
        for quote in quotes:
            found = self.context.evidence.spans(quote, claim)
            if isinstance(found, Missing):
                return found
            spans += [(start, end) for start, end, _ in found]
        if not spans:
            return Missing("", "quote_missing", "a claim without a quote")
        quoted = [n for n, piece in enumerate(self._pieces) if any(_meet(piece, *span) for span in spans)]
        return Excerpt(tuple(quoted), tuple(sorted(self._beside(quoted, most_beside))), tuple(self._passages(spans)))

    def like(self, text: str, most: int = 4) -> tuple[int, ...]:
        """The pieces that share most words with ``text``: where a quote that is not there may be meant to stand."""
        wanted = {word for word in text.casefold().split() if len(word) > 3}
        shared = [(len(wanted & words), -n) for n, words in enumerate(self._words)]
        return tuple(sorted(-n for count, n in sorted(shared, reverse=True)[:most] if count > 1))

    @cached_property
    def _words(self) -> list[set[str]]:
        return [set(self.text(n).casefold().split()) for n in range(len(self._pieces))]

    @cached_property
    def _pieces(self) -> tuple[_Piece, ...]:
        return tuple(_pieces(self._layout))

    def _passages(self, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
        layout = self._layout
        parts = {part for span in spans for at in layout.touched(*span) for part in layout.sentences(at, *span)}
        return (" ".join(layout.text[start:end].split()) for start, end in sorted(parts))

    def _beside(self, quoted: Sequence[int], room: int) -> Iterator[int]:
        """The nearest pieces of the blocks that speak with the quoted ones; always what heads and what dates them."""
        blocks = {self._pieces[n].block for n in quoted}
        near = {other for at in blocks for other in self._layout.around(at)} | blocks
        near |= {at - 1 for at in near if at and self._leads(at) and at not in blocks}
        days = {line for at in blocks for line in self.context.dated_by(at)}
        others = [n for n, piece in enumerate(self._pieces) if piece.block in near | days and n not in quoted]
        for n in sorted(others, key=lambda n: min(abs(n - other) for other in quoted)):
            size = self._pieces[n].end - self._pieces[n].start
            is_above = self.kind(n) == "heading" or self._pieces[n].block in days
            if is_above and self._pieces[n].block not in blocks:
                yield n
            elif size <= room:
                room -= size
                yield n

    def _leads(self, at: int) -> bool:
        """True for a paragraph that only leads to what follows; what it speaks of stands before it."""
        block = self._layout.blocks[at]
        return block.kind == "paragraph" and self._layout.of(block).rstrip().endswith(":")


def indented(text: str) -> str:
    """``text`` four columns in, so that no line of it passes for what only code writes at the left."""
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "    ", lambda _: True)


def _pieces(layout: Layout) -> Iterator[_Piece]:
    for at, block in enumerate(layout.blocks):
        if block.end - block.start <= _LONGEST:
            yield _Piece(block.start, block.end, at)
            continue
        start = block.start
        while start < block.end:
            end = _end_of_piece(layout, at, start)
            yield _Piece(start, end, at)
            start = end


def _end_of_piece(layout: Layout, at: int, start: int) -> int:
    """Where a piece of a long block ends: at the last end of a sentence, row or line that fits, else where it is full."""
    full = min(start + _LONGEST, layout.blocks[at].end)
    ends = [end for _, end in layout.sentences(at, start, full) if start < end <= full]
    return max(ends, default=full)


def _meet(piece: _Piece, start: int, end: int) -> bool:
    return piece.start < end and piece.end > start
