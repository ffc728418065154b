"""The ingest flow: one source in, one commit out (AIP-10, ingest contract; DESIGN section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from curator.checks import approval, rules
from curator.checks.rules.change import Change
from curator.errors import Conflict, ModelError, ProposalError, Rejected
from curator.finding import Finding
from curator.ingest import new_page, retrieval
from curator.ingest.draft import Draft, DraftContext, draft
from curator.ingest.plan import IngestPlan, Outcome
from curator.ingest.retrieval import Budget
from curator.models import search_replace
from curator.models.port import FREE, Model, Reply, Request, Usage
from curator.models.proposal import Proposal
from curator.models.saved_answers import Answered, Answers
from curator.repository.repository import Repository, Transaction
from curator.repository.source_files import IncomingFile
from curator.repository.transaction.transaction import BranchMoved
from curator.repository.views import View
from curator.system.clocks import Clock
from curator.wiki.pages import diff
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source

_MOVES = 5
"""How often the branch may move under us before we call it too busy."""
_LONGEST_LANDING = 900.0
"""Seconds that others may take to land before us."""

OnDirty = Literal["park", "merge", "snapshot"]
Stage = Literal["reading", "thinking", "checking", "committing"]


@dataclass(frozen=True)
class IngestOptions:
    """How sources are taken in, whichever it is."""

    clock: Clock
    budget: Budget = Budget()
    on_dirty: OnDirty = "park"
    """What becomes of the user's uncommitted edits of the same pages (``Config.on_dirty``)."""
    dry_run: bool = False
    ask_again: bool = False
    """True: answers of before do not count."""
    trusts: bool = False
    """True: a change of the rules needs no approval (``governance = "trust"``)."""
    view: View | None = None
    """The lens the wiki is curated through."""
    moves_on: Callable[[Stage], None] = lambda stage: None
    """Called when the work on a source comes to its next stage."""


class AlreadyIngested(Conflict):
    """The very bytes are in: another process was faster. Nothing is lost and nothing is to do."""

    def __init__(self, path: str) -> None:
        super().__init__("taken_in", f"another curate has taken {path} in meanwhile", "nothing is to do")
        self.path = path


def ingest(
    source: Source,
    arrival: IncomingFile | None,
    repository: Repository,
    model: Model,
    terms: IngestOptions,
) -> Outcome:
    """Take ``source`` into the wiki; on any error the wiki stays as it was.

    Raises Rejected, ProposalError, ModelError or Conflict. When the branch moves while the model thinks, the operations
    are worked into the new pages and checked again; the model is asked again only when they no longer fit. So it is with
    an answer that was paid for and has not landed yet.
    """
    answers = Answers(repository.runtime, model.name, terms.ask_again)
    answered = answers.recall(source)
    for _ in range(_MOVES):
        plan = _plan(source, _begun(source, repository, terms), model, terms, answered, answers)
        if terms.dry_run:
            return plan.outcome(None)
        terms.moves_on("committing")
        # In turn: were all that have an answer to check and commit at once, all but one would have to do it again.
        with repository.runtime.lock(_LONGEST_LANDING, "landing"):
            landed = _land(source, arrival, plan, repository, terms)
        if landed is not None:
            answers.landed(source)
            repository.runtime.note_told()
            return landed
        answered = Answered(plan.reply, settled=True)
    raise Conflict("branch_busy", f"the branch moved {_MOVES} times while {source.path} was taken in", "try again")


def _begun(source: Source, repository: Repository, terms: IngestOptions) -> Transaction:
    """A transaction on the branch as it is now, by rules that are approved.

    Raises Conflict when they are not, and TakenIn when the source has come in on another way.
    """
    transaction = repository.begin()
    if not terms.trusts:
        approval.check_approved(transaction)
    if transaction.manifest().has(source.path, source.digest):
        raise AlreadyIngested(source.path)
    return transaction


def _land(
    source: Source, arrival: IncomingFile | None, plan: IngestPlan, repository: Repository, terms: IngestOptions
) -> Outcome | None:
    """Commit a plan; on a branch that moved, its answer worked in anew. None when the answer no longer fits."""
    for _ in range(_MOVES):
        transaction = plan.transaction
        try:
            files = plan.files(terms.clock())
            commit = transaction.commit(files, arrival, plan.message, merges=terms.on_dirty == "merge")
            return plan.outcome(commit)
        except BranchMoved:
            pass
        except Conflict as error:
            if error.code != "page_dirty" or terms.on_dirty != "snapshot":
                raise
            if not repository.commit_edits(terms.clock):
                raise
        transaction = _begun(source, repository, terms)
        work = _work(plan.reply, source, transaction, terms)
        if work.faults:
            return None
        plan = _checked(work, transaction, terms)
    return None


