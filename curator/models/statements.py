"""The reply to a question: statements, each with quotes of pages; and the check which of them the quotes prove.

Findings never repeat the words of a reply: a statement is named by its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from curator.errors import ProposalError
from curator.finding import Finding
from curator.models.proposal import MAX_REPLY_BYTES
from curator.models.question import PageReading, Passage, Question
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.evidence import Missing

MAX_STATEMENTS = 40
MAX_QUOTES = 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Quote(_Strict):
    """Words of a page."""

    page: Annotated[str, StringConstraints(max_length=96)]
    words: Annotated[str, StringConstraints(max_length=2000)]


class Statement(_Strict):
    """A paragraph, a list item (``- ...``) or a table."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    quotes: Annotated[tuple[Quote, ...], Field(max_length=MAX_QUOTES)]


class Statements(_Strict):
    """A whole reply; none where the pages do not answer."""

    statements: Annotated[tuple[Statement, ...], Field(max_length=MAX_STATEMENTS)]

    @classmethod
    def parse(cls, reply: str) -> Statements:
        """Read a reply. Raises ProposalError: ``reply_too_large``, ``reply_not_json``, ``reply_schema``."""
        if len(reply) > MAX_REPLY_BYTES:
            raise ProposalError("reply_too_large", f"the reply has more than {MAX_REPLY_BYTES:,} bytes")
        fenced = re.fullmatch(r"```(?:json)?\s*\n(.*?)\n```", reply.strip(), re.DOTALL)
        try:
            value = json.loads(fenced[1] if fenced else reply, object_pairs_hook=_no_twins)
        except (ValueError, RecursionError) as error:
            raise ProposalError("reply_not_json", "the reply is not one JSON object") from error
        try:
            return cls.model_validate_json(json.dumps(value))
        except ValidationError as error:
            raise ProposalError("reply_schema", f"the reply does not fit the schema: {_kinds(error)}") from error

    def dumps(self) -> str:
        """The JSON that ``parse`` reads."""
        return self.model_dump_json()


def schema() -> dict[str, Any]:
    """The JSON Schema of a reply, in the form providers enforce: every key required, no others."""
    quote = _object(page={"type": "string"}, words={"type": "string"})
    statement = _object(text={"type": "string"}, quotes={"type": "array", "items": quote})
    return _object(statements={"type": "array", "items": statement})


@dataclass(frozen=True)
class Proof:
    """A passage that proves a statement, and its page."""

    reading: PageReading
    passage: Passage


@dataclass(frozen=True)
class ProvenStatement:
    """A statement whose every quote was found in a page that was shown."""

    number: int
    """Its place in the reply, from 1."""
    text: str
    proofs: tuple[Proof, ...]

    @property
    def slugs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(proof.reading.slug for proof in self.proofs))

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of its passages."""
        return tuple(dict.fromkeys(citation for proof in self.proofs for citation in proof.passage.citations))


def prove_statements(said: Statements, question: Question) -> Iterator[ProvenStatement | Finding]:
    """Check each statement against the pages that were shown; yields it with its proof, or what is wrong with it.

    Codes: ``statement_unquoted``, ``page_unknown``, and those of ``evidence.Missing``.
    """
    for number, statement in enumerate(said.statements, start=1):
        proofs = _proofs(statement, question, f"statement {number}")
        yield proofs if isinstance(proofs, Finding) else ProvenStatement(number, statement.text.strip(), proofs)


def _proofs(statement: Statement, question: Question, name: str) -> tuple[Proof, ...] | Finding:
    if not statement.quotes:
        return Finding("statement_unquoted", "reply", f"{name} quotes no page")
    found: dict[Proof, None] = {}
    for quote in statement.quotes:
        reading = question.reading(quote.page)
        if reading is None:
            return Finding("page_unknown", "reply", f"{name} quotes a page that was not shown")
        passages = reading.find(quote.words)
        if isinstance(passages, Missing):
            return Finding(passages.code, reading.page.path, f"{name}: {_WHY[passages.code]}")
        found.update((Proof(reading, passage), None) for passage in passages)
    return tuple(found)


_WHY = {
    "quote_missing": "words that it quotes are not on the page",
    "quote_too_short": "it quotes fewer than three words of the page, which proves nothing",
    "quote_too_long": "it quotes more than 600 characters in one piece",
}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _kinds(error: ValidationError) -> str:
    """pydantic's own names of what is wrong; never the keys or values that were sent."""
    return ", ".join(sorted({problem["type"] for problem in error.errors(include_url=False, include_input=False)}))
