"""What a changed source is called no more: the title of its summary, and headings by that title.

Worked out by code when all else of a draft has passed the wall: a title is a claim, and this one is borne out no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from types import MappingProxyType

from curator.finding import Finding
from curator.ingest.drafting import new_page
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.system import text
from curator.wiki import relink
from curator.wiki.naming.terms import Terms, terms_of
from curator.wiki.naming.titles import QUALIFIED, title_fault
from curator.wiki.pages import inline, removal
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import LONGEST_TITLE, Page
from curator.wiki.relink import PageMove
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import PageEntry, Wiki


def titled_by_code(found: Withdrawals, wiki: Wiki) -> Page | None:
    """The summary that ``without_lost_names`` gives a title: that of a source that was in before."""
    summary = new_page.summary_of(found.source, wiki) if found.before is not None else None
    return summary if summary is not None and summary.is_readable else None


def without_lost_names(
    wiki: Wiki, found: Withdrawals, now: Judge, stamp: str, by_hand: Mapping[str, str] = MappingProxyType({})
) -> tuple[Wiki, tuple[Finding, ...]]:
    """``wiki`` with the title that the source of ``found`` has now on its summary, and what was done.

    ``by_hand``: the titles that a person has given in a review, by path. Where links that a person keeps for himself lead
    to the old title, it stays, or it is an alias of one that was given by hand.
    """
    old = titled_by_code(found, wiki)
    if found.before is None or old is None:
        return wiki, ()
    was, terms = terms_of(found.before.evidence), terms_of(now.evidence)
    title = by_hand[old.path] if old.path in by_hand else _title(old, wiki, was, terms)
    if title == old.title:
        return wiki, ()
    after = _retitled(wiki, old, title, stamp)
    if _touches_what_is_a_persons(wiki, after):
        if old.path not in by_hand:
            return wiki, ()
        after = _retitled(wiki, old, title, stamp, keeps=True)
    after = _with_headings(after, found, old, {old.title: title, was.title: terms.title})
    if old.path in by_hand:
        return after, ()
    message = f"the title {text.shortened(old.title)} ({found.source.path} is called {text.shortened(terms.title)} now)"
    return after, (Finding("title_withdrawn", old.path, message),)


def _touches_what_is_a_persons(before: Wiki, after: Wiki) -> bool:
    """True where another text stands in a block that is marked as a person's."""
    pages = ((before.page_at(path), page) for path, page in after.changed.items())
    return any(was is not None and _own_texts(was) != _own_texts(page) for was, page in pages)


def _own_texts(page: Page) -> list[str]:
    return [page.body[start:end] for start, end in removal.human_spans(page.body, page.outline.blocks)]


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


def _retitled(wiki: Wiki, old: Page, title: str, stamp: str, *, keeps: bool = False) -> Wiki:
    after = relink.retitled(old, old.slug, title, keeps=keeps)
    after = after.with_fields(updated_at=stamp) if "updated_at" in after.fields else after
    return relink.follow(wiki.with_page(after), PageMove(PageEntry.of(old), PageEntry.of(after), keeps_words=True))


def _with_headings(wiki: Wiki, found: Withdrawals, summary: Page, names: dict[str, str]) -> Wiki:
    """``wiki`` with the headings that say what comes from the source by its name of now."""
    written = {inline.escape(name): inline.escape(new) for name, new in names.items()}
    one = "|".join(map(re.escape, sorted(written, key=len, reverse=True)))
    from_old = re.compile(rf"\A(#+ From (?:\[\[{re.escape(summary.slug)}\|)?)({one})(?=(?:\]\])?(?: \([^()]*\))?\Z)")
    for page in list(_citing(wiki, found)):
        body, own = page.body, removal.human_spans(page.body, page.outline.blocks)
        for block in reversed(page.outline.headings):
            if _is_of(page, block, found.source.path) and not any(start <= block.start < end for start, end in own):
                new = from_old.sub(lambda at: at[1] + written[at[2]], body[block.start : block.end])
                body = body[: block.start] + new + body[block.end :]
        wiki = wiki.with_page(page.with_body(body)) if body != page.body else wiki
    return wiki


def _is_of(page: Page, heading: Block, path: str) -> bool:
    """True for a heading under which the source at ``path`` is cited, or nothing is."""
    under = (block for block in page.outline.blocks if block.start > heading.start and block.kind != "note")
    section = takewhile(lambda block: block.kind != "heading" or block.level > heading.level, under)
    cited = {page.citations[label].path for each in section for label in each.citations if label in page.citations}
    return path in cited or not cited


def _citing(wiki: Wiki, found: Withdrawals) -> Iterator[Page]:
    paths = {*wiki.store.citing(found.source.path), *wiki.changed}
    pages = filter(None, map(wiki.page_at, sorted(paths)))
    return (page for page in pages if page.kind != "summary" and page.cites(found.source.path))
