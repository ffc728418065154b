"""The proposal for one source: its summary page, new pages, statements added to known ones, disputes and relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from curator.models.extractive import (
    changes,
    disagreements,
    openings,
    standing,
    subjects,
    summary,
    telling,
)
from curator.models.extractive.disagreements import passage_of, statements_of
from curator.models.extractive.known import KnownPage, KnownPages, cites
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.subjects import SubjectStatements
from curator.models.extractive.terms import ranking
from curator.models.port import Request
from curator.models.proposal import MOST_CLAIMS, Add, Claim, Create, Mark, Operation, Proposal, Replace
from curator.wiki.naming.homonyms import other_kind
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import LONGEST_TITLE, Page

_MOST = 60
"""Operations a proposal may have."""


def curate(request: Request) -> Proposal:
    """What the extractive curator proposes for ``request``."""
    reading = SourceReading(request.source, request.evidence)
    known_pages = KnownPages.of(request)
    own = known_pages.summary_of(request.source)
    slug = own.slug if own else known_pages.summary_slug or request.source.stem
    relations = list(disagreements.find_relations(reading, known_pages, slug))
    superseded = frozenset(other for mark in relations if mark.page == slug for other in mark.supersedes)
    disputes = list(disagreements.find_disputes(reading, known_pages, slug, superseded))
    summaries = {known.slug for known in known_pages.pages if known.entry.kind == "summary"}
    disputed = {op.claim.text for op in disputes if op.page not in summaries}
    taken = known_pages.names | (own.keys if own else {key for key in (name_key(reading.short_name),) if key})
    found = subjects.find_subjects(reading, known_pages, request.policy, frozenset(taken))
    about_things = [op for statements in found for op in _subject(reading, statements, disputed)]
    # What became of a rule of such a document is looked up on its page, which has them all.
    elsewhere = (
        frozenset() if superseded or reading.is_numbered else _told_elsewhere(reading, known_pages, about_things)
    )
    leads = frozenset(statements.lead.index for statements in found)
    parts = summary.sections(reading, request.policy.depth, elsewhere, leads)
    operations: list[Operation] = []
    operations += _summary(reading, own, parts, _free_title(reading, known_pages, found))
    operations += about_things
    operations += disputes
    operations += relations
    operations += changes.find_changes(reading, known_pages, slug)
    return Proposal(operations=tuple(operations[:_MOST]))


def _told_elsewhere(reading: SourceReading, known_pages: KnownPages, operations: Iterable[Operation]) -> frozenset[str]:
    """The words of what the pages of things say, for the summary not to say it again."""
    told = frozenset(
        words_of(block.text)
        for known in known_pages.subjects(reading.source)
        if known.page is not None and cites(known.entry.sources, reading.source)
        for block in statements_of(known.page)
    )
    return told | {words_of(claim.text) for op in operations if isinstance(op, Create | Add) for claim in op.body}


# -- the summary page --------------------------------------------------------------------------------------------


def _summary(
    reading: SourceReading, own: KnownPage | None, parts: list[summary.SummarySection], title: str
) -> Iterator[Operation]:
    if own is None:
        claims = summary.body(reading, parts)
        if claims:
            aliases = (reading.short_name,) if reading.short_name and reading.short_name != reading.title else ()
            yield Create(op="create", kind="summary", title=title, aliases=aliases, body=tuple(claims[:MOST_CLAIMS]))
        return
    for part in parts:
        yield from _revise(reading, own, part.sentences, part.heading, part.bullet)
    said = {words_of(block.text) for block in own.page.outline.blocks} if own.page else set()
    if fresh := [claim for claim in summary.head_fields(reading) if words_of(claim.text) not in said]:
        yield Add(op="add", page=own.slug, body=tuple(fresh[:MOST_CLAIMS]))


def _free_title(reading: SourceReading, known_pages: KnownPages, found: list[SubjectStatements]) -> str:
    """The document's title, told apart from a page of the same name."""
    taken = known_pages.names | {key for statements in found for key in statements.term.keys}
    if name_key(reading.title) not in taken:
        return reading.title
    for addition in (reading.source.date, reading.source.stem, "document"):
        title = f"{reading.title} ({addition})"
        if addition and name_key(addition) != name_key(reading.title) and name_key(title) not in taken:
            return title
    return f"{reading.title} ({reading.source.stem}, {reading.source.digest[-8:]})"


# -- pages about things ------------------------------------------------------------------------------------------


