"""An export on disk: what differs is written, what only an earlier export had is removed, and nothing else."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from curator.errors import ConfigError
from curator.packs.exporting.pack_export import PackExport
from curator.system import atomic
from curator.system.filenames import printable

_RUNS = "compile-*.json"


@dataclass(frozen=True)
class ExportChange:
    """What an export changes in its folder, by path."""

    written: tuple[str, ...]
    removed: tuple[str, ...]


def change_of(pack: PackExport, folder: Path, wiki: Path) -> ExportChange:
    """What writing ``pack`` into ``folder`` would change. Raises ConfigError where that is no place for it."""
    place = Path(os.path.realpath(folder))
    if place == wiki or place.is_relative_to(wiki):
        said = f"{printable(folder)} is inside the wiki itself"
        raise ConfigError("inside_wiki", said, "name a folder beside it: an export never touches the wiki's files")
    earlier = _earlier(place)
    if place.exists() and (not place.is_dir() or (earlier is None and any(place.iterdir()))):
        said = f"{printable(folder)} is there and no export of curator's"
        raise ConfigError("already_there", said, "name a new folder, or one that was exported into before")
    for path in pack.files:
        _inside(place, path)
    written = (path for path, data in pack.files.items() if _bytes_at(place / path) != data)
    removed = (path for path in earlier or () if path not in pack.files and (place / path).is_file())
    return ExportChange(tuple(written), tuple(removed))


def write(pack: PackExport, folder: Path, change: ExportChange) -> None:
    """Make the change; the run that names all files comes last, so that a broken-off export is finished by the next one.

    Raises ConfigError where the folder cannot be written to.
    """
    try:
        _write(pack, folder, change)
    except OSError as error:
        said = f"{printable(error.filename or folder)} cannot be written: {error.strerror}"
        raise ConfigError("export_unwritable", said, "name a folder that may be written to") from error


def _write(pack: PackExport, folder: Path, change: ExportChange) -> None:
    for path in sorted(change.written, key=lambda path: path == pack.run):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # Not synced one by one, which takes a minute for 10,000 pages: what a power cut spoils the next export mends.
        temporary = file.with_name(f".{file.name}.{atomic.writer()}")
        temporary.write_bytes(pack.files[path])
        temporary.replace(file)
    for path in change.removed:
        atomic.remove(folder / path)
        _prune(folder, PurePosixPath(path).parent)


def _earlier(place: Path) -> set[str] | None:
    """The files that earlier exports made, by their runs; None where there was none."""
    found: set[str] | None = None
    for file in sorted((place / "runs").glob(_RUNS)):
        try:
            run = json.loads(file.read_text("utf-8"))
            if run["compiler"]["tool"] != "curator":
                continue
            paths = {str(each["path"]) for each in run["outputs"]}
        except (OSError, ValueError, LookupError, TypeError):
            continue
        found = (found or set()) | {path for path in paths if _is_inside(place, path)}
    return found


def _inside(place: Path, path: str) -> None:
    if not _is_inside(place, path):
        raise ConfigError(
            "outside_export", f"{printable(path)} would lie outside of the export", "take the links out of it"
        )


def _is_inside(place: Path, path: str) -> bool:
    """True when no part of the way to the file is a link, and none leads up."""
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts:
        return False
    return not any(place.joinpath(*parts[: depth + 1]).is_symlink() for depth in range(len(parts)))


def _bytes_at(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _prune(folder: Path, below: PurePosixPath) -> None:
    """Take away the folders that have become empty."""
    while below.parts:
        try:
            (folder / below).rmdir()
        except OSError:
            return
        below = below.parent
