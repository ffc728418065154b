"""What two titles share that differ by little: a space, or the order of their words."""

from __future__ import annotations

import re

from curator.wiki.pages.names import name_key

_SHORTEST = 6
_DIGIT = re.compile(r"\d")


def keys(title: str) -> tuple[str, str]:
    """A title without its spaces, and its words in alphabetical order; each empty where it would tell nothing."""
    key = name_key(title)
    return _glued(key), _in_order(key)


def _glued(key: str) -> str:
    """Empty for a short one, and where numbers would run together."""
    return "" if len(key) < _SHORTEST or _DIGIT.search(key) else key.replace(" ", "")


def _in_order(key: str) -> str:
    """Empty for a single word."""
    words = key.split(" ")
    return " ".join(sorted(words)) if len(words) > 1 else ""
