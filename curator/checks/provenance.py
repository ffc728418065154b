"""What the generated files must say, by the history: curator's commits and their trailers are the record.

A wiki may have been brought along from elsewhere, without the commits it was made in. What its manifest and log said
when they came into this history is taken as given; all that came since must be proven by a commit.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import WikiError
from curator.repository import history
from curator.repository.history import CuratorCommit
from curator.wiki import log
from curator.wiki.log import LogEvent
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest

_MOST_VERSIONS = 500
_MOST_READ = 20


@dataclass(frozen=True)
class ProvenHistory:
    """What commits prove of one source: the digests it may have in the manifest, and whether it may be missing there."""

    digests: tuple[str, ...]
    may_be_absent: bool
    commit: CuratorCommit
    """The newest commit that took it in."""


@dataclass(frozen=True)
class Provenance:
    """The record of one wiki."""

    wiki: ExaminedWiki

    @cached_property
    def gone(self) -> frozenset[str]:
        """The commits that were taken back, by ``curate undo`` or by ``git revert``."""
        reverted = history.reverted(self.wiki.repository.git, self.wiki.base) if self.wiki.base else ()
        return frozenset(history.undone(self.wiki.curator_commits, reverted))

    @cached_property
    def sources(self) -> Mapping[str, ProvenHistory]:
        """Every source that a commit took in."""
        ingests: dict[str, list[CuratorCommit]] = {}
        retired: set[str] = set()
        uncertain: set[str] = set()
        for commit in self.wiki.curator_commits:  # newest first
            for path in commit.sources:
                if path not in ingests and (commit.id in self.gone or path in retired):
                    uncertain.add(path)
                ingests.setdefault(path, []).append(commit)
            if commit.id not in self.gone:  # behind what it took in: names may have been swapped
                retired.update(commit.all(history.RETIRED))
        return {path: self._proven(path, mine, path not in uncertain) for path, mine in ingests.items()}

    def _proven(self, path: str, mine: Sequence[CuratorCommit], is_certain: bool) -> ProvenHistory:
        """``mine`` are its ingests, newest first. After one was taken back, the record is an older one, or none."""
        if is_certain:
            return ProvenHistory((mine[0].sources[path],), False, mine[0])
        before = [self.given.digest(path)] if path in self.given.sources else []
        standing = [commit.sources[path] for commit in mine if commit.id not in self.gone]
        return ProvenHistory((*standing, *before), True, mine[0])

    @cached_property
    def given(self) -> SourceManifest:
        """The manifest that came into this history without the commits that made it."""
        born = _born(self._versions(registry.PATH))
        if born is None:
            return SourceManifest()
        try:
            data = self.wiki.data(registry.PATH, born) or b""
            found = registry.parsed(data.decode("utf-8", "replace").encode())
        except WikiError:
            return SourceManifest()
        own = {commit.source for commit in self.wiki.curator_commits if commit.id == born}
        return SourceManifest({p: r for p, r in found.sources.items() if p not in own}, found.hash_algorithm)

    @cached_property
    def given_events(self) -> Counter[LogEvent]:
        """The ingests that the log told of when it came into this history."""
        born = _born(self._versions_of_log)
        if born is None:
            return Counter()
        events = log.parse((self.wiki.data(log.PATH, born) or b"").decode("utf-8", "replace"))
        own = {commit.source for commit in self.wiki.curator_commits if commit.id == born}
        return Counter(event for event in events if event.type == "ingest" and event.subject not in own)

    def newest_readable_manifest(self) -> SourceManifest:
        """The manifest as it was when it could last be read."""
        for commit in self._git_log("--format=%H", self.wiki.base or "HEAD", "--", registry.PATH).split():
            data = self.wiki.data(registry.PATH, commit)
            try:
                if data:
                    return SourceManifest.parse(data.decode("utf-8", "replace"))
            except WikiError:
                continue
        return SourceManifest()

    def is_told_of(self, path: str, digest: str = "") -> bool:
        """True when some commit's message tells of the source, anywhere in it: a squashed branch leaves no trailers."""
        told, asked = self._told, f"{path} {digest}"
        at = bisect_left(told, asked)
        return at < len(told) and told[at].startswith(asked)

    @cached_property
    def _told(self) -> list[str]:
        """What stands behind ``Curator-Source:`` in messages, in order; read once, for a git a source takes minutes."""
        git, mark = self.wiki.repository.git, f"{history.SOURCE}: "
        bodies = git.log_fields(("%B",), "--fixed-strings", f"--grep={mark}", self.wiki.base) if self.wiki.base else []
        parts = (line.split(mark)[1:] for (body,) in bodies for line in body.split("\n"))
        return sorted({part for some in parts for part in some})

    def lost_events(self, now: bytes) -> list[LogEvent]:
        """Events that an earlier version of the log has and ``now`` has not, oldest first.

        An earlier version whose bytes are the beginning of ``now`` lost nothing, and need not be read: its blob id is
        that of these bytes. Of a very long history a sample is looked at.
        """
        present = Counter(log.parse(now.decode("utf-8", "replace")))
        lost: dict[LogEvent, None] = {}
        for oid in self._rewritten_versions(now)[:_MOST_READ]:
            text = (self.wiki.repository.git.blob(oid) or b"").decode("utf-8", "replace")
            lost.update(dict.fromkeys((Counter(log.parse(text)) - present).elements()))
        return sorted(lost, key=lambda event: event.at)

    def _rewritten_versions(self, now: bytes) -> list[str]:
        """The blob ids of the log's earlier versions, newest first; of many, those that are not the beginning of it."""
        git = self.wiki.repository.git
        oids = list(dict.fromkeys(oid for _, _, oid in self._versions_of_log if oid.strip("0")))
        step = max(1, -(-len(oids) // _MOST_VERSIONS))
        oids = oids[::step]
        if len(oids) <= _MOST_READ:
            return oids  # read as soon as asked about
        asked = "".join(f"{oid}\n" for oid in oids).encode()
        sizes = git.text("cat-file", "--batch-check=%(objectsize)", stdin=asked).split("\n")
        return [oid for oid, size in zip(oids, sizes, strict=True) if not _begins(now, oid, size)]

    @cached_property
    def _versions_of_log(self) -> list[tuple[str, str, str]]:
        return self._versions(log.PATH)

    def _versions(self, path: str) -> list[tuple[str, str, str]]:
        """The commits that changed a file, newest first, each with what it did (``A``: added it) and its blob's id then."""
        shown = ("--format=%H", "--raw", "--no-abbrev", "--no-renames", "--topo-order")
        found, commit = list[tuple[str, str, str]](), ""
        for line in self._git_log(*shown, self.wiki.base or "HEAD", "--", path).split("\n"):
            if line.startswith(":"):
                _, _, _, oid, did = line.partition("\t")[0].split(" ")
                found.append((commit, did, oid))
            else:
                commit = line or commit
        return found

    def _git_log(self, *options: str) -> str:
        return self.wiki.repository.git.log(*options) if self.wiki.base else ""


def _born(versions: Sequence[tuple[str, str, str]]) -> str | None:
    """The oldest commit that added the file."""
    return next((commit for commit, did, _ in reversed(versions) if did == "A"), None)


def _begins(now: bytes, oid: str, size: str) -> bool:
    if not size.isdigit() or int(size) > len(now):
        return False
    kind = hashlib.sha256 if len(oid) == 64 else hashlib.sha1
    hasher = kind(b"blob %d\0" % int(size), usedforsecurity=False)
    hasher.update(memoryview(now)[: int(size)])
    return hasher.hexdigest() == oid


def unlogged(
    commits: Sequence[CuratorCommit], events: Sequence[LogEvent]
) -> tuple[list[CuratorCommit], list[LogEvent]]:
    """The ingests without an event, and the events without an ingest; by what they did first, then by their number."""
    left_events = list(events)
    left_commits: list[CuratorCommit] = []
    for commit in commits:
        did = [_words(bullet) for bullet in commit.bullets]
        match = next((event for event in left_events if [_words(bullet) for bullet in event.bullets] == did), None)
        if match is not None:
            left_events.remove(match)
        else:
            left_commits.append(commit)
    paired = min(len(left_commits), len(left_events))
    return left_commits[: len(left_commits) - paired], left_events[: len(left_events) - paired]


def _words(text: str) -> str:
    return " ".join(text.split())


def by_subject(events: Sequence[LogEvent]) -> Iterator[tuple[str, list[LogEvent]]]:
    """The ingests of a log, source by source."""
    found: dict[str, list[LogEvent]] = {}
    for event in events:
        if event.type == "ingest":
            found.setdefault(event.subject, []).append(event)
    yield from found.items()
