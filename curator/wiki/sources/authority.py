"""What a source weighs: its authority, the day it speaks of, whether it still holds, and what tells it from others.

The registry (``_manifest.json``) is the root of this: authority, time of capture and what superseded a source stand there.
A source's day is the one in its name or its head, else the day it was taken in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from curator.wiki.pages.page import ENTRY_DIALECT, Page
from curator.wiki.sources.record import Record
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Document, Source, day_in_name, written_day
from curator.wiki.workspace.schema import AUTHORITIES

RUMOUR = AUTHORITIES[-1]
RANKS = AUTHORITIES[::-1]
"""The weakest first."""
_HEAD = 8000
"""Characters of a source that are looked at for its day."""

Reads = Callable[[str], str | None]
"""Gives the text of a file of the wiki, by its path from the root."""


@dataclass(frozen=True)
class SourceWeight:
    """What one source weighs."""

    authority: str = "secondary"
    day: str = ""
    """``YYYY-MM-DD``; empty when it is not known."""
    superseded: bool = False
    content: str = ""
    """What its bytes are known by: two sources with one content are one."""
    work: str = ""
    """Its path without the suffix: the same work in two formats is one."""
    path: str = ""
    is_guess: bool = False
    """True: its own words were not looked at, ``day`` is when it was taken in."""
    text: str = field(default="", repr=False, compare=False)
    """What it says, where that is known already."""

    @property
    def rank(self) -> int:
        """The higher, the more it weighs; an authority nobody knows is a secondary one."""
        return RANKS.index(self.authority) if self.authority in RANKS else RANKS.index("secondary")


def independent(sources: Iterable[SourceWeight]) -> int:
    """How many of ``sources`` are independent of each other: no more than there are contents, nor than there are works.

    Those that were superseded are not counted.
    """
    held = [source for source in sources if not source.superseded]
    return min(len({source.content for source in held}), len({source.work for source in held}))


@dataclass(frozen=True)
class SourceWeights:
    """The sources of a wiki, as far as they are known."""

    manifest: SourceManifest = field(default_factory=SourceManifest)
    authority: str = "secondary"
    """Of a source whose record names none (``sources.authorityDefault``)."""

    def of(self, page: Page, taken: Source | None = None) -> list[SourceWeight]:
        """What the sources that ``page`` lists weigh; ``taken`` is the one that is being ingested."""
        own = taken.called_in(page.dialect) if taken is not None else ""
        return [
            incoming(taken) if taken is not None and name == own else self.named(name, page.dialect)
            for name in dict.fromkeys(page.sources)
        ]

    def named(self, reference: str, dialect: str) -> SourceWeight:
        """What the source weighs that a page of ``dialect`` calls ``reference``."""
        return self.at(self._paths.get(reference, reference) if dialect == ENTRY_DIALECT else reference)

    def at(self, path: str) -> SourceWeight:
        """What the source at ``path`` weighs; one that is not registered counts by the wiki's default."""
        record = self.manifest.sources.get(path) or Record("", ())
        day = day_in_name(path) or written_day(record.date)
        return SourceWeight(
            authority=record.authority or self.authority,
            day=day or record.captured_at[:10],
            superseded=bool(record.superseded_by),
            content=self.manifest.digest(path) if path in self.manifest.sources else path,
            work=_work(path),
            path=path,
            is_guess=not day,
        )

    def superseding(self, names: Iterable[str], by: Source) -> SourceWeights:
        """The weights once ``by`` has taken the place of the sources that pages call ``names``."""
        known = self.manifest
        for path in [self._paths.get(name, name) for name in names]:
            if (record := known.sources.get(path)) is not None and path != by.path:
                known = known.with_record(path, replace(record, superseded_by=by.id or by.stem))
        return replace(self, manifest=known)

    @cached_property
    def _paths(self) -> Mapping[str, str]:
        return SourceRecords(self.manifest).references()


def own_day(path: str, read: Reads) -> str:
    """The day the source at ``path`` says itself, in its name or its head; empty when it does not."""
    if day := day_in_name(path):
        return day
    text = read(path)
    return Source(path, "", Document.from_text(text[:_HEAD])).date if text else ""


def timed(path: str, read: Reads) -> Source:
    """The source at ``path`` as far as it tells when it is of (``Source.time``)."""
    return Source(path, "", Document.from_text(read(path) or ""))


def looked_at(source: SourceWeight, read: Reads) -> SourceWeight:
    """``source`` with the day its own words say, where they say one."""
    return replace(source, day=own_day(source.path, read) or source.day, is_guess=False)


def incoming(source: Source) -> SourceWeight:
    """What a source weighs that is being ingested; one without a day is of today."""
    text = source.document.text
    return SourceWeight(source.authority, source.date, False, source.digest, _work(source.path), source.path, text=text)


def _work(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}".casefold()
