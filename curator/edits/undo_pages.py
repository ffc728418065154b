"""A page without what one commit did to it, and with all that was done since.

Each page is a merge of three: as the ingest left it (the base), as it is now, and as the ingest found it. A line that
the ingest brought and somebody changed since is a clash, which is shown and never settled by guessing. One that only got
marks of other sources since is none: it stays, proven by those alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curator.edits import rename
from curator.system import clocks
from curator.system.merge3 import Clash, Merged, merge
from curator.wiki.pages import editing, footnote_edits
from curator.wiki.pages.citation import marks_in, without_marks
from curator.wiki.pages.frontmatter import ABSENT
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page
from curator.wiki.sources.records import SourceRecords
from curator.wiki.wiki import Wiki


@dataclass(frozen=True)
class PageBefore:
    """One page as a commit found it (``found``; None: there was none) and as it left it (``left``)."""

    path: str
    found: Page | None
    left: Page | None


@dataclass(frozen=True)
class Reverted:
    """The wiki without a commit, and the lines that were changed since and so stay, by path."""

    wiki: Wiki
    clashes: tuple[tuple[str, Clash], ...] = ()
    borne_out: tuple[tuple[str, str], ...] = ()
    """By path, the statements of the commit that stay, because other sources prove them too."""


def take_back(wiki: Wiki, page_changes: Iterable[PageBefore], now: datetime, registry: SourceRecords) -> Reverted:
    """``wiki`` without what one commit did to its pages. Clashing lines stay as they are now."""
    clashes: list[tuple[str, Clash]] = []
    borne_out: list[tuple[str, str]] = []
    empty: list[Page] = []
    for change in page_changes:
        page = wiki.page_at(change.path)
        if page is None or change.left is None:
            wiki = _restored(wiki, change) if page is None else wiki
            continue
        if not page.is_readable:
            clashes.append((change.path, Clash((), ("its head cannot be read",), ())))
            continue
        if change.found is not None and page.text == change.left.text:
            wiki = wiki.with_page(change.found)
            continue
        body, in_the_way, stay = _body(page, change)
        clashes += [(change.path, clash) for clash in in_the_way]
        borne_out += [(change.path, statement) for statement in stay]
        if not _says_anything(body) and (change.found is None or _says_anything(change.found.body)):
            empty.append(page)
            continue
        after = _with_head(page.with_body(body), page, change, registry)
        wiki = wiki.with_page(_dated(after, now)) if after.text != page.text else wiki
    for page in empty:  # last, because what links to them is changed too, and that would look like somebody's edit
        wiki = rename.without_page(wiki, page)
    return Reverted(wiki, tuple(clashes), tuple(borne_out))


def _restored(wiki: Wiki, change: PageBefore) -> Wiki:
    """A page that the commit removed comes back, unless another one bears its name by now."""
    if change.left is None and change.found is not None and wiki.entry(change.found.slug) is None:
        return wiki.with_page(change.found)
    return wiki


# -- the body -----------------------------------------------------------------------------------------------------


def _body(page: Page, change: PageBefore) -> tuple[str, list[Clash], list[str]]:
    """The page's body without the commit, its headings and footnotes in order; what is in the way, and what stays."""
    left, found = change.left or page, change.found
    base, theirs = left.body, found.body if found is not None else ""
    merged = merge(base, page.body, theirs, stays=lambda line: line.startswith("#"))
    was_empty = {heading.text for version in (page, found) if version for heading in _empty_sections(version)}
    text, clashes, stay = _with_others_marks(merged)
    after = page.with_body(text)
    body = _without(after, [heading for heading in _empty_sections(after) if heading.text not in was_empty])
    return _with_notes(page.with_body(body), (page, left, *((found,) if found is not None else ()))), clashes, stay


