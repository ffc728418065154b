"""Where a source disagrees with what the pages say, and which documents it says it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.models.extractive import contradictions, tables
from curator.models.extractive.known import KnownPage, KnownPages
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.reversals import Reversals, taken_back
from curator.models.proposal import Dispute, Mark
from curator.wiki.pages import editing
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.passages.of_source import sentence_borders

_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_REPLACES = re.compile(r"\b(?:replaces|supersedes|obsoletes)\b")
_ITSELF = re.compile(r"\b(?:this|the present|the new)\b", re.IGNORECASE)
_STANDING = frozenset("status state standing replaces supersedes".split())
_PARAGRAPH = 2
"""Sentences from which on a statement says more than what is disputed: a document's own page says so, too."""
_MOST = 10
"""Disputes, as a source may have."""


def find_disputes(
    reading: SourceReading, known_pages: KnownPages, own: str, superseded: frozenset[str]
) -> Iterator[Dispute]:
    """Where a statement of the source and one of another source cannot both hold.

    On a page about a thing both are told. Another source's summary goes on saying what that one says, and is only
    marked; it is left alone where a page about a thing tells it, or where the one source takes the other's place.
    """
    new = [s for s in reading.sentences if reading.alone[s.index] >= 0.3 and not s.aside]
    new += [row for rows in tables.find_properties(reading).values() for row in rows]
    said = contradictions.StatementsByValue([sentence.plain for sentence in new])
    changed = Reversals([sentence.plain for sentence in new])
    own_words = contradictions.context_of((reading.title,))
    told: set[str] = set()
    found = 0
    for known in sorted(known_pages.pages, key=lambda known: known.entry.kind == "summary"):
        page = known.page
        if page is None or known.slug == own or known.slug in superseded:
            continue
        ours = {label for label, citation in page.citations.items() if citation.path == reading.source.path}
        others = [block for block in statements_of(page) if ours.isdisjoint(block.citations)]
        old = [block for block in others if not editing.lead_of(block.text)]
        told |= {words_of(editing.without_lead(block.text)) for block in others if block not in old}
        context = contradictions.context_of(tuple(known.entry.names))
        changes = changed.about(known.entry.names) if known.entry.kind != "summary" else ()
        for block in old if new else ():
            first = said.against(contradictions.value_statement(block.text), own_words, context)
            first = first if first >= 0 else taken_back(without_marks(block.text), changes)
            claim = reading.claim(new[first]) if first >= 0 else None
            passage, words = passage_of(page, block), words_of(block.text)
            is_told = known.entry.kind == "summary" and any(each in words for each in told)
            if claim is not None and not is_told and page.body.count(passage) == 1 and found < _MOST:
                told |= {words} if len(sentence_borders(without_marks(block.text))) - 1 < _PARAGRAPH else set()
                found += 1
                yield Dispute(op="dispute", page=page.slug, passage=passage, claim=claim)


# -- relations -----------------------------------------------------------------------------------------------------


def find_relations(reading: SourceReading, known_pages: KnownPages, own: str) -> Iterator[Mark]:
    """What the source says it replaces, in its head or in a sentence, where that has a summary page."""
    head = reading.text.header
    replaced = [
        known.slug
        for name in ("replaces", "supersedes", "obsoletes")
        for known in _named(reading, known_pages, head.get(name))
    ]
    replaced = [slug for slug in dict.fromkeys(replaced) if slug != own]
    if replaced:
        yield Mark(op="mark", page=own, supersedes=tuple(replaced[:20]))
    for slug, quote in _said_to_be_replaced(reading, known_pages).items():
        if slug not in (own, *replaced):
            yield Mark(op="mark", page=own, supersedes=(slug,), quotes=(quote,))
    for name in ("superseded-by", "replaced-by", "obsoleted-by"):
        for known in _named(reading, known_pages, head.get(name)):
            if known.slug != own and own not in known.entry.supersedes:
                yield Mark(op="mark", page=known.slug, supersedes=(own,))


def _said_to_be_replaced(reading: SourceReading, known_pages: KnownPages) -> dict[str, str]:
    """Slugs, each with the sentence: ``Standard 5 replaces Standard 4``, in the document Standard 5."""
    found: dict[str, str] = {}
    ours = {name_key(name) for name in (reading.short_name, reading.own_title)} - {""}
    summaries = [known for known in known_pages.pages if known.entry.kind == "summary"]
    standing = [row for row in tables.of_itself(reading) if row.label.casefold() in _STANDING]
    for sentence in (*standing, *reading.sentences):
        verb = _REPLACES.search(sentence.plain)
        if verb is None or sentence.aside or reading.claim(sentence) is None:
            continue
        before = f" {name_key(sentence.plain[: verb.start()])} "
        behind = f" {name_key(sentence.plain[verb.end() :])} "
        speaks = sentence in standing or _ITSELF.search(sentence.plain[: verb.start()])
        if not (speaks or any(f" {name} " in before for name in ours)):
            continue
        for known in summaries:
            if any(f" {key} " in behind for key in known.document_keys):
                found.setdefault(known.slug, sentence.quote)
    return found


def _named(reading: SourceReading, known_pages: KnownPages, value: str) -> Iterator[KnownPage]:
    """The summary pages a header field names: by number in the same series, by file name, or by title."""
    summaries = KnownPages(tuple(known for known in known_pages.pages if known.entry.kind == "summary"))
    series = reading.short_name.partition(" ")[0]
    for part in [value, *re.split(r"[,;]\s*", value)]:
        part = part.strip().strip("\"'`<>")
        stem = re.sub(r"\.\w{2,8}$", "", part.rpartition("/")[2])
        numbered = f"{series} {int(part)}" if series and re.fullmatch(r"\d{1,5}", part) else ""
        if part and (known := summaries.named([part, stem, numbered])):
            yield known


# -- what stands on a page -----------------------------------------------------------------------------------------


def statements_of(page: Page) -> list[Block]:
    return [block for block in page.outline.blocks if block.kind in ("paragraph", "item") and block.text]


def stale_blocks(reading: SourceReading, page: Page) -> Iterator[Block]:
    """Statements of ``page`` that rest on this source alone and that it no longer makes."""
    for block in statements_of(page):
        paths = {page.citations[label].path for label in block.citations if label in page.citations}
        if (
            paths == {reading.source.path}
            and " ".join(name_key(editing.without_lead(block.text)).split()) not in reading.gist
        ):
            yield block


def passage_of(page: Page, block: Block) -> str:
    """The block as the page writes it, without its bullet.

    Its citation marks stay: the words alone may stand in the page twice, as a statement and as the quote that proves it.
    """
    written = page.body[block.start : block.end]
    bullet = _BULLET.match(written)
    return written[bullet.end() if bullet else 0 :].strip()
