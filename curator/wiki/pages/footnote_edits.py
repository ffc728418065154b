"""The footnotes of a page's body: their definitions added, taken out, and parted from what was typed right below them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from curator.wiki.pages import markdown
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.editing import line_end
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import Page


def add_notes(body: str, notes: list[str]) -> str:
    """``body`` with footnote definitions behind those it has."""
    if not notes:
        return body
    trimmed = body.rstrip("\n")
    last = trimmed.rsplit("\n", 1)[-1]
    gap = "\n" if last.startswith("[^") else "\n\n"
    return f"{trimmed}{gap}" + "\n".join(notes) + "\n"


def without_notes(body: str, labels: Collection[str]) -> str:
    """``body`` without the definitions of those of ``labels`` that it cites nowhere."""
    blocks = markdown.scan(body).blocks
    cited = {label for block in blocks for label in block.citations}
    for block in reversed(blocks):
        if block.kind == "note" and block.info in labels and block.info not in cited:
            end = citation_end(body, block)
            body = body[: block.start] + (body[end:] if end < block.end else body[end:].removeprefix("\n"))
    return body


def citation_end(body: str, note: Block) -> int:
    """Where the citation of a footnote ends: what somebody typed right below it is read as a part of the footnote."""
    end = body.find("\n", note.start, note.end)
    is_whole = end >= 0 and Citation.parse(body[note.start : end].partition("]:")[2]) is not None
    return end if is_whole else note.end


def parted(body: str, labels: Collection[str] | None = None) -> str:
    """``body`` with an empty line between each citation (of ``labels``; None: any) and what stands right below it."""
    for note in reversed([block for block in markdown.scan(body).blocks if block.kind == "note"]):
        end = citation_end(body, note)
        if (
            (labels is None or note.info in labels)
            and end < note.end
            and body[end + 1 : line_end(body, end + 1)].strip()
        ):
            body = body[:end] + "\n" + body[end:]
    return body


def with_sources_renamed(page: Page, names: Mapping[str, str]) -> Page:
    """``page`` with other paths for sources that it cites or lists, by those it has."""
    body = page.body
    for block in reversed(page.outline.blocks if names else ()):
        cited = page.citations.get(block.info) if block.kind == "note" else None
        if cited is not None and cited.path in names:
            note = replace(cited, path=names[cited.path]).definition(block.info)
            body = body[: block.start] + note + body[citation_end(body, block) :]
    page = page.with_body(body) if body != page.body else page
    if not page.is_readable or names.keys().isdisjoint(page.sources):
        return page
    return page.with_fields(sources=[names.get(each, each) for each in page.sources])
