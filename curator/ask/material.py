"""What a question is answered from: passages of the wiki's pages and of its sources, under a budget of tokens.

Full text gives some pages and some passages of sources, and these are ranked: the cost is the same whatever the size of
the wiki. A view that narrows the pages narrows the sources to none: what they say may be what it hides.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Protocol

from curator.ask.meaning import Meaning, ranked_by_word_vectors
from curator.ask.query_scope import QueryScope
from curator.ask.standing import Standing
from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.port import estimate_tokens
from curator.models.question import Turn
from curator.models.sandbox.source_texts import SourceTexts
from curator.repository.snapshot import Snapshot
from curator.repository.source_index import IndexedSource, SourceIndex
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.citation import Anchor
from curator.wiki.pages.names import keys_in
from curator.wiki.passages.document_state import MOST, no_more, state_of, states_asked, with_states
from curator.wiki.passages.of_page import read_page
from curator.wiki.passages.of_source import passages_of
from curator.wiki.passages.passage import Passage, Reading, overlap
from curator.wiki.passages.ranking import PassageQuery, as_heads_say, telling_terms, terms
from curator.wiki.passages.selection import SCARCE, Candidate, candidates_of, choose, fuse, stems_held, titles_of_each
from curator.wiki.passages.trimmed import trimmed
from curator.wiki.sources.formats import format_of
from curator.wiki.wiki import Wiki

TOKENS = 2000
"""What is shown when nobody says how much."""
_PAGES = 40
_PASSAGES = 400
"""How many pages, and passages of sources, are ranked."""
_MANY = 50_000
"""Passages from which on small words, which stand in most of them, are not looked for: it takes too long."""
_CITING = 50
"""How many pages that cite a source are asked whether they cite a passage of it."""


class RankedPages(Protocol):
    """Full text over the pages."""

    def types(self) -> frozenset[str]: ...

    def any_of(self, text: str, limit: int, types: Collection[str] | None) -> list[tuple[str, float]]: ...

    def citing(self, source: str) -> list[str]: ...


@dataclass(frozen=True)
class Material:
    """The passages that are shown, document by document, the likeliest first."""

    readings: tuple[Reading, ...] = ()
    unshown: tuple[Reading, ...] = ()
    """What pages say in the very words of a source that are shown."""
    withheld: tuple[Finding, ...] = ()
    """What is not shown, for no source has its words any more."""

    @property
    def tokens(self) -> int:
        told = zip(titles_of_each(self.readings), self.readings, strict=True)
        return sum(estimate_tokens(f"{title}\n\n{each.text}") for title, each in told)


@dataclass
class MaterialSearch:
    """Looks for material in the pages and the sources of one commit."""

    wiki: Wiki
    pages: RankedPages
    sources: SourceIndex
    standing: Standing
    scope: QueryScope
    everywhere: bool = False
    """True: pages of all types, whatever the ``scope``."""
    earlier: Sequence[Turn] = ()
    """What was asked before: it helps to find what a follow-up speaks of."""
    meaning: Meaning | None = None
    """Where a model of embeddings helps to rank; else the vectors of words do."""
    _citing: dict[str, list[tuple[str, Anchor | None]]] = field(default_factory=dict)

    def material(self, question: str, tokens: int) -> Material:
        """The passages that answer ``question`` best, within ``tokens``."""
        ranked = self.ranked(question)
        if tokens <= SCARCE:
            ranked = trimmed(ranked, telling_terms(" ".join((question, *(turn.subject for turn in self.earlier)))))
        found = choose(ranked, tokens, estimate_tokens, self._settled)
        return Material(tuple(found.shown), tuple(found.unshown), tuple(self.standing.withheld))

    def ranked(self, question: str) -> list[Candidate]:
        """All that has something of ``question``, best first."""
        found = self._ranked_by_words(question)
        asked_by_meaning = " ".join((question, *(turn.subject for turn in self.earlier[-1:])))
        by_meaning = self.meaning.ranked if self.meaning is not None else ranked_by_word_vectors
        found = by_meaning(asked_by_meaning, found)
        if not self.scope.narrows(self.everywhere):
            for asked in states_asked(as_heads_say(question)):
                told = self.sources.stating(asked.words, asked.about(found), MOST, elsewhere=asked.of_all)
                found = with_states(
                    found, [(each.path, each.title, one) for each in told for one in each.passages], asked
                )
        return found

    def _ranked_by_words(self, question: str) -> list[Candidate]:
        named = list(self._named(question))
        before = [turn.subject for turn in reversed(self.earlier)]
        asked = as_heads_say(question)
        wide = " ".join((asked, *before))
        pages = candidates_of(list(self._read_pages(wide, [*named, *self._told_before()])))
        sources = [] if self.scope.narrows(self.everywhere) else self._of_sources(wide)
        if not sources:
            return fuse(PassageQuery.over(asked, [each.ranked for each in pages], before), pages, sources, named)
        words = telling_words(wide)
        held = self.sources.holding(words)
        known = {term: held[word] for word in words for term in terms(word)}
        # Full text does not know that "took" is of "take": what was found says how often the stem stands at least.
        known |= {term: max(known[term], often) for term, often in stems_held(known, sources).items()}
        return fuse(PassageQuery.of(asked, self.sources.count(), known, before), pages, sources, named)

    def _told_before(self) -> Iterator[str]:
        """The pages that earlier answers rest on, where they are still seen."""
        for slug in dict.fromkeys(slug for turn in reversed(self.earlier) for slug in turn.pages):
            entry = self.wiki.entry(slug)
            if entry is not None and self.scope.has(entry, self.everywhere):
                yield slug

    def _read_pages(self, question: str, named: Sequence[str]) -> Iterator[Reading]:
        """Pages that are named, and the best by full text."""
        for slug in list(dict.fromkeys([*named, *self._by_words(question)]))[:_PAGES]:
            page = self.wiki.page(slug)
            if page is not None and page.is_readable:
                yield read_page(page)

    def _of_sources(self, question: str) -> list[Candidate]:
        """The passages of sources that full text gives; each of a source that comes back in its order there."""
        words = telling_words(question) if self.sources.count() > _MANY else re.findall(r"\w+", question)
        hits = self.sources.any_of(words, _PASSAGES)
        titles = {each.path: each.title for each in hits}
        readings = {
            path: Reading(path, path, title, (title,), tuple(_in_order(hits, path))) for path, title in titles.items()
        }
        numbers = {(path, each): at for path, reading in readings.items() for at, each in enumerate(reading.passages)}
        return [
            Candidate(readings[each.path], numbers[each.path, passage], passage, place=place)
            for place, each in enumerate(hits)
            for passage in each.passages
        ]

    def _named(self, question: str) -> Iterator[str]:
        """Pages whose names stand in the question, those of most words first."""
        named = self.wiki.named_all(keys_in(question))
        for key in sorted(named, key=lambda key: (-key.count(" "), question.casefold().find(key[:4]), key)):
            if self.scope.has(named[key], self.everywhere):
                yield named[key].slug

    def _by_words(self, question: str) -> Iterator[str]:
        words = " ".join(telling_words(question))
        types = self.scope.types(self.pages.types(), self.everywhere)
        found = self.scope.find(
            lambda limit: self.pages.any_of(words, limit, types), self.wiki.entry, _PAGES, self.everywhere
        )
        yield from (hit.entry.slug for hit in found)

    # -- what is shown of it ---------------------------------------------------------------------------------------

    def _settled(self, each: Candidate) -> Passage | None:
        path = each.reading.path
        if not each.reading.is_source:
            passage = self.standing.passage(each.passage, path)
            rests_on = (citation.path for citation in passage.citations) if passage is not None else ()
            return passage and replace(passage, standing=self._no_more(rests_on))
        if not self.standing.has_text(path, each.passage):
            return None
        return replace(each.passage, pages=self._cited_by(path, each.passage), standing=self._no_more([path]))

    def _no_more(self, paths: Iterable[str]) -> str:
        """Why none of the sources holds as a whole, with its name; empty where one does."""
        wanted = list(dict.fromkeys(paths))
        states = self.sources.states(wanted)
        found = {path: ", ".join(no_more(states.get(path, ""))) for path in wanted}
        return (
            "; ".join(f"{PurePosixPath(path).stem}: {why}" for path, why in found.items())
            if all(found.values())
            else ""
        )

    def _cited_by(self, path: str, passage: Passage) -> tuple[str, ...]:
        """The pages that cite something of a source's passage."""
        if path not in self._citing:
            self._citing[path] = list(self._citations(path))
        place = Anchor.parse(passage.anchor)
        return tuple(dict.fromkeys(slug for slug, cited in self._citing[path] if overlap(cited, place)))

    def _citations(self, path: str) -> Iterator[tuple[str, Anchor | None]]:
        for where in self.pages.citing(path)[:_CITING]:
            page = self.wiki.page_at(where)
            if page is not None and page.is_readable:
                yield from ((page.slug, each.place) for each in page.citations.values() if each.path == path)


def search_in(
    snapshot: Snapshot,
    texts: SourceTexts,
    scope: QueryScope,
    everywhere: bool = False,
    earlier: Sequence[Turn] = (),
    meaning: Meaning | None = None,
) -> MaterialSearch:
    """The search in a commit, and in the sources that are in by it; what is new of these is read first."""
    index = snapshot.repository.source_index
    manifest = snapshot.manifest()

    def read(path: str) -> IndexedSource | None:
        try:
            document = texts.evidence(path).document
        except CuratorError:
            return None
        title, passages = passages_of(document, format_of(PurePosixPath(path)))
        title = manifest.sources[path].title or document.head.title or title or path
        return IndexedSource(path, title, passages, state_of(passages))

    index.refresh(manifest.digests, read)
    standing = Standing(texts)
    return MaterialSearch(snapshot.wiki, snapshot.catalogue, index, standing, scope, everywhere, earlier, meaning)


def _in_order(hits: Sequence[IndexedSource], path: str) -> list[Passage]:
    """The passages of one source as they follow on each other there."""
    passages = [passage for each in hits if each.path == path for passage in each.passages]
    return sorted(
        passages, key=lambda passage: (((place := Anchor.parse(passage.anchor)) and place.first) or 0, passage.text)
    )