def _subject(reading: SourceReading, statements: SubjectStatements, disputed: set[str]) -> Iterator[Operation]:
    term, known = statements.term, statements.known
    if known is None:
        opening = telling.led(reading, statements.lead)
        opens = statements.opens and not standing.end_of(reading)
        lead = reading.claims([openings.spelled_out(opening, term) if opens else opening], "" if opens else "- ")
        others = reading.claims(_others(reading, statements))
        if lead:
            lead, others = (lead, others) if opens else ([], [*lead, *others])
            others = [Claim(text=f"## {reading.heading}"), *others] if others else []
            yield Create(
                op="create",
                kind="entity" if term.is_name else "concept",
                title=term.title[:LONGEST_TITLE],
                aliases=tuple(dict.fromkeys(term.aliases.values())),
                body=(*lead, *others)[:MOST_CLAIMS],
            )
        return
    if field := _other_kind(reading, statements, known):
        title = f"{known.entry.title} ({field})"[:LONGEST_TITLE]
        body = (
            *reading.claims([telling.led(reading, statements.lead)], ""),
            *reading.claims(_others(reading, statements)),
        )
        kind = "entity" if known.entry.kind == "entity" else "concept"
        yield Create(op="create", kind=kind, title=title, body=body[:MOST_CLAIMS])
        return
    fresh = [s for s in statements.all if s.text not in disputed]
    if statements.opens and known.has_no_opening and statements.lead in fresh and not standing.end_of(reading):
        fresh.remove(statements.lead)
        opening = telling.led(reading, statements.lead)
        if first := tuple(reading.claims([opening], "")):
            yield Add(op="add", page=known.slug, body=first)
    yield from _revise(reading, known, tuple(telling.wholes(reading, fresh)), reading.heading, "- ")
    new = tuple(alias for key, alias in term.aliases.items() if key not in known.keys and alias != key)
    if new:
        yield Mark(op="mark", page=known.slug, aliases=new)


def _others(reading: SourceReading, statements: SubjectStatements) -> list[Sentence]:
    """What its page tells behind the opening."""
    return list(telling.wholes(reading, statements.others, statements.lead))


def _other_kind(reading: SourceReading, statements: SubjectStatements, known: KnownPage) -> str:
    """What kind of thing the source means by the page's name, where it is another one."""
    if known.page is None or cites(known.entry.sources, reading.source):
        return ""
    return other_kind(known.page, [sentence.plain for sentence in statements.all])


def _revise(
    reading: SourceReading, known: KnownPage, sentences: tuple[Sentence, ...], heading: str, bullet: str
) -> Iterator[Operation]:
    """``sentences`` on a page that exists: in the place of what this source no longer says, else added."""
    page = known.page
    stale = list(_stale(reading, page)) if page and cites(known.entry.sources, reading.source) else []
    said = {words_of(block.text) for block in page.outline.blocks if block not in stale} if page else set()
    bags = [_bag(block.text) for block in statements_of(page)] if page else []
    others: list[tuple[Sentence, list[Claim]]] = []
    for sentence in sentences:
        claims = reading.claims([sentence], "")
        bag = _bag(sentence.plain)
        if not claims or any(words_of(sentence.plain) in block for block in said):
            continue
        claim, *code = claims
        old = max(stale, key=lambda block: ranking.alike(_bag(block.text), bag), default=None)
        if page is not None and old is not None and ranking.alike(_bag(old.text), bag) >= 0.5:
            stale.remove(old)
            marks = "".join(f" [^{label}]" for label in old.citations)
            text = Claim(text=claim.text + marks, quotes=claim.quotes)
            yield Replace(op="replace", page=known.slug, passage=passage_of(page, old), body=(text,))
        elif all(ranking.alike(other, bag) < 0.8 or any(map(str.isdigit, bag - other)) for other in bags):
            others.append((sentence, [Claim(text=bullet + claim.text, quotes=claim.quotes), *code]))
    stay = [words_of(block.text) for block in stale]  # in them: the sentences that stand are left on the page
    added = [
        claim
        for sentence, told in others
        if not any(words_of(sentence.plain) in block for block in stay)
        for claim in told
    ]
    if added:
        yield Add(op="add", page=known.slug, section=_heading_of(page, heading), body=tuple(added[:MOST_CLAIMS]))


def _heading_of(page: Page | None, heading: str) -> str:
    """``heading`` as the page writes it, if it has it."""
    headings = [block.text for block in page.outline.headings] if page else []
    return next((text for text in headings if words_of(text) == words_of(heading)), heading)


def _stale(reading: SourceReading, page: Page) -> Iterator[Block]:
    """Statements of ``page`` that rest on this source alone and that it no longer makes."""
    for block in statements_of(page):
        paths = {page.citations[label].path for label in block.citations if label in page.citations}
        if paths == {reading.source.path} and " ".join(name_key(block.text).split()) not in reading.gist:
            yield block


def _bag(plain: str) -> frozenset[str]:
    return frozenset(name_key(plain).split())
