"""Rules on the page diffs, which are what is stored, shown, reviewed and applied (research H1 to H5, P8).

unidiff reads renames, modes and stray second files without a word, so the header is compared with the only one that
may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits
from curator.errors import ProposalError
from curator.finding import Finding
from curator.wiki.pages import diff

_MARKS = ("", " ", "+", "-", "\\")
"""How the lines of a hunk begin; nothing else may stand there, no ``rename from`` and no second ``diff --git``."""


def header(change: Change) -> Iterator[Finding]:
    """diff_header (H1, P8): one diff a changed page, of that page on both sides; no rename, copy, mode or binary."""
    for path in sorted({*change.pages, *change.diffs}):
        written = change.diffs.get(path, "")
        if path not in change.pages:
            yield Finding("diff_header", path, "there is a diff, but no changed page")
            continue
        source = "/dev/null" if change.old(path) is None else f"a/{path}"
        lines = written.split("\n")
        plain = all(line[:1] in _MARKS or line.startswith("@@ -") for line in lines[2:])
        if lines[:2] != [f"--- {source}", f"+++ b/{path}"] or not plain:
            yield Finding("diff_header", path, f"its diff is not one file from {source} to b/{path}")


def unfit(change: Change) -> Iterator[Finding]:
    """diff_unfit (H2 to H4): applied to the page as it was, the diff gives the page byte for byte."""
    for path, page in change.pages.items():
        old = change.old(path)
        try:
            fits = diff.apply(old.text if old else None, change.diffs.get(path, "")) == page.text
        except ProposalError as error:
            yield Finding("diff_unfit", path, f"its diff does not apply: {error.code}: {error.message}")
            continue
        if not fits:
            yield Finding("diff_unfit", path, "its diff gives another text than the page")


def line_ends(change: Change) -> Iterator[Finding]:
    """line_ends (H5): an added line ends in CR LF only in a page that has such lines."""
    for edit in edits(change):
        allowed = edit.old is not None and "\r\n" in edit.old.text
        for number, line in edit.lines:
            if "\r" in line.removesuffix("\r") or (line.endswith("\r") and not allowed):
                yield Finding("line_ends", edit.page.path, "a carriage return where the page has none", number)
