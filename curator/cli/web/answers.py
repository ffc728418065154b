"""An answer in the browser: each statement with the proof of its claims, as soon as it is proven."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from starlette.requests import Request

from curator.ask.answer import TellStatement
from curator.ask.prove import context_names
from curator.cli.commands import ask as asking
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Say, silent
from curator.cli.web.addresses import Addresses
from curator.cli.web.proofs import claims_and_sources
from curator.cli.web.reading import html_of
from curator.cli.web.saved_proof import as_json
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import Shown, Templates
from curator.cli.web.streams import Send
from curator.errors import CuratorError
from curator.models.statements import ProvenStatement
from curator.wiki.pages import editing
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.page import Page

_OFFERED = 5
"""Passages that are shown where nothing answers."""
_QUOTED = 300
"""Characters of such a passage that are looked for in its source."""


def question_of(request: Request) -> tuple[str, bool]:
    """What is asked, and whether it follows on the last question."""
    return request.query_params.get("q", "").strip(), bool(request.query_params.get("follows"))


def ask(wiki: OpenWiki, request: Request) -> Shown:
    question, follows = question_of(request)
    empty = {"question": "", "follows": False, "answer": None}
    return Shown("ask.html", whole(wiki, question, follows) if question else empty)


def answered(wiki: OpenWiki, question: str, follows: bool, hear: TellStatement, say: Say) -> dict[str, Any]:
    """Ask, and give what the template ``answered.html`` is filled with; ``hear`` gets each statement as it is proven."""
    request = AskRequest(everywhere=True, follows=follows, remembers=True)
    report = asking.run(wiki.shown.settings(), question, request, say, hear=hear)
    offered = [] if report.data["answer"] else list(_offered(wiki, question))
    values = {"question": question, "follows": follows, "offered": offered, "notes": report.notes}
    return {**values, "answer": report.data}


def statement(wiki: OpenWiki, said: ProvenStatement, question: str) -> dict[str, Any]:
    """What the template ``statement.html`` is filled with."""
    names = context_names(said.proofs, question)
    return {
        **_proven(wiki, said.proofs[0].reading.path, said.text, said.citations, names),
        "pages": wiki.entries(set(said.slugs)),
        "unknown": [path.removeprefix("sources/") for path in said.unknown_sources],
        "standing": said.standing,
    }


def _proven(
    wiki: OpenWiki, path: str, text: str, citations: Sequence[Citation], names: Sequence[str] = ()
) -> dict[str, Any]:
    """``text`` as ``html`` whose claims cite these, and the ``proof`` of them as a page's."""
    cited = {f"{number}": citation for number, citation in enumerate(citations, start=1)}
    marked = editing.cite(text, {label: citation.quote for label, citation in cited.items()})
    notes = "\n".join(citation.definition(label) for label, citation in cited.items())
    page = Page(path, f"---\n---\n{marked}\n\n{notes}\n")
    html, _, _ = html_of(wiki, page, Addresses.served(wiki.shown.name))
    return {"html": html, "proof": as_json(claims_and_sources(wiki, page, names)), "cited": list(citations)}


def whole(wiki: OpenWiki, question: str, follows: bool) -> dict[str, Any]:
    """The answer when it is complete: for who runs no script, and for an address that is opened anew."""
    statements: list[dict[str, Any]] = []
    values = answered(wiki, question, follows, lambda said: statements.append(statement(wiki, said, question)), silent)
    return {**values, "statements": statements}


def told(wiki: OpenWiki, question: str, follows: bool, templates: Templates, send: Send) -> None:
    """The answer as events: ``stage`` and ``statement`` as they come, at last ``over``, or ``refused``."""
    about = {"at": Addresses.served(wiki.shown.name), "wiki": wiki.shown.name, "writes": wiki.shown.writes}

    def hear(said: ProvenStatement) -> None:
        send("statement", templates.filled("statement.html", **about, said=statement(wiki, said, question)))

    try:
        values = answered(wiki, question, follows, hear, lambda stage: send("stage", stage))
    except CuratorError as error:
        send("refused", {"message": error.message, "hint": error.hint})
    else:
        send("over", templates.filled("answered.html", **about, **values))


def _offered(wiki: OpenWiki, question: str) -> Iterator[dict[str, Any]]:
    """What sources, and behind them pages, have on the words of a question that nothing answers."""
    request = AskRequest(everywhere=True, only_material=True)
    passages = asking.run(wiki.shown.settings(), question, request, silent).data["passages"]
    for each in sorted(passages, key=lambda each: each["source"] is None)[:_OFFERED]:
        if each["source"] is None:
            yield {
                "html": each["text"],
                "proof": None,
                "cited": [],
                "pages": wiki.entries({each["page"]}),
                "unknown": [],
                "standing": each["standing"],
            }
            continue
        words = textwrap.shorten(each["text"].removeprefix("- "), _QUOTED, placeholder="")
        citation = Citation(each["source"], each["anchor"], words)
        shown = _proven(wiki, each["source"], each["text"], [citation])
        unknown = [] if each["in_wiki"] else [each["source"].removeprefix("sources/")]
        yield {**shown, "pages": wiki.entries(set(each["in_wiki"])), "unknown": unknown, "standing": each["standing"]}
