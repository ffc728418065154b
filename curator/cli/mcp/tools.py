"""The tools of the MCP server: what a model is told of each, and its answer as text in a fence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from curator.ask.page_proof import claims_of
from curator.cli.commands import ask as asking
from curator.cli.commands import ingest as ingesting
from curator.cli.commands import search as searching
from curator.cli.commands.ask import AskRequest
from curator.cli.console import Report, silent
from curator.cli.mcp import packs
from curator.cli.mcp.arguments import (
    ActivateArguments,
    AskArguments,
    CatalogArguments,
    ContextArguments,
    IngestArguments,
    MoreArguments,
    PageArguments,
    SearchArguments,
    ToolArguments,
)
from curator.cli.mcp.paging import AnswerPart
from curator.cli.mcp.served import ServedWiki, fenced, page_named
from curator.cli.seen_pages import SeenPages
from curator.errors import ConfigError
from curator.repository.source_files import SourcesFolder


@dataclass(frozen=True)
class Tool:
    """One tool: its name, what a model is told of it, and what it does; ``run`` gives text in a fence, or a part of one."""

    name: str
    title: str
    description: str
    arguments: type[ToolArguments]
    run: Callable[[ServedWiki, Any], str | AnswerPart]
    writes: bool = False
    is_about_packs: bool = False
    """True: there is no such tool where no pack is in reach."""


def search(wiki: ServedWiki, asked: SearchArguments) -> str:
    report = searching.run(wiki.settings(), asked.query, asked.limit, asked.all_types)
    return _reported({"kind": "search", "query": asked.query}, report)


def page(wiki: ServedWiki, asked: PageArguments) -> str:
    settings = wiki.settings()
    with settings.repository as repository:
        seen = SeenPages(repository.view(), settings)
        found = page_named(seen, asked.page)
        about = {"name": found.slug, "path": found.path, "commit": seen.snapshot.base}
        if not asked.proof:
            return fenced({"kind": "page", **about}, [found.text])
        proofs = list(claims_of(found, seen.texts.evidence))
    return fenced({"kind": "proof", **about}, [line for proof in proofs for line in proof.lines] or ["no claims"])


def ask(wiki: ServedWiki, asked: AskArguments) -> str:
    report = asking.run(wiki.settings(), asked.question, AskRequest(everywhere=asked.all_types), silent)
    return _reported({"kind": "answer", "question": asked.question}, report)


def ingest(wiki: ServedWiki, asked: IngestArguments) -> str:
    if not wiki.ingests:
        hint = "whoever runs the server can allow it: curate mcp --allow-ingest"
        raise ConfigError("ingest_not_allowed", "this server takes no sources in", hint)
    file = wiki.root / asked.source
    if not SourcesFolder(wiki.root).has(asked.source) or file.is_symlink() or not file.is_file():
        hint = "name a file that lies there, as sources/NAME"
        raise ConfigError("source_unknown", f"{asked.source!r} is no file in the wiki's sources/", hint)
    report = ingesting.run(wiki.settings(), [file], dry_run=False, ask_again=False, say=silent)
    return _reported({"kind": "ingest", "source": asked.source}, report)


def more(wiki: ServedWiki, asked: MoreArguments) -> AnswerPart:
    return wiki.answers.more(asked.cursor)


def _reported(about: Mapping[str, str], report: Report) -> str:
    return fenced(about, (*report.lines, *report.notes))


TOOLS = (
    Tool(
        "search",
        "Search the wiki",
        "The pages of the wiki that match, best first, each with its path and a snippet. No model is asked.",
        SearchArguments,
        search,
    ),
    Tool(
        "page",
        "Read a page",
        "One page of the wiki as committed, with its footnotes: the source, place and words each claim rests on.",
        PageArguments,
        page,
    ),
    Tool(
        "ask",
        "Ask the wiki",
        "An answer from the wiki's pages and sources only: each statement is proven by them, and comes with its sources."
        " Where they do not say, that is the answer. May ask the language model that the wiki is set up with.",
        AskArguments,
        ask,
    ),
    Tool(
        "catalog",
        "List knowledge packs",
        "The knowledge packs in reach, by their metadata, and which of them may not be loaded and why.",
        CatalogArguments,
        packs.catalog,
        is_about_packs=True,
    ),
    Tool(
        "activate",
        "Activate a knowledge pack",
        "The guide of one pack and the list of its files. Of a pack that may not be loaded: why, and what a person can do.",
        ActivateArguments,
        packs.activate,
        is_about_packs=True,
    ),
    Tool(
        "context",
        "Context from knowledge packs",
        "The least of one or several packs that serves a query, within a budget of tokens; what is missing is named.",
        ContextArguments,
        packs.context,
        is_about_packs=True,
    ),
    Tool(
        "ingest",
        "Take a source in",
        "Take a file of sources/ into the wiki, in one commit, or say why it waits. Asks the language model that the wiki"
        " is set up with.",
        IngestArguments,
        ingest,
        writes=True,
    ),
    Tool("more", "Next part", "The next part of a long answer, by the cursor that it ended with.", MoreArguments, more),
)
