"""Implicit activation: which packs a request clearly matches, by their names and descriptions alone.

A word weighs more, the fewer packs speak of it. A request matches a pack where the words that the two share are a good
part of the request, or where it names the pack; of packs that match, those that are far behind the best are left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.models.extractive.terms.matching import Match, meaningful_words, stems
from curator.packs.pack import KnowledgePack
from curator.wiki.pages.names import WORD

LEAST = 0.3
"""The part of a request's words, by weight, that has to be in a pack's name or description."""
RELATIVE = 0.6
"""Of the best pack's part."""
_BEHIND = ("stale", "needs-review", "draft", "disputed")
"""Of packs that match alike, these come last: "prefer newer alternatives"."""


def matching(query: str, packs: Sequence[KnowledgePack]) -> list[KnowledgePack]:
    """The packs for ``query``, the best first; archived ones are for those who name them."""
    known = [pack for pack in packs if pack.properties.status != "archived"]
    texts = [_text(pack) for pack in known]
    match = Match.of(query, texts)
    wanted = stems(meaningful_words(query))
    scored: list[tuple[float, KnowledgePack]] = []
    for pack, text in zip(known, texts, strict=True):
        shared = set(wanted) & set(stems(re.findall(WORD, text)))
        share = 1.0 if _names(query, pack.name) else round(match.share(text), 6)
        if shared and share >= LEAST:
            scored.append((share, pack))
    best = max((share for share, _ in scored), default=0.0)
    near = [(share, pack) for share, pack in scored if share >= RELATIVE * best]
    near.sort(key=lambda one: (one[1].properties.status in _BEHIND, -one[0], one[1].name))
    return [pack for _, pack in near]


def _text(pack: KnowledgePack) -> str:
    return f"{pack.name.replace('-', ' ')} {pack.properties.description}"


def _names(query: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", query.casefold()) is not None
