"""The reply to a question: statements, each with quotes of pages; and the check which of them the quotes prove.

Findings never repeat the words of a reply: a statement is named by its number. Those that do not hold go back once, by
their numbers, and what is said in their place is put there; all else of the reply stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from curator.errors import ProposalError
from curator.finding import Finding
from curator.models.proposal import MAX_QUOTES
from curator.models.question import Question
from curator.models.structured_reply import Strict, StructuredReply, closed_object
from curator.wiki.pages.citation import Citation
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.sources.evidence import Missing

MAX_STATEMENTS = 40


class Quote(Strict):
    """Words of a page, or of a source."""

    page: Annotated[str, StringConstraints(max_length=1024)]
    """A page's slug, a source's path."""
    words: Annotated[str, StringConstraints(max_length=2000)]


class Statement(Strict):
    """A paragraph, a list item (``- ...``) or a table."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=4000)]
    quotes: Annotated[tuple[Quote, ...], Field(max_length=MAX_QUOTES)]


class Statements(StructuredReply):
    """A whole reply; none where the pages do not answer."""

    quotes_itself = False

    statements: Annotated[tuple[Statement, ...], Field(max_length=MAX_STATEMENTS)]
    look_for: Annotated[tuple[Annotated[str, StringConstraints(max_length=400)], ...], Field(max_length=20)] = ()
    """What is missing, in the words of a text that may have it; empty where nothing is."""


class MendedStatement(Statement):
    """What is said in the place of a statement."""

    number: int


class MendedStatements(StructuredReply):
    """A reply to faults; a statement that it does not name stays as it is."""

    quotes_itself = False

    statements: Annotated[tuple[MendedStatement, ...], Field(max_length=MAX_STATEMENTS)]

    def merged(self, said: Statements, asked: Collection[int]) -> Statements:
        """``said`` with what is mended. Raises ProposalError for a number that was not asked for, or stands twice."""
        mended = {each.number: Statement(text=each.text, quotes=each.quotes) for each in self.statements}
        if len(mended) < len(self.statements) or not mended.keys() <= set(asked):
            raise ProposalError("reply_schema", "the repair mends a statement that was not asked for just once")
        numbered = enumerate(said.statements, start=1)
        return Statements(statements=tuple(mended.get(number, statement) for number, statement in numbered))


def schema(*, mends: bool = False) -> dict[str, Any]:
    """The JSON Schema of a reply, in the form providers enforce: every key required, no others.

    ``mends``: of one to faults.
    """
    quote = closed_object(page={"type": "string"}, words={"type": "string"})
    number = {"number": {"type": "integer"}} if mends else {}
    statement = closed_object(**number, text={"type": "string"}, quotes={"type": "array", "items": quote})
    wanted = {} if mends else {"look_for": {"type": "array", "items": {"type": "string"}}}
    return closed_object(statements={"type": "array", "items": statement}, **wanted)


def asked_for(faults: Sequence[Finding]) -> tuple[int, ...]:
    """The numbers of the statements that ``faults`` are about; none where one is about the whole reply."""
    if not all(fault.places for fault in faults):
        return ()
    return tuple(sorted({int(place) for fault in faults for place in fault.places}))


@dataclass(frozen=True)
class Proof:
    """A passage that proves a statement, and its document."""

    reading: Reading
    passage: Passage
    words: str = ""
    """What is quoted of it."""


@dataclass(frozen=True)
class RefusedStatement:
    """A statement that is not told."""

    finding: Finding
    """For people, without a word of the reply."""
    why: str = ""
    """For its author, who knows these words; empty: what the finding says."""

    @property
    def for_author(self) -> Finding:
        return replace(self.finding, message=self.why or self.finding.message)


def refused(number: int, code: str, message: str, path: str = "reply", why: str = "") -> RefusedStatement:
    """``message`` follows the number of the statement."""
    return RefusedStatement(Finding(code, path, f"statement {number}{message}", places=(str(number),)), why)


@dataclass(frozen=True)
class ProvenStatement:
    """A statement whose every quote was found in a passage that was shown."""

    number: int
    """Its place in the reply, from 1."""
    text: str
    proofs: tuple[Proof, ...]

    @property
    def slugs(self) -> tuple[str, ...]:
        """The pages it rests on, or that cite the words of a source that it rests on; none where no page does."""
        found = ((each.passage.pages if each.reading.is_source else (each.reading.name,)) for each in self.proofs)
        return tuple(dict.fromkeys(slug for slugs in found for slug in slugs))

    @property
    def unknown_sources(self) -> tuple[str, ...]:
        """The sources of which it says what no page cites: what is not in the wiki yet."""
        found = (each for each in self.proofs if each.reading.is_source and not each.passage.pages)
        return tuple(dict.fromkeys(proof.reading.path for proof in found))

    @property
    def standing(self) -> str:
        """Why none of the documents that it rests on holds as a whole; empty where one does."""
        found = [each.passage.standing for each in self.proofs]
        return "; ".join(dict.fromkeys(found)) if all(found) else ""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of its passages."""
        return tuple(dict.fromkeys(citation for proof in self.proofs for citation in proof.passage.citations))


def prove_statement(number: int, statement: Statement, question: Question) -> ProvenStatement | RefusedStatement:
    """Check a statement against the pages that were shown: it with its proof, or what is wrong with it.

    Codes: ``statement_unquoted``, ``page_unknown``, and those of ``evidence.Missing``.
    """
    proofs = _proofs(statement, question, number)
    return ProvenStatement(number, statement.text.strip(), proofs) if isinstance(proofs, tuple) else proofs


def _proofs(statement: Statement, question: Question, number: int) -> tuple[Proof, ...] | RefusedStatement:
    if not statement.quotes:
        return refused(number, "statement_unquoted", " quotes no page")
    found: dict[Proof, None] = {}
    for quote in statement.quotes:
        quoted = question.quoted(quote.page, quote.words)
        if quoted is None:
            return refused(
                number, "page_unknown", " quotes a page or source that was not shown", why=f"no page {quote.page!r}"
            )
        if isinstance(quoted, Missing):
            reading = question.reading(quote.page)
            why = f"{quoted.message}: {quoted.quote!r}"
            return refused(
                number, quoted.code, f": {_WHY[quoted.code]}", reading.path if reading is not None else "reply", why
            )
        reading, passages = quoted
        found.update((Proof(reading, passage, quote.words if reading.is_source else ""), None) for passage in passages)
    return tuple(found)


_WHY = {
    "quote_missing": "words that it quotes are not there",
    "quote_too_short": "it quotes fewer than three words, which proves nothing",
    "quote_too_long": "it quotes more than 600 characters in one piece",
}
