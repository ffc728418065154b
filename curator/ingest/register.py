"""A source on its way into the registry: the record that its ingest writes (``knowledge.source/v1``, AIP-10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from curator.models.extractive.reading import Reading
from curator.system import clocks
from curator.wiki.pages.page import LONGEST_TITLE
from curator.wiki.sources.records import Registry
from curator.wiki.sources.registry import Manifest, Record
from curator.wiki.sources.source import Document, Remarks, Source

_HEAD = 200
"""So many lines tell a document's title; a long source need not be read for it."""


def enter(known: Manifest, source: Source, slugs: Sequence[str], now: datetime) -> Manifest:
    """The registry after the ingest of ``source`` into the pages ``slugs``.

    New bytes are captured now; what people said of the source before stays, but for what ``source.remarks`` says anew.
    """
    is_new = not known.has(source.path, source.digest)
    after = known.with_source(source.path, source.digest, slugs)
    record = after.sources[source.path]
    record = replace(record, id=Registry(known).id_for(source.path))
    if is_new:
        at = clocks.stamp(now.astimezone(UTC))
        title = record.title or title_of(source)
        record = replace(record, captured_at=at, title=title, signature=source.signature)
    after = after.with_record(source.path, replace(record, authority=source.remarks.authority or record.authority))
    return Registry(after).superseded(source.remarks.supersedes, source.path)


def check(known: Manifest, path: str, remarks: Remarks) -> None:
    """Raise ConfigError when what is said of the source at ``path`` cannot be, before anybody is asked about it."""
    after = known if path in known.sources else known.with_record(path, Record("", ()))
    Registry(after).superseded(remarks.supersedes, path)


def title_of(source: Source) -> str:
    """What the document calls itself, else its file's name in words."""
    head = Document(source.document.lines[:_HEAD], source.document.ends[:_HEAD])
    title = "".join(c if c.isprintable() else " " for c in Reading(replace(source, document=head)).title)
    return " ".join(title.split())[:LONGEST_TITLE].rstrip() or source.stem
