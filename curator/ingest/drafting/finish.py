"""The last touch of a draft: the source's summary leads to every page, and each says when it changed and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from curator.errors import FrontmatterError
from curator.ingest.drafting import new_page
from curator.system import clocks
from curator.wiki import confidence
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.pages import editing, inline
from curator.wiki.pages.aliases import with_flat_aliases
from curator.wiki.pages.page import Page
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.source import Source
from curator.wiki.wiki import Wiki


def with_all_listed(wiki: Wiki, source: Source, paths: Collection[str]) -> Wiki:
    """``wiki`` with the pages at ``paths`` reachable from the summary of ``source``, where that is one of them."""
    page = new_page.summary_of(source, wiki)
    if page is None or page.path not in paths:
        return wiki
    linked = {hit.slug for target, _ in page.links if (hit := wiki.resolve(target))}
    pages = [wiki.changed[path] for path in paths]
    others = [other for other in pages if other.slug not in (page.slug, *linked)]
    if not others:
        return wiki
    others.sort(key=lambda other: other.title.casefold())
    lines = "\n".join(f"- [[{other.slug}|{_label(other)}]]" for other in others)
    at = editing.end_of_section(page.body, "Pages")
    block = lines if at is not None else f"## Pages\n\n{lines}"
    return wiki.with_page(
        page.with_body(editing.insert(page.body, editing.end_of_text(page.body) if at is None else at, block))
    )


def with_linked_headings(wiki: Wiki, base: Wiki, source: Source) -> Wiki:
    """``wiki`` with a new heading that says which source it stands for (``From PEP 517``) linked to its summary.

    One that was told apart from the page of a thing, ``Registries (cargo-registries)``, is called so there, too.
    """
    summary = new_page.summary_of(source, wiki)
    if summary is None:
        return wiki
    labels = {inline.escape(name): inline.escape(name) for name in (summary.title, *summary.aliases)}
    if qualified := QUALIFIED.match(summary.title):
        labels.setdefault(inline.escape(qualified["name"]), inline.escape(summary.title))
    pattern = re.compile(rf"(#+ From )({'|'.join(map(re.escape, labels))})(?=\Z| \([^()]*\)\Z)")
    for page in [page for page in wiki.changed.values() if page.path != summary.path]:
        was, body = base.page_at(page.path), page.body
        known = {block.text for block in was.outline.headings} if was is not None else set()
        for block in reversed([each for each in page.outline.headings if each.text not in known]):
            linked = pattern.sub(
                lambda found: f"{found[1]}[[{summary.slug}|{labels[found[2]]}]]", body[block.start : block.end]
            )
            body = body[: block.start] + linked + body[block.end :]
        wiki = wiki.with_page(page.with_body(body)) if body != page.body else wiki
    return wiki


def with_dates(
    wiki: Wiki, base: Wiki, source: Source, known: SourceWeights, now: datetime, doubts: Mapping[str, float]
) -> tuple[Wiki, dict[str, str]]:
    """``wiki`` with the day on every changed page, and its confidence by the rule; what could not be written, by path.

    ``base`` is the wiki before. ``doubts``: how sure a model would be at most, by page; it only ever lowers the figure.
    """
    known = known.superseding([*source.remarks.supersedes, *_superseded(wiki, source)], source)
    unreadable: dict[str, str] = {}
    for page in list(wiki.changed.values()):
        changes: dict[str, object] = {"updated_at": clocks.utc_timestamp(now)}
        if "confidence" in page.fields:
            found = confidence.of(page, base.page_at(page.path), known, source, now.date(), base.store.read)
            found = min(found, doubts.get(page.path, 1.0))
            changes |= {"confidence": round(found, 2)} if found != page.confidence else {}
        try:
            wiki = wiki.with_page(with_flat_aliases(page.with_fields(**changes)))
        except FrontmatterError as error:
            unreadable[page.path] = error.message
    return wiki, unreadable


def _superseded(wiki: Wiki, source: Source) -> Iterator[str]:
    """The sources in whose place this one comes, as its summary supersedes theirs; as pages name them."""
    summary = new_page.summary_of(source, wiki)
    for page in map(wiki.page, summary.supersedes if summary is not None else ()):
        if page is not None and page.kind == "summary":
            yield from page.sources[:1]


def _label(page: Page) -> str:
    return inline.escape(page.title).strip() or page.slug
