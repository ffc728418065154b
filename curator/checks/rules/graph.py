"""Rules on the pages as a whole: names and relations (research W1, W2)."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits
from curator.checks.rules.fields import RELATIONS
from curator.finding import Finding
from curator.wiki import taken_names
from curator.wiki.pages.look_alikes import as_latin
from curator.wiki.pages.names import name_key, spelling_tells
from curator.wiki.pages.page import Page
from curator.wiki.taken_names import NameOwners

MOST_RELATIONS = 20
"""Pairs of pages of one kind that one source may mark: what it states itself, and its open disputes."""


def slug_taken(change: Change) -> Iterator[Finding]:
    """slug_taken (W2): a new page's slug is no other page's."""
    for edit in edits(change):
        page = edit.page
        if edit.old is not None and edit.old.slug == page.slug:
            continue
        hit = change.before.store.by_slug(page.slug)
        others = [other.path for other in change.pages.values() if other.slug == page.slug]
        others += [hit.path] if hit is not None else []
        for other in others:
            if other != page.path:
                yield taken_names.slug_taken(page.path, page.slug, other)
                break


def name_taken(change: Change) -> Iterator[Finding]:
    """name_taken (W2): a title or alias that a change gives is no other page's name, however it is spelt, and no twin of
    one in letters that look the same.

    A summary bears the name of its source, which may be the name of a thing or of another source: it takes none.
    """
    for edit in edits(change):
        page = edit.page
        if page.kind == "summary":
            continue
        old = set(_names(edit.old)) if edit.old else set()
        fresh = {key: name for key, name in _names(page).items() if key and key not in old}
        fresh |= {key: name for name in fresh.values() if (key := name_key(as_latin(name))) not in {*fresh, *old}}
        for key, other in NameOwners(change.after).others(page.path, fresh):
            owner = change.after.page_at(other)
            names = [name for name in _all_names(owner) if name_key(name) == key] if owner is not None else []
            if names and all(spelling_tells(fresh[key], name, change.evidence.document.text) for name in names):
                continue
            yield taken_names.name_taken(page.path, fresh[key], other)


def relation_broken(change: Change) -> Iterator[Finding]:
    """relation_broken (W1): contradicts and supersedes name pages that are there."""
    for page, key, slug in _new_relations(change):
        if change.after.resolve(slug) is None:
            yield Finding("relation_broken", page.path, f"{key}: there is no page {slug!r}")


def relation_to_self(change: Change) -> Iterator[Finding]:
    """relation_to_self (W1)"""
    for page, key, slug in _new_relations(change):
        hit = change.after.resolve(slug)
        if hit is not None and hit.path == page.path:
            yield Finding("relation_to_self", page.path, f"{key}: names the page itself")


def relation_ring(change: Change) -> Iterator[Finding]:
    """relation_ring: no page comes to supersede one that supersedes it, be it by way of others."""
    for page, key, slug in _new_relations(change):
        hit = change.after.resolve(slug)
        if (
            key == "supersedes"
            and hit is not None
            and hit.path != page.path
            and change.after.supersedes(hit.slug, page.slug)
        ):
            yield Finding("relation_ring", page.path, f"{key}: {slug} supersedes this page itself")


def relations_too_many(change: Change) -> Iterator[Finding]:
    """relations_too_many: one source brings only so many relations of each kind."""
    for key in RELATIONS:
        pairs = {frozenset((page.slug, slug)) for page, what, slug in _new_relations(change) if what == key}
        if len(pairs) > MOST_RELATIONS:
            message = f"{key}: {len(pairs)} pairs of pages are marked at once; at most {MOST_RELATIONS} may be"
            yield Finding("relations_too_many", change.source.path, message)


def one_sided(change: Change) -> Iterator[Finding]:
    """contradiction_one_sided (W1): of two pages that contradict each other, both say so."""
    for page, key, slug in _new_relations(change):
        hit = change.after.resolve(slug)
        if key != "contradicts" or hit is None or hit.path == page.path:
            continue
        if page.slug not in hit.contradicts:
            yield Finding(
                "contradiction_one_sided", page.path, f"contradicts: {slug} does not say the same of this page"
            )


def _new_relations(change: Change) -> Iterator[tuple[Page, str, str]]:
    for edit in edits(change):
        for key in RELATIONS:
            known = getattr(edit.old, key) if edit.old else ()
            for slug in getattr(edit.page, key):
                if slug not in known:
                    yield edit.page, key, slug


def _all_names(page: Page) -> tuple[str, ...]:
    return (page.title, *page.aliases)


def _names(page: Page) -> dict[str, str]:
    return {name_key(name): name for name in _all_names(page)}
