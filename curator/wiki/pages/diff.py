"""Page diffs: what is stored, shown, reviewed and applied.

unidiff reads a diff but polices nothing and there is no Python library that applies one safely, so ``apply`` is strict
itself: the counts must be exact, and every context and removed line must stand at its very line. No fuzz.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from curator.errors import ProposalError

if TYPE_CHECKING:
    from unidiff import Hunk, PatchedFile


def between(path: str, before: str | None, after: str | None) -> str:
    """The unified diff of one page; ``before`` is None for a new page, ``after`` for one that goes. Empty when nothing
    changes."""
    old, new = ([] if text is None else _lines(text) for text in (before, after))
    source = "/dev/null" if before is None else f"a/{path}"
    return "".join(_unified(old, new, source, "/dev/null" if after is None else f"b/{path}"))


def parse(diff: str) -> PatchedFile:
    """The one file in ``diff``. Raises ProposalError."""
    from unidiff import PatchSet  # only here: commands that look need no diffs

    try:
        files = list(PatchSet(diff))
    except Exception as error:  # unidiff lets other errors than its own through on malformed input
        raise ProposalError("diff_malformed", f"this is no unified diff: {error}") from error
    if len(files) != 1 or not len(files[0]):
        raise ProposalError("diff_malformed", f"a page diff has one file with hunks, not {len(files)} file(s)")
    return files[0]


def apply(before: str | None, diff: str) -> str:
    """The page after ``diff``. Raises ProposalError when it does not fit ``before`` exactly."""
    if not diff:  # nothing changes
        return before or ""
    old = [] if before is None else _lines(before)
    new: list[str] = []
    at = 0
    for hunk in parse(diff):
        start = max(hunk.source_start - 1, 0) if hunk.source_length else hunk.source_start
        if start < at:
            raise ProposalError("diff_overlap", f"hunks overlap or go back at line {hunk.source_start}")
        new += old[at:start]
        at = start
        for mark, text in _hunk_lines(hunk):
            if mark == "+":
                new.append(text)
                continue
            if at >= len(old) or old[at] != text:
                raise ProposalError("diff_mismatch", f"line {at + 1} is not as the diff says")
            if mark == " ":
                new.append(text)
            at += 1
    return "".join([*new, *old[at:]])


_MARKER = "\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Lines split on ``\\n`` only; what is after the last newline stays a line without one."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _unified(old: list[str], new: list[str], source: str, target: str) -> Iterator[str]:
    for line in difflib.unified_diff(old, new, source, target, n=3):
        yield line if line.endswith("\n") else line + "\n" + _MARKER


def _hunk_lines(hunk: Hunk) -> list[tuple[str, str]]:
    """Each line's mark (space, ``-`` or ``+``) and text; a text without newline where the diff says so."""
    lines: list[tuple[str, str]] = []
    for line in hunk:
        if line.line_type in ("+", "-", " "):
            lines.append((line.line_type, str(line.value)))
        elif lines:  # "\\ No newline at end of file" speaks of the line before it
            lines[-1] = (lines[-1][0], lines[-1][1].removesuffix("\n"))
    return lines
