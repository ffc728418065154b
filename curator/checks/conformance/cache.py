"""What the handshake worked out before, kept in the runtime folder: of each page by its blob, of each source by its file.

It is a cache. A page that is the same is not read again, whichever commit it is in. What cannot be kept, or cannot be read
back, is worked out anew.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from curator.checks.conformance.page_sheet import PageSheet
from curator.system import digests

FILE = "validate-1.db"
"""Its name in the runtime folder: another number whenever the tables, or what is put into them, change."""
_AT_ONCE = 500
_PATIENCE = 2.0
"""Seconds; another ``curate validate`` writes for a moment at a time."""

_TABLES = """
CREATE TABLE IF NOT EXISTS sheet (
    wiki TEXT, path BLOB, stamp TEXT, is_readable INTEGER, called TEXT, faults TEXT, named TEXT,
    PRIMARY KEY (wiki, path)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS digest (path BLOB PRIMARY KEY, stamp TEXT, digest TEXT) WITHOUT ROWID;
"""


class ValidationCache:
    """An open one. Use it as a context manager."""

    def __init__(self, file: Path | None = None) -> None:
        """``file`` may not be there yet; None, or one that cannot be used, is a memory for this once."""
        self._file = file
        self._db = _opened(file)

    def __enter__(self) -> ValidationCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def sheets(
        self, wiki: str, pages: Sequence[tuple[str, str]], make: Callable[[Sequence[str]], Iterable[PageSheet]]
    ) -> Iterator[PageSheet]:
        """The sheets of ``pages``, paths and stamps, in their order; ``make`` is asked for those of other stamps."""
        for start in range(0, len(pages), _AT_ONCE):
            some = pages[start : start + _AT_ONCE]
            found = self._found(wiki, some)
            made = {sheet.path: sheet for sheet in make([path for path, _ in some if path not in found])}
            self._keep(wiki, [(made[path], stamp) for path, stamp in some if path in made])
            yield from ((found.get(path) or made[path]) for path, _ in some)
        self._forget_the_gone(wiki, {path for path, _ in pages})

    def _found(self, wiki: str, pages: Sequence[tuple[str, str]]) -> dict[str, PageSheet]:
        stamps = dict(pages)
        holes = ",".join("?" * len(stamps))
        query = f"SELECT path, stamp, is_readable, called, faults, named FROM sheet WHERE wiki=? AND path IN ({holes})"  # noqa: S608
        rows = self._rows(query, wiki, *map(os.fsencode, stamps))
        told = ((os.fsdecode(path), stamp, more) for path, stamp, *more in rows)
        return {path: PageSheet(path, bool(more[0]), *more[1:]) for path, stamp, more in told if stamp == stamps[path]}

    def _keep(self, wiki: str, sheets: Sequence[tuple[PageSheet, str]]) -> None:
        self._write(
            "INSERT OR REPLACE INTO sheet VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(wiki, os.fsencode(s.path), stamp, s.is_readable, s.called, s.faults, s.named) for s, stamp in sheets],
        )

    def _forget_the_gone(self, wiki: str, paths: set[str]) -> None:
        ((count,),) = self._rows("SELECT count(*) FROM sheet WHERE wiki=?", wiki) or [(0,)]
        if count > len(paths):
            kept = [path for (path,) in self._rows("SELECT path FROM sheet WHERE wiki=?", wiki)]
            gone = [(wiki, path) for path in kept if os.fsdecode(path) not in paths]
            self._write("DELETE FROM sheet WHERE wiki=? AND path=?", gone)

    def digest(self, file: Path, algorithm: str, now: Callable[[], int] = time.time_ns) -> str | None:
        """The hex digest of a plain file's bytes; None where there is none. Raises as ``digest.new`` does."""
        name = os.fsencode(file)

        def known(stamp: str) -> str | None:
            rows = self._rows("SELECT digest FROM digest WHERE path=? AND stamp=?", name, stamp)
            return f"{algorithm}:{rows[0][0]}" if rows else None

        def keep(stamp: str, found: str) -> None:
            self._write("INSERT OR REPLACE INTO digest VALUES (?, ?, ?)", [(name, stamp, found.partition(":")[2])])

        found = digests.digest_of(file, algorithm, known, keep, now)
        return None if found is None else found.partition(":")[2]

    def _rows(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.OperationalError:
            return []
        except sqlite3.DatabaseError:
            self._start_anew()
            return []

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """In a moment: nobody is kept waiting while pages are read."""
        if not rows:
            return
        with suppress(sqlite3.Error), self._db:
            self._db.executemany(statement, rows)

    def _start_anew(self) -> None:
        """What a crash spoilt."""
        self._db.close()
        if self._file is not None:
            _remove(self._file)
        self._db = _opened(self._file)


def _opened(file: Path | None) -> sqlite3.Connection:
    for place in (file, file) if file is not None else ():
        try:
            return _connection(str(place))
        except sqlite3.OperationalError:
            break  # locked, no right to write, no room: it goes without
        except sqlite3.DatabaseError:
            _remove(place)
    return _connection("")


def _connection(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, timeout=_PATIENCE)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")  # a cache: what a crash spoils is made anew
        connection.executescript(_TABLES)
    except BaseException:
        connection.close()
        raise
    return connection


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            file.with_name(file.name + suffix).unlink()
