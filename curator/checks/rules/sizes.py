"""Rules on how much one ingest may write and take away (research S1 to S5), and on its diffs (research H1 to H5, P8).

unidiff reads renames, modes and stray second files without a word, so the header of a diff is compared with the only one
that may stand there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits, raw, unmarked
from curator.errors import ProposalError
from curator.finding import Finding
from curator.wiki.pages import diff
from curator.wiki.pages.editing import CLAIMS, without_lead
from curator.wiki.pages.page import Page
from curator.wiki.pages.removal import human_spans

MAX_PAGES = 40
"""A long source may well bring thirty new things; research S1 has 15, which it would not fit into."""
MAX_PAGE_BYTES = 64_000
MAX_PLAN_BYTES = 256_000
MAX_LINE_BYTES = 4_096
MAX_REMOVED_SHARE = 0.3
MAX_REMOVED_LINES = 40
_MARKS = ("", " ", "+", "-", "\\")
"""How the lines of a hunk begin; nothing else may stand there, no ``rename from`` and no second ``diff --git``."""


def diff_header(change: Change) -> Iterator[Finding]:
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


def diff_unfit(change: Change) -> Iterator[Finding]:
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


def too_many_pages(change: Change) -> Iterator[Finding]:
    """too_many_pages (S1): one source makes and changes only so many pages at once."""
    if len(change.pages) > MAX_PAGES:
        message = f"{len(change.pages)} pages are created or changed; at most {MAX_PAGES} at once"
        yield Finding("too_many_pages", change.source.path, message)


def page_too_large(change: Change) -> Iterator[Finding]:
    """page_too_large (S2): a page that is too large already may not grow.

    What would be added to a page that is full is left out by itself (``page_full``), and the rest of the source lands.
    """
    for edit in edits(change):
        size = _bytes(edit.page.text)
        if size > max(MAX_PAGE_BYTES, _bytes(edit.old.text) if edit.old else 0):
            yield Finding("page_too_large", edit.page.path, f"{size:,} bytes; a page has at most {MAX_PAGE_BYTES:,}")


def plan_too_large(change: Change) -> Iterator[Finding]:
    """plan_too_large (S2): all that is added together."""
    size = sum(_bytes(line) + 1 for edit in edits(change) for _, line in edit.lines)
    if size > MAX_PLAN_BYTES:
        yield Finding("plan_too_large", change.source.path, f"{size:,} bytes are added; at most {MAX_PLAN_BYTES:,}")


def page_shrinks(change: Change) -> Iterator[Finding]:
    """page_shrinks (S3): an edit takes away at most 30 % of a page's lines, 40 lines, and never all of them.

    Blank lines, footnotes and headings are not what a page says: the first two are not counted, and a heading that
    stays does not save a page whose text goes. The 30 % are rounded up, so that short pages can be edited at all.
    A moved or slightly changed line counts as taken away.
    """
    for edit in edits(change):
        if edit.old is None or _bytes(edit.page.text) > MAX_PAGE_BYTES:
            continue
        old, kept = _lines(edit.old), _kept_lines(_lines(edit.old), _lines(edit.page))
        removed = len(old) - len(kept)
        allowed = min(MAX_REMOVED_LINES, math.ceil(MAX_REMOVED_SHARE * len(old)))
        emptied = any(map(_says, old)) and not any(map(_says, kept))
        if removed and (removed > allowed or emptied):
            message = f"{removed} of {len(old)} lines are taken away; at most {allowed} may be, and never all its text"
            yield Finding("page_shrinks", edit.page.path, message, hint="add to the page, or dispute its passage")


def body_empty(change: Change) -> Iterator[Finding]:
    """body_empty (S3): a page says something below its headings."""
    for edit in edits(change):
        if _is_empty(edit.page) and not (edit.old is not None and _is_empty(edit.old)):
            yield Finding("body_empty", edit.page.path, "there is no text below its headings")


def human_block(change: Change) -> Iterator[Finding]:
    """human_block (S4): what stands behind ``<!-- human -->`` is its user's, byte for byte, to the closing mark.

    Without ``<!-- /human -->`` it goes to the end of its section.
    """
    for edit in edits(change):
        if edit.old is not None and _human(edit.old) != _human(edit.page):
            hint = "close it with <!-- /human --> where curator may write again"
            yield Finding("human_block", edit.page.path, "a block marked <!-- human --> was touched", hint=hint)


def line_too_long(change: Change) -> Iterator[Finding]:
    """line_too_long (S5): an added line is one a person can read and a diff can show."""
    for edit in edits(change):
        for number, line in edit.lines:
            if _bytes(line) > MAX_LINE_BYTES:
                message = f"a line of {_bytes(line):,} bytes; at most {MAX_LINE_BYTES:,}"
                yield Finding("line_too_long", edit.page.path, message, number)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _lines(page: Page) -> list[str]:
    """The body's lines that say something: no blank ones, no footnotes; without the lead-in curator adds."""
    notes: set[int] = set()
    for block in page.outline.blocks:
        if block.kind == "note":
            notes.update(range(block.line, block.line + raw(page, block).count("\n") + 1))
    lines = enumerate(page.body.split("\n"), start=1)
    return [without_lead(line.rstrip()) for number, line in lines if line.strip() and number not in notes]


def _kept_lines(old: list[str], new: list[str]) -> list[str]:
    """The lines of ``old`` that are in ``new`` in the same order."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = old[start : len(old) - end]
    blocks = SequenceMatcher(None, middle, new[start : len(new) - end], autojunk=False).get_matching_blocks()
    return [*old[:start], *(line for b in blocks for line in middle[b.a : b.a + b.size]), *old[len(old) - end :]]


def _says(line: str) -> bool:
    return not re.match(r" {0,3}#{1,6}(?:\s|\Z)", line)


def _is_empty(page: Page) -> bool:
    said = (unmarked(block.text) for block in page.outline.blocks if block.kind in (*CLAIMS, "code"))
    return sum(len(re.sub(r"\W", "", text)) for text in said) < 2


def _human(page: Page) -> list[str]:
    """The marked blocks, each from its mark to its end."""
    return [page.body[start:end].rstrip() for start, end in human_spans(page.body, page.outline.blocks)]
