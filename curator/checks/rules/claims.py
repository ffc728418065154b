"""Rules on what a page claims (research B5): every claim a change adds is proven by the source.

A claim is a paragraph, a list item or a table row; quoted and nested ones too. No claims are blocks that only lead to
other pages by their names. What cannot be cited: ``labels.py`` and ``names.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits
from curator.checks.rules.footnotes import proven_labels
from curator.checks.rules.links import target_of
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.editing import is_navigation, words_of
from curator.wiki.pages.markdown import Block, Link
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.support.judge import Judgement
from curator.wiki.support.written import WrittenClaim, held_citations, in_one, judged, names_of, written_claims

_FEW, _LETTERS_A_CLAIM = 6, 20


def claim_uncited(change: Change) -> Iterator[Finding]:
    """claim_uncited (B5): where grounding is required, every new claim cites the source, and the words are there."""
    if change.policy.grounding != "required":
        return
    for edit in edits(change):
        proven = proven_labels(change, edit.page)
        for block in edit.claims:
            if proven.isdisjoint(block.citations) and not _is_navigation(change, edit, block):
                message = f"nothing in the source is cited for: {shortened(block.text)}"
                yield Finding("claim_uncited", edit.page.path, message, edit.line(block))


def quote_stretched(change: Change) -> Iterator[Finding]:
    """quote_stretched: no sentence of the source carries more claims than it can say: six, or one for twenty letters.

    Counted are different claims of one change that rest on the very same sentences, rows or lines of the source, whatever
    part of them is quoted. A table quotes a row for each of its rows; what is repeated on a second page counts once.
    """
    found: dict[tuple[str, ...], dict[str, Finding]] = {}
    for edit in edits(change):
        held, new = held_citations(edit.page, change.evidence), set(edit.claims)
        names, lent = names_of(edit.page), edit.lent(change.evidence)
        for claim in written_claims(edit.page.body, edit.page.outline) if held else ():
            verdict = _judged(change, claim, held, names, lent) if claim.block in new else None
            if verdict is not None:
                message = f"too many claims rest on one quote: give each its own: {shortened(claim.block.text)}"
                fault = Finding("quote_stretched", edit.page.path, message, edit.line(claim.block))
                found.setdefault(verdict.passages, {})[words_of(claim.words)] = fault
    for passages, faults in found.items():
        letters = sum(letter.isalnum() for passage in passages for letter in passage)
        yield from list(faults.values())[max(_FEW, letters // _LETTERS_A_CLAIM) :]


def claim_unsupported(change: Change) -> Iterator[Finding]:
    """claim_unsupported: every claim that cites the source is borne out by the words it cites, read where they stand.

    So too where a mark of the source is put behind a claim that did not have it. A claim that takes the place of another
    may repeat its words; a table's row is judged with its head. docs/support.md says what is looked at.
    """
    for edit in edits(change):
        held = held_citations(edit.page, change.evidence)
        names, lent = names_of(edit.page), edit.lent(change.evidence)
        marked = {block: set(block.citations) - set(was.citations) for block, was in edit.kept_claims}
        for claim in written_claims(edit.page.body, edit.page.outline) if held else ():
            is_new = claim.block not in marked
            if not is_new and marked[claim.block].isdisjoint(held):
                continue
            verdict = _judged(change, claim, held, names, lent if is_new else ())
            if verdict is not None and verdict.findings:
                against = in_one(verdict.findings)
                message = f"{against.code}: {against.message} (for the claim: {shortened(claim.block.text)})"
                yield Finding("claim_unsupported", edit.page.path, message, edit.line(claim.block))


def _judged(
    change: Change, claim: WrittenClaim, held: Mapping[str, Citation], names: Sequence[str], lent: Sequence[str]
) -> Judgement | None:
    return judged(claim, held, change.judge, names, lent, in_english=change.in_english)


def _is_navigation(change: Change, edit: Edit, block: Block) -> bool:
    """True for a block that only leads to pages of the wiki, and calls them by their names."""
    return is_navigation(block) and all(_names_its_page(change, edit.page, link) for link in edit.links_in(block))


def _names_its_page(change: Change, page: Page, link: Link) -> bool:
    entry = target_of(change, page, link)
    label = name_key(label_of(page.body[link.start : link.end]))
    return entry is not None and label in {name_key(name) for name in (*entry.names, entry.path)}


_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def label_of(written: str) -> str:
    """The words of a link: ``[[slug|words]]``, ``[words](page.md)``."""
    if written.lstrip("!").startswith("[["):
        target, bar, words = written.lstrip("!").removeprefix("[[").removesuffix("]]").partition("|")
        return _ESCAPED.sub(r"\1", words) if bar else target.partition("#")[0]
    return written.lstrip("!").removeprefix("[").rpartition("](")[0]
