"""The reply to a question: statements, each with quotes of pages; and the check which of them the quotes prove.

Findings never repeat the words of a reply: a statement is named by its number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from curator.finding import Finding
from curator.models.proposal import MAX_QUOTES
from curator.models.question import PageReading, Passage, Question
from curator.models.structured_reply import Strict, StructuredReply, closed_object
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.evidence import Missing

MAX_STATEMENTS = 40


class Quote(Strict):
    """Words of a page."""

    page: Annotated[str, StringConstraints(max_length=96)]
    words: Annotated[str, StringConstraints(max_length=2000)]


class Statement(Strict):
    """A paragraph, a list item (``- ...``) or a table."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    quotes: Annotated[tuple[Quote, ...], Field(max_length=MAX_QUOTES)]


class Statements(StructuredReply):
    """A whole reply; none where the pages do not answer."""

    quotes_itself = False

    statements: Annotated[tuple[Statement, ...], Field(max_length=MAX_STATEMENTS)]


def schema() -> dict[str, Any]:
    """The JSON Schema of a reply, in the form providers enforce: every key required, no others."""
    quote = closed_object(page={"type": "string"}, words={"type": "string"})
    statement = closed_object(text={"type": "string"}, quotes={"type": "array", "items": quote})
    return closed_object(statements={"type": "array", "items": statement})


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
