"""The look at the pages: those that are not known are read, and citations are held against sources that are new.

Many pages are read by several processes, each its part of them. What is found is written into the ledger by this one alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial

from curator.checks.lint.facts import quotes
from curator.checks.lint.facts.cache import Stale
from curator.checks.lint.facts.page_facts import PageFacts
from curator.checks.lint.facts.rows import FactRows, Proof
from curator.checks.lint.facts.snapshot import LintContext
from curator.system.parallel import spread

_DONE = "looked at"

Digest = Callable[[str], str | None]


def look(whole: LintContext) -> int:
    """See that all is kept of each page, and how many were read for it. Those of a commit are looked for once."""
    ledger = whole.ledger
    count = 0
    if ledger.known(_DONE) != whole.snapshot.base:
        ledger.forget_the_gone()
        stale = sorted(ledger.stale(), key=lambda page: (page.sources[:1], page.path))  # source by source
        ledger.forget(page.path for page in stale if page.was_other)
        missing = len(stale)
        with closing(_read(whole, stale)) as found:
            for kept in found:
                missing -= len(kept.rows["leaf"])
                ledger.keep(kept.rows)
        ledger.index()
        if not missing:  # in a partial clone, some may be
            ledger.keep_known(_DONE, whole.snapshot.base)
        count = len(stale)
    _hold_anew(whole)
    return count


def _read(whole: LintContext, stale: Sequence[Stale]) -> Generator[FactRows]:
    """What is to be kept of these pages."""
    for source in {source for page in stale for source in page.sources}:
        if (path := whole.stock.resolve(source)) is not None:
            whole.stock.digest(path)  # now: another process can neither ask the ledger nor tell it
    here, there = (partial(_kept, whole, digest) for digest in (whole.stock.digest, whole.stock.digested))
    return spread(stale, there, here)


def _kept(whole: LintContext, digest: Digest, pages: Sequence[Stale]) -> Iterator[FactRows]:
    prove = partial(_proof, whole=whole, digest=digest)
    known = {page.path: page for page in pages}
    kept = FactRows()
    for path, text in whole.texts((page.path, page.blob) for page in pages):
        kept.add(PageFacts(path, text, known[path].entry), known[path].blob, prove)
    yield kept


def _proof(leaf: PageFacts, source: str, whole: LintContext, digest: Digest) -> Proof:
    """The digest is taken first: bytes that change in between are others at the next look."""
    found = digest(source)
    return ("", []) if found is None else (found, quotes.check(leaf, source, whole.sources.evidence))


def _hold_anew(whole: LintContext) -> None:
    """Hold citations against sources whose bytes are others by now, or that were not known yet."""
    ledger, stock = whole.ledger, whole.stock
    for source, digest in list(ledger.rows("SELECT DISTINCT source, digest FROM proof")):
        if (now := stock.digest(source)) is not None and now != digest:
            query = "SELECT path FROM proof WHERE source=? AND digest=?"
            for (path,) in list(ledger.rows(query, source, digest)):
                if (leaf := whole.leaf(path)) is not None:
                    ledger.proven(path, source, *_proof(leaf, source, whole, stock.digest))
