"""What feeds of each format say, read in the fork that takes a stranger's text apart: JSON Feed, RSS, Atom and OPML.

XML is read by expat, which is there anyway: no entity of its own is expanded and none is fetched; bytes, elements, depth,
entries and the length of each word are bounded. Of what a feed may say four things are needed; a library for the rest would
bring an HTML parser and import its modules where no file can be opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any
from xml.parsers import expat

from curator.ingest.web.fetching import is_address
from curator.wiki.sources.source import written_day

_MOST_ELEMENTS, _DEEPEST, _MOST_ENTRIES = 300_000, 100, 2_000
_LONGEST = 2_000
"""Characters of an address, a title or a name."""


def read(text: str) -> str:
    """What the feed says, as JSON."""
    text = text.lstrip("\ufeff \t\r\n")
    return json.dumps(_json_feed(text) if text.startswith("{") else _xml_feed(text))


def _json_feed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _told("", [], f"its JSON is broken ({str(error)[:100]})")
    items = found.get("items") if isinstance(found, dict) else None
    entries = [_of_json(each) for each in items[:_MOST_ENTRIES] if isinstance(each, dict)] if items else []
    return _told(_word(found, "title") if isinstance(found, dict) else "", entries)


def _of_json(item: Mapping[str, Any]) -> dict[str, str]:
    date = _word(item, "date_published") or _word(item, "date_modified")
    name = _word(item, "id")
    address = _word(item, "url") or _word(item, "external_url") or (name if is_address(name) else "")
    return {"id": name, "address": address, "title": _word(item, "title"), "date": _day(date)}


def _word(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return str(found)[:_LONGEST] if isinstance(found, str | int) else ""


def _told(title: str, entries: list[dict[str, str]], fault: str = "", is_list: bool = False) -> dict[str, Any]:
    return {"title": title, "entries": entries, "fault": fault, "is_list": is_list}


def _xml_feed(text: str) -> dict[str, Any]:
    """As it stands, or, where that does not go to its end, with what is usually wrong mended."""
    first = _XmlFeed.read(text)
    if not first.fault or first.is_refused:
        return first.told()
    second = _XmlFeed.read(_mended(text))
    return (second if len(second.entries) > len(first.entries) or not second.fault else first).told()


_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?:([A-Za-z][A-Za-z0-9]{1,30});)?")


def _mended(text: str) -> str:
    """Without characters that XML cannot have, HTML's names of characters as these, a bare ``&`` as one."""

    def character(found: re.Match[str]) -> str:
        named = unescape(found[0]) if found[1] else found[0]
        return "&amp;" + found[0][1:] if named == found[0] else named.replace("&", "&amp;").replace("<", "&lt;")

    parts = _in_turn(_NO_XML.sub("", text))
    return "".join(f"{_AMPERSAND.sub(character, part)}{literal}" for part, literal in parts)


