"""A search in a big wiki whose catalogue is lost: by git's own grep, in seconds, while a process of its own makes it anew.

It is said to be partial: words count as they are written, nothing is weighed, and names are looked for in paths. Only a
search may answer so, for whoever reads it can ask again. What takes in, answers, counts or judges would take a page that
was not found for one that is not there.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from curator.ask.hits import snippet
from curator.ask.query_scope import QueryScope
from curator.repository import manifest_files, views
from curator.repository.catalogue.full_text import Query
from curator.repository.catalogue.rows import is_shown
from curator.repository.manifest_files import Commit
from curator.repository.repository import Repository
from curator.repository.views import View
from curator.service.worker import CURATE
from curator.wiki.pages.page import Page, is_page
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import PageEntry
from curator.wiki.workspace import refs
from curator.wiki.workspace.workspace import Workspace

BIG = 20_000
"""Files of Markdown, from which on a catalogue takes more than a few seconds."""
_READ, _AT_ONCE = 500, 20
"""So many of the pages that have the words are read, the likeliest first."""
TOLD = (
    "the catalogue of pages is lost and is being made anew: these pages have the words as they are written, and there may"
    " be others; curate status waits until it is there"
)


@dataclass(frozen=True)
class PartialSearch:
    """A search of one commit, by its manifest."""

    repository: Repository
    base: str
    workspace: Workspace

    @classmethod
    def begun(cls, repository: Repository) -> PartialSearch | None:
        """Have the catalogue made, which is lost, and search meanwhile; None where that is better waited for."""
        base = repository.head()
        if base is None or repository.has_edits or repository.unwritable is not None:
            return None
        if repository.git.output("ls-tree", "-r", "-z", "--name-only", base).count(b".md\0") < BIG:
            return None
        own = str(repository.root / refs.FILE)
        with manifest_files.ManifestFiles(own=Commit(repository.git, base)) as files:
            workspace = views.compose(View(own), files, repository.root)
        if workspace.chain[0] != own:  # a view of another wiki, which may hide pages
            return None
        if not repository.catalogue.is_written:
            _make_catalogue(repository)
        return cls(repository, base, workspace)

    def hits(self, words: str, limit: int, *, everywhere: bool) -> list[dict[str, Any]]:
        """So many pages, those first that have all of ``words``; in the shape of ``hits.hits_in``."""
        query = Query.of(words)
        phrases, without = ([each.strip('"').casefold() for each in some] for some in (query.phrases, query.without))
        wanted, git = [*phrases, *query.terms], self.repository.git
        found = git.grep(self.base, wanted, all_of=True) if wanted else {}
        ranked = _ranked(found, wanted)
        if len(ranked) < limit and len(wanted) > 1:
            others = git.grep(self.base, phrases or wanted, all_of=bool(phrases))
            ranked += _ranked({path: others[path] for path in others.keys() - found.keys()}, wanted)
        scope = QueryScope(self.workspace, lambda: SourceRecords(SourceManifest()), frozenset())
        seen = (
            {"slug": entry.slug, "path": page.path, "title": entry.title, "score": 0.0, "snippet": snippet(page, words)}
            for page, entry in self._pages(ranked[:_READ])
            if scope.has(entry, everywhere) and not any(each in page.text.casefold() for each in without)
        )
        return list(islice(seen, limit))

    def _pages(self, paths: Sequence[str]) -> Iterator[tuple[Page, PageEntry]]:
        """Those of the files that are pages, in their order."""
        git, prefix = self.repository.git, self.repository.prefix
        for start in range(0, len(paths), _AT_ONCE):
            some = [prefix + path for path in paths[start : start + _AT_ONCE]]
            found = git.blobs_at(self.base, some)
            plain = [found[path] for path in some if path in found and found[path].is_plain]
            for blob, data in zip(plain, git.contents([blob.oid for blob in plain]), strict=True):
                page = Page(blob.path.removeprefix(prefix), (data or b"").decode("utf-8", "replace"))
                if is_page(page.path, page.text) and page.is_readable:
                    yield page, PageEntry.of(page)


def _ranked(found: Mapping[str, int], words: Sequence[str]) -> list[str]:
    """The files that may be pages, those first that have most of ``words`` in their names, then those with most lines."""

    def place(path: str) -> tuple[int, int, str]:
        return -sum(word.casefold() in path.casefold() for word in words), -found[path], path

    return sorted(filter(is_shown, found), key=place)


def _make_catalogue(repository: Repository) -> None:
    """By somebody whom nobody waits for; killed, he leaves none, and the next search begins anew."""
    with suppress(OSError):
        command, none = [*CURATE, "--wiki", str(repository.root), "status"], subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=none, stdout=none, stderr=none, start_new_session=True)
        process.returncode = 0  # it goes on when we are gone
