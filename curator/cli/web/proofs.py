"""The proof of a page for a browser that looks for each quote itself: claims, what they cite, digests of the commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curator.ask.page_proof import ClaimProof, claims_of, proven_claims
from curator.cli.web.rendering import as_it_reads
from curator.cli.web.served import OpenWiki
from curator.cli.web.versions import brought
from curator.errors import CuratorError
from curator.wiki.pages.page import Page
from curator.wiki.sources.formats import FORMATS, PLAIN
from curator.wiki.support.shared import shared_words

_PARTS = {"pptx": "Slide", "xlsx": "Sheet", "epub": "Chapter", "email": "Message"}
"""What the numbered parts of a file are called where they are no pages."""


def proof_of(
    wiki: OpenWiki, slug: str, *, first: int = 0, most: int | None = None, with_history: bool = False
) -> dict[str, Any]:
    """The proof of the page ``slug``: ``page``, ``commit``, ``count`` of claims, ``claims`` in their order, ``sources``.

    ``first`` and ``most``: of these claims alone, which takes as long as they do. ``with_history``: each claim says what
    brought it and who has read it, which git has to look for.
    """
    page = wiki.page(slug)
    proven = claims_and_sources(wiki, page, span=slice(first, None if most is None else first + most))
    known = brought(wiki, page.path, {claim["line"] for claim in proven["claims"]}) if with_history else {}
    nobody: dict[str, Any] = {"brought": "", "read_by": []}
    return {
        "page": {"slug": page.slug, "title": page.title, "path": page.path},
        "commit": wiki.snapshot.base,
        "count": sum(1 for _ in proven_claims(page)),
        "claims": [{**claim, **known.get(claim["line"], nobody)} for claim in proven["claims"]],
        "sources": proven["sources"],
    }


def claims_and_sources(
    wiki: OpenWiki, page: Page, names: Sequence[str] = (), span: slice = slice(0, None)
) -> dict[str, Any]:
    """``claims`` of the page in their order, and by path the ``sources`` that they cite; ``names`` they may use."""
    claims = list(claims_of(page, wiki.texts.evidence, names, span))
    paths = sorted({each.citation.path for claim in claims for each in claim.cited})
    return {
        "claims": [_claim(number, claim) for number, claim in enumerate(claims, start=span.start)],
        "sources": {path: _source(wiki, path) for path in paths},
    }


def _claim(number: int, claim: ClaimProof) -> dict[str, Any]:
    verdict = claim.best
    shared = shared_words(claim.claim, [each.citation.quote for each in claim.cited if not each.fault])
    return {
        "number": number,
        "line": claim.line,
        "lead": claim.lead,
        "text": as_it_reads(claim.claim),
        "state": claim.state,
        "cited": [
            {
                "path": each.citation.path,
                "anchor": each.citation.anchor,
                "quote": each.citation.quote,
                "fault": each.fault,
            }
            for each in claim.cited
        ],
        "passages": list(dict.fromkeys(" ".join(text.split()) for each in claim.verdicts for text in each.passages)),
        "covered": list(shared.of_claim),
        "covering": list(shared.of_quotes),
        "uncovered": list(verdict.uncovered) if verdict else [],
        "findings": [{"code": each.code, "message": each.message} for each in (verdict.findings if verdict else ())],
    }


def _source(wiki: OpenWiki, path: str) -> dict[str, Any]:
    manifest = wiki.snapshot.manifest()
    record = manifest.record(path)
    form = _format(path)
    return {
        "digest": record.content_hash if record else "",
        "algorithm": record.algorithm if record else "",
        "format": form,
        "is_text": form in (*PLAIN, "markdown"),
        "title": record.title if record else "",
        "date": (record.date or record.captured_at[:10]) if record else "",
        "url": record.url if record else "",
    }


def text_of(wiki: OpenWiki, path: str) -> dict[str, Any]:
    """What curator reads of a source: ``unit`` of its numbers, ``lines`` as number, text, last number, or ``error``.

    ``part``: what a page of it is called; ``left_out``: what of the file is not in the text.
    """
    told = {"unit": "line", "part": "", "lines": [], "left_out": [], "error": ""}
    try:
        document = wiki.texts.evidence(path).document
    except CuratorError as error:
        return {**told, "error": f"{error}"}
    part = _PARTS.get(_format(path), "Page") if document.unit == "page" else ""
    lines = [[number, text, document.last_line(index)] for index, (number, text) in enumerate(document.lines)]
    left_out = [f"{each}" for each in document.left_out]
    return {**told, "unit": document.unit, "part": part, "lines": lines, "left_out": left_out}


def _format(path: str) -> str:
    return FORMATS.get(path[path.rfind(".") :].lower(), "text")
