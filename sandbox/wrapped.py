"""Text that was wrapped by hand: lines become paragraphs again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_OWN = re.compile(r"\s*(?:[-*+•]|\(?\d{1,3}[.)])\s+\S|#{1,6} |\||```|~~~|={3,}|-{3,}|>")
"""What begins a line that goes on from no other."""
_ALONE = re.compile(r" {0,3}(?:#{1,6} |\||[-=][-=|: ]{2,}$)")
"""A heading, the row of a table or a rule: no line goes on from it either."""


def paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """The lines, those of one paragraph joined; indented ones stay by themselves, as code and tables are."""
    held: list[str] = []
    fenced = ""
    for line in lines:
        mark = line.strip()[:3]
        if fenced or mark in ("```", "~~~"):
            yield from _together(held)
            yield line.rstrip()
            fenced = mark if not fenced else "" if mark == fenced else fenced
            continue
        is_deep = line.startswith(("    ", "\t"))
        goes_on = bool(held) and line[:1].isspace() and _OWN.match(held[0]) and not _OWN.match(line)
        is_alone = bool(_ALONE.match(line))
        if not line.strip() or is_alone or ((is_deep or _OWN.match(line)) and not goes_on):
            yield from _together(held)
        if is_alone or (is_deep and not held and line.strip()):
            yield line.rstrip()
        elif line.strip():
            held.append(line)
    yield from _together(held)


def _together(held: list[str]) -> Iterator[str]:
    """``held`` as one line; empties ``held``."""
    if held:
        indent = held[0][: len(held[0]) - len(held[0].lstrip(" "))]
        yield indent + " ".join(" ".join(held).split())
        held.clear()
