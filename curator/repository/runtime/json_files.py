"""Small JSON files, one a source, in a folder of the runtime folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.system import atomic


def name_of(source: str) -> str:
    """The file name that stands for a source, whatever bytes its own has."""
    return hashlib.sha256(source.encode("utf-8", "surrogateescape")).hexdigest()[:24]


@dataclass(frozen=True)
class KeyedJsonFiles:
    """The files in ``folder``; ``keys`` are those that each has besides its ``source``."""

    folder: Path
    keys: frozenset[str] = frozenset()

    def put(self, value: Mapping[str, Any]) -> None:
        """Write ``value``, in the place of the one that its source has."""
        self.folder.mkdir(parents=True, exist_ok=True)
        # As ASCII: a file's name may have bytes that are no UTF-8, and those can be written as escapes only.
        atomic.write(self._file(value["source"]), json.dumps(value, indent=1).encode("ascii"))

    def drop(self, source: str) -> None:
        self._file(source).unlink(missing_ok=True)

    def all(self) -> list[dict[str, Any]]:
        """All values; a file that a crash has torn, or that somebody else has put there, is passed over."""
        return [value for _, value in self._found()]

    def take(self) -> list[dict[str, Any]]:
        """All values; their files are removed."""
        found = list(self._found())
        for file, _ in found:
            file.unlink(missing_ok=True)
        return [value for _, value in found]

    def _found(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        for file in sorted(self.folder.glob("*.json")):
            try:
                value = json.loads(file.read_text("utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(value, dict) and value.keys() >= {"source", *self.keys}:
                yield file, value

    def _file(self, source: str) -> Path:
        return self.folder / f"{name_of(source)}.json"
