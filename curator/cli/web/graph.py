"""The wiki as a graph for the browser: pages, what leads from one to another, and the sources that each rests on."""

from __future__ import annotations

from collections.abc import Iterator
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
    places = _places(entries)
    edges = sorted({edge for number, entry in enumerate(entries) for edge in _edges(number, entry, places)})
    return {"relations": RELATIONS, "sources": list(sources), "pages": pages, "edges": [list(edge) for edge in edges]}


def _places(entries: list[PageEntry]) -> dict[str, int]:
    """The number of the page that a link names, by its path, slug and names; of several pages of a name, the first."""
    places: dict[str, int] = {}
    for number, entry in enumerate(entries):
        for key in (entry.slug, entry.path):
            places[key] = number
    for number, entry in enumerate(entries):
        for name in entry.names:
            places.setdefault(name_key(name), number)
    return places


def _edges(number: int, entry: PageEntry, places: dict[str, int]) -> Iterator[tuple[int, int, int]]:
    for relation, targets in enumerate((entry.links, entry.supersedes, entry.contradicts)):
        for target in targets:
            found = places.get(target, places.get(name_key(target)))
            if found is not None and found != number:
                yield number, found, relation
