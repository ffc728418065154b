"""git's index of a copied work tree, made to know the copies, as ``git update-index --refresh`` does it."""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from pathlib import Path

_HEAD = struct.Struct(">4sLL")
_KNOWN = struct.Struct(">10L")
"""Of a file: ctime, mtime (both with nanoseconds), device, inode, mode, user, group, size."""
_FLAGS = struct.Struct(">H")
_WORD = 0xFFFFFFFF
_DIGEST = 20


def refreshed(wiki: Path, copied: Path) -> bool:
    """Write the index of ``copied`` as that of ``wiki`` with what its own files are known by.

    False where git has to do it: where ``wiki`` has files that its index does not know as they are now, or what is not
    usual is in it.
    """
    index = copied / ".git" / "index"
    try:
        data = bytearray(index.read_bytes())
    except OSError:
        return False
    magic, version, count = _HEAD.unpack_from(data)
    if (
        magic != b"DIRC"
        or version != 2
        or hashlib.sha1(data[:-_DIGEST], usedforsecurity=False).digest() != data[-_DIGEST:]
    ):
        return False
    at = _HEAD.size
    for _ in range(count):
        known = at + _KNOWN.size + _DIGEST
        (flags,) = _FLAGS.unpack_from(data, known)
        name = bytes(data[known + 2 : data.index(b"\0", known + 2)])
        if flags & 0x4000:
            return False  # has more flags, and its name begins elsewhere
        was, now = _seen(wiki, name), _seen(copied, name)
        if was is None or now is None or was != _KNOWN.unpack_from(data, at):
            return False
        _KNOWN.pack_into(data, at, *now)
        at += (_KNOWN.size + _DIGEST + 2 + len(name) + 8) // 8 * 8
    data[-_DIGEST:] = hashlib.sha1(data[:-_DIGEST], usedforsecurity=False).digest()
    index.write_bytes(data)
    return True


def _seen(folder: Path, name: bytes) -> tuple[int, ...] | None:
    try:
        about = os.lstat(os.fsencode(folder) + b"/" + name)
    except OSError:
        return None
    times = (*divmod(about.st_ctime_ns, 10**9), *divmod(about.st_mtime_ns, 10**9))
    own = stat.S_IFREG | (0o755 if about.st_mode & 0o100 else 0o644)
    mode = stat.S_IFLNK if stat.S_ISLNK(about.st_mode) else own
    return tuple(
        each & _WORD for each in (*times, about.st_dev, about.st_ino, mode, about.st_uid, about.st_gid, about.st_size)
    )
