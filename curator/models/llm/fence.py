"""Fences: data in a prompt stands between markers that the data itself cannot write (AIP-10, prompt injection)."""

from __future__ import annotations

import re
import secrets

_MARKER = re.compile(r"<(?=\s*/?\s*data\b)", re.IGNORECASE)


def fresh_nonce(*texts: str) -> str:
    """128 bits that occur in none of ``texts``."""
    while True:
        nonce = secrets.token_hex(16)
        if not any(nonce in text for text in texts):
            return nonce


def fenced(nonce: str, name: str, text: str, **about: str) -> str:
    """``text`` as data: inside a fence with this nonce, anything in it that looks like a fence neutralised."""
    said = "".join(f' {key}="{_attribute(value)}"' for key, value in about.items() if value)
    return f'<data id="{nonce}" name="{name}"{said}>\n{neutral(text)}\n</data id="{nonce}">'


def neutral(text: str) -> str:
    """``text`` with the bracket of anything that looks like a fence's marker replaced; quotes of it are still found."""
    return _MARKER.sub("‹", text)


def _attribute(value: str) -> str:
    return neutral(" ".join(value.split())).replace('"', "'")
