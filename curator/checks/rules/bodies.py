"""Rules on what is in a body beside its claims: HTML, code, templates, characters (research B1 to B3, B7)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, folded, names_in, raw, without_code
from curator.finding import Finding
from curator.models.sandbox import hidden_characters as hidden
from curator.wiki.pages.page import Page
from curator.wiki.support.code_blocks import faults_of_code
from curator.wiki.support.written import held_citations

EXECUTED = (
    "dataview",
    "dataviewjs",
    "tasks",
    "query",
    "meta-bind",
    "meta-bind-button",
    "meta-bind-js-view",
    "templater",
)
"""Languages of code blocks that programs run or fill in when the page is opened."""

_INFO = re.compile(r"[A-Za-z0-9+#._-]{0,24}\Z")
_TEMPLATE = re.compile(r"<%|\{\{|%%|\{%|\{!")
_COMMENT = re.compile(r"(?<!\\)<!--")
_INLINE_QUERY = re.compile(r"(?<!`)`+\s*\$?=")


def html_added(change: Change) -> Iterator[Finding]:
    """html_added (B1): no new raw HTML; comments are HTML too, and so is one that nothing closes."""
    for edit in edits(change):
        known = Counter(text for _, text in edit.old.outline.html) if edit.old else Counter()
        for line, text in edit.page.outline.html:
            known[text] -= 1
            if known[text] < 0:
                yield Finding("html_added", edit.page.path, f"raw HTML: {text[:60]!r}", edit.page.line_of(line))
        for number, written in edit.lines:
            if "<!--" in written and number not in edit.code_lines and _COMMENT.search(without_code(written)):
                yield Finding("html_added", edit.page.path, "the start of a comment", number)


def code_not_in_source(change: Change) -> Iterator[Finding]:
    """code_not_in_source (B5): a new code block is the source's own, white space apart: code cannot carry a citation."""
    for edit in edits(change):
        for block in edit.added("code"):
            if folded(block.text) not in folded(change.evidence.document.text):
                yield Finding("code_not_in_source", edit.page.path, "this code is not in the source", edit.line(block))


def code_unled(change: Change) -> Iterator[Finding]:
    """code_unled: new code stands right below a claim on the words that lead to it in the source."""
    if change.policy.grounding != "required":
        return
    source = change.judge.source
    for edit in edits(change):
        new = {folded(block.text) for block in edit.added("code")}
        held = held_citations(edit.page, change.evidence) if new else {}
        for block, fault in faults_of_code(edit.page.body, held, source) if new else ():
            if folded(block.text) in new and folded(block.text) in folded(change.evidence.document.text):
                yield Finding("code_unled", edit.page.path, fault, edit.line(block))


def fence_open(change: Change) -> Iterator[Finding]:
    """fence_open (B7): every code fence is closed, so that no text is swallowed."""
    for edit in edits(change):
        old = Counter(_open_fences(edit.old).values()) if edit.old else Counter()
        for line, text in _open_fences(edit.page).items():
            old[text] -= 1
            if old[text] < 0:
                yield Finding("fence_open", edit.page.path, "a code fence that nothing closes", edit.page.line_of(line))


def active_markup(change: Change) -> Iterator[Finding]:
    """active_markup (B2): nothing that Obsidian's plugins run or fill in, but in code that the source has."""
    source = folded(change.evidence.document.text)
    for edit in edits(change):
        for line, seen in (*_active_code(edit), *_active_text(edit, source)):
            yield Finding("active_markup", edit.page.path, f"{seen} is run or filled in by programs", line)


def hidden_characters(change: Change) -> Iterator[Finding]:
    """hidden_characters (B3): nothing is added that the reader takes out of sources, because nobody sees it."""
    for edit in edits(change):
        old = set(names_in([edit.old.fields])) if edit.old else set()
        names = [(1, text.replace("\n", " ")) for text in names_in([edit.page.fields]) if text not in old]
        # "&#8203;" is hidden only once it is read.
        read = [(edit.line(block), block.text) for block in (*edit.claims, *edit.added("heading"))]
        found: set[int] = set()
        for number, line in [*edit.lines, *names, *read]:
            if number not in found and (hit := hidden.hidden_characters().search(line)):
                found.add(number)
                name = unicodedata.name(hit[0], f"U+{ord(hit[0]):04X}")
                yield Finding("hidden_characters", edit.page.path, f"the text has a hidden character: {name}", number)


def _open_fences(page: Page) -> dict[int, str]:
    """Line and text of each fenced block whose last line closes nothing."""
    found = {}
    for block in page.outline.blocks:
        opening = re.match(r"(`{3,}|~{3,})", raw(page, block)) if block.kind == "code" else None
        if opening:
            _, newline, rest = raw(page, block).partition("\n")
            last = rest.rpartition("\n")[2].strip(" \t\r>")
            if not newline or len(last) < len(opening[1]) or set(last) != {opening[1][0]}:
                found[block.line] = folded(block.text)
    return found


def _active_code(edit: Edit) -> Iterator[tuple[int, str]]:
    old = [b for b in edit.old.outline.blocks if b.kind == "code"] if edit.old else []
    known = {(block.info, folded(block.text)) for block in old}
    for block in edit.page.outline.blocks:
        if block.kind == "code" and (block.info, folded(block.text)) not in known:
            language = block.info.strip().casefold()
            if language.split(" ")[0].strip("{}") in EXECUTED or not _INFO.match(language):
                yield edit.line(block), f"a code block of {block.info[:40]!r}"
            if language == "mermaid" and re.search(r"(?mi)^[^\S\n]*click\b|href", block.text):
                yield edit.line(block), "a mermaid click"


def _active_text(edit: Edit, source: str) -> Iterator[tuple[int, str]]:
    """Code blocks and footnotes are left out: they are the source's own words, or they fall by another rule."""
    proven = edit.code_lines | {edit.line(block) for block in edit.notes}
    for number, line in edit.lines:
        if number not in proven and (_TEMPLATE.search(line) or _INLINE_QUERY.search(line)):
            rest = without_code(line, keep=lambda code: folded(code) not in source)
            if hit := _TEMPLATE.search(rest) or _INLINE_QUERY.search(rest):
                yield number, repr(hit[0])