def _in_turn(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces: what is markup, and the CDATA section behind it."""
    at = 0
    while (start := text.find("<![CDATA[", at)) >= 0 and (end := text.find("]]>", start)) >= 0:
        yield text[at:start], text[start : end + 3]
        at = end + 3
    yield text[at:], ""


class _Enough(Exception):
    """No more of it is read."""


class _XmlFeed:
    """Gathers what RSS, Atom and OPML say while the XML streams by.

    Names are taken with their prefixes: what has none, or that of the outermost element, is the feed's own, and what has
    another, such as ``media:title``, is not, but for the few that are asked for.
    """

    def __init__(self) -> None:
        self.title, self.fault = "", ""
        self.entries: list[dict[str, str]] = []
        self.is_list = self.is_refused = False
        self._own = ""
        self._path: list[str] = []
        self._seen = 0
        self._entry: dict[str, str] | None = None
        self._at = 0
        """How deep the entry is that is being read."""
        self._words: list[str] = []
        self._left = 0

    @classmethod
    def read(cls, text: str) -> _XmlFeed:
        feed = cls()
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = feed._start, feed._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = feed._characters, feed._doctype
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except _Enough:
            pass
        except (expat.ExpatError, ValueError) as error:
            line = getattr(error, "lineno", 0)
            feed.fault = f"its XML is broken in line {line} ({expat.ErrorString(getattr(error, 'code', 0))})"
        return feed

    def told(self) -> dict[str, Any]:
        return _told(self.title, self.entries, self.fault, self.is_list)

    def _doctype(self, name: str, system: str | None, public: str | None, has_declarations: bool) -> None:
        if has_declarations:
            self.is_refused, self.fault = True, "its XML declares entities of its own, as no honest feed does"
            raise _Enough

    def _start(self, written: str, attributes: dict[str, str]) -> None:
        self._seen += 1
        if not self._path:
            prefix, colon, name = written.rpartition(":")
            self._own = "" if name == "RDF" else f"{prefix}{colon}"
            self.is_list = name == "opml"
        name = written.removeprefix(self._own) if self._own else written.removeprefix("atom:").removeprefix("rss:")
        self._path.append(name)
        if self._seen > _MOST_ELEMENTS or len(self._path) > _DEEPEST:
            self.fault = f"it has more than {_MOST_ELEMENTS} elements, or more than {_DEEPEST} in one another"
            raise _Enough
        self._words, self._left = [], _LONGEST
        if self.is_list:
            self._outline(name, attributes)
        elif self._entry is None and name in ("item", "entry"):
            self._entry, self._at = {"about": attributes.get("rdf:about", "")}, len(self._path)
        elif self._entry is not None and len(self._path) == self._at + 1:
            self._attributes(name, attributes)

    def _outline(self, name: str, attributes: dict[str, str]) -> None:
        if name == "outline" and (address := attributes.get("xmlUrl", "")):
            title = attributes.get("title") or attributes.get("text", "")
            self._keep({"id": address[:_LONGEST], "address": address[:_LONGEST], "title": title[:_LONGEST]})

    def _attributes(self, name: str, attributes: dict[str, str]) -> None:
        assert self._entry is not None  # noqa: S101
        is_the_page = attributes.get("rel", "alternate") == "alternate"
        if name == "link" and is_the_page and (address := attributes.get("href", "")):
            self._entry.setdefault("href", address[:_LONGEST])
        if name == "guid" and attributes.get("isPermaLink", "true") == "false":
            self._entry["is_name"] = "yes"

    def _characters(self, data: str) -> None:
        if self._left > 0:
            self._words.append(data[: self._left])
            self._left -= len(data)

    def _end(self, written: str) -> None:
        name, depth = self._path.pop(), len(self._path) + 1
        words = "".join(self._words).strip()
        if self._entry is None:
            if name == "title" and depth in (2, 3) and not self.title and self._path[-1] in ("channel", "feed", "head"):
                self.title = words
        elif depth == self._at + 1 and words:
            self._entry.setdefault(name, words)
        elif depth == self._at:
            said, self._entry = self._entry, None
            self._keep(_of_xml(said))
        self._words, self._left = [], 0

    def _keep(self, entry: dict[str, str]) -> None:
        self.entries.append(entry)
        if len(self.entries) >= _MOST_ENTRIES:
            raise _Enough


def _of_xml(said: Mapping[str, str]) -> dict[str, str]:
    """An entry by what its elements say, whichever of the formats it is of."""
    name = said.get("guid") or said.get("id") or said.get("about", "")
    by_name = name if is_address(name) and "is_name" not in said else ""
    address = said.get("feedburner:origLink") or said.get("href") or said.get("link") or by_name
    dates = (said.get(key, "") for key in ("published", "pubDate", "dc:date", "issued", "updated", "dcterms:issued"))
    return {
        "id": name,
        "address": address,
        "title": said.get("title", ""),
        "date": next((day for day in map(_day, dates) if day), ""),
    }


def _day(written: str) -> str:
    """``YYYY-MM-DD`` of a date as feeds write it; empty where it is none."""
    written = written.strip()[:100]
    if day := written_day(written[:10]) or written_day(written):
        return day
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
