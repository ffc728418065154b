"""Which pages a source affects: found by name and by likeness, plus one hop of links, under a budget that never grows.

AIP-10's ingest contract has the runtime read the index and the relevant pages. At 100,000 pages that is the catalogue's
work: names that stand in the source come first, then BM25, the two rankings fused by reciprocal rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Protocol

from curator.models.port import Budget, estimate_tokens
from curator.wiki.index import names
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import keys_in
from curator.wiki.pages.page import Page
from curator.wiki.passages import touched
from curator.wiki.passages.document_state import replaced_by
from curator.wiki.passages.touched import SourcePlaces, Touched
from curator.wiki.sources.formats import format_of
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry, Wiki

_RANK = 60
"""The usual constant of reciprocal rank fusion."""
_HOPS_FROM = 8
"""The best pages whose neighbours are looked at."""
_CONSIDERED = 120
_READ = 40
"""Of how many of the best pages it is looked which passages the source touches."""
_OPENINGS = 5
"""Of how many of the best pages the opening is shown in any case, where there is room."""
_FENCE = 60
"""Tokens of the names over a page, and more where it is shown whole."""
_LEAST_ROOM = 200
"""Tokens below which no further whole page is looked for."""
_FURTHER = 0.93
"""What each further passage of one page counts, compared to the one before."""
_OWN = 1_000.0
"""What a passage is worth that cites an earlier version of the source: more than any other."""


class SimilarPages(Protocol):
    """Full text over the pages."""

    def similar(self, text: str, limit: int) -> list[str]: ...
    def count(self) -> int: ...
    def first(self, most: int) -> list[PageEntry]:
        """So many entries at most, by their slugs: a look whose time does not grow with the wiki."""


@dataclass(frozen=True)
class Affected:
    """The pages a source touches: something of the first is shown, the next are named, then others as far as they fit."""

    pages: tuple[Page, ...] = ()
    entries: tuple[PageEntry, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)
    """By slug what is shown of a page; one that is not in it is shown whole."""
    more: int = 0
    """How many pages are neither shown nor named."""


def affected_pages(source: Source, wiki: Wiki, index: SimilarPages, own: Iterable[str], budget: Budget) -> Affected:
    """The pages that ``source`` affects, within ``budget``.

    ``own``: slugs of the pages an earlier version of it went into, which come first.
    """
    ranked = [entry for slug in _ranked(source, wiki, index, list(own)) if (entry := wiki.entry(slug)) is not None]
    shown = _whole(ranked, wiki, budget.pages) if budget.whole else _passages(ranked, wiki, source, budget.pages)
    pages = tuple(page for entry in ranked if entry.slug in shown and (page := wiki.page(entry.slug)) is not None)
    entries: list[PageEntry] = []
    room = budget.lines
    others = index.first(room + len(ranked)) if not budget.whole else []  # a name takes a token at the least
    known = {entry.slug for entry in ranked}
    for entry in (*ranked, *(entry for entry in others if entry.slug not in known)):
        if entry.slug not in shown and (cost := estimate_tokens(names(entry))) <= room:
            entries.append(entry)
            room -= cost
    told = {page.slug: text for page in pages if (text := shown[page.slug]) != page.prose}
    return Affected(pages, tuple(entries), told, max(0, index.count() - len(pages) - len(entries)))


def _whole(ranked: Sequence[PageEntry], wiki: Wiki, room: int) -> dict[str, str]:
    """The first pages that fit."""
    found: dict[str, str] = {}
    for entry in ranked:
        page = wiki.page(entry.slug) if room > _LEAST_ROOM else None
        if page is not None and page.is_readable and (cost := estimate_tokens(page.prose) + _FENCE) <= room:
            found[entry.slug] = page.prose
            room -= cost
    return found


def _passages(ranked: Sequence[PageEntry], wiki: Wiki, source: Source, room: int) -> dict[str, str]:
    """The passages that ``source`` touches most, of whichever page, as far as they fit; with each the page's opening.

    Of the summary of another source nothing is shown: it says what that one says, and is not changed.
    """
    places = SourcePlaces.of(source.document, format_of(PurePosixPath(source.path)))
    replaced = replaced_by(source, wiki)
    found: list[Touched] = []
    for number, entry in enumerate(ranked[:_READ]):
        page = wiki.page(entry.slug)
        if page is not None and page.is_readable and (page.kind != "summary" or _is_own(page, source)):
            own = _by_worth(places.touched(page, source.path, replaced))
            found += own or (_opening(page) if number < _OPENINGS else [])
    chosen: dict[str, list[Block]] = {}
    pages: dict[str, Page] = {}
    for each in sorted(found, key=lambda each: (-each.score, each.page.slug, each.block.start)):
        page, slug = each.page, each.page.slug
        mine = chosen.get(slug) or [block for block in (touched.opening(page),) if block is not None]
        cost = 0 if slug in chosen else _FENCE + estimate_tokens(touched.shown(page, mine))
        cost += 0 if each.block in mine else estimate_tokens(touched.shown(page, [each.block], headings=False)) + 2
        if cost <= room:
            chosen[slug], pages[slug] = list(dict.fromkeys([*mine, each.block])), page
            room -= cost
    return {slug: touched.shown(pages[slug], blocks) for slug, blocks in chosen.items()}


def _opening(page: Page) -> list[Touched]:
    """What says what the thing is, of a page that is likely meant and of which nothing else is touched."""
    block = touched.opening(page)
    return [Touched(page, block, 0.0, 0.0)] if block is not None else []


def _by_worth(found: Iterable[Touched]) -> list[Touched]:
    """The touched passages of one page, each further one worth a little less; first what the source itself said before,
    and of that first what it says least of now.
    """
    valued = [replace(each, score=_OWN * (2 - each.covered)) if each.cites else each for each in found]
    valued.sort(key=lambda each: (-each.score, each.block.start))
    return [replace(each, score=each.score * _FURTHER**n) for n, each in enumerate(valued)]


def _is_own(page: Page, source: Source) -> bool:
    return source.called_in(page.dialect) in page.sources


def _ranked(source: Source, wiki: Wiki, index: SimilarPages, own: list[str]) -> list[str]:
    named = _by_name(source.document.text, wiki)
    alike = index.similar(source.document.text, _CONSIDERED)
    scores: dict[str, float] = {}
    for ranking in (named, alike):
        for rank, slug in enumerate(ranking):
            scores[slug] = scores.get(slug, 0.0) + 1 / (_RANK + rank)
    best = sorted(scores, key=lambda slug: (slug not in set(named), -scores[slug], slug))
    neighbours = [slug for slug in _one_hop(best[:_HOPS_FROM], wiki) if slug not in scores]
    return list(dict.fromkeys([*own, *best, *neighbours]))


def _by_name(text: str, wiki: Wiki) -> list[str]:
    """Pages whose title, slug or alias stands in ``text``; longer names and more mentions first."""
    keys = keys_in(text)
    weights: dict[str, float] = {}
    for key, slugs in wiki.store.named(keys).items():
        for slug in slugs:
            weights[slug] = weights.get(slug, 0.0) + keys[key] * (1 + key.count(" "))
    return sorted(weights, key=lambda slug: (-weights[slug], slug))


def _one_hop(slugs: list[str], wiki: Wiki) -> list[str]:
    """The neighbours of ``slugs``, those with most links to them first."""
    counts: dict[str, int] = {}
    for slug in slugs:
        entry = wiki.entry(slug)
        targets = [hit.slug for target in (entry.links if entry else ()) if (hit := wiki.resolve(target))]
        for other in {*targets, *list(wiki.inbound(slug))[:50]}:
            counts[other] = counts.get(other, 0) + 1
    return sorted(counts, key=lambda slug: (-counts[slug], slug))
