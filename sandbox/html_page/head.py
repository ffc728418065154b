"""What a page says of itself: its ``<meta>`` and ``<link>`` elements, its JSON-LD, its language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from front_matter import Value, standard

_MOST = 200_000
"""Characters of JSON-LD that are looked at."""
_MOST_VALUES = 500
_NAMES = {
    "title": "citation_title og:title dc.title dcterms.title twitter:title",
    "authors": "citation_author author dc.creator dcterms.creator article:author parsely-author sailthru.author",
    "date": "citation_publication_date citation_date article:published_time datepublished dc.date dcterms.date "
    "dcterms.issued dcterms.created dc.date.issued date pubdate publish_date parsely-pub-date sailthru.date",
    "language": "citation_language og:locale dc.language content-language",
    "doi": "citation_doi dc.identifier",
    "url": "og:url citation_abstract_html_url",
}
"""The names under which ``<meta>`` says what a head may say, the best first."""
_ARTICLES = re.compile(r"Article|Posting|Report|WebPage|Book|Chapter|Dataset|Thesis|CreativeWork")
_SINGLE_FILE = re.compile(
    r"\s*Page saved with SingleFile\s+url:\s*(\S+)(?:\s+saved date:\s*\w{3} (\w{3}) (\d{1,2}) (\d{4}))?"
)
_SAVED_FROM = re.compile(r"\s*saved from url=\(\d{4}\)(\S+)")
"""The comment that programs put first which save a page: where it was, and when that was."""
_MONTHS = dict(zip("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), range(1, 13), strict=True))
_SLASHED = re.compile(r"(\d{4})/(\d{2})/(\d{2})")


class PageHead:
    """Gathers what the page says of itself, element by element."""

    def __init__(self) -> None:
        self._metas: dict[str, list[str]] = {}
        self._language = self._address = self._time = ""
        self._saved_from = self._saved_on = ""
        self._has_begun = False
        self._scripts: list[str] = []
        self._left = _MOST
        self.title = ""

    def element(self, tag: str, attributes: dict[str, str]) -> None:
        """Take in one element, when it says something of the page."""
        self._has_begun |= tag != "html"
        if tag == "meta":
            name = (attributes.get("name") or attributes.get("property") or attributes.get("itemprop") or "").lower()
            values = self._metas.setdefault(name or attributes.get("http-equiv", "").lower(), [])
            if attributes.get("content") and len(values) < _MOST_VALUES:
                values.append(attributes["content"])
        elif tag == "html":
            self._language = self._language or attributes.get("lang", "") or attributes.get("xml:lang", "")
        elif tag == "link" and attributes.get("rel", "").lower() == "canonical":
            self._address = self._address or attributes.get("href", "")
        elif tag == "time" and ("pubdate" in attributes or "datePublished" in attributes.get("itemprop", "")):
            self._time = self._time or attributes.get("datetime", "")

    def comment(self, text: str) -> None:
        """Take in what a program says that has saved the page, before the page itself says anything."""
        if self._has_begun or self._saved_from:
            return
        if found := _SINGLE_FILE.match(text[:5_000]):
            month = _MONTHS.get(found[2] or "", 0)
            self._saved_on = f"{found[4]}-{month:02}-{int(found[3]):02}" if month else ""
        else:
            found = _SAVED_FROM.match(text[:5_000])
        self._saved_from = found[1] if found else ""

    def script(self, data: str) -> None:
        """Take in a piece of JSON-LD."""
        self._scripts.append(data[: self._left])
        self._left -= len(self._scripts[-1])

    def fields(self, heading: str) -> dict[str, Value]:
        """What a head may say, by the names of ``extracted.HEAD``; ``heading`` is the text's, of the first rank."""
        article = next(self._articles(), {})
        said: dict[str, list[str]] = {
            "title": [_text(article.get("headline")), *self._said("title"), self._titled(heading)],
            "date": [_text(article.get("datePublished")), *self._said("date"), self._time, self._saved_on],
            "language": [_text(article.get("inLanguage")), self._language, *self._said("language")],
            "doi": self._said("doi"),
            "url": [self._saved_from, self._address, *self._said("url")],
        }
        authors = [name for name in map(_text, _listed(article.get("author"))) if name] or [
            name for name in self._said("authors") if not name.startswith(("http:", "https:"))
        ]
        found: dict[str, Value] = {"authors": authors} if len(authors) != 1 else standard({"authors": authors[0]})
        for name, values in said.items():
            fits = (standard({name: _SLASHED.sub(r"\1-\2-\3", value)}).get(name) for value in values if value)
            if value := next((value for value in fits if value), ""):
                found[name] = value
        return {name: value for name, value in found.items() if value}

    def _said(self, field: str) -> list[str]:
        names = _NAMES[field].split()
        if field == "authors":
            return list(dict.fromkeys(next((self._metas[name] for name in names if self._metas.get(name)), [])))
        return [value for name in names for value in self._metas.get(name, ())]

    def _titled(self, heading: str) -> str:
        """The title without the name of the site, where the page's heading tells which part that is."""
        title, heading = " ".join(self.title.split()), " ".join(heading.split())
        return heading if heading and (heading in title or not title) else title

    def _articles(self) -> Iterator[dict[str, Any]]:
        for script in self._scripts:
            try:
                yield from _within(json.loads(script), 4)
            except (ValueError, RecursionError):
                continue


def _within(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """The objects of JSON-LD that tell of a text."""
    if depth and isinstance(value, list):
        for each in value[:50]:
            yield from _within(each, depth - 1)
    elif depth and isinstance(value, dict):
        if _ARTICLES.search(str(value.get("@type", ""))[:200]) and "headline" in value:
            yield value
        yield from _within(value.get("@graph"), depth - 1)


def _listed(value: Any) -> list[Any]:
    return value[:50] if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    """A text, or the name of a thing."""
    if isinstance(value, dict):
        value = value.get("name")
    return value if isinstance(value, str) else ""
