"""Changes of pages that no source brings: a page renamed or removed (AIP-10, curated layer).

Pure: a wiki in, a change set out, which ``Repository.commit`` commits.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from curator.errors import ConfigError, meant
from curator.repository import history
from curator.repository.change_set import ChangeSet
from curator.wiki import relink
from curator.wiki.pages.page import ENTRY_DIALECT, Page
from curator.wiki.pages.slug import is_slug, slugify
from curator.wiki.relink import PageMove, retitled
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.taken_names import name_refused
from curator.wiki.wiki import PageEntry, Wiki


def rename(wiki: Wiki, manifest: SourceManifest, old: str, new: str) -> ChangeSet:
    """The page ``old`` under the slug ``new``, or under the title ``new`` with the slug made from it.

    Every link to it follows, and its old title stays an alias. Raises ConfigError.
    """
    page = known_page(wiki, old)
    slug = free_slug(wiki, new, page)
    path = f"{page.path.rpartition('/')[0]}/{slug}.md".removeprefix("/")
    if path != page.path and wiki.page_at(path) is not None:
        raise ConfigError("slug_taken", f"there is a file {path}", "choose another name")
    renamed = retitled(Page(path, page.text), slug, "" if is_slug(new) else new)
    move = PageMove(PageEntry.of(page), PageEntry.of(renamed))
    after = relink.follow(wiki.without(page.path).with_page(renamed), move)
    bullets = (f"renamed {page.slug} to [[{slug}]]", *linked(after, renamed.path))
    trailer = f"{history.RENAMED}: {page.slug} {slug}"
    return ChangeSet(after, manifest.with_slug(page.slug, slug), f"rename {page.slug} to {slug}", bullets, (trailer,))


def remove(wiki: Wiki, manifest: SourceManifest, slug: str, why: str) -> ChangeSet:
    """The wiki without a page; links to it become plain text. Raises ConfigError."""
    page = known_page(wiki, slug)
    after = without_page(wiki, page)
    bullets = (f"removed {page.slug}: {why}", *linked(after))
    trailer = f"{history.REMOVED}: {page.slug}"
    return ChangeSet(after, manifest.with_slug(page.slug, None), f"remove {page.slug}", bullets, (trailer,))


def free_slug(wiki: Wiki, new: str, page: Page) -> str:
    """The slug of the name ``new``, which no page but ``page`` has. Raises ConfigError."""
    slug = new if is_slug(new) else slugify(new)
    if not is_slug(slug):
        raise ConfigError("slug_invalid", f"no slug can be made of {new!r}", "name it with letters or digits")
    if page.dialect == ENTRY_DIALECT and slug[:1].isdigit():
        slug = f"s-{slug}"  # as for a new page: the dialect's slugs begin with a letter
    taken = wiki.entry(slug) or wiki.named(new)
    if taken is not None and taken.slug != page.slug:
        raise name_refused(new, taken)
    return slug


def without_page(wiki: Wiki, page: Page) -> Wiki:
    """``wiki`` without ``page``, and without links to it."""
    return relink.follow(wiki.without(page.path), PageMove(PageEntry.of(page), None))


def known_page(wiki: Wiki, name: str) -> Page:
    """The page with this slug, path or name. Raises ConfigError."""
    entry = wiki.resolve(name)
    page = wiki.page(entry.slug) if entry is not None else None
    if page is None:
        names = (each for entry in wiki.entries() for each in (entry.slug, entry.title))
        message = f"there is no page {name!r}{meant(name, names)}"
        raise ConfigError("page_unknown", message, f"find it with: curate search {shlex.quote(name)}")
    if not page.is_readable:
        raise ConfigError("page_unreadable", f"the head of {page.path} cannot be read", "fix its frontmatter first")
    return page


def linked(wiki: Wiki, *but: str) -> Sequence[str]:
    """A bullet for the pages whose links were changed."""
    slugs = sorted(page.slug for path, page in wiki.changed.items() if path not in but)
    return [f"links changed in {', '.join(f'[[{slug}]]' for slug in slugs)}"] if slugs else []
