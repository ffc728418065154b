"""The wikis that one server shows, each gathered anew for every request, so that none sees what is open for another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.cli.seen_pages import SeenPages
from curator.errors import ConfigError
from curator.repository.settings import Settings
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry


@dataclass(frozen=True)
class ShownWiki:
    """A wiki that is shown: ``name`` stands in its addresses; ``writes``: its pages may be changed from the browser."""

    name: str
    root: Path
    environment: Mapping[str, str]
    flags: Mapping[str, Any]
    writes: bool = False

    def settings(self) -> Settings:
        """Gathered anew: what one command opened and closed is nothing to the next."""
        return Settings.gather(self.root, self.environment, self.flags)

    @contextmanager
    def opened(self) -> Iterator[OpenWiki]:
        """The wiki as it is committed now."""
        settings = self.settings()
        with settings.repository as repository:
            yield OpenWiki(repository.view(), settings, self)


@dataclass(frozen=True)
class OpenWiki(SeenPages):
    """One commit of a wiki, for a request."""

    shown: ShownWiki

    def entry(self, slug: str) -> PageEntry:
        """The page's entry. Raises ConfigError where no page is seen that has this slug."""
        entry = self.snapshot.wiki.entry(slug)
        if entry is None or not self.scope.has(entry, everywhere=True):
            raise ConfigError("page_unknown", f"there is no page {slug!r}", "search for it")
        return entry

    def page(self, slug: str) -> Page:
        """The page with this slug. Raises ConfigError where none is seen."""
        found = self.snapshot.wiki.page_at(self.entry(slug).path)
        if found is None:
            raise ConfigError("page_unknown", f"there is no page {slug!r}", "search for it")
        return found

    def entries(self, slugs: Sequence[str] | set[str]) -> list[PageEntry]:
        """The entries of those of ``slugs`` that are seen, by title."""
        found = (self.snapshot.wiki.entry(slug) for slug in slugs)
        seen = [entry for entry in found if entry is not None and self.scope.has(entry, everywhere=True)]
        return sorted(seen, key=lambda entry: (entry.title.casefold(), entry.slug))


def named(
    roots: Sequence[Path], environment: Mapping[str, str], flags: Mapping[str, Any], *, writes: bool
) -> tuple[ShownWiki, ...]:
    """Each wiki with a name of its own: its folder's, with a number behind it where two folders are called the same."""
    wikis: list[ShownWiki] = []
    taken: set[str] = set()
    for root in roots:
        stem = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in root.name).strip("-") or "wiki"
        name = next(name for name in (stem, *(f"{stem}-{n}" for n in range(2, len(roots) + 2))) if name not in taken)
        taken.add(name)
        wikis.append(ShownWiki(name, root, environment, flags, writes))
    return tuple(wikis)
