"""Markdown within one line: words that show as they are, and what is code."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r"[\\`*_\[\]<>|]|&(?=#?\w+;)|~(?=~)|(?<=~)~")
_LEADING = re.compile(r"^(?:[#>+=~-]|\d+(?=[.)](?:\s|\Z)))")
_CLOSING = re.compile(r"(?<=\s)(#+)\Z")


def escape(text: str) -> str:
    """``text`` on one line such that markdown shows it as it is: nothing in it links, embeds, emphasises or is HTML."""
    flat = " ".join(text.split())
    start = _LEADING.match(flat)
    flat = _ESCAPED.sub(r"\\\g<0>", flat)
    flat = re.sub(r"(?<=\w)\\_(?=\w)", "_", flat)  # snake_case needs no escape
    if start and not flat.startswith("\\"):
        at = start.end() if start[0][0].isdigit() else 0
        flat = f"{flat[:at]}\\{flat[at:]}"
    return _CLOSING.sub(r"\\\1", flat)  # a heading would lose them


def code_spans(text: str) -> list[tuple[int, int]]:
    """What stands between backticks. One pass: a pattern with a back reference can be made to take minutes."""
    runs = [match.span() for match in re.finditer("`+", text)]
    later: dict[int, list[int]] = {}
    for index, (start, end) in reversed(list(enumerate(runs))):
        later.setdefault(end - start, []).append(index)
    spans, index = [], 0
    while index < len(runs):
        start, end = runs[index]
        same = later[end - start]
        while same and same[-1] <= index:
            same.pop()
        if same:
            spans.append((end, runs[same[-1]][0]))
            index = same[-1]
        index += 1
    return spans
