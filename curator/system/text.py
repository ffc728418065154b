"""Text for messages: shortened to a line, nouns in the plural."""

from __future__ import annotations


def shortened(text: str) -> str:
    """``text`` in quotes, on one line, at most 100 characters."""
    flat = " ".join(text.split())
    return repr(flat[:100] + "…" if len(flat) > 100 else flat)


def plural(number: int, noun: str, many: str = "") -> str:
    """``page`` for 1, else ``pages``; ``many`` is of a noun that has another ending."""
    return noun if number == 1 else many or f"{noun}s"


def counted(number: int, noun: str, many: str = "") -> str:
    """``1 page``, ``1,200 pages``."""
    return f"{number:,} {plural(number, noun, many)}"
