"""Which passages of pages and sources are shown for a question, within a budget.

Both rankings are fused by reciprocal rank. A statement of a page and the passage of the source that it cites are one thing:
they share what both rankings give them, and what one has of the other is not shown twice. Several documents get room: each
further passage of one counts a little less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from curator.wiki.pages.citation import Anchor
from curator.wiki.passages.passage import Passage, Reading, joined, overlap
from curator.wiki.passages.ranking import PassageQuery, RankedText

_RANK = 20
"""The constant of reciprocal rank fusion: the smaller, the more the first ones count."""
_OPENING = 1.25
_AGAIN = 0.93
"""What each further passage of one document counts, compared to the one before."""
_SAME = 0.8
"""The share of its words that a passage has in common with another one that says the same."""
Cost = Callable[[str], int]


@dataclass(eq=False)
class Candidate:
    """A passage that may be shown."""

    reading: Reading
    number: int
    """Of the passage among those of its document."""
    passage: Passage
    score: float = 0.0
    """By the ranking of its kind."""
    fused: float = 0.0
    twins: list[Candidate] = field(default_factory=list)
    """Of a page's statement the passages of sources that it cites, and the other way round."""

    @cached_property
    def ranked(self) -> RankedText:
        passage = self.passage
        return RankedText(
            passage.text, " ".join(self.reading.names), passage.heading, f"{passage.lead} {passage.head}".strip()
        )


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
    found: list[Candidate] = []
    for group in (pages, sources):
        for each in group:
            opens = each.number == 0 and each.reading.name in named
            each.score = query.score(each.ranked) * (_OPENING if opens else 1.0)
        order = sorted(range(len(group)), key=lambda at: (-group[at].score, at))
        for rank, each in enumerate(group[at] for at in order if group[at].score):
            each.fused = 1 / (_RANK + rank)
            found.append(each)
    _share(query, found)
    found.sort(key=lambda each: (-round(each.fused, 9), -each.score, each.reading.path, each.number))
    place = {reading: number for number, reading in enumerate(dict.fromkeys(each.reading for each in found))}
    beside = (each for each in pages if not each.score and each.reading in place)
    return [*found, *sorted(beside, key=lambda each: (place[each.reading], each.number))]


def _share(query: PassageQuery, found: list[Candidate]) -> None:
    """Give twins what both rankings give them; a source's passage goes where a page has all that it has of the question."""
    for each in [one for one in found if one.reading.is_source and one.twins]:
        each.fused += max(twin.fused for twin in each.twins)
        asked = query.words_in(each.ranked)
        same = [twin for twin in each.twins if asked <= query.words_in(twin.ranked)]
        for twin in same:
            twin.fused = max(twin.fused, each.fused)
        if same:
            found.remove(each)


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


def choose(
    ranked: Sequence[Candidate],
    tokens: int,
    cost: Cost,
    settle: Callable[[Candidate], Passage | None] = lambda each: each.passage,
) -> list[Reading]:
    """The best of ``ranked`` that fit into ``tokens``, document by document, each in its own order.

    ``settle`` gives the passage as it is shown, None where it is not after all; it is asked only of what would be.
    """
    chosen: dict[Reading, dict[int, Passage]] = {}
    told: list[frozenset[str]] = []
    gone: set[int] = set()
    room = tokens
    waiting = list(ranked)
    while waiting:
        best = max(range(len(waiting)), key=lambda at: (_worth(waiting[at], chosen), -at))
        each = waiting.pop(best)
        words = frozenset(each.ranked.terms)
        if id(each) in gone or any(_alike(words, other) >= _SAME for other in told):
            continue
        mine = chosen.get(each.reading, {})
        price = _price(each, mine, cost)
        passage = settle(each) if price <= room else None
        if passage is None:
            continue
        room -= price
        chosen[each.reading] = {**mine, each.number: passage}
        told.append(words)
        gone.update(id(twin) for twin in each.twins if _covers(words, twin))
    return [reading.only(_in_order(passages)) for reading, passages in chosen.items()]


def _worth(each: Candidate, chosen: Mapping[Reading, Mapping[int, Passage]]) -> float:
    return each.fused * _AGAIN ** len(chosen.get(each.reading, ()))


def _price(each: Candidate, mine: Mapping[int, Passage], cost: Cost) -> int:
    """What showing it adds: its words, and what stands over it unless that is there already."""
    title = each.reading.title
    before = cost(f"{title}\n\n{joined(_in_order(mine))}") if mine else 0
    return cost(f"{title}\n\n{joined(_in_order({**mine, each.number: each.passage}))}") - before


def _in_order(passages: Mapping[int, Passage]) -> list[Passage]:
    return [passages[number] for number in sorted(passages)]


def _covers(words: frozenset[str], other: Candidate) -> bool:
    """True where what is shown has nearly all words of ``other``."""
    theirs = frozenset(other.ranked.terms)
    return len(words & theirs) >= _SAME * len(theirs)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
