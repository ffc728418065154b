"""What a report follows from, as one key: while that is the same, so is the report, and nothing need be looked at anew.

- The wiki's tree, but for the log: a pass appends to that itself. The log counts where the policy asks for the age of
  things, and so does the day.
- The files in ``sources/``, by size, times and inode, as their digests are kept. One that was written just now may be
  written once more within a tick of the clock: then there is no key.
- The manifests as they are composed, the proposals that wait, and the digests that can be computed here.
- History is a matter of its own: log and manifest are held against all commits.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from curator.checks.lint.facts import schema
from curator.checks.lint.facts.policy import LintPolicy
from curator.repository.catalogue import FILE as CATALOGUE
from curator.repository.proposals import refs_of_proposals
from curator.repository.snapshot import Snapshot
from curator.system import digests
from curator.wiki import log
from curator.wiki.sources import retention
from curator.wiki.workspace.workspace import Workspace

_TICK = 1_000_000_000
"""Nanoseconds: no file system has a coarser clock for what it writes now."""


@dataclass(frozen=True)
class ReportKey:
    """The key of what the rules find, and of what the history shows."""

    rules: str
    history: str
    stamps: Mapping[str, str] = field(compare=False, repr=False)
    """Of each plain file in ``sources/`` (path from the wiki root), as it was seen for the key: ``digests.stamp``."""


def report_key(
    snapshot: Snapshot, policy: LintPolicy, manifests: tuple[Workspace | None, ...], also: object, now: datetime
) -> ReportKey | None:
    """The key of a report on this commit; None where it cannot be told again by one. To be asked before any look.

    ``also``: what else the manifests come to.
    """
    if any(policy.all("custom")):  # a rule of somebody else's: nobody knows what it looks at
        return None
    repository, root = snapshot.repository, snapshot.repository.root
    stamps: dict[str, str] = {}
    files = _files_in(root / "sources", stamps)
    if files is None:
        return None
    ages = _ages(policy, manifests)
    listed = [*_listed(snapshot, has_log=ages)]
    us = schema.made_by(CATALOGUE), *filter(digests.is_there, digests.HASHES)
    fields = [(each.fields, each.chain, each.grouping) if each is not None else None for each in manifests]
    waiting = sorted(refs_of_proposals(repository.git).items())
    day = now.astimezone(UTC).date().isoformat() if ages else ""
    rules = _hash(us, os.path.realpath(root), listed, files, policy, fields, also, waiting, day)
    shallow = b""
    with suppress(OSError):
        shallow = (repository.git.identity / "shallow").read_bytes()
    history = _hash(us, snapshot.base, repository.git.commit_of("HEAD"), repository.prefix, shallow)
    return ReportKey(rules, history, stamps)


def _ages(policy: LintPolicy, manifests: tuple[Workspace | None, ...]) -> bool:
    """True where something may grow old."""
    kept = (retention.days(each.fields.get("sources") or {}) for each in manifests if each is not None)
    return policy.retention_days is not None or any(policy.all("max-age")) or any(days is not None for days in kept)


def _listed(snapshot: Snapshot, *, has_log: bool) -> Iterator[bytes]:
    """What stands at the top of the wiki in this commit: files and folders by their ids."""
    repository, own = snapshot.repository, log.PATH.encode()
    for name, entry in repository.git.entries_in(snapshot.base, repository.prefix.rstrip("/")):
        yield entry if has_log or name != own else entry.partition(b"\0")[0]


def _files_in(folder: Path, stamps: dict[str, str]) -> str | None:
    """The state of all that lies in a folder right below the wiki root; None where something was written just now."""
    hasher, at, newest, top = hashlib.sha256(), time.time_ns(), 0, len(str(folder.parent)) + 1
    try:
        about = folder.lstat()
    except OSError:
        return "none"
    hasher.update(f"{about.st_mode}\0{os.path.realpath(folder)}\n".encode("utf-8", "surrogateescape"))
    waiting = [str(folder)] if stat.S_ISDIR(about.st_mode) else []
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            return None
        for entry in entries:
            try:
                seen = entry.stat(follow_symlinks=False)
            except OSError:
                return None
            if stat.S_ISDIR(seen.st_mode):
                hasher.update(f"{entry.path}\0\n".encode("utf-8", "surrogateescape"))
                waiting.append(entry.path)
                continue
            stamp = digests.stamp(seen)
            hasher.update(f"{entry.path}\0{seen.st_mode} {stamp}\n".encode("utf-8", "surrogateescape"))
            if stat.S_ISREG(seen.st_mode):
                stamps[entry.path[top:]] = stamp
            newest = max(newest, seen.st_mtime_ns, seen.st_ctime_ns)
    return hasher.hexdigest() if at - newest > _TICK else None


def _hash(*values: object) -> str:
    return hashlib.sha256(repr(values).encode("utf-8", "surrogateescape")).hexdigest()
