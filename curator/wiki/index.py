"""``_index.md``, the generated catalogue of pages (AIP-10, required generated files).

A pure function of the entries: made again from the same pages it is byte for byte the same, whatever their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from curator.wiki.pages.page import DERIVED, FOLDERS
from curator.wiki.pages.slug import slugify
from curator.wiki.wiki import PageEntry, Wiki

PATH = "_index.md"
_MOST_ALIASES = 3
"""Of a page, where a prompt lists it by its names."""


def render(entries: Iterable[PageEntry], grouping: str = "kind") -> str:
    """The index: a section a kind (or tag, or source), a line a page, sorted by slug."""
    return _joined((name, entry.slug, line(entry)) for entry in entries for name in _sections(entry, grouping))


def of(wiki: Wiki, grouping: str = "kind") -> str:
    """The index of ``wiki``: what ``render`` makes of its entries, sooner, for the lines of a big wiki are kept."""
    if grouping != "kind":
        return render(wiki.entries(), grouping)
    changed = map(PageEntry.of, wiki.changed.values())
    lines = [(_of_kind(entry.kind), entry.slug, line(entry)) for entry in changed]
    kept = wiki.store.lines()
    return _joined(
        [*lines, *((_of_kind(kind), slug, text) for path, slug, kind, text in kept if not wiki.is_over(path))]
    )


def _joined(lines: Iterable[tuple[str, str, str]]) -> str:
    """The file, from each line's section and slug and the line itself."""
    sections: dict[str, set[tuple[str, str]]] = {}
    shown: dict[str, str] = {}  # a wiki has few sections and many lines
    for name, slug, text in lines:
        if name not in shown:
            shown[name] = plain(name)
        sections.setdefault(shown[name], set()).add((slug, text))
    parts = ["# Index\n\n"]
    for name in sorted(sections, key=lambda name: (_ORDER.get(name, len(_ORDER)), name)):
        listed = "\n".join(text for _, text in sorted(sections[name]))
        parts.append(f"## {name}\n\n{listed}\n\n")
    return "".join(parts).rstrip("\n") + "\n"


def line(entry: PageEntry) -> str:
    """``- [[slug]] Title: one-line summary``."""
    summary = f": {plain(entry.summary)}" if entry.summary else ""
    return f"- [[{entry.slug}]] {plain(entry.title)}{summary}"


def names(entry: PageEntry) -> str:
    """What a page is called, in the fewest words: ``slug: Title; alias``; a title that the slug tells is left out."""
    title = plain(entry.title)
    told = [] if title[1:] == entry.slug.replace("-", " ")[1:] and slugify(title) == entry.slug else [title]
    told += [plain(alias) for alias in entry.aliases[:_MOST_ALIASES] if alias not in entry.title]
    kind = f" ({entry.kind})" if entry.kind in ("summary", *DERIVED) else ""
    return f"{entry.slug}{kind}" + (f": {'; '.join(told)}" if told else "")


def plain(text: str) -> str:
    """``text`` on one line that links nothing and is no HTML."""
    return re.sub(r"([\[\]<`*|\\])", r"\\\1", " ".join(text.split()))


_ORDER = {name.capitalize(): n for n, name in enumerate(FOLDERS.values())}


def _sections(entry: PageEntry, grouping: str) -> Iterator[str]:
    if grouping == "tag":
        yield from entry.tags or ("Untagged",)
    elif grouping == "source":
        yield from entry.sources or ("No source",)
    else:
        yield _of_kind(entry.kind)


def _of_kind(kind: str) -> str:
    return (FOLDERS.get(kind) or f"{kind}s").capitalize()
