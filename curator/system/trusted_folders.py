"""The repositories whose own settings this user lets count: a list kept outside of them, by path and owner.

``~/.config/curator/trusted`` has a line for each: the number of the git directory's owner, and its path. The variable
``CURATOR_TRUSTED`` names more, with ``:`` between, for machines that are set up by others: a wiki's folder or its git
directory, ``/srv/wikis/*`` for all that lie below, ``*`` for all there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from curator.system import atomic

VARIABLE = "CURATOR_TRUSTED"


def users_folder(environment: Mapping[str, str]) -> Path | None:
    """~/.config/curator; None where there is no home."""
    if folder := environment.get("XDG_CONFIG_HOME"):
        return Path(folder, "curator")
    return Path(home, ".config", "curator") if (home := environment.get("HOME")) else None


def is_trusted(directory: Path, environment: Mapping[str, str]) -> bool:
    """True when the user trusts the repository with this git directory, and its owner is the one that was trusted."""
    directory = directory.resolve()
    if any(_covers(entry, directory) for entry in environment.get(VARIABLE, "").split(os.pathsep)):
        return True
    return _line(directory) in _lines(environment)


def trust(directory: Path, environment: Mapping[str, str]) -> Path:
    """Write it down; gives the file. Raises OSError where there is no place for it."""
    file, line = _file(environment), _line(directory.resolve())
    if file is None:
        raise FileNotFoundError(2, "there is no home folder to write it down in")
    if line not in _lines(environment):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with file.open("a+b") as stream:
            end = stream.seek(0, os.SEEK_END)
            stream.seek(max(end - 1, 0))
            parted = b"" if stream.read(1) in (b"", b"\n") else b"\n"  # somebody's editor left the last line open
            stream.write(parted + f"{line}\n".encode("utf-8", "surrogateescape"))
    return file


def distrust(directory: Path, environment: Mapping[str, str]) -> None:
    """Take it off the list, whoever the owner was. Raises OSError."""
    file, path = _file(environment), str(directory.resolve())
    kept = [line for line in _lines(environment) if line.partition(" ")[2] != path]
    if file is not None and len(kept) != len(list(_lines(environment))):
        atomic.write(file, "".join(f"{line}\n" for line in kept).encode("utf-8", "surrogateescape"))


def _file(environment: Mapping[str, str]) -> Path | None:
    folder = users_folder(environment)
    return None if folder is None else folder / "trusted"


def _lines(environment: Mapping[str, str]) -> Iterator[str]:
    if (file := _file(environment)) is not None:
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            yield from file.read_text("utf-8", "surrogateescape").splitlines()


def _line(directory: Path) -> str:
    return f"{directory.stat().st_uid} {directory}"


def _covers(entry: str, directory: Path) -> bool:
    if entry == "*":
        return True
    if not entry.startswith("/"):
        return False
    if entry.endswith("/*"):
        return directory.is_relative_to(Path(entry[:-2]).resolve())
    return Path(entry).resolve() in (directory, directory.parent if directory.name == ".git" else directory)
