"""A page, cut into passages: a block each, with the headings over it and the citations that prove it."""

from __future__ import annotations

import re

from curator.wiki.pages import tables
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import CLAIMS, is_navigation
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.support.written import names_of

_BULLET = re.compile(r"\A\s*(?:[-*+]|\d+[.)])[ \t]+")
_QUOTED_LINE = re.compile(r"\n[ \t]*(?:>[ \t]?)+")
_LONGEST_LEAD = 300


def read_page(page: Page) -> Reading:
    """The whole ``page`` as passages; its footnotes become the citations of the passages."""
    heads = tables.heads_of_rows(page.body, page.outline, lambda table: _head(page, table))
    passages: list[Passage] = []
    over: dict[int, str] = {}
    lead = ""
    for block in page.outline.blocks:
        if block.kind == "heading":
            over = {level: title for level, title in over.items() if level < block.level}
            over[block.level] = " ".join(block.text.split())
        is_claim = block.kind in CLAIMS and not is_navigation(block)
        if block.kind == "code" or is_claim:
            citations = [page.citations[label] for label in block.citations if label in page.citations]
            headings = tuple(title for title in over.values() if title != page.title)
            text, leads_in = _words(page, block), lead if block.kind == "item" else ""
            at = f"L{page.line_of(block.line)}"
            passages.append(
                Passage(block.kind, text, tuple(citations), heads.get(block.line, ""), headings, at, leads_in)
            )
        if block.kind != "item":
            text = passages[-1].text if is_claim else ""
            lead = text if text.endswith(":") and len(text) <= _LONGEST_LEAD else ""
    return Reading(page.slug, page.path, page.title, names_of(page), tuple(passages), page)


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


def _head(page: Page, table: tables.Table) -> str:
    end = page.body.find("\n", table.start)
    return f"| {' | '.join(tables.cells(_plain(page, table.start, end)))} |\n{table.rules.strip()}"
