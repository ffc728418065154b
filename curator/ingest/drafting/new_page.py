"""What a new page is called, where it goes, what its head says: code decides, a model gives title and kind."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from curator.models.proposal import Create, Kind
from curator.wiki import confidence
from curator.wiki.pages import frontmatter, inline
from curator.wiki.pages.names import name_key, spelling_tells
from curator.wiki.pages.page import DIALECTS, ENTRY_DIALECT, KINDS, Page
from curator.wiki.pages.slug import slugify
from curator.wiki.sources.authority import incoming
from curator.wiki.sources.define import fitting_tags
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry, Wiki
from curator.wiki.workspace.workspace import CurationPolicy


def kinds(policy: CurationPolicy) -> dict[str, tuple[Kind, str]]:
    """By the folded name a model may write: the kind that it means, and the type where it names one of the wiki's own."""
    return {
        **{kind.casefold(): (kind, "") for kind in KINDS},
        **{each.name.casefold(): (each.kind, each.name) for each in policy.types},
    }


def existing(create: Create, source: Source, wiki: Wiki) -> Page | None:
    """The page that already is about this: by name, or for a summary the one of this very source."""
    if create.kind == "summary":
        return summary_of(source, wiki)
    text = source.document.text
    for name in (create.title, *create.aliases):
        for entry in wiki.called([name_key(name)]).get(name_key(name), ()):
            if entry.kind != "summary" and not is_another(name, entry, text):
                return wiki.page(entry.slug)
    page = wiki.page(slugify(create.title))
    if page is None or page.kind == "summary" or is_another(create.title, PageEntry.of(page), text):
        return None
    return page


def is_another(name: str, entry: PageEntry, text: str) -> bool:
    """True when capitals tell that ``name`` is none of the page's, though it is spelt as one; ``text``: the source."""
    spelt = [each for each in (entry.title, *entry.aliases) if name_key(each) == name_key(name)]
    return bool(spelt) and name not in spelt and all(spelling_tells(name, each, text) for each in spelt)


def summary_of(source: Source, wiki: Wiki) -> Page | None:
    """The summary page of ``source``, if there is one."""
    mine = (*source.pages, *(page.slug for page in wiki.changed.values()))  # whatever its name is by now
    for page in _summaries(mine, wiki):
        if page.sources[:1] == (source.called_in(page.dialect),):
            return page
    for base in dict.fromkeys(_allowed(source.stem, dialect) for dialect in DIALECTS):
        for page in _summaries(_taken(base, wiki), wiki):
            if source.called_in(page.dialect) in page.sources:
                return page
    return None


def _summaries(slugs: Iterable[str], wiki: Wiki) -> Iterator[Page]:
    for slug in slugs:
        entry = wiki.entry(slug)
        page = wiki.page(slug) if entry is not None and entry.kind == "summary" else None
        if page is not None:
            yield page


def _taken(base: str, wiki: Wiki) -> Iterator[str]:
    """The slugs that the summary of a source called ``base`` may have, up to the first that is free."""
    slugs = _summary_slugs(base)
    yield next(slugs)
    yield from itertools.takewhile(lambda slug: wiki.entry(slug) is not None, slugs)


def summary_slug(source: Source, wiki: Wiki, dialect: str = "") -> str:
    """The slug of the source's summary page: the one it has, else the first that is free."""
    page = summary_of(source, wiki)
    slugs = _summary_slugs(_allowed(source.stem, dialect or wiki.store.conventions().dialect), source)
    return page.slug if page is not None else next(slug for slug in slugs if wiki.entry(slug) is None)


def blank(
    create: Create,
    source: Source,
    wiki: Wiki,
    stamp: str,
    reserved: Collection[str],
    entity_type: str = "",
    dialect: str = "",
) -> Page:
    """The new page with nothing below its title; its slug is none of the wiki's and none of ``reserved``.

    ``entity_type``: empty for the kind's own; ``dialect``: empty for the one that most pages have.
    """
    conventions = wiki.store.conventions()
    dialect = dialect or conventions.dialect
    base = _allowed(source.stem if create.kind == "summary" else slugify(create.title), dialect)
    slugs = _summary_slugs(base, source) if create.kind == "summary" else _numbered(base, f"{base}-{create.kind}")
    kind, folder = conventions.place_of(create.kind, entity_type)
    slug = next(s for s in slugs if s not in reserved and wiki.entry(s) is None and not wiki.has(f"{folder}/{s}.md"))
    title = " ".join(create.title.split())
    aliases = [alias for alias in dict.fromkeys(create.aliases) if alias != title]
    fields: dict[str, object] = {
        "schema": dialect,
        "slug": slug,
        "kind": kind,
        "title": title,
        **({"aliases": aliases} if aliases and dialect != ENTRY_DIALECT else {}),
        **({"tags": tags} if create.kind == "summary" and (tags := [*fitting_tags(source.document.head.tags)]) else {}),
        "sources": [source.called_in(dialect)],
        "confidence": confidence.figure([incoming(source)], date.fromisoformat(stamp[:10])),
        "updated_at": stamp,
    }
    said = entity_type if kind == create.kind else ""  # by its kind already
    if ours := {name: value for name, value in (("type", said), ("aliases", aliases)) if value}:
        fields["metadata"] = {"curator": ours}
    return Page(f"{folder}/{slug}.md", frontmatter.compose(fields, f"# {inline.escape(title)}"))


def _summary_slugs(base: str, source: Source | None = None) -> Iterator[str]:
    """A summary is called like its source's file; where a page of that name stands, it says that it is a summary.

    So it does where ``source`` is a note of the very name: ``[[oolong]]`` would be ``sources/oolong.md`` as well.
    """
    slugs = _numbered(base, f"{base}-summary")
    if source is not None and PurePosixPath(source.path).name.casefold() == f"{base}.md":
        next(slugs)
    return slugs


def _allowed(slug: str, dialect: str) -> str:
    """The later dialect has no slug that begins with a digit."""
    return f"s-{slug}" if dialect == ENTRY_DIALECT and slug[:1].isdigit() else slug


def _numbered(first: str, second: str) -> Iterator[str]:
    yield first
    yield second
    yield from (f"{second}-{number}" for number in itertools.count(2))
