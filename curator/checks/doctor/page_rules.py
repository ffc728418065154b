"""The pages as they stand: what lint finds on them, and those rules of the wall that hold for a page whoever wrote it.

The wall judges a change. Here every page is looked at as if it had just been written, beside the wiki as it is: what
asks how large a change is, or whether the one source of a change says so, has no meaning; what forbids to a model what a
person may well write (pictures, HTML, other vendors' fields) is no fault. Whether quotes stand in their sources is for
``curate lint``, which reads the sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache

from curator.checks.diagnosis import Diagnosis
from curator.checks.examined_wiki import ExaminedWiki
from curator.checks.lint.maintenance import begin_lint
from curator.checks.lint.rules import anchors, duplicates, graph
from curator.checks.rules import Rule, bodies, fields, frontmatter, paths, sizes, urls
from curator.checks.rules.change import Change
from curator.finding import Finding, Severity
from curator.repository.catalogue import Catalogue
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki
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
    (bodies.fence_open, "warn"),
    (bodies.hidden_characters, "warn"),
    (sizes.page_too_large, "warn"),
    (sizes.body_empty, "info"),
)

_URLS: tuple[tuple[Rule, Severity], ...] = (
    (urls.link_scheme, "info"),
    (urls.url_host, "info"),
)
"""These find nothing on a page without a scheme, a host or an entity that may hide one."""
_URL_LIKE = re.compile(r":\S|[wW]{3}\.|[@&]|%3[Aa]")


_LINTS: Mapping[str, Severity] = {
    "frontmatter_unreadable": "error",
    "slug_taken": "error",
    "name_taken": "warn",
    "relation_broken": "warn",
    "relation_to_self": "warn",
    "contradiction_one_sided": "warn",
    "link_broken": "warn",
    "link_anchor_broken": "warn",
    "link_inline_to_source": "warn",
    "citation_undefined": "warn",
    "note_unused": "info",
}
"""Of what lint finds on pages, the faults of the pages themselves, and how much each matters to a wiki's health."""
_OF_THE_WHOLE = (
    graph.link_broken,
    graph.contradiction,
    graph.relation_broken,
    anchors.anchor_broken,
    duplicates.slug_taken,
    duplicates.name_taken,
)


def linted(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """The faults that lint finds; nothing where another process takes the catalogue to another commit."""
    with begin_lint(wiki.repository, wiki.now, wiki.limits, needs_file=False) as begun:
        context = begun.with_facts()
        for finding in (*context.cache.faults(), *(each for rule in _OF_THE_WHOLE for each in rule(context))):
            if finding.code in _LINTS:
                yield _diagnosis(replace(finding, severity=_LINTS[finding.code]), finding.hint)


@cache
def _no_pages() -> Wiki:
    """What the rules of one page get for the wiki: none of them asks for other pages, or what the page was."""
    return Wiki(Catalogue.open(None))


def judge_page(page: Page, policy: CurationPolicy, now: datetime) -> Iterator[Diagnosis]:
    """Every rule that the page breaks as it stands; one that cannot be read is lint's to tell."""
    if not page.is_readable:
        return
    after = Wiki(_no_pages().store, {page.path: page})
    change = Change.of_nobody(policy, _no_pages(), after, now)
    heads, links = _HEADS if page.head_lines else (), _URLS if _URL_LIKE.search(page.body) else ()
    for rule, severity in (*_RULES, *heads, *links):
        yield from (_diagnosis(replace(each, severity=severity), _REPAIRS[each.code]) for each in rule(change))


def _diagnosis(finding: Finding, advice: str) -> Diagnosis:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return Diagnosis(replace(finding, hint=""), f"{advice}: {place}; then commit it")


_REPAIRS = {
    "frontmatter_missing": "put schema, slug, kind, title, sources and updated_at between two lines of --- at the top",
    "second_frontmatter": "take the second frontmatter out, or put a line of text before its ---",
    "schema_unknown": "write schema: knowledge/v1",
    "slug_invalid": "make slug: and the file's name the same, in a-z, 0-9 and -",
    "title_invalid": "give a title of one line",
    "updated_at_invalid": "write a time such as 2026-04-15T09:30:00Z",
    "confidence_invalid": "write a number from 0 to 1",
    "link_scheme": "see whether this link is meant",
    "url_host": "see whether this link is meant",
    "fence_open": "close the code block",
    "hidden_characters": "delete the character",
    "page_too_large": "part the page",
    "body_empty": "write something on the page, or remove it",
    "path_malformed": "rename the file",
    "path_reserved": "rename the file",
}
"""What to do about a broken rule; the place is added."""
