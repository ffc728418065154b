"""Where a person works with the wiki in the browser: questions, what goes on, what waits for a decision, trying to lie."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from curator.cli.commands import review
from curator.cli.commands.status import read_status
from curator.cli.web import answers
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown
from curator.wiki.support.judge import Judge


def question_of(request: Request) -> tuple[str, bool]:
    """What is asked, and whether it follows on the last question."""
    return request.query_params.get("q", "").strip(), bool(request.query_params.get("follows"))


def ask(wiki: OpenWiki, request: Request) -> Shown:
    question, follows = question_of(request)
    empty = {"question": "", "follows": False, "answer": None}
    return Shown("ask.html", answers.whole(wiki, question, follows) if question else empty)


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
