"""The tables of the catalogue: its file, opened, made and made anew."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from curator.errors import ConfigError

FILE = "catalogue-16.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
PATIENCE, _A_MOMENT = 600.0, 0.02
"""Seconds to wait for another process that is at a cache of a big wiki: on a busy machine a first look takes minutes."""

# Without positions (detail=column) bm25 of a contentless table is 0 for every page.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE page (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, slug TEXT, kind TEXT, type TEXT, dialect TEXT, title TEXT, entry TEXT,
    line TEXT, blob TEXT);
CREATE INDEX page_slug ON page (slug);
CREATE INDEX page_kind ON page (kind, path);
CREATE INDEX page_type ON page (type);
CREATE INDEX page_dialect ON page (dialect);
CREATE TABLE name (key TEXT, page INTEGER);
CREATE INDEX name_key ON name (key);
CREATE INDEX name_page ON name (page);
CREATE TABLE link (target TEXT, page INTEGER);
CREATE INDEX link_target ON link (target);
CREATE INDEX link_page ON link (page);
CREATE TABLE cited (source TEXT, page INTEGER);
CREATE INDEX cited_source ON cited (source);
CREATE INDEX cited_page ON cited (page);
CREATE TABLE superseded (slug TEXT, page INTEGER);
CREATE INDEX superseded_slug ON superseded (slug);
CREATE INDEX superseded_page ON superseded (page);
CREATE TABLE other (path TEXT PRIMARY KEY);
CREATE TABLE frequent (term TEXT PRIMARY KEY, doc INTEGER) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (
    title, body, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE words_known USING fts5vocab (words, row);
"""


def opened(path: Path | None, tables: str = _TABLES) -> sqlite3.Connection:
    """``tables`` in the file ``path`` (None: in memory), made anew when it is not a sound one. Raises ConfigError."""
    if path is None:
        return _prepared(sqlite3.connect(":memory:", isolation_level=None), tables)
    path.parent.mkdir(parents=True, exist_ok=True)
    with in_words():
        try:
            return _prepared(_connected(path), tables)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:  # no database: what a crash spoilt is made anew
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            return _prepared(_connected(path), tables)


@contextmanager
def in_words() -> Iterator[None]:
    """What the system says through SQLite, as an error of ours. Raises ConfigError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise failed("catalogue_failed", "the catalogue of the wiki cannot be kept", error) from error


def failed(code: str, what: str, error: sqlite3.Error) -> ConfigError:
    """The error to be told; of another process that is at work, no disk is to be seen to."""
    hint = "see that the disk of the git directory has room and can be written to, then run the command again"
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        what = f"{what}: another curate has been at work on it for {PATIENCE:g} seconds"
        return ConfigError(
            code, what, "wait until it is done (status, lint and validate end by themselves), then try again"
        )
    return ConfigError(code, f"{what}: {error}", hint)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    keep_as_cache(connection)
    return connection


def keep_as_cache(connection: sqlite3.Connection) -> None:
    """Its journal beside it, and no wait for the disk: what a crash spoils of a cache is made anew.

    Of several processes that make a file at once SQLite lets one set up the journal, and does not have the others wait.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_A_MOMENT)
    connection.execute("PRAGMA synchronous=OFF")


def _prepared(connection: sqlite3.Connection, tables: str) -> sqlite3.Connection:
    """The connection, with the tables there; of several processes that come at once, one makes them."""
    if _is_new(connection):  # else nothing is written, and who writes for minutes is not waited for
        with writing(connection):
            for statement in filter(str.strip, tables.split(";") if _is_new(connection) else ()):
                connection.execute(statement)
    return connection


def _is_new(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone() is None


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One writer at a time, from the first look to the last change; whatever breaks in, no transaction is left open."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")


@contextmanager
def unindexed(connection: sqlite3.Connection) -> Iterator[None]:
    """For a transaction that fills the tables: their indexes are made when all is in; row by row takes thrice as long."""
    gone = []
    made = connection.execute("SELECT name, sql FROM sqlite_master WHERE type='index' AND sql IS NOT NULL").fetchall()
    with suppress(sqlite3.OperationalError):  # somebody reads on by this connection: then they stay
        for name, command in made:
            connection.execute(f"DROP INDEX {name}")
            gone.append(command)
    yield
    for command in gone:
        connection.execute(command)
