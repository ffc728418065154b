"""A checksum in a file that curator wrote, which shows whether somebody has changed the file since."""

from __future__ import annotations

import hashlib
import re
from typing import Literal

_MARK = re.compile(r"^.*curator-digest: ([0-9a-f]{64}).*\n", re.MULTILINE)

State = Literal["missing", "same", "outdated", "changed", "foreign"]


def marked(text: str, comment: str = "# {}", after: str = "") -> str:
    """``text`` with its digest in a comment, on top or behind the line ``after``."""
    line = comment.format(f"curator-digest: {_digest(text)}") + "\n"
    return text.replace(after, after + line, 1) if after else line + text


def state_of(there: str | None, wanted: str) -> State:
    """How the text in place compares with ``wanted``; one that is ``changed`` or ``foreign`` must not be overwritten."""
    if there is None:
        return "missing"
    if there == wanted:
        return "same"
    found = _MARK.search(there)
    if found is None:
        return "foreign"
    return "outdated" if _digest(_MARK.sub("", there, count=1)) == found[1] else "changed"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
