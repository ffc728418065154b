"""The pages: each one's frontmatter, and what it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

from curator.checks.conformance.wiki_under_test import WikiUnderTest
from curator.errors import WikiError
from curator.wiki.pages.page import Page
from curator.wiki.references import references, resolves
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import Failure


def entries_valid(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The frontmatter of every page."""
    yield from wiki.entry_failures(wiki.declared("entityTypes", "name"))


def references_resolve(wiki: WikiUnderTest) -> Iterator[Failure]:
    """The sources that pages name, and their links, of both forms."""
    yield from wiki.reference_failures(cache(_known_sources(wiki)))


def _known_sources(wiki: WikiUnderTest) -> Callable[[str], bool]:
    known = {path for path in wiki.files if path.startswith("sources/")}
    registry = SourceRecords(SourceManifest())
    with suppress(WikiError):  # told before
        registry = SourceRecords(wiki.registry())
    known |= {*registry.known.sources, *registry.references(known)}
    # A source that git does not keep lies in the folder all the same.
    return lambda named: named in known or (named.startswith("sources/") and bool(wiki.digest(named, "sha256")))


def unresolved_on(page: Page, is_source: Callable[[str], bool], is_page: Callable[[str], bool]) -> Iterator[Failure]:
    """What a page names and is not there, and what it may not name; a head that cannot be read names nothing."""
    for named in references(page) if page.is_readable else ():
        if not resolves(named.form, named.target, is_source, is_page):
            yield named.failure(page.path)
