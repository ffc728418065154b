"""The proposal for one source: its summary page, new pages, statements added to known ones, disputes and relations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from curator.models.extractive import (
    changes,
    disagreements,
    openings,
    standing,
    subjects,
    summary,
    telling,
)
from curator.models.extractive.disagreements import passage_of, stale_blocks, statements_of
from curator.models.extractive.known import KnownPage, KnownPages, cites
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.subjects import SubjectStatements
from curator.models.extractive.terms import ranking
from curator.models.port import Request
from curator.models.proposal import MOST_CLAIMS, Add, Claim, Create, Mark, Operation, Proposal, Replace
from curator.wiki.english.spelled import is_number
from curator.wiki.naming.fields import SourceField
from curator.wiki.naming.homonyms import other_kind
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import LONGEST_TITLE, Page

_PERSON = re.compile(r"((?:[A-ZÀ-Ý][\w.'’-]*)(?: [A-ZÀ-Ý][\w.'’-]*){1,3})(?: \([^()]*\d[^()]*\))?")
"""A name of several words, with the years that tell one from another."""
_MOST = 60
"""Operations a proposal may have."""
_CORRECTED, _SAME = 0.5, 0.8
"""The share of words that a statement has in common with one that it takes the place of, and with one that says the same
unless their numbers differ.
"""
Told = tuple[str, Sentence]
"""The words of a statement, and how it is told."""


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
    taken |= frozenset(_names_of_several(reading.text.headings))
    found = subjects.find_subjects(reading, known_pages, request.policy, frozenset(taken))
    title = own.entry.title if own else _free_title(reading, known_pages, found)
    others = [known for known in known_pages.pages if known.entry.kind == "summary" and known is not own]
    is_shared = any(name_key(reading.own_title) in known.keys for known in others)
    heading = reading.heading(title if own or is_shared else "")
    about_things = [op for statements in found for op in _subject(reading, statements, heading, disputed)]
    told_of = {statements.known.slug for statements in found if statements.known}
    for known in known_pages.subjects(reading.source):
        if known.slug not in told_of:
            about_things += _revise(reading, known, (), _said_of_things(reading, disputed))
    # What became of a rule of such a document is looked up on its page, which has them all.
    elsewhere = (
        frozenset() if superseded or reading.is_numbered else _told_elsewhere(reading, known_pages, about_things)
    )
    leads = frozenset(index for statements in found for index in _told_again(reading, statements))
    parts = summary.sections(reading, request.policy.depth, elsewhere, leads)
    operations: list[Operation] = []
    operations += _summary(reading, own, parts, title)
    operations += about_things
    operations += disputes
    operations += relations
    operations += changes.find_changes(reading, known_pages, slug, heading)
    return Proposal(operations=tuple(operations[:_MOST]))


def _told_again(reading: SourceReading, statements: SubjectStatements) -> Iterator[int]:
    """The numbers of the sentences that the summary tells though the page of a thing does: what the thing is, and what the
    document begins with.
    """
    yield statements.lead.index
    own = (sentence for run in statements.own for sentence in run)
    yield from (each.index for each in own if each.path == reading.sentences[0].path)


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
    yield from _revise(reading, own, parts)
    said = {words_of(block.text) for block in own.page.outline.blocks} if own.page else set()
    if fresh := [claim for claim in summary.head_fields(reading) if words_of(claim.text) not in said]:
        yield Add(op="add", page=own.slug, body=tuple(fresh[:MOST_CLAIMS]))


def _names_of_several(headings: Iterable[str]) -> Iterator[str]:
    """The names that several headings have, years aside: of two people of one name a page would make one."""
    names = Counter(name_key(found[1]) for heading in headings if (found := _PERSON.fullmatch(heading)))
    yield from (name for name, times in names.items() if times > 1)


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


def _subject(
    reading: SourceReading, statements: SubjectStatements, heading: str, disputed: set[str]
) -> Iterator[Operation]:
    term, known = statements.term, statements.known
    opening = telling.named(reading, joined(statements.opening))
    if known is None:
        opens = statements.opens and not standing.end_of(reading)
        lead = reading.claims([openings.spelled_out(opening, term) if opens else opening], "" if opens else "- ")
        others = reading.claims(_others(reading, statements))
        if lead:
            lead, others = (lead, others) if opens else ([], [*lead, *others])
            others = [Claim(text=f"## {heading}"), *others] if others else []
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
            *reading.claims([opening], ""),
            *reading.claims(_others(reading, statements)),
        )
        kind = "entity" if known.entry.kind == "entity" else "concept"
        yield Create(op="create", kind=kind, title=title, body=body[:MOST_CLAIMS])
        return
    fresh = [s for s in statements.chosen if s.text not in disputed]
    own = [run for run in statements.own if all(s.text not in disputed for s in run)]
    told = _told_on(reading, known, own)
    if statements.opens and known.has_no_opening and statements.lead in fresh and not standing.end_of(reading):
        fresh.remove(statements.lead)
        told += statements.opening
        if first := tuple(reading.claims([opening], "")):
            yield Add(op="add", page=known.slug, body=first)
    part = summary.SummarySection(heading, tuple(telling.wholes(reading, fresh, own, told)))
    yield from _revise(reading, known, [part], _said_of_things(reading, disputed))
    new = tuple(alias for key, alias in term.aliases.items() if key not in known.keys and alias != key)
    if new:
        yield Mark(op="mark", page=known.slug, aliases=new)


def _said_of_things(reading: SourceReading, disputed: Collection[str]) -> Iterator[Told]:
    """All that the source may say on the page of a thing, sentence by sentence."""
    fit = (s for s in reading.sentences if reading.fitness[s.index] and s.text not in disputed)
    return ((s.plain, telling.led(reading, s)) for s in fit)


def _told_on(reading: SourceReading, known: KnownPage, own: Iterable[telling.Part]) -> telling.Part:
    """The sentences of ``own`` that the page has, be it in other blocks than it would have them now."""
    if known.page is None:
        return ()
    stale = [*stale_blocks(reading, known.page)]
    said = [words_of(block.text) for block in known.page.outline.blocks if block not in stale]
    return tuple(
        sentence
        for run in own
        for sentence in run
        if all(
            any(words_of(each.plain) in block for block in said)
            for each in (telling.named(reading, sentence), *(item for _, item in sentence.listed))
        )
    )


def _others(reading: SourceReading, statements: SubjectStatements) -> list[Sentence]:
    """What its page tells behind the opening."""
    return list(telling.wholes(reading, statements.others, statements.own, statements.opening))


def _other_kind(reading: SourceReading, statements: SubjectStatements, known: KnownPage) -> str:
    """What kind of thing the source means by the page's name, where it is another one."""
    if known.page is None or cites(known.entry.sources, reading.source):
        return ""
    told = [sentence.plain for sentence in statements.all]
    said = SourceField(reading.source.document.text).said_of(known.entry.names)
    return other_kind(known.page, [*told, *(text for text in said if text not in told)])


