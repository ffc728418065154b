"""Markdown within one line: words that show as they are, and what is code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

_ESCAPED = re.compile(r"[\\`*_\[\]<>|]|&(?=#?\w+;)|~(?=~)|(?<=~)~")
_LEADING = re.compile(r"^(?:[#>+=~-]|\d+(?=[.)](?:\s|\Z)))")
_CODE_OR_ESCAPE = re.compile(r"\\[!-/:-@\[-`{-~]|`+")
_FENCE = re.compile(r"[ >]{0,12}(`{3,}|~{3,})")
_BEGINS = re.compile(r"[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\||#)")
"""What begins a line that goes on with no paragraph."""
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


def without_code_and_escapes(text: str) -> str:
    """``text`` with ``C`` for what is code, and a dot for what a backslash makes a plain character."""
    ends: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        ends.setdefault(len(run[0]), []).append(run.end())
    shown, at = [], 0
    while found := _CODE_OR_ESCAPE.search(text, at):
        shown.append(text[at : found.start()])
        at, length = found.end(), len(found[0])
        if found[0][0] == "\\":
            shown.append(".")
            continue
        closing = bisect_right(ends.get(length, []), at)
        if closing < len(ends.get(length, [])):
            shown.append("`C`")
            at = ends[length][closing]
        else:
            shown.append(found[0])
    return "".join((*shown, text[at:]))


def code_in(text: str) -> list[tuple[int, int]]:
    """What is code in a text of several blocks, fenced or between the backticks of one block, in order."""
    spans: list[tuple[int, int]] = []
    begin = at = 0
    fence = ""
    for line in (*text.splitlines(keepends=True), ""):
        opens = _FENCE.match(line)
        is_border = not line.strip() or opens is not None or _BEGINS.match(line) is not None
        if fence:
            if opens is not None and opens[1].startswith(fence):
                spans.append((begin, at))
                fence, begin = "", at + len(line)
        elif is_border:
            spans += [(begin + start, begin + end) for start, end in code_spans(text[begin:at])]
            begin, fence = (at + len(line), opens[1]) if opens is not None else (at, "")
        at += len(line)
    return [*spans, (begin, at)] if fence else spans


def is_in(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """True where ``at`` lies in one of ``spans``, which are in order."""
    before = bisect_right(spans, at, key=lambda span: span[0])
    return before > 0 and at < spans[before - 1][1]
