"""The ingest flow: one source in, one commit out (AIP-10, ingest contract)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from curator.checks import approval
from curator.errors import Conflict, ModelError, ProposalError, Rejected, ReviewNeeded, SourceError, WikiArchived
from curator.finding import Finding
from curator.ingest import announcements, review
from curator.ingest.attempt import Attempt, ReplyCheck
from curator.ingest.drafting.claims import second_reading
from curator.ingest.last_source import LastSource
from curator.ingest.plan import IngestPlan, Outcome
from curator.ingest.request import request_for
from curator.ingest.review import Approved, Review
from curator.ingest.waiting import without_record
from curator.models import repair
from curator.models.port import FREE, Budget, Model, Reply, Request, Usage, Verifier
from curator.models.proposal import NO_PROPOSAL
from curator.models.sandbox.locked_fork import meanwhile
from curator.models.saved_answers import Answered, Answers
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.proposals import Proposals
from curator.repository.repository import OnDirty, Repository
from curator.repository.runtime.runtime import COMMIT_TURN
from curator.repository.source_files import IncomingFile
from curator.repository.views import View
from curator.system.bounded import clocked
from curator.system.clocks import Clock
from curator.system.filenames import printable
from curator.wiki.sources.source import Source

_ROUNDS = 5
"""How often an answer may turn out not to fit the wiki any more before we call the branch too busy."""
_PROCESSOR_SECONDS = 180.0
"""What reading, comparing and checking one source may take of a processor; waiting for a model takes none."""
_LONGEST_WAIT = 900.0
"""Seconds that others may take to commit before us."""

NOT_ASKED = Reply(NO_PROPOSAL.dumps(), "nobody (the source's words are the same)")
"""In the place of an answer, where there is nothing to ask."""

Stage = Literal["fetching", "reading", "thinking", "checking", "committing"]


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
    review: Review = "auto"
    """Whether what a source brings waits for a person."""
    approved: Approved | None = None
    """A proposal that a person has approved: its answer is worked in, and nobody is asked."""
    taken: frozenset[str] = frozenset()
    """Slugs that no new page gets: the names of notes that the wiki stands among."""
    on_stage: Callable[[Stage], None] = lambda stage: None
    """Called when the work on a source comes to its next stage."""
    has_waited: Callable[[], bool] = lambda: False
    """Called when the source is read, and nothing is asked of the wiki yet: it may wait for its turn. False: it did not."""
    last: LastSource = field(default_factory=LastSource)
    """What is known of the source that was taken up last."""


class AlreadyIngested(Conflict):
    """Another process has already ingested these bytes. Nothing is lost, and there is nothing to do."""

    def __init__(self, path: str) -> None:
        super().__init__("taken_in", f"another process has already ingested {path}", "nothing to do")
        self.path = path


def check_open(transaction: Transaction, options: IngestOptions) -> None:
    """Raises NotApproved for rules that nobody has approved, and WikiArchived."""
    if not options.trusts:
        approval.check_approved(transaction)
    if transaction.workspace().is_archived:
        hint = "to take it up again: status: ready in KNOWLEDGE.md, committed and approved"
        raise WikiArchived("wiki_archived", "the wiki is archived (status of KNOWLEDGE.md): nothing is taken in", hint)


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
    is asked only for those parts that no longer fit. So it is with an answer that was paid for and is not committed yet.
    """
    answers = Answers(repository.runtime, model.name, options.ask_again)
    judge = options.last.judge(source)
    approved = options.approved
    answered = answers.recall(source) if approved is None else approved.answer_for(source)
    reader = verifier.name if verifier is not None else approved.answered.reply.verifier if approved is not None else ""
    edits = approved.edits if approved is not None else ()
    replies = ReplyCheck(source, judge, options.clock, options.view, reader, edits, options.taken)
    source_ingest = _SourceIngest(source, source_file, model, verifier, options, answers, replies)
    try:
        return _in_rounds(source_ingest, repository, answered, begun)
    finally:
        repository.runtime.announce_no_more(source.path)


def _in_rounds(
    source_ingest: _SourceIngest, repository: Repository, answered: Answered | None, begun: Transaction | None
) -> Outcome:
    """Plan and commit; again when the branch has moved and the answer no longer fits."""
    source, options = source_ingest.source, source_ingest.options
    for _ in range(_ROUNDS):
        try:
            with clocked(_PROCESSOR_SECONDS):
                plan = source_ingest.plan(begun or repository.begin(), answered)
        except TimeoutError:
            said = f"{printable(source.path)}: working it in takes more than {_PROCESSOR_SECONDS:g} s of processor time"
            raise SourceError("source_too_costly", said, "split it") from None
        reasons = review.reasons(plan, options.review) if options.approved is None else None
        if options.dry_run:
            return replace(plan.outcome(None), waits=reasons)
        if reasons is not None:
            raise source_ingest.held(plan, reasons)
        options.on_stage("committing")
        try:
            # One at a time: if all checked against one commit, only the first could commit, and the rest would check again.
            with repository.runtime.lock(_LONGEST_WAIT, COMMIT_TURN):
                plan, commit = source_ingest.commit(plan)
        except _NoLongerFits:
            answered, begun = Answered(plan.reply, settled=True), None
        else:
            return source_ingest.finished(plan, commit)
    raise Conflict("branch_busy", f"the branch moved {_ROUNDS} times while {source.path} was ingested", "try again")


