"""A draft with what a person has made of its pages, in the review of a proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curator.finding import Finding
from curator.ingest.drafting.drafted import Draft
from curator.repository.proposals import PageEdit
from curator.system.merge3 import merge
from curator.wiki import relink
from curator.wiki.pages.page import Page
from curator.wiki.relink import PageMove
from curator.wiki.wiki import PageEntry


def with_edits(draft: Draft, edits: Sequence[PageEdit], titled_later: Page | None = None) -> Draft:
    """``draft``, with ``edits`` merged into pages that have changed since; those that do not merge are in ``broken``.

    Links to a page that is not wanted become words. ``titled_later`` keeps its title: a person's comes when all else has
    passed, as code's does.
    """
    wiki, clashes = draft.wiki, []
    for edit in edits:
        now = wiki.page_at(edit.path)
        if edit.wanted is None:
            if now is not None:
                wiki = relink.follow(wiki.without(edit.path), PageMove(PageEntry.of(now), None))
            continue
        text, proposed = edit.wanted, edit.proposed or ""
        if titled_later is not None and edit.path == titled_later.path:
            text, proposed = (_titled(titled_later, each) for each in (text, proposed))
        if now is not None and now.text != proposed:
            merged = merge(proposed, text, now.text)
            text = merged.text
            if merged.clashes:
                message = (
                    "as the branch is now, the proposal makes this new page otherwise, at the lines that were edited"
                    if edit.path in draft.created
                    else "the page was changed on the branch at the lines that were edited in the review"
                )
                clashes.append(Finding("edit_clash", edit.path, message))
        wiki = wiki.with_page(Page(edit.path, text))
    created = tuple(path for path in draft.created if path in wiki.changed)
    return replace(draft, wiki=wiki, created=created, broken=(*draft.broken, *clashes)) if edits else draft


def _titled(page: Page, text: str) -> str:
    """``text``, of the same page, with the title of ``page``."""
    other = Page(page.path, text)
    return relink.retitled(other, other.slug, page.title, keeps=False).text if other.is_readable else text
