"""Texts that were read out of sources, kept by the hash of the bytes: so proofs can be shown again without the jail.

They are a cache: whoever deletes them has them read anew. So are those that other readers have read, see ``READER``.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.system import atomic
from curator.wiki.sources.formats import READER

MOST_BYTES = 1_000_000_000
"""Of all of them, compressed; a book has about 300,000."""


@dataclass(frozen=True)
class KeptTexts:
    """The files in ``folder``, one for each content and format."""

    folder: Path

    def get(self, digest: str, format: str, *, of_any_reader: bool = False) -> Mapping[str, Any] | None:
        """What the reader said of the bytes with this digest; None where it is not kept, or torn, or another reader's."""
        try:
            value = json.loads(zlib.decompress(self._file(digest, format).read_bytes()))
        except (OSError, ValueError, zlib.error, RecursionError):
            return None
        is_ours = isinstance(value, dict) and (of_any_reader or value.get("reader") == READER)
        return value if is_ours else None

    def put(self, digest: str, format: str, said: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        data = json.dumps({"reader": READER, **said}, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )
        atomic.write(self._file(digest, format), zlib.compress(data))

    def prune(self, most: int = MOST_BYTES) -> None:
        """Drop the oldest until the others have ``most`` bytes at most."""
        total = 0
        with suppress(OSError):  # there is none yet, or another process is at it
            files = [(about.st_mtime_ns, about.st_size, file) for file in self.files() if (about := file.stat())]
            for _, size, file in sorted(files, reverse=True):
                total += size
                if total > most:
                    file.unlink()

    def files(self) -> list[Path]:
        """One for each text."""
        return sorted(self.folder.glob("*.z"))

    def of_others(self, digests: Collection[str]) -> list[Path]:
        """Those of bytes that have none of these digests; where no digest is of their algorithm they may be any's."""
        known = {digest.replace(":", "-") for digest in digests}
        algorithms = {digest.partition(":")[0] for digest in digests}
        names = ((file, file.name.partition(".")[0]) for file in self.files())
        return [file for file, name in names if name not in known and name.partition("-")[0] in algorithms]

    def _file(self, digest: str, format: str) -> Path:
        return self.folder / f"{digest.replace(':', '-')}.{format}.z"
