"""The wiki as a graph for the browser: pages, what leads from one to another, and the sources that each rests on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from curator.cli.web.served import OpenWiki
from curator.wiki.pages.names import name_key
from curator.wiki.wiki import PageEntry

RELATIONS = ("link", "supersedes", "contradicts")


def graph_of(wiki: OpenWiki) -> dict[str, Any]:
    """``pages``: slug, title, kind, numbers of sources; ``edges``: numbers of two pages and a relation; ``sources``: paths.

    Numbers count from 0 in ``pages``, ``sources`` and ``relations``. Pages come by slug.
    """
    seen = (entry for entry in wiki.snapshot.wiki.entries() if wiki.scope.has(entry, everywhere=True))
    entries = sorted(seen, key=lambda entry: entry.slug)
    paths = wiki.snapshot.registry.references()
    sources = {path: number for number, path in enumerate(wiki.snapshot.manifest().sources)}
    pages = [
        [
            entry.slug,
            entry.title,
            entry.kind,
            sorted({sources[path] for name in entry.sources if (path := paths.get(name, name)) in sources}),
        ]
        for entry in entries
    ]
    places = _Places(entries)
    edges = sorted({edge for number, entry in enumerate(entries) for edge in _edges(number, entry, places)})
    return {"relations": RELATIONS, "sources": list(sources), "pages": pages, "edges": [list(edge) for edge in edges]}


class _Places:
    """The number of the page that a link names, by its path, slug or a name; of several pages of a name, the first."""

    def __init__(self, entries: list[PageEntry]) -> None:
        self._entries = entries
        self._known = {key: number for number, each in enumerate(entries) for key in (each.slug, each.path)}

    def of(self, target: str) -> int | None:
        found = self._known.get(target)
        return self._by_name.get(name_key(target)) if found is None else found

    @cached_property
    def _by_name(self) -> dict[str, int]:
        """Made when a link needs it: for many pages it takes longer than all else."""
        names = dict(self._known)
        for number, entry in enumerate(self._entries):
            for name in entry.names:
                names.setdefault(name_key(name), number)
        return names


def _edges(number: int, entry: PageEntry, places: _Places) -> Iterator[tuple[int, int, int]]:
    for relation, targets in enumerate((entry.links, entry.supersedes, entry.contradicts)):
        for target in targets:
            found = places.of(target)
            if found is not None and found != number:
                yield number, found, relation
