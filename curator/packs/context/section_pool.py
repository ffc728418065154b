"""Which sections answer a request: ranked and chosen as what ``curate ask`` shows, by ``wiki/passages``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from curator.models.port import estimate_tokens
from curator.packs.context.sections import KnowledgeSection
from curator.wiki.pages.names import keys_in, name_key
from curator.wiki.pages.page import Page
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.ranking import PassageQuery
from curator.wiki.passages.selection import Candidate, choose, fuse
from curator.wiki.support.written import names_of

LEAST = 0.05
"""How much of what a passage can have of a request a section has to have, to be chosen at all."""
RELATIVE = 0.25
"""And compared to the best one."""
_FIRST = 1.15
"""What the sections are preferred by that were made for contexts."""


@dataclass(frozen=True)
class ChosenSection:
    """A section, and by its number the pack that it is of."""

    pack: int
    section: KnowledgeSection


@dataclass
class SectionPool:
    """The sections that were looked at for one request, of all packs."""

    query: str
    about: frozenset[int] = frozenset()
    """The packs that have something on it, whether it fits or not, as far as was looked."""
    _known: dict[Candidate, tuple[ChosenSection, float]] = field(default_factory=dict)

    def add(self, pack: int, page: Page, sections: Sequence[KnowledgeSection], *, is_first: bool = False) -> None:
        """The ``sections`` of one file; ``is_first``: it was made for contexts."""
        passages = tuple(
            Passage("section", each.plain, each.citations, headings=_below(page.title, each), anchor=f"L{each.line}")
            for each in sections
        )
        reading = Reading(page.path, page.path, page.title, names_of(page), passages, page)
        for number, (passage, section) in enumerate(zip(passages, sections, strict=True)):
            candidate = Candidate(reading, number, passage)
            self._known[candidate] = ChosenSection(pack, section), _FIRST if is_first else 1.0

    def best(self, room: int) -> list[ChosenSection]:
        """Those that serve the request best, within ``room`` tokens; the likeliest first."""
        candidates = list(self._known)
        query = PassageQuery.over(self.query, [each.ranked for each in candidates])
        ranked = fuse(query, candidates, (), self._named())
        for each in ranked:
            each.fused = round(each.fused * self._known[each][1], 6)
        most = max((each.fused for each in ranked), default=0.0)
        least = LEAST * sum(query.weights.values())
        near = [each for each in ranked if each.score > least and each.fused >= RELATIVE * most]
        self.about = frozenset(self._known[each][0].pack for each in near)
        taken: list[Candidate] = []

        def settle(each: Candidate) -> Passage:
            taken.append(each)
            return each.passage

        choose(near, room, estimate_tokens, settle)
        return [self._known[each][0] for each in taken]

    def _named(self) -> set[str]:
        """The files whose names stand in the request."""
        asked = keys_in(self.query)
        readings = dict.fromkeys(each.reading for each in self._known)
        return {each.name for each in readings if any(name_key(name) in asked for name in each.names)}


def _below(title: str, section: KnowledgeSection) -> tuple[str, ...]:
    """The headings over a section, but for the title of its file."""
    return tuple(each for each in section.headings if each != title)
