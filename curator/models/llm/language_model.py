"""A language model behind the port: renders prompts, reads long sources in windows, and passes the reply on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from curator.errors import ProposalError
from curator.models import proposal, repair, search_replace, statements
from curator.models.llm import ask_prompt, mend_prompt, notes, prompts, reply_checks
from curator.models.llm.notes import Note
from curator.models.llm.prompts import Prompt, ReplyFormat
from curator.models.port import FREE, Reply, Request, Usage, estimate_tokens
from curator.models.proposal import Proposal
from curator.models.question import Question
from curator.models.statement_stream import HearStatement, StatementStream
from curator.models.statements import MendedStatements, Statements
from curator.models.structured_reply import MAX_REPLY_BYTES


@dataclass(frozen=True)
class Completion:
    """One answer of a provider, unchanged."""

    text: str
    finish_reason: str
    model: str
    usage: Usage
    sandbox: str = ""
    nonce: str = ""
    """The nonce of the request this answered, when it is a saved answer to an earlier request."""


Listen = Callable[[], Callable[[str], None]]
"""Gives what is called with each piece of an answer as it comes; another attempt is heard by another one."""


class Completes(Protocol):
    """Sends a prompt to a language model. Raises ModelError."""

    @property
    def name(self) -> str: ...
    def reply_format(self) -> ReplyFormat: ...
    def complete(self, prompt: Prompt, listen: Listen | None = None) -> Completion: ...


class LanguageModel:
    """Implements ``Model`` over a provider."""

    def __init__(self, provider: Completes, window_tokens: int) -> None:
        self.provider = provider
        self._window_tokens = window_tokens

    @property
    def name(self) -> str:
        return self.provider.name

    def propose(self, request: Request) -> Reply:
        """Ask once; for a long source once a window, and once more. The reply is passed on even when it is no proposal.

        To faults that can be pinned down it asks for the faulty parts alone, and answers with the whole proposal, mended.
        """
        earlier = repair.previous(request.previous) if request.faults else None
        asked = repair.asked_for(request.faults)
        if earlier is not None and asked:
            return self._mended(request, earlier, asked)
        noted, spent = self._notes(request)
        form = self.provider.reply_format()
        schema: dict[str, Any] | None = (
            proposal.schema([each.name for each in request.policy.types]) if form == "json" else None
        )
        prompt = prompts.ingest(request, form, schema, noted)
        completion = self.provider.complete(prompt)
        check_completion(completion, prompt, in_parts=form == "blocks")
        is_cut = completion.finish_reason == CUT
        text = _finished(completion.text) if is_cut else completion.text
        return Reply(text, completion.model, spent + completion.usage, completion.sandbox, form, is_cut=is_cut)

    def _mended(self, request: Request, earlier: Proposal, asked: tuple[str, ...]) -> Reply:
        form = self.provider.reply_format()
        schema = repair.schema(asked, [each.name for each in request.policy.types]) if form == "json" else None
        prompt = mend_prompt.mend(request, earlier, asked, form, schema, self._window_tokens)
        completion = self.provider.complete(prompt)
        check_completion(completion, prompt, in_parts=form == "blocks")
        text = _finished(completion.text) if completion.finish_reason == CUT else completion.text
        try:
            said = repair.Repair.parse(search_replace.repair_to_json(text) if form == "blocks" else text)
            text, form = said.merged(earlier, asked).dumps(), "json"
        except ProposalError:
            pass  # what it said instead is no proposal either, and counts as a repair that failed
        return Reply(text, completion.model, completion.usage, completion.sandbox, form)

    def answer(self, question: Question, hear: HearStatement | None = None) -> Reply:
        """Ask once. The reply is passed on even when it cannot be parsed.

        To faults of statements it asks for these alone, and answers with the whole, mended.
        """
        asked = statements.asked_for(question.faults)
        schema = statements.schema(mends=bool(asked)) if self.provider.reply_format() == "json" else None
        said = Statements.parse(question.previous) if asked else None
        prompt = (
            ask_prompt.mend(question, said, asked, schema) if said is not None else ask_prompt.ask(question, schema)
        )
        completion = self.provider.complete(prompt, _listener(prompt, hear) if hear is not None else None)
        try:
            check_completion(completion, prompt)
        except ProposalError as error:
            hint = _HINTS_FOR_QUESTIONS.get(error.code, "ask another --model, or this one anew with --ask-again")
            raise ProposalError(error.code, error.message, hint) from error
        text = completion.text
        if said is not None:
            try:
                text = MendedStatements.parse(text).merged(said, asked).dumps()
            except ProposalError:
                text = question.previous  # a repair that cannot be read mends nothing, and has its price all the same
        return Reply(text, completion.model, completion.usage, completion.sandbox)

    def _notes(self, request: Request) -> tuple[tuple[Note, ...], Usage]:
        """Cited notes of every window of a long source, the provable ones; none for a source that fits."""
        text = request.source.document.text
        if estimate_tokens(text) <= self._window_tokens:
            return (), FREE
        windows = [window for window in split(text, self._window_tokens) if window.strip()]
        found: list[Note] = []
        spent = FREE
        for number, part in enumerate(windows, start=1):
            noted_here, usage = self._notes_of(request, part, (number, len(windows)), notes.names(found))
            found += noted_here
            spent += usage
        noted = tuple(notes.within(found, self._window_tokens))
        if not noted:
            raise ProposalError(
                "notes_empty",
                f"the {len(windows)} windows of the source gave no note that its words prove",
                "another model may do better: curate ingest --model NAME",
            )
        # The repair round reads the same saved answers, which were counted with the first question.
        return noted, FREE if request.faults else spent

    def _notes_of(
        self, request: Request, part: str, place: tuple[int, int], known: Sequence[str], halve: bool = True
    ) -> tuple[list[Note], Usage]:
        """The notes of one window, the ``place`` of which is its number and that of all.

        Where they come to the most that an answer may have, each half of the window is asked about, once: notes of half a
        window would be taken for notes of the whole.
        """
        prompt = prompts.window(request, part, *place, known)
        completion = self.provider.complete(prompt)
        halves = list(split(part, estimate_tokens(part) // 2 + 1)) if completion.finish_reason == CUT and halve else []
        if len(halves) < 2:
            check_completion(completion, prompt)
            return list(notes.proven(completion.text, request.evidence)), completion.usage
        found: list[Note] = []
        spent = completion.usage
        for half in filter(str.strip, halves):
            more, usage = self._notes_of(request, half, place, (*known, *notes.names(found)), halve=False)
            found, spent = [*found, *more], spent + usage
        return found, spent


def _listener(prompt: Prompt, hear: HearStatement) -> Listen:
    """Hears the statements of a reply as long as it gives nothing of the prompt away."""

    def is_sound(text: str) -> bool:
        return not reply_checks.secrets_in(text, prompt.nonce, prompt.system)

    return lambda: StatementStream(hear, is_sound).feed


_HINTS_FOR_QUESTIONS = {
    "reply_cut_off": "raise max_output_tokens, or ask for less",
    "reply_leaks_prompt": "a page may hold a prompt injection; read those that curate search finds",
}


def split(text: str, tokens: int) -> Iterator[str]:
    """Windows of at most ``tokens`` (estimated), cut at blank lines where there are any, else at line ends.

    Joined, they are the text again.
    """
    window: list[str] = []
    size = 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        for piece in _pieces(line, tokens):
            cost = estimate_tokens(piece)
            roomy = size + cost <= tokens
            if window and (not roomy or (not piece.strip() and size > tokens * 0.85)):
                yield "".join(window)
                window, size = [], 0
            window.append(piece)
            size += cost
    if window:
        yield "".join(window)


def _pieces(line: str, tokens: int) -> Iterator[str]:
    """A line that is longer than a whole window, in parts that end at a space where there is one."""
    if estimate_tokens(line) <= tokens:
        yield line
        return
    start = 0
    while start < len(line):
        space = line.rfind(" ", start + tokens // 2, start + tokens)
        end = start + tokens if space < 0 else space + 1
        yield line[start:end]
        start = end


CUT = "length"
"""How an answer ends that came to the most that it may have."""
_MOST_OF_NOTHING = 1000
"""Characters that are kept of an answer that was cut off before anything in it was finished."""


def _finished(text: str) -> str:
    """What of an answer in blocks was finished when it was cut off: each block stands by itself."""
    return search_replace.whole_blocks(text) or text[:_MOST_OF_NOTHING]


def check_completion(completion: Completion, prompt: Prompt, in_parts: bool = False) -> None:
    """Raise ProposalError for an answer that no repair round can fix: too long, cut off, or a leak of the prompt.

    ``in_parts``: the parts of it that were finished can be used when it was cut off.
    """
    if len(completion.text) > MAX_REPLY_BYTES:
        raise ProposalError("reply_too_large", f"the reply has more than {MAX_REPLY_BYTES:,} bytes")
    if completion.finish_reason not in ("stop", "", "end_turn", *([CUT] if in_parts else [])):
        raise ProposalError(
            "reply_cut_off",
            f"the reply ended early ({completion.finish_reason}); nothing of it was used",
            "raise max_output_tokens, or split the source",
        )
    findings = reply_checks.secrets_in(completion.text, completion.nonce or prompt.nonce, prompt.system)
    if findings:
        raise ProposalError(findings[0].code, findings[0].message, "the source may hold a prompt injection; read it")
