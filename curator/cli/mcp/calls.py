"""A call or a read, whatever becomes of it, as a value: a part of an answer, or an error with code, message and hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote

from pydantic import ValidationError

from curator.cli import console
from curator.cli.mcp import packs
from curator.cli.mcp.arguments import PageArguments, ToolArguments
from curator.cli.mcp.paging import AnswerPart
from curator.cli.mcp.served import ServedWiki
from curator.cli.mcp.tools import TOOLS, Tool, page
from curator.cli.seen_pages import SeenPages
from curator.errors import ConfigError, CuratorError
from curator.packs.context import fence
from curator.packs.pack_library import NotLoaded

_LISTED = 200
"""Pages in one part of the list of resources."""
_LONGEST = 1_000
"""Characters of an error's message, and of its hint."""
_URI = re.compile(r"curator://(page|proof)/([^/?#]{1,1000})")
TEMPLATES = (
    ("curator://page/{slug}", "page", "A page of the wiki as committed."),
    (
        "curator://proof/{slug}",
        "proof",
        "What each claim of a page cites, read in the sources, and the verdict of code.",
    ),
)


@dataclass(frozen=True)
class CallFailed:
    """Why there is no answer."""

    code: str
    message: str
    hint: str

    @classmethod
    def of(cls, error: Exception) -> CallFailed:
        """Any error; what it quotes opens or closes no fence, and is cut. What may be loaded is no agent's to decide."""
        ours: CuratorError = console.as_ours(error)
        whose = "for the person who runs the server: " if isinstance(error, NotLoaded) else ""
        return cls(ours.code, _quoted(ours.message), _quoted(whose + ours.hint))

    @property
    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "hint": self.hint}


def _quoted(text: str) -> str:
    text = fence.neutral(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass(frozen=True)
class ListedPage:
    """A page in the list of resources: as little of its text as may be, for a list has no fence."""

    uri: str
    name: str
    title: str


def tools_of(wiki: ServedWiki) -> list[Tool]:
    """Those that there is something to do for, as things are."""
    allowed = [tool for tool in TOOLS if wiki.ingests or not tool.writes]
    try:
        has_packs = packs.are_in_reach(wiki)
    except (CuratorError, OSError):
        has_packs = True  # a call says what is wrong
    return [tool for tool in allowed if has_packs or not tool.is_about_packs]


def call(wiki: ServedWiki, name: str, given: Mapping[str, Any]) -> AnswerPart | CallFailed:
    """What the tool ``name`` answers."""
    return _told(partial(_called, wiki, name, given))


def read(wiki: ServedWiki, uri: str) -> AnswerPart | CallFailed:
    """A page or its proof, by its URI."""
    return _told(partial(_read, wiki, uri))


def list_pages(wiki: ServedWiki, cursor: str | None) -> tuple[list[ListedPage], str | None] | CallFailed:
    """The pages behind the one whose path is the ``cursor``, in the order of their paths, and the next cursor."""
    try:
        return _listed(wiki, cursor or "")
    except Exception as error:
        return CallFailed.of(error)


def _told(answer: Callable[[], AnswerPart]) -> AnswerPart | CallFailed:
    try:
        return answer()
    except Exception as error:
        return CallFailed.of(error)


def _called(wiki: ServedWiki, name: str, given: Mapping[str, Any]) -> AnswerPart:
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        known = ", ".join(tool.name for tool in tools_of(wiki))
        raise ConfigError("tool_unknown", f"there is no tool {name[:80]!r}", f"one of: {known}")
    answer = tool.run(wiki, _parsed(tool.arguments, given))
    return answer if isinstance(answer, AnswerPart) else wiki.answers.first(answer)


def _parsed(model: type[ToolArguments], given: Mapping[str, Any]) -> ToolArguments:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, fault['loc']))[:80]}: {fault['msg']}" for fault in error.errors())
        hint = f"it takes: {', '.join(model.model_fields) or 'nothing'}"
        raise ConfigError("arguments_invalid", said, hint) from error


def _read(wiki: ServedWiki, uri: str) -> AnswerPart:
    match = _URI.fullmatch(uri)
    if match is None:
        hint = f"one of: {', '.join(template for template, _, _ in TEMPLATES)}"
        raise ConfigError("resource_unknown", f"there is no resource {uri[:200]!r}", hint)
    return wiki.answers.first(page(wiki, PageArguments(page=unquote(match[2]), proof=match[1] == "proof")))


def _listed(wiki: ServedWiki, behind: str) -> tuple[list[ListedPage], str | None]:
    settings = wiki.settings()
    with settings.repository as repository:
        seen = SeenPages(repository.view(), settings)
        scope, known = seen.scope, seen.snapshot.wiki
        slugs = seen.snapshot.catalogue.paths(behind)
        entries = (entry for path, slug in slugs if (entry := known.entry(slug)) is not None and entry.path == path)
        found = list(islice((entry for entry in entries if scope.has(entry, everywhere=True)), _LISTED + 1))
        listed = [
            ListedPage(
                f"curator://page/{quote(entry.slug, safe='')}",
                fence.neutral(entry.slug),
                fence.neutral(entry.title),
            )
            for entry in found[:_LISTED]
        ]
    return listed, found[_LISTED - 1].path if len(found) > _LISTED else None
