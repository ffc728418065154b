"""What a changed source is called no more, and the pages of names that it says no more, of which nothing is left.

Worked out by code when all else of a draft has passed the wall: a title is a claim, and this one is borne out no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.finding import Finding
from curator.ingest.drafting import new_page
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.ingest.drafting.withdrawals.withdrawn_heads import is_named_no_more
from curator.system import text
from curator.wiki import relink
from curator.wiki.naming.terms import Terms, terms_of
from curator.wiki.naming.titles import QUALIFIED, title_fault
from curator.wiki.pages import inline, removal
from curator.wiki.pages.page import LONGEST_TITLE, Page
from curator.wiki.relink import NAMING, PageMove
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import PageEntry, Wiki

_OURS = frozenset(("schema", "slug", "kind", "title", "aliases", "sources", "confidence", "updated_at", *NAMING))
"""The fields of a head of which nothing is lost with the page."""


def without_lost_names(wiki: Wiki, found: Withdrawals, now: Judge, stamp: str) -> tuple[Wiki, tuple[Finding, ...]]:
    """``wiki``, with nothing left of ``found`` in it, without the names that went with that, and what was done."""
    if found.before is None:
        return wiki, ()
    done = []
    for page in list(filter(None, map(wiki.page_at, found.claims))):
        if is_named_no_more(page, now, found.before) and _is_void(page, found):
            wiki = relink.follow(wiki.without(page.path), PageMove(PageEntry.of(page), None))
            message = f"{page.title!r}: nothing is left on it, and {found.source.path} no longer speaks of it"
            done.append(Finding("page_withdrawn", page.path, message))
    old = new_page.summary_of(found.source, wiki)
    if old is None or not old.is_readable:
        return wiki, tuple(done)
    was, terms = terms_of(found.before.evidence), terms_of(now.evidence)
    title = _title(old, wiki, was, terms)
    if title == old.title:
        return wiki, tuple(done)
    wiki = _retitled(wiki, old, title, stamp)
    wiki = _with_headings(wiki, found, old, {old.title: title, was.title: terms.title})
    message = f"the title {text.shortened(old.title)} ({found.source.path} is called {text.shortened(terms.title)} now)"
    return wiki, (*done, Finding("title_withdrawn", old.path, message))


def _is_void(page: Page, found: Withdrawals) -> bool:
    """True for a page that has headings and this source only, and nothing that its user may have put there."""
    is_ours = set(page.fields) - {"metadata"} <= _OURS and set(page.fields.get("metadata") or ()) <= {"curator"}
    says = any(block.kind != "heading" for block in page.outline.blocks) or "<!--" in page.body
    return is_ours and not says and {*page.sources} <= {found.source.called_in(page.dialect)}


def _title(summary: Page, wiki: Wiki, was: Terms, now: Terms) -> str:
    """What the summary is called from now on: as it is, unless the source gave that title and gives it no more."""

    def is_page(name: str) -> bool:
        return wiki.named(name) is not None

    qualified = QUALIFIED.match(summary.title)
    name, by = (qualified["name"], qualified["by"]) if qualified else (summary.title, "")
    is_given = not title_fault("summary", summary.title, now, is_page) and was.title not in (name, summary.title)
    if was.title == now.title or is_given or title_fault("summary", summary.title, was, is_page):
        return summary.title
    title = now.title[:LONGEST_TITLE]
    stem = found[-1] if (found := re.split(r"[/.]", now.path)[:-1]) else ""
    for each in dict.fromkeys(f"{title} ({addition})" if addition else title for addition in (by, stem, "source")):
        taken = wiki.named(each)
        if (taken is None or taken.path == summary.path) and not title_fault("summary", each, now, is_page):
            return each
    return summary.title


def _retitled(wiki: Wiki, old: Page, title: str, stamp: str) -> Wiki:
    after = relink.retitled(old, old.slug, title, keeps=False)
    after = after.with_fields(updated_at=stamp) if "updated_at" in after.fields else after
    return relink.follow(wiki.with_page(after), PageMove(PageEntry.of(old), PageEntry.of(after)))


def _with_headings(wiki: Wiki, found: Withdrawals, summary: Page, names: dict[str, str]) -> Wiki:
    """``wiki`` with the headings that say what comes from the source by its name of now."""
    written = {inline.escape(name): inline.escape(new) for name, new in names.items()}
    one = "|".join(map(re.escape, sorted(written, key=len, reverse=True)))
    from_old = re.compile(rf"\A(#+ From (?:\[\[{re.escape(summary.slug)}\|)?)({one})(?=(?:\]\])?(?: \([^()]*\))?\Z)")
    for page in list(_citing(wiki, found)):
        body, own = page.body, removal.human_spans(page.body, page.outline.blocks)
        for block in reversed(page.outline.headings):
            if not any(start <= block.start < end for start, end in own):
                new = from_old.sub(lambda at: at[1] + written[at[2]], body[block.start : block.end])
                body = body[: block.start] + new + body[block.end :]
        wiki = wiki.with_page(page.with_body(body)) if body != page.body else wiki
    return wiki


def _citing(wiki: Wiki, found: Withdrawals) -> Iterator[Page]:
    paths = {*wiki.store.citing(found.source.path), *wiki.changed}
    pages = filter(None, map(wiki.page_at, sorted(paths)))
    return (page for page in pages if page.kind != "summary" and page.cites(found.source.path))
