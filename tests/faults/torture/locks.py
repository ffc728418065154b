"""Locks as another git, or its user, may hold them: nobody takes them away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lock:
    """A lock file and what is in it."""

    path: str
    content: bytes

    @property
    def name(self) -> str:
        return f"{self.path} with {len(self.content)} bytes"

    def lay(self, root: Path) -> None:
        (root / ".git" / self.path).write_bytes(self.content)

    def stolen(self, root: Path) -> Iterator[str]:
        file = root / ".git" / self.path
        if not file.exists() or file.read_bytes() != self.content:
            yield f"{self.path} was taken away from its owner"

    def lift(self, root: Path) -> None:
        (root / ".git" / self.path).unlink(missing_ok=True)


LOCKS = tuple(
    Lock(path, content)
    for path in ("index.lock", "refs/heads/main.lock", "HEAD.lock")
    for content in (b"", b"1234\n", b"0123456789" * 4 + b"\n")
)
