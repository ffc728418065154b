"""Notebooks (``.ipynb``): text, code and what it printed; the paragraph of an anchor is the cell."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import Unreadable, source_text
from wrapped import paragraphs

_MOST_PRINTED = 2_000
"""Characters of what one cell printed."""
_ESCAPE = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")


def read(data: bytes, max_chars: int) -> Extracted:
    """The cells of the notebook in ``data``."""
    try:
        notebook = json.loads(source_text(data))
        cells = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", []) for cell in sheet["cells"]]
        metadata = notebook.get("metadata", {})
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise Unreadable("source_damaged", f"it is no notebook: {error}") from error
    gone = Counter[str]()
    lines: list[Line] = []
    for number, cell in enumerate(cells if isinstance(cells, list) else [], start=1):
        if isinstance(cell, dict):
            lines += [(number, text, number) for text in _cell(cell, gone)]
    left_out = [LeftOut(what, count) for what, count in gone.items() if count]
    return Extracted(lines, "paragraph", _head(metadata, lines), left_out)


def preload() -> None:
    read(b'{"cells": [{"cell_type": "code", "source": "a", "outputs": []}]}', 100)


def _cell(cell: dict[str, Any], gone: Counter[str]) -> Iterator[str]:
    kind, source = cell.get("cell_type"), _joined(cell.get("source", cell.get("input", "")))
    if kind == "markdown":
        yield from paragraphs(source.split("\n"))
    elif kind == "heading":
        yield f"{'#' * min(6, max(1, int(cell.get('level', 1))))} {' '.join(source.split())}"
    elif kind == "code":
        yield from _fenced(source)
        for output in cell.get("outputs", []):
            if isinstance(output, dict):
                yield from _output(output, gone)
    else:
        yield from _fenced(source)


def _output(output: dict[str, Any], gone: Counter[str]) -> Iterator[str]:
    data = output.get("data", output)
    data = data if isinstance(data, dict) else {}
    gone["pictures and other things that are no text"] += sum(
        name.startswith(("image/", "application/")) for name in data
    )
    printed = _ESCAPE.sub("", _joined(data.get("text/plain", output.get("text", ""))))
    gone["the rest of long outputs"] += max(0, len(printed) - _MOST_PRINTED)
    yield from _fenced(printed[:_MOST_PRINTED])


def _fenced(text: str) -> Iterator[str]:
    if text.strip():
        yield from ("```", *(line.rstrip() for line in text.strip("\n").split("\n") if line.strip()), "```")


def _joined(value: Any) -> str:
    """A text, which notebooks write as the list of its lines, too."""
    return "".join(each for each in value if isinstance(each, str)) if isinstance(value, list) else str(value or "")


def _head(metadata: Any, lines: list[Line]) -> dict[str, Value]:
    said = metadata if isinstance(metadata, dict) else {}
    names = [each.get("name", "") if isinstance(each, dict) else each for each in said.get("authors") or []]
    first = next((text.lstrip("# ") for _, text, _ in lines if text.startswith("# ")), "")
    fields: dict[str, Value] = {
        "title": str(said.get("title") or first),
        "authors": [n for n in names if isinstance(n, str)],
    }
    return standard({**fields, "date": str(said.get("date", ""))})
