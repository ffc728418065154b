"""The answer to a question: the statements of a reply that pages and sources prove, and what became of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from curator.ask import material, prove
from curator.ask.material import Material
from curator.ask.meaning import Meaning
from curator.ask.source_proofs import SourceProofs
from curator.ask.standing import Standing
from curator.errors import ModelError, ProposalError
from curator.finding import Finding
from curator.models import statements
from curator.models.port import Reply, Respondent
from curator.models.question import Question, Turn
from curator.models.sandbox.source_texts import SourceTexts
from curator.models.statement_stream import HearStatement
from curator.models.statements import ProvenStatement, RefusedStatement, Statement, Statements
from curator.repository.repository import OnDirty
from curator.repository.views import View
from curator.system.clocks import Clock
from curator.system.filenames import printable
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.sources.formats import Limits
from curator.wiki.wiki import Wiki

TellStatement = Callable[[ProvenStatement], None]
_NEAREST = 3
"""Passages that are named where nothing answers."""
_LOOKED_FOR = 3
"""What a reply may have looked for once more, at most."""


@dataclass(frozen=True)
class AskOptions:
    """How any question is answered."""

    clock: Clock
    limits: Limits
    tokens: int = material.TOKENS
    """What the passages that are shown may take."""
    view: View | None = None
    everywhere: bool = False
    """True: pages of all types, whatever ``queryHints.scopeTo``."""
    trusts: bool = False
    """True: a change of the rules needs no approval before an answer is filed (``governance = "trust"``)."""
    on_dirty: OnDirty = "park"
    earlier: tuple[Turn, ...] = ()
    """What was asked before, where this follows on it."""
    meaning: Meaning | None = None
    """Where a model of embeddings helps to rank passages."""


@dataclass(frozen=True)
class Answer:
    """A reply, the statements in it that pages or sources prove, and those that were left out."""

    question: Question
    reply: Reply
    statements: tuple[ProvenStatement, ...] = ()
    refused: tuple[RefusedStatement, ...] = ()
    withheld: tuple[Finding, ...] = ()
    """What was not shown, for no source has its words any more."""
    look_for: tuple[str, ...] = ()
    """What its author would look for to answer the rest."""
    fault: ProposalError | None = None
    """Why the reply could not be read at all."""

    @property
    def left_out(self) -> tuple[Finding, ...]:
        return (*(each.finding for each in self.refused), *self.withheld)

    @property
    def mendable(self) -> tuple[Finding, ...]:
        """What goes back to the author of the reply. What a source no longer says cannot be repaired."""
        if self.fault is not None:
            return (Finding(self.fault.code, "reply", self.fault.message),)
        return tuple(each.for_author for each in self.refused if each.finding.code != "citation_unproven")

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Pages as links, sources by their paths."""
        return tuple(
            printable(each.name) if each.is_source else f"[[{printable(each.name)}]]" for each in self.question.readings
        )

    @property
    def nearest(self) -> tuple[tuple[Reading, Passage], ...]:
        """Where nothing answers: what was found first, the best first, each said once."""
        shown = [(reading, passage) for reading in self.question.readings for passage in reading.passages]
        found: list[tuple[Reading, Passage]] = []
        for reading, passage in sorted(shown, key=lambda each: each[1].place):
            if not any(one.text in passage.text or passage.text in one.text for _, one in found):
                found.append((reading, passage))
        return () if self.statements else tuple(found[:_NEAREST])


