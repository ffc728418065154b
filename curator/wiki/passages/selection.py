"""Which passages of pages and sources are shown for a question, within a budget.

Both are ranked by one measure, and what plain full text finds first counts more. What has nothing to say beside a passage
that is shown is left out. Several documents get room: each further passage of one counts a little less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heapify, heappop, heappush

from curator.wiki.pages.citation import Anchor
from curator.wiki.passages.alike import alike, vectors
from curator.wiki.passages.passage import Passage, Reading, headings_of_each, joined, overlap
from curator.wiki.passages.ranking import PassageQuery, RankedText

_BEST = 5
"""How many of the best passages say which words the question leaves unsaid, and what a document is worth."""
_DOCUMENT = 0.4
"""What a passage gets of the worth of its document: what speaks of the matter all over speaks of it here."""
_FIRST = 1.0
"""What plain full text finds first gains by that: two rankings that err differently err less together."""
_PLACED, _PLACES = 0.3, 20
"""What the passage of a source gains that comes first together with what stands beside it: one sentence names the thing,
the next one says what holds of it. Half of that is left after so many places."""
_TAKEN_OUT = 0.9
"""What a page's statement counts, compared to a source's passage: it was taken out of what stands around it there."""
_OPENING, _DEFINITION = 1.25, 4.0
"""What the opening of a page gains whose name stands in the question, or is all of it: it says what the thing is."""
_OWN = 1.5
"""What the rest of a page gains whose name is all that is asked."""
_ALIKE, _SUPPORTING = 0.25, 25
"""What a passage gains by one of so many best ones of other documents that it is like."""
_SAME = 0.8
"""How like passages are that say the same: of two of these none speaks for the other."""
_AGAIN = 0.93
"""What each further passage of one document counts, compared to the one before."""
_TWIN = 0.5
"""What a passage counts beside one that it cites, or that cites it: most of it is said already."""
_MEANT = 0.5
"""What the passage nearest to the question by a model of embeddings gains, compared to what the best by words have."""
SCARCE = 1_000
"""Tokens up to which room is scarce."""
_LENGTH, _LENGTH_IF_SCARCE = 0.1, 0.2
"""The power of its length that a passage's worth is divided by: of two that answer as well the shorter leaves more room."""
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
        over = " ".join((passage.heading, passage.lead, passage.head))
        return RankedText(passage.text, names, over, self._beside)

    @property
    def with_neighbours(self) -> RankedText:
        return replace(self.ranked, text=f"{self.ranked.text} {self.ranked.beside}", beside="")

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


def stems_held(stems: Collection[str], among: Sequence[Candidate]) -> Counter[str]:
    """In how many passages each of ``stems`` stands."""
    wanted = frozenset(stems)
    return Counter(stem for each in among for stem in wanted & each.words)


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
    placed = _places_with_neighbours(query, [each for each in found if each.reading.is_source])
    by_document: dict[Reading, list[float]] = {}
    for each in found:
        by_document.setdefault(each.reading, []).append(each.fused)
    for each in found:
        places = [one.place for one in (each, *each.twins) if one.place is not None]
        first = 1 + _FIRST / (1 + min(places) / 10) if places else 1.0
        beside = [placed[one] for one in (each, *each.twins) if one in placed]
        first *= 1 + _PLACED / (1 + min(beside) / _PLACES) if beside else 1.0
        first *= 1.0 if each.reading.is_source else _TAKEN_OUT
        each.fused = round((each.fused + _DOCUMENT * sum(by_document[each.reading][:_BEST]) / _BEST) * first, 6)
    found.sort(key=_first)
    _support(found)
    found.sort(key=_first)
    order = {reading: number for number, reading in enumerate(dict.fromkeys(each.reading for each in found))}
    others = (each for each in pages if not each.score and each.reading in order)
    return [*found, *sorted(others, key=lambda each: (order[each.reading], each.number))]


