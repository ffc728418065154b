"""``_index.md``, the generated catalogue of pages (AIP-10, required generated files; DESIGN section 2).

A pure function of the entries: made again from the same pages it is byte for byte the same, whatever their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from curator.page import FOLDERS
from curator.wiki import Entry

PATH = "_index.md"


def render(entries: Iterable[Entry], grouping: str = "kind") -> str:
    """The index: a section a kind (or tag, or source), a line a page, sorted by slug."""
    sections: dict[str, set[tuple[str, str]]] = {}
    for entry in entries:
        for name in _sections(entry, grouping):
            sections.setdefault(plain(name), set()).add((entry.slug, line(entry)))
    parts = ["# Index\n\n"]
    for name in sorted(sections, key=lambda name: (_ORDER.get(name, len(_ORDER)), name)):
        lines = "\n".join(text for _, text in sorted(sections[name]))
        parts.append(f"## {name}\n\n{lines}\n\n")
    return "".join(parts).rstrip("\n") + "\n"


def line(entry: Entry) -> str:
    """``- [[slug]] Title: one-line summary``."""
    summary = f": {plain(entry.summary)}" if entry.summary else ""
    return f"- [[{entry.slug}]] {plain(entry.title)}{summary}"


def plain(text: str) -> str:
    """``text`` on one line that links nothing and is no HTML."""
    return re.sub(r"([\[\]<`*|\\])", r"\\\1", " ".join(text.split()))


_ORDER = {name.capitalize(): n for n, name in enumerate(FOLDERS.values())}


def _sections(entry: Entry, grouping: str) -> Iterator[str]:
    if grouping == "tag":
        yield from entry.tags or ("Untagged",)
    elif grouping == "source":
        yield from entry.sources or ("No source",)
    else:
        yield (FOLDERS.get(entry.kind) or f"{entry.kind}s").capitalize()
