"""Implicit activation: which packs a request clearly matches, by their names and descriptions alone.

A word weighs more, the fewer packs speak of it; one that none speaks of says nothing on which is meant, and weighs no more
than one of a single pack. A request matches a pack where the words that the two share are a good part of the request, or
where it names the pack; of packs that match, those that are far behind the best are left.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from curator.packs.pack import KnowledgePack
from curator.wiki.passages.ranking import telling_terms, terms

LEAST = 0.25
"""The part of a request's words, by weight, that has to be in a pack's name or description."""
RELATIVE = 0.6
"""Of the best pack's part."""
_TASKS = frozenset(terms("write draft translate summarise summarize suggest compare plan make give help need open fix"))
"""What is to be done says nothing on what it is about."""
_BEHIND = ("stale", "needs-review", "draft", "disputed")
"""Of packs that match alike, these come last: "prefer newer alternatives"."""


def matching(query: str, packs: Sequence[KnowledgePack]) -> list[KnowledgePack]:
    """The packs for ``query``, the best first; archived ones are for those who name them."""
    known = [pack for pack in packs if pack.properties.status != "archived"]
    words = [frozenset(terms(_text(pack))) for pack in known]
    wanted = [term for term in telling_terms(query) if term not in _TASKS]
    holding = Counter(term for each in words for term in each.intersection(wanted))
    weights = {term: math.log(1 + (len(known) + 0.5) / (max(holding[term], 1) + 0.5)) for term in wanted}
    total = sum(weights.values())
    scored: list[tuple[float, KnowledgePack]] = []
    for pack, mine in zip(known, words, strict=True):
        # In the order of the request: in which order a sum is made must decide nothing.
        shared = sum(weight for term, weight in weights.items() if term in mine)
        share = 1.0 if _names(query, pack.name) else round(shared / total, 6) if total else 0.0
        if share >= LEAST:
            scored.append((share, pack))
    best = max((share for share, _ in scored), default=0.0)
    near = [(share, pack) for share, pack in scored if share >= RELATIVE * best]
    near.sort(key=lambda one: (one[1].properties.status in _BEHIND, -one[0], one[1].name))
    return [pack for _, pack in near]


def _text(pack: KnowledgePack) -> str:
    return f"{pack.name.replace('-', ' ')} {pack.properties.description}"


def _names(query: str, name: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", query.casefold()) is not None
