"""``curate search``: the pages that match, by BM25, with a snippet. No model, no network."""

from __future__ import annotations

import re
from typing import Any

from curator.citation import without_marks
from curator.page import Page
from curator.report import Report
from curator.settings import Settings

_SNIPPET = 160


def run(settings: Settings, words: str, limit: int) -> Report:
    with settings.repository as repository:
        snapshot = repository.view()
        hits: list[dict[str, Any]] = []
        for slug, score in snapshot.catalogue.search(words, limit):
            entry = snapshot.wiki.entry(slug)
            page = snapshot.wiki.page(slug)
            if entry is not None and page is not None:
                found = snippet(page, words)
                hits.append({"slug": slug, "path": entry.path, "title": entry.title, "score": score, "snippet": found})
    lines = [line for hit in hits for line in (f"{hit['title']}  ({hit['path']})", f"    {hit['snippet']}")]
    return Report({"hits": hits}, tuple(lines or [f"no page matches {words!r}"]), 0)


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
