"""The tables of the fact cache: its file, opened over the catalogue's, made and made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from curator.errors import ConfigError
from curator.repository.catalogue import schema
from curator.version import __version__
from curator.wiki.sources.formats import READER

FILE = "facts-6.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
OF_A_PAGE = {
    "facts": """
        path TEXT, blob TEXT, slug TEXT, kind TEXT, type TEXT, title TEXT, sources INTEGER, confidence REAL,
        confidence_line INTEGER, updated_at TEXT, head INTEGER, low INTEGER, high INTEGER, other_low INTEGER,
        other_high INTEGER, passages BLOB, glued TEXT, sorted TEXT""",
    "fault": "path TEXT, line INTEGER, code TEXT, message TEXT, severity TEXT, hint TEXT",
    "ref": "source TEXT, path TEXT, line INTEGER",
    "relation": "what TEXT, slug TEXT, path TEXT, line INTEGER",
    "term": "key TEXT, term TEXT, path TEXT, line INTEGER",
    "proof": "path TEXT, source TEXT, digest TEXT, line INTEGER, paged INTEGER",
    "unproven": "path TEXT, source TEXT, line INTEGER, code TEXT, message TEXT, severity TEXT, hint TEXT",
    "anchor": "path TEXT, target TEXT, heading TEXT, line INTEGER",
    "place": "path TEXT, target TEXT, line INTEGER",
    "word": "path TEXT, what TEXT, words TEXT",
    "entry": "path TEXT",
    "entry_fault": "path TEXT, line INTEGER, code TEXT, message TEXT, field TEXT",
}
"""What is kept of a page: it goes when the page does, or becomes another one."""
_OF_FILES = {"file": "path TEXT PRIMARY KEY, stamp TEXT, digest TEXT"}
_OTHERS = {
    "known": "what TEXT PRIMARY KEY, value TEXT",
    "lost": "target TEXT",
    "unlinked": "path TEXT, slug TEXT, kind TEXT, type TEXT",
    "twin": "number TEXT, value INTEGER, first TEXT, path TEXT, share REAL, head INTEGER",
    "touched": "value INTEGER",
}
SKETCH = ("low", "high", "other_low", "other_high")
"""The columns of ``facts`` with numbers of what a page says: pages that say the same share one."""
_INDEXES = (
    *(f"{table} (path)" for table in OF_A_PAGE),
    *(f"facts ({column})" for column in (*SKETCH, "glued", "sorted")),
    *("ref (source)", "term (key)", "proof (source, digest)"),
)
CACHE_FAILED = "lint_cache_failed"


class CatalogueMoved(Exception):
    """The catalogue shows another commit by now: look again."""


@contextmanager
def opened(file: Path | None, catalogue: Path, base: str) -> Iterator[sqlite3.Connection]:
    """The fact cache in ``file``, in a transaction, the catalogue attached as ``cat``. Raises CatalogueMoved, ConfigError.

    A file that is no database is what a crash left: it is made anew. Without a ``file`` it is one for this once.
    """
    with ExitStack() as stack:  # a connection that nobody closes would keep its transaction, and all others out
        try:
            connection = _begun(stack, file, catalogue, base)
        except sqlite3.OperationalError as error:
            raise failed(error) from error
        except sqlite3.DatabaseError:
            if file is None:
                raise
            stack.close()
            for suffix in ("", "-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
            connection = _begun(stack, file, catalogue, base)
        yield connection


def _begun(stack: ExitStack, file: Path | None, catalogue: Path, base: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file or "", timeout=schema.PATIENCE, isolation_level=None, uri=True)
    stack.enter_context(closing(connection))
    schema.keep_as_cache(connection)
    # Only read: or the transaction would keep those from writing that bring the catalogue up to date.
    connection.execute("ATTACH ? AS cat", (f"{catalogue.resolve().as_uri()}?mode=ro",))
    connection.execute("BEGIN IMMEDIATE")
    for table, columns in {**OF_A_PAGE, **_OTHERS, **_OF_FILES}.items():
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({columns})")
    _forget_what_others_made(connection, made_by(catalogue.name))
    row = connection.execute("SELECT value FROM cat.meta WHERE key='commit'").fetchone()
    if row is None or row[0] != base:
        raise CatalogueMoved
    return connection


def made_by(catalogue: str) -> str:
    """Who found what is kept, over the catalogue of this name: another version may find other things."""
    return f"{__version__} {catalogue} {READER}"


def _forget_what_others_made(connection: sqlite3.Connection, us: str) -> None:
    """Another version may have found other things on the same pages; the digests of sources are what they are."""
    row = connection.execute("SELECT value FROM known WHERE what='made by'").fetchone()
    if row is None or row[0] != us:
        for table in (*OF_A_PAGE, *_OTHERS):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 (literal names)
        connection.execute("INSERT INTO known VALUES ('made by', ?)", (us,))


def index(connection: sqlite3.Connection) -> None:
    """Make the indexes that are not there: of a new cache when it is full, which takes a third of the time.

    From then on the numbers of pages that come and go are told apart: what was found by them is found anew.
    """
    for index in _INDEXES:
        name = "_".join(index.replace("(", "").replace(")", "").replace(",", "").split())
        connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {index}")
    for what, row in (("INSERT", "NEW"), ("DELETE", "OLD")):
        numbers = ", ".join(f"({row}.{column})" for column in SKETCH)
        trigger = f"CREATE TRIGGER IF NOT EXISTS touched_by_{what.lower()} AFTER {what} ON facts"
        connection.execute(f"{trigger} BEGIN INSERT INTO touched VALUES {numbers}; END")  # noqa: S608 (literal names)


def failed(error: sqlite3.Error) -> ConfigError:
    return schema.failed(CACHE_FAILED, "what lint found cannot be kept", error)
