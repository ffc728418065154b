"""The ingest flow: one source in, one commit out (AIP-10, ingest contract)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Literal

from curator.checks import approval, rules
from curator.checks.rules.change import Change
from curator.errors import Conflict, ModelError, ProposalError, Rejected
from curator.finding import Finding
from curator.ingest import new_page, retrieval, second_reading, wear
from curator.ingest.draft import Draft, DraftContext, draft
from curator.ingest.intake import committed_document
from curator.ingest.plan import IngestPlan, Outcome
from curator.ingest.prove_again import prove_again
from curator.ingest.reproof import Reproof
from curator.ingest.second_reading import SecondReading
from curator.models import search_replace
from curator.models.port import FREE, Budget, Model, Reply, Request, Verifier
from curator.models.proposal import Proposal
from curator.models.saved_answers import Answered, Answers
from curator.repository.change_set import ChangeSet
from curator.repository.repository import OnDirty, Repository, Transaction
from curator.repository.runtime.runtime import COMMIT_TURN
from curator.repository.source_files import IncomingFile
from curator.repository.views import View
from curator.system.clocks import Clock
from curator.wiki.pages import diff
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source
from curator.wiki.support.excerpts import SourceExcerpts
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki

_ROUNDS = 5
"""How often an answer may turn out not to fit the wiki any more before we call the branch too busy."""
_LONGEST_WAIT = 900.0
"""Seconds that others may take to commit before us."""

NOTHING = Proposal(operations=())
NOT_ASKED = Reply(NOTHING.dumps(), "nobody (the source's words are the same)")
"""In the place of an answer, where there is nothing to ask."""

Stage = Literal["reading", "thinking", "checking", "committing"]


@dataclass(frozen=True)
class IngestOptions:
    """How any source is ingested."""

    clock: Clock
    budget: Budget = Budget()
    on_dirty: OnDirty = "park"
    dry_run: bool = False
    ask_again: bool = False
    """True: answers of before do not count."""
    trusts: bool = False
    """True: a change of the rules needs no approval (``governance = "trust"``)."""
    view: View | None = None
    """The view the wiki is curated through."""
    on_stage: Callable[[Stage], None] = lambda stage: None
    """Called when the work on a source comes to its next stage."""


class AlreadyIngested(Conflict):
    """The very bytes are in: another process was faster. Nothing is lost, and there is nothing to do."""

    def __init__(self, path: str) -> None:
        super().__init__("taken_in", f"another process has already ingested {path}", "nothing to do")
        self.path = path


def ingest(
    source: Source,
    source_file: IncomingFile | None,
    repository: Repository,
    model: Model,
    options: IngestOptions,
    *,
    begun: Transaction | None = None,
    verifier: Verifier | None = None,
) -> Outcome:
    """Take ``source`` into the wiki; on any error the wiki stays as it was.

    ``source_file`` is committed with the pages; None where the wiki commits no sources. ``begun`` is the transaction to
    begin with, where there is one; ``verifier`` a second reader of the claims, where one is wanted. Raises Rejected,
    ProposalError, ModelError or Conflict.

    When the branch moves while the model thinks, the operations are worked into the new pages and checked again; the model
    is asked again only when they no longer fit. So it is with an answer that was paid for and has not been committed yet.
    """
    judge = Judge(Evidence(source.path, source.document))
    answers = Answers(repository.runtime, model.name, options.ask_again)
    source_ingest = _SourceIngest(source, source_file, judge, model, verifier, options, answers)
    answered = answers.recall(source)
    for _ in range(_ROUNDS):
        plan = source_ingest.plan(begun or repository.begin(), answered)
        if options.dry_run:
            return plan.outcome(None)
        options.on_stage("committing")
        try:
            # One at a time: if all checked against one commit, only the first could commit, and the rest would check again.
            with repository.runtime.lock(_LONGEST_WAIT, COMMIT_TURN):
                return source_ingest.commit(plan)
        except _NoLongerFits:
            answered, begun = Answered(plan.reply, settled=True), None
    raise Conflict("branch_busy", f"the branch moved {_ROUNDS} times while {source.path} was ingested", "try again")


class _NoLongerFits(Exception):
    """The answer cannot be worked into the wiki as it is now: the model has to be asked again."""


@dataclass(frozen=True)
class _SourceIngest:
    """One source and what it is ingested with; it may take several goes until its answer is committed."""

    source: Source
    source_file: IncomingFile | None
    judge: Judge
    model: Model
    verifier: Verifier | None
    options: IngestOptions
    answers: Answers
    reproofs: dict[str, Reproof] = field(default_factory=dict)
    """By the commit that they are of; the last one."""

    @cached_property
    def excerpts(self) -> SourceExcerpts:
        return SourceExcerpts(self.judge.source)

    def plan(self, transaction: Transaction, answered: Answered | None) -> IngestPlan:
        """Ask, work the answer in, check it; what is wrong goes back once. ``answered``: what the model said before."""
        self._check_allowed(transaction)
        if fault := self._reproof(transaction).unreadable:
            raise Rejected(fault)  # before anybody is paid
        if not self.options.ask_again and self._says_the_same(transaction):
            answered = Answered(NOT_ASKED, settled=True)
        request = request_for(self.source, transaction, self.options.budget, self.options.view, self.judge.evidence)
        request = replace(request, withdrawn=tuple(self._reproof(transaction).statements(request.pages)))
        attempt = self._attempt(answered.reply, transaction) if answered is not None else None
        if answered is None or attempt is None or (answered.settled and attempt.faults):
            spent = answered.reply.usage if answered is not None else FREE
            self.options.on_stage("thinking")
            reply = self.model.propose(request)
            answered = Answered(replace(reply, usage=spent + reply.usage), settled=False)
            self.answers.keep(self.source, answered)
            self.options.on_stage("checking")
            attempt = self._attempt(answered.reply, transaction)
        attempt = self._verified(attempt, transaction, answered.settled)
        if not answered.settled and attempt.mendable:
            attempt = self._better_after_repair(attempt, request, transaction)
        try:
            plan = self._plan_or_raise(attempt, transaction)
        except (Rejected, ProposalError):
            self.answers.forget(self.source)
            raise
        self.answers.keep(self.source, Answered(plan.reply, settled=True))
        return plan

    def commit(self, plan: IngestPlan) -> Outcome:
        """Commit ``plan``; ``repository.commit`` has it made anew for every new commit of the branch.

        Raises _NoLongerFits, which the loop of ``ingest`` waits for, when the answer does not fit such a commit.
        """
        repository, options = plan.transaction.repository, self.options

        def change_set(transaction: Transaction) -> ChangeSet:
            nonlocal plan
            if transaction is not plan.transaction:
                self._check_allowed(transaction)
                attempt = self._attempt(plan.reply, transaction)
                if attempt.faults or attempt.unread is not None:
                    raise _NoLongerFits
                plan = self._plan_or_raise(attempt, transaction)
            return plan.change_set(self.source_file, options.clock())

        done = repository.commit(change_set, options.clock, on_dirty=options.on_dirty, begun=plan.transaction)
        self.answers.drop_all(self.source)
        repository.runtime.note_told(plan.told)
        return plan.outcome(done.commit)

    def _check_allowed(self, transaction: Transaction) -> None:
        """Raises NotApproved for rules that nobody has approved, AlreadyIngested when another process was faster."""
        if not self.options.trusts:
            approval.check_approved(transaction)
        if transaction.manifest().has(self.source.path, self.source.digest):
            raise AlreadyIngested(self.source.path)

    def _better_after_repair(self, attempt: _Attempt, request: Request, transaction: Transaction) -> _Attempt:
        """The better of the answer and its repair. A repair that fails costs the claims in doubt, not the sound ones."""
        try:
            second = self.model.propose(request.again(attempt.reply.text, attempt.mendable))
        except (ModelError, ProposalError):
            if attempt.faults:
                raise
            return attempt
        better = self._attempt(second.following(attempt.reply), transaction)
        if not better.faults:
            better = self._verified(better, transaction, settled=True)
        if _is_better(better, attempt):
            return better
        return replace(attempt, reply=replace(attempt.reply, usage=better.reply.usage))

    def _verified(self, attempt: _Attempt, transaction: Transaction, settled: bool) -> _Attempt:
        """``attempt`` with the second reader's verdict on every claim; only those that it has not read are asked about."""
        while self.verifier is not None and attempt.unread is not None:
            reply = second_reading.ask(self.verifier, attempt.reply, attempt.unread, self.source)
            self.answers.keep(self.source, Answered(reply, settled))
            attempt = self._attempt(reply, transaction)
        return attempt

    def _attempt(self, reply: Reply, transaction: Transaction) -> _Attempt:
        """What ``reply`` would make of the wiki, and what is wrong with that."""
        source = _with_id_and_pages(self.source, transaction)
        try:
            proposal = Proposal.parse(search_replace.to_json(reply.text) if reply.form == "blocks" else reply.text)
        except ProposalError as error:
            return _Attempt(source, reply, None, {}, (Finding(error.code, "reply", error.message),), ())
        policy, now = transaction.policy(self.options.view), self.options.clock()
        known = SourceWeights(transaction.manifest(), transaction.workspace().authority_default)
        known = known.superseding(source.remarks.supersedes, source)
        reproof = self._reproof(transaction)
        reading = None
        if self.verifier is not None:
            reading = SecondReading(self.verifier.name, reply.verdicts, self.excerpts)
        context = DraftContext(source, self.judge, policy, now, known, reproof, reading)
        drafted = draft(proposal, reproof.wiki, context)
        before = draft(NOTHING, reproof.wiki, context).wiki  # what the reply has no part in
        new = _diffs(drafted.wiki, before)
        worn = wear.taken_before(before, drafted.wiki, source.path, transaction.ingests_of)
        change = Change(source, self.judge, policy, before, drafted.wiki, new, now, drafted.settled, worn)
        broken = [replace(fault, places=drafted.operations.get(fault.path, "")) for fault in rules.broken_by(change)]
        faults = (*drafted.broken, *broken)
        diffs = _diffs(drafted.wiki, transaction.wiki)
        doubted = [finding for finding in drafted.flagged if finding.code.startswith("reader_")]
        unread = reading if reading is not None and reading.unread else None
        return _Attempt(source, reply, drafted, diffs, faults, (*drafted.left_out, *doubted), reproof, unread)

    def _reproof(self, transaction: Transaction) -> Reproof:
        """Every citation of a source that was in before, proven again; it is worked out once for a commit."""
        if transaction.base not in self.reproofs:
            source = _with_id_and_pages(self.source, transaction)
            found = Reproof(transaction.wiki, source)
            if source.path in transaction.manifest().sources:
                found = prove_again(transaction.wiki, source, self.judge, partial(committed_document, transaction))
            self.reproofs.clear()
            self.reproofs[transaction.base] = found
        return self.reproofs[transaction.base]

    def _says_the_same(self, transaction: Transaction) -> bool:
        """True when nothing but white space is new in the source: there is nothing to ask a model."""
        old = committed_document(transaction, self.source.path)
        return old is not None and old.text.split() == self.source.document.text.split()

    def _plan_or_raise(self, attempt: _Attempt, transaction: Transaction) -> IngestPlan:
        """The plan, when the wall let it through and something is left of it. Raises Rejected or ProposalError."""
        if attempt.faults or attempt.draft is None:
            raise Rejected(attempt.faults)
        is_known = attempt.source.path in transaction.manifest().sources
        if not attempt.draft.wiki.changed and (attempt.claims or not is_known):
            raise ProposalError(
                "proposal_empty",
                f"nothing is left of the proposal ({len(attempt.claims)} claims without evidence)",
                "read the findings; another model may do better: curate ingest --model NAME",
            )
        runtime = transaction.repository.runtime
        rescued = runtime.rescued()
        notes = [f"{note['what']} {note['path']}: {note['why']}" for note in rescued[runtime.told :]]
        if self.options.view is not None:
            notes.append(f"through the view {transaction.workspace(self.options.view).name}")
        return IngestPlan(
            attempt.source,
            attempt.draft,
            attempt.diffs,
            attempt.reply,
            transaction,
            tuple(notes),
            len(rescued),
            attempt.reproof.findings(attempt.draft.wiki) if attempt.reproof is not None else (),
        )