class _NoLongerFits(Exception):
    """The answer cannot be worked into the wiki as it is now: the model has to be asked again."""


@dataclass(frozen=True)
class _SourceIngest:
    """One source and what it is ingested with; it may take several goes until its answer is committed."""

    source: Source
    source_file: IncomingFile | None
    model: Model
    verifier: Verifier | None
    options: IngestOptions
    answers: Answers
    replies: ReplyCheck

    def plan(self, transaction: Transaction, answered: Answered | None) -> IngestPlan:
        """Ask, work the answer in, check it; what is wrong goes back once. ``answered``: what the model said before."""
        self._check_allowed(transaction)
        if not self.options.ask_again and self.replies.says_the_same(transaction):
            answered = Answered(NOT_ASKED, settled=True)
        request = self._request(transaction)

        attempt = self.replies.check(answered.reply, transaction) if answered is not None else None
        asks = self.options.approved is None
        if answered is not None and attempt is not None and asks and answered.settled and attempt.faults:
            attempt = self._fitted(attempt, request, transaction)
            answered = Answered(attempt.reply, settled=True)
            attempt = None if attempt.faults else attempt
        if answered is None or attempt is None:
            with meanwhile(lambda: self._look_ahead(transaction)):
                answered = self._ask(request, answered.reply.usage if answered is not None else FREE)
            attempt = self.replies.check(answered.reply, transaction)

        attempt = self._read_again(attempt, transaction, answered.settled)
        if not answered.settled and attempt.mendable:
            attempt = self._better_after_repair(attempt, request, transaction, attempt.mendable)
            if repair.are_lost_disputes(attempt.faults, attempt.reply.text):
                attempt = self._without_faults(attempt, transaction)

        try:
            plan = self._made(attempt, transaction)
        except (Rejected, ProposalError):
            self.answers.forget(self.source)
            raise
        self.answers.keep(self.source, Answered(plan.reply, settled=True))
        return plan

    def _look_ahead(self, transaction: Transaction) -> None:
        transaction.read_ahead()
        self.replies.get_ready()

    def held(self, plan: IngestPlan, reasons: tuple[Finding, ...]) -> ReviewNeeded:
        """Keep the plan's commit beside the branch, for a person to look at; the error that says so."""
        now, answered = self.options.clock(), asdict(Answered(plan.reply, settled=True))
        reply = {**answered, "remarks": asdict(self.source.remarks)}
        change_set, proposals = plan.change_set(self.source_file, now), Proposals(plan.transaction.repository)
        return ReviewNeeded(proposals.hold(change_set, plan.transaction, now, reply, reasons).name, reasons)

    def commit(self, plan: IngestPlan) -> tuple[IngestPlan, str | None]:
        """Commit ``plan``; ``repository.commit`` has it made anew for every new commit of the branch. The plan as it was
        committed, and the commit.

        Raises _NoLongerFits, which the loop of ``ingest`` waits for, when the answer does not fit such a commit.
        """
        repository, options = plan.transaction.repository, self.options

        def change_set(transaction: Transaction) -> ChangeSet:
            nonlocal plan
            if transaction is not plan.transaction:
                self._check_allowed(transaction)
                attempt = self.replies.check(plan.reply, transaction)
                if attempt.faults or attempt.unread is not None:
                    raise _NoLongerFits
                plan = self._made(attempt, transaction)
            return plan.change_set(self.source_file, options.clock())

        done = repository.commit(change_set, options.clock, on_dirty=options.on_dirty, begun=plan.transaction)
        repository.runtime.rescued.note_told(plan.told)  # before the next one tells it, too
        return plan, done.commit

    def finished(self, plan: IngestPlan, commit: str | None) -> Outcome:
        """What is left to do when it is committed, and others may: the answer is not needed any more."""
        self.answers.drop_all(self.source)
        return plan.outcome(commit)

    def _made(self, attempt: Attempt, transaction: Transaction) -> IngestPlan:
        approved = self.options.approved
        return IngestPlan.of(attempt, transaction, self.options.view, approved.said if approved is not None else "")

    def _check_allowed(self, transaction: Transaction) -> None:
        """Raises NotApproved, WikiArchived, AlreadyIngested when another process was faster, and SourceError for a source
        whose pages are there without its record: nobody is asked for them a second time.
        """
        path, repository = self.source.path, transaction.repository
        if transaction.manifest().has(path, self.source.digest):
            raise AlreadyIngested(path)
        if path not in transaction.manifest().sources and any(True for _ in transaction.wiki.store.citing(path)):
            found = list(history.curator_commits(repository.git, transaction.base, folder=repository.prefix))
            if path in without_record(found, repository, transaction.base, transaction.manifest())[1]:
                said = f"{printable(path)} is in: pages rest on it, and a commit took it in; _manifest.json lost its record"
                raise SourceError("source_unrecorded", said, "curate doctor --repair makes the record anew")
        check_open(transaction, self.options)

    def _request(self, transaction: Transaction) -> Request:
        """What the model is told. Raises Rejected, before anybody is paid, where a page that has to change cannot."""
        withdrawals = self.replies.withdrawals(transaction)
        if withdrawals.unreadable:
            raise Rejected(withdrawals.unreadable)
        options, evidence = self.options, self.replies.judge.evidence
        request = request_for(self.source, transaction, options.budget, options.view, evidence)
        runtime = transaction.repository.runtime
        coming = announcements.told(runtime.announced(self.source.path, options.clock().timestamp()))
        withdrawn = tuple(withdrawals.statements(request.pages))
        return replace(request, withdrawn=withdrawn, rejected=runtime.rejections(self.source.path), coming=coming)

    def _ask(self, request: Request, spent: Usage) -> Answered:
        """The model's answer, kept before it is checked; ``spent``: what an answer that fits no more has cost.

        Others hear meanwhile which pages are coming: their titles cannot be found in the wiki yet.
        """
        self.options.on_stage("thinking")
        self._announce(announcements.before(request))
        reply = self.model.propose(request)
        self._announce(announcements.of_reply(request, reply))
        answered = Answered(replace(reply, usage=spent + reply.usage), settled=False)
        self.answers.keep(self.source, answered)
        self.options.on_stage("checking")
        return answered

    def _announce(self, names: Sequence[str]) -> None:
        options = self.options
        if not (options.dry_run or options.budget.whole):  # who shows pages whole is asked in a blink
            self.answers.runtime.announce(self.source.path, names, options.clock().timestamp())

    def _read_again(self, attempt: Attempt, transaction: Transaction, settled: bool) -> Attempt:
        """``attempt`` with the second reader's verdict on every claim; only those that it has not read are asked about."""
        while self.verifier is not None and attempt.unread is not None:
            reply = second_reading.ask(self.verifier, attempt.reply, attempt.unread, self.source)
            self.answers.keep(self.source, Answered(reply, settled))
            attempt = self.replies.check(reply, transaction)
        return attempt

    def _fitted(self, attempt: Attempt, request: Request, transaction: Transaction) -> Attempt:
        """An answer that fits the pages no more, with those of its parts mended, or left out, that do not. Where the faults
        are of no part, or it does not even fit without them, they are there still: the whole has to be asked for again.
        """
        proposal, asked = repair.previous(attempt.reply.text), repair.asked_for(attempt.faults)
        if proposal is None or not asked:
            return attempt
        slugs = repair.touched(proposal, asked) - {page.slug for page in request.pages}
        now = tuple(page for slug in sorted(slugs) if (page := transaction.wiki.page(slug)) is not None)
        request = replace(request, pages=(*request.pages, *now))
        mended = self._better_after_repair(attempt, request, transaction, attempt.faults)
        return self._without_faults(mended, transaction)

    def _without_faults(self, attempt: Attempt, transaction: Transaction) -> Attempt:
        """``attempt`` without its parts that are at fault, which are told; with them where the faults are of no part."""
        proposal, asked = repair.previous(attempt.reply.text), repair.asked_for(attempt.faults)
        if not attempt.faults or proposal is None or not asked:
            return attempt
        reply = replace(attempt.reply, text=repair.without(proposal, asked).dumps(), form="json")
        rest = self.replies.check(reply, transaction)
        draft = (
            replace(rest.draft, left_out=(*rest.draft.left_out, *attempt.faults)) if rest.draft is not None else None
        )
        return replace(rest, draft=draft, claims=(*rest.claims, *attempt.faults))

    def _better_after_repair(
        self, attempt: Attempt, request: Request, transaction: Transaction, mendable: tuple[Finding, ...]
    ) -> Attempt:
        """The better of the answer and its repair. A repair that fails costs the claims in doubt, not the sound ones."""
        self.options.on_stage("thinking")
        try:
            second = self.model.propose(request.again(attempt.reply.text, mendable))
        except (ModelError, ProposalError):
            if attempt.faults:
                raise
            second = None
        self.options.on_stage("checking")
        if second is None:
            return attempt
        again = second.following(attempt.reply)
        if attempt.unread is None and replace(again, usage=attempt.reply.usage) == attempt.reply:
            return replace(attempt, reply=again)  # the same words once more
        better = self.replies.check(again, transaction)
        if not better.faults:
            better = self._read_again(better, transaction, settled=True)
        if better.is_better_than(attempt):
            return better
        return replace(attempt, reply=replace(attempt.reply, usage=better.reply.usage))
