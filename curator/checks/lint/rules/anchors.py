"""Links to a heading: ``[[slug#Heading]]`` and ``path.md#heading`` lead to one that the page has.

A heading goes by its words, as Obsidian finds it, and by the name GitHub gives it: ``Feeding, in winter`` is found as
``#Feeding, in winter``, ``#feeding in winter`` and ``#feeding-in-winter``, the second one of that name as
``#feeding-in-winter-1``. ``#^id`` names a block, and raw HTML may name a place, too. What programs put behind the # that
is no heading (a line number, a text fragment, a footnote) is let be.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from curator.checks.lint.facts.snapshot import LintContext
from curator.finding import Finding
from curator.wiki.pages.citation import ANCHOR
from curator.wiki.pages.page import Page

_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_BLOCK = re.compile(r"(?:^|\s)(\^[A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)
_NO_HEADING = re.compile(
    rf"L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?|{ANCHOR}|top|:~:.*|(?:user-content-)?fn(?:ref)?[-:].*", re.IGNORECASE
)


def anchor_broken(context: LintContext) -> Iterator[Finding]:
    """link_anchor_broken: a link to a heading leads to one that is there; a page that is not is ``link_broken``."""
    query = """SELECT a.path, a.target, a.heading, a.line, f.type FROM anchor a JOIN facts f ON f.path = a.path
               ORDER BY a.path, a.line"""
    for path, target, heading, line, name in list(context.cache.rows(query)):
        entry = context.resolve(target or path)
        if entry is not None and not _is_among(heading, _names(context, entry.path)):
            severity = context.policy.severity("broken-ref", name, "warn")
            where = "this page" if entry.path == path else entry.path
            hint = "correct the heading behind the #, or link to the page alone"
            yield Finding("link_anchor_broken", path, f"{where} has no heading {heading!r}", line, severity, hint)


def _names(context: LintContext, path: str) -> frozenset[str]:
    """What can stand behind the # for a page; it is read once, while it stays as it is."""
    kept = context.cache.words(path, "headings")
    if kept is None:
        page = context.page(path)
        kept = sorted(names_of(page)) if page is not None else []
        context.cache.keep_words(path, "headings", kept)
    return frozenset(kept)


def names_of(page: Page) -> Iterator[str]:
    """The words of each heading; behind a # the name GitHub gives it, and what HTML names; blocks with their ^."""
    seen: Counter[str] = Counter()
    for block in page.outline.headings:
        slug = _slug(block.text)
        yield f"#{slug}-{seen[slug]}" if seen[slug] else f"#{slug}"
        seen[slug] += 1
        yield from {_key(block.text), _key(page.body[block.start : block.end])} - {""}
    for _, html in page.outline.html:
        yield from (f"#{name.casefold()}" for name in _ID.findall(html))
    yield from (name.casefold() for name in _BLOCK.findall(page.body))


def _is_among(anchor: str, names: frozenset[str]) -> bool:
    wanted = unquote(anchor).rpartition("#")[2].strip()
    if not wanted or _NO_HEADING.fullmatch(wanted):
        return True
    if wanted.startswith("^"):
        return wanted.casefold() in names
    return f"#{wanted.lower()}" in names or f"#{wanted.casefold()}" in names or _key(wanted) in names


def _key(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _slug(text: str) -> str:
    """As GitHub makes it: lower case, spaces as hyphens, no other signs than hyphens and underscores."""
    kept = (c for c in text.lower() if c in " -" or c.isalnum() or unicodedata.category(c)[0] == "M" or c in "_\u203f")
    return "".join(kept).replace(" ", "-")
