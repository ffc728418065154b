"""Words for people to read: one line, bounded."""

from __future__ import annotations


def shortened(text: str) -> str:
    """``text`` in quotes, on one line, at most 100 characters."""
    flat = " ".join(text.split())
    return repr(flat[:100] + "…" if len(flat) > 100 else flat)


def plural(number: int, noun: str) -> str:
    """``page`` for 1, else ``pages``."""
    return noun if number == 1 else f"{noun}s"
