"""The draft: a proposal worked into a wiki, each claim with its evidence, as far as it can be.

Here code decides what a model only asks for: paths, slugs, anchors, quotes, links, which of two claims stays current,
and how sure a page may be. What cannot be proven or fits nowhere is listed, not applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from curator.checks.rules import proofs
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.ingest.drafting import dispute, finish, naming, new_page, relations, reversing
from curator.ingest.drafting.announced import NewPages
from curator.ingest.drafting.beside import holds_beside
from curator.ingest.drafting.claims import writer as claims
from curator.ingest.drafting.drafted import Draft, DraftContext
from curator.ingest.drafting.page_edits import DoesNotFit, PageEdits, block_with
from curator.ingest.drafting.relations import RelationJudge
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.models.proposal import Add, Claim, Create, Dispute, Mark, Operation, Proposal, Regrouping, Replace
from curator.wiki import confidence, disputes
from curator.wiki.naming.fields import SourceField
from curator.wiki.pages import editing, footnote_edits, markdown
from curator.wiki.pages.aliases import alias_fields
from curator.wiki.pages.citation import marks_in, without_marks
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.pages.slug import slugify
from curator.wiki.support.written import is_kept_in_english, names_of
from curator.wiki.wiki import Wiki


def draft(proposal: Proposal, wiki: Wiki, context: DraftContext) -> Draft:
    """Work ``proposal`` into ``wiki``."""
    drafting = _Drafting(wiki, context, proposal)
    operations = []
    for number, proposed in enumerate(proposal.operations, start=1):
        operations.append(drafting.filed(proposed, f"operation {number}"))
        drafting.note(str(number))
    drafting.new_pages.announce(op for op in operations if isinstance(op, Create))
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
    proposal: Proposal
    wiki: Wiki = field(init=False)
    names_given: naming.Names = field(init=False)
    seen: Wiki = field(init=False)
    """The wiki as it was before the operation at hand."""
    writer: claims.ClaimWriter = field(init=False)
    withdrawals: Withdrawals = field(init=False)
    new_pages: NewPages = field(init=False)
    created: list[str] = field(default_factory=list)
    doubts: dict[str, float] = field(default_factory=dict)
    """How sure the model would be at most, by page."""
    related: Counter[str] = field(default_factory=Counter)
    """How many relations of each kind the source has stated."""
    settled: dict[str, frozenset[str]] = field(default_factory=dict)
    """By page: the words of the statements that a dispute has put a lead before."""
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    """Operations on pages whose head cannot be read, and why."""
    broken: list[Finding] = field(default_factory=list)
    operations: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wiki = self.seen = self.base
        source, policy = self.context.source, self.context.policy
        self.withdrawals = self.context.withdrawals or Withdrawals(self.base, source)
        titles = naming.titles_of(op for op in self.proposal.operations if isinstance(op, Create))
        left_out: list[Finding] = []
        self.names_given = naming.Names(self.context.evidence, policy, self.base, titles, left_out)
        self.writer = claims.ClaimWriter(
            source,
            self.context.judge,
            policy,
            SourceField(source.document.text, source.path),
            self.names_given.label_fault,
            is_kept_in_english(self.base),
            left_out,
            reading=self.context.reading,
            places=claims.places(self.proposal),
            refused=self.context.refused,
        )
        self.new_pages = NewPages(
            source, policy, self.context.stamp, self.base, self.names_given, self.writer, self.context.taken
        )

    def finish(self) -> None:
        worked_on = [path for path, page in self.wiki.changed.items() if page != self.base.page_at(path)]
        for where, message in self.unreadable:
            if worked_on:  # one page that somebody has to mend costs the source no other page
                self._leave_out("frontmatter_unreadable", where, message)
            else:
                self._break("frontmatter_unreadable", where, message)
        wiki = finish.with_all_listed(self.withdrawals.settled(self.wiki), self.context.source, worked_on)
        wiki = finish.with_linked_headings(wiki, self.base, self.context.source)
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
            tuple(self.writer.written),
        )

    def note(self, number: str) -> None:
        """Note what the operation of that number, the last one, changed, and what was left out of it."""
        for path, page in self.wiki.changed.items():
            if page != self.seen.page_at(path):
                self.operations[path] = (*self.operations.get(path, ()), number)
        self.seen = self.wiki
        left_out = self.writer.left_out
        left_out[:] = [finding if finding.places else replace(finding, places=(number,)) for finding in left_out]

    # -- operations ----------------------------------------------------------------------------------------------

    def filed(self, operation: Operation, where: str) -> Operation | None:
        """The operation, with its kind and its names settled where it makes a page; None for a page that has no name."""
        if not isinstance(operation, Create):
            return operation
        if fault := self.new_pages.kind_fault(operation):
            self._break("kind_unknown", where, fault)
        return self.new_pages.filed(operation)

    def work(self, operation: Operation, where: str) -> None:
        before = self.wiki
        try:
            self._work(operation, where)
        except FrontmatterError as error:
            self.wiki = before
            name = operation.title if isinstance(operation, Create) else operation.page
            self.unreadable.append((where, f"{name}: {error.message}"))
        except DoesNotFit as error:
            self._break(error.code, where, error.message)

    def _work(self, operation: Operation, where: str) -> None:
        if isinstance(operation, Regrouping):
            return  # when all else is sound
        if isinstance(operation, Create):
            self._create(operation)
            return
        page = self._page(operation)
        if page is None:
            raise DoesNotFit("page_unknown", f"there is no page {operation.page!r}")
        if isinstance(operation, Dispute):
            self._dispute(page, operation)
        elif isinstance(operation, Mark):
            self._mark(page, relations.by_slugs(operation, self.wiki))
        elif proofs.is_of_others(page, self.context.source.called_in(page.dialect)):
            message = f"{where}: {page.slug} is the summary of another source, and says what that one says"
            self.writer.left_out.append(Finding("summary_reworded", self.context.source.path, message))
        elif fault := self.new_pages.other_thing(page, operation.body, where):
            self.writer.left_out.append(fault)
        elif isinstance(operation, Add):
            self._add(page, operation.section, operation.body)
        else:
            self._keep(self._edits.replaced(page, operation))

    def _create(self, create: Create) -> None:
        if not slugify(create.title):
            raise DoesNotFit("slug_invalid", f"no slug can be made of the title {create.title!r}")
        page = new_page.existing(create, self.context.source, self.wiki)
        if page is not None:  # one thing, one page: what the model calls new is added to what is there
            fault = self.new_pages.name_fault(create, page)
            self.writer.left_out += [fault] if fault is not None else []
            if not self.new_pages.is_spelt_apart(create, page):
                self._add(page.with_newline("\n"), "", create.body)
            return
        filled = self._edits.filled(self.new_pages.blank(create, self.wiki), create.body)
        if filled is not None:
            self.wiki = self.wiki.with_page(filled)
            self.created.append(filled.path)

    def _add(self, page: Page, section: str, body: Sequence[Claim]) -> None:
        found = [*reversing.disputes(page, body, self.context.source.path)]
        for each in found:
            self._dispute(self._page(each) or page, each)
        taken = {each.claim.text for each in found}
        rest = [claim for claim in body if claim.text not in taken]
        if not found or any(not claim.text.startswith("#") for claim in rest):
            now = self.wiki.page_at(page.path) or page
            self._keep(self._edits.extended(now.with_newline("\n") if found else page, section, rest))

    def _dispute(self, page: Page, operation: Dispute) -> None:
        source, block = self.context.source, dispute.current(page, block_with(page, operation.passage))
        pile = disputes.pile_of(page, block)
        fault = dispute.refused(page, block, operation.claim, source.path, self.related)
        fault = fault or dispute.repeated(page, pile, operation.claim, source.path)
        if fault := fault or dispute.unquoted(page, block, operation.claim, self.context.judge):
            self.writer.left_out.append(fault)
            return
        blocks, notes = self.writer.write(page, [operation.claim], self.new_pages.names)
        if not blocks:
            return
        own = self._summary.slug if self._summary is not None else ""
        if page.kind == "summary" and source.called_in(page.dialect) not in page.sources:
            self.wiki = relations.contradicting(self.wiki, page.slug, own)
            return  # it tells what its source says, whatever others say
        decision = self._decision(page, block, pile, operation.claim)
        twin = dispute.repeating(pile, operation.claim.text) if decision == "new" else None
        if twin is not None or not dispute.is_settled(page, pile, operation.claim.text):
            body = (
                dispute.decided(page.body, pile, twin, marks_in(blocks[0]))
                if twin is not None
                else dispute.settle(page.body, pile, blocks[0], decision)
            )
            told = (*pile.standing, *markdown.scan(blocks[0]).blocks[:1])
            said = (editing.without_lead(without_marks(each.text)) for each in told if decision != "both")
            words = {*map(editing.words_of, said)}
            self.settled[page.path] = self.settled.get(page.path, frozenset()) | words
            self._keep(page.with_body(footnote_edits.add_notes(body, notes)))
        if decision == "open":
            self.wiki = relations.contradicting(self.wiki, page.slug, own)
        elif after := self.wiki.page_at(page.path):
            self.wiki, _ = disputes.unmarked(self.wiki, page, after)

    def _decision(self, page: Page, block: Block, pile: disputes.Pile, claim: Claim) -> dispute.Decision:
        if block.kind != "row" and holds_beside(block.text, claim.text, names_of(page)):
            return "both"
        resolution, today = self.context.policy.conflict_resolution, self.context.now.date()
        blocks = (block,) if resolution == "observation-count" else pile.standing  # who bears out one of them counts
        labels = [label for each in blocks for label in each.citations]
        against = [page.citations[label].path for label in labels if label in page.citations]
        return dispute.decide(resolution, self.context.source, against, self.base, self.context.known, today)

    def _mark(self, page: Page, operation: Mark) -> None:
        others = (*operation.contradicts, *operation.supersedes)
        unknown = [slug for slug in others if slug == page.slug or self.wiki.page(slug) is None]
        if unknown:
            raise DoesNotFit("page_unknown", f"relates to no other page: {unknown[0]!r}")
        judge = RelationJudge(self.context.judge.source, self._summary)
        operation, unstated = judge.stated(operation, page, self.wiki, self.related)
        self.writer.left_out += unstated
        for slug in operation.contradicts:
            self.wiki = relations.contradicting(self.wiki, page.slug, slug)
        page = self.wiki.page(page.slug) or page
        changes: dict[str, object] = {}
        if new := [slug for slug in operation.supersedes if slug not in page.supersedes]:
            changes["supersedes"] = [*page.supersedes, *new]
        if aliases := self.names_given.more_aliases(page, operation.aliases, self.new_pages.names):
            changes |= alias_fields(page, (*page.own_aliases, *aliases))
        if operation.confidence is not None:
            doubt = min(max(operation.confidence, self._least(page)), self.doubts.get(page.path, 1.0))
            self.doubts[page.path] = doubt
            if doubt < page.confidence:
                changes["confidence"] = round(doubt, 2)
        if changes:
            self.wiki = self.wiki.with_page(page.with_fields(**changes))

    def _least(self, page: Page) -> float:
        """How unsure doubts make a page that rests on other sources, too: all of them together no more than one of them."""
        if all(name == self.context.source.called_in(page.dialect) for name in page.sources):
            return 0.0
        was = self.base.page_at(page.path) or page
        by_rule = confidence.figure(self.context.known.of(was), self.context.now.date(), bool(was.contradicts))
        return min(was.confidence, max(was.confidence, by_rule) - relations.MOST_FALL)

    # -- pages ---------------------------------------------------------------------------------------------------

    @property
    def _edits(self) -> PageEdits:
        return PageEdits(self.writer, self.names_given, self.new_pages.names, self.withdrawals)

    @property
    def _summary(self) -> Page | None:
        """The page that speaks for the source."""
        return new_page.summary_of(self.context.source, self.wiki)

    def _page(self, operation: Add | Replace | Dispute | Mark) -> Page | None:
        """The page an operation names; where relations are set the source's id names its summary, or one called so."""
        summary = self._summary
        page = relations.page_called(self.wiki, operation.page)
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
        self.broken.append(Finding(code, "proposal", f"{where}: {message}", places=_places(where)))

    def _leave_out(self, code: str, where: str, message: str) -> None:
        path = self.context.source.path
        self.writer.left_out.append(Finding(code, path, f"{where}: {message}", places=_places(where)))


def _places(where: str) -> tuple[str, ...]:
    """The number in ``operation 3``."""
    return (where.removeprefix("operation "),) if where.startswith("operation ") else ()
