"""What the built-in curator makes of a text, without a wiki."""

from __future__ import annotations

from curator.models.extractive import summary
from curator.models.extractive.curate import curate
from curator.models.extractive.reading import SourceReading
from curator.models.port import Request
from curator.models.proposal import Create, Operation
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source


def reading(text: str, format: str = "markdown") -> SourceReading:
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), format)
    return SourceReading(source, Evidence(source.path, source.document))


def told(text: str, format: str = "markdown") -> str:
    """The summary of ``text``."""
    read = reading(text, format)
    return "\n".join(claim.text for claim in summary.body(read, summary.sections(read, "medium")))


def proposed(text: str, format: str = "markdown", *known: Page) -> tuple[Operation, ...]:
    source = Source("sources/a.md", "sha256:0", Document.from_text(text), format)
    request = Request(source=source, evidence=Evidence(source.path, source.document), pages=known, entries=())
    return curate(request).operations


def pages(text: str, format: str = "markdown") -> dict[str, list[str]]:
    """The blocks of the pages of things that are made of ``text``, by their titles."""
    made = [op for op in proposed(text, format) if isinstance(op, Create) and op.kind != "summary"]
    return {op.title: [claim.text for claim in op.body] for op in made}
