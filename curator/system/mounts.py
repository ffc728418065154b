"""What a folder is mounted from, by the kernel's own list, and which kinds of mounts are no place for a wiki's git."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MOUNTINFO = Path("/proc/self/mountinfo")

_NETWORK = frozenset("nfs nfs4 cifs smb3 smbfs ncpfs afs ceph lustre beegfs gfs2 ocfs2 gpfs pvfs2 davfs coda".split())
_SHARED = frozenset("9p virtiofs drvfs vboxsf prl_fs vmhgfs fakeowner".split())
_SYNCED = re.compile(
    r"(?i:dropbox|onedrive|google ?drive|nextcloud|owncloud|pcloud ?drive|syncthing|megasync)\b.*"
    r"|iCloud ?Drive.*|Mobile Documents|com~apple~CloudDocs|CloudStorage"
)


@dataclass(frozen=True)
class Mount:
    """Where a folder's files are kept."""

    kind: str
    """The type of the file system; empty where the system does not tell."""
    point: str = "/"

    @property
    def risk(self) -> str:
        """What is doubtful about it, in words; empty for a local file system."""
        if self.kind in _NETWORK:
            return f"a network file system ({self.kind})"
        if self.kind in _SHARED:
            return f"a folder of another system ({self.kind})"
        return f"a file system in user space ({self.kind})" if self.kind.startswith("fuse") else ""


def mount_of(folder: Path) -> Mount:
    """The mount that ``folder`` is on."""
    text = _list_of_mounts()
    return find(text, os.path.realpath(folder)) if text else Mount("")


def risk_in(folder: Path) -> str:
    """What is doubtful about the mount that ``folder`` is on, or about one somewhere below it; empty when nothing is."""
    mountinfo, path = _list_of_mounts(), os.path.realpath(folder)
    below = [mount for mount in _mounts(mountinfo) if mount.point.startswith(path.rstrip("/") + "/")]
    return next((mount.risk for mount in (find(mountinfo, path), *below) if mount.risk), "")


def find(mountinfo: str, path: str) -> Mount:
    """The mount of ``path`` by the lines of /proc/self/mountinfo: the deepest, of several at one point the last."""
    best = Mount("", "")
    for mount in _mounts(mountinfo):
        inside = path == mount.point or path.startswith(mount.point.rstrip("/") + "/")
        if inside and len(mount.point) >= len(best.point):
            best = mount
    return best


def _list_of_mounts() -> str:
    try:
        return MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""


def _mounts(mountinfo: str) -> Iterator[Mount]:
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        if rest and len(fields.split(" ")) >= 5:
            point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), fields.split(" ")[4])
            yield Mount(rest.split(" ")[0], point)


def synced_by(folder: Path) -> str:
    """The part of the path that shows that a program copies this folder elsewhere; empty when none does."""
    return next((part for part in Path(os.path.realpath(folder)).parts if _SYNCED.fullmatch(part)), "")
