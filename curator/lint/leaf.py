"""One page as the maintenance pass sees it, and what is found on it alone: a pure function of its text and its path."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from curator import frontmatter
from curator.citation import Citation
from curator.finding import Finding
from curator.lint import plain
from curator.lint.plain import Note, Reading
from curator.names import name_key
from curator.page import Page
from curator.wiki import Entry

_BOLD = re.compile(r"\*\*([^*\n]{2,60})\*\*")
_CONFIDENCE = re.compile(r"^confidence:[ \t]*['\"]?(\d+(?:\.\d+)?)['\"]?[ \t\r]*(?:#.*)?$", re.MULTILINE)
_LABEL = re.compile(r" ?\[\^[^\]\s]+\]")
_MIX = 2_654_435_761
_TELLING, _ALONE = 6, 20
"""Words that a passage must have to be known again, and one that is a page's only passage."""


@dataclass(frozen=True)
class Cited:
    """A footnote that cites a source; ``line`` is the file's."""

    line: int
    label: str
    citation: Citation


@dataclass(frozen=True)
class Leaf:
    """A page with its entry of the catalogue."""

    path: str
    text: str
    entry: Entry

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
    def reading(self) -> Reading:
        reading = plain.read(self.body)
        return plain.of_outline(self.body, self.page.outline) if reading is None else reading

    @cached_property
    def notes(self) -> dict[str, Note]:
        """The footnotes by label: the first of each, as readers do."""
        found: dict[str, Note] = {}
        for note in self.reading.notes:
            found.setdefault(note.label, note)
        return found

    @cached_property
    def cited(self) -> tuple[Cited, ...]:
        found = [(note, Citation.parse(note.text)) for note in self.notes.values()]
        return tuple(Cited(self.line(note.line), note.label, said) for note, said in found if said is not None)

    @property
    def cited_sources(self) -> list[str]:
        """The sources it cites, each once."""
        return sorted({cited.citation.path for cited in self.cited})

    @property
    def confidence(self) -> float | None:
        """What the head says; None when it says nothing that is a number."""
        match = _CONFIDENCE.search(self.parts[0])
        return float(match[1]) if match else None

    def line(self, body_line: int) -> int:
        """The file's line for a line of the body."""
        return body_line + self.head_lines

    def line_of(self, word: str, after: str = "") -> int:
        """The head's line with ``word`` in it, at or behind the one that begins with ``after``; the first when none has."""
        lines = self.parts[0].split("\n")
        start = next((n for n, line in enumerate(lines) if after and line.startswith(after)), 0)
        return next((n + 1 for n, line in enumerate(lines) if n >= start and word in line), start + 1)

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

    @cached_property
    def passages(self) -> frozenset[int]:
        """A number for each passage that says something; equal ones have equal numbers."""
        spoken = [said.text.casefold().split() for said in self.reading.said if not said.leads]
        least = _TELLING if len(spoken) > 1 else _ALONE
        telling = (" ".join(words) for words in spoken if len(words) >= least)
        plain = (_LABEL.sub("", text) if "[^" in text else text for text in telling)
        return frozenset(zlib.crc32(text.encode("utf-8", "replace")) for text in plain)

    @property
    def sketch(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The lowest and the highest passage in two orders: pages that share most of theirs share one of the four."""
        if not self.is_readable or not self.passages:
            return None, None, None, None
        mixed = [passage * _MIX % 2**32 for passage in self.passages]
        return min(self.passages), max(self.passages), min(mixed), max(mixed)


def unreadable(leaf: Leaf) -> Finding:
    """frontmatter_unreadable: the head is YAML that can be read safely."""
    hint = "mend the YAML between the two lines of ---"
    try:
        frontmatter.read(leaf.text)
    except frontmatter.FrontmatterError as error:
        return Finding("frontmatter_unreadable", leaf.path, error.message, error.line, "error", hint)
    return Finding("frontmatter_unreadable", leaf.path, "its head cannot be read", 1, "error", hint)
