"""Two pages become one, or one becomes two: every statement goes along with its footnotes, and links follow.

Pure: a wiki in, a wiki out. Whether two pages are one thing is for others to say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from curator.errors import ConfigError
from curator.wiki import relink
from curator.wiki.pages import editing, footnote_edits, inline, markdown, positions
from curator.wiki.pages.aliases import FLAT, flat_field
from curator.wiki.pages.citation import Citation, mark, marks_in, replace_marks, without_marks
from curator.wiki.pages.editing import CLAIMS, is_navigation
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page
from curator.wiki.pages.removal import without_blocks
from curator.wiki.relink import NAMING, PageMove
from curator.wiki.wiki import PageEntry, Wiki

_OWN = frozenset(
    {"schema", "slug", "kind", "title", "confidence", "updated_at", "sources", "metadata", "tags", *NAMING}
)
_PROVEN = re.compile(r"[.!?。！？][\"”’)*_`]*+[ \t]*+(?:\[\^[^\[\]\s]+\][ \t]*+)++\n?")
"""Where a sentence ends that footnotes follow."""
_LISTS = ("sources", "tags", "contradicts", "supersedes", "links")


def merged(wiki: Wiki, page: Page, other: Page, section: str = "") -> Wiki:
    """``wiki`` in which ``other`` is part of ``page``: its statements, names and relations, and every link to it.

    ``section``: a heading for what ``other`` says before its own first heading; empty: it stands with what ``page`` says
    there. Raises ConfigError (merge_dialects) for pages of two dialects, and when a head cannot be read.
    """
    if page.dialect != other.dialect:
        message = f"{page.slug} is {page.dialect}, {other.slug} is {other.dialect}"
        raise ConfigError("merge_dialects", message, "write the head of one as that of the other first")
    entries = PageEntry.of(page), PageEntry.of(other)
    mine, theirs = (
        relink.relinked(each, PageMove(gone, None)) for each, gone in zip((page, other), entries[::-1], strict=True)
    )
    theirs = relink.at_path(theirs, page.path)
    body = _body_with(mine, theirs, section)
    after = _head_with(mine.with_body(body), theirs)
    return relink.follow(wiki.without(other.path).with_page(after), PageMove(entries[1], PageEntry.of(after), True))


def without(wiki: Wiki, page: Page, blocks: Collection[Block], lead: str = "") -> Wiki:
    """``wiki`` with ``page`` short of ``blocks``, of the footnotes that only they cite, and with ``lead`` at its end."""
    body = without_blocks(page.body, blocks)
    left = page.with_body(footnote_edits.without_notes(body, {label for block in blocks for label in block.citations}))
    if lead:
        left = left.with_body(editing.insert(left.body, editing.end_of_text(left.body), lead))
    return wiki.with_page(left)


def with_text(page: Page, source: Page, text: str) -> Page:
    """``page`` with ``text`` of ``source``, and the footnotes and sources of that."""
    labels = set(marks_in(text))
    notes = [source.body[b.start : b.end] for b in source.outline.blocks if b.kind == "note" and b.info in labels]
    part = relink.at_path(source.with_body(footnote_edits.add_notes(f"{text}\n", notes)), page.path)
    cited = {citation.path for citation in part.citations.values()}
    named = [name for name in source.sources if name in cited] or list(source.sources)
    new = [name for name in named if name not in page.sources]
    after = page.with_body(_body_with(page, part, ""))
    return after.with_fields(sources=[*page.sources, *new]) if new else after


def moved(wiki: Wiki, page: Page, block: Block, target: Page, heading: str) -> Wiki:
    """``wiki`` with ``block`` of ``page`` on ``target``, under ``heading`` there, or in the opening part for none."""
    text = f"{heading}\n\n{written(page, [block])}".lstrip("\n")
    text = relink.relinked(page.with_body(text), PageMove(PageEntry.of(target), None)).body
    return without(wiki, page, [block]).with_page(with_text(target, page, text))


def set_apart(page: Page, words: str) -> Page:
    """``page`` with the sentences that ``words`` stand in, up to their footnotes, as a paragraph behind their own one.

    As it is where they are all of a paragraph, or stand in something else, or not in exactly one place.
    """
    spot = positions.find_passage(page.body, words)
    block = positions.block_at(page.body, spot) if spot is not None else None
    if spot is None or block is None or block.kind != "paragraph" or page.body[block.start - 1 : block.start] != "\n":
        return page
    text = page.body[block.start : block.end].rstrip()
    ends = [0, *(block.start + match.end() for match in _PROVEN.finditer(text)), block.start + len(text)]
    start = max(block.start, *(end for end in ends if end <= spot.start))
    end = min(end for end in ends if end >= min(spot.end, ends[-1]))
    rest = f"{page.body[block.start : start]}{page.body[end : ends[-1]]}".strip()
    if not rest:
        return page
    told = page.body[start:end].strip()
    return page.with_body(f"{page.body[: block.start]}{rest}\n\n{told}{page.body[ends[-1] :]}")


def section_of(page: Page, heading: str) -> tuple[Block, ...]:
    """The heading of a section of ``page`` and all that stands under it; empty where there is no such section."""
    span = editing.section_span(page.body, heading)
    inside = (b for b in page.outline.blocks if span is not None and span[0] <= b.start < span[1] and b.kind != "note")
    return tuple(inside)


def written(page: Page, blocks: Sequence[Block]) -> str:
    """``blocks`` of ``page`` as they are written: what begins with a heading is a section, and goes without it."""
    if blocks and blocks[0].kind == "heading":
        span = editing.section_span(page.body, blocks[0].text) or (blocks[0].end, blocks[0].end)
        return page.body[blocks[0].end : span[1]].strip("\n")
    return editing.join([_whole(page, block) for block in blocks])


def statements(page: Page) -> dict[str, frozenset[Citation]]:
    """What ``page`` states, as words alone, each with what it cites."""
    found: dict[str, frozenset[Citation]] = {}
    for block in page.outline.blocks:
        words = editing.words_of(without_marks(block.text))
        if block.kind in CLAIMS and words and not is_navigation(block):
            cited = frozenset(page.citations[label] for label in block.citations if label in page.citations)
            found[words] = found.get(words, frozenset()) | cited
    return found


# -- the body -----------------------------------------------------------------------------------------------------


def _body_with(page: Page, other: Page, section: str) -> str:
    """The body of ``page`` with the text of ``other``, section by section, but for its title and what is said already."""
    body, labels = page.body, _labels(page, other)
    for heading, text in _sections(other):
        text = replace_marks(text, lambda label: mark(labels[label]) if label in labels else None)
        body, text = _without_said(body, text)
        if not text.strip():
            continue
        heading = heading or (f"## {inline.escape(section)}" if section else "")
        named = next((block.text for block in markdown.scan(heading).headings), "")
        at = editing.end_of_section(body, named) if heading else _end_of_lead(body)
        block = text if at is not None else f"{heading}\n\n{text}"
        body = editing.insert(body, editing.end_of_text(body) if at is None else at, block)
    cited = set(marks_in(body))
    notes = [c.definition(labels[label]) for label, c in other.citations.items()]
    known = {block.info for block in markdown.scan(body).blocks if block.kind == "note"}
    plain = [
        other.body[b.start : b.end].rstrip("\n")
        for b in other.outline.blocks
        if b.kind == "note" and b.info not in other.citations
    ]
    fresh = [note for note in (*notes, *plain) if (label := note[2 : note.index("]")]) in cited and label not in known]
    return footnote_edits.add_notes(body, list(dict.fromkeys(fresh)))


def _labels(page: Page, other: Page) -> dict[str, str]:
    """The label in ``page`` of every footnote of ``other``: that of the same citation, else its own, else a free one."""
    known = {citation: label for label, citation in page.citations.items()}
    taken = {block.info for block in page.outline.blocks if block.kind == "note"}
    found: dict[str, str] = {}
    for block in other.outline.blocks:
        if block.kind != "note" or block.info in found:
            continue
        label, citation = block.info, other.citations.get(block.info)
        if citation is not None and citation in known:
            found[label] = known[citation]
            continue
        stem, number = re.fullmatch(r"(.*?)-?(\d*)", label, re.DOTALL).groups()  # type: ignore[union-attr]
        new, count = label, int(number or 0)
        while new in taken:
            count += 1
            new = f"{stem}-{count}"
        taken.add(new)
        found[label] = new
    return found


def _sections(page: Page) -> list[tuple[str, str]]:
    """The text of ``page`` by its headings, each as written; the title and the footnotes left out."""
    notes = [block for block in page.outline.blocks if block.kind == "note"]
    found: list[tuple[str, str]] = []
    heads = [block for block in page.outline.headings if block.level > 1]
    title = next((block for block in page.outline.headings if block.level == 1), None)
    start = title.end if title is not None else 0
    for head in [*heads, None]:
        end = head.start if head is not None else len(page.body)
        text = page.body[start:end]
        for note in reversed(notes):
            if start <= note.start < end:
                text = text[: note.start - start] + text[note.end - start :]
        found.append(
            (
                page.body[heads[len(found) - 1].start : heads[len(found) - 1].end].strip() if found else "",
                text.strip("\n"),
            )
        )
        start = head.end if head is not None else end
    return found


def _without_said(body: str, text: str) -> tuple[str, str]:
    """``body`` with the marks of the blocks of ``text`` that it says already, and ``text`` without those."""
    said = {words_in(block): block for block in markdown.scan(body).blocks if block.kind in ("paragraph", "item")}
    doomed = [
        b for b in markdown.scan(text).blocks if b.kind in ("paragraph", "item") and words_in(b) in said and words_in(b)
    ]
    for block in sorted(doomed, key=lambda block: -said[words_in(block)].start):
        twin = said[words_in(block)]
        new = [label for label in block.citations if label not in twin.citations]
        end = twin.start + len(body[twin.start : twin.end].rstrip())
        body = body[:end] + "".join(f" {mark(label)}" for label in new) + body[end:]
    return body, without_blocks(text, doomed) if doomed else text


def words_in(block: Block) -> str:
    """The words alone of a block, by which statements are told apart."""
    return editing.words_of(without_marks(block.text))


def _end_of_lead(body: str) -> int | None:
    """The offset behind what stands before the first section; None when there is no section."""
    blocks = markdown.scan(body).blocks
    first = next((b.start for b in blocks if b.kind == "heading" and b.level > 1), None)
    before = [b.end for b in blocks if b.kind != "note" and first is not None and b.start < first]
    if not before:
        return None
    end = body.find("\n", max(before))
    return len(body) if end < 0 else end


def _whole(page: Page, block: Block) -> str:
    """A block as it is written, an item with its bullet."""
    start = page.body.rfind("\n", 0, block.start) + 1
    lead = page.body[start : block.start]
    return (lead if editing.BULLET.fullmatch(lead) else "") + page.body[block.start : block.end].rstrip("\n")


# -- the head -----------------------------------------------------------------------------------------------------


def _head_with(page: Page, other: Page) -> Page:
    """``page`` with the names of ``other``, its sources, tags and relations, and the fields of strangers it has not."""
    changes: dict[str, object] = {key: value for key, value in other.fields.items() if key not in {*_OWN, *page.fields}}
    changes.pop(FLAT, None)
    for name in _LISTS:
        mine, theirs = (_list(each.fields.get(name)) for each in (page, other))
        both = [
            value
            for value in dict.fromkeys((*mine, *theirs))
            if value not in (page.slug, other.slug) or name in ("sources", "tags")
        ]
        if both != mine:
            changes[name] = both
    taken = {name_key(name) for name in (page.title, *page.aliases)}
    new = [name for name in dict.fromkeys((other.title, *other.aliases)) if name not in (page.title, *page.aliases)]
    fresh = [name for name in new if name_key(name) not in taken or name != name.casefold()]
    metadata = page.fields.get("metadata")
    rest = {**(metadata if isinstance(metadata, dict) else {})}
    theirs_meta = other.fields.get("metadata")
    rest = {**(theirs_meta if isinstance(theirs_meta, dict) else {}), **rest}
    own = [*page.own_aliases, *fresh]
    changes |= flat_field(page, own)
    ours = {**page.ours, **({"aliases": own} if fresh else {})}
    if ours != page.ours or rest != metadata:
        changes["metadata"] = {**rest, **({"curator": ours} if ours else {})}
    if "confidence" in page.fields and "confidence" in other.fields and other.confidence < page.confidence:
        changes["confidence"] = other.confidence
    return page.with_fields(**changes) if changes else page


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]
