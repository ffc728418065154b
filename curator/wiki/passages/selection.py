"""Which passages of pages and sources are shown for a question, within a budget.

Both are ranked by one measure, and what plain full text finds first counts more. What has nothing to say beside a passage
that is shown is left out. Several documents get room: each further passage of one counts a little less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush

from curator.wiki.pages.citation import Anchor
from curator.wiki.passages.passage import Passage, Reading, joined, overlap
from curator.wiki.passages.ranking import PassageQuery, RankedText

_BEST = 5
"""How many of the best passages say which words the question leaves unsaid, and what a document is worth."""
_DOCUMENT = 0.4
"""What a passage gets of the worth of its document: what speaks of the matter all over speaks of it here."""
_FIRST = 0.5
"""What plain full text finds first gains by that: two rankings that err differently err less together."""
_OPENING = 1.25
"""What the opening of a page gains whose name stands in the question: it says what the thing is."""
_AGAIN = 0.93
"""What each further passage of one document counts, compared to the one before."""
_MISSING = 0.15
"""The share of its words that what a passage cites, or what cites it, may be without and still say the same."""
_LEAST = 12
"""Tokens below which nothing more is looked for."""
Cost = Callable[[str], int]


@dataclass(eq=False)
class Candidate:
    """A passage that may be shown."""

    reading: Reading
    number: int
    """Of the passage among those of its document."""
    passage: Passage
    place: int | None = None
    """From 0: of a source's passage by plain full text, of a page's among those of pages; None where it has none."""
    score: float = 0.0
    """By its own words, and those over it."""
    fused: float = 0.0
    """With what its document and its twins add."""
    twins: list[Candidate] = field(default_factory=list)
    """Of a page's statement the passages of sources that it cites, and the other way round."""

    @property
    def _beside(self) -> str:
        """What stands right before and behind it under the same heading."""
        if self.reading.is_source:
            return self.passage.beside
        passages, at = self.reading.passages, self.number
        near = (*passages[max(0, at - 1) : at], *passages[at + 1 : at + 2])
        return " ".join(each.text for each in near if each.headings == self.passage.headings)

    @cached_property
    def ranked(self) -> RankedText:
        passage, names = self.passage, " ".join(self.reading.names)
        lead = f"{passage.lead} {passage.head}".strip()
        return RankedText(passage.text, names, passage.heading, lead, self._beside)

    @cached_property
    def alone(self) -> Reading:
        return self.reading.only([self.passage])

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.ranked.terms)


def candidates_of(readings: Sequence[Reading]) -> list[Candidate]:
    return [
        Candidate(reading, number, passage) for reading in readings for number, passage in enumerate(reading.passages)
    ]


def fuse(
    query: PassageQuery, pages: Sequence[Candidate], sources: Sequence[Candidate], named: Collection[str] = ()
) -> list[Candidate]:
    """All that have something of the question, best first; then what stands beside it on the same pages.

    ``named``: the slugs of pages whose names stand in the question: their openings say what these things are.
    """
    _link(pages, sources)
    found = _scored(query, [*pages, *sources], named)
    texts = [each.ranked for each in found]
    found = _scored(query.widened([(each.ranked, each.score) for each in found[:_BEST]], texts), found, named)
    for place, each in enumerate(one for one in found if not one.reading.is_source):
        each.place = place
    by_document: dict[Reading, list[float]] = {}
    for each in found:
        by_document.setdefault(each.reading, []).append(each.fused)
    for each in found:
        places = [one.place for one in (each, *each.twins) if one.place is not None]
        first = 1 + _FIRST / (1 + min(places) / 10) if places else 1.0
        each.fused = round((each.fused + _DOCUMENT * sum(by_document[each.reading][:_BEST]) / _BEST) * first, 6)
    found.sort(
        key=lambda each: (-each.fused, each.reading.is_source, each.reading.is_summary, each.reading.path, each.number)
    )
    order = {reading: number for number, reading in enumerate(dict.fromkeys(each.reading for each in found))}
    beside = (each for each in pages if not each.score and each.reading in order)
    return [*found, *sorted(beside, key=lambda each: (order[each.reading], each.number))]


