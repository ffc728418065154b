"""What the files of a commit hold, as it compares them: their bytes, or of a big file its hash and where its bytes lie.

A wiki of 100,000 pages has an index of 20 MB. A commit looks at the old text, the new one and the file three times each;
none of that has to be in memory.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from curator.repository.git import trees


@dataclass(frozen=True)
class BigContent:
    """The bytes of a big file, known by their hash. Two are equal when their bytes are."""

    sha256: str
    size: int
    file: Path | None = field(default=None, compare=False)
    """Where they can be read; None for those that are only compared."""


Content = bytes | BigContent


def of_bytes(data: bytes) -> Content:
    """``data``, in the form in which contents are compared."""
    return data if len(data) <= trees.BIG else BigContent(hashlib.sha256(data).hexdigest(), len(data))


def of_stream(stream: IO[bytes], file: Path | None = None) -> Content:
    """What is left of ``stream``, which ``file`` goes on holding."""
    head = stream.read(trees.BIG + 1)
    if len(head) <= trees.BIG:
        return head
    found, size = hashlib.sha256(head), len(head)
    while more := stream.read(trees.BIG):
        found.update(more)
        size += len(more)
    return BigContent(found.hexdigest(), size, file)


def of_file(file: Path) -> Content:
    """What ``file`` holds, which stays as long as this is used."""
    with file.open("rb") as stream:
        return of_stream(stream, file)


def in_bytes(content: Content) -> bytes:
    """All of it."""
    if isinstance(content, bytes):
        return content
    assert content.file is not None  # noqa: S101 (only what was written is asked for)
    return content.file.read_bytes()


def write(content: Content, to: IO[bytes]) -> None:
    """Write it to an open file."""
    if isinstance(content, bytes):
        to.write(content)
        return
    assert content.file is not None  # noqa: S101 (only what was written is asked for)
    with content.file.open("rb") as stream:
        shutil.copyfileobj(stream, to, trees.BIG)


def sha256(content: Content) -> str:
    """Of its bytes."""
    return hashlib.sha256(content).hexdigest() if isinstance(content, bytes) else content.sha256
