"""A source on its way into the registry: the record that its ingest writes (``knowledge.source/v1``, AIP-10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from curator.models.extractive.reading import SourceReading
from curator.system import clocks
from curator.wiki.pages.page import LONGEST_TITLE
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import Record, SourceManifest
from curator.wiki.sources.source import Document, Source, SourceRemarks

_HEAD = 200
"""So many lines tell a document's title; a long source need not be read for it."""


def enter_source(known: SourceManifest, source: Source, slugs: Sequence[str], now: datetime) -> SourceManifest:
    """The registry after the ingest of ``source`` into the pages ``slugs``.

    New bytes are captured now; what people said of the source before stays, but for what ``source.remarks`` says anew.
    """
    is_new = not known.has(source.path, source.digest)
    after = known.with_source(source.path, source.digest, slugs)
    record = after.sources[source.path]
    record = replace(record, id=SourceRecords(known).id_for(source.path))
    if is_new:
        at = clocks.utc_timestamp(now.astimezone(UTC))
        title = record.title or title_of(source)
        record = replace(record, captured_at=at, title=title, signature=source.signature)
    after = after.with_record(source.path, replace(record, authority=source.remarks.authority or record.authority))
    return SourceRecords(after).superseded(source.remarks.supersedes, source.path)


def check_remarks(known: SourceManifest, path: str, remarks: SourceRemarks) -> None:
    """Raise ConfigError when what is said of the source at ``path`` cannot be, before anybody is asked about it."""
    after = known if path in known.sources else known.with_record(path, Record("", ()))
    SourceRecords(after).superseded(remarks.supersedes, path)


def title_of(source: Source) -> str:
    """What the document calls itself, else its file's name in words."""
    head = Document(source.document.lines[:_HEAD], source.document.ends[:_HEAD])
    reading = SourceReading(replace(source, document=head), Evidence(source.path, head))
    title = "".join(c if c.isprintable() else " " for c in reading.title)
    return " ".join(title.split())[:LONGEST_TITLE].rstrip() or source.stem