@dataclass(frozen=True)
class AnswerCheck:
    """Checks the replies to one question."""

    question: Question
    wiki: Wiki
    texts: SourceTexts
    options: AskOptions
    known: dict[tuple[int, Statement], ProvenStatement | RefusedStatement] = field(default_factory=dict)
    """What was judged before: a statement that was told as it came is not judged again."""

    def telling(self, tell: TellStatement) -> HearStatement:
        """Passes on each statement that holds as it comes in; the others wait for the repair."""

        def hear(number: int, statement: Statement) -> None:
            found = self.statement(number, statement)
            if isinstance(found, ProvenStatement):
                tell(found)

        return hear

    def statement(self, number: int, statement: Statement) -> ProvenStatement | RefusedStatement:
        if (number, statement) not in self.known:
            found = statements.prove_statement(number, statement, self.question)
            if isinstance(found, ProvenStatement):
                found = prove.sound(found, self.wiki, self.question, self.options.clock())
            if isinstance(found, ProvenStatement):
                found = Standing(self.texts, in_jail=True).statement(found)
            if isinstance(found, ProvenStatement) and (fault := self._sources.framed(found)):
                message = " tells what its source does not say as a fact"
                found = statements.refused(number, fault.code, message, why=fault.message)
            self.known[number, statement] = found
        return self.known[number, statement]

    @cached_property
    def _sources(self) -> SourceProofs:
        return SourceProofs(self.texts.evidence, self.question.words)

    def judged(self, reply: Reply) -> Answer:
        """What of ``reply`` is proven, and the wall lets through."""
        try:
            said = Statements.parse(reply.text)
        except ProposalError as error:
            hint = "ask another --model, or this one anew with --ask-again"
            said_of_it = f"the model's answer cannot be read: {error.message}"
            return Answer(self.question, reply, fault=ProposalError(error.code, said_of_it, hint))
        kept: list[ProvenStatement] = []
        refused: list[RefusedStatement] = []
        for number, statement in enumerate(said.statements, start=1):
            found = self.statement(number, statement)
            if isinstance(found, ProvenStatement):
                kept.append(found)
            else:
                refused.append(found)
        return Answer(self.question, reply, tuple(kept), tuple(refused), look_for=said.look_for[:_LOOKED_FOR])

    def looked_again(self, first: Answer, wanted: Material, model: Respondent) -> tuple[AnswerCheck, Answer]:
        """The answer from what ``first`` quotes and what it ``wanted``, with its check; the first, if that has more.

        It has what both cost, and says what was looked for.
        """
        shown = {(each.name, passage.text) for each in first.question.readings for passage in each.passages}
        if all((each.name, passage.text) in shown for each in wanted.readings for passage in each.passages):
            return self, first
        said = Statements.parse(first.reply.text).statements
        quoted = (first.question.quoted(quote.page, quote.words) for each in said for quote in each.quotes)
        held = (found for found in quoted if isinstance(found, tuple))
        readings = joined([*held, *_with_passages(wanted.readings)])
        again = replace(
            self,
            question=replace(self.question, readings=readings, unshown=wanted.unshown, is_second_look=True),
            known={},
        )
        try:
            reply = model.answer(again.question)
        except (ModelError, ProposalError):
            return self, first
        usage = first.reply.usage + reply.usage
        second = replace(again.judged(replace(reply, usage=usage)), look_for=first.look_for, withheld=wanted.withheld)
        if second.fault is None and len(second.statements) >= len(first.statements):
            return again, second
        return self, replace(first, reply=replace(first.reply, usage=usage))

    def better_after_repair(self, first: Answer, model: Respondent) -> Answer:
        """The second answer; the first, with what the second cost, when that is no better."""
        try:
            reply = model.answer(self.question.again(first.reply.text, first.mendable))
        except (ModelError, ProposalError):
            return first
        usage = first.reply.usage + reply.usage
        second = self.judged(replace(reply, usage=usage))
        if second.fault is None and len(second.statements) >= len(first.statements):
            return second
        return replace(first, reply=replace(first.reply, usage=usage))


def joined(parts: Sequence[tuple[Reading, tuple[Passage, ...]]]) -> tuple[Reading, ...]:
    """Documents with the passages that each has in ``parts``, every one once, in the order they come."""
    documents: dict[str, Reading] = {}
    passages: dict[str, dict[str, Passage]] = {}
    for reading, some in parts:
        documents.setdefault(reading.name, reading)
        passages.setdefault(reading.name, {}).update((passage.text, passage) for passage in some)
    return tuple(documents[name].only(tuple(found.values())) for name, found in passages.items())


def _with_passages(readings: Sequence[Reading]) -> Iterator[tuple[Reading, tuple[Passage, ...]]]:
    return ((reading, reading.passages) for reading in readings)
