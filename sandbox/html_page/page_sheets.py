"""The style sheets that hold for a page: its own, those an address holds, and what it is given of those beside it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from html.parser import HTMLParser
from urllib.parse import unquote

from css.style_sheets import holds_on_screens

from html_page.scripts import rules_of

Linked = Callable[[str], str]
"""The text of the sheet at an address; empty where it is not known."""
_DATA = re.compile(r"data:text/css(;base64)?(?:;[\w=-]{1,40}){0,5}(;base64)?,", re.IGNORECASE)
_IMPORT = re.compile(
    r"@import\s{1,9}(?:url\(\s{0,9})?(?:\"([^\"]{1,20000})\"|'([^']{1,20000})'|([^\"'()\s]{1,20000}(?=\))|[^\"'();\s]{1,500}))",
    re.I,
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MOST_LINKED = 40
_LIKE = re.compile(r"([^{}\n]{1,200})\{--as:([\w-]{1,60})\}")
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,5000})\}")
_SLOTTED = re.compile(r"::slotted\(([^()]{1,200})\)")
_ELSEWHERE = ("template", "noscript", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "svg:title")


def sheets(text: str, linked: Linked | None = None) -> str:
    """All of them one behind the other, as they follow each other in the page."""
    lowered = text.lower()
    if not any(word in lowered for word in ("<style", "stylesheet", "<script")):
        return ""
    finder = _Finder(linked or (lambda _: ""))
    finder.feed(text)
    finder.close()
    found = "\n".join(finder.found)
    return found + "".join(_like(found, chosen, name) for chosen, name in _LIKE.findall(found)[:_MOST_LINKED])


class _Finder(HTMLParser):
    def __init__(self, linked: Linked) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._linked = linked
        self._left = _MOST_LINKED
        self._style: str | None = None
        self._elsewhere: list[str] = []
        """Open elements whose sheets are none of the page's."""
        self._script: str | None = None
        self._before = self._host = ""
        """The element that was opened last, and the one whose shadow is open, as selectors."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: (value or "").strip() for name, value in attrs}
        if tag == "template" and "shadowrootmode" in attributes:
            self._host = self._before
        elif tag in _ELSEWHERE:
            self._elsewhere.append(tag)
        elif tag == "script" and not self._elsewhere and "src" not in attributes:
            self._script = ""
        names = re.findall(r"[\w-]{1,60}", attributes.get("class", ""))
        self._before = tag + "".join(f".{name}" for name in names)
        holds = not self._elsewhere and holds_on_screens(attributes.get("media", ""))
        if tag == "style":
            self._style = "" if holds and attributes.get("type", "").lower() in ("", "text/css") else None
        elif tag == "link" and holds and "stylesheet" in attributes.get("rel", "").lower().split():
            is_other = "disabled" in attributes or "alternate" in attributes["rel"].lower()
            self._add_linked("" if is_other else attributes.get("href", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._elsewhere:
            del self._elsewhere[self._elsewhere.index(tag) :]
        if tag == "style":
            self._add(_outside(self._style or "", self._host) if self._host else self._style or "")
            self._style = None
        elif tag == "template":
            self._host = ""
        elif tag == "script" and self._script is not None:
            self.found.append(rules_of(self._script))
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._style is not None:
            self._style += data
        elif self._script is not None:
            self._script += data

    def close(self) -> None:
        super().close()
        self._add(self._style or "")

    def _add(self, sheet: str) -> None:
        if "@import" in sheet:
            for match in _IMPORT.finditer(_COMMENT.sub(" ", sheet)):
                self._add_linked(match[1] or match[2] or match[3] or "")
        self.found.append(sheet)

    def _add_linked(self, address: str) -> None:
        self._left -= 1
        if self._left >= 0:
            self._add(_in_address(address) if address[:5].lower() == "data:" else self._linked(address))


def _like(sheets: str, chosen: str, name: str) -> str:
    """Rules for what a script gives the class ``name``."""
    bodies = re.findall(rf"\.{re.escape(name)}\s{{0,9}}\{{([^{{}}]{{0,2000}})\}}", sheets)[:8]
    return "".join(f"\n{chosen}{{{body}}}" for body in bodies)


def _outside(sheet: str, host: str) -> str:
    """What the sheet of a shadow says of its host, and of what the host shows in it."""
    found = []
    for selectors, body in _RULE.findall(_COMMENT.sub(" ", sheet)):
        found += [f"{host} > {inner}{{{body}}}" for inner in _SLOTTED.findall(selectors)]
        found += [f"{host}{{{body}}}"] if re.match(r"\s*:host\s*(?:,|$)", selectors) else []
    return "".join(found)


def _in_address(address: str) -> str:
    found = _DATA.match(address)
    if not found:
        return ""
    said = unquote(address[found.end() :])
    with suppress(ValueError):
        return b64decode(said).decode("utf-8", "replace") if found[1] or found[2] else said
    return ""
