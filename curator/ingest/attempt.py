"""A reply, checked: what it would make of the wiki, and what is wrong with that. Nobody is asked, nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice

from curator.checks import rules
from curator.checks.rules import frontmatter, proofs
from curator.checks.rules.change import Change
from curator.errors import ProposalError
from curator.finding import Finding
from curator.ingest.drafting import blame, one_document
from curator.ingest.drafting.claims.second_reading import SecondReading
from curator.ingest.drafting.draft import draft
from curator.ingest.drafting.drafted import Draft, DraftContext
from curator.ingest.drafting.regroup import CODES as REGROUPING
from curator.ingest.drafting.regroup import regrouped
from curator.ingest.drafting.with_edits import with_edits
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.ingest.drafting.withdrawals.prove_again import prove_again
from curator.ingest.drafting.withdrawals.withdrawn_names import titled_by_code, without_lost_names
from curator.ingest.intake import committed_document
from curator.ingest.request import known_here
from curator.models import search_replace
from curator.models.port import Reply
from curator.models.proposal import NO_PROPOSAL, Proposal
from curator.repository.begun import Transaction
from curator.repository.history import TakenIn
from curator.repository.proposals import PageEdit
from curator.repository.views import View
from curator.system.clocks import Clock
from curator.wiki.naming.terms import terms_of
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.source import Source
from curator.wiki.support.excerpts import SourceExcerpts
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki

_CUT_OFF = "reply_cut_off"
_NOTHING_FINISHED = (
    "the reply ended early (length), before anything in it was finished; raise max_output_tokens, or split the source"
)
_NOT_ASKED_AGAIN = frozenset({"alias_unknown", _CUT_OFF, *REGROUPING})

_JUDGED_AHEAD, _SHORT = 3, 300
"""Sentences, and characters of each."""
_MOST_DRAFTS = 4
"""Of one reply: the first, and those without what is at fault in the one before."""


@dataclass(frozen=True)
class Attempt:
    """A reply, what it would do, and what is wrong with that."""

    source: Source
    reply: Reply
    draft: Draft | None
    """None for a reply that cannot be read."""
    diffs: dict[str, str]
    faults: tuple[Finding, ...]
    """Broken rules: the proposal cannot be committed."""
    claims: tuple[Finding, ...]
    """Claims without sound evidence: they are left out; or in doubt, where the wiki's grounding lets them stand."""
    withdrawn: tuple[Finding, ...] = ()
    """What the source said before and says no more."""
    unread: SecondReading | None = None
    """The second reading, where claims have no verdict yet."""
    before: Judge | None = None
    """Who knows what the source said before; None where that is not known."""

    @property
    def mendable(self) -> tuple[Finding, ...]:
        """What goes back. An alias, or a regrouping, that was left out does not: it is worth less than a repair costs; nor
        does an answer that was cut off, of which the next one would have less room.
        """
        return (*self.faults, *(claim for claim in self.claims if claim.code not in _NOT_ASKED_AGAIN))

    def is_better_than(self, old: Attempt) -> bool:
        """A repaired answer counts unless it is the worse one: a repair that breaks what was sound is not taken."""
        if bool(self.faults) != bool(old.faults):
            return not self.faults
        return self.draft is not None and (old.draft is None or len(self.claims) <= len(old.claims))


