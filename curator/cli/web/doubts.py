"""What of the pages asks for a person's eye: pages that may be one, what contradicts what, claims with most uncovered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from markupsafe import Markup
from starlette.requests import Request

from curator.ask.page_proof import proven_claims
from curator.cli.commands import lint as linting
from curator.cli.commands.lint import LintOptions
from curator.cli.web.addresses import Addresses
from curator.cli.web.proofs import proof_of
from curator.cli.web.reading import html_of
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown
from curator.wiki.pages import editing
from curator.wiki.wiki import PageEntry

_ALIKE = ("page_duplicate", "name_alike", "name_taken")
"""What lint says of two pages that may be one."""
_PAGES = 60
"""Pages whose claims are looked at: those that contradict another first, then the newest."""
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
    proofs = [proof_of(wiki, entry.slug) for entry in _looked_at(wiki)]
    return Shown(
        "doubts.html",
        {
            "pairs": list(islice(_pairs(wiki), _SHOWN)),
            "contradictions": list(
                islice((found for proof in proofs for found in _contradictions(wiki, proof)), _SHOWN)
            ),
            "claims": _most_uncovered(proofs),
            "looked_at": len(proofs),
        },
    )


def _looked_at(wiki: OpenWiki) -> list[PageEntry]:
    seen = [entry for entry in wiki.snapshot.wiki.entries() if wiki.scope.has(entry, everywhere=True)]
    return sorted(seen, key=lambda entry: (bool(entry.contradicts), entry.updated_at), reverse=True)[:_PAGES]


def _pairs(wiki: OpenWiki) -> Iterator[PagePair]:
    at = Addresses.served(wiki.shown.name)
    options = LintOptions(only=frozenset(_ALIKE), logs=False, form="json")
    found = linting.run(wiki.shown.settings(), options, lambda _: None).data["findings"]
    by_path = {entry.path: entry for entry in wiki.snapshot.wiki.entries() if wiki.scope.has(entry, everywhere=True)}
    seen: set[frozenset[str]] = set()
    for finding in found:
        page = by_path.get(finding["path"])
        if page is None:
            continue
        named = (by_path.get(path.strip("'\",.()")) for path in finding["message"].split())
        other = next((entry for entry in named if entry is not None and entry != page), None)
        if other is not None and (both := frozenset((page.slug, other.slug))) not in seen:
            seen.add(both)
            html, other_html = (html_of(wiki, wiki.page(entry.slug), at)[0] for entry in (page, other))
            yield PagePair(page, other, finding["message"], (html, other_html))


def _contradictions(wiki: OpenWiki, proof: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each claim that stands as the contradiction of the claim before it, with that, and what both cite."""
    page = wiki.page(proof["page"]["slug"])
    written = (page.body[claim.block.start : claim.block.end] for claim in proven_claims(page))
    leads = [editing.lead_of(editing.without_bullet(text)) for text in written]
    for (one, other), lead in zip(pairwise(proof["claims"]), leads[1:], strict=False):
        if lead == editing.CONTRADICTED:
            yield {"page": proof["page"], "sides": [_side(proof, one), _side(proof, other)]}


def _side(proof: dict[str, Any], claim: dict[str, Any]) -> dict[str, Any]:
    cited = claim["cited"][0] if claim["cited"] else None
    return {"text": claim["text"], "cited": cited, "date": proof["sources"][cited["path"]]["date"] if cited else ""}


def _most_uncovered(proofs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [{**claim, "page": proof["page"]} for proof in proofs for claim in proof["claims"] if claim["uncovered"]]
    return sorted(found, key=lambda claim: len(claim["uncovered"]), reverse=True)[:_SHOWN]
