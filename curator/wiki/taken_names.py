"""Whose a slug or a name is: a page's, for links and people call it so, and no other page may have it.

A summary takes no names: it bears that of its source, which may be the name of a thing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from curator.errors import ConfigError
from curator.wiki.pages.names import name_key
from curator.wiki.validation import Failure
from curator.wiki.wiki import PageEntry, Wiki


def slug_taken(path: str, slug: str, other: str) -> Failure:
    """That the slug of the page at ``path`` is that of the page at ``other``, too."""
    return Failure("slug_taken", path, f"slug: {slug} is the slug of {other}", field="slug", other=other)


def name_taken(path: str, name: str, other: str) -> Failure:
    """That the page at ``other`` goes by a name of the page at ``path``, too."""
    return Failure("name_taken", path, f"{name!r} is already a name of {other}", other=other)


def name_refused(name: str, owner: PageEntry) -> ConfigError:
    """Why a page cannot be renamed to ``name``."""
    return ConfigError("slug_taken", f"{name!r} is a name of the page {owner.slug}", "choose another name")


@dataclass(frozen=True)
class NameOwners:
    """The names of a wiki's pages, and whose they are."""

    wiki: Wiki

    def others(self, path: str, keys: Collection[str]) -> list[tuple[str, str]]:
        """Name key and path of the pages that go by one of ``keys``, but for the one at ``path``, and summaries."""
        owners = {(key, entry.path) for key, entry in self._owners(keys) if entry.kind != "summary"}
        return sorted((key, other) for key, other in owners if other != path)

    def _owners(self, keys: Collection[str]) -> Iterator[tuple[str, PageEntry]]:
        for key in keys:
            yield from ((key, entry) for entry in self._changed.get(key, ()))
        for key, slugs in self.wiki.store.named(keys).items():
            for entry in filter(None, map(self.wiki.entry, slugs)):
                if key in map(name_key, entry.names):
                    yield key, entry

    @cached_property
    def _changed(self) -> dict[str, list[PageEntry]]:
        found: dict[str, list[PageEntry]] = {}
        for entry in map(PageEntry.of, self.wiki.changed.values()):
            for key in map(name_key, entry.names):
                found.setdefault(key, []).append(entry)
        return found
