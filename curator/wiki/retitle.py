"""A page under another name: its head and first heading say it, the name that it had stays an alias."""

from __future__ import annotations

from curator.wiki.pages import inline
from curator.wiki.pages.aliases import alias_fields
from curator.wiki.pages.page import Page


def retitled(page: Page, slug: str, title: str) -> Page:
    """``page`` with a new slug and, where one is given, a new title in head and first heading; the old one is an alias."""
    changes: dict[str, object] = {"slug": slug} if "slug" in page.fields else {}
    if not title or title == page.title:
        return page.with_fields(**changes) if changes else page
    old, body = page.title, page.body
    heading = next((block for block in page.outline.headings if block.level == 1), None)
    if heading is not None and heading.text == old:
        body = f"{body[: heading.start]}# {inline.escape(title)}{body[heading.end :]}"
        if "title" not in page.fields:
            title = ""
    changes |= alias_fields(page, (alias for alias in (*page.own_aliases, old) if alias != title))
    return page.with_body(body).with_fields(**changes, **({"title": title} if title else {}))
