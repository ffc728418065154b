"""What a folder is mounted from, by the kernel's own list, and which kinds of mounts are no place for a wiki's git."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

MOUNTINFO = Path("/proc/self/mountinfo")

_NETWORK = frozenset("nfs nfs4 cifs smb3 smbfs ncpfs afs ceph lustre beegfs gfs2 ocfs2 davfs coda".split())
_SHARED = frozenset("9p virtiofs drvfs vboxsf prl_fs vmhgfs".split())
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
    try:
        text = MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        return Mount("")
    return find(text, os.path.realpath(folder))


def find(mountinfo: str, path: str) -> Mount:
    """The mount of ``path`` by the lines of /proc/self/mountinfo: the deepest, of several at one point the last."""
    best = Mount("", "")
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        if not rest or len(fields.split(" ")) < 5:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), fields.split(" ")[4])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best.point):
            best = Mount(rest.split(" ")[0], point)
    return best


def synced_by(folder: Path) -> str:
    """The part of the path that shows that a program copies this folder elsewhere; empty when none does."""
    return next((part for part in Path(os.path.realpath(folder)).parts if _SYNCED.fullmatch(part)), "")
