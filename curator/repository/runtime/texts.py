"""Texts that were read out of sources, kept by the hash of the bytes: so proofs can be shown again without the jail.

They are a cache: whoever deletes them has them read anew.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.system import atomic


@dataclass(frozen=True)
class KeptTexts:
    """The files in ``folder``, one for each content and format."""

    folder: Path

    def get(self, digest: str, format: str) -> Mapping[str, Any] | None:
        """What the reader said of the bytes with this digest; None where it is not kept, or torn."""
        try:
            value = json.loads(zlib.decompress(self._file(digest, format).read_bytes()))
        except (OSError, ValueError, zlib.error, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def put(self, digest: str, format: str, said: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        data = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        atomic.write(self._file(digest, format), zlib.compress(data))

    def _file(self, digest: str, format: str) -> Path:
        return self.folder / f"{digest.replace(':', '-')}.{format}.z"
