"""The invisible characters that may hide text: one table for the reader in the sandbox, the wall and lint."""

from __future__ import annotations

import re
from functools import cache

from curator.models.sandbox.process import SANDBOX


@cache
def hidden_characters() -> re.Pattern[str]:
    """Matches one hidden character: what the reader removes from a source, a page must not have."""
    lines = (SANDBOX / "hidden_characters.txt").read_text("ascii").splitlines()
    ranges = (line.split()[0].split("-") for line in lines if not line.startswith("#"))
    return re.compile(f"[{''.join(f'{chr(int(first, 16))}-{chr(int(last, 16))}' for first, last in ranges)}]")
