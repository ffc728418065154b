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


def with_edits(draft: Draft, edits: Sequence[PageEdit]) -> Draft:
    """``draft``, with ``edits`` merged into pages that have changed since; those that do not merge are in ``broken``.

    Links to a page that is not wanted become words.
    """
    wiki, clashes = draft.wiki, []
    for edit in edits:
        now = wiki.page_at(edit.path)
        if edit.wanted is None:
            if now is not None:
                wiki = relink.follow(wiki.without(edit.path), PageMove(PageEntry.of(now), None))
            continue
        text = edit.wanted
        if now is not None and now.text != edit.proposed:
            merged = merge(edit.proposed or "", edit.wanted, now.text)
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
