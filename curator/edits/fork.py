"""A fork: the wiki as it is now, under a new root with a life of its own (ADDENDA, "Lifecycle").

"A fork copies pages and index to a new root and logs a manual event with its parent." Sources and registry come along: what
a page says stays provable. The log begins anew; what happened before is told by the parent's.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.repository.transaction import first_commit
from curator.system.filenames import printable
from curator.wiki import log
from curator.wiki.lifecycle import FORK
from curator.wiki.log import LogEvent
from curator.wiki.pages import frontmatter
from curator.wiki.workspace import manifest, refs


def files_of_fork(repository: Repository, folder: Path, title: str | None, now: datetime) -> ForkedFiles:
    """What a fork of the newest commit into ``folder`` holds. Raises ConfigError when something is there."""
    _check_place(folder, repository)
    snapshot = repository.view()
    return ForkedFiles(snapshot, _texts(snapshot, folder, title, now))


def make_fork(files: ForkedFiles, folder: Path) -> str:
    """Write them as the first commit of a new repository; its id."""
    message = f"fork: {files.snapshot.workspace().title}\n\nCurator-Forked: {_parent(files.snapshot)}\n"
    return first_commit.create_wiki(folder, files, message, files.programs)


def _check_place(folder: Path, repository: Repository) -> None:
    if _is_half_made(folder):
        message = f"{str(folder)!r} holds a fork that was broken off: a repository without a commit"
        raise ConfigError("fork_half_made", message, f"rm -r {shlex.quote(printable(folder))}; then fork again")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError("already_there", f"{str(folder)!r} is there and not empty", "name a new folder")
    if folder.is_relative_to(repository.root):
        raise ConfigError("inside_wiki", f"{str(folder)!r} is inside the wiki itself", "name a folder beside it")


def _is_half_made(folder: Path) -> bool:
    """True when a fork began here and was killed before it had a commit; nobody's work is in it."""
    if not (folder / ".git" / "curator").is_dir():
        return False
    with closing(Git(folder)) as begun:
        return begun.commit_of("HEAD") is None


class ForkedFiles(Mapping[str, bytes]):
    """The files of a fork by path: the plain ones of a commit, with some of them ``instead``; read when asked for."""

    def __init__(self, snapshot: Snapshot, instead: Mapping[str, str]) -> None:
        self.snapshot = snapshot
        """What is forked."""
        repository = snapshot.repository
        self._git: Git = repository.git
        blobs = list(repository.git.tree(snapshot.base, repository.prefix.rstrip("/")))
        paths = {blob.path: blob.path.removeprefix(repository.prefix) for blob in blobs}
        plain = [blob for blob in blobs if blob.is_plain]
        self._oids = {paths[blob.path]: blob.oid for blob in plain}
        self.programs = frozenset(paths[blob.path] for blob in plain if blob.mode == "100755")
        self.others = sorted(set(paths.values()) - self._oids.keys())
        """What stays behind: symbolic links and submodules, which lead out of the wiki or may."""
        self._instead = instead

    def __getitem__(self, path: str) -> bytes:
        if path in self._instead:
            return self._instead[path].encode()
        return self._git.blob(self._oids[path]) or b""

    def __iter__(self) -> Iterator[str]:
        return iter({**self._oids, **self._instead})

    def __len__(self) -> int:
        return len({**self._oids, **self._instead})


def _texts(snapshot: Snapshot, folder: Path, title: str | None, now: datetime) -> dict[str, str]:
    """The files that are not the parent's: the manifest with a name of its own, and the log."""
    text = snapshot.read(refs.FILE) or ""
    workspace, here = snapshot.workspace(), snapshot.repository.root
    changes: dict[str, Any] = {"name": manifest.name_of(title or folder.name)}
    if title:
        changes["title"] = title
    fields = frontmatter.read(text)
    for field in ("extends", "governance"):
        written = fields.get(field)
        if isinstance(written, str) and "://" not in written:
            target = here / written  # meant from the parent's folder: the fork lies elsewhere
            if not target.resolve().is_relative_to(here):
                changes[field] = Path(os.path.relpath(target, folder)).as_posix()
    bullets = [
        f"parent: {_parent(snapshot)}",
        f"parent manifest: {workspace.name} {workspace.version}",
        f"{snapshot.catalogue.count()} pages, {len(snapshot.manifest().sources)} sources",
    ]
    event = LogEvent.now(now, "manual", f"{FORK}{workspace.title}", bullets)
    return {refs.FILE: frontmatter.replace_fields(text, changes), log.PATH: log.append(log.HEADING, event)}


def _parent(snapshot: Snapshot) -> str:
    """The parent's name and commit; no path, which would tell of the machine."""
    return f"{snapshot.workspace().name} {snapshot.base}"