def _plan(
    source: Source,
    transaction: Transaction,
    model: Model,
    terms: IngestOptions,
    answered: Answered | None,
    answers: Answers,
) -> IngestPlan:
    """Ask, work the answer in, check it; what is wrong goes back once. ``answered``: what the model said before."""
    request = request_for(source, transaction, terms.budget, terms.view)
    work = _work(answered.reply, source, transaction, terms) if answered is not None else None
    if answered is None or work is None or (answered.settled and work.faults):
        spent = answered.reply.usage if answered is not None else FREE
        terms.moves_on("thinking")
        answered = Answered(_charged(model.propose(request), spent), settled=False)
        answers.keep(source, answered)
        terms.moves_on("checking")
        work = _work(answered.reply, source, transaction, terms)
    if not answered.settled and (work.faults or work.claims):
        work = _repaired(work, request, source, transaction, model, terms)
    try:
        plan = _checked(work, transaction, terms)
    except (Rejected, ProposalError):
        answers.forget(source)
        raise
    answers.keep(source, Answered(plan.reply, settled=True))
    return plan


def _repaired(
    work: _Work, request: Request, source: Source, transaction: Transaction, model: Model, terms: IngestOptions
) -> _Work:
    """The better of the answer and its repair. A repair that fails costs the claims in doubt, not the sound ones."""
    try:
        second = model.propose(request.again(work.reply.text, (*work.faults, *work.claims)))
    except (ModelError, ProposalError):
        if work.faults:
            raise
        return work
    better = _work(_charged(second, work.reply.usage), source, transaction, terms)
    return better if _prefer(better, work) else replace(work, reply=replace(work.reply, usage=better.reply.usage))


def _charged(reply: Reply, before: Usage) -> Reply:
    """``reply`` with what was spent before it on the same source."""
    return replace(reply, usage=before + reply.usage)


@dataclass(frozen=True)
class _Work:
    """A reply, what it would do, and what is wrong with that."""

    source: Source
    reply: Reply
    draft: Draft | None
    diffs: dict[str, str]
    faults: tuple[Finding, ...]
    """Broken rules: the proposal cannot land."""
    claims: tuple[Finding, ...]
    """Claims without sound evidence: they are left out."""


def _prefer(new: _Work, old: _Work) -> bool:
    """The repaired answer counts unless it is the worse one: a repair that breaks what was sound is not taken."""
    if bool(new.faults) != bool(old.faults):
        return not new.faults
    return new.draft is not None and (old.draft is None or len(new.claims) <= len(old.claims))


def _work(reply: Reply, source: Source, transaction: Transaction, terms: IngestOptions) -> _Work:
    source = _registered(source, transaction)
    try:
        proposal = Proposal.parse(search_replace.to_json(reply.text) if reply.form == "blocks" else reply.text)
    except ProposalError as error:
        return _Work(source, reply, None, {}, (Finding(error.code, "reply", error.message),), ())
    policy, now = transaction.policy(terms.view), terms.clock()
    evidence = Evidence(source.path, source.document)
    known = SourceWeights(transaction.manifest(), transaction.workspace().authority_default)
    known = known.superseding(source.remarks.supersedes, source)
    drafted = draft(proposal, transaction.wiki, DraftContext(source, evidence, policy, now, known))
    diffs = _diffs(drafted, transaction)
    change = Change(source, evidence, policy, transaction.wiki, drafted.wiki, diffs, now)
    faults = (*drafted.broken, *rules.broken_by(change))
    return _Work(source, reply, drafted, diffs, faults, drafted.left_out)


def _checked(work: _Work, transaction: Transaction, terms: IngestOptions) -> IngestPlan:
    """The plan, when the wall let it through and something is left of it. Raises Rejected or ProposalError."""
    if work.faults or work.draft is None:
        raise Rejected(work.faults)
    if not work.draft.wiki.changed:
        raise ProposalError(
            "proposal_empty",
            f"nothing is left of the proposal ({len(work.claims)} claims without evidence)",
            "read the findings; another model may do better: curate ingest --model NAME",
        )
    notes = [f"{note['what']} {note['path']}: {note['why']}" for note in transaction.repository.runtime.untold()]
    if terms.view is not None:
        notes.append(f"through the view {transaction.workspace(terms.view).name}")
    return IngestPlan(work.source, work.draft, work.diffs, work.reply, transaction, tuple(notes))


def request_for(source: Source, transaction: Transaction, budget: Budget, view: View | None) -> Request:
    """What the model is told about ``source`` and the pages it affects."""
    source = _registered(source, transaction)
    own = transaction.manifest().sources.get(source.path)
    found = retrieval.affected(
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
    )


def _registered(source: Source, transaction: Transaction) -> Source:
    """The source as it is known here: by the id that it has, or gets, and with the pages that it went into before."""
    registry = transaction.registry
    record = registry.known.sources.get(source.path)
    return replace(source, id=registry.id_for(source.path), pages=record.slugs if record is not None else ())


def _diffs(drafted: Draft, transaction: Transaction) -> dict[str, str]:
    def old(path: str) -> str | None:
        page = transaction.wiki.page_at(path)
        return None if page is None else page.text

    return {path: diff.between(path, old(path), page.text) for path, page in drafted.wiki.changed.items()}
