"""Heads of the plain form that nearly all have: read line by line. All others are left to YAML's own reader.

A field a line, with a word, a short text, a number or a list of such, a line each; quotes hold what needs no escape.
What is taken here reads as YAML's reader reads it, to the last value (a law, tested); it takes a fifth of the time.
"""

from __future__ import annotations

import re
from typing import Any

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}(?=:)")
_PLAIN = re.compile(r"[^\W\d_](?:[\w ./,()'\"&+;!?%*=–—’-]|:(?=[\w/]))*+(?<! )")
_SINGLE = re.compile(r"'(?:[\w !-&(-~–—’“”]|'')*+'")
_DOUBLE = re.compile(r'"[\w !#-\[\]-~–—’“”]*+"')
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,9})?")
_NO_TEXTS = frozenset({"true", "false", "null"})
"""What stands for another value."""
_LONGEST = 4096
"""Characters, which are no more bytes than a head may have."""


def read(head: str) -> dict[str, Any] | None:
    """The fields of a head with its fences; None where it is of another form, or may be wrong."""
    if len(head) > _LONGEST or not head.startswith("---\n") or not head.endswith(("\n---\n", "\n---")):
        return None
    fields: dict[str, Any] = {}
    items: list[Any] | None = None
    mark = ""
    try:
        for line in head[4 : head.rindex("\n---")].split("\n"):
            if items is not None and (not items or mark == line[: len(mark)]) and (begins := _mark(line)):
                mark = begins
                items.append(_value(line[len(mark) :]))
                continue
            found = _KEY.match(line)
            if found is None or items == [] or found[0] in fields or found[0] in _NO_TEXTS:
                return None
            said = line[found.end() :]
            items = [] if said == ":" else None
            if said == ": []":
                fields[found[0]] = []
            else:
                fields[found[0]] = items if items is not None else _value(said.removeprefix(": "))
    except ValueError:
        return None
    return fields if fields and items != [] else None


def _mark(line: str) -> str:
    """What an item of a list begins with; empty for another line."""
    return "- " if line.startswith("- ") else "  - " if line.startswith("  - ") else ""


def _value(written: str) -> str | int | float:
    """Raises ValueError for what may be another value, or none."""
    if _PLAIN.fullmatch(written) and written not in _NO_TEXTS:
        return written
    if _SINGLE.fullmatch(written):
        return written[1:-1].replace("''", "'")
    if _DOUBLE.fullmatch(written):
        return written[1:-1]
    if not _NUMBER.fullmatch(written):
        raise ValueError(written)
    number = float(written) if "." in written else int(written)
    return number if str(number) == written else written
