"""From a file somebody names to a Source: its place in ``sources/``, its bytes in the spool, its text with anchors.

A file outside ``sources/`` is copied in under a safe name, never over another. A source that is there stays untouched.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curator.errors import SourceError
from curator.filenames import TEMPORARY, check_name, safe_name, shown
from curator.manifest import Manifest
from curator.repository import Repository
from curator.source import FORMATS, Source
from curator.spool import Spooled
from curator.transaction import Arrival


@dataclass(frozen=True)
class Incoming:
    """A file on its way in: where it will be in the wiki, and whether it is to be copied there."""

    path: str
    spooled: Spooled
    format: str
    copied_from: Path | None

    @property
    def arrival(self) -> Arrival:
        return Arrival(self.path, self.spooled)


def files_below(paths: Iterable[Path], root: Path) -> Iterator[Path]:
    """The files named, and those in folders named, in order; temporary names in folders are passed over.

    A folder that cannot be listed, one that is a link, and one of the wiki's other than ``sources/`` are handed on as
    they are: ``look_at`` says what is wrong with them.
    """
    for path in paths:
        if stat.S_ISDIR(_mode(path)) and not _is_the_wikis(Path(os.path.realpath(path)), root):
            yield from _below(path)
        else:
            yield path


def _below(path: Path) -> Iterator[Path]:
    unreadable: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=lambda error: unreadable.append(Path(error.filename))):
        links = {name for name in folders if Path(folder, name).is_symlink()}
        folders[:] = sorted(name for name in folders if name not in links and not TEMPORARY.search(name))
        found = sorted(name for name in (*names, *links) if not TEMPORARY.search(name))
        yield from (Path(folder, name) for name in found)
    yield from unreadable


def look_at(path: Path, repository: Repository, manifest: Manifest, most_bytes: int) -> Incoming:
    """Spool the file at ``path`` and decide its place. Raises SourceError when it can be no source."""
    root, inside = repository.root, place_of(path, repository.root)
    if stat.S_ISDIR(_mode(path)) and root.is_relative_to(os.path.realpath(path)):
        raise SourceError(
            "source_inside_wiki", "it is a folder with the wiki in it", "name a file, or the folder sources/"
        )
    if inside is not None and not inside.startswith("sources/"):
        raise SourceError(
            "source_inside_wiki", "it belongs to the wiki itself", "sources lie in sources/, or outside of the wiki"
        )
    if inside is not None:
        check_name(inside)
    source_format = FORMATS.get(path.suffix.lower())
    if source_format is None and stat.S_ISREG(_mode(path)):
        raise SourceError(
            "format_unknown",
            f"there is no reader for {shown(path.suffix) or 'files without a suffix'}",
            f"make it one of {' '.join(sorted(FORMATS))}",
        )
    spooled = repository.runtime.spool(path, manifest.hash_algorithm, most_bytes)
    if inside is not None:
        return Incoming(inside, spooled, source_format or "text", None)
    return Incoming(_free_path(path.name, spooled, root, manifest), spooled, source_format or "text", path)


def read(incoming: Incoming, authority: str, most_chars: int) -> Source:
    """The source with its text, read in the jail. Raises SourceError."""
    from curator import sandbox

    with incoming.spooled.open() as stream:
        document, level = sandbox.read(stream, format=incoming.format, name=incoming.path, max_chars=most_chars)
    return Source(incoming.path, incoming.spooled.digest, document, incoming.format, authority, level)


def copy_in(incoming: Incoming, root: Path) -> None:
    """Put the spooled bytes of a file from elsewhere into ``sources/``, never over another file."""
    target = root / incoming.path
    if target.parent.is_symlink() or (target.parent.exists() and not target.parent.is_dir()):
        raise SourceError("folder_is_a_link", "sources/ is no real folder", "make it one, and put the files there")
    if _holds(target, incoming.spooled):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".curator-{os.getpid()}~")
    try:
        shutil.copyfile(incoming.spooled.file, temporary)
        _give_name(temporary, target)
    except FileExistsError:
        raise SourceError(
            "source_in_the_way", f"another {incoming.path} appeared meanwhile", "ingest it again"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def _give_name(temporary: Path, target: Path) -> None:
    """As a rename, but never over a file that appeared meanwhile. Raises FileExistsError."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        # The file system has no hard links.
        with target.open("xb") as file:
            file.write(temporary.read_bytes())


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


def _mode(path: Path) -> int:
    """Kind and permissions, of a link itself; 0 where there is nothing to be seen."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _holds(file: Path, spooled: Spooled) -> bool:
    """True when ``file`` is a plain one with exactly the spooled bytes."""
    mode = _mode(file)
    if not stat.S_ISREG(mode) or file.stat().st_size != spooled.size:
        return False
    return file.read_bytes() == spooled.file.read_bytes()


def _free_path(name: str, spooled: Spooled, root: Path, manifest: Manifest) -> str:
    """A safe path in ``sources/`` for a file called ``name``: its own when free or the same bytes, else numbered."""
    safe = safe_name(name)
    stem, dot, suffix = safe.rpartition(".")
    for number in range(1, 10_000):
        path = f"sources/{safe}" if number == 1 else f"sources/{stem}-{number}{dot}{suffix}"
        if manifest.has(path, spooled.digest) or not _mode(root / path) or _holds(root / path, spooled):
            return path
    raise SourceError("source_name", f"10,000 files are called like {safe!r}", "rename it")
