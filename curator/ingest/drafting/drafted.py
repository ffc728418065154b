"""What a draft is, and what it is made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from curator.finding import Finding
from curator.ingest.drafting.claims.second_reading import SecondReading
from curator.ingest.drafting.withdrawals import Withdrawals
from curator.system import clocks
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import without_marks
from curator.wiki.sources.authority import SourceWeights
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy


@dataclass(frozen=True)
class Written:
    """What a claim became on a page: its lines, by their words alone, since bullet and indent are those of the place; or
    a block of code, in one line.
    """

    path: str
    lines: frozenset[str]
    places: tuple[str, ...]
    """The numbers of the claim in the proposal."""


def words_of_line(line: str) -> str:
    text = editing.without_bullet(without_marks(line))
    return editing.words_of(text) or text.strip()


def words_of_code(code: str) -> str:
    """A block of code, with its fence or without, in one line."""
    return " ".join(" ".join(block.text for block in markdown.scan(code).blocks).split())


@dataclass(frozen=True)
class Draft:
    """The wiki that a proposal makes, what was left out of it, and why."""

    wiki: Wiki
    created: tuple[str, ...]
    """Paths, in the order they were made."""
    updated: tuple[str, ...]
    left_out: tuple[Finding, ...]
    """Claims and names without sound evidence."""
    broken: tuple[Finding, ...]
    """Operations that fit nowhere: ``page_unknown``, ``kind_unknown``, ``passage_not_found``, ``citation_lost``,
    ``slug_invalid``, ``frontmatter_unreadable``."""
    flagged: tuple[Finding, ...]
    """Claims kept without a citation, or in doubt, where the wiki's grounding allows it."""
    settled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By page: the statements, as their words alone, that a dispute has put a lead like "Earlier:" before."""
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By path, the numbers of the operations that changed the page."""
    written: tuple[Written, ...] = ()
    """What became of the claims."""
    merged: tuple[tuple[str, str], ...] = ()
    """The slugs of pages that became part of another one, each with that of the other."""
    moved: tuple[tuple[str, str], ...] = ()
    """The slugs of pages that gave statements to another one, each with that of the other."""
    renamed: tuple[str, ...] = ()
    """The slugs of pages that got another title."""

    def of(self, wiki: Wiki) -> Draft:
        """This draft, with ``wiki`` for what it makes."""
        created = tuple(path for path in self.created if path not in wiki.gone)
        return replace(self, wiki=wiki, created=created, updated=tuple(p for p in wiki.changed if p not in created))


@dataclass(frozen=True)
class DraftContext:
    """What a draft needs besides the proposal: the source, who judges claims by it, the policy, the time."""

    source: Source
    judge: Judge
    policy: CurationPolicy
    now: datetime
    known: SourceWeights = field(default_factory=SourceWeights)
    """The sources that were ingested before."""
    withdrawals: Withdrawals | None = None
    """Of a source that has changed: what it does not bear out any more."""
    reading: SecondReading | None = None
    """What a second reader says of the claims; None where none is asked."""
    taken: frozenset[str] = frozenset()
    """Slugs that no new page gets."""
    refused: Mapping[str, Finding] = field(default_factory=dict)
    """By number: claims that the wall has something against."""

    @property
    def evidence(self) -> Evidence:
        return self.judge.evidence

    @property
    def stamp(self) -> str:
        return clocks.utc_timestamp(self.now)
