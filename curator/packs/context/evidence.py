"""Passages of sources, for verification and disputes only: raw sources are not loaded where other context is enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from curator.models.port import estimate_tokens
from curator.packs.context.sections import KnowledgeSection
from curator.packs.reader import PackFiles

_LINES = re.compile(r"L(\d{1,7})(?:-L(\d{1,7}))?")
_MOST_LINES = 12


def excerpts(files: PackFiles, sections: Sequence[KnowledgeSection], room: int) -> Iterator[KnowledgeSection]:
    """The lines of sources that ``sections`` cite, within ``room`` tokens; else the words quoted."""
    quotes = {
        (citation.path, citation.anchor): citation.quote for section in sections for citation in section.citations
    }
    for anchor in dict.fromkeys(anchor for section in sections for anchor in section.anchors):
        written, _, where = anchor.partition("#")
        path = unquote(written)
        if not path.startswith("sources/") or ".." in path.split("/"):
            continue
        first, text = _lines(files.read(path), where)
        found = KnowledgeSection(path, first, ("source",), text or quotes.get((path, where), ""))
        cost = estimate_tokens(found.shown) + 1
        if found.text and cost <= room:
            yield found
            room -= cost


def _lines(text: str | None, where: str) -> tuple[int, str]:
    """The first line that ``where`` names, and the words there; none for an anchor of another form."""
    match = _LINES.fullmatch(where)
    if match is None or text is None:
        return 1, ""
    first = int(match[1])
    last = min(int(match[2] or first), first + _MOST_LINES - 1)
    return first, "\n".join(text.split("\n")[first - 1 : last]).strip("\n")
