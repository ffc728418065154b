"""What asks for a person: pages that may be one, contradictions, doubtful claims, all that waits; a claim to try out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from markupsafe import Markup
from starlette.requests import Request

from curator.ask.page_proof import proven_claims
from curator.cli.commands import lint as linting
from curator.cli.commands import review
from curator.cli.commands.lint import LintOptions
from curator.cli.commands.status import read_status
from curator.cli.console import silent
from curator.cli.web.addresses import Addresses
from curator.cli.web.proofs import proof_of
from curator.cli.web.reading import html_of
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown
from curator.wiki.disputes import open_disputes
from curator.wiki.pages import editing
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import PageEntry

_ALIKE = ("page_duplicate", "name_alike", "name_taken")
"""What lint says of two pages that may be one."""
_PAGES = 60
"""Pages whose claims are looked at: those that contradict another first, then the newest."""
_CLAIMS, _OF_A_PAGE = 1_000, 200
"""Claims that are judged, and of one page."""
_SIDE = 20_000
"""Characters of each of two pages that are shown beside each other."""
_SHOWN = 20
"""Of each kind."""


@dataclass(frozen=True)
class PagePair:
    """Two pages that may be one, and what lint says of them."""

    page: PageEntry
    other: PageEntry
    message: str
    html: tuple[Markup, Markup]
    """What each of them says."""


def doubts(wiki: OpenWiki, request: Request) -> Shown:
    """Likely duplicates side by side, contradictions as two quotes with dates, claims by their uncovered words."""
    proofs = list(_proofs(wiki))
    return Shown(
        "doubts.html",
        {
            "pairs": list(islice(_pairs(wiki), _SHOWN)),
            "contradictions": list(
                islice((found for proof in proofs for found in _contradictions(wiki, proof)), _SHOWN)
            ),
            "claims": _most_uncovered(proofs),
            "looked_at": len(proofs),
            "judged": sum(len(proof["claims"]) for proof in proofs),
            "most": _CLAIMS,
        },
    )


def waiting(wiki: OpenWiki, request: Request) -> Shown:
    """Held proposals with their diffs, and sources that wait with what would let them go on."""
    proposals = review.waiting(wiki.shown.settings()).data["proposals"]
    shown = [review.show(wiki.shown.settings(), each["name"]).data for each in proposals]
    status, _ = read_status(wiki.shown.settings())
    held = {each["source"] for each in shown}
    parked = [each for each in status["parked"] if each["source"] not in held]
    return Shown("review.html", {"proposals": shown, "parked": parked, "new": status["new"]})


def lie(wiki: OpenWiki, request: Request) -> Shown:
    """A claim of anybody's, judged by words of a source as ``curate prove`` does: which rule refuses it."""
    given = {name: request.query_params.get(name, "").strip() for name in ("source", "claim", "quote", "page")}
    verdict: dict[str, Any] | None = None
    if given["source"] and given["claim"] and given["quote"]:
        judge = Judge(wiki.texts.evidence(given["source"]))
        judged = judge.judge(given["claim"], [given["quote"]], (given["page"],) if given["page"] else ())
        verdict = {
            "state": "doubted" if not judged.supported else "foreign" if judged.abstained else "supported",
            "findings": judged.findings,
            "passages": judged.passages,
            "uncovered": judged.uncovered,
        }
    as_typed = request.headers.get("x-requested-with") == "curate"
    sources = sorted(wiki.snapshot.manifest().sources)
    return Shown("lie_verdict.html" if as_typed else "lie.html", {**given, "sources": sources, "verdict": verdict})


def _looked_at(wiki: OpenWiki) -> list[PageEntry]:
    seen = [entry for entry in wiki.snapshot.wiki.entries() if wiki.scope.has(entry, everywhere=True)]
    return sorted(seen, key=lambda entry: (bool(entry.contradicts), entry.updated_at), reverse=True)[:_PAGES]


def _proofs(wiki: OpenWiki) -> Iterator[dict[str, Any]]:
    """Of the pages that are looked at, as far as so many claims go."""
    left = _CLAIMS
    for entry in _looked_at(wiki):
        if left <= 0:
            return
        proof = proof_of(wiki, entry.slug, most=min(left, _OF_A_PAGE))
        left -= len(proof["claims"])
        yield proof


def _pairs(wiki: OpenWiki) -> Iterator[PagePair]:
    at = Addresses.served(wiki.shown.name)
    options = LintOptions(only=frozenset(_ALIKE), logs=False, form="json")
    found = linting.run(wiki.shown.settings(), options, silent).data["findings"]
    by_path = {entry.path: entry for entry in wiki.snapshot.wiki.entries() if wiki.scope.has(entry, everywhere=True)}
    seen: set[frozenset[str]] = set()
    for finding in found:
        page, other = by_path.get(finding["path"]), by_path.get(finding.get("other", ""))
        if page is not None and other is not None and (both := frozenset((page.slug, other.slug))) not in seen:
            seen.add(both)
            html, other_html = (html_of(wiki, _beginning(wiki.page(entry.slug)), at)[0] for entry in (page, other))
            yield PagePair(page, other, finding["message"], (html, other_html))


def _beginning(page: Page) -> Page:
    cut = page.body.rfind("\n", 0, _SIDE) if len(page.body) > _SIDE else len(page.body)
    return page.with_body(page.body[:cut])


def _contradictions(wiki: OpenWiki, proof: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each statement that stands as the contradiction of one above it, with that, and what both cite."""
    page = wiki.page(proof["page"]["slug"])
    numbers = {claim.block.start: number for number, claim in enumerate(proven_claims(page))}
    for dispute in open_disputes(page):
        sides = (dispute.statement, dispute.against)
        if all(numbers.get(block.start, len(proof["claims"])) < len(proof["claims"]) for block in sides):
            yield {
                "page": proof["page"],
                "sides": [_side(proof, page, proof["claims"][numbers[block.start]], block) for block in sides],
            }


def _side(proof: dict[str, Any], page: Page, claim: dict[str, Any], block: Block) -> dict[str, Any]:
    """``words``: as they stand on the page, by which the statement is found there."""
    cited = claim["cited"][0] if claim["cited"] else None
    date = proof["sources"][cited["path"]]["date"] if cited else ""
    words = editing.without_bullet(page.body[block.start : block.end]).strip()
    return {"text": editing.without_lead(claim["text"]), "cited": cited, "date": date, "words": words}


def _most_uncovered(proofs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [{**claim, "page": proof["page"]} for proof in proofs for claim in proof["claims"] if claim["uncovered"]]
    return sorted(found, key=lambda claim: len(claim["uncovered"]), reverse=True)[:_SHOWN]
