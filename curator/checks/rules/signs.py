"""Rules on what states, hides or runs something beside the words: signs, numbers of lists, markup of other readers."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits, raw, unmarked
from curator.finding import Finding
from curator.wiki.pages.foreign import foreign_fault
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.signs import ITEM, number_fault, sign_fault


def foreign_markup(change: Change) -> Iterator[Finding]:
    """foreign_markup (B2): no markup that other readers of Markdown hide, strike out, fill in or run: ``~~not~~``,
    ``{: .hidden }``, ``{-- --}``, ``^[...]``, ``:::``, ``!!!``, ``--8<--`` and the like. It may stand in code spans."""
    for edit in edits(change):
        for line, text in _written(edit):
            if fault := foreign_fault(text):
                yield Finding("foreign_markup", edit.page.path, fault, line)


def sign_unknown(change: Change) -> Iterator[Finding]:
    """sign_unknown: no new sign that states something (check marks, crosses, stars, warnings, ``[x]``, ``DONE``) but such
    as the source has."""
    source = change.evidence.document.text
    for edit in edits(change):
        shown = [(edit.line(block), block.text) for block in (*edit.claims, *edit.added("heading"))]
        for line, text in (*_written(edit), *shown):  # "&#9989;" is a sign once it is read
            if fault := sign_fault(text, source):
                yield Finding("sign_unknown", edit.page.path, fault, line)


def list_number(change: Change) -> Iterator[Finding]:
    """list_number: a new numbered list counts from 0 or 1, or goes on where one ended, or has the source's own numbers:
    ``1851. Founding of the chapel`` is no item. Items may have been left out between two."""
    source = change.evidence.document.text
    for edit in edits(change):
        counted, new = 0, set(edit.claims)
        for block in edit.page.outline.blocks:
            item = ITEM.match(raw(edit.page, block)) if block.kind == "item" else None
            if item is None:
                continue
            fault = number_fault(item[0], source, counted) if block in new else None
            if fault:
                yield Finding("list_number", edit.page.path, fault, edit.line(block))
            else:
                counted = max(counted, int(item[1]))


def _written(edit: Edit) -> Iterator[tuple[int, str]]:
    """What the change adds, as it is written: blocks, and the lines that are in none, as heads of tables are."""
    blocks = (*edit.claims, *edit.added("heading"))
    yield from ((edit.line(block), _text(edit, block)) for block in blocks)
    told = {number for block in edit.page.outline.blocks for number in _lines(edit, block)}
    head = edit.page.head_lines
    yield from ((number, text) for number, text in edit.lines if number > head and number not in told)


def _text(edit: Edit, block: Block) -> str:
    text = unmarked(raw(edit.page, block))
    return text.replace("||", "| |") if block.kind == "row" else text  # an empty cell


def _lines(edit: Edit, block: Block) -> range:
    first = edit.line(block)
    return range(first, first + raw(edit.page, block).count("\n") + 1)
