"""Rules on labels: headings and the heads of tables cannot be cited, so they name and do not state."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile

from curator.checks.rules.change import Change
from curator.checks.rules.claims import label_of
from curator.checks.rules.edits import Edit, edits, folded, raw, unmarked
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.naming.labels import label_fault
from curator.wiki.naming.terms import key, terms_of

MAX_LABEL = 80
MAX_LABEL_WORDS = 12

_NUMBERING = re.compile(r"(?:\d{1,2}[.):]|\d{1,2}(?:\.\d{1,2}){1,8}[.):]?)\s")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()\s]*\)")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\Z")
_BELOW = 60
"""Lines below a label that are looked at, at most."""
_IN_TABLE, _IN_SECTION = re.compile(r"\s*\S"), re.compile(r"(?!#|\[\^)")
"""A line that still belongs to a table, or stands under a heading and is no footnote."""


def label_claims(change: Change) -> Iterator[Finding]:
    """label_claims: a new heading or table head is a short label without a number of its own, or a heading of the source.

    It may name the source, so the numbers of the source's file name, its date and its digest are no strangers.
    """
    source = change.source
    own = _numbers(f"{source.path} {source.stem} {source.date} {source.digest[-8:]}")
    for edit in edits(change):
        known = own | (_numbers(edit.old.body) if edit.old else set())
        named = {key(edit.page.title), *terms_of(change.evidence).headings}
        for line, text in [*_headings(edit), *table_heads(edit)]:
            if key(text) in named:
                continue
            strange = set(change.evidence.numbers_missing(_NUMBERING.sub("", text, count=1))) - known
            if strange or len(text) > MAX_LABEL or len(text.split()) > MAX_LABEL_WORDS:
                message = f"a heading labels, it states nothing: {shortened(text)}"
                yield Finding("label_claims", edit.page.path, message, line)


def label_unknown(change: Change) -> Iterator[Finding]:
    """label_unknown: a new heading or table head is a name, or a few words of source and page that state nothing."""
    if change.policy.grounding != "required":
        return
    terms = terms_of(change.evidence)

    def is_page(name: str) -> bool:
        return change.after.named(name) is not None

    for edit in edits(change):
        names = (edit.page.title, *edit.page.aliases, *change.policy.section_names)
        labels = [(*found, False) for found in _headings(edit)] + [(*found, True) for found in table_heads(edit)]
        lines = edit.page.text.split("\n")
        for line, text, is_column in labels:
            below = "\n".join(
                takewhile(_IN_TABLE.match if is_column else _IN_SECTION.match, lines[line : line + _BELOW])
            )
            if fault := label_fault(text, terms, names, is_page, is_column=is_column, below=below):
                yield Finding("label_unknown", edit.page.path, f"{shortened(text)}: {fault}", line)


def heading_form(change: Change) -> Iterator[Finding]:
    """heading_form: a new heading is one line of ``##`` to ``######``; level 1 is the page's title, and only that."""
    for edit in edits(change):
        title = folded(edit.page.title)
        for block in edit.added("heading"):
            written = raw(edit.page, block)
            is_title = block.level == 1 and edit.old is None and folded(block.text) == title
            if not written.startswith("#") or "\n" in written or (block.level == 1 and not is_title):
                message = f"not a section heading: {shortened(block.text)}"
                yield Finding("heading_form", edit.page.path, message, edit.line(block))


def table_empty(change: Change) -> Iterator[Finding]:
    """table_empty: a new table has rows, and a new row has words: what cannot be cited says nothing."""
    for edit in edits(change):
        for block in edit.claims:
            if block.kind == "row" and not re.search(r"\w", unmarked(raw(edit.page, block))):
                yield Finding("table_empty", edit.page.path, "a row without words", edit.line(block))
        rows = {edit.line(block) for block in edit.page.outline.blocks if block.kind == "row"}
        for line in sorted({line for line, _ in table_heads(edit)}):
            if line + 2 not in rows:
                yield Finding("table_empty", edit.page.path, "a table without rows", line)


def table_broken(change: Change) -> Iterator[Finding]:
    """table_broken: a row that stays as it is written stays a row; a table without its rule is a heap of words."""
    for edit in edits(change):
        if edit.old is None:
            continue
        rows = {raw(edit.page, block) for block in edit.page.outline.blocks if block.kind == "row"}
        lines = {line.strip() for line in edit.page.body.split("\n")}
        for block in edit.old.outline.blocks:
            row = raw(edit.old, block)
            if block.kind == "row" and row not in rows and row.strip() in lines:
                yield Finding("table_broken", edit.page.path, f"this row is no row any more: {shortened(row)}")


def _headings(edit: Edit) -> Iterator[tuple[int, str]]:
    for block in edit.added("heading"):
        yield edit.line(block), block.text


def table_heads(edit: Edit) -> Iterator[tuple[int, str]]:
    """The cells of every new table head with its line, links by their words: the scan has no blocks for them."""
    lines = edit.page.text.split("\n")
    for number, line in edit.lines:
        below = lines[number] if number < len(lines) else ""
        in_text = number > edit.page.head_lines and number not in edit.code_lines
        if in_text and "|" in line and _DELIMITER.match(below.strip(" \t\r>*+")):
            row = _LINK.sub(lambda link: label_of(link[0]), unmarked(line))
            yield from ((number, cell.strip()) for cell in re.split(r"(?<!\\)\|", row))


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(unicodedata.normalize("NFKC", text)))
