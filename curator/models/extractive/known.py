"""The pages the wiki already has, as far as the request tells of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from curator.models.port import Request
from curator.wiki.pages.names import name_key, series_name
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.pages.slug import slugify
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry


@dataclass(frozen=True)
class KnownPage:
    """A page, with its body when the request holds it whole."""

    entry: PageEntry
    page: Page | None = None

    @property
    def slug(self) -> str:
        return self.entry.slug

    @cached_property
    def has_no_opening(self) -> bool:
        """It is shown whole, and begins with a heading below its title."""
        blocks = [block for block in self.page.outline.blocks if block.level != 1] if self.page else []
        return bool(blocks) and blocks[0].kind == "heading"

    @cached_property
    def document_keys(self) -> frozenset[str]:
        """The folded names of a document: those it goes by, and its number in its series."""
        return self.keys | ({name_key(name)} if (name := series_name(self.entry.title)) else set())

    @cached_property
    def keys(self) -> frozenset[str]:
        """The folded names it goes by."""
        return frozenset(key for name in self.entry.names if (key := name_key(name)))


@dataclass(frozen=True)
class KnownPages:
    """All known pages."""

    pages: tuple[KnownPage, ...]
    summary_slug: str = ""
    """Of the source's summary page, whether it is there or not."""

    @classmethod
    def of(cls, request: Request) -> KnownPages:
        whole = [KnownPage(PageEntry.of(page), page) for page in request.pages]
        seen = {known.slug for known in whole}
        return cls(
            (*whole, *(KnownPage(entry) for entry in request.entries if entry.slug not in seen)), request.summary_slug
        )

    def summary_of(self, source: Source) -> KnownPage | None:
        """The summary page an earlier version of ``source`` went into."""
        summaries = [known for known in self.pages if known.entry.kind == "summary"]
        own = [k for k in summaries if k.slug == self.summary_slug]
        return next(iter([*own, *(k for k in summaries if cites(k.entry.sources, source))]), None)

    def subjects(self, source: Source) -> list[KnownPage]:
        """The pages about things and terms, which any source may add to."""
        return [known for known in self.pages if known.entry.kind not in ("summary", *DERIVED)]

    def named(self, names: Iterable[str]) -> KnownPage | None:
        """The page that goes by one of ``names`` or has one as its slug."""
        names = [name for name in names if name]
        keys = {name_key(name) for name in names} - {""}
        slugs = {slugify(name) for name in names} - {""}
        return next((known for known in self.pages if known.slug in slugs or known.keys & keys), None)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every folded name that is taken."""
        return frozenset(key for known in self.pages for key in known.keys)


def cites(sources: Iterable[str], source: Source) -> bool:
    """True when ``source`` is among the sources a page writes down, in either dialect."""
    return any(written in (source.path, source.id or source.stem) for written in sources)
