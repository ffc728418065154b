"""The entries of a batch: read, given their places, and checked against the wiki that comes of them (ADDENDA, Entries).

Pure, as all of a batch. What an entry must keep is what ``define_entry`` asks of it, and among other pages:

- its slug is no other page's, nor is it a name of one; a title or an alias that it brings is no other page's name;
- an entry that replaces a page has its slug and its path;
- what it names is there, or comes with the batch; a name that a page gives up is one that nothing links by.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from curator.checks.rules import Rule, paths
from curator.checks.rules.change import Change
from curator.wiki import define_entry
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page, is_page_path
from curator.wiki.references import Reference, lines_of_links, references
from curator.wiki.taken_names import NameOwners, name_taken, slug_taken
from curator.wiki.validation import ENTRY_INVALID, LINK_BROKEN, Failure, KnowledgeError, composed
from curator.wiki.wiki import Conventions, PageEntry, Wiki
from curator.wiki.workspace.workspace import CurationPolicy

COMMAND = "apply"
Written = str | Page | tuple[Mapping[str, Any], str]
"""A page's text, what ``define_entry`` gives, or fields with a body."""

_PLACES: tuple[Rule, ...] = (paths.malformed, paths.protected, paths.reserved, paths.too_long, paths.collides)


@dataclass(frozen=True)
class Surroundings:
    """What entries are judged by besides the pages: the entity types, and which sources and other files there are."""

    types: Collection[str] = ()
    """The entity types of KNOWLEDGE.md."""
    is_source: Callable[[str], bool] = lambda named: False
    """Is this path or id a source's that is registered or lies in ``sources/``?"""
    is_file: Callable[[str], bool] = lambda target: False
    """Does this link lead to a file that is no page?"""


@dataclass(frozen=True)
class Entries:
    """The entries of a batch: those that can be written, and what is wrong with the others."""

    pages: tuple[Page, ...] = ()
    failures: tuple[Failure, ...] = ()
    slugs: frozenset[str] = frozenset()
    """Of all of them: nobody is told that a page is missing because its entry has a fault."""


def read_entries(written: Iterable[Written], wiki: Wiki, types: Collection[str]) -> Entries:
    """The entries with their places: that of the page they replace, else where the pages of their kind are."""
    usual = wiki.store.conventions()
    pages: dict[str, Page] = {}
    failures: list[Failure] = []
    slugs: set[str] = set()
    for number, each in enumerate(written):
        try:
            page = _page(each, f"entries[{number}]", wiki, usual)
        except KnowledgeError as error:
            failures += map(Failure.of, error.findings)
            continue
        slug = page.slug if page.is_readable else ""
        wrong = list(_faults(page, wiki, types))
        if slug in slugs:
            message = f"slug: {slug!r} is the slug of two entries of the batch"
            wrong.append(Failure("slug_taken", page.path, message, field="slug"))
        if not wrong:
            pages[page.path] = page
        failures += wrong
        slugs |= {slug} - {""}
    return Entries(tuple(pages.values()), tuple(failures), frozenset(slugs))


def _page(written: Written, name: str, wiki: Wiki, usual: Conventions) -> Page:
    """An entry with its path, or with its ``name`` where nobody can tell. Raises KnowledgeError for what is no YAML."""
    if isinstance(written, Page):
        return written
    if isinstance(written, str):
        text = written
    else:
        head, body = written
        text = composed(COMMAND, name, head, body)
    page = Page(name, text)
    if not page.is_readable:
        return page
    slug, kind = (str(page.fields.get(name) or "page") for name in ("slug", "kind"))
    old = wiki.entry(slug)
    return Page(old.path if old is not None else f"{usual.place_of(kind, page.type)[1]}/{slug}.md", text)


# -- by itself, and where it goes ----------------------------------------------------------------------------------


def _faults(page: Page, wiki: Wiki, types: Collection[str]) -> Iterator[Failure]:
    """What keeps the page from being written."""
    try:
        page.text.encode("utf-8")
    except UnicodeEncodeError:
        yield Failure(ENTRY_INVALID, page.path, "this is no Unicode text")
        return
    wrong = list(define_entry.of_entry(page, types))
    yield from wrong
    if page.is_readable and not any(failure.field in ("schema", "slug") for failure in wrong):
        yield from _of_place(page, wiki)


