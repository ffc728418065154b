"""Digests of sources, ``<algo>:<hex>``, by the algorithms of the standard: sha256, sha512 and blake3 (AIP-10, sources).

blake3 is not in Python; the package of that name comes with the extra ``curate-wiki[blake3]``.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Protocol

from curator.errors import ConfigError, WikiError

HASHES = ("sha256", "sha512", "blake3")
"""The algorithms of the standard, as ``sources.hashAlgo`` names them."""
_CHUNK = 1 << 20


class Hasher(Protocol):
    """What hashlib's objects can do, as far as it is used here."""

    def update(self, data: bytes, /) -> object: ...

    def hexdigest(self) -> str: ...


def new(algorithm: str) -> Hasher:
    """A hasher without bytes. Raises WikiError for what is no algorithm, ConfigError for one that is not installed."""
    check(algorithm)
    if algorithm != "blake3":
        return hashlib.new(algorithm)
    try:
        # Only here: most wikis never need it, and it need not be there.
        from blake3 import blake3
    except ImportError as error:
        raise ConfigError(
            "hash_unavailable",
            f"hashAlgo: {algorithm!r} needs the package blake3, which is not installed",
            "pip install 'curate-wiki[blake3]'; or choose sha256 as sources.hashAlgo of KNOWLEDGE.md",
        ) from error
    return blake3()


def check(algorithm: str) -> None:
    """Raise WikiError for what is no algorithm of the standard."""
    if algorithm not in HASHES:
        raise WikiError(
            "hash_unknown",
            f"hashAlgo: {algorithm!r}; wanted: one of {', '.join(HASHES)}",
            "mend sources.hashAlgo of KNOWLEDGE.md, or hashAlgo of _manifest.json ('git log -- _manifest.json')",
        )


def is_there(algorithm: str) -> bool:
    """True when digests by ``algorithm`` can be computed here."""
    try:
        return new(algorithm) is not None
    except (WikiError, ConfigError):
        return False


def of(data: bytes, algorithm: str) -> str:
    """``<algo>:<hex>`` of ``data``. Raises as ``new`` does."""
    hasher = new(algorithm)
    hasher.update(data)
    return f"{algorithm}:{hasher.hexdigest()}"


def of_stream(stream: BinaryIO, algorithm: str) -> str:
    """``<algo>:<hex>`` of what is left to read of ``stream``. Raises as ``new`` does."""
    hasher = new(algorithm)
    while chunk := stream.read(_CHUNK):
        hasher.update(chunk)
    return f"{algorithm}:{hasher.hexdigest()}"


def fits(digest: str, data: bytes) -> bool:
    """True when ``data`` are the bytes of ``digest`` (``<algo>:<hex>``). Raises as ``new`` does."""
    return of(data, digest.partition(":")[0]) == digest


def is_of_file(digest: str, file: Path) -> bool:
    """True when ``file`` is a plain one with the bytes of ``digest``; False where that cannot be computed."""
    algorithm = digest.partition(":")[0]
    return is_there(algorithm) and digest_of(file, algorithm) == digest


def stamp(seen: os.stat_result) -> str:
    """Size, times and inode of a file: while these are the same, so are its bytes."""
    return f"{seen.st_size} {seen.st_mtime_ns} {seen.st_ctime_ns} {seen.st_ino}"


_TICK = 1_000_000_000
"""Nanoseconds: no file system has a coarser clock for what it writes now."""


def digest_of(
    file: Path | str,
    algorithm: str,
    known: Callable[[str], str | None] = lambda stamp: None,
    keep: Callable[[str, str], object] = lambda stamp, digest: None,
    now: Callable[[], int] = time.time_ns,
) -> str | None:
    """``<algo>:<hex>`` of a plain file's bytes; None where there is none. Raises as ``digest.new`` does.

    ``known`` tells the digest that is kept under a stamp, ``keep`` takes a stamp and its digest. A file is hashed anew when
    its size, its times or its inode are others. What changed just ``now`` (nanoseconds) may change once more within one
    tick of the clock, so its digest is not kept.
    """
    try:
        seen = os.lstat(file)
        if not stat.S_ISREG(seen.st_mode):
            return None
        at = now()
        mark = f"{algorithm} {stamp(seen)}"
        if (kept := known(mark)) is not None:
            return kept
        with open(file, "rb") as stream:  # noqa: PTH123 (a path is made of thousands of them otherwise)
            found = of_stream(stream, algorithm)
    except OSError:
        return None
    if at - max(seen.st_mtime_ns, seen.st_ctime_ns) > _TICK:
        keep(mark, found)
    return found
