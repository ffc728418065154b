"""What of a claim may stand: judged block by block as the wall will see it, and where it is refused, part by part.

Of a table the sound rows may stand without the others; of a passage the sentences that are proven by themselves, but none
that leans on a sentence which does not stand. The rest goes back to the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from curator.checks.rules import proofs
from curator.finding import Finding
from curator.ingest.drafting.claims.found_quotes import FoundQuotes
from curator.ingest.drafting.claims.placeholders import as_words
from curator.system.text import shortened
from curator.wiki.english.pointing import POINTS_BACK
from curator.wiki.english.words import phrase
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import Citation
from curator.wiki.passages.of_source import sentence_borders
from curator.wiki.support.judge import Judge, Judgement
from curator.wiki.support.written import WrittenClaim, in_one, judged, unsound_row, written_claims


@dataclass(frozen=True)
class ProvenText:
    """What of a claim may stand; no text: nothing of it."""

    text: str
    citations: list[Citation]
    against: Finding | None


@dataclass(frozen=True)
class ClaimPage:
    """What the page of a claim lends to it."""

    names: Sequence[str]
    held: Mapping[str, Citation]
    """The citations of this source that it has."""
    lent: Sequence[str] = ()
    """What the passage said that is replaced."""
    in_english: bool = False
    under: tuple[str, ...] = ()
    """The heading above it."""


def proven(text: str, found: FoundQuotes, judge: Judge, page: ClaimPage) -> ProvenText:
    """What of ``text`` may stand on ``page``. A quote that is not in the source does no harm where the others carry it."""
    if not found.citations:
        return ProvenText("", [], found.lost[0])
    claims, verdicts, findings = _judged(text, found.citations, judge, page)
    is_judged = any(verdict is not None and not verdict.abstained for verdict in verdicts)
    if not findings and (is_judged or not found.lost):
        return ProvenText(text, found.citations, None)
    against = in_one([*found.lost, *findings])
    if any(claim.block.kind != "row" for claim in claims):
        return _sentences(text, found, judge, page, against) if len(claims) == 1 else ProvenText("", [], against)
    if row := unsound_row(claims, verdicts):
        against = replace(against, message=f"in the row {row!r}: {against.message}")
    sound = [claim.block for claim, verdict in zip(claims, verdicts, strict=True) if verdict and verdict.supported]
    if not sound:
        return ProvenText("", [], against)
    cited = _cited(text, found.citations, judge)
    unsound = {cited.count("\n", 0, claim.block.start) for claim in claims if claim.block not in sound}
    rows = [line for number, line in enumerate(text.split("\n")) if number not in unsound]
    used = {label for block in sound for label in block.citations}
    return ProvenText("\n".join(rows), [each for at, each in enumerate(found.citations) if f"?{at}" in used], against)


def _judged(
    text: str, citations: Sequence[Citation], judge: Judge, page: ClaimPage
) -> tuple[list[WrittenClaim], list[Judgement | None], list[Finding]]:
    """The blocks of ``text``, the verdict on each, and what is against them."""
    known = {**page.held, **{f"?{number}": citation for number, citation in enumerate(citations)}}
    cited = _cited(text, citations, judge)
    claims = [replace(each, under=(*page.under, *each.under)) for each in written_claims(cited, markdown.scan(cited))]
    verdicts = [judged(each, known, judge, page.names, page.lent, in_english=page.in_english) for each in claims]
    findings = [finding for verdict in verdicts if verdict is not None for finding in verdict.findings]
    if not findings and not all(
        proofs.is_earned(verdict, claim.words, page.names, page.lent)
        for claim, verdict in zip(claims, verdicts, strict=True)
        if verdict is not None
    ):
        message = "what is quoted says too little of it: quote what says the same, or leave the statement as it is"
        findings.append(Finding("proof_added", judge.evidence.path, message))
    return claims, verdicts, findings


def _cited(text: str, citations: Sequence[Citation], judge: Judge) -> str:
    labels = {f"?{number}": citation.quote for number, citation in enumerate(citations)}
    return editing.cite(as_words(text, judge.evidence.document.text), labels)


def _begins(piece: str) -> bool:
    """True for what begins as a sentence does, and may stand where the one before it does not."""
    first = piece.lstrip('*_ "“(')[:1]
    return first in "`[" or (first.isalpha() and not first.islower())


def _sentences(text: str, found: FoundQuotes, judge: Judge, page: ClaimPage, against: Finding) -> ProvenText:
    """The sentences of ``text``, one block, that are proven by themselves, with no more citations than these need."""
    bullet = editing.BULLET.match(text)
    start = bullet.end() if bullet else 0
    borders = sentence_borders(text, start)
    kept: list[str] = []
    refused: list[Finding] = []
    stands = True
    for piece in (text[one:other] for one, other in pairwise(borders) if len(borders) > 2 and not page.lent):
        faults = _judged(piece, found.citations, judge, page)[2] if stands or not POINTS_BACK.match(piece) else []
        refused += [replace(each, message=f"in {shortened(piece)}: {each.message}") for each in faults]
        stands = not faults and (stands or not POINTS_BACK.match(piece)) and (stands or _begins(piece))
        kept += [piece] if stands else []
    told = text[:start] + "".join(kept).rstrip()
    if not kept or not refused or _judged(told, found.citations, judge, page)[2]:
        return ProvenText("", [], against)
    needed, words = found.citations, phrase(told).stems
    for citation in sorted(found.citations, key=lambda each: len(words & phrase(each.quote).stems)):
        fewer = [each for each in needed if each != citation]
        needed = fewer if fewer and not _judged(told, fewer, judge, page)[2] else needed
    against = in_one([*found.lost, *refused])
    return ProvenText(told, needed, replace(against, message=f"{against.message} (its other sentences stand)"))
