"""Which files of a pack are looked at for a request, step by step, as its profile has it (discovery and loading)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from curator.packs.context.sections import sections_of
from curator.packs.pack import KnowledgePack
from curator.packs.reader import PackFiles
from curator.wiki.pages.page import Page
from curator.wiki.passages.ranking import PassageQuery, RankedText, telling_terms, terms
from curator.wiki.workspace.refs import FILE

MOST_FILES = 60
"""How many files are read for one step."""
_COMPILED = ("compiled/briefing.md", "compiled/facts.md", "compiled/boundaries.md")
_DOCUMENTS = ("documents/", "answers/")
_ONTOLOGY = "ontology/"
_PATH = re.compile(r"(?:compiled|documents|wiki|answers|ontology)/[\w./-]*")
_RELATIVE = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.(?:md|txt)\b")
"""A file as a manifest of an ontology names it: from the pack's root, or from its own folder."""
_TEXT = (".md", ".txt")


class Candidates:
    """The files of one pack for one request."""

    def __init__(self, pack: KnowledgePack, files: PackFiles, query: str) -> None:
        self._pack, self._files, self._query = pack, files, query

    def step(self, number: int, chosen: Sequence[str]) -> Sequence[str]:
        """The files of step 0, 1 or 2; the last follows the links of what was ``chosen``."""
        if number == 2:
            return self.linked(chosen)
        return self.first() if number == 0 else self.second()

    def first(self) -> Sequence[str]:
        """What was made for contexts, and what an index names for words of the request."""
        profile = self._pack.properties.profile
        if profile == "document-first":
            found = [*(self._splits or self._documents), *self._compiled]
        elif profile == "wiki-first":
            found = [*self._compiled, *self._others_compiled]
        else:
            found = [*self._mapped, *([] if self._mapped else [*self._compiled, *self._primary])]
        return self._limited([*found, *self._hinted])

    def second(self) -> Sequence[str]:
        """What is read where the first step is not enough."""
        profile = self._pack.properties.profile
        if profile == "document-first":
            return self._limited(self._documents)
        if profile == "wiki-first":
            return self._limited([*self._pages, *self._splits])
        return self._limited([*self._splits, *self._primary, *self._documents, *self._pages, *self._compiled])

    def linked(self, chosen: Sequence[str]) -> Sequence[str]:
        """One hop: the pages that the first few chosen ones link to."""
        found = [path for each in chosen[:5] if each.endswith(".md") for path in self._files.linked(each)]
        return self._limited(list(dict.fromkeys(found)))

    def _limited(self, paths: Sequence[str]) -> Sequence[str]:
        """At most so many, those first whose names have words of the request."""
        once = list(dict.fromkeys(paths))
        if len(once) <= MOST_FILES:
            return once
        wanted = set(telling_terms(self._query))
        return sorted(once, key=lambda path: -len(wanted.intersection(terms(path))))[:MOST_FILES]

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(path for path in self._files.paths if path.endswith(_TEXT))

    @cached_property
    def _splits(self) -> list[str]:
        return [path for path in self._texts if path.startswith("compiled/splits/")]

    @cached_property
    def _compiled(self) -> list[str]:
        return [path for path in _COMPILED if path in self._texts]

    @cached_property
    def _others_compiled(self) -> list[str]:
        others = (path for path in self._texts if path.startswith("compiled/") and path not in _COMPILED)
        return [path for path in others if not path.startswith("compiled/splits/")]

    @cached_property
    def _primary(self) -> list[str]:
        primary = self._pack.properties.primary_document
        return [primary] if primary in self._texts and not primary.startswith("sources/") else []

    @cached_property
    def _documents(self) -> list[str]:
        return [*self._primary, *(path for path in self._texts if path.startswith(_DOCUMENTS)), *self._subgraphs]

    @cached_property
    def _pages(self) -> list[str]:
        return list(self._files.pages(self._query, MOST_FILES))

    @cached_property
    def _mapped(self) -> list[str]:
        """What the context map in KNOWLEDGE.md names in the sections that are about such a request."""
        return [path for name in self._named_in(FILE, _PATH) for path in self._below(name)]

    @cached_property
    def _subgraphs(self) -> list[str]:
        """The files of the ontology that its manifest names for such a request.

        All of them where it has no manifest, or one of JSON, which lists files and says nothing of their matter: of files
        of JSON single entries are chosen.
        """
        manifest = self._pack.properties.primary_ontology
        files = [path for path in self._files.paths if path.startswith(_ONTOLOGY) and path.endswith((*_TEXT, ".json"))]
        if manifest not in files or manifest.endswith(".json"):
            return files
        folder = manifest.rpartition("/")[0]
        named = [each for name in self._named_in(manifest, _RELATIVE) for each in (name, f"{folder}/{name}")]
        return [path for path in named if path in files and path != manifest] or [manifest]

    def _named_in(self, path: str, names: re.Pattern[str]) -> list[str]:
        """The ``names`` on the lines of a file that are most about the request, with the headings over them."""
        sections = sections_of(Page(path, self._files.read(path) or ""))
        lines = [RankedText(line, heading=each.heading) for each in sections for line in each.text.split("\n")]
        rows = [line for line in lines if names.search(line.text)]
        query = PassageQuery.over(self._query, rows)
        scored = [(query.score(row), row.text) for row in rows]
        best = max((score for score, _ in scored), default=0.0)
        return [name for score, line in scored if best and score >= best / 2 for name in names.findall(line)]

    def _below(self, name: str) -> Iterator[str]:
        """A file that a context map names, or the files below a folder."""
        plain = name.rstrip(".")
        if plain.endswith("/"):
            yield from (path for path in self._texts if path.startswith(plain))
        elif plain in self._texts:
            yield plain

    @cached_property
    def _hinted(self) -> list[str]:
        """The files that ``indexes/source-map.json`` names for claims with words of the request: a hint, no fact."""
        try:
            claims = json.loads(self._files.read("indexes/source-map.json") or "{}")["claims"]
            pairs = [(str(each["text"]), each.get("compiled_into") or []) for each in claims]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return []
        wanted = set(telling_terms(self._query))
        near = [into for text, into in pairs if len(wanted.intersection(terms(text))) * 2 >= len(wanted) > 0]
        named = (str(path) for into in near if isinstance(into, list) for path in into)
        return [path for path in named if path in self._texts and not path.startswith(("sources/", "indexes/"))]
