"""The wiki as the rules of the whole see it: one commit, its ledger, its sources, its charter, and the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath

from curator.catalogue import loaded
from curator.lint.charter import Charter
from curator.lint.leaf import Leaf
from curator.lint.ledger import Ledger
from curator.lint.stock import Stock
from curator.lint.texts import Texts
from curator.names import name_key
from curator.page import Page
from curator.repository import Snapshot
from curator.wiki import Entry, Wiki

_AT_ONCE = 400


@dataclass(frozen=True)
class Whole:
    snapshot: Snapshot
    ledger: Ledger
    stock: Stock
    sources: Texts
    charter: Charter
    now: datetime

    @property
    def wiki(self) -> Wiki:
        return self.snapshot.wiki

    def resolve(self, target: str) -> Entry | None:
        """The page a link names; every target is looked up once."""
        if target not in self._resolved:
            self._resolved[target] = self.wiki.resolve(target)
        return self._resolved[target]

    def is_broken(self, target: str) -> bool:
        """True for a link that leads to no page, to no source (which has a rule of its own) and to no other file."""
        return not target.startswith("sources/") and self.resolve(target) is None and not self.is_file(target)

    def key(self, target: str) -> str:
        """What the catalogue looks a link up by."""
        return target if target.endswith(".md") else name_key(target)

    @cached_property
    def _resolved(self) -> dict[str, Entry | None]:
        return {}

    def is_file(self, target: str) -> bool:
        """True for a link to a file of the commit that is no page: a picture, README.md."""
        name = PurePosixPath(target).name
        return bool(name) and not self._names.isdisjoint((name, f"{name}.md"))

    @cached_property
    def _names(self) -> set[str]:
        """The names of the files that are no pages; pages are resolved."""
        repository = self.snapshot.repository
        blobs = repository.git.tree(self.snapshot.base, repository.prefix.rstrip("/"))
        paths = (blob.path.removeprefix(repository.prefix) for blob in blobs)
        return {PurePosixPath(path).name for path in paths if self.wiki.shelf.by_path(path) is None}

    def line_of_link(self, path: str, target: str) -> int | None:
        """The line of the first link to ``target`` on a page; looked for once, while the page stays as it is."""
        line = self.ledger.place(path, target)
        if line is None:
            page = self.page(path)
            places: dict[str, int] = {}
            for named, link in page.links if page is not None else ():
                places.setdefault(named, page.line_of(link.line) if page is not None else 0)
            self.ledger.keep_places(path, places.items())
            line = places.get(target)
        return line

    def line_in_head(self, path: str, words: str) -> int:
        """The line of a page's head that has ``words``; else the first."""
        leaf = self.leaf(path)
        return leaf.line_of(words) if leaf is not None else 1

    def leaf(self, path: str) -> Leaf | None:
        entry, page = self.wiki.resolve(path), self.page(path)
        return Leaf(path, page.text, entry) if entry is not None and page is not None else None

    def entry(self, row: str) -> Entry:
        """An entry from its column in the catalogue."""
        return loaded(row)

    def page(self, path: str) -> Page | None:
        text = next(iter(self.texts([(path, "")])), ("", ""))[1]
        return Page(path, text) if text else None

    def texts(self, pages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The texts of pages, by path and blob id, hundreds at a time: one question a page takes ten times as long."""
        some = [(path, blob or self.wiki_blob(path)) for path, blob in pages]
        for start in range(0, len(some), _AT_ONCE):
            chunk = some[start : start + _AT_ONCE]
            asked = "".join(f"{blob}\n" for _, blob in chunk).encode()
            data = self.snapshot.repository.git.output("cat-file", "--batch", stdin=asked)
            at = 0
            for path, _ in chunk:
                end = data.index(b"\n", at)
                size = data[at:end].rpartition(b" ")[2]
                if not size.isdigit():  # missing, as in a partial clone
                    at = end + 1
                    continue
                yield path, data[end + 1 : end + 1 + int(size)].decode("utf-8", "replace")
                at = end + 2 + int(size)

    def wiki_blob(self, path: str) -> str:
        return self.snapshot.catalogue.blob(path, self.snapshot.base)