@dataclass(frozen=True)
class ReplyCheck:
    """Checks the replies to one source, each against the wiki as a transaction has it."""

    source: Source
    judge: Judge
    clock: Clock
    view: View | None
    verifier: str
    """The second reader; empty where none is asked."""
    edits: tuple[PageEdit, ...] = ()
    """What a person has made of the pages that the reply brings."""
    taken: frozenset[str] = frozenset()
    """Slugs that no new page gets."""
    proven: dict[str, Withdrawals] = field(default_factory=dict)
    """By the commit that they are of; the last one."""

    def get_ready(self) -> None:
        """Judge some of the source by its own words while the model thinks, so that caches and modules are warm."""
        layout = self.judge.source.layout
        spans = (
            span for at, block in enumerate(layout.blocks) for span in layout.sentences(at, block.start, block.end)
        )
        sentences = (layout.text[start:end] for start, end in spans if end - start < _SHORT)
        for sentence in islice(sentences, _JUDGED_AHEAD):
            self.judge.judge(sentence, [sentence])

    def check(self, reply: Reply, transaction: Transaction) -> Attempt:
        """What ``reply`` would make of the wiki, and what is wrong with that."""
        source = known_here(self.source, transaction)
        try:
            proposal = Proposal.parse(search_replace.to_json(reply.text) if reply.form == "blocks" else reply.text)
        except ProposalError as error:
            fault = Finding(_CUT_OFF, "reply", _NOTHING_FINISHED) if reply.is_cut else None
            return Attempt(source, reply, None, {}, (fault or Finding(error.code, "reply", error.message),), ())
        withdrawals = self.withdrawals(transaction)
        reading = SecondReading(self.verifier, reply.verdicts, self._excerpts) if self.verifier else None
        context = self._context(source, transaction, reading)
        drafted, broken = self._drafted(proposal, withdrawals.wiki, context, transaction, reply.is_by_code)
        if not broken:
            drafted = regrouped(drafted, proposal, context)
            drafted, broken = self._with_one_page(drafted, context)
        names: tuple[Finding, ...] = ()
        if not broken:
            wiki, names = without_lost_names(drafted.wiki, withdrawals, self.judge, context.stamp, self._named_by_hand)
            broken = tuple(frontmatter.title(Change.of_nobody(context.policy, drafted.wiki, wiki, context.now)))
            drafted = drafted.of(wiki) if wiki is not drafted.wiki else drafted
        drafted = replace(drafted, left_out=(*drafted.left_out, *_cut_off(reply, source)))
        doubted = [finding for finding in drafted.flagged if finding.code.startswith("reader_")]
        return Attempt(
            source,
            reply,
            drafted,
            _diffs(drafted.wiki, transaction.wiki),
            broken,
            (*drafted.left_out, *doubted),
            (*withdrawals.findings(drafted.wiki), *names),
            reading if reading is not None and reading.unread else None,
            withdrawals.before,
        )

    @property
    def _named_by_hand(self) -> dict[str, str]:
        """By path: the titles that a person has given pages in the review, or has put back."""
        wanted = {each.path: Page(each.path, each.wanted).title for each in self.edits if each.wanted is not None}
        proposed = {each.path: Page(each.path, each.proposed).title for each in self.edits if each.proposed is not None}
        return {path: title for path, title in wanted.items() if title != proposed.get(path)}

    def _drafted(
        self, proposal: Proposal, wiki: Wiki, context: DraftContext, transaction: Transaction, is_by_code: bool
    ) -> tuple[Draft, tuple[Finding, ...]]:
        """The draft, and what is wrong with it; without the statements of which nothing else is wrong than what they are
        or where they stand. What stands then where they stood is judged anew.
        """
        titled_later = titled_by_code(self.withdrawals(transaction), wiki)
        untouched = draft(NO_PROPOSAL, wiki, context).wiki  # what the reply has no part in
        for _ in range(_MOST_DRAFTS):
            drafted = with_edits(draft(proposal, wiki, context), self.edits, titled_later)
            before, left = untouched, context.withdrawals
            if left is not None and left.may_be_replaced:
                before = draft(NO_PROPOSAL, wiki, replace(context, withdrawals=left.but_replaced(drafted.wiki))).wiki
            broken = (*drafted.broken, *self._broken(drafted, before, context, transaction))
            refused = blame.of_statements(broken, is_by_code)
            if not refused:
                break
            context = replace(context, refused={**context.refused, **refused})
            if context.reading is not None:
                context.reading.unread.clear()
        return drafted, broken

    def _with_one_page(self, drafted: Draft, context: DraftContext) -> tuple[Draft, tuple[Finding, ...]]:
        """``drafted`` with what was known of the document before it came in on its summary, and what the wall has against
        that, as far as others' statements go: nothing new is said.
        """
        terms = terms_of(self.judge.evidence)
        wiki, merged = one_document.with_one_page(drafted.wiki, context.source, terms, drafted.created)
        if not merged:
            return drafted, ()
        change = Change.of_nobody(context.policy, drafted.wiki, wiki, context.now)
        broken = tuple(finding for rule in rules.MOVES for finding in rule(change))
        return replace(drafted.of(wiki), merged=(*drafted.merged, *merged)), broken

    def withdrawals(self, transaction: Transaction) -> Withdrawals:
        """What a source that was in before bears out no more; it is worked out once for a commit."""
        if transaction.base not in self.proven:
            source = known_here(self.source, transaction)
            found = Withdrawals(transaction.wiki, source)
            if source.path in transaction.manifest().sources:
                read = partial(committed_document, transaction)
                found = prove_again(transaction.wiki, source, self.judge, read, transaction.ingests_of)
            self.proven.clear()
            self.proven[transaction.base] = found
        return self.proven[transaction.base]

    def says_the_same(self, transaction: Transaction) -> bool:
        """True when nothing but white space is new in the source: there is nothing to ask a model."""
        old = self.withdrawals(transaction).before
        return old is not None and old.evidence.document.text.split() == self.source.document.text.split()

    def _context(self, source: Source, transaction: Transaction, reading: SecondReading | None) -> DraftContext:
        known = SourceWeights(transaction.manifest(), transaction.workspace().authority_default)
        known = known.superseding(source.remarks.supersedes, source)
        policy, now = transaction.policy(self.view), self.clock()
        return DraftContext(source, self.judge, policy, now, known, self.withdrawals(transaction), reading, self.taken)

    def _broken(
        self, drafted: Draft, before: Wiki, context: DraftContext, transaction: Transaction
    ) -> tuple[Finding, ...]:
        """What the wall has against a draft, each with the numbers of the operations that it comes from."""
        source, after = context.source, drafted.wiki
        worn = _taken_before(before, after, source.path, transaction.ingests_of)
        new = _diffs(after, before)
        change = Change(source, self.judge, context.policy, before, after, new, context.now, drafted.settled, worn)
        return blame.with_places(rules.broken_by(change), drafted)

    @cached_property
    def _excerpts(self) -> SourceExcerpts:
        return SourceExcerpts(self.judge.source)


