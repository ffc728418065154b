"""What stands in a markdown text, with offsets and line numbers: blocks, links, citations, raw HTML.

pyromark (CommonMark with wikilinks, tables and footnotes) does the reading, so links inside code, escapes and comments
are none. Offsets count characters, lines count from 1, both in the text that was scanned.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import pyromark

from curator.wiki.pages.citation import MARK

OPTIONS = pyromark.Options.ENABLE_WIKILINKS | pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_FOOTNOTES
"""The Markdown of a page."""

BlockKind = Literal["paragraph", "item", "row", "heading", "code", "html", "note"]
LinkForm = Literal["wiki", "inline", "reference", "auto", "embed", "image"]


class Link(NamedTuple):
    """A link as written. ``target`` has no anchor; a wikilink's target is a slug, a title or an alias."""

    form: LinkForm
    target: str
    anchor: str
    line: int
    start: int
    end: int
    title: str = ""
    """What stands in quotes behind the address, and is seen by nobody who does not point at the link."""


class Block(NamedTuple):
    """A paragraph, list item, table row, heading, code block, HTML block or footnote, without its nested blocks."""

    kind: BlockKind
    start: int
    end: int
    line: int
    text: str
    """The block's own words: inline text without marks, links by their label, code without backticks."""
    words_outside_links: str
    citations: tuple[str, ...] = ()
    level: int = 0
    """1 to 6 for headings."""
    info: str = ""
    """A code block's info string, a footnote's label."""


@dataclass(frozen=True)
class Outline:
    """All that ``scan`` found, in the order of the text."""

    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    html: tuple[tuple[int, str], ...]
    """Line and text of each piece of raw HTML, comments included."""

    @property
    def headings(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.kind == "heading")


def scan(text: str) -> Outline:
    """Read ``text`` (a markdown body without frontmatter)."""
    return _scanned(text) if len(text) < _SHORT else _Scan(text).outline()


def unshown(text: str) -> list[tuple[int, str]]:
    """What a reader never sees of ``text``, with its line: link reference definitions, however deep and long.

    It is what is left when all is taken away that some block shows, and the marks of lists, quotes and footnotes.
    """
    at, shown = character_offsets(text), bytearray(len(text))
    for event, span in pyromark.events_with_range(text, options=OPTIONS):
        start, end = at(span["start"]), at(span["end"])
        name, value = tag_of(event["Start"]) if isinstance(event, dict) and "Start" in event else ("", None)
        if name == "FootnoteDefinition":
            end = start + len(f"[^{value}]:")
        if name not in _CONTAINERS and not (isinstance(event, dict) and "End" in event):
            shown[start:end] = b"\1" * (end - start)
    found = []
    for piece in re.finditer(rb"\0+", shown):
        gap = text[piece.start() : piece.end()]
        left = _MARKERS.sub("", gap)
        if re.search(r"\w", left):
            before = len(gap) - len(gap.lstrip())
            found.append((text.count("\n", 0, piece.start() + before) + 1, " ".join(left.split())))
    return found


_SHORT = 10_000
"""Characters of a text whose outline is kept for a while: what is worked on is scanned dozens of times."""


@lru_cache(maxsize=128)
def _scanned(text: str) -> Outline:
    return _Scan(text).outline()


_CONTAINERS = ("List", "Item", "BlockQuote", "Table")
_MARKERS = re.compile(r"(?m)^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?=\s|\Z)[\s>]*)*")
"""What begins the lines of lists and quotes."""
_NEWLINE = re.compile("\n")
_WIDE = re.compile(r"[^\x00-\x7f]")
"""A character of several bytes."""
_INLINE_BREAKS = ("SoftBreak", "HardBreak")
_LEAF = {"Paragraph": "paragraph", "TableHead": "head", "TableRow": "row"}


class _OpenBlock:
    """A block that is being read."""

    def __init__(self, kind: str, start: int, *, level: int = 0, info: str = "") -> None:
        self.kind, self.start, self.end = kind, start, start
        self.level, self.info = level, info
        self.direct = False
        """True while the first paragraph of a loose item or of a footnote is read: its words are the block's own."""
        self.text: list[str] = []
        self.outside: list[str] = []
        self.citations: list[str] = []


