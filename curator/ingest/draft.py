"""The draft: a proposal worked into a wiki, each claim with its evidence, as far as it can be.

Here code decides what a model only asks for: paths, slugs, anchors, quotes, links, which of two claims stays current,
and how sure a page may be. What cannot be proven or fits nowhere is listed, not applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from curator.checks.rules import proofs
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.ingest import claims, dispute, finish, naming, new_page, relations
from curator.ingest.relations import RelationJudge
from curator.ingest.reproof import Reproof
from curator.ingest.second_reading import SecondReading
from curator.models.proposal import Add, Claim, Create, Dispute, Mark, Operation, Proposal, Replace
from curator.system import clocks
from curator.system.text import shortened
from curator.wiki.pages import editing, markdown, tables, timeline
from curator.wiki.pages.citation import mark, marks_in, without_marks
from curator.wiki.pages.page import DERIVED, Page
from curator.wiki.pages.slug import slugify
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source
from curator.wiki.support.judge import Judge
from curator.wiki.support.written import is_kept_in_english
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy


@dataclass(frozen=True)
class Draft:
    """The wiki that a proposal makes, what was left out of it, and why."""

    wiki: Wiki
    created: tuple[str, ...]
    """Paths, in the order they were made."""
    updated: tuple[str, ...]
    left_out: tuple[Finding, ...]
    """Claims and names without sound evidence."""
    broken: tuple[Finding, ...]
    """Operations that fit nowhere: ``page_unknown``, ``kind_unknown``, ``passage_not_found``, ``citation_lost``,
    ``slug_invalid``, ``frontmatter_unreadable``."""
    flagged: tuple[Finding, ...]
    """Claims kept without a citation, or in doubt, where the wiki's grounding allows it."""
    settled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page: the statements, as their words alone, that a dispute has put a lead like "Earlier:" before."""
    operations: Mapping[str, str] = field(default_factory=dict)
    """By path, the numbers of the operations that changed the page."""


@dataclass(frozen=True)
class DraftContext:
    """What a draft needs besides the proposal: the source, who judges claims by it, the policy, the time."""

    source: Source
    judge: Judge
    policy: CurationPolicy
    now: datetime
    known: SourceWeights = field(default_factory=SourceWeights)
    """The sources that were ingested before."""
    reproof: Reproof | None = None
    """Of a source that has changed: what it does not bear out any more."""
    reading: SecondReading | None = None
    """What a second reader says of the claims; None where none is asked."""

    @property
    def evidence(self) -> Evidence:
        return self.judge.evidence

    @property
    def stamp(self) -> str:
        return clocks.utc_timestamp(self.now)


def draft(proposal: Proposal, wiki: Wiki, context: DraftContext) -> Draft:
    """Work ``proposal`` into ``wiki``."""
    drafting = _Drafting(wiki, context)
    drafting.names_given.titles = naming.titles_of(op for op in proposal.operations if isinstance(op, Create))
    operations = []
    for number, proposed in enumerate(proposal.operations, start=1):
        operations.append(drafting.filed(proposed, f"operation {number}"))
        drafting.note(str(number))
    drafting.announce([op for op in operations if isinstance(op, Create)])
    drafting.writer.places = claims.places(proposal)
    for number, operation in enumerate(operations, start=1):
        if operation is not None:
            drafting.work(operation, f"operation {number}")
        drafting.note(str(number))
    drafting.finish()
    return drafting.result()


@dataclass
class _Drafting:
    """The pages of a draft while it is written."""

    base: Wiki
    context: DraftContext
    wiki: Wiki = field(init=False)
    names: Wiki = field(init=False)
    """The wiki with every page the proposal announces, so that links between new pages resolve."""
    names_given: naming.Names = field(init=False)
    seen: Wiki = field(init=False)
    """The wiki as it was before the operation at hand."""
    writer: claims.ClaimWriter = field(init=False)
    reproof: Reproof = field(init=False)
    blanks: dict[Create, Page] = field(default_factory=dict)
    """The announced pages, without their bodies."""
    types: dict[Create, str] = field(default_factory=dict)
    """The entity types of new pages, those that have one of the wiki's own."""
    created: list[str] = field(default_factory=list)
    doubts: dict[str, float] = field(default_factory=dict)
    """How sure the model would be at most, by page."""
    related: Counter[str] = field(default_factory=Counter)
    """How many relations of each kind the source has stated."""
    settled: dict[str, frozenset[str]] = field(default_factory=dict)
    """By page: the words of the statements that a dispute has put a lead before."""
    broken: list[Finding] = field(default_factory=list)
    operations: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wiki = self.names = self.seen = self.base
        self.reproof = self.context.reproof or Reproof(self.base, self.context.source)
        self.names_given = naming.Names(self.context.evidence, self.context.policy, self.base)
        self.writer = claims.ClaimWriter(
            self.context.source,
            self.context.judge,
            self.context.policy,
            self.names_given.label_fault,
            is_kept_in_english(self.base),
            reading=self.context.reading,
        )
        self.names_given.left_out = self.writer.left_out

    def finish(self) -> None:
        worked_on = [path for path, page in self.wiki.changed.items() if page != self.base.page_at(path)]
        wiki = finish.with_all_listed(self.reproof.settled(self.wiki), self.context.source, worked_on)
        known = self.context.known
        self.wiki, unreadable = finish.with_dates(
            wiki, self.base, self.context.source, known, self.context.now, self.doubts
        )
        for path, message in unreadable.items():
            self._break("frontmatter_unreadable", path, message)

    def result(self) -> Draft:
        for path, page in self.wiki.changed.items():
            old = self.base.page_at(path)
            if old is not None and old.newline != page.newline:
                self.wiki = self.wiki.with_page(page.with_newline(old.newline))
        updated = [path for path in self.wiki.changed if path not in self.created]
        return Draft(
            self.wiki,
            tuple(self.created),
            tuple(updated),
            tuple(self.writer.left_out),
            tuple(self.broken),
            tuple(self.writer.flagged),
            self.settled,
            self.operations,
        )

    def note(self, number: str) -> None:
        """Note what the operation of that number, the last one, changed, and what was left out of it."""
        for path, page in self.wiki.changed.items():
            if page != self.seen.page_at(path):
                self.operations[path] = f"{self.operations.get(path, '')} {number}".strip()
        self.seen = self.wiki
        left_out = self.writer.left_out
        left_out[:] = [finding if finding.places else replace(finding, places=number) for finding in left_out]

    # -- operations ----------------------------------------------------------------------------------------------

    def filed(self, operation: Operation, where: str) -> Operation | None:
        """The operation with one of the standard's kinds and the names that hold; None for a page that has no name.

        A type of the wiki's own is filed under the kind it extends; a timeline that dates fewer than two events is none:
        the page is about a term like others.
        """
        if not isinstance(operation, Create):
            return operation
        known = new_page.kinds(self.context.policy)
        if operation.kind.casefold() not in known:
            wanted = ", ".join(name or kind for kind, name in known.values())
            self._break("kind_unknown", where, f"kind: {operation.kind!r}; wanted: one of {wanted}")
        kind, name = known.get(operation.kind.casefold(), ("concept", ""))
        if kind == "timeline" and sum(timeline.dated(claim.text) for claim in self._standing(operation)) < 2:
            kind = "concept"
        filed = operation.model_copy(update={"kind": kind})
        named = self.names_given.sound(filed, self._is_known) if slugify(filed.title) else filed
        if name and named is not None:
            self.types[named] = name
        return named

    def _is_known(self, create: Create) -> bool:
        return new_page.existing(create, self.context.source, self.base) is not None

    def _standing(self, create: Create) -> list[Claim]:
        return [claim for claim in create.body if claims.is_heading(claim) or self.writer.may_stand(claim, create)]

    def announce(self, creates: Sequence[Create]) -> None:
        """Make the new pages known by name, those that will have something to say; summaries yield their slug."""
        for create in sorted(creates, key=lambda create: create.kind == "summary"):
            speaks = any(self.writer.may_stand(claim, create) for claim in create.body)
            if not speaks or not slugify(create.title) or new_page.existing(create, self.context.source, self.names):
                continue
            reserved = {page.slug for page in self.blanks.values()}
            page = self._blank(create, self.base, reserved)
            self.blanks[create] = page
            self.names = self.names.with_page(page)

    def _blank(self, create: Create, wiki: Wiki, reserved: Collection[str]) -> Page:
        entity_type = self.types.get(create, "")
        dialect = self.context.policy.dialect
        return new_page.blank(create, self.context.source, wiki, self.context.stamp, reserved, entity_type, dialect)

    def work(self, operation: Operation, where: str) -> None:
        try:
            self._work(operation, where)
        except FrontmatterError as error:
            self._break("frontmatter_unreadable", where, error.message)

    def _work(self, operation: Operation, where: str) -> None:
        if isinstance(operation, Create):
            self._create(operation, where)
            return
        page = self._page(operation)
        if page is None:
            self._break("page_unknown", where, f"there is no page {operation.page!r}")
        elif isinstance(operation, Add | Replace) and proofs.is_of_others(
            page, self.context.source.called_in(page.dialect)
        ):
            message = f"{where}: {page.slug} is the summary of another source, and says what that one says"
            self.writer.left_out.append(Finding("summary_reworded", self.context.source.path, message))
        elif isinstance(operation, Add):
            self._add(page, operation.section, operation.body)
        elif isinstance(operation, Replace):
            self._replace(page, operation, where)
        elif isinstance(operation, Dispute):
            self._dispute(page, operation, where)
        else:
            self._mark(page, operation, where)

    def _create(self, create: Create, where: str) -> None:
        if not slugify(create.title):
            self._break("slug_invalid", where, f"no slug can be made of the title {create.title!r}")
            return
        page = new_page.existing(create, self.context.source, self.wiki)
        if page is not None:  # one thing, one page: what the model calls new is added to what is there
            self._add(page.with_newline("\n"), "", create.body)
            return
        page = self.blanks.get(create) or self._blank(create, self.wiki, {page.slug for page in self.blanks.values()})
        body = [claim for claim in create.body if not (claims.is_heading(claim) and _is_title(claim, page))]
        blocks, notes = self.writer.write(page, body, self.names)
        if blocks:
            text = f"{page.body.rstrip()}\n\n{editing.join(timeline.in_order(page.kind, blocks))}\n"
            self.wiki = self.wiki.with_page(page.with_body(editing.add_notes(text, notes)))
            self.created.append(page.path)

    def _add(self, page: Page, section: str, body: Sequence[Claim]) -> None:
        known = self.reproof.living(page)
        is_new = section and editing.end_of_section(page.body, section) is None
        if is_new and (fault := self.names_given.label_fault(section, page, self.names)):
            self.writer.left_out.append(fault)
            section = ""
        fresh = [claim for claim in body if claims.is_heading(claim) or not claims.is_said(claim.text, known)]
        if page.kind in DERIVED:
            text, blocks, notes = self._placed(page, section, fresh)
        else:
            text = page.body
            blocks, notes = self.writer.write(page, fresh, self.names)
        if blocks:
            text = _appended(text, section, blocks)
        if text != page.body:
            self._keep(page.with_body(editing.add_notes(text, notes)))

    def _placed(self, page: Page, section: str, body: Sequence[Claim]) -> tuple[str, list[str], list[str]]:
        """The text with what has a place in it by date or by table, the blocks that have none, the footnotes of all."""
        known = tables.tables(page.body)
        headed = [claim.model_copy(update={"text": tables.with_head(claim.text, known)}) for claim in body]
        self.writer.places.update((new, self.writer.places.get(old, "")) for new, old in zip(headed, body, strict=True))
        heads = " ".join(cell for table in known for cell in table.head) if headed != list(body) else ""
        blocks, notes = self.writer.write(page, headed, self.names, passage=heads)
        living = self.reproof.living(page)
        fresh = [b for b in timeline.in_order(page.kind, blocks) if b.startswith("#") or not claims.is_said(b, living)]
        text, rest = timeline.placed(page.kind, page.body, fresh, section)
        rest = claims.without_empty_sections(rest)
        written = "\n".join([text, *rest])
        return text, rest, [note for note in notes if note.partition(":")[0] in written]

    def _replace(self, page: Page, operation: Replace, where: str) -> None:
        spot = editing.find_passage(page.body, operation.passage)
        if spot is None:
            self._break("passage_not_found", where, _not_found(page, operation.passage))
            return
        old = page.body[spot.start : spot.end]
        blocks, notes = self.writer.write(page, operation.body, self.names, passage=old)
        if not blocks:
            return
        gone = self.reproof.dead_in(page, spot.start, spot.end)
        new = without_marks(editing.fitted(editing.join(blocks), page.body, spot), gone)
        lost = [label for label in marks_in(old) if label not in gone and mark(label) not in new]
        if lost:
            self._break("citation_lost", where, f"the new text drops {', '.join(map(mark, lost))} of the passage")
            return
        text = editing.without_notes(page.body[: spot.start] + new + page.body[spot.end :], gone)
        after = page.with_body(editing.add_notes(text, notes))
        if fault := proofs.reworded(page, after, self.context.source.path):
            self.writer.left_out.append(fault)
        else:
            self._keep(after)

    def _dispute(self, page: Page, operation: Dispute, where: str) -> None:
        spot = editing.find_passage(page.body, operation.passage)
        block = editing.block_at(page.body, spot) if spot else None
        if block is None:
            self._break("passage_not_found", where, _not_found(page, operation.passage))
            return
        if fault := dispute.refused(page, block, operation.claim, self.context.source.path, self.related):
            self.writer.left_out.append(fault)
            return
        blocks, notes = self.writer.write(page, [operation.claim], self.names)
        if not blocks:
            return
        summary = new_page.summary_of(self.context.source, self.wiki)
        if page.kind == "summary" and not self._is_ours(page):  # it tells what its source says, whatever others say
            self.wiki = relations.contradicting(self.wiki, page.slug, summary.slug if summary else "")
            return
        against = [page.citations[label].path for label in block.citations if label in page.citations]
        resolution, today = self.context.policy.conflict_resolution, self.context.now.date()
        verdict = dispute.decide(resolution, self.context.source, against, self.base, self.context.known, today)
        if not dispute.is_settled(page.body, operation.claim.text):
            body = dispute.settle(page.body, block, blocks[0], verdict)
            told = {
                editing.words_of(without_marks(each.text)) for each in (block, *markdown.scan(blocks[0]).blocks[:1])
            }
            self.settled[page.path] = self.settled.get(page.path, frozenset()) | told
            self._keep(page.with_body(editing.add_notes(body, notes)))
        if verdict == "open":
            self.wiki = relations.contradicting(self.wiki, page.slug, summary.slug if summary else "")

    def _mark(self, page: Page, operation: Mark, where: str) -> None:
        unknown = [slug for slug in (*operation.contradicts, *operation.supersedes) if self.wiki.page(slug) is None]
        if unknown or page.slug in (*operation.contradicts, *operation.supersedes):
            self._break("page_unknown", where, f"relates to no other page: {(unknown or [page.slug])[0]!r}")
            return
        operation, unstated = self._relations.stated(operation, page, self.wiki, self.related)
        self.writer.left_out += unstated
        for slug in operation.contradicts:
            self.wiki = relations.contradicting(self.wiki, page.slug, slug)
        page = self.wiki.page(page.slug) or page
        changes: dict[str, object] = {}
        if new := [slug for slug in operation.supersedes if slug not in page.supersedes]:
            changes["supersedes"] = [*page.supersedes, *new]
        if aliases := self._new_aliases(page, operation.aliases):
            changes["metadata"] = {"curator": {**page.ours, "aliases": [*page.aliases, *aliases]}}
        if operation.confidence is not None:
            was = (self.base.page_at(page.path) or page).confidence
            least = was - relations.MOST_FALL if self._has_others(page) else 0.0
            doubt = min(max(operation.confidence, least), self.doubts.get(page.path, 1.0))
            self.doubts[page.path] = doubt
            if doubt < page.confidence:
                changes["confidence"] = round(doubt, 2)
        if changes:
            self.wiki = self.wiki.with_page(page.with_fields(**changes))

    def _is_ours(self, page: Page) -> bool:
        """True for a page that lists this source."""
        return self.context.source.called_in(page.dialect) in page.sources

    def _has_others(self, page: Page) -> bool:
        """True when the page rests on other sources, too."""
        return any(name != self.context.source.called_in(page.dialect) for name in page.sources)

    @property
    def _relations(self) -> RelationJudge:
        source = self.context.source
        return RelationJudge(self.context.judge.source, new_page.summary_of(source, self.wiki))

    def _new_aliases(self, page: Page, aliases: Sequence[str]) -> list[str]:
        """Names that the source has for the page and nobody else's; none where the metadata is not ours alone to write."""
        if set(page.fields.get("metadata") or {}) - {"curator"} or "aliases" in page.fields:
            return []
        new = [alias for alias in aliases if self.names.named(alias) is None]
        return list(self.names_given.aliases(page.title, page.kind, new, page.body))

    # -- pages ---------------------------------------------------------------------------------------------------

    def _page(self, operation: Add | Replace | Dispute | Mark) -> Page | None:
        """The page an operation names; where relations are set the source's id names its summary, or one called so."""
        summary = new_page.summary_of(self.context.source, self.wiki)
        page = self.wiki.page(operation.page)
        if summary is not None and isinstance(operation, Mark) and operation.page == self.context.source.stem:
            return page if page is not None and page.kind == "summary" else summary
        return page.with_newline("\n") if page is not None else None

    def _keep(self, page: Page) -> None:
        """Put an edited page into the draft, with this source among its sources if it says something there."""
        before = self.wiki.page_at(page.path)
        if before is not None and before.with_newline("\n").body == page.body:
            return  # the same words again are no edit: neither the page's day nor the source's record tells of one
        reference = self.context.source.called_in(page.dialect)
        speaks = page.cites(self.context.source.path) or self.context.policy.grounding != "required"
        if reference not in page.sources and speaks:
            page = page.with_fields(sources=[*page.sources, reference])
        self.wiki = self.wiki.with_page(page)

    def _break(self, code: str, where: str, message: str) -> None:
        places = where.removeprefix("operation ") if where.startswith("operation ") else ""
        self.broken.append(Finding(code, "proposal", f"{where}: {message}", places=places))


def _is_title(claim: Claim, page: Page) -> bool:
    return claims.gist(claim.text) == claims.gist(page.title)


def _appended(text: str, section: str, blocks: list[str]) -> str:
    """``text`` with ``blocks`` at the end of a section, which is made if there is none, or at its own end."""
    at = editing.end_of_section(text, section) if section else None
    if section and at is None:
        blocks = [claims.heading(f"## {section}"), *blocks]
    return editing.insert(text, editing.end_of_text(text) if at is None else at, editing.join(blocks))


def _not_found(page: Page, passage: str) -> str:
    return f"the passage is not in {page.slug!r} in exactly one place: {shortened(passage)}"
