"""Two pages made one, one made two: by a person, in one commit, with every statement and proof (AIP-10, curated layer).

Pure: a wiki in, a change set out, which ``Repository.commit`` commits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from curator.checks import rules
from curator.checks.rules.change import Change
from curator.edits.rename import free_slug, known_page, linked
from curator.errors import ConfigError, Rejected
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.system import clocks
from curator.wiki import merging
from curator.wiki.pages import editing, frontmatter, inline
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.wiki import Wiki


def merge(transaction: Transaction, kept: str, gone: str, now: datetime) -> ChangeSet:
    """The wiki with the page ``gone`` in the page ``kept``. Raises ConfigError, or Rejected by the wall."""
    wiki = transaction.wiki
    page, other = known_page(wiki, kept), known_page(wiki, gone)
    if page.path == other.path:
        raise ConfigError("merge_same", f"{kept!r} and {gone!r} are one page, {page.slug}", "name two pages")
    after = _dated(merging.merged(wiki, page, other), page.path, now)
    _check(transaction, after, now)
    bullets = (f"merged {other.slug} into [[{page.slug}]]", *linked(after, page.path))
    manifest = transaction.manifest().with_slug(other.slug, page.slug)
    trailer = f"{history.MERGED}: {other.slug} {page.slug}"
    return ChangeSet(after, manifest, f"merge {other.slug} into {page.slug}", bullets, (trailer,))


def split(
    transaction: Transaction, name: str, title: str, section: str, statements: Sequence[str], now: datetime
) -> ChangeSet:
    """The wiki with a part of the page ``name`` on a new page ``title``. Raises ConfigError, Rejected."""
    wiki = transaction.wiki
    page = known_page(wiki, name)
    blocks = _blocks(page, section, statements)
    slug = free_slug(wiki, title, page)
    in_section = [block for block in blocks if block in merging.section_of(page, section)] if section else []
    made = _blank(page, title, slug)
    for some in filter(None, ([block for block in blocks if block not in in_section], in_section)):
        made = merging.with_text(made, page, merging.written(page, some))
    lead = f"See also [[{slug}|{inline.escape(title)}]]."
    after = merging.without(wiki, page, blocks, lead).with_page(made)
    after = _dated(_dated(after, page.path, now), made.path, now)
    _check(transaction, after, now)
    manifest = transaction.manifest().with_page(slug, {citation.path for citation in made.citations.values()})
    bullets = (f"created [[{slug}]] from [[{page.slug}]]",)
    trailer = f"{history.SPLIT}: {page.slug} {slug}"
    return ChangeSet(after, manifest, f"split {slug} from {page.slug}", bullets, (trailer,))


def _blocks(page: Page, section: str, statements: Sequence[str]) -> list[Block]:
    found = list(merging.section_of(page, section)) if section else []
    if section and not found:
        heads = ", ".join(block.text for block in page.outline.headings if block.level > 1) or "none"
        raise ConfigError("section_unknown", f"{page.slug} has no section {section!r}", f"its sections: {heads}")
    for words in statements:
        spot = editing.find_passage(page.body, words)
        block = editing.block_at(page.body, spot) if spot is not None else None
        if block is None:
            hint = "copy some words of one paragraph, list item or row as they stand on the page"
            raise ConfigError("statement_unknown", f"{words!r} is not in {page.slug} in exactly one place", hint)
        if block.kind == "row":
            raise ConfigError("statement_row", f"{words!r} is a row of a table", "split the section it stands in")
        found.append(block)
    found = sorted({block.start: block for block in found}.values(), key=lambda block: block.start)
    told = [block for block in found if block.kind != "heading"]
    rest = [b for b in page.outline.blocks if b.kind in editing.CLAIMS and b not in found]
    if not told or not rest:
        what = "nothing is to go" if not told else "nothing would stay"
        raise ConfigError(
            "split_empty", f"{what} on {page.slug}", "name a section or --statement; for a whole page: rename"
        )
    return found


def _blank(page: Page, title: str, slug: str) -> Page:
    fields: dict[str, object] = {"schema": page.dialect, "slug": slug, "kind": page.kind, "title": title}
    if page.kind == "summary":
        fields["kind"] = "concept"
    fields |= {"sources": [], "confidence": page.confidence, "updated_at": page.updated_at}
    folder = page.path.rpartition("/")[0] if page.kind == fields["kind"] else f"{fields['kind']}s"
    return Page(f"{folder}/{slug}.md".removeprefix("/"), frontmatter.compose(fields, f"# {inline.escape(title)}\n"))


def _dated(wiki: Wiki, path: str, now: datetime) -> Wiki:
    page = wiki.changed[path]
    return (
        wiki.with_page(page.with_fields(updated_at=clocks.utc_timestamp(now))) if "updated_at" in page.fields else wiki
    )


def _check(transaction: Transaction, after: Wiki, now: datetime) -> None:
    change = Change.of_nobody(transaction.policy(None), transaction.wiki, after, now)
    if found := [finding for rule in rules.MOVES for finding in rule(change)]:
        raise Rejected(found)
