"""Which pages a question is about: by the names that stand in it, then by its words, as the view at work ranks them.

What is shown costs the same whatever the size of the wiki: whole pages within a budget of tokens. Of a page that would take
more than half of it, the passages that share most words with the question are shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol

from curator.ask.search import QueryScope
from curator.models.extractive.terms.matching import Match, meaningful_words
from curator.models.port import estimate_tokens
from curator.models.question import PageReading, Passage, read_page
from curator.wiki.pages.names import keys_in
from curator.wiki.wiki import Wiki

_CONSIDERED = 40
_FENCE = 60
"""Tokens of the markers around a page."""
_LEAST = 200
"""Tokens below which no further page is looked for."""


class RankedPages(Protocol):
    """Full text over the pages."""

    def types(self) -> frozenset[str]: ...

    def any_of(self, text: str, limit: int, types: Collection[str] | None) -> list[tuple[str, float]]: ...


def readings(
    question: str, wiki: Wiki, index: RankedPages, scope: QueryScope, tokens: int, everywhere: bool
) -> tuple[PageReading, ...]:
    """The pages for ``question``, the likeliest first, within ``tokens``; ``everywhere`` leaves ``scope`` aside."""
    found: list[PageReading] = []
    room = tokens
    for slug in dict.fromkeys(_ranked(question, wiki, index, scope, everywhere)):
        page = wiki.page(slug) if room > _LEAST else None
        if page is None or not page.is_readable:
            continue
        reading = _fitted(read_page(page), question, room - _FENCE, tokens // 2)
        if reading is not None:
            found.append(reading)
            room -= estimate_tokens(reading.text) + _FENCE
    return tuple(found)


def _ranked(question: str, wiki: Wiki, index: RankedPages, scope: QueryScope, everywhere: bool) -> Iterator[str]:
    """Pages whose names stand in the question, those of most words first; then the best by full text."""
    named = wiki.named_all(keys_in(question))
    for key in sorted(named, key=lambda key: (-key.count(" "), question.casefold().find(key[:4]), key)):
        if scope.has(named[key], everywhere):
            yield named[key].slug
    words = " ".join(meaningful_words(question))
    types = scope.types(index.types(), everywhere)
    for hit in scope.find(lambda limit: index.any_of(words, limit, types), wiki.entry, _CONSIDERED, everywhere):
        yield hit.entry.slug


def _fitted(reading: PageReading, question: str, room: int, share: int) -> PageReading | None:
    """``reading`` within ``room``, and within the ``share`` of one page; None when there is no place for it."""
    cost = estimate_tokens(reading.text)
    if not reading.passages or (room < cost <= share):
        return None
    if cost <= min(room, share):
        return reading
    part = _part(reading, question, min(room, share))
    return reading.only(part) if part else None


def _part(reading: PageReading, question: str, room: int) -> list[Passage]:
    """The passages that fit the question best, and the first, which says what the page is about; in their order."""
    match = Match.of(question, (passage.text for passage in reading.passages))
    scores = {n: match.share(passage.text) + (n == 0) for n, passage in enumerate(reading.passages)}
    chosen: list[int] = []
    for number in sorted(scores, key=lambda number: (-scores[number], number)):
        passage = reading.passages[number]
        cost = estimate_tokens(f"{passage.head}\n{passage.text}\n\n")
        if scores[number] and cost <= room:
            chosen.append(number)
            room -= cost
    return [reading.passages[number] for number in sorted(chosen)]
