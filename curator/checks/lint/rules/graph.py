"""The rules of the whole that the standard demands (AIP-10, Lint contract), and what else pages say of each other.

- Orphans: "pages with no inbound links from _index.md or other pages". A page that the index alone leads to is no orphan
  by that; it is told as ``entry_unlinked``, unless it is a summary, which is there for its source.
- A page's link to itself makes it no less an orphan.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from curator.checks.lint import generated
from curator.checks.lint.facts.snapshot import LintContext, is_of_page
from curator.finding import Finding
from curator.repository.git import Changed
from curator.system.text import plural
from curator.wiki import index
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.references import broken_link
from curator.wiki.wiki import PageEntry

_INDEX_LINK = re.compile(r"\[\[([^\]|#]+)|\]\(<?([^)>\s#\]]+\.md)")

_BROKEN = """
SELECT p.path, p.entry, l.target FROM {lost} JOIN cat.link l ON l.target = lost.target JOIN cat.page p ON p.id = l.page
ORDER BY p.path
"""
_UNLINKED = """
SELECT p.path, p.slug, p.kind, f.type FROM cat.page p JOIN main.facts f ON f.path = p.path
WHERE NOT EXISTS (SELECT 1 FROM cat.name n CROSS JOIN cat.link l ON l.target = n.key
    WHERE n.page = p.id AND l.page <> p.id)
AND NOT EXISTS (SELECT 1 FROM cat.link l WHERE l.target = p.path AND l.page <> p.id)
AND NOT EXISTS (SELECT 1 FROM cat.link l
    WHERE l.target = name_key(substr(p.path, 1, length(p.path) - 3)) AND l.page <> p.id)
