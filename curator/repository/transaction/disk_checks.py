"""Whether a disk has the room, the rights and the abilities for what is to be written; asked before anything is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from curator.errors import Conflict

_SPARE = 1 << 20
"""Bytes that have to stay free for what git and the file system keep beside the files."""


def check_room(places: Mapping[Path, int]) -> None:
    """``places``: folders, and the bytes that are to be written there. Raises Conflict before a disk is full half-way."""
    for folder, size in places.items():
        room = os.statvfs(folder)
        free, needed = room.f_bavail * room.f_frsize, 3 * size + _SPARE
        if room.f_blocks and free < needed:
            said = f"there are {_mega(free)} free in {str(folder)!r}, and {_mega(needed)} are needed to be safe"
            raise Conflict("disk_full", said, "make room")


def check_rights(folders: Iterable[Path]) -> None:
    """Raises Conflict when a folder cannot be written to: by its permissions, or because all of its disk is read-only."""
    for folder in folders:
        if not os.access(folder, os.W_OK | os.X_OK):
            import shlex

            hint = (
                f"see whether its disk is mounted read-only, and who may write there: ls -ld {shlex.quote(str(folder))}"
            )
            raise Conflict("not_writable", f"{str(folder)!r} cannot be written to", hint)


def check_links(folders: Iterable[Path]) -> None:
    """Raises Conflict where a file cannot get a second name, by which a new page appears without ever being half there."""
    import secrets

    for folder in folders:
        name = folder / f".curator-{secrets.token_hex(6)}~"
        try:
            name.touch(exist_ok=False)
            os.link(name, name.with_suffix(".2~"))
        except OSError as error:
            raise no_links(folder, error) from error
        finally:
            for file in (name, name.with_suffix(".2~")):
                with suppress(OSError):
                    file.unlink()


def no_links(folder: Path, error: OSError) -> Conflict:
    return Conflict(
        "no_hard_links",
        f"files in {str(folder)!r} cannot get a second name: {error.strerror}",
        "keep the wiki on a file system with hard links (not FAT, not some network shares)",
    )


def _mega(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"