def _scored(query: PassageQuery, group: Sequence[Candidate], named: Collection[str]) -> list[Candidate]:
    """Those that have something of ``query``, best first."""
    for each in group:
        opens = each.number == 0 and each.reading.name in named
        each.score = each.fused = query.score(each.ranked) * (_OPENING if opens else 1.0)
    return sorted(
        (each for each in group if each.score), key=lambda each: (-each.score, each.reading.path, each.number)
    )


def _link(pages: Sequence[Candidate], sources: Sequence[Candidate]) -> None:
    places: dict[str, list[tuple[Candidate, Anchor | None]]] = {}
    for each in sources:
        places.setdefault(each.reading.path, []).append((each, Anchor.parse(each.passage.anchor)))
    for page in pages:
        for citation in page.passage.citations:
            for source, place in places.get(citation.path, ()):
                if overlap(citation.place, place) and source not in page.twins:
                    page.twins.append(source)
                    source.twins.append(page)


@dataclass(frozen=True)
class Selection:
    """What is shown, document by document, each in its own order."""

    shown: tuple[Reading, ...] = ()
    unshown: tuple[Reading, ...] = ()
    """What pages say in the very words of a source that are shown."""


def choose(
    ranked: Sequence[Candidate],
    tokens: int,
    cost: Cost,
    settle: Callable[[Candidate], Passage | None] = lambda each: each.passage,
) -> Selection:
    """The best of ``ranked`` that fit into ``tokens``.

    What a page says in the words of a source that is shown comes only when there is room left for it.
    ``settle`` gives the passage as it is shown, None where it is not after all; it is asked only of what would be.
    """
    chosen: dict[Reading, dict[int, Passage]] = {}
    unshown: dict[Reading, dict[int, Passage]] = {}
    told: list[Candidate] = []
    repeated: list[int] = []
    room = tokens
    queue = [(-each.fused, place) for place, each in enumerate(ranked)]
    heapify(queue)
    while (queue or repeated) and room > _LEAST:
        if not queue:
            told, queue, repeated = [], [(0.0, place) for place in repeated], []
        key, place = heappop(queue)
        each = ranked[place]
        now = -each.fused * _AGAIN ** len(chosen.get(each.reading, ()))
        if now > key:
            heappush(queue, (now, place))
            continue
        saying = [one for one in told if _says_all(one, each)]
        if saying and not each.reading.is_source and all(one.reading.is_source for one in saying):
            repeated.append(place)
            unshown.setdefault(each.reading, {})[each.number] = each.passage
        if saying or cost(each.passage.text) > room:
            continue
        mine = chosen.get(each.reading, {})
        price = _price(each, mine, cost)
        passage = settle(each) if price <= room else None
        if passage is None:
            continue
        room -= price
        chosen[each.reading] = {**mine, each.number: passage}
        unshown.get(each.reading, {}).pop(each.number, None)
        told.append(each)
    return Selection(_readings(chosen), _readings(unshown))


def _readings(found: Mapping[Reading, Mapping[int, Passage]]) -> tuple[Reading, ...]:
    return tuple(reading.only(_in_order(passages)) for reading, passages in found.items() if passages)


def _says_all(one: Candidate, other: Candidate) -> bool:
    """True where ``one`` has all words of ``other``; where one cites the other, nearly all, numbers among them.

    A page's words have to stand in the source that they cite as they are.
    """
    missing = other.words - one.words
    if one.reading.is_source and not other.reading.is_source:
        return not missing and other in one.twins and isinstance(one.alone.find(other.passage.text), tuple)
    if other not in one.twins:
        return not missing
    return len(missing) <= _MISSING * len(other.words) and not any(each.isdigit() for each in missing)


def _price(each: Candidate, mine: Mapping[int, Passage], cost: Cost) -> int:
    """What showing it adds: its words, and what stands over it unless that is there already."""
    title = each.reading.title
    before = cost(f"{title}\n\n{joined(_in_order(mine))}") if mine else 0
    return cost(f"{title}\n\n{joined(_in_order({**mine, each.number: each.passage}))}") - before


def _in_order(passages: Mapping[int, Passage]) -> list[Passage]:
    return [passages[number] for number in sorted(passages)]