def by_meaning(
    found: Sequence[Candidate], likeness: Mapping[Candidate, float], counts: float = _MEANT
) -> list[Candidate]:
    """``found``, the best first, in an order that counts how like the question some are by what they mean.

    What one measure calls alike differs from the next: the better half counts, from its least to its most. A
    page's statement and the passage that it cites mean the same.
    """
    told = sorted(likeness.values(), reverse=True)
    most, least = (told[0], told[len(told) // 2]) if told else (0.0, 0.0)
    if most <= least:
        return list(found)
    best = sum(each.fused for each in found[:_BEST]) / min(_BEST, len(found))
    near = {each: max(0.0, like - least) / (most - least) for each, like in likeness.items()}
    for each in near:
        means = max(near[one] for one in (each, *each.twins) if one in near)
        each.fused = round(each.fused + counts * best * means, 6)
    scored = sorted((each for each in found if each.score), key=_first)
    return [*scored, *(each for each in found if not each.score)]


def _first(each: Candidate) -> tuple[float, bool, bool, str, int]:
    return -each.fused, each.reading.is_source, each.reading.is_summary, each.reading.path, each.number


def _places_with_neighbours(query: PassageQuery, sources: Sequence[Candidate]) -> dict[Candidate, int]:
    """The place of each when it is ranked as one with what stands right before and behind it."""
    scores = {each: query.score(each.with_neighbours) for each in sources}
    return {each: place for place, each in enumerate(sorted(sources, key=lambda each: -scores[each]))}


def _support(found: Sequence[Candidate]) -> None:
    """What is said like the best passages of other documents gains by it, as far as these answer."""
    told = vectors([each.ranked for each in found])
    best = [(each, each.fused, vector) for each, vector in zip(found[:_SUPPORTING], told, strict=False)]
    for each, vector in zip(found, told, strict=True):
        others = [one for one in best if one[0].reading is not each.reading and one[0] not in each.twins]
        likeness = [(worth, alike(vector, other)) for _, worth, other in others]
        gains = (worth * like for worth, like in likeness if like < _SAME)
        each.fused = round(each.fused + _ALIKE * max(gains, default=0.0), 6)


def _scored(query: PassageQuery, group: Sequence[Candidate], named: Collection[str]) -> list[Candidate]:
    """Those that have something of ``query``, best first."""
    gains = dict.fromkeys(named, (_OPENING, 1.0))
    gains |= {
        each.reading.name: (_DEFINITION, _OWN)
        for each in group
        if each.reading.name in named and query.asks_only(each.reading.names)
    }
    for each in group:
        opening, rest = gains.get(each.reading.name, (1.0, 1.0))
        each.score = each.fused = query.score(each.ranked) * (rest if each.number else opening)
    return sorted(
        (each for each in group if each.score), key=lambda each: (-each.score, each.reading.path, each.number)
    )


def _link(pages: Sequence[Candidate], sources: Sequence[Candidate]) -> None:
    places: dict[str, list[tuple[Candidate, Anchor | None]]] = {}
    for each in sources:
        places.setdefault(each.reading.path, []).append((each, Anchor.parse(each.passage.anchor)))
    for page in pages:
        for citation in page.passage.citations:
            cited = citation.place
            for source, place in places.get(citation.path, ()):
                if overlap(cited, place) and source not in page.twins:
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
    titled: dict[str, Reading] = {}
    spent: dict[Reading, int] = {}
    repeated: list[int] = []
    found, room = 0, tokens
    power = _LENGTH if tokens > SCARCE else _LENGTH_IF_SCARCE
    worth = [float(each.fused / cost(each.passage.text) ** power) for each in ranked]
    queue = [(-each, place) for place, each in enumerate(worth)]
    heapify(queue)
    while (queue or repeated) and room > _LEAST:
        if not queue:
            told, queue, repeated = [], [(0.0, place) for place in repeated], []
        key, place = heappop(queue)
        each = ranked[place]
        mine = chosen.get(each.reading, {})
        now = -worth[place] * _AGAIN ** len(mine) * (_TWIN if any(one in told for one in each.twins) else 1)
        if now > key:
            heappush(queue, (now, place))
            continue
        saying = [one for one in told if _says_all(one, each)]
        if saying and not each.reading.is_source and all(one.reading.is_source for one in saying):
            repeated.append(place)
            unshown.setdefault(each.reading, {})[each.number] = each.passage
        least = _price(each, mine.values(), each.reading.title in titled, cost)
        passage = settle(each) if least <= room and not saying else None
        if passage is None:
            continue
        mine = {**mine, each.number: replace(passage, place=found + 1)}
        title = each.reading.title if titled.get(each.reading.title, each.reading) is each.reading else ""
        costs = cost(f"{title}\n\n{joined(_in_order(mine), each.reading.title)}")
        if costs - spent.get(each.reading, 0) > room:
            continue
        room -= costs - spent.get(each.reading, 0)
        spent[each.reading], chosen[each.reading] = costs, mine
        found += 1
        titled.setdefault(each.reading.title, each.reading)
        unshown.get(each.reading, {}).pop(each.number, None)
        told.append(each)
    return Selection(_readings(chosen), _readings(unshown))


def _readings(found: Mapping[Reading, Mapping[int, Passage]]) -> tuple[Reading, ...]:
    """Those of one title, as a source and the page that sums it up have, stand together: it is told once."""
    shown = [reading.only(_in_order(passages)) for reading, passages in found.items() if passages]
    places = {title: place for place, title in enumerate(dict.fromkeys(each.title for each in shown))}
    return tuple(sorted(shown, key=lambda each: places[each.title]))


def titles_of_each(readings: Sequence[Reading]) -> list[str]:
    """The title of each, empty where the one before has the same."""
    titles = [each.title for each in readings]
    return [title if title != before else "" for before, title in zip(["", *titles], titles, strict=False)]


def _says_all(one: Candidate, other: Candidate) -> bool:
    """True where ``one`` has all words of ``other``; a page's words stand in the source that they cite as they are."""
    if not other.words <= one.words:
        return False
    if one.reading.is_source and not other.reading.is_source:
        return other in one.twins and isinstance(one.alone.find(other.passage.text), tuple)
    return True


def _price(each: Candidate, shown: Collection[Passage], is_titled: bool, cost: Cost) -> int:
    """What showing it adds at least: its words, and what stands over it unless that is there already."""
    passage, title = each.passage, each.reading.title
    over = [] if is_titled else [title]
    before = [headings_of_each([passage], title), *(headings_of_each([one, passage], title) for one in shown)]
    fewest = min((each[-1] for each in before), key=len)
    over += fewest
    if all((one.lead, one.head) != (passage.lead, passage.head) for one in shown):
        over += filter(None, (passage.lead, passage.head))
    return cost("\n".join((*over, passage.text, "")))


def _in_order(passages: Mapping[int, Passage]) -> list[Passage]:
    return [passages[number] for number in sorted(passages)]
