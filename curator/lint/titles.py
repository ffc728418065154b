"""What two titles share that differ by little: a space, or the order of their words."""

from __future__ import annotations

import re

from curator.names import name_key


def glued(title: str) -> str:
    """A title without its spaces; empty for one that is a single word, or where numbers would run together."""
    key = name_key(title)
    return "" if re.search(r"\d", key) or len(key) < 6 else key.replace(" ", "")


def in_order(title: str) -> str:
    """The words of a title in alphabetical order; empty for a single word."""
    words = name_key(title).split(" ")
    return " ".join(sorted(words)) if len(words) > 1 else ""
