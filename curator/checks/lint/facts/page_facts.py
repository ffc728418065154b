"""One page as the maintenance pass sees it, and what is found on it alone: a pure function of its text and its path."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from curator.checks.lint.facts import fast_reader
from curator.checks.lint.facts.fast_reader import BodyReading, FootnoteDefinition
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.wiki.pages import frontmatter
from curator.wiki.pages.citation import Citation
from curator.wiki.pages.names import name_key
from curator.wiki.pages.page import Page, path_from
from curator.wiki.wiki import PageEntry

_TO_HEADING = (".md#", "](#", "](<#", "]: #")
_WIKI_TO_HEADING = re.compile(r"\[\[[^\[\]\n|]*#")
"""What has to be on a page for a link on it to lead to a heading."""
_BOLD = re.compile(r"\*\*([^*\n]{2,60})\*\*")
_CONFIDENCE = re.compile(r"^confidence:[ \t]*['\"]?(\d+(?:\.\d+)?)['\"]?[ \t\r]*(?:#.*)?$", re.MULTILINE)
_MIX = 2_654_435_761
_TELLING, _ALONE = 6, 20
"""Words that a passage must have to be known again, and one that is a page's only passage."""


class Cited(NamedTuple):
    """A footnote that cites a source; ``line`` is the file's."""

    line: int
    label: str
    citation: Citation


@dataclass(frozen=True)
class PageFacts:
    """A page with its entry of the catalogue."""

    path: str
    text: str
    entry: PageEntry

    @cached_property
    def parts(self) -> tuple[str, str]:
        return frontmatter.split(self.text)

    @property
    def body(self) -> str:
        return self.parts[1]

    @cached_property
    def head_lines(self) -> int:
        return self.parts[0].count("\n")

    @cached_property
    def page(self) -> Page:
        """The page, for what only a whole parse can tell."""
        return Page(self.path, self.text)

    @property
    def is_readable(self) -> bool:
        return self.entry.type != ""  # the catalogue knows an unreadable page by its file name alone

    @cached_property
    def reading(self) -> BodyReading:
        reading = fast_reader.read_body(self.body)
        return fast_reader.of_outline(self.body, self.page.outline) if reading is None else reading

    @cached_property
    def notes(self) -> dict[str, FootnoteDefinition]:
        """The footnotes by label: the first of each, as readers do."""
        found: dict[str, FootnoteDefinition] = {}
        for note in self.reading.notes:
            found.setdefault(note.label, note)
        return found

    @cached_property
    def cited(self) -> tuple[Cited, ...]:
        head_lines = self.head_lines
        notes = self.notes.values()
        return tuple([Cited(line + head_lines, label, said) for line, label, _, said, _ in notes if said is not None])

    @cached_property
    def cited_sources(self) -> dict[str, tuple[int, int]]:
        """The sources it cites, in order: where first, and how often by anything but a line (``#p3``)."""
        found: dict[str, tuple[int, int]] = {}
        for line, _, citation in self.cited:
            first, paged = found.get(citation.path, (line, 0))
            found[citation.path] = (first, paged + (not citation.anchor.startswith("L")))
        return dict(sorted(found.items()))

    @property
    def confidence(self) -> tuple[float, int] | None:
        """What the head says, and in which line; None when it says nothing that is a number."""
        head = self.parts[0]
        match = _CONFIDENCE.search(head, max(0, head.find("\nconfidence:"))) if "confidence:" in head else None
        return (float(match[1]), head.count("\n", 0, match.start()) + 1) if match else None

    def line(self, body_line: int) -> int:
        """The file's line for a line of the body."""
        return body_line + self.head_lines

    def line_of(self, word: str, after: str = "") -> int:
        """The head's line with ``word`` in it, at or behind the one that begins with ``after``; the first when none has."""
        head = self.parts[0]
        start = max(0, f"\n{head}".find(f"\n{after}")) if after else 0
        at = head.find(word, start) if "\n" not in word else -1
        return head.count("\n", 0, at if at >= 0 else start) + 1

    # -- what the whole wiki needs to know of it -------------------------------------------------------------------

    @property
    def terms(self) -> Iterator[tuple[str, str, int]]:
        """The terms in bold face: key, term, line; the first of each."""
        seen: set[str] = set()
        for match in _BOLD.finditer(self.body) if "**" in self.body else ():
            term = match[1].strip().rstrip(":.,")
            key = name_key(term)
            if key and key not in seen and len(term.split()) <= _TELLING and "[" not in term:
                seen.add(key)
                yield key, term, self.line(self.body.count("\n", 0, match.start()) + 1)

    @property
    def anchored(self) -> Iterator[tuple[str, str, int]]:
        """The links to a heading: the page's name or path as ``Page.links`` gives it (empty: this page), heading, line."""
        body = self.body
        if not (any(mark in body for mark in _TO_HEADING) or ("[[" in body and _WIKI_TO_HEADING.search(body))):
            return
        for link in self.page.outline.links:
            if not link.anchor or link.form in ("image", "auto"):
                continue
            if link.form in ("wiki", "embed") or not link.target:
                yield link.target, link.anchor, self.line(link.line)
            elif link.target.endswith(".md") and "://" not in link.target:
                yield path_from(self.path, link.target), link.anchor, self.line(link.line)

    @cached_property
    def passages(self) -> frozenset[int]:
        """A number for each passage that says something; equal ones have equal numbers."""
        spoken = [(text, bare) for _, text, bare, _, leads in self.reading.said if not leads]
        least = _TELLING if len(spoken) > 1 else _ALONE
        telling = [bare.casefold() for text, bare in spoken if text.count(" ") + 1 >= least]
        return frozenset([zlib.crc32(bare.encode("utf-8", "replace")) for bare in telling])

    @property
    def sketch(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lowest and the highest passage in two orders: pages that share most of theirs share one of the four."""
        if not self.is_readable or not self.passages:
            return None, None, None, None
        mixed = [passage * _MIX % 2**32 for passage in self.passages]
        return min(self.passages), max(self.passages), min(mixed), max(mixed)


def unreadable(facts: PageFacts) -> Finding:
    """frontmatter_unreadable: the head is YAML that can be read safely."""
    hint = "mend the YAML between the two lines of ---"
    try:
        frontmatter.read(facts.text)
    except FrontmatterError as error:
        return Finding("frontmatter_unreadable", facts.path, error.message, error.line, "error", hint)
    return Finding("frontmatter_unreadable", facts.path, "its head cannot be read", 1, "error", hint)
