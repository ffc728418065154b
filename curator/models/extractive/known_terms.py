"""The terms of a source, of which those that have a page carry its slug and all its names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from curator.models.extractive.known import KnownPage, KnownPages, cites
from curator.models.extractive.languages import things
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import candidates
from curator.models.extractive.terms.terms import Term
from curator.wiki.naming.fields import SourceField
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.names import name_key

_NAME = re.compile(r"(?<=[a-z,;(] )[A-Z]\w*[a-z]\w*")
_LEAST_OF_SYSTEM = 3
"""Times that a page writes the name of the system that it is of."""


def find_terms(reading: SourceReading, known_pages: KnownPages) -> dict[str, Term]:
    """The candidates of the source; those that have a page carry its slug and all its names."""
    found: dict[str, Term] = {}
    if reading.english:
        found = candidates.find_terms(reading.sentences, reading.text.headings, reading.own_title)
    elif reading.language is not None:
        titles = (*reading.text.headings, reading.own_title)
        found = things.find_terms(reading.language, reading.sentences, titles)
    field = SourceField(reading.source.document.text)
    words = {key for sentence in reading.sentences for key in sentence.keys}
    places = {key: at for at, key in enumerate(found)}
    called: dict[str, set[str]] = defaultdict(set)
    for term in found.values():
        for name in (*term.keys, candidates.bare_key(term.key)):
            called[name].add(term.key)
    for known in known_pages.subjects(reading.source):
        bare = {candidates.bare_key(key) for key in known.keys} & found.keys()
        names = bare.union(*(called.get(key, ()) for key in known.keys)) & found.keys()
        is_named = names or not reading.english or any(words.issuperset(key.split()) for key in known.keys)
        if not is_named or _is_of_another_field(known, field, reading):
            continue
        same = [found[name] for name in sorted(names, key=lambda name: places[name])]
        key = name_key(known.entry.title) or known.slug
        title = known.entry.title
        merged = Term(
            key, signals={"known"}, slug=known.slug, exact=title if title.isupper() and " " not in title else ""
        )
        merged.written[title] = 0
        merged.only_code = merged.is_ordinary and known.page is not None and f"`{title}`" in known.page.body
        for term in same:
            merged.signals |= term.signals
            merged.aliases |= {k: term.title if k == term.key else term.aliases[k] for k in term.keys}
            found.pop(term.key, None)
        merged.aliases |= {k: k for k in known.keys}
        merged.aliases.pop(key, None)
        found[key] = merged
        places[key] = len(places) + len(found)
        for name in (*merged.keys, candidates.bare_key(key)):
            called[name].add(key)
    return found


def _is_of_another_field(known: KnownPage, field: SourceField, reading: SourceReading) -> bool:
    """True for a page called by a common noun that the source, new to it, uses for something else."""
    title = known.entry.title
    is_common = known.entry.kind == "concept" and all(map(str.isalpha, title.split())) and title[1:].islower()
    if not is_common or known.page is None or cites(known.entry.sources, reading.source):
        return False
    told = " ".join(without_marks(block.text) for block in known.page.outline.blocks if block.kind != "note")
    named = Counter(_NAME.findall(told)).most_common(1)
    is_others = any(times >= _LEAST_OF_SYSTEM and not field.writes(name) for name, times in named)
    return is_others or not field.has(known.page)
