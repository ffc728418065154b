"""The pages: each one's frontmatter, and what it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.errors import WikiError
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import is_page_path
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import ENTRY_INVALID, Failure


def entries_valid(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The frontmatter of every page."""
    slugs: dict[str, str] = {}
    for sheet in wiki.sheets:
        yield from sheet.failures
        slug = sheet.slug
        first = slugs.setdefault(slug, sheet.path)
        if slug and first != sheet.path:
            yield Failure(ENTRY_INVALID, sheet.path, f"slug: {slug!r}, which {first} has, too", field="slug")


def references_resolve(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The sources that pages name, and their links, of both forms."""
    is_page, is_source = cache(_Names.of(wiki).has), cache(_known_sources(wiki))
    for sheet in wiki.sheets:
        for named in sheet.unresolved(is_source, is_page):
            yield named.failure(sheet.path)


def _known_sources(wiki: WikiUnderTest) -> Callable[[str], bool]:
    known = {path for path in wiki.files if path.startswith("sources/")}
    registry = SourceRecords(SourceManifest())
    with suppress(WikiError):  # told before
        registry = SourceRecords(wiki.registry())
    known |= {*registry.known.sources, *registry.references(known)}
    # A source that git does not keep lies in the folder all the same.
    return lambda named: named in known or (named.startswith("sources/") and bool(wiki.digest(named, "sha256")))


@dataclass(frozen=True)
class _Names:
    """All that a link may name: pages by path, slug, title or alias, and files that are no pages."""

    paths: frozenset[str]
    others: frozenset[str]
    slugs: frozenset[str]
    keys: frozenset[str]

    @classmethod
    def of(cls, wiki: WikiUnderTest) -> _Names:
        slugs: set[str] = set()
        keys: set[str] = set()
        for sheet in wiki.sheets:
            slugs.update(sheet.names[:1])
            keys.update(sheet.names[1:])
        others = {PurePosixPath(path).name for path in wiki.files if not is_page_path(path)}
        return cls(wiki.files, frozenset(others), frozenset(slugs), frozenset(keys))

    def has(self, target: str) -> bool:
        if target in self.slugs or target in self.paths:
            return True
        name = PurePosixPath(target).name
        if name in self.others or f"{name}.md" in self.others:
            return True
        return not target.endswith(".md") and (name_key(target) in self.keys or f"{target}.md" in self.paths)
