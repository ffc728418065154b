"""Pages that may be one: equal names, names that differ by spaces, the order or the ending of words, equal bodies.

Summaries are left out, but for the number that one has in a series: it bears the name of its source, which may be that of
the thing that the source is about, and says what other pages say of it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from curator.checks.lint.facts.cache import FactCache
from curator.checks.lint.facts.rows import kind_behind, unpacked
from curator.checks.lint.facts.schema import SKETCH
from curator.checks.lint.facts.snapshot import LintContext
from curator.finding import Finding
from curator.wiki import taken_names
from curator.wiki.pages.names import name_key, spelling_tells
from curator.wiki.wiki import PageEntry

_FOUND = "twins"
ALIKE = 0.6
"""The share of two pages' passages that both have, from which on they are called near duplicates."""

_SAME_NAME = """
SELECT n.key, p.path, p.entry FROM cat.name n JOIN cat.page p ON p.id = n.page
WHERE n.key IN (SELECT key FROM cat.name GROUP BY key HAVING count(*) > 1) AND p.kind <> 'summary' ORDER BY n.key, p.path
"""
_SAME_SLUG = """
SELECT slug, path FROM cat.page WHERE slug IN (SELECT slug FROM cat.page GROUP BY slug HAVING count(*) > 1)
ORDER BY slug, path
"""


def slug_taken(context: LintContext) -> Iterator[Finding]:
    """slug_taken: a slug names one page."""
    for slug, rows in groupby(context.cache.rows(_SAME_SLUG), key=lambda row: row[0]):
        first, *others = [row[1] for row in rows]
        for path in others:
            line = context.line_in_head(path, "slug:")
            hint = "give one of the two pages another slug: curate rename"
            yield replace(taken_names.slug_taken(path, slug, first), line=line, hint=hint)


def name_taken(context: LintContext) -> Iterator[Finding]:
    """name_taken: a title or an alias is the name of one page, however it is spelt."""
    for key, rows in groupby(context.cache.rows(_SAME_NAME), key=lambda row: row[0]):
        some = [(path, context.entry(row)) for _, path, row in rows]
        for path, entry in some[1:]:
            first, other = some[0]
            if other.slug == entry.slug or _told_apart(context, key, (first, other), (path, entry)):
                continue  # slug_taken has said so; or the wall lets both in
            name = next((name for name in entry.names if name_key(name) == key), key)
            line = context.line_in_head(path, name)
            yield replace(
                taken_names.name_taken(path, name, first),
                line=line,
                severity="warn",
                hint=_hint(other.slug, entry.slug),
            )


def _told_apart(context: LintContext, key: str, *pages: tuple[str, PageEntry]) -> bool:
    """True where capitals tell the names of two pages apart, as the two, or what they cite, write them."""
    one, other = ([name for name in entry.names if name_key(name) == key] for _, entry in pages)
    text = "\n".join(page.body for page in (context.page(path) for path, _ in pages) if page is not None)
    return all(spelling_tells(mine, theirs, text) for mine in one for theirs in other)


def name_alike(context: LintContext) -> Iterator[Finding]:
    """name_alike: two titles that differ by a space, by the order or the ending of their words, or by a last word such as
    "protocol" are often one thing; so are a page and the document whose number in a series it is called by."""
    for column in ("glued", "sorted"):
        query = f"""SELECT {column}, path, title, slug, kind FROM facts WHERE {column} IN (
            SELECT {column} FROM facts WHERE {column} <> '' GROUP BY {column} HAVING count(*) > 1)
            ORDER BY {column}, kind <> 'summary', path"""  # noqa: S608 (two literal names)
        for _, rows in groupby(context.cache.rows(query), key=lambda row: row[0]):
            first, *others = rows
            for _, path, title, slug, kind in others:
                kinds = {kind_behind(title), kind_behind(first[2])} - {""}
                is_apart = kind == "summary" or len(kinds) > 1  # text mode and text format are two things
                if name_key(title) != name_key(first[2]) and not is_apart:
                    message = f"{title!r} is nearly {first[2]!r}, the title of {first[1]}"
                    line, hint = context.line_in_head(path, "title:"), _hint(first[3], slug)
                    yield Finding("name_alike", path, message, line, "info", hint, other=first[1])


def page_duplicate(context: LintContext) -> Iterator[Finding]:
    """page_duplicate: no page says mostly what another one of its kind says."""
    _find_twins(context.cache)
    for first, path, share, head in context.cache.rows("SELECT DISTINCT first, path, share, head FROM twin"):
        message = f"it says mostly what {first} says ({share:.0%} of their passages are the same)"
        yield Finding("page_duplicate", path, message, head + 1, "warn", _hint(first, path), other=first)


def _find_twins(cache: FactCache) -> None:
    """See that all twins are kept: those among pages with a number in common that a page has, or had, which has changed."""
    with cache.step():
        some = "SELECT value FROM touched" if cache.known(_FOUND) is not None else None
        for column in SKETCH:
            among = some or f"SELECT {column} FROM facts"  # noqa: S608 (literal names, here and below)
            cache.rows(f"DELETE FROM twin WHERE number = '{column}' AND value IN ({among})")  # noqa: S608
            query = f"""SELECT {column}, kind, path, passages, head FROM facts WHERE kind <> 'summary' AND {column} IN (
                SELECT {column} FROM facts WHERE {column} IN ({among}) GROUP BY {column} HAVING count(*) > 1)
                ORDER BY {column}, kind, path"""  # noqa: S608
            cache.keep({"twin": [(column, *twin) for twin in _twins(cache.rows(query))]})
        cache.rows("DELETE FROM touched")
        cache.keep_known(_FOUND, "")


def _twins(rows: Iterable[tuple[int, str, str, bytes, int]]) -> Iterator[tuple[int, str, str, float, int]]:
    """The number that they share, the first page of its kind with that, another one that says mostly the same, and of that
    one by how much, and the lines of its head."""
    for (value, _), ((_, _, first, passages, _), *others) in groupby(rows, key=itemgetter(0, 1)):
        said = frozenset(unpacked(passages))
        for _, _, path, mine, head in others:
            if (share := _share(said, unpacked(mine))) >= ALIKE:
                yield value, first, path, share, head


def _hint(first: str, other: str) -> str:
    """What makes two pages one, or keeps them apart."""
    pages = f"{shlex.quote(first)} {shlex.quote(other)}"
    return f"one thing: curate merge {pages}; two things: curate rename {shlex.quote(other)} 'another name'"


def _share(one: frozenset[int], two: Sequence[int]) -> float:
    both = len(one.intersection(two))
    return both / (len(one) + len(two) - both) if both else 0.0
