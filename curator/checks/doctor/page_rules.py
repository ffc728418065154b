"""The pages as they stand, through those rules of the wall that hold for a page whoever wrote it.

The wall judges a change. Here every page is looked at as if it had just been written, beside the wiki as it is: what
asks how large a change is, or whether the one source of a change says so, has no meaning; what forbids to a model what a
person may well write (pictures, HTML, other vendors' fields) is no fault. Whether quotes stand in their sources is for
``curate lint``, which reads the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache

from curator.checks.diagnosis import Diagnosis, found
from curator.checks.rules import Rule, bodies, fields, footnotes, frontmatter, graph, links, paths, sizes, urls
from curator.checks.rules.change import Change
from curator.finding import Finding, Severity
from curator.wiki.pages.markdown import Link
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source
from curator.wiki.wiki import PageStore, Wiki
from curator.wiki.workspace.workspace import CurationPolicy

_HEADS: tuple[tuple[Rule, Severity], ...] = (
    (frontmatter.schema, "warn"),
    (frontmatter.slug, "warn"),
    (frontmatter.title, "warn"),
    (frontmatter.updated_at, "warn"),
    (fields.confidence, "warn"),
)
"""These ask for a head."""

_RULES: tuple[tuple[Rule, Severity], ...] = (
    (paths.malformed, "warn"),
    (paths.reserved, "warn"),
    (frontmatter.missing, "warn"),
    (frontmatter.second_head, "warn"),
    (graph.slug_taken, "error"),
    (graph.name_taken, "warn"),
    (graph.relation_broken, "warn"),
    (graph.relation_to_self, "warn"),
    (graph.one_sided, "warn"),
    (footnotes.citation_undefined, "warn"),
    (footnotes.note_unused, "info"),
    (bodies.fence_open, "warn"),
    (bodies.hidden_characters, "warn"),
    (sizes.page_too_large, "warn"),
    (sizes.body_empty, "info"),
)

_LINKS: tuple[tuple[Rule, Severity], ...] = (
    (links.link_broken, "warn"),
    (links.anchor_broken, "warn"),
    (links.link_to_source, "warn"),
)
"""These find nothing on a page whose links all name the slug of a page."""

_URLS: tuple[tuple[Rule, Severity], ...] = (
    (urls.link_scheme, "info"),
    (urls.url_host, "info"),
)
"""These find nothing on a page without a scheme, a host or an entity that may hide one."""
_URL_LIKE = re.compile(r":\S|[wW]{3}\.|[@&]|%3[Aa]")

_NO_SOURCE, _NO_EVIDENCE = Source("", "", Document(())), Evidence("", Document(()))


class _Remembering:
    """A store that is asked for the same pages again and again."""

    def __init__(self, store: PageStore) -> None:
        self._store = store
        self.by_slug = lru_cache(maxsize=20_000)(store.by_slug)
        self.by_path = lru_cache(maxsize=20_000)(store.by_path)
        self.conventions = lru_cache(maxsize=1)(store.conventions)
        self.entries = store.entries
        self.lines = store.lines
        self.named = store.named
        self.inbound = store.inbound

    def read(self, path: str) -> str | None:
        return self._store.read(path)


class _Unwritten(_Remembering):
    """The same store to the rules that ask which other pages there are; to those that ask what a page was, empty."""

    def read(self, path: str) -> str | None:
        return None


class Examiner:
    """Judges page after page of one wiki."""

    def __init__(self, store: PageStore, policy: CurationPolicy, now: datetime) -> None:
        self._policy, self._now = policy, now
        self._store: PageStore = _Remembering(store)
        self._before = Wiki(_Unwritten(self._store))

    def judged(self, page: Page) -> Iterator[Diagnosis]:
        """Every rule that the page breaks as it stands."""
        after = Wiki(self._store, {page.path: page})
        change = Change(_NO_SOURCE, _NO_EVIDENCE, self._policy, self._before, after, {}, self._now)
        if not page.is_readable:
            yield from (_diagnosis(finding, "error") for finding in frontmatter.unreadable(change))
            return
        for rule, severity in self._rules(page):
            yield from (_diagnosis(finding, severity) for finding in rule(change))

    def _rules(self, page: Page) -> Iterator[tuple[Rule, Severity]]:
        """The rules that the page could break: with ten thousand pages, it pays to leave out the others."""
        yield from _RULES
        if page.head_lines:
            yield from _HEADS
        if not all(self._is_plain(link) for link in page.outline.links):
            yield from _LINKS
        if _URL_LIKE.search(page.body):
            yield from _URLS

    def _is_plain(self, link: Link) -> bool:
        return link.form == "wiki" and not link.anchor and self._store.by_slug(link.target) is not None


def _diagnosis(finding: Finding, severity: Severity) -> Diagnosis:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    repair = f"{_REPAIRS.get(finding.code, 'mend it')}: {place}; then commit it"
    return found(severity, finding.code, finding.path, finding.message, repair, line=finding.line)


_REPAIRS = {
    "frontmatter_unreadable": "mend the YAML between the two lines of ---",
    "frontmatter_missing": "put schema, slug, kind, title, sources and updated_at between two lines of --- at the top",
    "second_frontmatter": "take the second frontmatter out, or put a line of text before its ---",
    "schema_unknown": "write schema: knowledge/v1",
    "slug_invalid": "make slug: and the file's name the same, in a-z, 0-9 and -",
    "title_invalid": "give a title of one line",
    "updated_at_invalid": "write a time such as 2026-04-15T09:30:00Z",
    "confidence_invalid": "write a number from 0 to 1",
    "slug_taken": "give one of the two pages another slug",
    "name_taken": "give one of the two pages another title or alias, or merge them",
    "relation_broken": "name a page that is there, or take the relation out",
    "relation_to_self": "take the relation out",
    "contradiction_one_sided": "name this page under contradicts: of the other page, or take the relation out",
    "link_broken": "make that page, correct the link, or write the words without a link",
    "link_anchor_broken": "correct the heading behind the #",
    "link_inline_to_source": "cite the source in a footnote instead of linking it",
    "link_scheme": "see whether this link is meant",
    "url_host": "see whether this link is meant",
    "citation_undefined": "write the footnote, or take the mark out",
    "note_unused": "cite the footnote, or take it out",
    "fence_open": "close the code block",
    "hidden_characters": "delete the character",
    "page_too_large": "part the page",
    "body_empty": "write something on the page, or remove it",
    "path_malformed": "rename the file",
    "path_reserved": "rename the file",
}
"""What to do about a broken rule; the place is added."""