@dataclass(frozen=True)
class _Attempt:
    """A reply, what it would do, and what is wrong with that."""

    source: Source
    reply: Reply
    draft: Draft | None
    diffs: dict[str, str]
    faults: tuple[Finding, ...]
    """Broken rules: the proposal cannot be committed."""
    claims: tuple[Finding, ...]
    """Claims without sound evidence: they are left out; or in doubt, where the wiki's grounding lets them stand."""
    reproof: Reproof | None = None
    unread: SecondReading | None = None
    """The second reading, where claims have no verdict yet."""

    @property
    def mendable(self) -> tuple[Finding, ...]:
        """What goes back. An alias that was left out does not: it is worth less than what a repair costs."""
        return (*self.faults, *(claim for claim in self.claims if claim.code != "alias_unknown"))


def _is_better(new: _Attempt, old: _Attempt) -> bool:
    """The repaired answer counts unless it is the worse one: a repair that breaks what was sound is not taken."""
    if bool(new.faults) != bool(old.faults):
        return not new.faults
    return new.draft is not None and (old.draft is None or len(new.claims) <= len(old.claims))


def request_for(
    source: Source, transaction: Transaction, budget: Budget, view: View | None, evidence: Evidence | None = None
) -> Request:
    """What the model is told about ``source`` and the pages it affects; ``evidence``: the source, searched before."""
    source = _with_id_and_pages(source, transaction)
    own = transaction.manifest().sources.get(source.path)
    found = retrieval.affected_pages(
        source, transaction.wiki, transaction.catalogue, own.slugs if own is not None else (), budget
    )
    policy = transaction.policy(view)
    return Request(
        source=source,
        policy=policy,
        conventions=transaction.read("AGENTS.md") or "",
        pages=found.pages,
        entries=found.entries,
        summary_slug=new_page.summary_slug(source, transaction.wiki, policy.dialect),
        evidence=evidence or Evidence(source.path, source.document),
    )


def _with_id_and_pages(source: Source, transaction: Transaction) -> Source:
    """The source as it is known here: by the id that it has, or gets, and with the pages that it went into before."""
    registry = transaction.registry
    record = registry.known.sources.get(source.path)
    return replace(source, id=registry.id_for(source.path), pages=record.slugs if record is not None else ())


def _diffs(after: Wiki, before: Wiki) -> dict[str, str]:
    """The diff of each page that is other than ``before``."""
    old = {path: before.page_at(path) for path in after.changed}
    return {
        path: diff.between(path, None if was is None else was.text, after.changed[path].text)
        for path, was in old.items()
        if was != after.changed[path]
    }
