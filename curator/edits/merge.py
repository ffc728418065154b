"""Two pages made one, one made two: by a person, in one commit, with every statement and proof (AIP-10, curated layer).

Pure: a wiki in, a change set out, which ``Repository.commit`` commits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from curator.checks import rules
from curator.checks.rules.change import Change
from curator.edits.rename import free_slug, known_page, linked
from curator.errors import ConfigError
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.system import clocks
from curator.wiki import merging
from curator.wiki.naming.titles import QUALIFIED
from curator.wiki.pages import editing, frontmatter, inline, positions
from curator.wiki.pages.aliases import alias_fields
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.relink import PageMove, relinked
from curator.wiki.taken_names import name_refused
from curator.wiki.wiki import PageEntry, Wiki


def merge(transaction: Transaction, kept: str, gone: str, now: datetime) -> ChangeSet:
    """The wiki with the page ``gone`` in the page ``kept``. Raises ConfigError."""
    wiki = transaction.wiki
    page, other = known_page(wiki, kept), known_page(wiki, gone)
    if page.path == other.path:
        raise ConfigError("merge_same", f"{kept!r} and {gone!r} are one page, {page.slug}", "name two pages")
    after = _dated(merging.merged(wiki, page, other), page.path, now)
    _check(transaction, after, now, before=wiki)
    bullets = (f"merged {other.slug} into [[{page.slug}]]", *linked(after, page.path))
    manifest = transaction.manifest().with_slug(other.slug, page.slug)
    trailer = f"{history.MERGED}: {other.slug} {page.slug}"
    return ChangeSet(after, manifest, f"merge {other.slug} into {page.slug}", bullets, (trailer,))


def split(
    transaction: Transaction, name: str, title: str, section: str, statements: Sequence[str], now: datetime
) -> ChangeSet:
    """The wiki with a part of the page ``name`` on a new page ``title``. Raises ConfigError."""
    wiki = transaction.wiki
    old = page = known_page(wiki, name)
    spots = {words: positions.find_passage(page.body, words) for words in statements}
    places = {words: spot.start if spot is not None else 0 for words, spot in spots.items()}
    for words in sorted(places, key=places.__getitem__, reverse=True):  # the last first: they stay in their order
        page = merging.set_apart(page, words)
    slug = free_slug(wiki, title, page)
    if page.slug in (slug, title):
        raise name_refused(title, PageEntry.of(page))
    blocks = _blocks(transaction, page, slug, section, statements)
    in_section = [block for block in blocks if block in merging.section_of(page, section)] if section else []
    made = _blank(page, title, slug)
    for some in filter(None, ([block for block in blocks if block not in in_section], in_section)):
        made = merging.with_text(made, page, merging.written(page, some))
    lead = f"See also [[{slug}|{inline.escape(title)}]]."
    after = merging.without(wiki, _without_name(page, title), blocks, lead).with_page(made)
    after = _followed(after, old, made)
    after = _dated(_dated(after, page.path, now), made.path, now)
    _check(transaction, after, now, before=wiki.with_page(page))
    manifest = transaction.manifest().with_page(slug, {citation.path for citation in made.citations.values()})
    bullets = (f"created [[{slug}]] from [[{page.slug}]]", *linked(after, page.path, made.path))
    trailer = f"{history.SPLIT}: {page.slug} {slug}"
    return ChangeSet(after, manifest, f"split {slug} from {page.slug}", bullets, (trailer,))


def _without_name(page: Page, title: str) -> Page:
    """``page`` without the alias that is the title of another page from now on."""
    kept = [alias for alias in page.own_aliases if name_key(alias) != name_key(title)]
    return page.with_fields(**alias_fields(page, kept)) if len(kept) < len(page.own_aliases) else page


def _followed(wiki: Wiki, old: Page, made: Page) -> Wiki:
    """``wiki`` with the links to the page ``old`` in the words of a name of ``made`` leading to that.

    By a name that both have (``Java``, ``Java (language)``) those do on pages that cite only what went there with it.
    """
    gone = {cited.path for cited in made.citations.values()}
    gone -= {cited.path for cited in wiki.changed[old.path].citations.values()}
    title, field = name_key(made.title), QUALIFIED.match(made.title)
    both = {title, name_key(field["name"])} if field else {title}
    for page in [wiki.page(slug) for slug in wiki.inbound(old.slug) if slug not in (old.slug, made.slug)]:
        if page is None or not page.is_readable:
            continue
        cited = {each.path for each in page.citations.values()}
        called = frozenset(both if cited and cited <= gone else {title})
        after = relinked(page, PageMove(PageEntry.of(old), PageEntry.of(made), called=called))
        wiki = wiki.with_page(after) if after != page else wiki
    return wiki


def _way_back(transaction: Transaction, page: Page, slug: str) -> str:
    """How to have the page ``slug`` as it was before it was made part of ``page``; empty where it was not."""
    git, folder = transaction.repository.git, transaction.repository.prefix
    found = list(history.curator_commits(git, "HEAD", folder=folder))
    gone = history.undone(found, history.reverted(git, "HEAD"))
    made = next((c for c in found if c.id not in gone and f"{slug} {page.slug}" in c.all(history.MERGED)), None)
    return f"; as it was before the merge: curate undo {made.id[:12]}" if made else ""


def _blocks(transaction: Transaction, page: Page, slug: str, section: str, statements: Sequence[str]) -> list[Block]:
    found = list(merging.section_of(page, section)) if section else []
    if section and not found:
        heads = ", ".join(block.text for block in page.outline.headings if block.level > 1) or "none"
        raise ConfigError("section_unknown", f"{page.slug} has no section {section!r}", f"its sections: {heads}")
    for words in statements:
        spot = positions.find_passage(page.body, words)
        block = positions.block_at(page.body, spot) if spot is not None else None
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
        hint = f"name a section or --statement; for a whole page: rename{_way_back(transaction, page, slug)}"
        raise ConfigError("split_empty", f"{what} on {page.slug}", hint)
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


def _check(transaction: Transaction, after: Wiki, now: datetime, *, before: Wiki) -> None:
    change = Change.of_nobody(transaction.policy(None), before, after, now)
    found = next((finding for rule in rules.MOVES for finding in rule(change)), None)
    if found is not None:
        ways = {"name_taken": "choose another name, or take it out of that page's head first"}
        raise ConfigError(found.code, f"{found.path}: {found.message}", ways.get(found.code, found.hint))
