"""Full text of the sources, passage by passage: a cache in the runtime folder, made from what is read of each.

A source is read when its bytes are new here; what was read before stays. Whoever deletes the file has it made anew.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator.repository.catalogue.full_text import searchable
from curator.repository.catalogue.schema import in_words, opened, writing
from curator.wiki.passages.passage import Passage
from curator.wiki.sources.formats import READER

FILE = f"sources-6.{READER}.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE source (id INTEGER PRIMARY KEY, path TEXT UNIQUE, digest TEXT, title TEXT, state TEXT);
CREATE TABLE passage (id INTEGER PRIMARY KEY, source INTEGER, headings TEXT, text TEXT, anchor TEXT);
CREATE INDEX passage_source ON passage (source);
CREATE VIRTUAL TABLE words USING fts5 (
    title, headings, text, content='', tokenize='porter unicode61 remove_diacritics 2');
"""
_FOUND = """
SELECT source.path, source.title, passage.headings, passage.text, passage.anchor,
       (SELECT group_concat(near.text, ' ') FROM passage AS near WHERE near.source = passage.source
        AND near.headings = passage.headings AND near.id IN (passage.id - 1, passage.id + 1))
FROM ({hits}) AS hit
JOIN passage ON passage.id = hit.rowid JOIN source ON source.id = passage.source
ORDER BY hit.rank, passage.id"""
_BETWEEN = "\x1f"


@dataclass(frozen=True)
class IndexedSource:
    """The passages of one source, or those of them that were found."""

    path: str
    title: str
    passages: tuple[Passage, ...]
    state: str = ""
    """What became of the whole of it: "rejected"."""


class SourceIndex:
    """The passages of the sources of one wiki."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @classmethod
    def open(cls, path: Path | None) -> SourceIndex:
        """The index in the file ``path`` (None: in memory). Raises ConfigError."""
        return cls(opened(path, _TABLES))

    def close(self) -> None:
        self._db.close()

    def refresh(self, wanted: Mapping[str, str], read: Callable[[str], IndexedSource | None]) -> None:
        """Make the index one of the sources ``wanted``, path to digest of the bytes; ``read`` gives those that are new."""
        known: dict[str, str] = dict(self._db.execute("SELECT path, digest FROM source"))
        if known == dict(wanted):
            return
        found = [(path, read(path)) for path, digest in wanted.items() if known.get(path) != digest]
        with in_words(), writing(self._db):
            for path in (*(path for path in known if path not in wanted), *(path for path, _ in found)):
                self._take_out(path)
            for path, source in found:
                if source is not None:
                    self._put(source, wanted[path])

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM passage").fetchone()[0])

    def holding(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many passages each of ``terms`` stands."""
        query = "SELECT count(*) FROM words WHERE words MATCH ?"
        return {term: int(self._db.execute(query, (_any([term]),)).fetchone()[0]) for term in terms}

    def any_of(self, words: Iterable[str], limit: int) -> list[IndexedSource]:
        """The best ``limit`` passages that have any of ``words``, best first, each as one of its source."""
        hits = "SELECT rowid, bm25(words, 1.5, 1.5, 1.0) AS rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return self._found(hits, (_any(words), limit))

    def states(self, paths: Iterable[str]) -> dict[str, str]:
        """What the heads of the sources at ``paths`` say became of the whole of each, see ``state_of``."""
        query = "SELECT state FROM source WHERE path=?"
        rows = {path: self._db.execute(query, (path,)).fetchone() for path in paths}
        return {path: str(row[0]) for path, row in rows.items() if row is not None}

    def stating(self, words: Sequence[str], among: Sequence[str], limit: int, elsewhere: bool) -> list[IndexedSource]:
        """What documents whose heads say one of ``words`` say of it, in their order, each passage as one of its source.

        At most ``limit`` documents: those of the paths ``among``, and with ``elsewhere`` others after them.
        """
        query = f"SELECT path, id FROM source WHERE {' OR '.join('instr(state, ?)' for _ in words)}"  # noqa: S608
        documents = dict(self._db.execute(query, tuple(words)))
        wanted = [path for path in among if path in documents]
        wanted += sorted(documents.keys() - set(wanted)) if elsewhere else []
        found: list[IndexedSource] = []
        for path in wanted[:limit]:
            query = "SELECT min(id), max(id) FROM passage WHERE source=?"
            hits = "SELECT rowid, 0 AS rank FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?"
            given = (f"{{headings text}} : ({_any(words)})", *self._db.execute(query, (documents[path],)).fetchone())
            found += self._found(hits, given)
        return found

    def _found(self, hits: str, given: tuple[str | int, ...]) -> list[IndexedSource]:
        rows = self._db.execute(_FOUND.format(hits=hits), given)
        found: list[IndexedSource] = []
        for path, title, headings, text, anchor, near in rows:
            over = tuple(filter(None, headings.split(_BETWEEN)))
            passage = Passage("source", text, headings=over, anchor=anchor, beside=near or "")
            found.append(IndexedSource(path, title, (passage,)))
        return found

    def _put(self, source: IndexedSource, digest: str) -> None:
        command = "INSERT INTO source (path, digest, title, state) VALUES (?, ?, ?, ?)"
        number = self._db.execute(command, (source.path, digest, source.title, source.state)).lastrowid
        for each in source.passages:
            command = "INSERT INTO passage (source, headings, text, anchor) VALUES (?, ?, ?, ?)"
            row = (number, _BETWEEN.join(each.headings), each.text, each.anchor)
            at = self._db.execute(command, row).lastrowid
            self._db.execute(
                "INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)",
                (at, *_searched(source.title, row[1], each.text)),
            )

    def _take_out(self, path: str) -> None:
        row = self._db.execute("SELECT id, title FROM source WHERE path=?", (path,)).fetchone()
        if row is None:
            return
        query = "SELECT id, headings, text FROM passage WHERE source=?"
        for number, headings, text in self._db.execute(query, (row[0],)).fetchall():
            command = "INSERT INTO words (words, rowid, title, headings, text) VALUES ('delete', ?, ?, ?, ?)"
            self._db.execute(command, (number, *_searched(row[1], headings, text)))
        self._db.execute("DELETE FROM passage WHERE source=?", (row[0],))
        self._db.execute("DELETE FROM source WHERE id=?", (row[0],))


def _searched(title: str, headings: str, text: str) -> tuple[str, str, str]:
    return searchable(title), searchable(headings.replace(_BETWEEN, " ")), searchable(text)


def _any(words: Iterable[str]) -> str:
    terms = dict.fromkeys(term for word in words for term in re.findall(r"\w+", searchable(word)))
    return " OR ".join(f'"{term}"' for term in terms) or '""'
