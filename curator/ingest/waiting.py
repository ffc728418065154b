"""The sources that are not in the wiki, or no longer: why not, and what a person can do about each."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from curator.checks import approval
from curator.repository import history, source_files
from curator.repository.git import NO_SUBMODULES, records
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import file_stamp
from curator.system import digests
from curator.system.filenames import printable
from curator.wiki.sources.formats import FORMATS
from curator.wiki.sources.registry import SourceManifest


def parked_sources(repository: Repository, manifest: SourceManifest, is_approved: bool) -> Iterator[dict[str, Any]]:
    """What still waits: not what has come in on another way, nor what is gone from ``sources/`` and left no proposal.

    ``is_approved``: no change of the rules waits for approval, and so no source for that.
    """
    for item in repository.runtime.parked():
        now = file_stamp(repository.root / item.source)
        if (not now and item.code != "review_needed") or manifest.has(item.source, item.digest):
            continue
        reason, following = item.reason, item.next
        if not now:
            reason = f"{reason} (its file is gone)"
        elif item.stamp and now != item.stamp:
            reason = f"{reason} (it has changed since)"
            following = f"curate ingest {shlex.quote(printable(item.source))}"
        if is_approved and item.code == approval.UNAPPROVED:
            reason = "it waited for the rules to be approved, which they are by now"
            following = f"curate ingest {shlex.quote(printable(item.source))}, or any other ingest takes it along"
        yield {
            "source": item.source,
            "reason": reason,
            "next": following,
            "code": item.code,
            "at": item.at,
            "findings": list(item.findings),
        }


def missing_sources(repository: Repository, manifest: SourceManifest) -> Iterator[dict[str, str]]:
    """The sources that are in the wiki and whose files are gone: to bring back, or to take out with what they brought."""
    root = os.fspath(repository.root)
    gone = [path for path in sorted(manifest.sources) if not os.path.lexists(f"{root}/{path}")]
    # Asked once: it is a process, and thousands of files can be gone. Not every one is meant to be in the work tree.
    if gone and repository.git.run("config", "--type=bool", "core.sparseCheckout")[1].strip() != b"true":
        for path in gone:
            quoted = shlex.quote(printable(path))
            out = f"curate remove {quoted} --why REASON takes out what it brought"
            yield {"source": path, "next": f"{out}; git restore {quoted} brings it back"}


def new_sources(repository: Repository, told: Collection[str]) -> Iterator[str]:
    """The sources that nobody has taken in yet, and of which nothing else is told."""
    top = len(f"{repository.root}/")
    for file in source_files.names_below(repository.root / "sources", repository.root):
        path = file[top:]
        if path not in told and PurePosixPath(path).suffix.lower() in FORMATS and not Path(file).is_symlink():
            yield path


def changed_sources(repository: Repository, manifest: SourceManifest, since: str) -> Iterator[dict[str, str]]:
    """The sources whose files have other bytes than the ones taken in, of those that git sees changed ``since`` a commit.

    Files that git keeps none of (``commit_sources = false``) are not looked at.
    """
    git, prefix = repository.git, repository.prefix
    options = ("-z", "--name-only", "--no-renames", "--no-ext-diff", "--diff-filter=M", NO_SUBMODULES)
    asked = ("--no-literal-pathspecs", "diff", *options, since, "--", f":(top,literal){prefix}sources")
    for record in records(git.output(*asked, folder=git.top)):
        path = record.removeprefix(prefix)
        taken_in = manifest.digests.get(path)
        if taken_in is not None and not digests.is_of_file(taken_in, repository.root / path):
            yield {"source": path, "next": f"curate ingest {shlex.quote(printable(path))} takes in what it says now"}


def without_record(
    found: Sequence[CuratorCommit], repository: Repository, base: str, manifest: SourceManifest
) -> tuple[list[str], list[str]]:
    """The sources that are there, that commits up to ``base`` (all ``found``) took in, and of which is no record.

    First those whose last ingest was taken back, by ``git revert`` too: they can come in again. Then those that are in, as
    their commits say, and whose records are lost: in a merge that was resolved by hand.
    """
    gone = history.undone(found, history.reverted(repository.git, base))
    last = dict(reversed(list(history.by_source(found, gone))))
    lost = {path: commit.id in gone for path, commit in sorted(last.items()) if path not in manifest.sources}
    there = [(path, is_undone) for path, is_undone in lost.items() if (repository.root / path).is_file()]
    return [path for path, is_undone in there if is_undone], [path for path, is_undone in there if not is_undone]


class LeftAlone:
    """The sources that the service leaves alone, as somebody wants it, by git's history and by ``curate skip``."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._head = ""
        self._commits: list[CuratorCommit] = []

    def why(self, path: str) -> str:
        """Empty when there is nothing against it."""
        quoted = shlex.quote(printable(path))
        skipped = self._repository.runtime.skipped().get(path)
        if skipped is not None and digests.is_of_file(skipped, self._repository.root / path):
            return f"it was put aside by curate skip; curate retry {quoted} brings it back"
        self._read_on()
        last = next((commit for name, commit in history.by_source(self._commits) if name == path), None)
        if last is None or not digests.is_of_file(last.digest, self._repository.root / path):
            return ""
        # All reverts are read anew: a source is rarely asked about when its newest bytes were taken in before.
        reverted = history.reverted(self._repository.git, self._head)
        if last.id not in history.undone(self._commits, reverted):
            return ""
        return f"it was taken back; curate ingest {quoted} takes it in again"

    def _read_on(self) -> None:
        """What came since the last question only: a long history is read once."""
        git = self._repository.git
        head = git.commit_of("HEAD") or ""
        if head == self._head:
            return
        goes_on = bool(self._head) and git.run("merge-base", "--is-ancestor", self._head, head)[0] == 0
        span = f"{self._head}..{head}" if goes_on else head
        new = list(history.curator_commits(git, span, folder=self._repository.prefix))
        self._commits = [*new, *(self._commits if goes_on else ())]
        self._head = head
