"""A page over its commits: the versions there are, and each line of one with the ingest that brought it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from curator.cli.web.served import OpenWiki
from curator.repository.git import BlameLine

_MOST = 200
"""Versions of a page that are shown."""
_COLOURS = 8
"""Colours that the style sheet has for ingests."""


@dataclass(frozen=True)
class Version:
    """One commit that changed a page."""

    commit: str
    at: str
    """ISO 8601."""
    subject: str
    author: str


def versions_of(wiki: OpenWiki, path: str) -> list[Version]:
    """The commits that changed the page at ``path``, newest first, the last 200 of them."""
    git, base = wiki.snapshot.repository.git, wiki.snapshot.base
    found = git.log_fields(("%H", "%aI", "%s", "%an"), f"--max-count={_MOST}", base, "--", path)
    return [Version(*fields) for fields in found]


def version_of(wiki: OpenWiki, path: str, commit: str) -> list[dict[str, Any]]:
    """The lines of the page as of ``commit``: ``text``, ``commit``, ``subject``, ``colour`` (the same for one ingest)."""
    blamed = wiki.snapshot.repository.git.blame(commit, path)
    colours: dict[str, int] = {}
    return [
        {
            "text": line.text,
            "commit": line.commit,
            "subject": line.subject,
            "colour": colours.setdefault(line.commit, len(colours) % _COLOURS),
        }
        for line in _below_head(blamed)
    ]


def brought(wiki: OpenWiki, path: str, lines: Collection[int]) -> dict[int, str]:
    """The commit that each of these lines of the page stands in since, in words with its day."""
    blamed = wiki.snapshot.repository.git.blame(wiki.snapshot.base, path)
    days = {each.number: datetime.fromtimestamp(each.seconds, UTC).date().isoformat() for each in blamed}
    return {each.number: f"{each.subject} ({days[each.number]})" for each in blamed if each.number in lines}


def _below_head(lines: list[BlameLine]) -> Iterator[BlameLine]:
    """The lines of the body."""
    ends = [number for number, line in enumerate(lines) if line.text.rstrip() == "---"]
    is_headed = len(ends) > 1 and ends[0] == 0
    yield from lines[ends[1] + 1 :] if is_headed else lines
