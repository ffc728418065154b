"""The look at the pages: those that are not known are read, and citations are held against sources that are new.

Many pages are read by several processes, each its part of them. What is found is written into the cache by this one alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial

from curator.checks.lint.facts import quotes
from curator.checks.lint.facts.cache import Stale
from curator.checks.lint.facts.page_facts import PageFacts
from curator.checks.lint.facts.rows import FactRows, Proof, Row
from curator.checks.lint.facts.snapshot import LintContext
from curator.system.parallel import spread
from curator.wiki import define_entry
from curator.wiki.pages.page import Page
from curator.wiki.validation import ENTRY_INVALID, Failure

_DONE = "looked at"

Digest = Callable[[str], str | None]


def collect_facts(context: LintContext) -> int:
    """See that all is kept of each page, and how many were read for it. Those of a commit are looked for once."""
    cache = context.cache
    count = 0
    if cache.known(_DONE) != context.snapshot.base:
        cache.keep_known(_DONE, "")  # until all is in: broken off here, it is true of no commit
        cache.forget_the_gone()
        stale = sorted(cache.stale(), key=lambda page: (page.sources[:1], page.path))  # source by source
        cache.forget(page.path for page in stale if page.was_other)
        missing = len(stale)
        with closing(_read(context, stale)) as found:
            for kept in found:
                missing -= len(kept.rows["facts"])
                cache.keep(kept.rows)
        cache.index()
        if not missing:  # in a partial clone, some may be
            cache.keep_known(_DONE, context.snapshot.base)
        count = len(stale)
    _hold_anew(context)
    return count


def _read(context: LintContext, stale: Sequence[Stale]) -> Generator[FactRows]:
    """What is to be kept of these pages."""
    for source in {source for page in stale for source in page.sources}:
        if (path := context.source_files.resolve(source)) is not None:
            context.source_files.digest(path)  # now: another process can neither ask the cache nor tell it
    here, there = (
        partial(_kept, context, digest) for digest in (context.source_files.digest, context.source_files.digested)
    )
    return spread(stale, there, here)


def _kept(context: LintContext, digest: Digest, pages: Sequence[Stale]) -> Iterator[FactRows]:
    prove = partial(_proof, context=context, digest=digest)
    known = {page.path: page for page in pages}
    kept = FactRows()
    for path, text in context.texts((page.path, page.blob) for page in pages):
        kept.add(PageFacts(path, text, known[path].entry), known[path].blob, prove)
    yield kept


def _proof(facts: PageFacts, source: str, context: LintContext, digest: Digest) -> Proof:
    """The digest is taken first: bytes that change in between are others at the next look."""
    found = digest(source)
    return ("", []) if found is None else (found, quotes.check_quotes(facts, source, context.source_texts.evidence))


def _hold_anew(context: LintContext) -> None:
    """Hold citations against sources whose bytes are others by now, or that were not known yet.

    Of one that is gone by now, nothing is said that it was held against.
    """
    cache, source_files = context.cache, context.source_files
    for source, digest in list(cache.rows("SELECT DISTINCT source, digest FROM proof")):
        if (now := source_files.digest(source) or "") != digest:
            query = "SELECT path FROM proof WHERE source=? AND digest=?"
            for (path,) in list(cache.rows(query, source, digest)):
                if not now:
                    cache.proven(path, source, "", [])
                elif (facts := context.facts(path)) is not None:
                    cache.proven(path, source, *_proof(facts, source, context, source_files.digest))


# -- entries -------------------------------------------------------------------------------------------------------


def entry_failures(path: str, data: bytes, types: Collection[str]) -> Iterator[Failure]:
    """What is wrong with the head of a page, where KNOWLEDGE.md declares these entity types."""
    try:
        page = Page(path, data.decode("utf-8"))
    except UnicodeDecodeError:
        yield Failure(ENTRY_INVALID, path, "it is not UTF-8")
        return
    yield from define_entry.of_entry(page, types)


def collect_entry_failures(context: LintContext, types: Collection[str]) -> Iterator[Failure]:
    """What is wrong with the heads of the pages, by path; those that were checked before are not read again."""
    cache, git = context.cache, context.snapshot.repository.git
    unchecked = cache.unchecked_entries(json.dumps(sorted(types)))
    here, there = (partial(_entry_rows, context, types, ask) for ask in (git.blob, _refuse))
    with closing(spread(unchecked, there, here)) as found:
        for rows in found:
            cache.keep(rows)
    for path, line, code, message, field in cache.rows("SELECT * FROM entry_fault ORDER BY path, rowid"):
        yield Failure(code, path, message, line, field=field)


def _entry_rows(
    context: LintContext, types: Collection[str], ask: Callable[[str], bytes | None], pages: Sequence[tuple[str, str]]
) -> Iterator[dict[str, list[Row]]]:
    """``ask`` gets a blob that is not to be had with the others."""
    rows: dict[str, list[Row]] = {"entry": [], "entry_fault": []}
    found = context.snapshot.repository.git.contents([blob for _, blob in pages])
    for (path, blob), data in zip(pages, found, strict=True):
        data = ask(blob) if data is None else data
        rows["entry"].append((path,))
        for each in entry_failures(path, data or b"", types):
            rows["entry_fault"].append((path, each.line, each.code, each.message, each.field))
    yield rows


def _refuse(blob: str) -> bytes | None:
    """A fork does not ask for blobs one by one: git's pipe is not its own, and its part is done by who started it."""
    raise LookupError(blob)
