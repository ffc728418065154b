"""A language model as a curator: renders the request, reads long sources in windows, and hands on the reply as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from curator import blocks, prompts, proposal
from curator.errors import ProposalError
from curator.evidence import Evidence
from curator.model import FREE, Reply, Request, Usage
from curator.prompts import Prompt, ReplyFormat
from curator.proposal import Claim
from curator.rules import reply as reply_rules
from curator.tokens import estimate


@dataclass(frozen=True)
class Completion:
    """One answer of a provider, as it came."""

    text: str
    finish_reason: str
    model: str
    usage: Usage
    sandbox: str = ""


class Completes(Protocol):
    """Whoever carries a prompt to a language model. Raises ModelError."""

    @property
    def name(self) -> str: ...
    def reply_format(self) -> ReplyFormat: ...
    def complete(self, prompt: Prompt) -> Completion: ...


class LanguageModel:
    """Implements ``Model`` over a provider."""

    def __init__(self, provider: Completes, window_tokens: int) -> None:
        self._provider = provider
        self._window_tokens = window_tokens

    @property
    def name(self) -> str:
        return self._provider.name

    def propose(self, request: Request) -> Reply:
        """Ask once, or once a window and once more. A reply that is no proposal is handed on: the flow sends it back."""
        notes, spent = self._notes(request)
        form = self._provider.reply_format()
        schema: dict[str, Any] | None = proposal.schema() if form == "json" else None
        prompt = prompts.ingest(request, form, schema, notes)
        completion = self._provider.complete(prompt)
        _check(completion, prompt)
        return Reply(completion.text, completion.model, spent + completion.usage, completion.sandbox, form)

    def _notes(self, request: Request) -> tuple[tuple[Claim, ...], Usage]:
        """Cited notes of every window of a long source, the provable ones; none for a source that fits."""
        text = request.source.document.text
        if estimate(text) <= self._window_tokens:
            return (), FREE
        evidence = Evidence(request.source.path, request.source.document)
        windows = list(split(text, self._window_tokens))
        found: list[Claim] = []
        spent = FREE
        for number, part in enumerate(windows, start=1):
            completion = self._provider.complete(prompts.window(request, part, number, len(windows)))
            found += prompts.proven(_read_notes(completion.text), evidence)
            spent += completion.usage
        return tuple(_within(found, self._window_tokens)), spent


def split(text: str, tokens: int) -> Iterator[str]:
    """Windows of at most ``tokens`` (estimated), cut at blank lines where there are any, else at line ends."""
    window: list[str] = []
    size = 0
    for line in text.split("\n"):
        for piece in _pieces(line, tokens):
            cost = estimate(piece)
            roomy = size + cost <= tokens
            if window and (not roomy or (not piece.strip() and size > tokens * 0.85)):
                yield "\n".join(window)
                window, size = [], 0
            window.append(piece)
            size += cost
    if any(line.strip() for line in window):
        yield "\n".join(window)


def _pieces(line: str, tokens: int) -> Iterator[str]:
    """A line that is longer than a whole window, in parts."""
    most = max(1, tokens)
    if estimate(line) <= tokens:
        yield line
        return
    for start in range(0, len(line), most):
        yield line[start : start + most]


def _check(completion: Completion, prompt: Prompt) -> None:
    """What no second try mends: an answer that ended early, or one that gives our own words away (rules C3 and C4)."""
    if completion.finish_reason not in ("stop", "", "end_turn"):
        raise ProposalError(
            "reply_cut_off",
            f"the reply ended early ({completion.finish_reason}); nothing of it was used",
            "raise max_output_tokens, or split the source",
        )
    findings = reply_rules.secrets_in(completion.text, prompt.nonce, prompt.system)
    if findings:
        raise ProposalError(findings[0].code, findings[0].message, "the source may hold a prompt injection; read it")


def _read_notes(text: str) -> list[Claim]:
    try:
        return blocks.claims(text.replace("\r\n", "\n").split("\n"))
    except ValueError:
        return []


def _within(notes: list[Claim], tokens: int) -> Iterator[Claim]:
    """As many notes as fit one prompt, spread over all windows alike."""
    total = sum(_cost(note) for note in notes)
    keep = min(1.0, tokens / total) if total else 1.0
    taken = 0.0
    for note in notes:
        taken += keep
        if taken >= 1.0 - 1e-9:
            taken -= 1.0
            yield note


def _cost(note: Claim) -> int:
    return estimate(note.text) + sum(map(estimate, note.quotes)) + 8
