"""A page over its commits: the versions there are, and each line of one with the ingest that brought it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from curator.cli.web.served import OpenWiki
from curator.ingest.review import BY_A_PERSON
from curator.models.port import VERIFIER
from curator.repository.git import BlameLine, Git

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


def brought(wiki: OpenWiki, path: str, lines: Collection[int]) -> dict[int, dict[str, Any]]:
    """The commit that each of these lines of the page stands in since: ``brought``, in words with its day, and ``read_by``,
    who but code has read what it brought, as the commit itself says."""
    git = wiki.snapshot.repository.git
    blamed = [each for each in git.blame(wiki.snapshot.base, path) if each.number in lines]
    days = {each.number: datetime.fromtimestamp(each.seconds, UTC).date().isoformat() for each in blamed}
    readers = _readers(git, sorted({each.commit for each in blamed}))
    return {
        each.number: {"brought": f"{each.subject} ({days[each.number]})", "read_by": readers[each.commit]}
        for each in blamed
    }


def _readers(git: Git, commits: Sequence[str]) -> dict[str, list[str]]:
    """By commit who has read what it brought: a second model by its name, a person."""
    readers: dict[str, list[str]] = {}
    for some in (commits[at : at + _MOST] for at in range(0, len(commits), _MOST)):
        fields = ("%H", f"%(trailers:key={VERIFIER},valueonly)", "%b")
        for commit, verifier, body in git.log_fields(fields, "--no-walk", *some):
            by_model = [f"read by a second model, {verifier.strip()}"] if verifier.strip() else []
            by_person = [line[2:] for line in body.split("\n") if line.startswith(f"- {BY_A_PERSON}")][:1]
            readers[commit] = [*by_model, *by_person]
    return readers


def _below_head(lines: list[BlameLine]) -> Iterator[BlameLine]:
    """The lines of the body."""
    ends = [number for number, line in enumerate(lines) if line.text.rstrip() == "---"]
    is_headed = len(ends) > 1 and ends[0] == 0
    yield from lines[ends[1] + 1 :] if is_headed else lines
