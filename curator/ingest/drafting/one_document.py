"""A document that was written of before it came in: its page then and its summary now are one page (decision 0016).

Worked out by code when all else of a draft has passed the wall, and checked by the rules on pages that become one.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from curator.ingest.drafting import new_page
from curator.wiki import merging
from curator.wiki.naming.terms import Terms
from curator.wiki.pages.names import SERIES, name_key
from curator.wiki.pages.page import Page
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry, Wiki

HEADING = "From other sources"
"""Over what others had said of the document, in its summary."""
_NUMBERED = re.compile(r"(?P<series>[a-z][a-z-]*) ?0*(?P<number>\d+)")


def earlier_pages(wiki: Wiki, source: Source, terms: Terms) -> list[PageEntry]:
    """The pages about the document itself that other sources brought: things called by its number in its series.

    A name without a number is no proof: a document may be called as the thing is that it is about.
    """
    summary = new_page.summary_of(source, wiki)
    if summary is None:
        return []
    keys = {name_key(name) for name in (*terms.own, *summary.aliases, summary.title, source.stem)}
    fields = {terms.layout.of(block).partition(":")[0].strip().casefold() for block in terms.layout.head}
    numbers = {number for key in keys if (number := _number(key)) and number.partition(" ")[0] in {*SERIES, *fields}}
    found = wiki.called({*keys, *numbers, *(number.replace(" ", "") for number in numbers)}).values()
    if any(entry.kind == "summary" and entry.path != summary.path for some in found for entry in some):
        return []  # two sources say that they are this document: a person has to say which is
    entries = {entry.slug: entry for some in found for entry in some if entry.kind == "entity"}
    return [entry for entry in entries.values() if _number(name_key(entry.title)) in numbers]


def with_one_page(
    wiki: Wiki, source: Source, terms: Terms, created: Collection[str]
) -> tuple[Wiki, tuple[tuple[str, str], ...]]:
    """``wiki`` with the pages about documents that have a summary made part of that; the slugs of both, for each.

    These are the earlier pages about ``source``, and those of the paths ``created`` that are about documents known before.
    """
    own = new_page.summary_of(source, wiki)
    pairs = [(own.slug, entry.slug) for entry in earlier_pages(wiki, source, terms) if own is not None]
    made = (PageEntry.of(wiki.changed[path]) for path in created if path in wiki.changed)
    pairs += [(slug, entry.slug) for entry in made if entry.kind == "entity" and (slug := _summary_called(wiki, entry))]
    done = []
    for kept, gone in dict.fromkeys(pairs):
        summary, page = wiki.page(kept), wiki.page(gone)
        if summary is not None and page is not None and _may_go(page, summary):
            wiki = merging.merged(wiki, summary, page, HEADING)
            done.append((gone, kept))
    return wiki, tuple(done)


def _summary_called(wiki: Wiki, entry: PageEntry) -> str:
    """The slug of the summary of the document that ``entry`` is called by the number of; empty where there is none."""
    number = _number(name_key(entry.title))
    series, _, digits = number.partition(" ")
    if series not in SERIES:
        return ""
    keys = [f"{series}{gap}{digits.zfill(width)}" for gap in (" ", "") for width in range(1, 6)]
    called = [each for some in wiki.called(keys).values() for each in some]
    slugs = (f"{key.replace(' ', '-')}{end}" for key in keys for end in ("", "-summary"))  # called by its file alone
    found = [*called, *filter(None, map(wiki.entry, slugs))]
    summaries = {each.slug for each in found if each.kind == "summary"}
    return summaries.pop() if len(summaries) == 1 else ""


def _may_go(page: Page, summary: Page) -> bool:
    """False for heads that cannot be read or are of two dialects, and for a page with a part of its user's own."""
    readable = page.is_readable and summary.is_readable
    return readable and page.dialect == summary.dialect and "<!--" not in page.body


def _number(key: str) -> str:
    """``pep 484`` for ``pep 0484`` and ``pep484``; empty for a name that is no number in a series."""
    match = _NUMBERED.fullmatch(key)
    return f"{match['series']} {match['number']}" if match else ""
