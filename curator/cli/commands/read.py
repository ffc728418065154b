"""``curate read``: what curator reads of a file, text with anchors, head, what was left out. No wiki is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, common_options, reported
from curator.config import Config
from curator.repository.settings import users_file
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.source import Document


@click.command()
@click.argument("file", type=FILE)
@common_options
@reported
def read(common: CommonOptions, /, file: Path) -> Report:
    return report(file, Config.load(users_file(os.environ), os.environ, {}).source_limits)


def report(file: Path, limits: SourceLimits) -> Report:
    """What is read of ``file``. Raises SourceError."""
    from curator.models.sandbox import client

    document, level = client.read_file(file, limits)
    anchors = [document.anchor(index) for index in range(len(document.lines))]
    data = {
        "text": document.text,
        "head": document.head.as_json(),
        "anchors": anchors,
        "left_out": [{"what": e.what, "count": e.count, "hidden": e.is_hidden} for e in document.left_out],
        "ocr_pages": list(document.recognised),
    }
    return Report(data, tuple(_shown(document, anchors)), 0, (f"read in a sandbox that is {level}",))


def _shown(document: Document, anchors: list[str]) -> Iterator[str]:
    """The head, the text with an anchor before each line that has one of its own, and what was left out."""
    for key, value in document.head.as_json().items():
        yield f"{key}: {value if isinstance(value, str) else '; '.join(value)}"
    if document.head.as_json():
        yield ""
    width = max(map(len, anchors))
    last = ""
    for anchor, (_, line) in zip(anchors, document.lines, strict=True):
        yield f"{'' if anchor == last or not line else anchor:<{width}}  {line}".rstrip()
        last = anchor if line else last
    if document.left_out or document.recognised:
        yield ""
    if document.recognised:
        yield f"read by OCR: {document.read_by_ocr}; a letter or a figure may be wrong"
    yield from (f"left out: {each}" for each in document.left_out)
