"""The names of pages that parallel ingests are making, told to each other.

Two models that make a page of one thing at the same moment would give it two titles; code joins only those that are alike.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from curator.models import repair
from curator.models.port import Reply, Request
from curator.models.proposal import Create
from curator.wiki.passages.of_source import passages_of
from curator.wiki.sources.formats import format_of

_MOST_SOURCES, _MOST_NAMES, _LONGEST = 8, 40, 700
"""Of how many sources, how many names of each, and how many characters are told, so that a prompt keeps its size."""


def before(request: Request) -> list[str]:
    """What is known before a model has answered: what the source is called."""
    document, path = request.source.document, PurePosixPath(request.source.path)
    title = document.head.title or passages_of(document, format_of(path))[0]
    return [title] if title else []


def of_reply(request: Request, reply: Reply) -> list[str]:
    """The names of the new pages in ``reply``, the summary's first."""
    proposal = repair.previous(reply.text)
    creates = [each for each in proposal.operations if isinstance(each, Create)] if proposal is not None else []
    titles = [each.title for each in creates if each.kind != "summary"]
    return list(dict.fromkeys([*before(request), *titles]))[:_MOST_NAMES]


def told(announced: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """A line for each source, for the prompt of another."""
    lines = sorted(f"{path}: {'; '.join(names)}" for path, names in announced.items() if names)
    return tuple(textwrap.shorten(line, _LONGEST, placeholder=" ...") for line in lines[:_MOST_SOURCES])