def _revise(
    reading: SourceReading, known: KnownPage, parts: Sequence[summary.SummarySection], others: Iterable[Told] = ()
) -> Iterator[Operation]:
    """``parts`` on a page that exists: in the place of what this source says no more, else added; ``others`` only there."""
    page = known.page
    stale = list(stale_blocks(reading, page)) if page and cites(known.entry.sources, reading.source) else []
    if not stale and not any(part.sentences for part in parts):
        return
    said = {words_of(block.text) for block in page.outline.blocks if block not in stale} if page else set()
    new = [(part, s) for part in parts for s in part.sentences if not any(words_of(s.plain) in each for each in said)]
    told = [(s.plain, s) for _, s in new]
    told += [each for each in others if words_of(each[0]) not in said] if stale else []
    corrected: set[str] = set()
    for block, sentence in _corrected(known, stale, told):
        claim = reading.claim(sentence)
        if page is None or claim is None:
            continue
        stale.remove(block)
        corrected.add(sentence.plain)
        marks = "".join(f" [^{label}]" for label in block.citations)
        text = Claim(text=claim.text + marks, quotes=claim.quotes)
        yield Replace(op="replace", page=known.slug, passage=passage_of(page, block), body=(text,))
    bags = [_bag(block.text) for block in statements_of(page)] if page else []
    stay = [words_of(block.text) for block in stale]  # in them: the sentences that stand are left on the page
    for part in parts:
        added: list[Claim] = []
        for sentence in (s for each, s in new if each is part and s.plain not in corrected):
            bag = _bag(sentence.plain)
            is_new = all(ranking.alike(other, bag) < _SAME or any(map(is_number, bag ^ other)) for other in bags)
            if is_new and not any(words_of(sentence.plain) in block for block in stay):
                added += reading.claims([sentence], part.bullet)
        if added:
            heading = _heading_of(page, part.heading)
            yield Add(op="add", page=known.slug, section=heading, body=tuple(added[:MOST_CLAIMS]))


def _corrected(known: KnownPage, stale: Sequence[Block], told: Sequence[Told]) -> list[tuple[Block, Sentence]]:
    """What of ``told`` says anew what the page has in a ``stale`` block, the likest first, and of the same thing."""
    bags = [_bag(plain) for plain, _ in told]
    pairs: list[tuple[float, int, int]] = []
    for at, block in enumerate(stale):
        old = _bag(block.text)
        named = [key for key in known.keys if f" {key} " in f" {name_key(block.text)} "]
        for number, bag in enumerate(bags):
            alike = ranking.alike(old, bag)
            if alike >= _CORRECTED and (not named or any(key in name_key(told[number][0]) for key in named)):
                pairs.append((-alike, at, number))
    found: dict[int, Sentence] = {}
    for _, at, number in sorted(pairs):
        sentence = told[number][1]
        if at not in found and all(sentence.plain != other.plain for other in found.values()):
            found[at] = sentence
    return [(stale[at], sentence) for at, sentence in found.items()]


def _heading_of(page: Page | None, heading: str) -> str:
    """``heading`` as the page writes it, where it has it."""
    headings = [block.text for block in page.outline.headings] if page else []
    return next((text for text in headings if words_of(text) == words_of(heading)), heading)


def _bag(plain: str) -> frozenset[str]:
    return frozenset(name_key(plain).split())
