"""Answers of models, saved by the key of their request: none is paid for twice."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.system import atomic


@dataclass(frozen=True)
class SavedReplies:
    """The files in ``folder``, one an answer."""

    folder: Path

    def get(self, key: str) -> dict[str, Any] | None:
        """The saved answer to the request with this key."""
        try:
            value = json.loads((self.folder / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def times(self, beginning: str) -> dict[str, int]:
        """The keys, of those that begin so, of all saved answers, each with when it was written, in nanoseconds."""
        found = {}
        for file in self.folder.glob(f"{beginning}-*.json"):
            with suppress(FileNotFoundError):  # another process drops it
                found[file.stem] = file.stat().st_mtime_ns
        return found

    def keep(self, key: str, reply: dict[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        # As ASCII: a reply may have half a character in it, which can be written as an escape only.
        atomic.write(self.folder / f"{key}.json", json.dumps(reply, indent=1).encode())

    def drop(self, key: str) -> None:
        (self.folder / f"{key}.json").unlink(missing_ok=True)

    def drop_all(self, beginning: str) -> None:
        """Drop the answers whose keys begin so."""
        for file in self.folder.glob(f"{beginning}-*.json"):
            file.unlink(missing_ok=True)

    def prune(self, beginning: str, keep: int) -> None:
        """Of the answers whose keys begin so, drop all but the newest ``keep``."""
        with suppress(FileNotFoundError):  # another process is at it
            files = [(file.stat().st_mtime_ns, file) for file in self.folder.glob(f"{beginning}-*.json")]
            for _, file in sorted(files, reverse=True)[keep:]:
                file.unlink()
