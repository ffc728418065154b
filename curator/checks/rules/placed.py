"""Rules on where a new statement is put: under a lead-in or a heading of others, which says something of all below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.english.words import phrase
from curator.wiki.naming.labels import USUAL
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.support.context import Context
from curator.wiki.support.written import held_citations, names_of

_NO_MORE = (
    r"former(?:ly)?|rejected|obsolete|outdated|withdrawn|superseded|replaced|deprecated|abolished|abandoned|repealed|refuted"
    r"|disproved|discarded|turned down|voted down|not (?:adopted|in force|done)|myths?|misconceptions?|popular errors?"
    r"|falsehoods?|legends?|rumou?rs?"
)
_SETS_ASIDE = re.compile(rf"\b(?:{_NO_MORE})\b", re.IGNORECASE)
"""What a heading says of all that stands under it: it is not so, or no more."""
_IS_ASIDE = re.compile(
    rf"\b(?:{_NO_MORE}|instead|rather|until|once|used to|earlier|originally|previous(?:ly)?|old(?:er)?"
    r"|reject\w*|remov\w+|dropp?\w*|decid\w+ against|declin\w+|considered|proposed|suggested|alternatives?|abolish\w*"
    r"|repeal\w*|withdr\w+|superse\w+|replac\w+|deprecat\w+|was|were|had|would|could|fals\w+|wrong\w*|believ\w+)\b",
    re.IGNORECASE,
)
"""What a source says of such a thing itself."""
_DUTY = re.compile(r"\b(?:must|shall)\b", re.IGNORECASE)
"""What else stands there may be a reason for it."""


def item_led(change: Change) -> Iterator[Finding]:
    """item_led: a new item goes into no list that a lead-in of another source opens ("may leave out the steps below:") but
    where its own source says as much of it.
    """
    for edit in edits(change):
        held, new = held_citations(edit.page, change.evidence), set(edit.claims)
        lead: Block | None = None
        for block in edit.page.outline.blocks if held and edit.old is not None else ():
            if block.kind != "item":
                leads = block.kind == "paragraph" and without_marks(block.text).rstrip().endswith(":")
                lead = block if leads else None
            elif lead is None or block not in new or lead in new or held.keys() & set(lead.citations):
                continue
            elif not _says(change, edit.page, block, held, without_marks(lead.text)):
                message = f"another source leads in items of its own by {shortened(lead.text)}: {shortened(block.text)}"
                yield Finding("item_led", edit.page.path, message, edit.line(block), hint="make a sentence of it")


def heading_misleads(change: Change) -> Iterator[Finding]:
    """heading_misleads: under a heading that says of what stands there that it is not so, or no more ("Rejected ideas",
    "Former rules"), stands no new duty ("must", "shall") but where its source says something of that kind.
    """
    for edit in edits(change):
        held, new = held_citations(edit.page, change.evidence), set(edit.claims)
        above: list[Block] = []
        for block in edit.page.outline.blocks if held else ():
            if block.kind == "heading":
                above = [*(each for each in above if each.level < block.level), block]
            elif block in new and held.keys() & set(block.citations) and _DUTY.search(block.text):
                aside = next((each for each in above if each.level > 1 and _SETS_ASIDE.search(each.text)), None)
                if aside is not None and not _is_aside(change, edit.page, block, held):
                    message = f"its source does not say so of it: {shortened(block.text)} under {shortened(aside.text)}"
                    yield Finding("heading_misleads", edit.page.path, message, edit.line(block))


def _says(change: Change, page: Page, block: Block, held: Mapping[str, Citation], lead: str) -> bool:
    """True where the words cited, or what leads to them, say what ``lead`` says."""
    context = _context(change, page, block, held)
    led = [word for word in phrase(lead).content if word.stem not in context.known.stems | USUAL]
    return not any(word.stem not in context.led.stems and not context.stated.has_kin_of(word) for word in led)


def _is_aside(change: Change, page: Page, block: Block, held: Mapping[str, Citation]) -> bool:
    """True where the source says of the words cited, over them, before them or of itself, what such a heading says."""
    layout, context = change.judge.source.layout, _context(change, page, block, held)
    over = (layout.of(layout.blocks[each]) for at in context.touched for each in layout.blocks[at].headings)
    told = (block.text, context.stated.plain, context.led.plain, *over, *map(layout.of, layout.head))
    return not context.touched or any(_IS_ASIDE.search(text) for text in told)


def _context(change: Change, page: Page, block: Block, held: Mapping[str, Citation]) -> Context:
    spans = [change.evidence.place(held[label]) for label in block.citations if label in held]
    return Context(change.judge.source, tuple(span for span in spans if span is not None), names_of(page))
