"""A page's Markdown as HTML that can do nothing: none of its own HTML, no pictures, no address but of web and wiki.

Each claim is wrapped in elements that carry its number, and each footnote mark becomes a button that opens its proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyromark
from markupsafe import Markup, escape

from curator.wiki.pages.markdown import OPTIONS, character_offsets, tag_of

Address = Callable[[str, bool], str | None]
"""Where a link leads in the browser, by its target as written and whether it is a wikilink; None where nowhere."""

_BLOCKS = {"Paragraph": "p", "BlockQuote": "blockquote", "Item": "li", "Table": "table", "TableRow": "tr"}
_INLINE = {"Emphasis": "em", "Strong": "strong", "Strikethrough": "del"}
_UNSEEN = ("FootnoteDefinition", "HtmlBlock", "MetadataBlock")
_KEEP_CLAIM = ("Paragraph", "TableCell")
"""Blocks that go on with the claim of the item or row that they stand in."""
_JOINER = "\u2060"
"""No line ends before it: a mark stays with the last word of its sentence."""
_WEB = re.compile(r"(?i)(?:https?://|mailto:)")


@dataclass(frozen=True)
class Heading:
    """A heading of a page, for its contents; ``anchor`` is its id in the HTML."""

    level: int
    text: str
    anchor: str


def rendered(
    text: str, claims: Mapping[int, int], address: Address, notes: Mapping[str, int] | None = None
) -> tuple[Markup, tuple[Heading, ...]]:
    """``text`` as HTML, and its headings; ``claims`` numbers the claim blocks by the offset where each begins.

    ``notes`` numbers the footnotes by their labels, as the list below the page does.
    """
    page, at = _Rendering(claims, address, notes or {}), character_offsets(text)
    for event, span in pyromark.events_with_range(text, options=OPTIONS):
        name, value = tag_of(event)
        if name == "Start":
            page.begin(*tag_of(value), at(span["start"]))
        elif name == "End":
            page.end(*tag_of(value))
        elif not page.unseen:
            page.inline(name, value)
    return Markup("".join(page.out)), tuple(page.headings)  # noqa: S704 - tags of ours around escaped text


def as_it_reads(text: str) -> str:
    """``text`` on one line without its markup: links by their words, no bullet."""
    html, _ = rendered(text, {}, lambda *_: None)
    return html.striptags().replace(_JOINER, "")


class _Rendering:
    """One walk over the events of a text."""

    def __init__(self, claims: Mapping[int, int], address: Address, notes: Mapping[str, int]) -> None:
        self.claims, self.address, self.notes = claims, address, notes
        self.out: list[str] = []
        self.headings: list[Heading] = []
        self.unseen = 0
        self._claim: int | None = None
        self._is_open = False
        self._cell = "td"
        self._lists: list[str] = []
        self._links: list[str] = []
        self._heading_from, self._level = 0, 1

    def begin(self, name: str, value: Any, start: int) -> None:
        self.unseen += name in _UNSEEN
        if self.unseen:
            return
        if name in _INLINE:
            self._open_claim()
            self.out.append(f"<{_INLINE[name]}>")
        elif name in ("Link", "Image"):
            self._open_claim()
            self._link(name, value)
        else:
            self._close_claim()
            self._claim = self.claims.get(start, self._claim if name in _KEEP_CLAIM else None)
            self.out.append(self._opening(name, value))

    def end(self, name: str, value: Any) -> None:
        if self.unseen:
            self.unseen -= name in _UNSEEN
        elif name in _INLINE:
            self.out.append(f"</{_INLINE[name]}>")
        elif name in ("Link", "Image"):
            self.out.append(self._links.pop())
        else:
            self._close_claim()
            if name != "TableCell":
                self._claim = None
            self.out.append(self._closing(name))

    def inline(self, name: str, value: Any) -> None:
        if name == "Rule":
            self.out.append("<hr>")
            return
        self._open_claim()
        if name in ("SoftBreak", "HardBreak"):
            self.out.append("\n" if name == "SoftBreak" else "<br>")
        elif name == "Code":
            self.out.append(f"<code>{escape(value)}</code>")
        elif name == "FootnoteReference":
            self._mark(value)
        else:
            self.out.append(str(escape(value)))

    # -- claims ------------------------------------------------------------------------------------------------

    def _open_claim(self) -> None:
        if self._claim is not None and not self._is_open:
            self.out.append(f'<span class="claim" data-claim="{self._claim}">')
            self._is_open = True

    def _close_claim(self) -> None:
        if self._is_open:
            self.out.append("</span>")
            self._is_open = False

    def _mark(self, label: str) -> None:
        claim = "" if self._claim is None else f' data-claim="{self._claim}"'
        number = f' data-number="{self.notes[label]}"' if label in self.notes else ""
        name = f'aria-label="Show what this rests on: {escape(label)}"'
        self.out[-1] = self.out[-1].rstrip()
        button = f'<button class="mark" type="button"{claim}{number} data-note="{escape(label)}" {name}></button>'
        self.out.append(f'<span class="tail">{_JOINER}{button}</span>')

    # -- blocks and links --------------------------------------------------------------------------------------

    def _opening(self, name: str, value: Any) -> str:
        if name == "Heading":
            self._heading_from, self._level = len(self.out) + 1, int(value["level"][1:])
            return ""
        if name == "CodeBlock":
            return "<pre><code>"
        if name == "List":
            self._lists.append("ul" if value is None else "ol")
            return "<ul>" if value is None else f'<ol start="{int(value)}">'
        if name in ("TableHead", "TableCell"):
            self._cell = "th" if name == "TableHead" else self._cell
            return "<thead><tr>" if name == "TableHead" else f"<{self._cell}>"
        return f"<{_BLOCKS[name]}>" if name in _BLOCKS else ""

    def _closing(self, name: str) -> str:
        if name == "Heading":
            return self._end_heading()
        if name == "CodeBlock":
            return "</code></pre>"
        if name == "List":
            return f"</{self._lists.pop()}>"
        if name == "TableCell":
            return f"</{self._cell}>"
        if name == "TableHead":
            self._cell = "td"
            return "</tr></thead>"
        return f"</{_BLOCKS[name]}>" if name in _BLOCKS else ""

    def _link(self, name: str, value: Any) -> None:
        written = str(value["dest_url"])
        is_wiki = isinstance(value["link_type"], dict) and "WikiLink" in value["link_type"]
        outward = name == "Link" and not is_wiki and _WEB.match(written)
        target = written if outward else self.address(written.rstrip("\\") if is_wiki else written, is_wiki)
        if name == "Image" or target is None:
            kind = "picture" if name == "Image" else "nowhere"
            self.out.append(f'<span class="{kind}">')
            self._links.append("</span>")
            return
        rel = ' class="outward" rel="noreferrer noopener"' if outward else ""
        self.out.append(f'<a href="{escape(target)}"{rel}>')
        self._links.append("</a>")

    def _end_heading(self) -> str:
        inner = "".join(self.out[self._heading_from :])
        del self.out[self._heading_from :]
        level = self._level
        text = Markup(inner).striptags().replace(_JOINER, "")  # noqa: S704 - tags of ours around escaped text
        anchor = f"h{len(self.headings) + 1}"
        self.headings.append(Heading(level, text, anchor))
        return f'<h{level} id="{anchor}">{inner}</h{level}>'
