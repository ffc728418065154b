"""Which words of the source a claim quotes, as far as they are there."""

from __future__ import annotations

from dataclasses import dataclass

from curator.finding import Finding
from curator.models.proposal import Claim
from curator.system.text import shortened
from curator.wiki.pages.citation import Citation
from curator.wiki.sources.evidence import Evidence, Missing


@dataclass(frozen=True)
class FoundQuotes:
    """What became of a claim's quotes."""

    citations: list[Citation]
    lost: list[Finding]
    """Why the others prove nothing: ``claim_uncited`` where there are none, and the codes of ``evidence.Missing``."""


def find_quotes(claim: Claim, evidence: Evidence) -> FoundQuotes:
    """The citations of ``claim``; whether they bear it out is for the judge."""
    citations: list[Citation] = []
    lost: list[Finding] = []
    for quote in claim.quotes:
        found = evidence.find(quote, claim.text)
        if isinstance(found, Missing):
            if found.code == "quote_too_short" and len(claim.quotes) > 1 and evidence.has_line(quote):
                continue  # a line by itself, as a heading is: it is read with what stands below it
            lost.append(Finding(found.code, evidence.path, f"{found.message}: {shortened(quote)}"))
        else:
            citations += found
    if not claim.quotes:
        lost.append(Finding("claim_uncited", evidence.path, "no quote is given"))
    return FoundQuotes(list(dict.fromkeys(citations)), lost)
