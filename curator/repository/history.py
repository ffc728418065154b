"""What curator did, read from git: the trailers of its commits are the record, whatever became of any cache."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from curator.repository.git import Git

SOURCE = "Curator-Source"
"""A source that was ingested: path and digest."""
SANDBOX = "Curator-Sandbox"
"""The levels of the jails that an ingest was done in."""
UNDONE = "Curator-Undone"
APPROVED = "Curator-Approved"
"""A file of the rules a wiki is kept by: path and digest."""
RENAMED = "Curator-Renamed"
REMOVED = "Curator-Removed"
MERGED = "Curator-Merged"
"""A page that became part of another: its slug, and that of the other."""
SPLIT = "Curator-Split"
"""A page of which a part became another, or went to another: its slug, and that of the other."""
SETTLED = "Curator-Settled"
"""A page of which a person said which of two statements stands: its slug."""
RETIRED = "Curator-Retired"
"""A source that was taken out of the wiki, or is there by another name: its path."""
DESCRIBED = "Curator-Described"
"""A source of which somebody said something, in the registry: its path."""
_WHOLE = 40
"""The least characters of a whole name of a commit."""
_MOST = 20
"""Ingests of one page that are looked at,"""
_FARTHEST = 500
"""among so many commits: what lies further back is not looked for."""
_FIELDS = ("%H", "%P", "%cI", "%s", "%(trailers:only,unfold)", "%b")


@dataclass(frozen=True)
class CuratorCommit:
    """One commit that curator made."""

    id: str
    parents: tuple[str, ...]
    at: str
    """ISO 8601, as the committer's clock had it."""
    subject: str
    trailers: tuple[tuple[str, str], ...]
    bullets: tuple[str, ...]

    @property
    def source(self) -> str:
        """The path of the source it took in; empty when it took in none."""
        return next(iter(self.sources), "")

    @property
    def digest(self) -> str:
        return next(iter(self.sources.values()), "")

    @property
    def sources(self) -> dict[str, str]:
        """The digests of those that it took in, by path: one, or several that swapped their names."""
        return {path: digest for path, _, digest in (value.rpartition(" ") for value in self.all(SOURCE))}

    @property
    def moved(self) -> dict[str, str]:
        """The sources that it gave another name, by the one before; it took none in then."""
        return dict(zip(self.all(RETIRED), self.sources, strict=False))

    def all(self, key: str) -> list[str]:
        return [value for name, value in self.trailers if name == key]

    def one(self, key: str) -> str:
        return next(iter(self.all(key)), "")


def curator_commits(
    git: Git, *revisions: str, folder: str = "", options: Sequence[str] = ()
) -> Iterator[CuratorCommit]:
    """Curator's commits among ``revisions``, newest first; ``folder`` is the wiki's from the top, with its slash."""
    below = ["--", "."] if folder else []
    for fields in git.log_fields(_FIELDS, *options, "--grep=^Curator-", *revisions, *below):
        commit = _parsed(*fields)
        if any(name.startswith("Curator-") for name, _ in commit.trailers):
            yield commit


def names_after(found: Iterable[CuratorCommit], since: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """What sources are called after ``found``, newest first, and ``since``, by what they were called before."""
    names = dict(since)
    for commit in found:
        names |= {old: names.get(new, new) for old, new in commit.moved.items()}
    return names


def by_source(found: Iterable[CuratorCommit], gone: Collection[str] = ()) -> Iterator[tuple[str, CuratorCommit]]:
    """Of all commits, newest first, the ingests: each with its source's name by now; ``gone`` are taken back."""
    names: dict[str, str] = {}
    for commit in found:
        names = names_after([commit], names) if commit.moved and commit.id not in gone else names
        if commit.source and not commit.moved:
            yield names.get(commit.source, commit.source), commit


@dataclass(frozen=True)
class TakenIn:
    """A page as it was before a source was taken in, and after."""

    source: str
    """The source's path."""
    before: str
    after: str


def ingests_of(git: Git, base: str, path: str, folder: str = "") -> Iterator[TakenIn]:
    """What the last ingests made of the page at ``path``, newest first; ``folder`` is the wiki's, with its slash."""
    oldest = git.commit_of(f"{base}~{_FARTHEST}")
    options = (f"--max-count={_MOST}", f"--grep=^{SOURCE}: ", f"{oldest}..{base}" if oldest else base, "--", path)
    fields = git.log_fields(("%H", "%P", "%(trailers:only,unfold)"), *options)
    commits = (_parsed(commit, parents, "", "", trailers, "") for commit, parents, trailers in fields)
    for source, found in by_source(commits):
        texts = [git.blob(f"{each}:{folder}{path}") for each in (*found.parents[:1], found.id)]
        if len(texts) == 2 and None not in texts:
            yield TakenIn(source, *(text.decode("utf-8", "replace") for text in texts if text is not None))


def commits_of(git: Git, newest: str, most: int) -> list[CuratorCommit]:
    """The last commits up to ``newest``, curator's or not, newest first."""
    return [_parsed(*fields) for fields in git.log_fields(_FIELDS, f"--max-count={most}", newest)]


def undone(found: Sequence[CuratorCommit], reverted: Collection[str] = ()) -> set[str]:
    """The commits that were taken back, ``reverted`` ones too, and not put again by taking that back."""
    gone = set(reverted)
    for commit in found:  # newest first: an undo counts unless it was itself undone later
        if commit.id not in gone:
            gone.update(value.split(" ", 1)[0] for value in commit.all(UNDONE))
    return gone


def reverted(git: Git, revisions: str) -> set[str]:
    """The commits, anybody's, that ``git revert`` took back; not those of which that was reverted in its turn."""
    gone: set[str] = set()
    for commit, body in git.log_fields(("%H", "%b"), "--grep=^This reverts commit ", revisions):  # newest first
        if commit not in gone:
            named = re.findall(r"(?m)^This reverts commit ([0-9a-f]{7,64})\b", body)  # short ones by revert.reference
            gone.update(name if len(name) >= _WHOLE else git.commit_of(name) or name for name in named)
    return gone


def _parsed(id: str, parents: str, at: str, subject: str, trailers: str, body: str) -> CuratorCommit:
    pairs = [line.partition(": ") for line in trailers.split("\n") if ": " in line]
    bullets = [line[2:] for line in body.split("\n") if line.startswith("- ")]
    return CuratorCommit(
        id, tuple(parents.split()), at, subject, tuple((name, value) for name, _, value in pairs), tuple(bullets)
    )
