"""The invisible characters that may hide text: one table for the reader in the sandbox, the wall and lint."""

from __future__ import annotations

import re
from functools import cache

from curator.models.sandbox.process import SANDBOX


@cache
def hidden_characters() -> re.Pattern[str]:
    """Matches one hidden character: what the reader removes from a source, a page must not have."""
    always, stray = [], []
    for line in (SANDBOX / "hidden_characters.txt").read_text("ascii").splitlines():
        span, fate, *_ = line.split()
        if line.startswith("#"):
            continue
        if fate.startswith("stray:"):
            behind, _, before = fate.removeprefix("stray:").partition("/")
            stray.append(f"(?<![{_spans(behind)}])[{_spans(span)}]{f'(?![{_spans(before)}])' if before else ''}")
        else:
            always.append(_spans(span))
    return re.compile("|".join([f"[{''.join(always)}]", *stray]))


def _spans(written: str) -> str:
    """``200C-200D,FE0F-FE0F`` as a character class of a pattern, without its brackets."""
    ends = (span.split("-") for span in written.split(","))
    return "".join(f"{chr(int(first, 16))}-{chr(int(last, 16))}" for first, last in ends)
