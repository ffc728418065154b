"""Where manifests are read: from commits, or from the disk.

A manifest, its parents and its policy are read as they are in the commit at HEAD of the repository each lies in: that is
what an ingest goes by, and an edit nobody has committed is in force for nobody. Views lie beside their consumers, often
outside the wiki's folder or its repository; so each file's own repository is asked. A file in a plain folder has no
commit and is read from the disk.

Consumers are matters of the machine, not of a commit: ``ws://operators/<slug>`` exists where a folder
``operators/<slug>`` does, in the manifest's folder or one above it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curator.repository.git import Git, is_inside_repository
from curator.wiki.pages.page import is_page_path
from curator.wiki.workspace import refs
from curator.wiki.workspace.overlay import WHITEOUT

_LARGEST = 1_000_000


@dataclass(frozen=True)
class Commit:
    """A commit that files are read from."""

    git: Git
    commit: str

    def blob(self, path: Path) -> bytes | None:
        return self.git.blob(f"{self.commit}:{self._from_top(path.parent, path.name)}")

    def files(self, folder: Path) -> Iterator[str]:
        """The plain files in ``folder``, as paths from there."""
        place = self._from_top(folder)
        below = "" if place == "." else place
        for blob in self.git.tree(self.commit, below):
            if blob.is_plain:
                yield blob.path.removeprefix(f"{below}/")

    def has(self, folder: Path) -> bool:
        """True when ``folder`` lies in this repository, and in none inside of it."""
        top = self.git.top.resolve()
        real = Path(os.path.realpath(folder))
        between = [real, *real.parents][: len(real.parts) - len(top.parts)]
        return real.is_relative_to(top) and not any((at / ".git").exists() for at in between)

    def _from_top(self, folder: Path, name: str = "") -> str:
        return Path(os.path.realpath(folder), name).relative_to(self.git.top.resolve()).as_posix()


@dataclass(frozen=True)
class Disk:
    """The files as they are on disk."""

    def blob(self, path: Path) -> bytes | None:
        """A plain file, up to a megabyte; None for anything else, a pipe that would keep us waiting among it."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        try:
            return os.read(descriptor, _LARGEST) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
        finally:
            os.close(descriptor)

    def files(self, folder: Path) -> Iterator[str]:
        """All below ``folder`` but for what is in hidden folders, as paths from there."""
        for at, folders, names in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield from (Path(at, name).relative_to(folder).as_posix() for name in names)


@dataclass(frozen=True)
class Nothing:
    """A repository without a commit."""

    def blob(self, path: Path) -> bytes | None:
        return None

    def files(self, folder: Path) -> Iterator[str]:
        return iter(())


ManifestSource = Commit | Disk | Nothing


class ManifestFiles:
    """Reads manifests and policies: from the commit at HEAD of each one's repository, or from the disk.

    ``own`` is the commit that counts for its repository instead of HEAD.
    """

    def __init__(self, worktree: bool = False, own: Commit | None = None) -> None:
        self._worktree = worktree
        self._own = own
        self._sources: dict[Path, ManifestSource] = {}
        self._opened: list[Git] = []

    def __enter__(self) -> ManifestFiles:
        return self

    def __exit__(self, *_: object) -> None:
        for git in self._opened:
            git.close()

    def read(self, path: str) -> str | None:
        """The text at an absolute path; None when there is none, or no text."""
        data = self._source_of(Path(path).parent).blob(Path(path))
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def pages(self, folder: str) -> frozenset[str]:
        """The pages and whiteouts in a manifest's folder, as paths from there."""
        paths = self._source_of(Path(folder)).files(Path(folder))
        return frozenset(path for path in paths if is_page_path(path.removesuffix(WHITEOUT)))

    def _source_of(self, folder: Path) -> ManifestSource:
        if self._worktree:
            return Disk()
        while not folder.is_dir():
            folder = folder.parent
        if self._own is not None and self._own.has(folder):
            return self._own
        if folder not in self._sources:
            self._sources[folder] = self._committed(folder) if is_inside_repository(folder) else Disk()
        return self._sources[folder]

    def _committed(self, folder: Path) -> ManifestSource:
        self._opened.append(git := Git(folder))
        head = git.commit_of("HEAD")
        return Nothing() if head is None else Commit(git, head)


def is_there(ref: refs.Consumer | refs.Folder, at: str) -> bool:
    if isinstance(ref, refs.Folder):
        return Path(ref.path).is_dir()
    return any((folder / ref.kind / ref.slug).is_dir() for folder in Path(at).parents)
