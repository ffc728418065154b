"""What is kept of a page: the rows of the ledger's tables. They follow from its text, its entry and the bytes it cites."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curator.checks.lint.facts import page_rules, titles
from curator.checks.lint.facts.page_facts import PageFacts
from curator.finding import Finding

TABLES = ("leaf", "fault", "ref", "relation", "term", "proof", "unproven", "anchor")
"""Those that are filled when a page is looked at."""

Row = tuple[Any, ...]
Proof = tuple[str, Sequence[Finding]]
"""The digest of the bytes that the citations of one source on a page were held against, and what does not hold. The digest
is empty where they could not be."""
Prove = Callable[[PageFacts, str], Proof]


@dataclass(frozen=True)
class FactRows:
    """The rows of some pages, by table."""

    rows: Mapping[str, list[Row]] = field(default_factory=lambda: {table: [] for table in TABLES})

    def add(self, leaf: PageFacts, blob: str, prove: Prove) -> None:
        """What is to be kept of this page."""
        rows, path = self.rows, leaf.path
        rows["leaf"].append(_facts(leaf, blob))
        rows["fault"] += [(path, *columns(fault)) for fault in page_rules.broken_by(leaf)]
        if not leaf.is_readable:
            return
        rows["ref"] += [(source, path, leaf.line_of(source, "sources:")) for source in leaf.entry.sources]
        rows["relation"] += _relations(leaf)
        rows["term"] += [(key, term, path, line) for key, term, line in leaf.terms]
        rows["anchor"] += [(path, target, anchor, line) for target, anchor, line in leaf.anchored]
        for source, (line, paged) in leaf.cited_sources.items():
            digest, faults = prove(leaf, source)
            rows["proof"].append((path, source, digest, line, paged))
            rows["unproven"] += [(path, source, *columns(fault)) for fault in faults]


def columns(finding: Finding) -> tuple[int | None, str, str, str, str]:
    """A finding without its path."""
    return finding.line, finding.code, finding.message, finding.severity, finding.hint


def packed(passages: Iterable[int]) -> bytes:
    """The numbers of a page's passages, four bytes each."""
    return array("I", sorted(passages)).tobytes()


def unpacked(data: bytes) -> frozenset[int]:
    passages = array("I")
    passages.frombytes(data)
    return frozenset(passages)


def _facts(leaf: PageFacts, blob: str) -> Row:
    entry = leaf.entry
    confidence, line = leaf.confidence or (None, None)
    glued, in_order = ("", "") if entry.kind == "summary" else titles.keys(entry.title)
    return (
        *(entry.path, blob, entry.slug, entry.kind, entry.type, entry.title, len(entry.sources), confidence, line),
        *(entry.updated_at, leaf.head_lines, *leaf.sketch, packed(leaf.passages) if leaf.is_readable else b""),
        *(glued, in_order),
    )


def _relations(leaf: PageFacts) -> Iterator[Row]:
    for what, slugs in (("contradicts", leaf.entry.contradicts), ("supersedes", leaf.entry.supersedes)):
        yield from ((what, slug, leaf.path, leaf.line_of(slug, f"{what}:")) for slug in slugs)