class _Scan:
    """One walk over pyromark's events."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = character_offsets(text)
        self.newlines = [found.start() for found in _NEWLINE.finditer(text)]
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.html: list[tuple[int, str]] = []
        self.containers: list[str] = []
        self.open: _OpenBlock | None = None
        self.stack: list[_OpenBlock | None] = []
        self.links_open = 0

    def outline(self) -> Outline:
        at, handlers = self.at, {name: handler.__get__(self) for name, handler in _HANDLERS.items()}
        for event, span in pyromark.events_with_range(self.text, options=OPTIONS):
            if isinstance(event, str):
                if event in _INLINE_BREAKS:
                    self._words(" ", at(span["end"]))
                continue
            ((name, value),) = event.items()
            handler = handlers.get(name)
            if handler is not None:
                handler(value, at(span["start"]), at(span["end"]))
        self.blocks.sort(key=lambda block: block.start)
        return Outline(tuple(self.blocks), tuple(self.links), tuple(self.html))

    def line(self, offset: int) -> int:
        return bisect_right(self.newlines, offset - 1) + 1

    # -- events ------------------------------------------------------------------------------------------------

    def _on_start(self, tag: Any, start: int, end: int) -> None:
        name, value = tag_of(tag)
        if name in ("Link", "Image"):
            self._link(name, value, start, end)
            self.links_open += 1
        elif name == "Heading":
            self._begin(_OpenBlock("heading", start, level=int(value["level"][1:])))
        elif name == "CodeBlock":
            self._begin(_OpenBlock("code", start, info=str(value.get("Fenced", "")) if isinstance(value, dict) else ""))
        elif name == "FootnoteDefinition":
            self._suspend()
            self.containers.append(name)
            self.open = _OpenBlock("note", start, info=str(value))
        elif name == "Item":
            self._suspend()
            self.containers.append(name)
            self.open = _OpenBlock("item", start)
        elif name in _LEAF:
            self._leaf(name, start)
        elif name == "TableCell" and self.open is not None and self.open.text:
            self._words(" ", start)
        elif name in ("List", "BlockQuote", "Table", "HtmlBlock"):
            self._suspend()
            self.containers.append(name)

    def _on_end(self, tag: Any, start: int, end: int) -> None:
        name, _ = tag_of(tag)
        if name in ("Link", "Image"):
            self.links_open -= 1
            if self.open is not None:
                self.open.end = max(self.open.end, end)
        elif name in ("Heading", "CodeBlock"):
            self._finish(end)
            self._resume()
        elif name == "Paragraph" and self.open is not None and self.open.direct:
            self.open.end = end
            self.open.direct = False
        elif name in _LEAF:
            self._finish(end)
            self._resume()
        elif name in ("Item", "FootnoteDefinition"):
            self._finish(end if name == "FootnoteDefinition" else None)
            self.containers.pop()
            self._resume()
        elif name in ("List", "BlockQuote", "Table", "HtmlBlock"):
            self.containers.pop()
            self._resume()

    def _on_text(self, value: str, start: int, end: int) -> None:
        self._words(value, end)
        if self.open is not None and "[^" in self.text[start : end + 2]:
            self._dangling(start)

    def _on_code(self, value: str, start: int, end: int) -> None:
        self._words(value, end)

    def _on_footnotereference(self, label: str, start: int, end: int) -> None:
        if self.open is not None:
            self.open.citations.append(label)
            for words in (self.open.text, self.open.outside):
                words[-1:] = [word.rstrip(" ") for word in words[-1:]]  # the space before the mark is part of it
            self.open.end = max(self.open.end, end)

    def _on_inlinehtml(self, value: str, start: int, end: int) -> None:
        self.html.append((self.line(start), value))
        if self.open is not None:
            self.open.end = max(self.open.end, end)

    def _on_html(self, value: str, start: int, end: int) -> None:
        self.html.append((self.line(start), value.rstrip("\n")))
        self.blocks.append(Block("html", start, end, self.line(start), value, value))

    # -- blocks ------------------------------------------------------------------------------------------------

    def _leaf(self, name: str, start: int) -> None:
        """A paragraph straight inside a fresh item or footnote is that block itself; any other stands alone."""
        inside = self.open
        if name == "Paragraph" and inside is not None and inside.kind in ("item", "note") and not inside.text:
            inside.direct = True
            return
        kind = "item" if name == "Paragraph" and inside is not None and inside.kind == "item" else _LEAF[name]
        self._begin(_OpenBlock(kind, start))

    def _begin(self, block: _OpenBlock) -> None:
        self._suspend()
        self.open = block

    def _suspend(self) -> None:
        self.stack.append(self.open)
        self.open = None

    def _resume(self) -> None:
        self.open = self.stack.pop()

    def _finish(self, end: int | None) -> None:
        block = self.open
        if block is None or block.kind == "head":
            return
        stop = block.end if end is None else end
        stop = block.start + len(self.text[block.start : stop].rstrip())
        text = "".join(block.text).strip()
        if text or block.citations or block.kind != "item":
            self.blocks.append(
                Block(
                    block.kind,  # type: ignore[arg-type]
                    block.start,
                    stop,
                    self.line(block.start),
                    text,
                    "".join(block.outside).strip(),
                    tuple(block.citations),
                    block.level,
                    block.info,
                )
            )

    def _words(self, value: str, end: int) -> None:
        if self.open is None:
            return
        self.open.text.append(value)
        self.open.end = max(self.open.end, end)
        if not self.links_open:
            self.open.outside.append(value)

    def _dangling(self, start: int) -> None:
        """pyromark reads ``[^x]`` as words when no footnote ``x`` exists; it is a citation all the same."""
        match = MARK.match(self.text, start)
        escaped = self.text[start - 1 : start] == "\\"
        if match and not escaped and self.open is not None and match[1] not in self.open.citations:
            self.open.citations.append(match[1])

    # -- links -------------------------------------------------------------------------------------------------

    def _link(self, name: str, value: Any, start: int, end: int) -> None:
        kind = value["link_type"]
        wiki = isinstance(kind, dict) and "WikiLink" in kind
        target = str(value["dest_url"])
        if wiki:
            target = target.rstrip("\\")  # a table cell writes [[x\|label]]
        target, _, anchor = target.partition("#")
        form: LinkForm
        if name == "Image":
            form = "embed" if wiki else "image"
        elif wiki:
            form = "wiki"
        elif kind in ("Autolink", "Email"):
            form = "auto"
        else:
            form = "inline" if kind == "Inline" else "reference"
        self.links.append(Link(form, target.strip(), anchor.strip(), self.line(start), start, end, str(value["title"])))


_HANDLERS: dict[str, Callable[[_Scan, Any, int, int], None]] = {
    "Start": _Scan._on_start,
    "End": _Scan._on_end,
    "Text": _Scan._on_text,
    "Code": _Scan._on_code,
    "FootnoteReference": _Scan._on_footnotereference,
    "InlineHtml": _Scan._on_inlinehtml,
    "Html": _Scan._on_html,
}
"""What is done about an event of pyromark's, by its name."""


def tag_of(tag: Any) -> tuple[str, Any]:
    """The name of an event of pyromark's, or of the tag in it, and its value; None where it has none."""
    if isinstance(tag, str):
        return tag, None
    ((name, value),) = tag.items()
    return name, value


def character_offsets(text: str) -> Callable[[int], int]:
    """A function from pyromark's byte offsets to character offsets."""
    if text.isascii():
        return int  # of an int, that int
    ends, more = [0], [0]
    for found in _WIDE.finditer(text):
        more.append(more[-1] + len(found[0].encode("utf-8", "surrogatepass")) - 1)
        ends.append(found.end() + more[-1])
    return lambda offset: offset - more[bisect_right(ends, offset) - 1]
