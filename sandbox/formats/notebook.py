"""Notebooks (``.ipynb``): text, code and what it printed; the paragraph of an anchor is the cell.

It is what Jupyter shows: of an output the richest form, of Markdown what is rendered, nothing that is folded away.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import Unreadable, source_text
from wrapped import paragraphs

from formats import html, markdown
from formats.markdown_beside import SEEN_ELSEWHERE
from formats.shown_words import OTHER_PLAIN, words_of

_MOST_PRINTED = 2_000
"""Characters of what one cell printed."""
_ESCAPE = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_CONCEALED = re.compile(r"\x1b\[(?:\d{1,3};){0,5}8m([^\x1b]{0,2000})")
_FOLDED = "folded away"
_REMOVED = frozenset(("remove-cell", "hide-cell", "remove_cell", "hide_cell", "remove", "hidden"))
_REMOVED_PARTS = {
    "source": frozenset(("remove-input", "hide-input", "remove_input", "hide_input")),
    "outputs": frozenset(("remove-output", "hide-output", "remove_output", "hide_output")),
}
_RICH = ("text/html", "text/markdown", "text/latex")
"""The forms of an output that are shown before the plain one, the first there is."""

Gone = Counter[tuple[str, bool]]
"""How much was left out, by what it is and whether nobody sees it."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The cells of the notebook in ``data``."""
    try:
        notebook = json.loads(source_text(data))
        cells = notebook.get("cells") or [cell for sheet in notebook.get("worksheets", []) for cell in sheet["cells"]]
        metadata = notebook.get("metadata", {})
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise Unreadable("source_damaged", f"it is no notebook: {error}") from error
    gone: Gone = Counter()
    lines: list[Line] = []
    for number, cell in enumerate(cells if isinstance(cells, list) else [], start=1):
        if isinstance(cell, dict):
            lines += [(number, text, number) for text in _cell(cell, gone)]
    left_out = [LeftOut(what, count, is_hidden) for (what, is_hidden), count in gone.items() if count]
    return Extracted(lines, "paragraph", _head(metadata, lines), left_out)


def preload() -> None:
    read(b'{"cells": [{"cell_type": "code", "source": "a", "outputs": []}]}', 100)


def _cell(cell: dict[str, Any], gone: Gone) -> Iterator[str]:
    kind, source = cell.get("cell_type"), _joined(cell.get("source", cell.get("input", "")))
    said = cell.get("metadata")
    folded = _folded(said) if isinstance(said, dict) else frozenset()
    if "source" in folded:
        gone[_FOLDED, True] += len(source.strip())
    elif kind == "markdown":
        yield from _rendered(source, gone)
    elif kind == "heading":
        yield f"{'#' * min(6, max(1, int(cell.get('level', 1))))} {' '.join(source.split())}"
    else:
        yield from _fenced(source)
    for output in cell.get("outputs", []) if kind == "code" else ():
        if isinstance(output, dict):
            seen = _output(output, gone)
            if "outputs" in folded:
                gone[_FOLDED, True] += sum(len(line) for line in seen if line != "```")
            else:
                yield from seen


def _folded(said: dict[str, Any]) -> frozenset[str]:
    """Which parts of a cell, ``source`` and ``outputs``, are folded away or removed by what its metadata say."""
    jupyter, tags = said.get("jupyter"), said.get("tags")
    of_jupyter = jupyter if isinstance(jupyter, dict) else {}
    names = {each for each in tags if isinstance(each, str)} if isinstance(tags, list) else set[str]()
    is_removed = bool(names & _REMOVED) or said.get("nbsphinx") == "hidden"
    is_source = of_jupyter.get("source_hidden") is True or said.get("hide_input") is True
    is_outputs = of_jupyter.get("outputs_hidden") is True or said.get("collapsed") is True
    parts = {"source": is_source, "outputs": is_outputs}
    return frozenset(
        part for part, is_folded in parts.items() if is_removed or is_folded or names & _REMOVED_PARTS[part]
    )


def _rendered(source: str, gone: Gone) -> Iterator[str]:
    """The paragraphs of Markdown, without what nobody sees of it."""
    text, counts = markdown.visible(source)
    gone.update({(what, what not in SEEN_ELSEWHERE): count for what, count in counts.items()})
    yield from paragraphs(text.split("\n"))


def _output(output: dict[str, Any], gone: Gone) -> Iterator[str]:
    data = output.get("data", output)
    data = data if isinstance(data, dict) else {}
    pictures = sum(name.startswith(("image/", "application/")) for name in data)
    gone["pictures and other things that are no text", False] += pictures
    printed = _printed(_joined(data.get("text/plain", output.get("text", ""))), gone)
    rich = next((name for name in _RICH if name in data), "")
    form = _joined(data.get(rich, ""))
    if rich == "text/html":
        found = html.read(form.encode("utf-8", "replace"), 0)
        if words_of(printed) != words_of("\n".join(line for _, line, _ in found.lines)):
            gone[OTHER_PLAIN, True] += len(printed.strip())
            gone.update({(each.what, each.is_hidden): each.count for each in found.left_out})
            yield from _first(line for _, line, _ in found.lines)
            return
        gone.update({(each.what, True): each.count for each in found.left_out if each.is_hidden})
    elif rich or pictures:
        is_name = printed.startswith("<") and printed.rstrip().endswith(">") and rich == ""
        gone[OTHER_PLAIN, True] += 0 if is_name else len(printed.strip())
        yield from _rendered(form[:_MOST_PRINTED], gone)
        return
    gone["the rest of long outputs", False] += max(0, len(printed) - _MOST_PRINTED)
    yield from _fenced(printed[:_MOST_PRINTED])


def _printed(text: str, gone: Gone) -> str:
    """What a terminal shows of ``text``: nothing that is concealed, or that the rest of its line is written over."""
    gone["text that is concealed", True] += sum(len(found[1]) for found in _CONCEALED.finditer(text))
    lines = [line.rstrip("\r").rpartition("\r") for line in _CONCEALED.sub("", text).split("\n")]
    gone["text that is written over", True] += sum(len(before) for before, _, _ in lines)
    return _ESCAPE.sub("", "\n".join(line for _, _, line in lines))


def _first(lines: Iterable[str]) -> Iterator[str]:
    """As many lines as an output has room for."""
    left = _MOST_PRINTED
    for line in lines:
        left -= len(line)
        if left < 0:
            return
        yield line


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
