"""Rules on footnotes: each one a citation of the source, none lost, none smuggled in (research B5).

A footnote is judged where it is defined; whether every claim has one is for ``claims.py``.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits, folded, raw
from curator.finding import Finding
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import HEAD_FIELD, MAX_CHARACTERS, MIN_LETTERS, MIN_WORDS, is_row

_TOLD = 80
"""Characters of a quote that a finding has."""
_QUOTE_SLACK = 2
"""A quote is written as the source's own words, which may be longer than what was asked for."""


def citation_lost(change: Change) -> Iterator[Finding]:
    """citation_lost: what was cited is cited still, by the same words, and every kept claim keeps its citations."""
    for edit in edits(change):
        if edit.old is None:
            continue
        defined, cited = _definitions(edit.page), _cited(edit.page)
        was_defined = _definitions(edit.old)
        for label in sorted(_cited(edit.old)):
            if label not in cited or (label in was_defined and defined.get(label) != was_defined[label]):
                yield Finding("citation_lost", edit.page.path, f"the citation [^{label}] is lost or changed")
        for block, was in edit.kept_claims:
            for label in was.citations:
                if label in cited and label not in block.citations:
                    message = f"a claim lost its citation [^{label}]"
                    yield Finding("citation_lost", edit.page.path, message, edit.line(block))


def citation_undefined(change: Change) -> Iterator[Finding]:
    """citation_undefined: every label that is cited is defined."""
    for edit in edits(change):
        known = _cited(edit.old) - set(_definitions(edit.old)) if edit.old else set()
        for label in sorted(_cited(edit.page) - set(_definitions(edit.page)) - known):
            yield Finding("citation_undefined", edit.page.path, f"[^{label}] is cited, but no footnote says what it is")


def note_unused(change: Change) -> Iterator[Finding]:
    """note_unused: every new footnote is cited, so that none is a place to put text in."""
    for edit in edits(change):
        known = set(_definitions(edit.old)) - _cited(edit.old) if edit.old else set()
        for label in sorted(set(_definitions(edit.page)) - _cited(edit.page) - known):
            yield Finding("note_unused", edit.page.path, f"the footnote [^{label}] is cited nowhere")


def note_invalid(change: Change) -> Iterator[Finding]:
    """note_invalid: a new footnote is one line, ``[^label]: sources/... "quote"``, of this source, defined once."""
    for edit in edits(change):
        labels = Counter(_one_label(block) for block in edit.page.outline.blocks if block.kind == "note")
        for block in edit.notes:
            written = raw(edit.page, block)
            citation = citation_of(edit.page, block)
            if citation is None or "\n" in written or labels[_one_label(block)] > 1:
                message = f"[^{block.info}] is no citation on a line of its own, or is defined twice"
            elif citation.path != change.source.path:
                message = f"[^{block.info}] cites {citation.path}, not the source taken in"
            else:
                continue
            yield Finding("note_invalid", edit.page.path, message, edit.line(block))


def citation_unproven(change: Change) -> Iterator[Finding]:
    """citation_unproven: the words of every citation a change adds stand in the source, in the lines it names.

    So too for a mark that is put behind a claim which did not have it, whether its footnote is old or new.
    """
    for edit in edits(change):
        proven = proven_labels(change, edit.page)
        for block in edit.notes:
            if block.info not in proven:
                message = f"[^{block.info}]: {_fault(citation_of(edit.page, block))}"
                yield Finding("citation_unproven", edit.page.path, message, edit.line(block))
        for block in edit.claims:
            for label in block.citations:
                citation = edit.page.citations.get(label)
                if citation is not None and citation.path == change.source.path and label not in proven:
                    yield Finding("citation_unproven", edit.page.path, f"[^{label}] does not hold", edit.line(block))
        for block, was in edit.kept_claims:
            for label in sorted({*block.citations} - {*was.citations} - proven):
                message = f"[^{label}] does not prove what it now stands behind"
                yield Finding("citation_unproven", edit.page.path, message, edit.line(block))


def proven_labels(change: Change, page: Page) -> set[str]:
    """The footnotes of ``page`` that cite the source taken in, whose words are there and enough to prove something."""
    return {
        label
        for label, citation in page.citations.items()
        if citation.path == change.source.path and _says_enough(citation.quote) and change.evidence.holds(citation)
    }


def _fault(citation: Citation | None) -> str:
    """Why a citation proves nothing, with its words: whoever wrote the claim knows no label."""
    quote = textwrap.shorten(citation.quote, _TOLD, placeholder="…") if citation is not None else ""
    if citation is not None and len(citation.quote) <= MAX_CHARACTERS and not _says_enough(citation.quote):
        return f"{quote!r} says too little to prove anything: quote the whole line, or the sentence around it"
    return f"these words are not where it says in the source: {quote!r}"


def citation_of(page: Page, block: Block) -> Citation | None:
    """What a footnote's definition cites."""
    return Citation.parse(raw(page, block).partition("]:")[2])


def _one_label(block: Block) -> str:
    """A footnote's label as the most forgiving reader compares it."""
    return " ".join(block.info.casefold().split())


def _says_enough(quote: str) -> bool:
    letters = [c for c in quote if c.isalnum()]
    words = len(re.findall(r"\w+", quote)) + sum(not c.isascii() for c in letters)
    is_line = HEAD_FIELD.match(quote) is not None or is_row(quote)
    is_enough = words >= MIN_WORDS or len(letters) >= MIN_LETTERS or is_line
    return len(quote) <= MAX_CHARACTERS * _QUOTE_SLACK and is_enough


def _definitions(page: Page) -> dict[str, str]:
    """The footnotes of a page by label: the first of each, as readers do."""
    found: dict[str, str] = {}
    for block in page.outline.blocks:
        if block.kind == "note":
            found.setdefault(block.info, folded(raw(page, block)))
    return found


def _cited(page: Page) -> set[str]:
    return {label for block in page.outline.blocks for label in block.citations}