def _cut_off(reply: Reply, source: Source) -> tuple[Finding, ...]:
    message = "the answer came to the most that it may have (max_output_tokens); what it had not finished is left out"
    return (Finding(_CUT_OFF, source.path, message),) if reply.is_cut else ()


def _diffs(after: Wiki, before: Wiki) -> dict[str, str]:
    """The diff of each page that is other than ``before``."""
    pages = {path: (before.page_at(path), after.page_at(path)) for path in (*after.changed, *sorted(after.gone))}
    return {
        path: diff.between(path, None if was is None else was.text, None if now is None else now.text)
        for path, (was, now) in pages.items()
        if was != now
    }


def _taken_before(
    before: Wiki, after: Wiki, source: str, ingests_of: Callable[[str], Iterable[TakenIn]]
) -> dict[str, frozenset[str]]:
    """By page that loses something to ``source`` now: what other ingests took from it, and is not on it any more.

    Rewording adds up, so each ingest answers for what those before it took. ``ingests_of`` gives the versions of a page; it
    is asked of no page that keeps all its statements.
    """
    found = {}
    for path, page in after.changed.items():
        old = before.page_at(path)
        if old is not None and old != page and proofs.taken_away(old, page, source):
            gone = [
                proofs.taken_away(Page(path, each.before), Page(path, each.after), each.source)
                for each in ingests_of(path)
            ]
            found[path] = frozenset().union(*gone) - proofs.statements(old)
    return found
