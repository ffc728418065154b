"""The flow of a question: passages that it is about, an answer that they prove, and if wished a page of it (AIP-10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from curator.ask import file_answer, filed_title, material
from curator.ask.answer import Answer, AnswerCheck, AskOptions, TellStatement
from curator.ask.file_answer import Filed, FilingContext
from curator.ask.material import Material
from curator.ask.query_scope import QueryScope
from curator.ask.source_proofs import SourceProofs
from curator.checks import approval
from curator.finding import Finding
from curator.models.llm import ask_prompt
from curator.models.port import Reply, Respondent
from curator.models.question import Question
from curator.models.sandbox.source_texts import SourceTexts
from curator.models.saved_answers import topic
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.wiki import index
from curator.wiki.passages.of_page import read_page
from curator.wiki.passages.passage import Reading

_KEPT = 100
"""Saved answers to questions: asked once more about the same pages, the same question costs nothing."""


@dataclass(frozen=True)
class Saved:
    """The page that an answer was filed as; ``commit`` is None for a dry run."""

    commit: str | None
    filed: Filed
    diff: str


def ask(
    text: str, repository: Repository, model: Respondent, options: AskOptions, tell: TellStatement | None = None
) -> Answer:
    """Answer a normalized question from the newest commit; nothing is asked of a model without material.

    A model that names what it looked for in vain is asked once more, with the passages of that. What of a reply does not
    hold goes back once. ``tell`` is called with each statement that holds, while a model that answers piece by piece is
    still at it; the answer has them all, mended ones among them. Raises ModelError, or ProposalError when no reply can be
    read: what was told until then was proven all the same.
    """
    snapshot = repository.view()
    texts = SourceTexts(repository.root, repository.runtime, options.limits)
    found = material_for(text, snapshot, texts, options)
    asked = Question(text, found.readings, snapshot.policy(options.view), found.unshown, earlier=options.earlier)
    if not asked.readings:
        return Answer(asked, Reply("", model.name), withheld=found.withheld)
    check = AnswerCheck(asked, snapshot.wiki, texts, options)
    answer = check.judged(model.answer(asked, check.telling(tell) if tell is not None else None))
    if answer.look_for:
        wanted = material_for(" ".join(answer.look_for), snapshot, texts, options)
        check, answer = check.looked_again(answer, wanted, model)
    if answer.mendable:
        answer = check.better_after_repair(answer, model)
    repository.runtime.replies.prune(topic(ask_prompt.TOPIC), _KEPT)
    if answer.fault is not None:
        raise answer.fault
    return replace(answer, withheld=tuple(dict.fromkeys((*found.withheld, *answer.withheld))))


def material_for(text: str, snapshot: Snapshot, texts: SourceTexts, options: AskOptions) -> Material:
    """What a normalized question is answered from, looked for through the view."""
    scope = QueryScope.of(snapshot, options.view)
    search = material.search_in(snapshot, texts, scope, options.everywhere, options.earlier, options.meaning)
    return search.material(text, options.tokens)


# -- the answer as a page -----------------------------------------------------------------------------------------


def check_title(title: str, repository: Repository, options: AskOptions) -> None:
    """Before anything is asked: raises Conflict or ConfigError when an answer of this title could not be filed."""
    transaction = repository.begin()
    _check_approved(transaction, options)
    filed_title.check(title, transaction.wiki)


def save(
    answer: Answer, title: str, repository: Repository, options: AskOptions, dry_run: bool
) -> Saved | tuple[Finding, ...]:
    """File ``answer`` as a page, in one commit with its ``query`` event; or why none of it can be filed.

    When the branch has moved since, it is proven anew by the pages as they are now. Raises Conflict, Rejected, ConfigError.
    """
    texts = SourceTexts(repository.root, repository.runtime, options.limits)
    sources = SourceProofs(texts.evidence, answer.question.words)
    filed: list[Filed] = []

    def work(transaction: Transaction) -> ChangeSet:
        _check_approved(transaction, options)
        asked = _reread(answer.question, transaction)
        now = AnswerCheck(asked, transaction.wiki, texts, options).judged(answer.reply)
        context = FilingContext(
            wiki=transaction.wiki,
            manifest=transaction.manifest(),
            policy=answer.question.policy,
            authority=transaction.workspace().authority_default,
            now=options.clock(),
        )
        provable = sources.provable(now.statements)
        if not provable.statements:
            raise _Unproven((*now.left_out, *provable.left_out))
        filed.append(file_answer.file_answer(answer.question.text, title, provable, context))
        return _change_set(filed[-1], now)

    try:
        done = repository.commit(work, options.clock, dry_run=dry_run, on_dirty=options.on_dirty)
    except _Unproven as error:
        return error.findings
    return Saved(done.commit, filed[-1], done.diff_of(filed[-1].page.path))


class _Unproven(Exception):
    """No statement of the answer is proven by a source."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__()
        self.findings = findings


def _check_approved(transaction: Transaction, options: AskOptions) -> None:
    if not options.trusts:
        approval.check_approved(transaction)


def _reread(asked: Question, transaction: Transaction) -> Question:
    """The question with its pages as they are now; what is quoted of sources is looked up in them anyway."""
    found: dict[str, Reading] = {}
    for reading in asked.known:
        page = None if reading.is_source else transaction.wiki.page(reading.name)
        if reading.is_source:
            found[reading.name] = reading
        elif page is not None and page.is_readable:
            found[reading.name] = read_page(page)
    return replace(asked, readings=tuple(found.values()), unshown=())


def _change_set(filed: Filed, answer: Answer) -> ChangeSet:
    """The page, and the ``query`` event that tells how it came about."""
    asked, reply = answer.question.text, answer.reply
    return ChangeSet(
        filed.wiki,
        filed.manifest,
        index.plain(asked),
        tuple(file_answer.bullets(filed, answer.left_out, answer.looked_at, reply.model)),
        (f"Curator-Query: {asked}", *reply.trailers),
        event="query",
        title=f"query: {filed_title.of_question(asked)}",
    )