"""
_SAYING = "SELECT u.*, p.entry FROM unlinked u JOIN cat.page p ON p.path = u.path ORDER BY u.path"
_NAMED = """
SELECT p.path FROM cat.name n JOIN cat.page p ON p.id = n.page WHERE n.key IN (SELECT value FROM json_each(?))
"""
_FOUND = "unlinked"
_FEW = 1_000
"""Files that have changed, up to which it is soon told what they link to."""


def link_broken(context: LintContext) -> Iterator[Finding]:
    """link_broken: every wikilink and every link to a page leads to one."""
    for entry, targets in broken_links(context):
        severity = context.policy.severity("broken-ref", entry.type, "error")
        for target in targets:
            line = context.line_of_link(entry.path, target)
            hint = "make that page, correct the link, or write the words without a link"
            yield replace(broken_link(entry.path, target, line), severity=severity, hint=hint)


def broken_links(context: LintContext) -> Iterator[tuple[PageEntry, list[str]]]:
    """The pages with links that lead nowhere, and these links."""
    for _, rows in groupby(context.cache.rows(_BROKEN.format(lost=context.lost)), key=lambda row: row[0]):
        some = list(rows)
        entry, keys = context.entry(some[0][1]), {row[2] for row in some}
        targets = [target for target in entry.links if context.key(target) in keys and context.is_broken(target)]
        if targets:
            yield entry, targets


def not_pages(context: LintContext) -> Iterator[Finding]:
    """not_pages: one line about Markdown that does not say that it is a page, such as what lies beside an operator."""
    if paths := context.snapshot.catalogue.others():
        told = ", ".join(paths[:_TOLD]) + (", ..." if len(paths) > _TOLD else "")
        message = f"{len(paths)} Markdown {plural(len(paths), 'file')} without a page's schema, not looked at: {told}"
        hint = "a page has 'schema: knowledge/v1' in its head, or lies in a kind's folder or in entries/"
        yield Finding("not_pages", paths[0], message, severity="info", hint=hint)


_TOLD = 3


def entry_orphan(context: LintContext) -> Iterator[Finding]:
    """entry_orphan, entry_unlinked: something leads to every page."""
    listed: tuple[set[str], set[str]] | None = None
    is_listed = generated.lists_every_page(context)
    _find_unlinked(context)
    for path, slug, kind, name, row in context.cache.rows(_SAYING):
        lint = context.policy.hardest("orphan", name)
        strict = lint is not None and lint.params.get("index") is False
        hint = f"link to it where it belongs, as [[{slug}]]"
        if not strict and not is_listed:
            listed = listed or _listed(context)
        if strict or (listed is not None and slug not in listed[0] and path not in listed[1]):
            where = "no other page" if strict else f"neither {index.PATH} nor another page"
            severity = context.policy.severity("orphan", name, "warn")
            yield Finding("entry_orphan", path, f"{where} links to it", 1, severity, hint)
        elif kind != "summary":
            if not context.entry(row).summary and _is_empty(path, context):
                hint = f"it says nothing; to take it out: curate remove {slug} --why REASON"
            yield Finding("entry_unlinked", path, f"only {index.PATH} links to it", 1, "info", hint)


def _is_empty(path: str, context: LintContext) -> bool:
    """True for a page that can be read and has headings alone."""
    page = Page(path, context.snapshot.read(path) or "")
    return (
        page.is_readable and all(block.kind == "heading" for block in page.outline.blocks) and "<!--" not in page.body
    )


def _find_unlinked(context: LintContext) -> None:
    """See that the pages are kept that no other one links to; of a few changes only what those link to is looked at."""
    changes, cache = context.changes_since(_FOUND), context.cache
    if changes == ():
        return
    near = _paths_near(context, changes) if changes is not None and len(changes) < _FEW else None
    with cache.step():
        if near is None:
            cache.fill("unlinked", _UNLINKED)
        else:
            some = "(SELECT value FROM json_each(?))"
            cache.rows(f"DELETE FROM unlinked WHERE path IN {some}", near)  # noqa: S608 (literal names)
            cache.rows(f"INSERT INTO unlinked {_UNLINKED} AND p.path IN {some}", near)
        context.keep(_FOUND, "")


def _paths_near(context: LintContext, changes: Iterable[Changed]) -> str | None:
    """The paths, as JSON, of the changed pages and of all that they link to now, or did; None where that is not soon told:
    a link by a path without its ending may lead to pages by their names."""
    targets: set[str] = set()
    paths: set[str] = set()
    for change in filter(is_of_page, changes):
        paths.add(change.path)
        for blob in filter(None, (change.before, change.after)):
            if (page := context.page_of(change.path, blob.oid)) is None:
                return None
            targets |= {*PageEntry.of(page).links} if page.is_readable else set()
    if any("/" in target and not target.endswith(".md") for target in targets):
        return None
    keys = json.dumps(sorted(map(context.key, targets)))
    return json.dumps(sorted(paths | targets | {row[0] for row in context.cache.rows(_NAMED, keys)}))


def _listed(context: LintContext) -> tuple[set[str], set[str]]:
    """The slugs and the paths that the committed index leads to."""
    text = context.snapshot.read(index.PATH) or ""
    found = _INDEX_LINK.findall(text)
    return {slug.strip() for slug, _ in found if slug}, {path.removeprefix("./") for _, path in found if path}


def contradiction(context: LintContext) -> Iterator[Finding]:
    """contradiction_unresolved, contradiction_one_sided: what contradicts each other waits for somebody to settle it."""
    for path, line, slug, of in relations(context, "contradicts"):
        hint = "settle it: keep what holds, and take contradicts: out of both pages"
        yield Finding("contradiction_unresolved", path, f"it contradicts [[{slug}]]", line, "warn", hint)
        other = context.resolve(slug)
        if other is not None and other.path != path and of not in other.contradicts:
            message = f"contradicts: [[{slug}]] does not say the same of this page"
            hint = "curate lint --fix adds it there"
            yield Finding("contradiction_one_sided", path, message, line, "warn", hint)


def relation_broken(context: LintContext) -> Iterator[Finding]:
    """relation_broken, relation_to_self: contradicts and supersedes name other pages that are there."""
    for what in ("contradicts", "supersedes"):
        for path, line, slug, _ in relations(context, what):
            other = context.resolve(slug)
            hint = "name a page that is there, or take the relation out"
            if other is None:
                yield Finding("relation_broken", path, f"{what}: there is no page {slug!r}", line, "error", hint)
            elif other.path == path:
                yield Finding("relation_to_self", path, f"{what}: names the page itself", line, "warn", hint)


def superseded(context: LintContext) -> Iterator[Finding]:
    """link_superseded: pages lead to what holds, not to what another page has taken the place of.

    What ``supersedes`` says in a head carries no words of a source, so nobody is told to link to who says it of itself.
    """
    by: dict[str, set[str]] = {}
    for path, _, slug, _ in relations(context, "supersedes"):
        old = context.resolve(slug)
        if old is not None and old.path != path:
            by.setdefault(old.path, set()).add(path)
    for old_path, successors in sorted(by.items()):
        old = context.wiki.resolve(old_path)
        for slug in sorted(context.wiki.inbound(old.slug)) if old is not None else ():
            source = context.wiki.entry(slug)
            if old is None or source is None or source.path in successors or source.path in by:
                continue
            if source.kind in DERIVED:
                continue  # comparisons and timelines tell of what was, too
            new = ", ".join(f"[[{page.slug}]]" for path in sorted(successors) if (page := context.wiki.resolve(path)))
            target = next((t for t in source.links if (hit := context.resolve(t)) and hit.path == old_path), old.slug)
            message = f"links to [[{old.slug}]] as if it held; {new} says that it supersedes it"
            line = context.line_of_link(source.path, target)
            hint = "nothing in a head is proven: read both, then name the page that holds, or take supersedes: out"
            yield Finding("link_superseded", source.path, message, line, "warn", hint)


def relations(context: LintContext, what: str) -> Iterator[tuple[str, int, str, str]]:
    """Path, line, the slug that is named, and the page's own."""
    query = """SELECT r.path, r.line, r.slug, f.slug FROM relation r JOIN facts f ON f.path = r.path
               WHERE r.what=? ORDER BY r.path, r.line"""
    yield from context.cache.rows(query, what)
