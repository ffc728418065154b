"""Statements of one page that contradict each other, as the leads before them say, and which of two is to stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from curator.wiki.pages import editing
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.frontmatter import ABSENT
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki


@dataclass(frozen=True)
class OpenDispute:
    """A statement, and one below it that stands as its contradiction."""

    statement: Block
    against: Block

    def settled(self, body: str, stands: Block) -> str:
        """``body`` in which that one stands first, and the other behind it as outweighed; both keep their proofs."""
        one, other = (_split(body, block) for block in (self.statement, self.against))
        kept, outweighed = (one, other) if stands == self.statement else (other, one)
        first, second = one[0] + kept[1], f"{other[0]}{editing.OUTWEIGHED} {outweighed[1]}"
        between = body[self.statement.end : self.against.start]
        return body[: self.statement.start] + first + between + second + body[self.against.end :]


@dataclass(frozen=True)
class Pile:
    """What a page says of one thing by sources that disagree."""

    standing: tuple[Block, ...]
    """The statement that has no lead, and those below it of which nobody knows whether it or they hold."""
    outweighed: tuple[Block, ...] = ()
    """Those below that hold no more, or less than it."""

    def with_(self, block: Block, lead: str) -> Pile:
        if lead in editing.OPEN:
            return replace(self, standing=(*self.standing, block))
        return replace(self, outweighed=(*self.outweighed, block))

    @property
    def last(self) -> Block:
        return max((*self.standing, *self.outweighed), key=lambda block: block.start)


def pile_of(page: Page, block: Block) -> Pile:
    """The pile that ``block`` is of; it alone where it is of none."""
    return next((pile for pile in _piles(page) if block in (*pile.standing, *pile.outweighed)), Pile((block,)))


def open_disputes(page: Page) -> Iterator[OpenDispute]:
    """Each statement of ``page`` that stands undecided below the nearest one above it that has no lead."""
    for pile in _piles(page):
        yield from (OpenDispute(pile.standing[0], each) for each in pile.standing[1:])


def led(page: Page) -> Iterator[OpenDispute]:
    """The same of all that has a lead."""
    for pile in _piles(page):
        below = sorted((*pile.standing[1:], *pile.outweighed), key=lambda block: block.start)
        yield from (OpenDispute(pile.standing[0], each) for each in below)


def _piles(page: Page) -> Iterator[Pile]:
    pile: Pile | None = None
    for block in page.outline.blocks:
        is_claim = block.kind in CLAIMS
        lead = editing.lead_of(_bare(page, block)) if is_claim else ""
        if pile is not None and lead and "row" not in (block.kind, pile.standing[0].kind):
            pile = pile.with_(block, lead)
        elif block.kind == "heading" or (is_claim and not lead):
            if pile is not None:
                yield pile
            pile = Pile((block,)) if is_claim else None
    if pile is not None:
        yield pile


def _bare(page: Page, block: Block) -> str:
    return editing.without_bullet(page.body[block.start : block.end])


def freed(page: Page, going: Collection[Block]) -> Iterator[Block]:
    """The statements of ``page`` that stand by themselves again when ``going`` are gone: the first of what each of
    these had outweighed, or was contradicted by.
    """
    gone: Block | None = None
    for block in page.outline.blocks:
        lead = editing.lead_of(_bare(page, block))
        if block.kind == "heading" or (block.kind in CLAIMS and not lead):
            gone = block if block in going else None
        elif block.kind in CLAIMS and gone is not None and block not in going and lead != editing.IN_A_TABLE:
            yield block
            gone = None  # those below stand to this one as they stood to what is gone


def over(before: Page, after: Page) -> set[str]:
    """The sources that an open contradiction on a page rested on, and that none on it rests on any more."""
    return _rested_on(before) - _rested_on(after)


def between(one: Page, other: Page, source: str) -> bool:
    """True when one of the two has an open contradiction by ``source``, which the other cites."""
    return any(source in _rested_on(page) and there.cites(source) for page, there in ((one, other), (other, one)))


def unmarked(wiki: Wiki, before: Page, after: Page) -> tuple[Wiki, list[str]]:
    """``wiki`` in which ``after`` contradicts no summary of a source that no open contradiction on it rests on any more, as
    on the page ``before``; and which these are."""
    ended, slugs = over(before, after), []
    for slug in after.contradicts:
        other = wiki.page(slug)
        if other is not None and other.kind == "summary" and ended & {c.path for c in other.citations.values()}:
            wiki = at_peace(wiki, after.path, other.path)
            slugs.append(slug)
    return wiki, slugs


def at_peace(wiki: Wiki, one: str, other: str) -> Wiki:
    """``wiki`` in which the pages at these two paths contradict each other no more."""
    for path, against in ((one, other), (other, one)):
        page, there = wiki.page_at(path), wiki.page_at(against)
        if page is not None and there is not None and there.slug in page.contradicts:
            left = [slug for slug in page.contradicts if slug != there.slug]
            wiki = wiki.with_page(page.with_fields(contradicts=left or ABSENT))
    return wiki


def _rested_on(page: Page) -> set[str]:
    return {path for each in open_disputes(page) for path in sources_of(page, each.against)}


def sources_of(page: Page, block: Block) -> set[str]:
    """The sources that a statement cites."""
    return {page.citations[label].path for label in block.citations if label in page.citations}


def without_leads(page: Page) -> Page:
    """``page`` with its statements as they are without what says how they stand to each other."""
    body = page.body
    for block in reversed([block for block in page.outline.blocks if block.kind in CLAIMS]):
        body = body[: block.start] + editing.without_lead(body[block.start : block.end]) + body[block.end :]
    return page.with_body(body)


def _split(body: str, block: Block) -> tuple[str, str]:
    """The bullet of a statement, and what it says, without a lead."""
    text = editing.without_lead(body[block.start : block.end])
    said = editing.without_bullet(text) if block.kind == "item" else text
    return text[: len(text) - len(said)], said
