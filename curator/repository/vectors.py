"""The vectors of texts that a model of embeddings was asked for: a cache in the runtime folder, by model and text.

Whoever deletes the file has the model asked anew. What came first goes where there are too many.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from curator.repository.catalogue.schema import in_words, opened, writing

FILE = "vectors-1.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
_MOST = 200_000
"""Vectors that are kept: of 384 numbers some 115 MB."""
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE vector (key BLOB PRIMARY KEY, packed BLOB, came INTEGER) WITHOUT ROWID;
CREATE INDEX vector_came ON vector (came)
"""


class VectorCache:
    """The vectors of the texts of one wiki."""

    def __init__(self, connection: sqlite3.Connection, most: int = _MOST) -> None:
        self._db = connection
        self._most = most

    @classmethod
    def open(cls, path: Path | None, most: int = _MOST) -> VectorCache:
        """The cache in the file ``path`` (None: in memory). Raises ConfigError."""
        return cls(opened(path, _TABLES), most)

    def close(self) -> None:
        self._db.close()

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM vector").fetchone()[0])

    def get(self, model: str, texts: Sequence[str]) -> dict[str, bytes]:
        """Those that are known of ``texts``, by text."""
        by_key = {_key(model, text): text for text in texts}
        found: dict[str, bytes] = {}
        for keys in _parts(list(by_key)):
            query = f"SELECT key, packed FROM vector WHERE key IN ({','.join('?' * len(keys))})"  # noqa: S608
            found |= {by_key[key]: vector for key, vector in self._db.execute(query, keys)}
        return found

    def keep(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Keep new ones, by text; those that came first go where there are too many."""
        with in_words(), writing(self._db):
            last = int(self._db.execute("SELECT coalesce(max(came), 0) FROM vector").fetchone()[0])
            rows = [(_key(model, text), vector, last + 1) for text, vector in vectors.items()]
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)
            if (over := self.count() - self._most) > 0:
                command = "DELETE FROM vector WHERE key IN (SELECT key FROM vector ORDER BY came LIMIT ?)"
                self._db.execute(command, (over,))


def _key(model: str, text: str) -> bytes:
    return hashlib.blake2b(f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _parts(keys: list[bytes]) -> Iterator[list[bytes]]:
    remaining = iter(keys)
    while some := list(islice(remaining, 500)):
        yield some
