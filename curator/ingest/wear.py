"""What earlier ingests have taken away from pages that an ingest takes something from: rewording adds up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from curator.checks.rules import proofs
from curator.repository.history import TakenIn
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki


def taken_before(
    before: Wiki, after: Wiki, source: str, ingests_of: Callable[[str], Iterable[TakenIn]]
) -> dict[str, frozenset[str]]:
    """By page that loses something to ``source`` now: what other ingests took from it, and is not on it any more.

    ``ingests_of`` gives the versions of a page; it is asked of no page that keeps all its statements.
    """
    found = {}
    for path, page in after.changed.items():
        old = before.page_at(path)
        if old is not None and old != page and proofs.taken_away(old, page, source):
            gone = [
                proofs.taken_away(Page(path, each.before), Page(path, each.after), each.source)
                for each in ingests_of(path)
            ]
            found[path] = frozenset().union(*gone) - proofs.statements(old)
    return found
