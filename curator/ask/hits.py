"""The pages that match the words of a search, best first, each with a snippet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from curator.ask.query_scope import QueryScope
from curator.repository.snapshot import Snapshot
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki

if TYPE_CHECKING:
    from curator.ask.meaning import Meaning

_SNIPPET = 160
_BY_MEANING = 40
"""How many pages, the best by words, are ranked by meaning, too."""


def hits_in(
    snapshot: Snapshot,
    scope: QueryScope,
    words: str,
    limit: int,
    everywhere: bool = False,
    meaning: Meaning | None = None,
) -> list[dict[str, Any]]:
    """The best pages of a commit, each with a snippet; with ``meaning``, ranked by that as well."""
    types = scope.types(snapshot.catalogue.types(), everywhere)
    meant = _called(snapshot.wiki, words)

    def matching(most: int) -> list[tuple[str, float]]:
        found = snapshot.catalogue.search(words, most, types)
        best = max((score for _, score in found), default=0.0)
        return [*((slug, best) for slug in meant), *(each for each in found if each[0] not in meant)]

    ranked = scope.find(
        matching, snapshot.wiki.entry, limit if meaning is None else max(limit, _BY_MEANING), everywhere
    )
    if meaning is not None:
        from curator.ask.pages_by_meaning import by_meaning

        ranked = by_meaning(words, ranked, snapshot.wiki.page, meaning, meant)[:limit]
    hits: list[dict[str, Any]] = []
    for found in ranked:
        entry = found.entry
        if (page := snapshot.wiki.page(entry.slug)) is not None:
            about = {"slug": entry.slug, "path": entry.path, "title": entry.title}
            hits.append({**about, "score": found.score, "snippet": snippet(page, words)})
    return hits


def _called(wiki: Wiki, words: str) -> list[str]:
    """The page that ``words`` name, apart from words that only ask: "What is a wheel?" """
    if re.search(r'"|(?<!\S)-', words):
        return []
    return [name.slug for name in wiki.named_all([name_key(" ".join(telling_words(words)))]).values()]


def snippet(page: Page, words: str) -> str:
    """The block of ``page`` with most of ``words`` in it, cut to a line."""
    stems = [word.casefold()[:5] for word in re.findall(r"\w+", words)]
    blocks = [without_marks(block.text) for block in page.outline.blocks if block.kind in ("paragraph", "item", "row")]
    if not blocks:
        return ""
    best = max(blocks, key=lambda text: sum(stem in text.casefold() for stem in stems))
    flat = " ".join(best.split())
    at = min((found for stem in stems if (found := flat.casefold().find(stem)) >= 0), default=0)
    start = 0 if len(flat) <= _SNIPPET else max(0, min(at - 40, len(flat) - _SNIPPET))
    cut = flat[start : start + _SNIPPET]
    return ("…" if start else "") + cut + ("…" if start + _SNIPPET < len(flat) else "")
