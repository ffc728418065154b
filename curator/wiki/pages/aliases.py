"""A page's other names, written twice: under ``metadata.curator.aliases``, and as the flat list that note programs read.

- ``metadata.curator.aliases`` is curator's own list, which every rule is about.
- ``aliases`` at the top level has the same names, so that Obsidian and its kin find the page by them; names that the page's
  owner wrote there stay, in their order, and are read as well.
- A page of the later dialect (``knowledge.entry/v1``) gets no such list: its schema has no field of that name. One that is
  there already grows. A list that is none (``aliases: Wheels``) is its owner's form, and is left alone.
- A page whose list is missing gets it when the page is written anyway, never for its own sake.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from curator.errors import FrontmatterError
from curator.wiki.pages.frontmatter import ABSENT
from curator.wiki.pages.page import ENTRY_DIALECT, Page

FLAT = "aliases"


def alias_fields(page: Page, own: Iterable[str]) -> dict[str, object]:
    """The fields in which curator's own aliases of ``page`` are ``own``; other metadata stays."""
    names = list(dict.fromkeys(own))
    metadata = page.fields.get("metadata")
    rest = metadata if isinstance(metadata, dict) else {}
    ours = {**page.ours, "aliases": names}
    ours = ours if names else {name: value for name, value in ours.items() if name != "aliases"}
    left = {**rest, "curator": ours} if ours else {name: value for name, value in rest.items() if name != "curator"}
    return {**flat_field(page, names), "metadata": left or ABSENT}


def flat_field(page: Page, own: Iterable[str]) -> dict[str, object]:
    """The flat list of ``page`` where curator's own aliases are ``own``: none where it is right as it is."""
    names = list(dict.fromkeys(own))
    there = page.fields.get(FLAT)
    if there is None:
        return {FLAT: names} if names and page.dialect != ENTRY_DIALECT else {}
    if not isinstance(there, list):
        return {}
    given_up = {*page.own_aliases} - {*names}
    kept = [name for name in there if name not in given_up]
    flat = [*kept, *(name for name in names if name not in kept)]
    return {FLAT: flat or ABSENT} if flat != there else {}


def with_flat_aliases(page: Page) -> Page:
    """``page`` with the flat list of its own aliases; as it was where its head cannot be changed in places."""
    with suppress(FrontmatterError):
        if changes := flat_field(page, page.own_aliases):
            return page.with_fields(**changes)
    return page


def owners(page: Page) -> list[str] | object:
    """What of the top-level ``aliases`` curator did not write; an empty list where there is nothing."""
    there = page.fields.get(FLAT)
    if isinstance(there, list):
        return [name for name in there if name not in page.own_aliases]
    return [] if there is None else there
