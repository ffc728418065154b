"""The files of ``sources/``: those that lie there, and one on its way in, with the private copy that is read of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from curator.errors import SourceError
from curator.repository.runtime.spool import Spooled
from curator.system import digests
from curator.system.beneath import no_real_folder
from curator.system.filenames import TEMPORARY
from curator.wiki.sources.source import signed_by


class SourcesFolder:
    """The folder ``sources/`` of a wiki, and where paths below it really lead."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._folders: dict[str, bool] = {}

    def has(self, path: str) -> bool:
        """True for a path below ``sources/`` on which no ``..`` and no link leads out: a page may cite any path.

        A folder is looked at once.
        """
        folder, _, name = path.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = ".." not in folder.split("/") and "\0" not in folder and self._is_inside(folder)
        return self._folders[folder] and path.startswith("sources/") and name != ".." and "\0" not in name

    def _is_inside(self, folder: str) -> bool:
        return f"{os.path.realpath(f'{self._root}/{folder}')}/".startswith(f"{self._real_root}/sources/")

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self._root)


@dataclass(frozen=True)
class IncomingFile:
    """A source file that is to be committed with its pages: its path from the wiki root, and its private copy."""

    path: str
    spooled: Spooled
    signatures: tuple[IncomingFile, ...] = ()
    """Committed with it."""
    replaces: str = ""
    """Where an earlier version of a note lies at ``path``: the digest of that version."""

    def is_earlier(self, file: Path) -> bool:
        """True where ``file`` is the version that this one takes the place of, and nobody has edited it."""
        return bool(self.replaces) and digests.is_of_file(self.replaces, file)

    @property
    def all(self) -> tuple[IncomingFile, ...]:
        return (self, *self.signatures)


@dataclass(frozen=True)
class IncomingSource:
    """A file to be ingested: its place in the wiki, its private copy, and where it has to be copied from."""

    path: str
    spooled: Spooled
    format: str
    copied_from: Path | None
    note: str = ""
    """The note that it is a copy of: its path from the folder of notes."""
    replaces: str = ""
    """As that of its file."""
    signatures: tuple[IncomingFile, ...] = ()

    @property
    def file(self) -> IncomingFile:
        return IncomingFile(self.path, self.spooled, self.signatures, self.replaces)

    def signed_by(self, signatures: Iterable[IncomingFile]) -> IncomingSource:
        return replace(self, signatures=tuple(signatures))


def files_below(paths: Iterable[Path], root: Path) -> Iterator[Path]:
    """The files named, and those in folders named, in order; temporary names and signatures in folders are passed over.

    A folder that cannot be listed, one that is a link, and one of the wiki's other than ``sources/`` are handed on as
    they are: ``look_at_source`` says what is wrong with them.
    """
    for path in paths:
        yield from map(Path, names_below(path, root))


def names_below(path: Path, root: Path) -> Iterator[str]:
    """The same of one path, as text: of a hundred thousand files paths take longer than looking for them."""
    if may_be_walked(path, root):
        yield from _names_below(path, _nobody)
    else:
        yield str(path)


def may_be_walked(path: Path, root: Path, notes: Path | None = None) -> bool:
    """True for a folder whose files may be sources; of those above the wiki and in it: where they are of its ``notes``."""
    if not stat.S_ISDIR(mode_of(path)):
        return False
    folder = Path(os.path.realpath(path))
    is_a_note = notes is not None and folder.is_relative_to(notes)
    return is_a_note or not _is_the_wikis(folder, root)


def _nobody(name: str) -> None:
    """For who does not ask what is passed over."""


def below(path: Path, passed_over: Callable[[str], object] = _nobody, but: Collection[Path] = ()) -> Iterator[Path]:
    """The files in a folder and in those below it, save the folders ``but``.

    ``passed_over`` is told the names of temporary and hidden ones.
    """
    yield from map(Path, _names_below(path, passed_over, but))


def _names_below(path: Path, passed_over: Callable[[str], object], but: Collection[Path] = ()) -> Iterator[str]:
    unreadable: list[str] = []
    for folder, folders, names in os.walk(path, onerror=lambda error: unreadable.append(str(error.filename))):
        if but:
            folders[:] = [name for name in folders if Path(os.path.realpath(folder), name) not in but]
        links = {name for name in folders if Path(folder, name).is_symlink()}
        for name in filter(TEMPORARY.search, sorted((*folders, *names))):
            if name != ".gitkeep":  # ours
                passed_over(f"{name}/" if name in folders else name)
        folders[:] = sorted(name for name in folders if name not in links and not TEMPORARY.search(name))
        found = sorted(name for name in (*names, *links) if not TEMPORARY.search(name) and not signed_by(name))
        yield from (os.path.join(folder, name) for name in found)  # noqa: PTH118 (as above)
    yield from unreadable


def place_of(path: Path, root: Path) -> str | None:
    """``path`` from the wiki root, or None when it lies elsewhere; the last part may be a link and stays one."""
    real = Path(os.path.realpath(path.parent)) / path.name
    try:
        return real.relative_to(root).as_posix()
    except ValueError:
        return None


def _is_the_wikis(folder: Path, root: Path) -> bool:
    """True for the wiki's root, the folders above it, and those in it that are not for sources."""
    return root.is_relative_to(folder) or (folder.is_relative_to(root) and not folder.is_relative_to(root / "sources"))


def mode_of(path: Path) -> int:
    """Kind and permissions, of a link itself; 0 where there is nothing to be seen."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def check_folders(root: Path, path: str) -> None:
    """Raise SourceError where a link, or a file, stands where ``path`` has a folder: who writes there is led out."""
    if (folder := no_real_folder(root, path)) is not None:
        raise SourceError("folder_is_a_link", f"{folder}/ is no real folder", "make it one, and put the files there")
