"""Rules on pages that become one, or part: what a page said is said, with its proofs, on another."""

from __future__ import annotations

from collections.abc import Iterator

from curator.checks.rules.change import Change
from curator.finding import Finding
from curator.system.text import shortened
from curator.wiki import merging
from curator.wiki.pages.citation import Citation


def page_lost(change: Change) -> Iterator[Finding]:
    """page_lost: a page goes only into others: each of its statements stands there in the same words, with its citations,
    and so does a statement that moves to another page.
    """
    now: dict[str, frozenset[Citation]] = {}
    for page in change.after.changed.values():
        for words, cited in merging.statements(page).items():
            now[words] = now.get(words, frozenset()) | cited
    for page in filter(None, map(change.old, sorted({*change.after.gone, *change.after.changed}))):
        for words, cited in merging.statements(page).items():
            if words not in now or not cited <= now[words]:
                yield Finding("page_lost", page.path, f"is not on any page with its proofs: {shortened(words)}")
