"""What pages cite, held against the sources before it is shown: a claim whose words its source has no more answers nothing.

Only what can be looked at is judged: where a source is not there, or nothing here reads it, its claims are shown as ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from curator.checks.lint.facts.source_texts import SourceTexts, is_plain
from curator.errors import CuratorError
from curator.finding import Finding
from curator.models.question import PageReading, Passage
from curator.models.statements import Proof, ProvenStatement, RefusedStatement
from curator.wiki.pages.citation import Citation

Stands = Callable[[Citation], bool]
"""False for a citation whose words the source does not have, wherever one looks."""


def stands_in(texts: SourceTexts, *, in_jail: bool) -> Stands:
    """``in_jail``: also by sources that only the jail reads, which takes its time; else those count as standing."""

    def stands(citation: Citation) -> bool:
        if not (in_jail or is_plain(citation.path)):
            return True
        try:
            evidence = texts.evidence(citation.path)
        except CuratorError:
            return True
        if evidence.holds(citation):
            return True
        return evidence.locate(citation.quote, near=False) is not None

    return stands


def standing_readings(
    readings: Iterable[PageReading], stands: Stands
) -> tuple[tuple[PageReading, ...], tuple[Finding, ...]]:
    """The pages with what stands of them, and what is not shown; a page of which nothing stands is not shown at all."""
    kept: list[PageReading] = []
    withheld: list[Finding] = []
    for reading in readings:
        passages = [_standing(passage, stands) for passage in reading.passages]
        left = [passage for passage in passages if passage is not None]
        dead = [c for old, new in zip(reading.passages, passages, strict=True) if new is None for c in old.citations]
        withheld += [
            unproven(reading.page.path, path, "a claim is not shown") for path in dict.fromkeys(c.path for c in dead)
        ]
        if dead:
            reading = reading.only(left)
        elif left != list(reading.passages):
            reading = replace(reading, passages=tuple(left))
        kept += [reading] if left else []
    return tuple(kept), tuple(withheld)


def standing_statement(said: ProvenStatement, stands: Stands) -> ProvenStatement | RefusedStatement:
    """The statement with the proofs that stand, or that none does."""
    proofs = [(proof, _standing(proof.passage, stands)) for proof in said.proofs]
    left = tuple(Proof(proof.reading, passage) for proof, passage in proofs if passage is not None)
    if len(left) == len(said.proofs):
        return replace(said, proofs=left)
    lost = next(proof for proof, passage in proofs if passage is None)
    path, what = lost.passage.citations[0].path, f"statement {said.number} is left out"
    return RefusedStatement(unproven(lost.reading.page.path, path, what))


def _standing(passage: Passage, stands: Stands) -> Passage | None:
    """The passage with the citations that stand; None where it has some, and none does."""
    left: Sequence[Citation] = [citation for citation in passage.citations if stands(citation)]
    if len(left) == len(passage.citations):
        return passage
    return replace(passage, citations=tuple(left)) if left else None


def unproven(page: str, source: str, what: str) -> Finding:
    """``citation_unproven``: what an answer goes without, and why."""
    hint = f"take it in anew: curate ingest {source}"
    return Finding("citation_unproven", page, f"{what}: {source} does not have the words that it cites", hint=hint)
