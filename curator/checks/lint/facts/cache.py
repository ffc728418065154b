"""The facts of each page that lint and validate ask for, kept by blob id beside the catalogue.

A cache in the runtime folder, made anew whenever it is missing, spoilt or of another version. The pages of the commit are
read from the catalogue's own file, which is attached and only read; what is kept of a page holds for one blob.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from curator.checks.lint.facts import schema
from curator.checks.lint.facts.rows import columns
from curator.finding import Finding
from curator.repository.catalogue import loaded
from curator.wiki.pages.names import name_key
from curator.wiki.wiki import PageEntry

_TYPES = "entity types"


class Stale(NamedTuple):
    """A page that was not looked at since it is as it is."""

    path: str
    blob: str
    row: str
    """Its entry, as the catalogue keeps it: those of a hundred thousand pages at once would fill the memory."""
    was_other: bool
    """Something is kept of another text of it."""
    sources: tuple[str, ...]

    @property
    def entry(self) -> PageEntry:
        return loaded(self.row)


class FactCache:
    """An open fact cache, in one transaction for as long as it is open."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        connection.create_function("name_key", 1, name_key, deterministic=True)

    @classmethod
    @contextmanager
    def open(cls, folder: Path, catalogue: str, base: str, *, is_kept: bool = True) -> Iterator[FactCache]:
        """The fact cache in the runtime folder, over the catalogue's file there; one for this once, unless it ``is_kept``.

        What was found is kept, also when the pass was broken off: every step of it is there, or it is not. Raises
        CatalogueMoved, ConfigError.
        """
        with schema.opened(folder / schema.FILE if is_kept else None, folder / catalogue, base) as connection:
            try:
                yield cls(connection)
            finally:
                _commit(connection)

    def rows(self, query: str, *values: Any) -> Iterator[Any]:
        return self._db.execute(query, values)

    def fill(self, table: str, query: str) -> None:
        """Put what ``query`` gives into a table, in place of what is there."""
        with self.step():
            self._db.execute(f"DELETE FROM main.{table}")  # noqa: S608 (literal names)
            self._db.execute(f"INSERT INTO main.{table} {query}")

    # -- pages ----------------------------------------------------------------------------------------------------

    def forget_the_gone(self) -> None:
        """Drop what is kept of pages that are not there any more."""
        self.forget([path for (path,) in self.rows("SELECT path FROM facts EXCEPT SELECT path FROM cat.page")])

    def stale(self) -> list[Stale]:
        """The pages to be looked at."""
        query = """SELECT p.path, p.blob, p.entry, l.blob IS NOT NULL FROM cat.page p
                   LEFT JOIN main.facts l ON l.path = p.path WHERE l.blob IS NULL OR l.blob <> p.blob"""
        found = self.rows(query)
        return [Stale(path, blob, row, bool(other), loaded(row).sources) for path, blob, row, other in found]

    def forget(self, paths: Iterable[str]) -> None:
        """Drop what is kept of these pages."""
        some = [(path,) for path in paths]
        with self.step():
            for table in schema.OF_A_PAGE if some else ():
                self._db.executemany(f"DELETE FROM {table} WHERE path=?", some)  # noqa: S608 (literal names)

    def keep(self, rows: Mapping[str, Iterable[tuple[Any, ...]]]) -> None:
        """Keep what was found on some pages: rows by table."""
        with self.step():
            for table, some in rows.items():
                self._put(table, some)

    def unchecked_entries(self, types: str) -> list[tuple[str, str]]:
        """Path and blob of the pages whose heads were not checked yet, for a wiki with these entity types."""
        if self.known(_TYPES) != types:
            with self.step():
                self._db.execute("DELETE FROM entry")
                self._db.execute("DELETE FROM entry_fault")
            self.keep_known(_TYPES, types)
        query = "SELECT p.path, p.blob FROM cat.page p LEFT JOIN main.entry e ON e.path = p.path WHERE e.path IS NULL"
        return list(self.rows(query))

    def index(self) -> None:
        """See that what is kept is soon found; asked for when all is in."""
        schema.index(self._db)

    def faults(self) -> Iterator[Finding]:
        """What the pages break by themselves, and the citations that do not hold."""
        for table in ("fault", "unproven"):
            query = f"SELECT code, path, message, line, severity, hint FROM {table}"  # noqa: S608 (two literal names)
            yield from (Finding(*row) for row in self.rows(query))

    def proven(self, path: str, source: str, digest: str, faults: Iterable[Finding]) -> None:
        """The citations of ``source`` on a page were held against these bytes."""
        with self.step():
            self._db.execute("DELETE FROM unproven WHERE path=? AND source=?", (path, source))
            self._db.execute("UPDATE proof SET digest=? WHERE path=? AND source=?", (digest, path, source))
            self._put("unproven", ((path, source, *columns(finding)) for finding in faults))

    # -- what else was worked out once ----------------------------------------------------------------------------

    def keep_digest(self, path: str, stamp: str, digest: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", (path, stamp, digest))

    def place(self, path: str, target: str) -> int | None:
        """The line of a link, where it was looked for."""
        row = next(self.rows("SELECT line FROM place WHERE path=? AND target=?", path, target), None)
        return int(row[0]) if row else None

    def keep_places(self, path: str, places: Iterable[tuple[str, int]]) -> None:
        self._put("place", ((path, target, line) for target, line in places))

    def words(self, path: str, what: str) -> list[str] | None:
        """The headings of a page, or the names of its fields; None when they were not read yet."""
        row = next(self.rows("SELECT words FROM word WHERE path=? AND what=?", path, what), None)
        return str(row[0]).split("\n") if row else None

    def keep_words(self, path: str, what: str, words: Iterable[str]) -> None:
        self._put("word", [(path, what, "\n".join(words))])

    def known(self, what: str) -> str | None:
        row = next(self.rows("SELECT value FROM known WHERE what=?", what), None)
        return str(row[0]) if row else None

    def keep_known(self, what: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO known VALUES (?, ?)", (what, value))

    @contextmanager
    def step(self) -> Iterator[None]:
        """All that is done in here, or nothing, whatever breaks in."""
        self._db.execute("SAVEPOINT step")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # a full disk has ended it already
                self._db.execute("ROLLBACK TO step")
            raise
        finally:
            if self._db.in_transaction:
                self._db.execute("RELEASE step")

    def _put(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        some = list(rows)
        if some:
            holes = ",".join("?" * len(some[0]))
            self._db.executemany(f"INSERT INTO {table} VALUES ({holes})", some)  # noqa: S608 (literal names)


def _commit(connection: sqlite3.Connection) -> None:
    try:
        if connection.in_transaction:
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise schema.failed(error) from error
