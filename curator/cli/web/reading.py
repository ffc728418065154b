"""What the reading view shows of a page: its HTML with each claim numbered, its contents, links and what links to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from curator.ask.page_proof import proven_claims
from curator.cli.web.addresses import Addresses
from curator.cli.web.rendering import Heading, rendered
from curator.cli.web.served import OpenWiki
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.page import Page, path_from
from curator.wiki.wiki import PageEntry


@dataclass(frozen=True)
class ReadPage:
    """A page for a reader."""

    entry: PageEntry
    html: Markup
    headings: tuple[Heading, ...]
    notes: tuple[tuple[str, Citation], ...]
    """Its footnotes by label: for print, and for who runs no script."""
    links: tuple[PageEntry, ...]
    backlinks: tuple[PageEntry, ...]
    claims: int
    updated: str


def read_page(wiki: OpenWiki, slug: str, at: Addresses) -> ReadPage:
    """The page ``slug`` as it is committed. Raises ConfigError where none is seen."""
    entry, page = wiki.entry(slug), wiki.page(slug)
    html, headings, claims = html_of(wiki, page, at)
    resolved = (wiki.snapshot.wiki.resolve(target) for target in entry.links)
    linked = {found.slug for found in resolved if found is not None} - {slug}
    return ReadPage(
        entry,
        html,
        headings,
        tuple(page.citations.items()),
        tuple(wiki.entries(linked)),
        tuple(wiki.entries(wiki.snapshot.wiki.inbound(slug))),
        claims,
        page.updated_at[:10],
    )


def html_of(wiki: OpenWiki, page: Page, at: Addresses) -> tuple[Markup, tuple[Heading, ...], int]:
    """What ``page`` says as HTML, its headings, and how many claims are numbered in it."""
    claims = {claim.block.start: number for number, claim in enumerate(proven_claims(page))}
    notes = {label: number for number, label in enumerate(page.citations, start=1)}
    return *rendered(page.body, claims, partial(_address, wiki, page, at), notes), len(claims)


def _address(wiki: OpenWiki, page: Page, at: Addresses, target: str, is_wikilink: bool) -> str | None:
    """Where a link of ``page`` leads in the browser."""
    written, _, _ = target.partition("#")
    found = wiki.snapshot.wiki.resolve(written if is_wikilink else path_from(page.path, written)) if written else None
    return None if found is None else at.page(found.slug)
