"""Histories of pages, for catalogues that follow them, and all that a catalogue answers."""

from __future__ import annotations

from hypothesis import strategies as st

from curator.repository.catalogue import Catalogue
from curator.wiki.pages.names import name_key
from support.pages import page

WORDS = st.sampled_from(
    ["tea", "Teas", "cup", "hot water", "蜜蜂研究", "緑茶", "über", "C++", "[[tea]]", "[[Cups]]", "the"]
)
TEXTS = st.one_of(
    st.lists(WORDS, min_size=1, max_size=6).map(lambda words: f"# {words[0]}\n\n{' '.join(words)}.\n"),
    st.lists(WORDS, max_size=3).map(lambda words: page("x", " ".join(words), title=" ".join(words) or "X").text),
    st.sampled_from(["", "---\na: *b\n---\nbroken", "---\nslug: tea\nschema: knowledge.entry/v1\n---\n"]),
)
PATHS = st.sampled_from(["concepts/tea.md", "concepts/cup.md", "entities/bee.md", "a.md"])
HISTORIES = st.lists(st.dictionaries(PATHS, st.one_of(st.none(), TEXTS), max_size=3), max_size=4)


def shown(catalogue: Catalogue) -> dict[str, object]:
    """All that a catalogue answers."""
    entries = sorted(catalogue.entries(), key=lambda entry: entry.path)
    keys = sorted({name_key(name) for entry in entries for name in entry.names})
    return {
        "entries": entries,
        "count": catalogue.count(),
        "newest": catalogue.newest(3),
        "named": {key: sorted(slugs) for key, slugs in catalogue.named(keys).items()},
        "inbound": {entry.slug: catalogue.inbound(entry.slug) for entry in entries},
        "conventions": catalogue.conventions(),
        "search": {
            word: sorted(catalogue.search(word, 10)) for word in ("tea", "cup water", "蜜蜂", "c", "uber", "the")
        },
        "similar": sorted(catalogue.similar("tea cup 緑茶 bee", 10)),
    }
