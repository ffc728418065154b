"""The rules of one page: what they find depends on its text alone, so that it may be kept for as long as that stays.

How much a finding matters depends on the wiki's policy, which may change: ``weighed`` is for when it is shown.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from curator.checks.lint.facts.page_facts import PageFacts, unreadable
from curator.checks.lint.facts.policy import LintPolicy
from curator.finding import Finding
from curator.system.text import plural
from curator.wiki.pages.link_targets import leads_to_source
from curator.wiki.pages.page import DERIVED
from curator.wiki.references import line_of_field
from curator.wiki.sources.records import may_be_called

Rule = Callable[[PageFacts], Iterator[Finding]]
_SHOWN = 60


def entry_invalid(facts: PageFacts) -> Iterator[Finding]:
    """entry_invalid: a page's slug is the name of its file (AIP-10, layer 2); of the rest, validate tells."""
    name = PurePosixPath(facts.path).stem
    if facts.entry.slug != name:
        message = f"its slug is {facts.entry.slug!r}, and the name of its file {name!r}: curate validate fails"
        hint = f"curate rename {shlex.quote(facts.entry.slug)} {shlex.quote(name)} changes both"
        yield Finding("entry_invalid", facts.path, message, line_of_field(facts.text, "slug") or 1, "error", hint)


def claim_uncited(facts: PageFacts) -> Iterator[Finding]:
    """claim_uncited: every paragraph, list item and table row cites words of a source; one finding a page."""
    if facts.entry.kind in DERIVED:
        return
    # Of a footnote that names a source and cannot be read, note_invalid tells.
    noted = {label for label, note in facts.notes.items() if note.text.startswith("sources/")}
    bare = [said for said in facts.reading.said if not said.leads and noted.isdisjoint(said.labels)]
    if not bare:
        return
    first, *more = bare
    message = f"no source is cited for: {_shown(first.text)}"
    if more:
        lines = ", ".join(str(facts.line(said.line)) for said in more[:10])
        message += f"; nor in {plural(len(more), 'line')} {lines}{', …' if len(more) > 10 else ''}"
    hint = (
        'cite the words it rests on: [^label] behind it, and [^label]: sources/FILE#L1 "WORDS" at the end of the page'
    )
    yield Finding("claim_uncited", facts.path, message, facts.line(first.line), "warn", hint)


def citation_undefined(facts: PageFacts) -> Iterator[Finding]:
    """citation_undefined: every label that is cited is defined."""
    seen: set[str] = set()
    for said in facts.reading.said:
        for label in said.labels:
            if label not in facts.notes and label not in seen:
                seen.add(label)
                message = f"[^{label}] is cited, but no footnote says what it is"
                hint = "write the footnote, or take the mark out"
                yield Finding("citation_undefined", facts.path, message, facts.line(said.line), "warn", hint)


def note_unused(facts: PageFacts) -> Iterator[Finding]:
    """note_unused: every footnote is cited."""
    unused = set(facts.notes).difference(*(said.labels for said in facts.reading.said))
    # Headings and code may cite, too.
    for label in sorted(each for each in unused if f"[^{each}]" not in facts.body.replace(f"[^{each}]:", "")):
        note = facts.notes[label]
        message = f"the footnote [^{label}] is cited nowhere"
        yield Finding("note_unused", facts.path, message, facts.line(note.line), "info", "cite it, or take it out")


def note_invalid(facts: PageFacts) -> Iterator[Finding]:
    """note_invalid: a footnote that names a source says where in it, and quotes its words."""
    for label, note in facts.notes.items():
        if note.text.startswith("sources/") and (note.below or note.citation is None):
            message = f"[^{label}] names a source, and is no citation"
            hint = 'write it as [^label]: sources/FILE#L12 "THE SOURCE\'S WORDS"'
            if note.below:
                message = f"{_shown(note.below)} stands right below [^{label}] and is read as part of that footnote"
                hint = "leave an empty line between them"
            yield Finding("note_invalid", facts.path, message, facts.line(note.line), "warn", hint)


def source_unlisted(facts: PageFacts) -> Iterator[Finding]:
    """source_unlisted: a page lists the sources that it cites."""
    for path, (line, _) in facts.cited_sources.items():
        if not {*may_be_called(path)} & {*facts.entry.sources}:
            message = f"it cites {path}, which is not among its sources"
            yield Finding("source_unlisted", facts.path, message, line, "warn", f"add {path} under sources:")


def link_to_source(facts: PageFacts) -> Iterator[Finding]:
    """link_inline_to_source: a page cites its sources in footnotes, it does not link into them (ADDENDA, Entries)."""
    if facts.body.count("sources") == len(facts.cited) == facts.body.count("]: sources/"):
        return  # it stands in footnotes only
    for link in facts.page.outline.links:
        if "sources" in link.target.casefold() and "://" not in link.target and leads_to_source(facts.page, link):
            message = f"links to {link.target}, which is a source"
            hint = "cite the source in a footnote instead of linking it"
            yield Finding("link_inline_to_source", facts.path, message, facts.line(link.line), "warn", hint)


RULES: tuple[Rule, ...] = (
    entry_invalid,
    claim_uncited,
    citation_undefined,
    note_unused,
    note_invalid,
    source_unlisted,
    link_to_source,
)


def broken_by(facts: PageFacts) -> list[Finding]:
    """Every rule that the page breaks by itself."""
    if not facts.is_readable:
        return [unreadable(facts)]
    return [finding for rule in RULES for finding in rule(facts)]


def weighed(finding: Finding, policy: LintPolicy) -> Finding | None:
    """The finding as this wiki's policy weighs it; None where it does not mind."""
    if finding.code != "claim_uncited" or policy.grounding == "required":
        return finding
    return replace(finding, severity="info") if policy.grounding == "recommended" else None


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…")
