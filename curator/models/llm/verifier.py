"""A second reader that is a language model: asked about some claims at a time, its verdicts parsed strictly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, StringConstraints

from curator.errors import ProposalError
from curator.models.llm import verify_prompt
from curator.models.llm.language_model import Completes, check_completion
from curator.models.llm.prompts import Prompt
from curator.models.llm.verify_prompt import Numbered
from curator.models.port import FREE, Usage, Verdicts
from curator.models.structured_reply import Strict, StructuredReply, closed_object
from curator.models.verification import AT_ONCE, SILENT, ClaimToVerify, Grade, ReaderVerdict, Verification

Form = Literal["list", "pair"]


class _SaidOfClaim(Strict):
    claim: int
    lacks: Annotated[str, StringConstraints(max_length=2000)]
    grade: Grade


class _SaidOfClaims(StructuredReply):
    quotes_itself = False

    verdicts: Annotated[tuple[_SaidOfClaim, ...], Field(max_length=AT_ONCE)]


def schema() -> dict[str, Any]:
    """The JSON Schema of a reply, in the form providers enforce: every key required, no others."""
    grade = {"type": "string", "enum": list(get_args(Grade))}
    verdict = closed_object(claim={"type": "integer"}, lacks={"type": "string"}, grade=grade)
    return closed_object(verdicts={"type": "array", "items": verdict})


class LanguageModelVerifier:
    """Implements ``Verifier`` over a provider."""

    def __init__(self, provider: Completes, form: Form) -> None:
        self._provider = provider
        self._form = form

    @property
    def name(self) -> str:
        return self._provider.name

    def verify(self, verification: Verification) -> Verdicts:
        """The verdicts in the order of the claims. Raises ModelError."""
        asking = _Asking(self._provider, verification)
        # In the order of the source: claims that share a paragraph share a request, which shows it once.
        order = sorted(range(len(verification.claims)), key=lambda at: verification.claims[at].excerpt.quoted)
        claims = [verification.claims[at] for at in order]
        ask = asking.about_pairs if self._form == "pair" else asking.about_list
        parts = [claims[start : start + AT_ONCE] for start in range(0, len(claims), AT_ONCE)]
        found = dict(zip(order, (verdict for part in parts for verdict in ask(part)), strict=True))
        return Verdicts(tuple(found[at] for at in range(len(claims))), asking.usage, asking.sandbox)


@dataclass
class _Asking:
    """The requests of one verification, and what they cost so far."""

    provider: Completes
    verification: Verification
    usage: Usage = FREE
    sandbox: str = ""

    def about_list(self, claims: Sequence[ClaimToVerify]) -> list[ReaderVerdict]:
        """Ask once; once more about those that the reply left out, or about all when it cannot be read."""
        numbered: list[Numbered] = list(enumerate(claims, start=1))
        found: dict[int, ReaderVerdict] = {}
        for again in (False, True):
            if open_claims := [each for each in numbered if each[0] not in found]:
                found |= self._verdicts(open_claims, again)
        return [found.get(number, SILENT) for number, _ in numbered]

    def about_pairs(self, claims: Sequence[ClaimToVerify]) -> list[ReaderVerdict]:
        """Ask about one claim after another; the answer begins with yes or no, and a checker's no is ``not``."""
        return [self._yes_or_no(claim) for claim in claims]

    def _verdicts(self, numbered: Sequence[Numbered], again: bool) -> dict[int, ReaderVerdict]:
        """The verdicts that can be read; none when the reply names a claim twice or one that was not asked about."""
        form = schema() if self.provider.reply_format() == "json" else None
        text = self._answer(verify_prompt.claims(self.verification, numbered, again=again, schema=form))
        asked = dict(numbered)
        try:
            said = _SaidOfClaims.parse(text).verdicts if text is not None else ()
        except ProposalError:
            return {}
        numbers = [each.claim for each in said]
        if len(set(numbers)) != len(numbers) or not asked.keys() >= set(numbers):
            return {}
        return {each.claim: ReaderVerdict(each.grade, _own_words(each.lacks, asked[each.claim].text)) for each in said}

    def _yes_or_no(self, claim: ClaimToVerify) -> ReaderVerdict:
        text = self._answer(verify_prompt.pair(self.verification, claim)) or ""
        said = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
        if said is None:
            return SILENT
        return ReaderVerdict("stated" if said[1].lower() == "yes" else "not")

    def _answer(self, prompt: Prompt) -> str | None:
        """The text of a reply; None for one that was cut off, is too long, or gives the prompt away."""
        completion = self.provider.complete(prompt)
        self.usage += completion.usage
        self.sandbox = completion.sandbox
        try:
            check_completion(completion, prompt)
        except ProposalError:
            return None
        return completion.text


def _own_words(lacks: str, claim: str) -> str:
    """``lacks`` where it consists of words of the claim; else nothing, since no text of a reader's own is passed on."""
    words = " ".join(lacks.split())
    return words if words.casefold() in " ".join(claim.split()).casefold() else ""
