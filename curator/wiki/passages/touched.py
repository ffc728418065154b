"""Which passages of a page a source touches: those of which one place of the source says something, too.

Shown as they are written, marks and links with them, so that an edit can name them; all headings of the page stand around.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import STOP
from curator.wiki.pages import editing, tables
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_source import passages_of
from curator.wiki.passages.passage import Passage
from curator.wiki.passages.ranking import terms
from curator.wiki.sources.source import Document

OMITTED = "[...]"
"""What stands for passages that are not shown."""
_LEAST_SHARED = 3
"""Telling words that a statement shares at least with one place of a source that touches it."""
_LEAST_COVERED = 0.28
"""The share of what a statement tells that this place has, too."""
_TURN = re.compile(
    r"\b(?:replac\w+|supersed\w+|deprecat\w+|obsolet\w+|no longer|instead|previous\w*|formerly|used to|until|since|as of"
    r"|chang\w+|renam\w+|remov\w+|extend\w+|relax\w+|now|new|unlike|contrary|however|correct\w+)\b",
    re.IGNORECASE,
)
"""Words by which a source says that something is not as it was."""
_TURNED, _OTHER_NUMBERS, _NAMED = 1.25, 1.25, 1.5
"""What a statement gains where the source turns from something there, has other numbers there, or names its page."""
_DENIES = re.compile(r"\b(?:no|not|never|none|cannot)\b|n't\b", re.IGNORECASE)
_DENIED, _MOSTLY = 2.0, 0.5
"""What a statement gains where of the two only one denies something, and both speak of half of the same at least."""
_REPLACED = 3.0
"""What a statement gains that rests on nothing but documents which the source replaces: it holds no more by itself."""
_LEAST_OF_REPLACED = 2
"""Telling words that such a one shares at least."""
_NUMBER = re.compile(r"\d[\d.,]*")
_USUAL = STOP | frozenset(map(stem, STOP))


@dataclass(frozen=True)
class Touched:
    """A statement or an example of a page, and how much a source speaks of it."""

    page: Page
    block: Block
    score: float
    covered: float
    """The share of what it tells that one place of the source has, too."""
    cites: bool = False
    """True when it cites the source, as it was before."""

    @property
    def text(self) -> str:
        return raw(self.page, self.block)


@dataclass(frozen=True)
class SourcePlaces:
    """A source, cut into the places that statements are compared with."""

    passages: tuple[Passage, ...]

    @classmethod
    def of(cls, document: Document, format: str) -> SourcePlaces:
        return cls(passages_of(document, format)[1])

    @cached_property
    def _by_term(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, passage in enumerate(self.passages):
            for term in set(terms(f"{passage.heading} {passage.text}")) - _USUAL:
                found.setdefault(term, []).append(number)
        return found

    def touched(self, page: Page, path: str, replaced: Set[str] = frozenset()) -> Iterator[Touched]:
        """The statements and examples of ``page`` that the source speaks of, or that cite the source at ``path``.

        ``replaced``: the paths of sources that it takes the place of.
        """
        own = {label for label, cited in page.citations.items() if cited.path == path}
        names = [frozenset(terms(name)) for name in (page.title, *page.aliases)]
        for block in page.outline.blocks:
            if block.kind in ("heading", "note", "html") or editing.is_navigation(block):
                continue
            words = frozenset(terms(_words(page, block))) - _USUAL
            number, shared, weight, covered = self._nearest(words)
            rests_on = {page.citations[label].path for label in block.citations if label in page.citations}
            is_replaced = bool(rests_on) and rests_on <= replaced and shared >= _LEAST_OF_REPLACED
            if not own.isdisjoint(block.citations):
                yield Touched(page, block, weight, covered, cites=True)
            elif is_replaced or (shared and shared >= min(_LEAST_SHARED, len(words)) and covered >= _LEAST_COVERED):
                said = _words(page, block)
                gain = self._gain(said, number, names) * (_REPLACED if is_replaced else 1.0)
                denies = bool(_DENIES.search(said)) != bool(_DENIES.search(self.passages[number].text))
                gain *= _DENIED if denies and covered >= _MOSTLY else 1.0
                yield Touched(page, block, round(weight * (0.4 + 0.6 * covered) * gain, 6), covered)

    def _nearest(self, words: frozenset[str]) -> tuple[int, int, float, float]:
        """The place that has most of ``words``: its number, how many it has, what they weigh, and their share."""
        rarest = math.log(1 + len(self.passages))
        weights: dict[int, float] = {}
        counts: dict[int, int] = {}
        total = 0.0
        for word in sorted(words):
            places = self._by_term.get(word, ())
            weight = math.log(1 + len(self.passages) / len(places)) if places else rarest
            total += weight
            for number in places:
                weights[number] = weights.get(number, 0.0) + weight
                counts[number] = counts.get(number, 0) + 1
        if not weights:
            return 0, 0, 0.0, 0.0
        best = min(weights, key=lambda number: (-round(weights[number], 6), number))
        return best, counts[best], weights[best], weights[best] / (total or 1.0)

    def _gain(self, words: str, number: int, names: Collection[frozenset[str]]) -> float:
        passage = self.passages[number]
        said = f"{passage.heading} {passage.text}"
        here = frozenset(terms(said))
        gain = _NAMED if any(name and name <= here for name in names) else 1.0
        if _TURN.search(passage.text):
            gain *= _TURNED
        numbers = set(_NUMBER.findall(words))
        if numbers and not numbers & set(_NUMBER.findall(said)) and _NUMBER.search(passage.text):
            gain *= _OTHER_NUMBERS
        return gain


def raw(page: Page, block: Block) -> str:
    """A block as it is written, with its bullet, its marks and its links."""
    start = page.body.rfind("\n", 0, block.start) + 1
    stop = page.body.find("\n", max(block.start, block.end - 1))
    lead = page.body[start : block.start]
    if lead.strip() and not editing.BULLET.fullmatch(lead):
        start = block.start
    return page.body[start : stop if stop >= 0 else None].rstrip()


def _words(page: Page, block: Block) -> str:
    """What a block says: of code and of a row, whose cells run into each other else, as it is written."""
    return without_marks(raw(page, block) if block.kind in ("code", "row") else block.text)


def opening(page: Page) -> Block | None:
    """The first statement of a page: what the thing is."""
    return next((block for block in page.outline.blocks if block.kind in editing.CLAIMS), None)


def shown(page: Page, blocks: Collection[Block], *, headings: bool = True) -> str:
    """``page`` with these blocks and all its headings, or none; ``OMITTED`` where something is not shown."""
    starts = {block.start for block in blocks}
    heads = tables.heads_of_rows(
        page.body, page.outline, lambda table: page.body[table.start : table.rows[0].start].rstrip()
    )
    parts: list[str] = []
    for block in page.outline.blocks:
        if block.kind == "note" or (block.kind == "heading" and (block.level == 1 or not headings)):
            continue
        if block.kind != "heading" and block.start not in starts:
            if parts[-1:] != [OMITTED]:
                parts.append(OMITTED)
            continue
        head = heads.get(block.line, "")
        if head and head not in parts:
            parts.append(head)
        parts.append(raw(page, block))
    return editing.join(parts)
