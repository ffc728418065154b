"""From a file somebody names to a Source: its place in ``sources/``, its bytes in the spool, its text with anchors.

A file outside ``sources/`` is copied in under a safe name, never over another. A source that is there stays untouched.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curator.errors import SourceError
from curator.manifest import Manifest
from curator.repository import Arrival, Repository
from curator.runtime import Spooled
from curator.source import FORMATS, Source

_TEMPORARY = re.compile(
    r"^\.|^~|~$|^#.*#$|^~\$|^\.?syncthing\.|\.(tmp|part|partial|crdownload|download|swp|swx|icloud|!sync)$"
    r"|^(thumbs\.db|desktop\.ini)$",
    re.IGNORECASE,
)


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


def files_below(paths: Iterable[Path]) -> Iterator[Path]:
    """The files named, and those in folders named, in order; temporary names in folders are passed over."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not _TEMPORARY.search(name))
                yield from (Path(folder, name) for name in sorted(names) if not _TEMPORARY.search(name))
        else:
            yield path


def shown(path: str | Path) -> str:
    """A file's name as it may be printed: no control characters, no bytes that are no text."""
    return "".join(c if c.isprintable() else f"\\x{ord(c) & 0xFF:02x}" for c in str(path))


def look_at(path: Path, repository: Repository, manifest: Manifest, most_bytes: int) -> Incoming:
    """Spool the file at ``path`` and decide its place. Raises SourceError when it can be no source."""
    root, inside = repository.root, _inside(path, repository.root)
    if inside is not None and not inside.startswith("sources/"):
        raise SourceError(
            "source_inside_wiki", f"{shown(inside)!r} is a file of the wiki itself", "sources lie in sources/"
        )
    if inside is not None:
        _check_name(inside)
    source_format = FORMATS.get(path.suffix.lower())
    if source_format is None and not path.is_symlink() and path.is_file():
        raise SourceError(
            "format_unknown",
            f"{shown(path.name)!r}: no reader for {path.suffix or 'files without a suffix'}",
            f"these are read: {' '.join(sorted(FORMATS))}",
        )
    spooled = repository.runtime.spool(path, shown(inside or path), manifest.hash_algorithm, most_bytes)
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
    """Put the spooled bytes of a file from elsewhere into ``sources/``; ``link`` never goes over another file."""
    target = root / incoming.path
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".curator-{os.getpid()}~")
    temporary.write_bytes(incoming.spooled.file.read_bytes())
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise SourceError("source_in_the_way", f"{incoming.path} appeared meanwhile", "ingest it again") from None
    finally:
        temporary.unlink(missing_ok=True)


def _inside(path: Path, root: Path) -> str | None:
    """``path`` from the wiki root, or None when it lies elsewhere; the last part may be a link and stays one."""
    real = path.parent.resolve() / path.name
    try:
        return real.relative_to(root).as_posix()
    except ValueError:
        return None


def _check_name(path: str) -> None:
    problem = ""
    if not path.isprintable() or any(0xD800 <= ord(c) <= 0xDFFF for c in path):
        problem = "has characters that cannot be printed"
    elif len(path.encode()) > 200:
        problem = "is longer than 200 bytes"
    elif any(c in path for c in '\\"<>|?*'):
        problem = 'has one of \\ " < > | ? *'
    elif _TEMPORARY.search(path.rsplit("/", 1)[-1]):
        problem = "is a temporary name"
    if problem:
        raise SourceError("source_name", f"the name {shown(path)!r} {problem}", "rename the file")


def _free_path(name: str, spooled: Spooled, root: Path, manifest: Manifest) -> str:
    """A safe path in ``sources/`` for a file called ``name``: its own when free or the same bytes, else numbered."""
    safe = safe_name(name)
    stem, dot, suffix = safe.rpartition(".")
    for number in range(1, 10_000):
        path = f"sources/{safe}" if number == 1 else f"sources/{stem}-{number}{dot}{suffix}"
        if manifest.has(path, spooled.digest) or not (root / path).exists():
            return path
        if not (root / path).is_symlink() and (root / path).read_bytes() == spooled.file.read_bytes():
            return path
    raise SourceError("source_name", f"10,000 files are called like {safe!r}", "rename the file")


def safe_name(name: str) -> str:
    """``name`` without what file systems, git or markdown stumble over; the suffix stays."""
    plain = "".join(c if c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF else "-" for c in name)
    plain = re.sub(r'[\\/:*?"<>|#%]+', "-", unicodedata.normalize("NFC", plain))
    stem, dot, suffix = plain.strip(" .-~").rpartition(".")
    stem = stem.encode()[:120].decode("utf-8", "ignore").strip(" .-") or "source"
    return f"{stem}{dot}{suffix.lower()}"
