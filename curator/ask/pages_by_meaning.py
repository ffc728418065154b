"""The pages of a search, ranked by what they mean as well, where a model of embeddings is set, like passages of an answer.

Of each page that full text found, among the first, what it opens with and what has most of the words are looked at: so
what it costs does not grow with the wiki, and most vectors are known from questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from curator.ask.meaning import Meaning
from curator.ask.query_scope import Hit
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_page import read_page
from curator.wiki.passages.ranking import PassageQuery
from curator.wiki.passages.selection import Candidate, candidates_of

_OF_A_PAGE = 2
"""Passages of a page that are looked at, beside its opening."""
_OPERATORS = re.compile(r'(?<!\S)-\S+|"')


def by_meaning(
    words: str,
    hits: Sequence[Hit],
    page_of: Callable[[str], Page | None],
    meaning: Meaning,
    first: Collection[str] = (),
) -> list[Hit]:
    """``hits``, best first by words, reordered by words and meaning; the pages ``first`` stay in front."""
    asked = _OPERATORS.sub(" ", words).strip()
    best = max((hit.score for hit in hits), default=0.0)
    if not asked or best <= 0:
        return list(hits)
    looked_at = {hit.entry.slug: list(_looked_at(asked, hit.score / best, page_of(hit.entry.slug))) for hit in hits}
    meaning.ranked(asked, [each for found in looked_at.values() for each in found])
    worth = {slug: best * max((each.fused for each in found), default=0.0) for slug, found in looked_at.items()}
    ranked = [replace(hit, score=float(f"{max(hit.score, worth[hit.entry.slug]):.6g}")) for hit in hits]
    return sorted(ranked, key=lambda hit: (hit.entry.slug not in first, -hit.score))


def _looked_at(asked: str, score: float, page: Page | None) -> Iterator[Candidate]:
    if page is None or not page.is_readable:
        return
    found = candidates_of([read_page(page)])
    query = PassageQuery.over(asked, [each.ranked for each in found])
    best = sorted(found[1:], key=lambda each: -query.score(each.ranked))[:_OF_A_PAGE]
    for each in (*found[:1], *best):
        each.score = each.fused = score
        yield each
