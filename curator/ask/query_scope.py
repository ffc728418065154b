"""How a view wants pages found: ``queryHints`` of the manifest at work (AIP-10, "Query hints").

- ``scopeTo`` narrows to entity types, their subtypes among them;
- pages that a view's layer hides are not found;
- ``preferRecent`` and ``preferAuthoritative`` lift a page by up to a half: they decide between likely answers, and never
  put an unlikely one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from curator.wiki.wiki import PageEntry
from curator.wiki.workspace.workspace import Workspace, lineage

if TYPE_CHECKING:
    from curator.repository.snapshot import Snapshot
    from curator.repository.views import View
    from curator.wiki.sources.records import SourceRecords

_LIFT = 0.5
_POOL = 5
_ALL = 1_000_000_000
_HALF_LIFE = 180.0
"""Days after which a page counts half as recent as the newest that was found."""
_WEIGHTS = {"primary": 1.0, "secondary": 0.5, "rumour": 0.0}

Search = Callable[[int], Sequence[tuple[str, float]]]
"""Slugs and scores of so many pages, the best first."""


@dataclass(frozen=True)
class Hit:
    """A page that was found; a higher score is better."""

    entry: PageEntry
    score: float


class QueryScope:
    """The hints of ``workspace``, over the sources of ``registry``; ``hidden`` are the paths of pages that are not seen.

    The registry is read for ``preferAuthoritative`` only: that of a big wiki takes as long as all else of a search.
    """

    def __init__(self, workspace: Workspace, registry: Callable[[], SourceRecords], hidden: frozenset[str]) -> None:
        self._hidden = hidden
        self._hints = workspace.hints
        self._parents = workspace.parents
        self._authority_default = workspace.authority_default
        self._read_registry = registry

    @classmethod
    def of(cls, snapshot: Snapshot, view: View | None) -> QueryScope:
        """What is seen of a commit through ``view``. Raises WikiError."""
        return cls(snapshot.workspace(view), lambda: snapshot.registry, snapshot.hidden(view))

    def find(self, search: Search, entry: Callable[[str], PageEntry | None], limit: int, everywhere: bool) -> list[Hit]:
        """The best ``limit`` pages; ``everywhere`` lifts the scope.

        ``search`` had better look for pages of the ``types`` in scope only: where too few of the first that it gives are
        seen, all are asked for. What the hints lift is chosen from a pool of five times as many.
        """
        has_hints = self._hints.prefer_recent or self._hints.prefer_authoritative
        pool = limit * _POOL if has_hints else limit
        hits: list[Hit] = []
        looked = 0
        for wanted in (pool, _ALL):
            found = search(wanted)
            hits += islice(self._seen(found[looked:], entry, everywhere), pool - len(hits))
            looked = len(found)
            if len(hits) == pool or looked < wanted:
                break
        return self._ranked(hits)[:limit]

    def narrows(self, everywhere: bool = False) -> bool:
        """True where some pages are not seen."""
        return bool(self._hidden) or (bool(self._hints.scope) and not everywhere)

    def types(self, known: Iterable[str], everywhere: bool = False) -> frozenset[str] | None:
        """Those of the types ``known`` that are in scope; None where all are."""
        if everywhere or not self._hints.scope:
            return None
        return frozenset(each for each in known if not {*self._hints.scope}.isdisjoint(lineage(each, self._parents)))

    def _seen(
        self, found: Sequence[tuple[str, float]], entry: Callable[[str], PageEntry | None], everywhere: bool
    ) -> Iterator[Hit]:
        for slug, score in found:
            known = entry(slug)
            if known is not None and self.has(known, everywhere):
                yield Hit(known, score)

    def has(self, entry: PageEntry, everywhere: bool = False) -> bool:
        """True when the page is seen, and of a type in scope; with ``everywhere`` of any."""
        return entry.path not in self._hidden and self.types((entry.type,), everywhere) != frozenset()

    def _ranked(self, hits: list[Hit]) -> list[Hit]:
        newest = max((_day(hit.entry) for hit in hits), default=0.0)
        lifted = [Hit(hit.entry, float(f"{hit.score * self._lift(hit.entry, newest):.6g}")) for hit in hits]
        return sorted(lifted, key=lambda hit: -hit.score)

    def _lift(self, entry: PageEntry, newest: float) -> float:
        recent = 0.5 ** ((newest - _day(entry)) / _HALF_LIFE) if self._hints.prefer_recent else 0.0
        weights = [self._weight(source) for source in entry.sources] if self._hints.prefer_authoritative else []
        weight = sum(weights) / len(weights) if weights else 0.0
        return (1 + _LIFT * recent) * (1 + _LIFT * weight)

    def _weight(self, source: str) -> float:
        path = source if source in self._registry.known.sources else self._paths.get(source, source)
        return _WEIGHTS[self._registry.authority_of(path)]

    @cached_property
    def _registry(self) -> SourceRecords:
        return replace(self._read_registry(), authority=self._authority_default)

    @cached_property
    def _paths(self) -> Mapping[str, str]:
        return self._registry.references()


def _day(entry: PageEntry) -> float:
    """When the page was updated, in days; 0 when it does not say."""
    try:
        return datetime.fromisoformat(entry.updated_at).timestamp() / 86400
    except (ValueError, OverflowError):
        return 0.0
