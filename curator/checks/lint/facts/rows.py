"""What is kept of a page: rows of the fact cache. They follow from its text, its entry and the bytes it cites."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curator.checks.lint.facts import page_rules
from curator.checks.lint.facts.page_facts import PageFacts
from curator.finding import Finding
from curator.wiki.english.stems import stem
from curator.wiki.pages.names import name_key, series_name

TABLES = ("facts", "fault", "ref", "relation", "term", "proof", "unproven", "anchor")
"""Those that are filled when a page is looked at."""

_SHORTEST_TITLE = 6
_KINDS = ("protocol", "format", "mode")
"""Words that a name has or has not: ``Raft protocol``; in brackets they tell two things apart."""
_DIGIT = re.compile(r"\d")
Row = tuple[Any, ...]
Proof = tuple[str, Sequence[Finding]]
"""The digest of the bytes that the citations of one source on a page were held against, and what does not hold. The digest
is empty where they could not be."""
Prove = Callable[[PageFacts, str], Proof]


@dataclass(frozen=True)
class FactRows:
    """The rows of some pages, by table."""

    rows: Mapping[str, list[Row]] = field(default_factory=lambda: {table: [] for table in TABLES})

    def add(self, facts: PageFacts, blob: str, prove: Prove) -> None:
        """What is to be kept of this page."""
        rows, path = self.rows, facts.path
        rows["facts"].append(_facts(facts, blob))
        rows["fault"] += [(path, *columns(fault)) for fault in page_rules.broken_by(facts)]
        if not facts.is_readable:
            return
        rows["ref"] += [(source, path, facts.line_of(source, "sources:")) for source in facts.entry.sources]
        rows["relation"] += _relations(facts)
        rows["term"] += [(key, term, path, line) for key, term, line in facts.terms]
        rows["anchor"] += [(path, target, anchor, line) for target, anchor, line in facts.anchored]
        for source, (line, paged) in facts.cited_sources.items():
            digest, faults = prove(facts, source)
            rows["proof"].append((path, source, digest, line, paged))
            rows["unproven"] += [(path, source, *columns(fault)) for fault in faults]


def columns(finding: Finding) -> tuple[int | None, str, str, str, str]:
    """A finding without its path."""
    return finding.line, finding.code, finding.message, finding.severity, finding.hint


def packed(passages: Iterable[int]) -> bytes:
    """The numbers of a page's passages, four bytes each."""
    return array("I", sorted(passages)).tobytes()


def unpacked(data: bytes) -> array[int]:
    """The same, each once, in order."""
    return array("I", data)


def _facts(facts: PageFacts, blob: str) -> Row:
    entry = facts.entry
    confidence, line = facts.confidence or (None, None)
    title = series_name(entry.title) if entry.kind == "summary" else entry.title
    return (
        *(entry.path, blob, entry.slug, entry.kind, entry.type, entry.title, len(entry.sources), confidence, line),
        *(entry.updated_at, facts.head_lines, *facts.sketch, packed(facts.passages) if facts.is_readable else b""),
        *(_glued(name_key(title)), _in_order(title)),
    )


def _relations(facts: PageFacts) -> Iterator[Row]:
    for what, slugs in (("contradicts", facts.entry.contradicts), ("supersedes", facts.entry.supersedes)):
        yield from ((what, slug, facts.path, facts.line_of(slug, f"{what}:")) for slug in slugs)


# -- titles that differ by little ----------------------------------------------------------------------------------


def _glued(key: str) -> str:
    """A title without its spaces; empty for a short one, and where numbers would run together."""
    return "" if len(key) < _SHORTEST_TITLE or _DIGIT.search(key) else key.replace(" ", "")


def kind_behind(title: str) -> str:
    """The last word of a title that says what kind of thing it is; empty for none."""
    words = name_key(title).split()
    return words[-1] if len(words) > 1 and words[-1] in _KINDS and not title.endswith(")") else ""


def _in_order(title: str) -> str:
    """The stems of its words in alphabetical order, but for a last one that says what kind of thing it is.

    A word that is left alone is as it is: what ends otherwise, as ``type`` and ``typing``, is seldom one thing.
    """
    words = name_key(title).split()
    if kind_behind(title):
        words.pop()
    return " ".join(sorted(map(stem, words)) if len(words) > 1 else words)