def _with_others_marks(merged: Merged) -> tuple[str, list[Clash], list[str]]:
    """The text in which what others prove too has their marks alone; the clashes that are left, and these statements."""
    lines, clashes, stay = merged.text.split("\n"), [], []
    for clash in merged.clashes:
        now, before = ({without_marks(line).strip(): line for line in side} for side in (clash.ours, clash.theirs))
        if not _only_marks_came(clash, now, before):
            clashes.append(clash)
            continue
        for was in clash.base:
            words = without_marks(was).strip()
            brought = set(marks_in(was)) - set(marks_in(before.get(words, "")))
            lines[lines.index(now[words])] = without_marks(now[words], brought)
            stay += [words] if not before else []
    return "\n".join(lines), clashes, stay


def _only_marks_came(clash: Clash, now: Mapping[str, str], before: Mapping[str, str]) -> bool:
    """True where each line of the commit has only got marks since, whatever else came, and was so before, or not there."""
    base = {without_marks(line).strip(): set(marks_in(line)) for line in clash.base}
    more = all(words in now and set(marks_in(now[words])) > marks for words, marks in base.items())
    return more and before.keys() in (set(), base.keys())


def _empty_sections(page: Page) -> list[Block]:
    """The headings below the title that nothing stands under, but for other such headings."""
    empty: list[Block] = []
    level = 1
    for block in reversed([block for block in page.outline.blocks if block.kind != "note"]):
        if block.kind != "heading":
            level = 7  # something stands here
        elif level <= block.level:
            empty += [block] if block.level > 1 else []
        else:
            level = block.level
    return empty


def _without(page: Page, blocks: Sequence[Block]) -> str:
    """The body without ``blocks``, which come last first."""
    body = page.body
    for block in blocks:
        body = body[: block.start] + body[block.end :].lstrip("\n")
    return body


def _with_notes(page: Page, versions: tuple[Page, ...]) -> str:
    """The body with a footnote for each citation of an older version, and none that only the commit's claims cited."""
    body = footnote_edits.without_notes(page.body, page.citations)
    cited = {label for block in page.outline.blocks for label in block.citations}
    defined = {block.info for block in page.outline.blocks if block.kind == "note"}
    missing = [
        version.body[block.start : block.end]
        for label in sorted(cited - defined)
        for version in versions
        for block in version.outline.blocks
        if block.kind == "note" and block.info == label
    ]
    return footnote_edits.add_notes(body.rstrip("\n") + "\n", list(dict.fromkeys(missing)))


def _says_anything(body: str) -> bool:
    blocks = Page("", body).outline.blocks
    return any(b.kind not in ("heading", "note") and b.text and not editing.is_navigation(b) for b in blocks)


# -- the head -----------------------------------------------------------------------------------------------------


def _with_head(page: Page, was: Page, change: PageBefore, registry: SourceRecords) -> Page:
    """The head without what the commit did to it, as far as nobody changed the same field since."""
    left, found = change.left, change.found
    if left is None or not left.is_readable or (found is not None and not found.is_readable):
        return page
    before: dict[str, Any] = found.fields if found is not None else {}
    changes: dict[str, Any] = {}
    if found is not None:
        for key in {*before, *left.fields} - {"sources", "updated_at"}:
            old, new, now = before.get(key, ABSENT), left.fields.get(key, ABSENT), was.fields.get(key, ABSENT)
            if old == new:
                continue
            if now == new:
                changes[key] = old
            elif isinstance(now, list) and isinstance(new, list):
                changes[key] = _without_added(now, old if isinstance(old, list) else [], new)
    sources = _sources(page, left, found, registry)
    if sources != page.sources:
        changes["sources"] = list(sources)
    return page.with_fields(**changes) if changes else page


def _without_added(now: list[Any], old: list[Any], new: list[Any]) -> list[Any]:
    added = [item for item in new if item not in old]
    return [item for item in now if item not in added] + [item for item in old if item not in new and item not in now]


def _sources(page: Page, left: Page, found: Page | None, registry: SourceRecords) -> tuple[str, ...]:
    """The sources without those that the commit listed and the page cites no more."""
    cited = {registry.called(citation.path, page.dialect) for citation in page.citations.values()}
    before = found.sources if found is not None else ()
    added = [source for source in left.sources if source not in before]
    return tuple(source for source in page.sources if source not in added or source in cited)


def _dated(page: Page, now: datetime) -> Page:
    return page.with_fields(updated_at=clocks.utc_timestamp(now))
