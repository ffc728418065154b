"""Pages that many pages ask for and that nobody has written: a term they link to, or set in bold face."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.lint.facts.snapshot import LintContext
from curator.finding import Finding

MANY = 3
"""On so many pages a term must be linked or in bold face."""

_WANTED = """
WITH wanted (key, path) AS (
    SELECT t.key, t.path FROM main.term t WHERE NOT EXISTS (SELECT 1 FROM cat.name n WHERE n.key = t.key)
    UNION SELECT l.target, p.path FROM {lost} JOIN cat.link l ON l.target = lost.target JOIN cat.page p ON p.id = l.page
    WHERE l.target NOT LIKE '%.md')
SELECT key, count(*) FROM wanted GROUP BY key HAVING count(*) >= ? ORDER BY key
"""
_LINKED = """
SELECT l.target, p.path, p.entry FROM cat.link l JOIN cat.page p ON p.id = l.page WHERE l.target=? ORDER BY p.path
"""


def page_missing(context: LintContext) -> Iterator[Finding]:
    """page_missing: what three pages or more call for has a page. A folder's file name is no term."""
    for key, count in context.cache.rows(_WANTED.format(lost=context.lost), MANY):
        stressed = context.cache.rows("SELECT term, path, line FROM term WHERE key=? ORDER BY path", key)
        places = {path: (term, line) for term, path, line in stressed}
        for path, target in _links(context, key):
            places[path] = (target, context.line_of_link(path, target) or 1)
        if len(places) < MANY:
            continue
        (first, (term, line)), *more = sorted(places.items())
        others = ", ".join(f"{path}:{place[1]}" for path, place in more[:3])
        message = (
            f"{count} pages link or stress {term!r}, which has no page: also {others}{', …' if len(more) > 3 else ''}"
        )
        yield Finding("page_missing", first, message, line, "info", "write that page, or give it as an alias to one")


def _links(context: LintContext, key: str) -> Iterator[tuple[str, str]]:
    """Path and target of every link to the term that leads nowhere."""
    for _, path, row in context.cache.rows(_LINKED, key):
        for target in context.entry(row).links:
            if context.key(target) == key and context.is_broken(target):
                yield path, target
                break
