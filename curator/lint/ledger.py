"""What the maintenance pass found on each page, kept by blob id beside the catalogue, and the facts its rules ask for.

A cache in the runtime folder, made anew whenever it is missing, spoilt or of another version. The pages of the commit are
read from the catalogue's own file, which is attached and only read; what is kept of a page holds for one blob.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.catalogue import loaded
from curator.errors import ConfigError
from curator.finding import Finding
from curator.lint import local, titles
from curator.lint.leaf import Leaf
from curator.names import name_key
from curator.wiki import Entry

FILE = "lint-1.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
_PATIENCE = 120.0

_TABLES = """
CREATE TABLE IF NOT EXISTS leaf (
    path TEXT PRIMARY KEY, blob TEXT, slug TEXT, kind TEXT, type TEXT, title TEXT, sources INTEGER, confidence REAL,
    confidence_line INTEGER, updated_at TEXT, head INTEGER, low INTEGER, high INTEGER,
    other_low INTEGER, other_high INTEGER, glued TEXT, sorted TEXT) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS leaf_low ON leaf (low);
CREATE INDEX IF NOT EXISTS leaf_high ON leaf (high);
CREATE INDEX IF NOT EXISTS leaf_other_low ON leaf (other_low);
CREATE INDEX IF NOT EXISTS leaf_other_high ON leaf (other_high);
CREATE INDEX IF NOT EXISTS leaf_glued ON leaf (glued);
CREATE INDEX IF NOT EXISTS leaf_sorted ON leaf (sorted);
CREATE TABLE IF NOT EXISTS fault (path TEXT, line INTEGER, code TEXT, message TEXT, severity TEXT, hint TEXT);
CREATE INDEX IF NOT EXISTS fault_path ON fault (path);
CREATE TABLE IF NOT EXISTS ref (source TEXT, path TEXT, line INTEGER);
CREATE INDEX IF NOT EXISTS ref_source ON ref (source);
CREATE INDEX IF NOT EXISTS ref_path ON ref (path);
CREATE TABLE IF NOT EXISTS relation (what TEXT, slug TEXT, path TEXT, line INTEGER);
CREATE INDEX IF NOT EXISTS relation_path ON relation (path);
CREATE TABLE IF NOT EXISTS term (key TEXT, term TEXT, path TEXT, line INTEGER);
CREATE INDEX IF NOT EXISTS term_key ON term (key);
CREATE INDEX IF NOT EXISTS term_path ON term (path);
CREATE TABLE IF NOT EXISTS proof (path TEXT, source TEXT, digest TEXT);
CREATE INDEX IF NOT EXISTS proof_path ON proof (path);
CREATE INDEX IF NOT EXISTS proof_source ON proof (source, digest);
CREATE TABLE IF NOT EXISTS unproven (
    path TEXT, source TEXT, line INTEGER, code TEXT, message TEXT, severity TEXT, hint TEXT);
