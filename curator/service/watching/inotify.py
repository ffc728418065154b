"""What Linux says of its watches: which folders it watches for this process, and how many it allows.

watchdog does not say when a watch could not be set; the kernel does, in /proc.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from curator.system.filenames import TEMPORARY

_PROC = Path("/proc")
_WATCH = re.compile(rb"^inotify wd:\S+ ino:([0-9a-f]+)", re.MULTILINE)
_LIMITS = {
    # The second is that of a container; on the machine itself they are one number.
    "watches": ("fs/inotify/max_user_watches", "user/max_inotify_watches"),
    "instances": ("fs/inotify/max_user_instances", "user/max_inotify_instances"),
}


def watched() -> set[int] | None:
    """The inodes of the folders that are watched for this process; None where the system does not tell."""
    try:
        descriptors = list((_PROC / "self" / "fd").iterdir())
    except OSError:
        return None
    found: set[int] = set()
    for descriptor in descriptors:
        try:
            if descriptor.readlink().name.endswith("inotify"):
                about = (_PROC / "self" / "fdinfo" / descriptor.name).read_bytes()
                found.update(int(inode, 16) for inode in _WATCH.findall(about))
        except OSError:
            continue
    return found


def folders_in(folder: Path) -> set[int]:
    """The inodes of ``folder`` and of those below it that can be looked into and are not temporary."""
    found, waiting = set(), [str(folder)]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as entries:
                waiting += [entry.path for entry in entries if _is_folder(entry)]
            # Not the inode in the entry: that is what lies under a mount.
            found.add(os.lstat(path).st_ino)
        except OSError:
            continue
    return found


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not TEMPORARY.search(entry.name)


def limit(of: str) -> tuple[str, int] | None:
    """The setting that allows so many ``watches`` or ``instances`` to a user, and its value."""
    found = []
    for path in _LIMITS[of]:
        try:
            found.append((path.replace("/", "."), int((_PROC / "sys" / path).read_text())))
        except (OSError, ValueError):
            continue
    return min(found, key=lambda setting: setting[1], default=None)


def limits() -> tuple[tuple[str, int] | None, ...]:
    """All of them, to be compared: after a change it is worth another try."""
    return tuple(limit(of) for of in _LIMITS)


def refusal(error: Exception) -> str:
    """Why no watch at all could be set, in words."""
    of = {errno.ENOSPC: "watches", errno.EMFILE: "instances"}.get(getattr(error, "errno", None) or 0)
    return hint(of) if of else getattr(error, "strerror", None) or str(error)


def hint(of: str) -> str:
    """What the operator can do about a limit that was reached."""
    setting = limit(of)
    if setting is None:
        return f"the system allows no more {of}"
    name, value = setting
    return f"all programs of a user share {name} = {value}: raise it with 'sysctl {name}={max(2 * value, 8192)}'"