def _of_place(page: Page, wiki: Wiki) -> Iterator[Failure]:
    if not is_page_path(page.path):
        yield Failure("path_outside", page.path, "this is not where pages are")
    # No rule of these asks for the time.
    now = datetime(1970, 1, 1, tzinfo=UTC)
    change = Change.of_nobody(CurationPolicy(), wiki, Wiki(wiki.store).with_page(page), now)
    for rule in _PLACES:
        yield from map(Failure.of, rule(change))
    known, there = wiki.entry(page.slug), wiki.resolve(page.path)
    if known is not None and known.path != page.path:
        hint = f"write it there, with path={known.path!r}; or choose another slug"
        yield replace(slug_taken(page.path, page.slug, known.path), hint=hint)
    elif there is not None and there.slug != page.slug:
        message = f"slug: {page.slug!r}, and the page that is there has {there.slug!r}"
        yield Failure("slug_taken", page.path, message, field="slug")
    elif there is not None and ((old := wiki.page_at(page.path)) is None or not old.is_readable):
        hint = "fix its frontmatter first"
        yield Failure("page_unreadable", page.path, "the page that is there cannot be read", hint=hint)


# -- among the other pages ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BatchContext:
    """The wiki before, in the middle of and after a batch."""

    before: Wiki
    written: Wiki
    """With the entries."""
    after: Wiki
    """With all of the batch."""
    renamed: Mapping[str, str]
    """The slugs of the pages that got other ones, with those."""

    def page_of(self, slug: str) -> Page | None:
        """A page as it is in the end, by the slug it had."""
        return self.after.page(self.renamed.get(slug, slug))


def names_are_free(pages: Iterable[Page], context: BatchContext) -> Iterator[Failure]:
    """A slug, a title or an alias that an entry brings is no other page's name, however it is spelt.

    As for an ingest, a summary takes no names: it bears that of its source, which may be the name of a thing.
    """
    owners = NameOwners(context.after)
    for page in pages:
        own, old = context.page_of(page.slug), context.before.page_at(page.path)
        if page.kind == "summary" or own is None:
            continue
        had = _keys(old) if old is not None else {}
        fresh = {key: name for key, name in _keys(page).items() if key not in had}
        for key, path in owners.others(own.path, fresh):
            yield name_taken(page.path, fresh[key], path)


def _keys(page: Page) -> dict[str, str]:
    """The names of a page by their keys."""
    return {key: name for name in reversed(PageEntry.of(page).names) if (key := name_key(name))}


def references_resolve(entries: Entries, context: BatchContext, surroundings: Surroundings) -> Iterator[Failure]:
    """An entry does not link into ``sources/``; its sources, links and relations lead to what is there in the end."""

    def leads(target: str) -> bool:
        if context.after.resolve(target) is not None or target in entries.slugs or surroundings.is_file(target):
            return True
        hit = context.written.resolve(target)  # by its old name, which was followed
        return hit is not None and hit.slug in context.renamed

    def is_there(named: Reference) -> bool:
        if named.form in ("source", "cited"):
            return surroundings.is_source(named.target)
        return named.form in ("relation", "link") and leads(named.target)

    for page in entries.pages:
        yield from (named.failure(page.path) for named in references(page) if not is_there(named))


def names_are_kept(pages: Sequence[Page], context: BatchContext, surroundings: Surroundings) -> Iterator[Failure]:
    """A page that an entry replaces gives up no name that another page links by, and nobody takes on."""
    ours = {page.path for page in pages}
    for page in pages:
        old, new = context.before.page_at(page.path), context.page_of(page.slug)
        lost = {*_keys(old)} - {*_keys(new)} if old is not None and new is not None else set()
        for slug in sorted(context.before.store.inbound(page.slug)) if lost else ():
            known, other = context.before.entry(slug), context.page_of(slug)
            if known is None or known.path in ours or other is None or not other.is_readable:
                continue
            for target, line in lines_of_links(other):
                if (
                    name_key(target) in lost
                    and context.after.resolve(target) is None
                    and not surroundings.is_file(target)
                ):
                    message = f"links to {target!r}, a name that the entry {page.slug} gives up"
                    hint = f"keep it under metadata.curator.aliases of {page.slug}"
                    yield Failure(LINK_BROKEN, other.path, message, line, hint=hint)