CREATE INDEX IF NOT EXISTS unproven_path ON unproven (path);
CREATE TABLE IF NOT EXISTS place (path TEXT, target TEXT, line INTEGER);
CREATE INDEX IF NOT EXISTS place_path ON place (path);
CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, stamp TEXT, digest TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known (what TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_OF_A_PAGE = ("leaf", "fault", "ref", "relation", "term", "proof", "unproven", "place")


class Moved(Exception):
    """The catalogue shows another commit by now: look again."""


@dataclass(frozen=True)
class Stale:
    """A page that was not looked at since it is as it is."""

    path: str
    blob: str
    entry: Entry


class Ledger:
    """An open ledger, in one transaction from ``open`` to ``close``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        connection.create_function("name_key", 1, name_key, deterministic=True)

    @classmethod
    def open(cls, folder: Path, catalogue: str, base: str) -> Ledger:
        """The ledger in the runtime folder, over the catalogue's file there. Raises Moved, ConfigError."""
        file = folder / FILE
        try:
            return cls(_opened(file, folder / catalogue, base))
        except sqlite3.OperationalError as error:
            raise _failed(error) from error
        except sqlite3.DatabaseError:  # no database: what a crash spoilt is made anew
            for suffix in ("", "-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            return cls(_opened(file, folder / catalogue, base))

    def close(self) -> None:
        """Keep what was found."""
        try:
            if self._db.in_transaction:
                self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise _failed(error) from error
        finally:
            self._db.close()

    def rows(self, query: str, *values: Any) -> Iterator[Any]:
        yield from self._db.execute(query, values)

    def forget_the_gone(self) -> None:
        """Drop what is kept of pages that are not there any more."""
        gone = list(self.rows("SELECT path FROM leaf WHERE path NOT IN (SELECT path FROM cat.page)"))
        self._forget(path for (path,) in gone)

    def stale(self) -> list[Stale]:
        """The pages to be looked at."""
        query = """SELECT p.path, p.blob, p.entry FROM cat.page p LEFT JOIN main.leaf l ON l.path = p.path
                   WHERE l.blob IS NULL OR l.blob <> p.blob"""
        return [Stale(path, blob, loaded(entry)) for path, blob, entry in self.rows(query)]

    def keep(self, leaves: Sequence[tuple[Stale, Leaf]]) -> None:
        """Look at these pages, and keep what is found."""
        self._forget(stale.path for stale, _ in leaves)
        self._put("leaf", (_facts(stale, leaf) for stale, leaf in leaves))
        self._put("fault", ((leaf.path, *_columns(fault)) for _, leaf in leaves for fault in local.broken_by(leaf)))
        sound = [leaf for _, leaf in leaves if leaf.is_readable]
        self._put("ref", (row for leaf in sound for row in _refs(leaf)))
        self._put("relation", (row for leaf in sound for row in _relations(leaf)))
        self._put("term", ((key, term, leaf.path, line) for leaf in sound for key, term, line in leaf.terms))
        self._put("proof", ((leaf.path, source, "") for leaf in sound for source in leaf.cited_sources))

    def faults(self) -> Iterator[Finding]:
        """What the pages break by themselves, and the citations that do not hold."""
        for table in ("fault", "unproven"):
            query = f"SELECT code, path, message, line, severity, hint FROM {table}"  # noqa: S608 (two literal names)
            yield from (Finding(*row) for row in self.rows(query))

    # -- citations ------------------------------------------------------------------------------------------------

    def proven(self, path: str, source: str, digest: str, faults: Iterable[Finding]) -> None:
        """The citations of ``source`` on a page were held against these bytes."""
        self._db.execute("DELETE FROM unproven WHERE path=? AND source=?", (path, source))
        self._db.execute("UPDATE proof SET digest=? WHERE path=? AND source=?", (digest, path, source))
        self._put("unproven", ((path, source, *_columns(finding)) for finding in faults))

    # -- what else was worked out once ----------------------------------------------------------------------------

    def digest(self, path: str, stamp: str) -> str:
        """The digest of a source whose file had this stamp; empty when it is not known."""
        row = next(self.rows("SELECT digest FROM file WHERE path=? AND stamp=?", path, stamp), None)
        return str(row[0]) if row else ""

    def keep_digest(self, path: str, stamp: str, digest: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", (path, stamp, digest))

    def place(self, path: str, target: str) -> int | None:
        """The line of a link, where it was looked for."""
        row = next(self.rows("SELECT line FROM place WHERE path=? AND target=?", path, target), None)
        return int(row[0]) if row else None

    def keep_places(self, path: str, places: Iterable[tuple[str, int]]) -> None:
        self._put("place", ((path, target, line) for target, line in places))

    def known(self, what: str) -> str | None:
        row = next(self.rows("SELECT value FROM known WHERE what=?", what), None)
        return str(row[0]) if row else None

    def keep_known(self, what: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO known VALUES (?, ?)", (what, value))

    def _put(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        some = list(rows)
        if some:
            holes = ",".join("?" * len(some[0]))
            self._db.executemany(f"INSERT INTO {table} VALUES ({holes})", some)  # noqa: S608 (literal names)

    def _forget(self, paths: Iterable[str]) -> None:
        some = [(path,) for path in paths]
        if some and list(self.rows("SELECT 1 FROM leaf LIMIT 1")):
            for table in _OF_A_PAGE:
                self._db.executemany(f"DELETE FROM {table} WHERE path=?", some)  # noqa: S608 (literal names)


def _opened(file: Path, catalogue: Path, base: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_PATIENCE, isolation_level=None, uri=True)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # a cache: what a crash spoils is made anew
        connection.executescript(_TABLES)
        # Only read: or the transaction would keep those from writing that bring the catalogue up to date.
        connection.execute("ATTACH ? AS cat", (f"{catalogue.resolve().as_uri()}?mode=ro",))
        connection.execute("BEGIN IMMEDIATE")
        row = connection.execute("SELECT value FROM cat.meta WHERE key='commit'").fetchone()
        if row is None or row[0] != base:
            raise Moved
    except BaseException:
        connection.close()
        raise
    return connection


def _facts(stale: Stale, leaf: Leaf) -> tuple[Any, ...]:
    entry, confidence = leaf.entry, leaf.confidence
    return (
        *(entry.path, stale.blob, entry.slug, entry.kind, entry.type, entry.title, len(entry.sources)),
        *(confidence, None if confidence is None else leaf.line_of("confidence:"), entry.updated_at, leaf.head_lines),
        *leaf.sketch,
        *(("", "") if entry.kind == "summary" else (titles.glued(entry.title), titles.in_order(entry.title))),
    )


def _refs(leaf: Leaf) -> Iterator[tuple[str, str, int]]:
    return ((ref, leaf.path, leaf.line_of(ref, "sources:")) for ref in leaf.entry.sources)


def _relations(leaf: Leaf) -> Iterator[tuple[str, str, str, int]]:
    for what, slugs in (("contradicts", leaf.entry.contradicts), ("supersedes", leaf.entry.supersedes)):
        yield from ((what, slug, leaf.path, leaf.line_of(slug, f"{what}:")) for slug in slugs)


def _columns(finding: Finding) -> tuple[int | None, str, str, str, str]:
    return finding.line, finding.code, finding.message, finding.severity, finding.hint


def _failed(error: sqlite3.Error) -> ConfigError:
    hint = "see that the disk of the git directory has room and can be written to, then run the command again"
    return ConfigError("lint_cache_failed", f"what lint found cannot be kept: {error}", hint)
