"""Rules on what a page claims (research B5): every claim a change adds is proven by the source.

A claim is a paragraph, a list item or a table row; quoted and nested ones too. No claims are blocks that only lead to
other pages by their names. Headings and table heads are labels: they cannot be cited, so they may not say much.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, folded, raw, unmarked
from curator.checks.rules.footnotes import proven_labels
from curator.checks.rules.links import target_of
from curator.finding import Finding
from curator.wiki.pages.editing import is_navigation
from curator.wiki.pages.markdown import Block, Link
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page

MAX_LABEL = 80
MAX_LABEL_WORDS = 12

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBERING = re.compile(r"\s*(?:\d{1,2}[.):]|\d{1,2}(?:\.\d{1,2})+[.):]?)\s")
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()\s]*\)")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?\Z")


def claim_uncited(change: Change) -> Iterator[Finding]:
    """claim_uncited (B5): where grounding is required, every new claim cites the source, and the words are there."""
    if change.policy.grounding != "required":
        return
    for edit in edits(change):
        proven = proven_labels(change, edit.page)
        for block in edit.claims:
            if proven.isdisjoint(block.citations) and not _is_navigation(change, edit, block):
                message = f"nothing in the source is cited for: {_shown(block.text)}"
                yield Finding("claim_uncited", edit.page.path, message, edit.line(block))


def claim_number(change: Change) -> Iterator[Finding]:
    """claim_number (B5): the numbers of a claim that cites the source are in the source, or were on the page."""
    for edit in edits(change):
        known = _known_numbers(edit)
        for block in edit.claims:
            if block.citations and (strange := _strange_numbers(change, _prose(edit.page, block), known)):
                message = f"{', '.join(strange)} is nowhere in the source: {_shown(block.text)}"
                yield Finding("claim_number", edit.page.path, message, edit.line(block))


def label_claims(change: Change) -> Iterator[Finding]:
    """label_claims: a new heading or table head is a short label on one line, with no number of its own.

    It may name the source, so the numbers of the source's file name are no strangers.
    """
    for edit in edits(change):
        known = _known_numbers(edit) | set(_numbers(change.source.path))
        title = folded(edit.page.title)
        for line, text in [*_headings(edit), *_table_heads(edit)]:
            if folded(text) == title:
                continue
            strange = _strange_numbers(change, _NUMBERING.sub("", text, count=1), known)
            if strange or len(text) > MAX_LABEL or len(text.split()) > MAX_LABEL_WORDS:
                message = f"a heading labels, it states nothing: {_shown(text)}"
                yield Finding("label_claims", edit.page.path, message, line)


def heading_form(change: Change) -> Iterator[Finding]:
    """heading_form: a new heading is one line of ``##`` to ``######``; level 1 is the page's title, and only that."""
    for edit in edits(change):
        title = folded(edit.page.title)
        for block in edit.added("heading"):
            written = raw(edit.page, block)
            is_title = block.level == 1 and edit.old is None and folded(block.text) == title
            if not written.startswith("#") or "\n" in written or (block.level == 1 and not is_title):
                message = f"not a section heading: {_shown(block.text)}"
                yield Finding("heading_form", edit.page.path, message, edit.line(block))


def table_empty(change: Change) -> Iterator[Finding]:
    """table_empty: a new table has rows; one that is all head would be text that cannot be cited."""
    for edit in edits(change):
        rows = {edit.line(block) for block in edit.page.outline.blocks if block.kind == "row"}
        for line in sorted({line for line, _ in _table_heads(edit)}):
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
                yield Finding("table_broken", edit.page.path, f"this row is no row any more: {_shown(row)}")


def _is_navigation(change: Change, edit: Edit, block: Block) -> bool:
    """True for a block that only leads to pages of the wiki, and calls them by their names."""
    return is_navigation(block) and all(_names_its_page(change, edit.page, link) for link in edit.links_in(block))


def _names_its_page(change: Change, page: Page, link: Link) -> bool:
    entry = target_of(change, page, link)
    label = name_key(_label(page.body[link.start : link.end]))
    return entry is not None and label in {name_key(name) for name in (*entry.names, entry.path)}


_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def _label(written: str) -> str:
    """The words of a link: ``[[slug|words]]``, ``[words](page.md)``."""
    if written.lstrip("!").startswith("[["):
        _, bar, words = written.lstrip("!").removeprefix("[[").removesuffix("]]").rpartition("|")
        return _ESCAPED.sub(r"\1", words) if bar else words.partition("#")[0]
    return written.lstrip("!").removeprefix("[").rpartition("](")[0]


def _prose(page: Page, block: Block) -> str:
    """The words of a claim; a row's cells apart, and no link targets."""
    if block.kind != "row":
        return unmarked(block.text)
    return re.sub(r"\[\[[^\]|]*\\?\||\]\([^)]*\)", " ", unmarked(raw(page, block))).replace("|", " ")


def _known_numbers(edit: Edit) -> set[str]:
    return set(_numbers(edit.old.body)) if edit.old else set()


def _strange_numbers(change: Change, text: str, known: set[str]) -> list[str]:
    return [number for number in change.evidence.numbers_missing(text) if number not in known]


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(unicodedata.normalize("NFKC", text))


def _headings(edit: Edit) -> Iterator[tuple[int, str]]:
    for block in edit.added("heading"):
        yield edit.line(block), block.text


def _table_heads(edit: Edit) -> Iterator[tuple[int, str]]:
    """The cells of every new table head with its line, links by their words: the scan has no blocks for them."""
    lines = edit.page.text.split("\n")
    for number, line in edit.lines:
        below = lines[number] if number < len(lines) else ""
        in_text = number > edit.page.head_lines and number not in edit.code_lines
        if in_text and "|" in line and _DELIMITER.match(below.strip(" \t\r>*+")):
            shown = _LINK.sub(lambda link: _label(link[0]), unmarked(line))
            yield from ((number, cell.strip()) for cell in re.split(r"(?<!\\)\|", shown))


def _shown(text: str) -> str:
    flat = folded(text)
    return repr(flat[:80] + "…" if len(flat) > 80 else flat)
