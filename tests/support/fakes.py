"""Stand-ins for what tests may not reach: a model that says what it is told to say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from curator.models.llm.language_model import Completion, Listen
from curator.models.llm.prompts import Prompt, ReplyFormat
from curator.models.port import FREE, Reply, Request, Usage, Verdicts
from curator.models.proposal import Proposal
from curator.models.question import Question
from curator.models.statement_stream import HearStatement
from curator.models.statements import Statements
from curator.models.verification import Grade, ReaderVerdict, Verification

_PAID = Usage(100, 20, 0.5)
Answer = str | Proposal | Exception | Callable[[Request], str]


@dataclass
class ScriptedModel:
    """Gives the answers in turn, the last one again and again, and remembers what it was asked."""

    answers: tuple[Answer, ...]
    name: str = "scripted/model"
    usage: Usage = FREE
    requests: list[Request] = field(default_factory=list)

    def propose(self, request: Request) -> Reply:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            answer = answer(request)
        text = answer.dumps() if isinstance(answer, Proposal) else answer
        return Reply(text, self.name, self.usage)


@dataclass
class ScriptedRespondent:
    """Answers questions in the same way."""

    answers: tuple[str | Statements | Exception | Callable[[Question], str], ...]
    name: str = "scripted/model"
    usage: Usage = FREE
    questions: list[Question] = field(default_factory=list)

    def answer(self, question: Question, hear: HearStatement | None = None) -> Reply:
        self.questions.append(question)
        answer = self.answers[min(len(self.questions), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            answer = answer(question)
        return Reply(answer.dumps() if isinstance(answer, Statements) else answer, self.name, self.usage)


@dataclass
class ScriptedVerifier:
    """A second reader: grades each claim by words it has, the first that fit; else ``stated``."""

    grades: dict[str, Grade | None] = field(default_factory=dict)
    name: str = "scripted/reader"
    usage: Usage = FREE
    asked: list[list[str]] = field(default_factory=list)
    """The claims of each request."""

    def verify(self, verification: Verification) -> Verdicts:
        self.asked.append([claim.text for claim in verification.claims])
        return Verdicts(tuple(self._verdict(claim.text) for claim in verification.claims), self.usage)

    def _verdict(self, claim: str) -> ReaderVerdict:
        grades = (grade for words, grade in self.grades.items() if words in claim)
        return ReaderVerdict(next(grades, "stated"))


class ScriptedProvider:
    """A provider of a language model, which gives its answers likewise; the prompts are those that it was asked."""

    name = "scripted/model"

    def __init__(
        self,
        *answers: str | Completion | Callable[[Prompt], str],
        form: ReplyFormat = "json",
        usage: Usage = _PAID,
    ) -> None:
        self.answers = answers
        self.form = form
        self.usage = usage
        self.prompts: list[Prompt] = []

    def reply_format(self) -> ReplyFormat:
        return self.form

    def complete(self, prompt: Prompt, listen: Listen | None = None) -> Completion:
        self.prompts.append(prompt)
        answer = self.answers[min(len(self.prompts), len(self.answers)) - 1]
        if isinstance(answer, Completion):
            return answer
        text = answer(prompt) if callable(answer) else answer
        return Completion(text, "stop", self.name, self.usage)


class Killed(BaseException):
    """As if the process ended here."""
