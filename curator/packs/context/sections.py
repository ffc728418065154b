"""Markdown cut into sections: what a resolver chooses between, each with its heading, its line and what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.models.port import estimate_tokens
from curator.wiki.pages.citation import Citation, marks_in, quote_path, replace_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import with_plain_links

LONGEST = 240
"""Tokens after which a section under one heading is cut, between two blocks."""
_ANCHOR = re.compile(r"\[source:\s{0,99}([^\[\]\n]{1,1000}?)\s{0,99}\]")
_SOURCES = re.compile(r"[ \t]{0,8}" + _ANCHOR.pattern)


@dataclass(frozen=True)
class KnowledgeSection:
    """A part of one file, with what stands over it."""

    path: str
    line: int
    """Where it begins in the file."""
    headings: tuple[str, ...]
    """Those over it, the outermost first."""
    text: str
    anchors: tuple[str, ...] = ()
    """What it cites: ``sources/sheet.md#L12``."""
    citations: tuple[Citation, ...] = ()
    """Those of them that have the words of the source."""
    pointer: str = ""
    """Where it stands in JSON: ``/claims/3``."""

    @property
    def heading(self) -> str:
        """``Pricing > Limits``."""
        return " > ".join(self.headings)

    @property
    def plain(self) -> str:
        """Its text without what it cites."""
        return _SOURCES.sub("", self.text)

    @property
    def place(self) -> str:
        return f"{self.path}#{self.pointer or f'L{self.line}'}"

    @property
    def shown(self) -> str:
        """As it stands in a context."""
        title = f"## {self.place}" + (f" ({self.heading})" if self.heading else "")
        return f"{' '.join(title.split())}\n{self.text}"

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.shown) + 1


def sections_of(page: Page, *, cites: bool = True) -> tuple[KnowledgeSection, ...]:
    """The sections of a file in order. ``cites``: footnotes become ``[source: ...]`` behind the words; else they go."""
    return tuple(_section(page, over, blocks, cites) for over, blocks in _groups(page) if _has_words(page, blocks))


def _groups(page: Page) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Neighbouring blocks under one heading, of at most ``LONGEST`` tokens unless it is one block."""
    over: dict[int, str] = {}
    group: list[Block] = []
    for block in page.outline.blocks:
        if block.kind == "note" or (block.kind == "html" and block.text.lstrip().startswith("<!--")):
            continue
        if block.kind == "heading":
            if group:
                yield tuple(over.values()), group
            group = []
            over = {level: title for level, title in over.items() if level < block.level}
            over[block.level] = " ".join(block.text.split())
            continue
        if group and estimate_tokens(page.body[group[0].start : block.end]) > LONGEST:
            yield tuple(over.values()), group
            group = []
        group.append(block)
    if group:
        yield tuple(over.values()), group


def _has_words(page: Page, blocks: Sequence[Block]) -> bool:
    return any(re.search(r"\w", page.body[block.start : block.end]) for block in blocks)


def _section(page: Page, over: tuple[str, ...], blocks: Sequence[Block], cites: bool) -> KnowledgeSection:
    linked = with_plain_links(page, blocks[0].start, blocks[-1].end)
    written = re.sub(r"<!--.*?(?:-->|\Z)", "", linked, flags=re.DOTALL).strip("\n")
    labels = [label for label in marks_in(written) if label in page.citations]
    citations = tuple(dict.fromkeys(page.citations[label] for label in labels))
    anchors = (*(_anchor_of(each) for each in citations), *_ANCHOR.findall(written))

    def told(label: str) -> str:
        known = page.citations.get(label) if cites else None
        return f" [source: {_anchor_of(known)}]" if known is not None else ""

    text = replace_marks(written, told, spaced=True)
    if not cites:
        text = _SOURCES.sub("", text)
    line = page.line_of(blocks[0].line)
    return KnowledgeSection(page.path, line, over, text, tuple(dict.fromkeys(anchors)), citations)


def _anchor_of(citation: Citation) -> str:
    return f"{quote_path(citation.path)}#{citation.anchor}"
