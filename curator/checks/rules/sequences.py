"""Rules on lists whose items say something by where they stand: steps in their order, items under what leads to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, raw
from curator.checks.rules.frames import parent_of
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.english.words import phrase
from curator.wiki.naming.labels import USUAL
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.layout import Layout
from curator.wiki.support.context import Context
from curator.wiki.support.rules.negating import is_not
from curator.wiki.support.rules.other_things import REFERS
from curator.wiki.support.written import held_citations, names_of

_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)]\s")
_STEPS = re.compile(
    r"\b(?:first|firstly|then|next|finally|last|lastly|afterwards|second|secondly|third|thirdly)\b", re.I
)
_FEWEST, _MARKS = 3, 2
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|may|might|must|can|cannot|could|should|shall|will|would|do|does|did)\b"
)
_LONGEST_FRAGMENT = 8
"""Words of an item that is none of a sentence, and says nothing without what leads to it."""


def list_order(change: Change) -> Iterator[Finding]:
    """list_order: a new numbered list has the steps of a numbered list, or of a paragraph that counts, in their order."""
    layout = change.judge.source.layout
    for edit in edits(change):
        held, new = held_citations(edit.page, change.evidence), set(edit.claims)
        for items in _numbered(edit) if held else ():
            places = [_place(change, block, held) for block in items]
            told = [place for place in places if place is not None]
            if len(items) < _FEWEST or len(told) < len(items) or not new.intersection(items):
                continue
            if _is_one_sequence(layout, told) and any(one > other for one, other in pairwise(told)):
                message = f"these steps stand in another order in the source: {shortened(items[0].text)}"
                yield from (Finding("list_order", edit.page.path, message, edit.line(each)) for each in items)


def item_misled(change: Change) -> Iterator[Finding]:
    """item_misled: a few words that are an item of a list of the source stand under nothing that leads to another one.

    Those out of a sentence stand under nothing of which that sentence has no word.
    """
    layout = change.judge.source.layout
    leading = cache(lambda: _leading(layout))  # of the whole source, once, and only where a page has such an item
    for edit in edits(change):
        held, new = held_citations(edit.page, change.evidence), set(edit.claims)
        heading, lead, column, is_nested = "", "", -1, False
        shown = [block for block in edit.page.outline.blocks if block.kind != "note"]
        for block in shown if held else ():
            at = block.start - edit.page.body.rfind("\n", 0, block.start) if block.kind == "item" else -1
            if 0 < at <= column and is_nested:
                lead, column = "", -1  # the list that the item led to has ended
            is_nested = 0 < column < at
            if block.kind == "heading":
                heading, lead, column = words_of(block.text), "", -1
            elif block.kind == "paragraph":
                column = -1
                lead = words_of(block.text) if without_marks(block.text).rstrip().endswith(":") else ""
            elif block.kind == "item" and without_marks(block.text).rstrip().endswith(":"):
                lead, column = words_of(without_marks(block.text)), at
            elif block.kind == "item" and block in new and _is_fragment(block):
                place, parent = _place(change, block, held), parent_of(edit.page, shown, block)
                above = lead if parent is None else words_of(without_marks(parent.text))
                if place is not None and (
                    _stands_elsewhere(layout, leading(), place, heading, lead)
                    or _is_of_another(change, edit.page, block, held, above)
                ):
                    where = shortened(above or heading)
                    message = f"in the source this does not stand under {where}: {shortened(block.text)}"
                    yield Finding("item_misled", edit.page.path, message, edit.line(block))


def _is_of_another(change: Change, page: Page, block: Block, held: Mapping[str, Citation], above: str) -> bool:
    """True for words out of sentences that share no word with what they are put under, but the page's names."""
    spans = [change.evidence.place(held[label]) for label in block.citations if label in held]
    context = Context(change.judge.source, tuple(span for span in spans if span is not None), names_of(page))
    led = [word for word in phrase(above).content if word.stem not in context.known.stems | USUAL]
    refers = any(words[0].lower in REFERS for words in context.stated.sentences)
    own = {word.stem for word in phrase(block.text).content}
    about = [words for words in context.stated.sentences if own & {word.stem for word in words}]
    denied = bool(about) and all(any(map(is_not, words)) for words in about)
    is_turned = denied and not any(map(is_not, phrase(f"{above} {block.text}").words))
    is_strange = not refers and not any(context.stated.has_kin_of(word) for word in led)
    return bool(led) and context.kinds == {"paragraph"} and (is_turned or is_strange)


def _numbered(edit: Edit) -> Iterator[list[Block]]:
    """The runs of numbered items of a page."""
    blocks = [block for block in edit.page.outline.blocks if block.kind != "note"]
    for is_item, run in groupby(
        blocks, lambda block: block.kind == "item" and bool(_NUMBERED.match(raw(edit.page, block)))
    ):
        if is_item:
            yield list(run)


def _place(change: Change, block: Block, held: Mapping[str, Citation]) -> int | None:
    """Where in the source the last words stand that ``block`` cites."""
    spans = [change.evidence.place(held[label]) for label in block.citations if label in held]
    return max((span[0] for span in spans if span is not None), default=None)


def _is_one_sequence(layout: Layout, places: Sequence[int]) -> bool:
    touched = [layout.touched(place, place + 1) for place in places]
    first = {at[0] for at in touched if at}
    if len(first) == 1:
        return len(_STEPS.findall(layout.of(layout.blocks[min(first)]))) >= _MARKS
    run = set(layout.run(min(first))) if first else set()
    return first <= run and all(_NUMBERED.match(layout.of(layout.blocks[at])) for at in first)


def _is_fragment(block: Block) -> bool:
    return len(block.text.split()) <= _LONGEST_FRAGMENT and not _VERBS.search(block.text)


def _leading(layout: Layout) -> tuple[dict[str, int], frozenset[str]]:
    """The lead-ins of a source, each with the number of its block, and its headings; both by their words alone."""
    leads = {words_of(layout.of(block)): index for index, block in enumerate(layout.blocks) if _leads(layout, index)}
    return leads, frozenset(words_of(_titled(layout.of(each))) for each in layout.blocks if each.kind == "heading")


def _stands_elsewhere(
    layout: Layout, leading: tuple[dict[str, int], frozenset[str]], place: int, heading: str, lead: str
) -> bool:
    """True for an item of the source that stands under another heading, or lead-in, of the source than ``heading``."""
    at = next(iter(layout.touched(place, place + 1)), None)
    if at is None:
        return False
    is_item = layout.blocks[at].kind == "item"
    leads, headings = leading
    if lead or not is_item:  # what leads in another list is quoted for it
        led = at
        while (
            led >= 0 and layout.blocks[led].kind == "item"
        ):  # a list within an item stands under what leads to that one, too
            led = min(layout.run(led)) - 1
        return lead in leads and leads[lead] != led and (is_item or at in leads.values())
    above = {words_of(_titled(layout.of(layout.blocks[each]))) for each in layout.blocks[at].headings}
    return bool(heading) and heading in headings and heading not in above


def _leads(layout: Layout, at: int) -> bool:
    return layout.blocks[at].kind == "paragraph" and layout.of(layout.blocks[at]).rstrip().endswith(":")


def _titled(text: str) -> str:
    return text.strip().split("\n")[0].strip("#*_ ")
