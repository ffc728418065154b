"""Which pages a source affects: found by name and by likeness, plus one hop of links, under a budget that never grows.

AIP-10's ingest contract has the runtime read the index and the relevant pages. At 100,000 pages that is the catalogue's
work: names that stand in the source come first, then BM25, the two rankings fused by reciprocal rank.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from curator.models.port import Budget, estimate_tokens
from curator.wiki.index import line
from curator.wiki.pages.names import keys_in
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry, Wiki

_RANK = 60
"""The usual constant of reciprocal rank fusion."""
_HOPS_FROM = 8
"""The best pages whose neighbours are looked at."""
_CONSIDERED = 80
_FENCE = 60
"""Tokens of the markers around a page."""


class SimilarPages(Protocol):
    """Full text over the pages."""

    def similar(self, text: str, limit: int) -> list[str]: ...


@dataclass(frozen=True)
class Affected:
    """The pages a source touches: the first whole, the next as index lines."""

    pages: tuple[Page, ...]
    entries: tuple[PageEntry, ...]


def affected_pages(source: Source, wiki: Wiki, index: SimilarPages, own: Iterable[str], budget: Budget) -> Affected:
    """The pages that ``source`` affects, within ``budget``.

    ``own``: slugs of the pages an earlier version of it went into, which come first.
    """
    ranked = _ranked(source, wiki, index, list(own))
    pages: list[Page] = []
    entries: list[PageEntry] = []
    room, line_room = budget.pages, budget.lines
    for slug in ranked:
        entry = wiki.entry(slug)
        if entry is None:
            continue
        page = wiki.page(slug) if room > 200 else None
        cost = estimate_tokens(page.prose) + _FENCE if page is not None else 0
        if page is not None and cost <= room and page.is_readable:
            pages.append(page)
            room -= cost
        elif (cost := estimate_tokens(line(entry))) <= line_room:
            entries.append(entry)
            line_room -= cost
    return Affected(tuple(pages), tuple(entries))


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
