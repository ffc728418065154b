"""Files that git does not track, as found last: they are looked for again only when a folder has changed.

A file that comes or goes changes the time of its folder. To look at the times of folders takes nothing; to look for new
files among 100,000 takes git longer than to see which of those it knows have changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from curator.system import atomic

_TICK = 2 * 10**9
"""Nanoseconds within which a file system may give two changes the same time."""
_MANY = 1_000
"""Folders or files from which on nothing is kept."""


@dataclass(frozen=True)
class UntrackedFiles:
    """Those in ``folder``, but not in its ``sources/``."""

    kept: Path
    """The file that this is kept in; it goes for nothing where it is broken, or cannot be written."""
    folder: Path
    others: Sequence[Path]
    """Files that git goes by: which files it knows, and which it is to leave alone."""

    def found(self) -> list[str] | None:
        """What was found last, if it would be found now; else None."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(self.kept.read_bytes())
            if said["of"] == [str(self.folder), *map(str, self.others)]:
                times: dict[str, int] = said["times"]
                return list(said["found"]) if all(_time(path) == then for path, then in times.items()) else None
        return None

    def keep(self, found: Sequence[str], begun: int) -> None:
        """Keep what was ``found`` by a look that was ``begun`` then, unless something has changed since, or just before."""
        times: dict[str, int] = {}
        for path in (*map(str, self.others), *_folders(self.folder)):
            times[path] = _time(path)
            if times[path] > begun - _TICK or len(times) > _MANY or len(found) > _MANY:
                return
        value = {"of": [str(self.folder), *map(str, self.others)], "times": times, "found": list(found)}
        with suppress(OSError):
            atomic.write(
                self.kept, json.dumps(value).encode("ascii")
            )  # escaped: a name may have bytes that are no UTF-8


def _time(path: str) -> int:
    """Of its last change; 0 where there is nothing."""
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116 (a path for each folder would take longer than the look)
    except FileNotFoundError:
        return 0


def _folders(top: Path) -> Iterator[str]:
    """``top`` and all folders in it but those that are not looked into."""
    left = [str(top)]
    while left:
        folder = left.pop()
        yield folder
        if os.stat(folder).st_nlink == 2:  # noqa: PTH116 (of most file systems: no folder is in it)
            continue
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != ".git"]
        left += [path for path in found if path != str(top / "sources")]
