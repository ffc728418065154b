"""What a new page is called, where it goes, what its head says: code decides, a model gives title and kind."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from datetime import date

from curator import confidence, frontmatter, markdown
from curator.page import ENTRY_DIALECT, Page, source_reference
from curator.proposal import Create
from curator.slug import slugify
from curator.source import Source
from curator.standing import incoming
from curator.wiki import Wiki


def existing(create: Create, source: Source, wiki: Wiki) -> Page | None:
    """The page that already is about this: by name, or for a summary the one of this very source."""
    if create.kind == "summary":
        return summary_of(source, wiki)
    for name in (create.title, *create.aliases):
        entry = wiki.named(name)
        if entry is not None and entry.kind != "summary":
            return wiki.page(entry.slug)
    page = wiki.page(slugify(create.title))
    return page if page is not None and page.kind != "summary" else None


def summary_of(source: Source, wiki: Wiki) -> Page | None:
    """The summary page of ``source``, if there is one."""
    for slug in _summary_slugs(source):
        entry = wiki.entry(slug)
        if entry is None and slug != source.id:
            return None
        if entry is not None and entry.kind == "summary":
            page = wiki.page(slug)
            if page is not None and source_reference(page.dialect, source.path) in page.sources:
                return page
    return None


def summary_slug(source: Source, wiki: Wiki) -> str:
    """The slug of the source's summary page: the one it has, else the first that is free."""
    page = summary_of(source, wiki)
    return page.slug if page is not None else next(s for s in _summary_slugs(source) if wiki.entry(s) is None)


def blank(
    create: Create, source: Source, wiki: Wiki, stamp: str, reserved: Collection[str], entity_type: str = ""
) -> Page:
    """The new page with nothing below its title; its slug is none of the wiki's and none of ``reserved``.

    ``entity_type``: empty for the kind's own.
    """
    habits = wiki.shelf.habits()
    base = slugify(create.title)
    slugs = _summary_slugs(source) if create.kind == "summary" else _numbered(base, f"{base}-{create.kind}")
    slug = next(s for s in slugs if s not in reserved and wiki.entry(s) is None)
    if habits.dialect == ENTRY_DIALECT and slug[:1].isdigit():
        slug = f"s-{slug}"
    title = " ".join(create.title.split())
    fields: dict[str, object] = {
        "schema": habits.dialect,
        "slug": slug,
        "kind": create.kind,
        "title": title,
        "sources": [source_reference(habits.dialect, source.path)],
        "confidence": confidence.figure([incoming(source)], date.fromisoformat(stamp[:10])),
        "updated_at": stamp,
    }
    aliases = [alias for alias in dict.fromkeys(create.aliases) if alias != title]
    if ours := {name: value for name, value in (("type", entity_type), ("aliases", aliases)) if value}:
        fields["metadata"] = {"curator": ours}
    folder = habits.folders.get(create.kind, f"{create.kind}s")
    return Page(f"{folder}/{slug}.md", frontmatter.compose(fields, f"# {markdown.escape(title)}"))


def _summary_slugs(source: Source) -> Iterator[str]:
    """A summary is called like its source's file; where a page of that name stands, it says that it is a summary."""
    return _numbered(source.id, f"{source.id}-summary")


def _numbered(first: str, second: str) -> Iterator[str]:
    yield first
    yield second
    yield from (f"{second}-{number}" for number in itertools.count(2))
