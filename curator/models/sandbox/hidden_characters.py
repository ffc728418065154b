"""The characters that only hide things, by the table that the reader in the sandbox takes them out by."""

from __future__ import annotations

import re
from functools import cache

from curator.models.sandbox.process import SANDBOX


@cache
def hidden_characters() -> re.Pattern[str]:
    """Finds one of them: what the reader leaves in a source, a page may say, and nothing else."""
    lines = (SANDBOX / "hidden_characters.txt").read_text("ascii").splitlines()
    ranges = (line.split()[0].split("-") for line in lines if not line.startswith("#"))
    return re.compile(f"[{''.join(f'{chr(int(first, 16))}-{chr(int(last, 16))}' for first, last in ranges)}]")
