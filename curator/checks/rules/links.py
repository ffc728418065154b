"""Rules on links within the wiki (research L1, L3). Links out of it: ``urls.py``.

Only links that lead where the old page did not lead are judged. A target is read as the most forgiving program reads it:
entities, percent signs, white space and case hide nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from curator.checks.rules.change import Change
from curator.checks.rules.edits import Edit, edits
from curator.checks.rules.paths import is_protected
from curator.finding import Finding
from curator.wiki.pages.link_targets import leads_to_source, plain_target, scheme_of
from curator.wiki.pages.markdown import Link
from curator.wiki.pages.page import Page
from curator.wiki.references import broken_link
from curator.wiki.wiki import PageEntry


def link_broken(change: Change) -> Iterator[Finding]:
    """link_broken (L1): a new link leads to a page that is there after the change, or to a heading of its own page."""
    for edit, link in _within(change):
        elsewhere = leads_to_source(edit.page, link) or _is_protected(change, edit.page, link)
        if link.target and not elsewhere and target_of(change, edit.page, link) is None:
            yield broken_link(edit.page.path, link.target, edit.line(link))


def anchor_broken(change: Change) -> Iterator[Finding]:
    """link_anchor_broken (L1): a new link to a heading leads to one that is there."""
    for edit, link in _within(change):
        if not link.anchor:
            continue
        hit = target_of(change, edit.page, link) if link.target else None
        page = edit.page if not link.target else change.after.page_at(hit.path) if hit else None
        if page is not None and not _has_heading(page, link.anchor):
            message = f"{page.slug} has no heading {link.anchor!r}"
            yield Finding("link_anchor_broken", edit.page.path, message, edit.line(link))


def link_protected(change: Change) -> Iterator[Finding]:
    """link_protected (L1): no new link leads to a contract file, a generated file or a dot name."""
    for edit, link in _within(change):
        if not leads_to_source(edit.page, link) and _is_protected(change, edit.page, link):
            yield Finding("link_protected", edit.page.path, f"links to {link.target}, no page", edit.line(link))


def link_to_source(change: Change) -> Iterator[Finding]:
    """link_inline_to_source (L1): a page cites its sources in footnotes, it does not link into them."""
    for edit, link in _within(change):
        if leads_to_source(edit.page, link):
            yield Finding(
                "link_inline_to_source", edit.page.path, f"cite {link.target}, do not link it", edit.line(link)
            )


def embed_added(change: Change) -> Iterator[Finding]:
    """embed_added (L3): no new picture, and nothing embedded but pages of the wiki: what is embedded loads by itself."""
    for edit in edits(change):
        for link in edit.links:
            if link.form == "image" or (link.form == "embed" and target_of(change, edit.page, link) is None):
                yield Finding("embed_added", edit.page.path, f"embeds {link.target}", edit.line(link))


def target_of(change: Change, page: Page, link: Link) -> PageEntry | None:
    """The page a link within the wiki leads to, after the change."""
    if link.form in ("wiki", "embed"):
        return change.after.resolve(link.target)
    path = _path(page, link)
    return change.after.resolve(path) if path.endswith(".md") else None


def _within(change: Change) -> Iterator[tuple[Edit, Link]]:
    """The new links that name something in the wiki: no URLs, no pictures."""
    for edit in edits(change):
        for link in edit.links:
            if link.form == "wiki" or (link.form in ("inline", "reference") and not scheme_of(link.target)):
                yield edit, link


def _path(page: Page, link: Link) -> str:
    """The path from the wiki root that a markdown link on ``page`` names."""
    folder = "" if link.target.startswith("/") else posixpath.dirname(page.path)
    return posixpath.normpath(posixpath.join(folder, unquote(link.target).strip("/")))


def _is_protected(change: Change, page: Page, link: Link) -> bool:
    if not link.target or target_of(change, page, link) is not None:
        return False
    target = plain_target(link.target if link.form == "wiki" else _path(page, link)).replace("\\", "/").strip()
    return any(is_protected(posixpath.normpath(path)) for path in (target, f"{target}.md"))


def _has_heading(page: Page, anchor: str) -> bool:
    wanted = unquote(anchor).rpartition("#")[2]
    if wanted.startswith("^"):
        return re.search(rf"(?m)(?:^|\s){re.escape(wanted)}\s*$", page.body) is not None
    return _heading_key(wanted) in {_heading_key(block.text) for block in page.outline.headings}


def _heading_key(text: str) -> str:
    """A heading as Obsidian and GitHub both find it: ``Feeding, in winter`` and ``feeding-in-winter`` are one."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
