"""A question to the wiki, and the pages as a model is shown them: passages, with the citations that prove them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from curator.errors import ConfigError
from curator.finding import Finding
from curator.wiki.pages import tables
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.editing import CLAIMS, is_navigation
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.source import Document
from curator.wiki.workspace.workspace import CurationPolicy

LONGEST = 1000
"""The most characters a question may have."""
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])[ \t]+")
_QUOTED_LINE = re.compile(r"\n[ \t]*(?:>[ \t]?)+")


@dataclass(frozen=True)
class Passage:
    """One paragraph, list item, table row or code block as it reads: links by their words, no citation marks.

    Blocks of links that only lead to other pages are no passages.
    """

    kind: str
    text: str
    citations: tuple[Citation, ...] = ()
    head: str = ""
    """For a table row: the head of its table, and the rule under it."""


@dataclass(frozen=True, eq=False)
class PageReading:
    """A page as a model is shown it. Compared by identity."""

    page: Page
    passages: tuple[Passage, ...]
    text: str
    """The whole page in order, headings included."""
    is_whole: bool = True

    @property
    def slug(self) -> str:
        return self.page.slug

    def only(self, passages: Sequence[Passage]) -> PageReading:
        """The same page with these passages only."""
        text = "\n\n".join(f"{each.head}\n{each.text}".strip() for each in passages)
        return PageReading(self.page, tuple(passages), text, is_whole=False)

    def find(self, words: str) -> tuple[Passage, ...] | Missing:
        """The passages in which ``words`` stand, by the same tolerance as quotes of sources."""
        found = self._evidence.find(words)
        if isinstance(found, Missing):
            return found
        numbers = [number for citation in found for number in _span(citation)]
        return tuple(self.passages[number - 1] for number in dict.fromkeys(numbers))

    @cached_property
    def _evidence(self) -> Evidence:
        """Each passage is a line; so the anchor of what is found says which."""
        lines = tuple((number, passage.text) for number, passage in enumerate(self.passages, start=1))
        return Evidence(self.page.path, Document(lines or ((1, ""),)))


@dataclass(frozen=True)
class Question:
    """All that a model is given to answer: the question, the pages and the policy of the wiki."""

    text: str
    readings: tuple[PageReading, ...]
    """The pages that the question is about, best match first."""
    policy: CurationPolicy = CurationPolicy()
    faults: tuple[Finding, ...] = ()
    """What was wrong with ``previous``; set in the one repair round."""
    previous: str = ""

    def again(self, previous: str, faults: tuple[Finding, ...]) -> Question:
        """The question for the repair round: the same, with the reply and what was wrong with it."""
        return replace(self, previous=previous, faults=faults)

    def reading(self, slug: str) -> PageReading | None:
        return next((reading for reading in self.readings if reading.slug == slug), None)


def normalize_question(text: str) -> str:
    """A typed question as one line of printable characters. Raises ConfigError when it is empty or too long."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not re.search(r"\w", flat):
        raise ConfigError("question_empty", f"there is no question in {flat!r}", "ask in words")
    if len(flat) > LONGEST:
        message = f"the question has {len(flat):,} characters; at most {LONGEST:,}"
        raise ConfigError("question_too_long", message, "ask in fewer words; a document is taken in with curate ingest")
    return flat


def read_page(page: Page) -> PageReading:
    """The whole ``page`` as passages; its footnotes become the citations of the passages."""
    heads = _heads(page)
    passages, parts = [], []
    at = 0
    for block in page.outline.blocks:
        if block.kind in ("note", "code"):
            parts.append(_plain(page, at, block.start))
            parts.append(page.body[block.start : block.end] if block.kind == "code" else "")
            at = block.end
        if block.kind == "code" or (block.kind in CLAIMS and not is_navigation(block)):
            citations = [page.citations[label] for label in block.citations if label in page.citations]
            passages.append(Passage(block.kind, _words(page, block), tuple(citations), heads.get(block.line, "")))
    parts.append(_plain(page, at, len(page.body)))
    return PageReading(page, tuple(passages), re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip())


def _words(page: Page, block: Block) -> str:
    if block.kind == "code":
        return page.body[block.start : block.end]
    text = _QUOTED_LINE.sub("\n", _plain(page, block.start, block.end))
    return " ".join(_BULLET.sub("", text, count=1).split() if block.kind == "item" else text.split())


def _plain(page: Page, start: int, end: int) -> str:
    """A stretch of the body with links to pages by their words, and without citation marks."""
    return without_marks(with_plain_links(page, start, end))


def with_plain_links(page: Page, start: int, end: int) -> str:
    """A stretch of the body with links to pages by their words, which costs fewer tokens and says the same."""
    pieces, at = [], start
    for link in page.outline.links:
        if link.form == "wiki" and start <= link.start and link.end <= end:
            written = page.body[link.start : link.end].removeprefix("[[").removesuffix("]]")
            pieces += [page.body[at : link.start], written.rpartition("|")[2]]
            at = link.end
    return "".join([*pieces, page.body[at:end]])


def _heads(page: Page) -> dict[int, str]:
    """The head of its table for each row, by the row's line in the body."""
    if not any(block.kind == "row" for block in page.outline.blocks):
        return {}
    return {
        page.body.count("\n", 0, row.start) + 1: f"| {' | '.join(table.head)} |\n{table.rules.strip()}"
        for table in tables.tables(page.body)
        for row in table.rows
    }


def _span(citation: Citation) -> range:
    place = citation.place
    return range(place.first, place.last + 1) if place is not None else range(0)
