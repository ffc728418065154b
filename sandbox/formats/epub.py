"""Books (EPUB): each chapter, that is each document of the book's own order, is a page."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from functools import partial
from urllib.parse import unquote

from extracted import Extracted
from html_page.page import read_page
from html_page.page_sheets import Linked
from unicode_text import Unreadable, source_text

from formats import html
from formats.office.archive import Archive, head_of
from formats.office.gathered import Gathered

_CONTAINER = "META-INF/container.xml"
_MOST_PAGES, _PAGES = 500, (".xhtml", ".html", ".htm", ".ncx")
_HREF = re.compile(rb"(?:href|src)=[\"']([^\"'#]{1,300})")
_BYTES_A_CHARACTER = 2
"""Of text that may be taken, as much markup as is read at most."""
_UNREACHED = "chapters beside the book's order to which nothing leads"
_CHAPTERS = ("application/xhtml+xml", "text/html", "application/html")


def read(data: bytes, max_chars: int) -> Extracted:
    """The chapters of the book ``data``."""
    archive = Archive(data)
    root = archive.tree(_CONTAINER).find(".//rootfile")
    main = "" if root is None else root.get("full-path", "")
    if main not in archive.names:
        raise Unreadable("source_damaged", f"no book is in it: {_CONTAINER!r} names no list of its chapters")
    package = archive.tree(main)
    items = {item.get("id", ""): item for item in package.findall("manifest/item")}
    locked = {unquote(link.get("URI", "")) for link in archive.tree("META-INF/encryption.xml").iter("CipherReference")}
    gathered = Gathered(max_chars, by_page=True)
    links = _links(archive) if any(each.get("linear") == "no" for each in package.iter("itemref")) else {}
    bytes_left = _BYTES_A_CHARACTER * max_chars
    for reference in package.findall("spine/itemref"):
        is_aside = reference.get("linear", "yes") == "no"
        # A chapter that is named a second time is looked for in vain.
        item = items.pop(reference.get("idref", ""), None)
        gathered.next_page()
        if item is None or item.get("media-type") not in _CHAPTERS:
            continue
        part = posixpath.normpath(posixpath.join(posixpath.dirname(main), unquote(item.get("href", ""))))
        if part in locked:
            raise Unreadable("source_locked", f"its chapter {part!r} is encrypted, as those of bought books are")
        if part in archive.names:
            chapter = archive.read(part)
            bytes_left -= len(chapter)
            if bytes_left < 0:
                raise Unreadable(
                    "source_too_large", f"its chapters have more than {_BYTES_A_CHARACTER * max_chars} bytes"
                )
            if is_aside and not links.get(part.rpartition("/")[2], set()) - {part}:
                page = read_page(source_text(chapter))
                gathered.leave_out(_UNREACHED, sum(len(line.words) for line in page.lines), is_hidden=True)
                continue
            is_contents = "nav" in item.get("properties", "").split()
            _chapter(chapter, is_contents, gathered, partial(_sheet, archive, posixpath.dirname(part)))
    metadata = package.find("metadata")
    return gathered.extracted("page", {} if metadata is None else head_of(metadata))


def preload() -> None:
    """Import what reading a chapter needs."""
    html.preload()


def _links(archive: Archive) -> dict[str, set[str]]:
    """By the name of a file, the parts of the book that lead to it."""
    found: dict[str, set[str]] = defaultdict(set)
    for part in [name for name in archive.names if name.lower().endswith(_PAGES)][:_MOST_PAGES]:
        for address in _HREF.findall(archive.read(part)):
            found[unquote(address.decode("utf-8", "replace")).rpartition("/")[2]].add(part)
    return found


def _sheet(archive: Archive, folder: str, address: str) -> str:
    """The style sheet of the book at an address as a chapter in ``folder`` has it, or as the book's other sheets do."""
    path = unquote(address.partition("#")[0])
    parts = [posixpath.normpath(posixpath.join(folder, path))]
    parts += [name for name in archive.names if name.endswith(f"/{path.rpartition('/')[2]}") and name.endswith(".css")]
    return next((source_text(archive.read(part)) for part in parts if part in archive.names), "")


def _chapter(data: bytes, is_contents: bool, gathered: Gathered, sheet: Linked) -> None:
    page = read_page(source_text(data), sheet)
    for why, count in sorted(page.unseen.items()):
        gathered.leave_out(f"text that is {why}", count, is_hidden=True)
    lines = [line for _, line, _ in html.numbered(page.lines)]
    if is_contents:
        gathered.leave_out("table of contents", sum(map(len, lines)))
        return
    for line in lines:
        gathered.beside(line)
