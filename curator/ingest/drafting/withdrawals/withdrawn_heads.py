"""What a changed source does not bear out any more in the heads of pages: other names, and what contradicts what.

Nothing is cited for them, so they are asked of the words: of the source as it was and as it is, and of the others that the
page cites. One goes that this source gave, and that none of them gives now. A name that no ingest brought, and one that is
there by its spelling, are left alone; of a summary's title see ``withdrawn_names``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from curator.ingest.drafting.relations import RelationJudge
from curator.wiki import disputes
from curator.wiki.naming.aliases import alias_fault
from curator.wiki.naming.terms import Terms, terms_of
from curator.wiki.pages.page import Page
from curator.wiki.support.judge import Judge

JudgeOf = Callable[[str], Judge | None]
"""Who knows the words of the source at a path as it was taken in; None where they are not known."""


def names_gone(page: Page, path: str, now: Judge, was: JudgeOf) -> Iterator[str]:
    """Those aliases of ``page``, as it will be, that the source at ``path`` gave it and that nobody gives it now."""
    if page.kind == "summary" or not page.own_aliases:
        return

    def gives(alias: str, terms: Terms, text: str = "") -> bool:
        return not alias_fault(alias, page.title, page.kind, terms, text)

    others, old = sorted(_cited(page) - {path}), was(path)
    for alias in page.own_aliases:
        if gives(alias, terms_of(now.evidence), page.body):
            continue
        gave = gives(alias, terms_of(old.evidence)) if old is not None else not others
        judges = map(was, others if gave else ())
        if gave and not any(each is None or gives(alias, terms_of(each.evidence)) for each in judges):
            yield alias


def at_peace(before: tuple[Page, Page], after: tuple[Page, Page], path: str, now: Judge, was: JudgeOf) -> bool:
    """True for two pages that contradict each other by what the source at ``path`` said, and by nothing that stands.

    ``before`` and ``after``: both, as they are and as they will be.
    """
    old = was(path)
    is_over = any(
        path in disputes.over(page, left) and other.kind == "summary" and path in _cited(other)
        for page, left, other in zip(before, after, reversed(before), strict=True)
    )
    gave = is_over or (old is not None and _opposed(old, before))
    if not gave or disputes.between(*after, path) or _opposed(now, before):
        return False
    others = (_cited(after[0]) | _cited(after[1])) - {path}
    if any(disputes.between(*after, each) for each in others):
        return False
    judges = [was(each) for each in others]
    return not any(judge is not None and _opposed(judge, before) for judge in judges)


def _opposed(judge: Judge, pages: tuple[Page, Page]) -> bool:
    """True when a sentence of the source says that these two contradict each other."""
    path = judge.evidence.path
    own = next((page for page in pages if page.kind == "summary" and path in _cited(page)), None)
    relation = RelationJudge(judge.source, own)
    return any(relation.opposed(each.text, *pages) for each in terms_of(judge.evidence).sentences)


def _cited(page: Page) -> set[str]:
    return {citation.path for citation in page.citations.values()}
