"""The database: connections that outlive its restarts, and its tables brought up to date."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import psycopg
from procrastinate import sql as procrastinate_sql
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from curator.errors import ConfigError, Conflict
from curator.service.hooks.command import redacted

Row = dict[str, Any]
Connection = psycopg.Connection[Row]

_CONNECT_SECONDS = 10
_PATIENCE = 300.0
"""Seconds for which a lost database is waited for, so that its restart costs nobody a source."""
_NOT_THERE = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout)
_MIGRATION_LOCK = 7_301_558
"""The number of the lock under which tables are changed: one machine at a time."""


class DatabaseLost(Conflict):
    """The database does not answer; waiting helps."""

    def __init__(self, said: BaseException) -> None:
        first = redacted(str(said).strip().partition("\n")[0]) or type(said).__name__
        hint = "see whether it runs, and the address in CURATOR_FLEET_DATABASE"
        super().__init__("fleet_database", f"the database of the fleet does not answer: {first}", hint)


class Database:
    """A pool of connections to ``address``, as libpq takes one. ``patience``: seconds to wait for one that is away."""

    def __init__(self, address: str, patience: float = _PATIENCE, most: int = 8) -> None:
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # what it says comes back as an error
        self.address, self._patience = address, patience
        try:
            psycopg.conninfo.conninfo_to_dict(address)
        except psycopg.ProgrammingError as error:
            said = f"this is no address of a database: {redacted(str(error).strip())}"
            raise ConfigError("fleet_database", said, "as in postgresql://user@host/name") from None
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            address,
            min_size=0,
            max_size=most,
            open=True,
            timeout=min(_CONNECT_SECONDS, max(patience, 0.1)),
            check=ConnectionPool.check_connection,
            kwargs={"row_factory": dict_row, "connect_timeout": _CONNECT_SECONDS},
            connection_class=psycopg.Connection[Row],
        )

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction, tried once. Raises DatabaseLost."""
        try:
            with self._pool.connection() as connection:
                yield connection
        except (*_NOT_THERE, PoolClosed) as error:
            raise DatabaseLost(error) from error

    def all(self, query: str, **values: object) -> list[Row]:
        """The rows of one statement, tried again while nobody answers: it must do no harm when it is done twice."""
        again = Retrying(
            retry=retry_if_exception_type(DatabaseLost),
            wait=wait_random_exponential(multiplier=0.2, max=5),
            stop=stop_after_delay(self._patience),
            reraise=True,
        )
        return again(self._all, query, values)

    def one(self, query: str, **values: object) -> Row | None:
        """The first of these rows."""
        return next(iter(self.all(query, **values)), None)

    def close(self) -> None:
        self._pool.close(timeout=1)

    def _all(self, query: str, values: Row) -> list[Row]:
        with self.transaction() as connection:
            cursor = connection.execute(query, values)
            return cursor.fetchall() if cursor.description else []


def migrate(database: Database) -> list[str]:
    """Bring the tables up to date, ours and procrastinate's; gives the names of what was done. Safe to run at any time."""
    done = []
    with database.transaction() as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        connection.execute(
            "CREATE TABLE IF NOT EXISTS fleet_migrations (name text PRIMARY KEY, at timestamptz NOT NULL)"
        )
        known = _applied(connection)
        if not known and not _has_table(connection, "procrastinate_jobs"):
            # All of procrastinate's steps in one.
            connection.execute((resources.files(procrastinate_sql) / "schema.sql").read_text("utf-8"))
            _note(connection, [step.name for step in _of_queue()])
            known, done = _applied(connection), ["procrastinate"]
        for step in [*_of_queue(), *_ours()]:
            if step.name not in known:
                connection.execute(step.read_text("utf-8"))
                _note(connection, [step.name])
                done.append(step.name)
    return done


def check(database: Database) -> None:
    """Raise ConfigError unless the tables are those that this version works with."""
    with database.transaction() as connection:
        known = _applied(connection) if _has_table(connection, "fleet_migrations") else set()
    wanted = {step.name for step in [*_of_queue(), *_ours()]}
    if wanted - known:
        said = "the tables of the fleet are those of an earlier version" if known else "the fleet has no tables yet"
        raise ConfigError("fleet_database_old", said, "curate fleet migrate")
    if ahead := sorted(name for name in known - wanted if name.endswith("_fleet.sql")):
        said = f"the tables of the fleet are those of a later version: {', '.join(ahead)}"
        raise ConfigError("fleet_database_new", said, "use that version of curator on this machine, too")


def _applied(connection: Connection) -> set[str]:
    return {str(row["name"]) for row in connection.execute("SELECT name FROM fleet_migrations").fetchall()}


def _has_table(connection: Connection, name: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL AS there", (name,)).fetchone()
    return bool(row and row["there"])


def _note(connection: Connection, names: list[str]) -> None:
    for name in names:
        connection.execute("INSERT INTO fleet_migrations VALUES (%s, now())", (name,))


def _of_queue() -> list[Traversable]:
    """procrastinate's own steps, which it leaves to who uses it."""
    return _sql_files(resources.files(procrastinate_sql) / "migrations")


def _ours() -> list[Traversable]:
    return _sql_files(resources.files(__package__) / "migrations")


def _sql_files(folder: Traversable) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
