"""What a power cut leaves: only what was synced is sure to be there.

Two models of it:

- *contents*: every name is there, but a file that was written and not synced afterwards is empty.
- *names*: besides, a name that was made, moved or taken away is sure only once its folder was synced (POSIX promises no
  more; ext4, XFS and Btrfs keep more). A rename is one thing: it has happened or has not, in both folders. Lost is every
  such act, or, by chance, some of them: acts on the same name keep their order, others do not.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterable
from pathlib import Path

from faults.torture.shim import Call

_Names = dict[str, int]
_Act = dict[str, int | None]
"""What one act makes of the names it touches: the inode each has then, None when it is gone."""


def cut_contents(root: Path, calls: Iterable[Call]) -> None:
    """Empty every file below ``root`` whose bytes were never synced."""
    unsynced = _unsynced(calls)
    for file in _all(root):
        if file.is_file() and not file.is_symlink() and file.stat().st_ino in unsynced:
            os.truncate(file, 0)


def cut_names(root: Path, grave: Path, before: _Names, calls: Iterable[Call], chance: random.Random | None) -> None:
    """Take back the acts on names that were never synced: all, or by ``chance`` some.

    ``before`` is what ``names`` said at first; ``grave`` has the files that lost a name, by inode.
    """
    _rebuild(root, grave, kept_names(before, calls, chance))


def kept_names(before: _Names, calls: Iterable[Call], chance: random.Random | None) -> _Names:
    """The names that are there after a power cut, and their inodes."""
    disk, pending = _durable(before, calls)
    if chance is not None:
        _apply(disk, _some(pending, chance))
    return disk


def names(root: Path) -> _Names:
    """Every name below ``root`` and its inode."""
    return {str(path): path.lstat().st_ino for path in _all(root)}


def _unsynced(calls: Iterable[Call]) -> set[int]:
    unsynced: set[int] = set()
    for call in calls:
        if call.failed:
            continue
        if call.kind in ("write", "truncate"):
            unsynced.add(call.inode)
        elif call.kind in ("fsync", "create"):  # a new file may have the inode of one that is gone
            unsynced.discard(call.inode)
    return unsynced


def _durable(before: _Names, calls: Iterable[Call]) -> tuple[_Names, list[_Act]]:
    """What is surely on disk, and the acts that may be there or not, in order."""
    disk, now, pending = dict(before), dict(before), list[_Act]()
    for call in calls:
        if call.failed:
            continue
        if call.kind == "fsync":
            synced, pending = _parted(pending, call.path)
            _apply(disk, synced)
        elif act := _act(call, now):
            _apply(now, [act])
            pending.append(act)
    return disk, pending


def _act(call: Call, now: _Names) -> _Act:
    match call.kind:
        case "create" | "mkdir":
            return {call.path: call.inode}
        case "link":
            return {call.other: now[call.path]}
        case "rename":
            return {call.path: None, call.other: now[call.path]}
        case "exchange":
            return {call.path: now[call.other], call.other: now[call.path]}
        case "unlink" | "rmdir":
            return {call.path: None}
    return {}


def _parted(pending: list[_Act], folder: str) -> tuple[list[_Act], list[_Act]]:
    """The acts that a sync of ``folder`` makes sure, with all they build upon, and the others."""
    sure: set[str] = set()
    synced, others = [], []
    for act in reversed(pending):
        if any(path in sure or path.rpartition("/")[0] == folder for path in act):
            sure.update(act)
            synced.append(act)
        else:
            others.append(act)
    return synced[::-1], others[::-1]


def _some(pending: list[_Act], chance: random.Random) -> list[_Act]:
    """Some of the acts; none that builds upon one which is left out."""
    lost: set[str] = set()
    kept = []
    for act in pending:
        if any(path in lost for path in act) or chance.random() < 0.5:
            lost.update(act)
        else:
            kept.append(act)
    return kept


def _apply(names: _Names, acts: Iterable[_Act]) -> None:
    for act in acts:
        for path, inode in act.items():
            if inode is None:
                names.pop(path, None)
            else:
                names[path] = inode


def _rebuild(root: Path, grave: Path, disk: _Names) -> None:
    """Make the names below ``root`` those of ``disk``; files that have none any more come out of ``grave``."""
    there = names(root)
    for path, inode in there.items():
        kept = grave / str(inode)
        if not Path(path).is_dir() and not kept.exists():
            os.link(path, kept, follow_symlinks=False)
    for path, inode in sorted(there.items(), reverse=True):
        if disk.get(path) != inode or not _reachable(path, root, disk):
            _drop(Path(path))
    for path, inode in sorted(disk.items()):
        if os.path.lexists(path) or not _reachable(path, root, disk):
            continue
        if (grave / str(inode)).exists():
            os.link(grave / str(inode), path, follow_symlinks=False)
        else:
            Path(path).mkdir()


def _reachable(path: str, root: Path, disk: _Names) -> bool:
    """True when every folder on the way is there too."""
    folder = path.rpartition("/")[0]
    return folder == str(root) or (folder in disk and _reachable(folder, root, disk))


def _drop(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _all(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))
