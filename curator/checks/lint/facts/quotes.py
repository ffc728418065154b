"""Evidence, held once more against the bytes of the sources: what a page quotes stands where it says.

A citation of a page of a book (``#p3``) can be held against a source that is read in lines: its words stand there or not.
Where no reader is, it cannot, and ``unread`` says so once a source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from curator.checks.lint.facts.page_facts import Cited, PageFacts
from curator.checks.lint.facts.snapshot import LintContext
from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.sandbox.source_texts import has_reader
from curator.system.filenames import printable
from curator.system.text import counted
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.quick_evidence import QuickEvidence

Read = Callable[[str], QuickEvidence]
"""A source by its path, ready to be asked for quotes. Raises SourceError."""


def check_quotes(facts: PageFacts, source: str, read: Read) -> list[Finding]:
    """What does not hold of the citations of ``source`` on a page."""
    mine = [cited for cited in facts.cited if cited.citation.path == source]
    if not has_reader(source):
        mine = [cited for cited in mine if cited.citation.anchor.startswith("L")]
    if not mine:
        return []
    try:
        evidence = read(source)
    except CuratorError as error:
        message = f"{source} cannot be read, so its citations were not checked: {' '.join(error.message.split())}"
        return [Finding("evidence_unchecked", facts.path, message, mine[0].line, "warn", error.hint)]
    return list(_faults(facts, mine, evidence))


def _faults(facts: PageFacts, mine: list[Cited], evidence: QuickEvidence) -> Iterator[Finding]:
    for cited in mine:
        citation = cited.citation
        holds = evidence.holds(citation)
        if holds and not counts_markup(citation, evidence):
            continue
        place = moved(citation, evidence)
        if place is not None:
            message = f"[^{cited.label}]: these words are at {place.anchor} of the source, not at {citation.anchor}"
            hint = f"curate lint --fix writes #{place.anchor}"
            yield Finding("evidence_moved", facts.path, message, cited.line, "info" if holds else "warn", hint)
        elif not holds:
            message = f"[^{cited.label}]: these words are not in {citation.path}: {_shown(citation.quote)}"
            hint = "quote the source's own words, or take the claim out"
            yield Finding("evidence_missing", facts.path, message, cited.line, "error", hint)


def unread(context: LintContext) -> Iterator[Finding]:
    """evidence_unchecked: pages of a source are cited, and nothing here can read them; one finding a source."""
    query = "SELECT source, sum(paged), min(path) FROM proof WHERE paged > 0 GROUP BY source ORDER BY source"
    for source, cited, first in context.cache.rows(query):
        if not has_reader(source) and context.source_files.digest(source) is not None:
            suffix = PurePosixPath(source).suffix
            cite = f"{counted(cited, 'citation')}, first on {first},"
            message = f"{cite} name a page of it: there is no reader for {suffix}, so they were not checked"
            hint = "compare them by eye, or keep its text as a source, too"
            yield Finding("evidence_unchecked", printable(source), message, None, "info", hint)


def moved(citation: Citation, evidence: QuickEvidence) -> Citation | None:
    """The citation with the anchor where its words do stand, word for word; None when they stand nowhere."""
    found = evidence.find(citation.quote)
    if not isinstance(found, list) or len(found) != 1:
        return None
    there = Citation(citation.path, found[0].anchor, citation.quote)
    return there if there.anchor != citation.anchor and evidence.holds(there) else None


def counts_markup(citation: Citation, evidence: QuickEvidence) -> bool:
    """True for a line of markup, as wikis of earlier versions cite what is read by paragraphs or pages now."""
    return citation.anchor.startswith("L") and evidence.document.unit != "line"


def _shown(quote: str) -> str:
    return repr(quote if len(quote) <= 60 else f"{quote[:59]}…")
