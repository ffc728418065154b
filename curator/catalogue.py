"""The catalogue: what is known of every page of one commit, in SQLite, so that no command reads all pages.

A cache, rebuilt from git whenever it is missing or of another version; nothing true lives here. Full text is kept
contentless (the pages are in git), so taking a page out needs the text it was put in with.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from curator import index
from curator.errors import ConfigError
from curator.frontmatter import FrontmatterError
from curator.names import name_key
from curator.page import FOLDERS, SEED_DIALECT, Page
from curator.wiki import Entry, Habits

FILE = "catalogue-6.db"
"""Its name in the runtime folder: another number whenever the tables or what is put into them change."""
_PATIENCE = 120.0
"""Seconds to wait for another process that fills the catalogue of a big wiki."""

# Without positions (detail=column) bm25 of a contentless table is 0 for every page.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE page (
    id INTEGER PRIMARY KEY, path TEXT UNIQUE, slug TEXT, kind TEXT, dialect TEXT, title TEXT, entry TEXT, line TEXT,
    blob TEXT);
CREATE INDEX page_slug ON page (slug);
CREATE INDEX page_kind ON page (kind, path);
CREATE INDEX page_dialect ON page (dialect);
CREATE TABLE name (key TEXT, page INTEGER);
CREATE INDEX name_key ON name (key);
CREATE INDEX name_page ON name (page);
CREATE TABLE link (target TEXT, page INTEGER);
CREATE INDEX link_target ON link (target);
CREATE INDEX link_page ON link (page);
CREATE VIRTUAL TABLE words USING fts5 (
    title, body, content='', tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE words_known USING fts5vocab (words, row);
"""
_PROBE = (
    "DROP TABLE IF EXISTS temp.probe_known",
    "DROP TABLE IF EXISTS temp.probe",
    "CREATE VIRTUAL TABLE temp.probe USING fts5 (text, detail=column, tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE temp.probe_known USING fts5vocab (temp, probe, row)",
)
"""One by one: a script of several would end the transaction that holds the catalogue where it is."""
_QUERY_TERMS = 60
"""More terms find less and take longer (measured): the rarest and most used of a source are enough."""


@dataclass(frozen=True)
class Delta:
    """One page's text before and after; None where there is none."""

    path: str
    before: str | None
    after: str | None
    blob: str = ""
    """The id of the text after, where it is in git."""


class Catalogue:
    """The pages of one commit. ``reader`` gives the text of any file of that commit."""

    def __init__(self, connection: sqlite3.Connection, reader: Callable[[str], str | None]) -> None:
        self._db = connection
        self._read = reader

    @classmethod
    def open(cls, path: Path | None) -> Catalogue:
        """The catalogue in the file ``path`` (None: in memory), made anew when it is not a sound one."""
        if path is None:
            return cls(_prepared(sqlite3.connect(":memory:", isolation_level=None)), lambda _: None)
        path.parent.mkdir(parents=True, exist_ok=True)
        with _in_words():
            try:
                return cls(_prepared(_connected(path)), lambda _: None)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:  # no database: what a crash spoilt is made anew
                for suffix in ("", "-wal", "-shm"):
                    path.with_name(path.name + suffix).unlink(missing_ok=True)
                return cls(_prepared(_connected(path)), lambda _: None)

    def reading(self, reader: Callable[[str], str | None]) -> Catalogue:
        """The same catalogue, with bodies read by ``reader``."""
        return Catalogue(self._db, reader)

    @classmethod
    def of_pages(cls, pages: Iterable[Page], others: Mapping[str, str] | None = None) -> Catalogue:
        """A catalogue in memory of these pages, and other files by path."""
        texts = {**(others or {}), **{page.path: page.text for page in pages}}
        catalogue = cls.open(None).reading(texts.get)
        catalogue.update(
            "", "", [Delta(path, None, text) for path, text in texts.items() if path not in (others or {})]
        )
        return catalogue

    @property
    def commit(self) -> str:
        """The commit the catalogue shows; empty when it is new."""
        row = self._db.execute("SELECT value FROM meta WHERE key='commit'").fetchone()
        return str(row[0]) if row else ""

    def hold(self) -> str:
        """The commit the catalogue shows; from now on it shows this one, whatever other processes do, until ``update``."""
        self._release()
        self._db.execute("BEGIN")
        return self.commit

    def _release(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def update(self, shown: str, commit: str, deltas: Iterable[Delta], *, anew: bool = False) -> bool:
        """Make the catalogue, which shows the commit ``shown``, show ``commit``; ``anew`` forgets every page first.

        False when another process has been at it meanwhile, and it shows something else: look again.
        """
        self._release()
        with _in_words(), _writing(self._db):
            if self.commit != shown:
                return False
            if anew:
                for table in ("page", "name", "link"):
                    self._db.execute(f"DELETE FROM {table}")  # noqa: S608 (three literal names)
                self._db.execute("INSERT INTO words (words) VALUES ('delete-all')")
            for delta in deltas:
                if delta.before is not None:
                    self._remove(delta.path, delta.before)
                if delta.after is not None:
                    self._add(delta.path, delta.after, delta.blob)
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('commit', ?)", (commit,))
        return True

    def close(self) -> None:
        self._db.close()

    # -- a shelf -------------------------------------------------------------------------------------------------

    def read(self, path: str) -> str | None:
        return self._read(path)

    def entries(self) -> Iterator[Entry]:
        for (entry,) in self._db.execute("SELECT entry FROM page"):
            yield loaded(entry)

    def lines(self) -> Iterator[tuple[str, str, str, str]]:
        yield from self._db.execute("SELECT path, slug, kind, line FROM page")

    def blob(self, path: str, commit: str) -> str:
        """The id of a page's text in git; empty for what is no page, or when another commit is shown by now."""
        query = "SELECT blob FROM page, meta WHERE path=? AND meta.key='commit' AND meta.value=?"
        row = self._db.execute(query, (path, commit)).fetchone()
        return str(row[0]) if row else ""

    def count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM page").fetchone()[0])

    def by_slug(self, slug: str) -> Entry | None:
        row = self._db.execute("SELECT entry FROM page WHERE slug=? ORDER BY path LIMIT 1", (slug,)).fetchone()
        return loaded(row[0]) if row else None

    def by_path(self, path: str) -> Entry | None:
        row = self._db.execute("SELECT entry FROM page WHERE path=?", (path,)).fetchone()
        return loaded(row[0]) if row else None

    def named(self, keys: Iterable[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        remaining = iter(keys)
        while some := list(islice(remaining, 500)):
            holes = ",".join("?" * len(some))
            query = f"SELECT key, slug FROM name JOIN page ON page.id=name.page WHERE key IN ({holes})"  # noqa: S608
            for key, slug in self._db.execute(query, some):
                found.setdefault(key, []).append(slug)
        return found

    def inbound(self, slug: str) -> set[str]:
        entry = self.by_slug(slug)
        names = [entry.path.removesuffix(".md"), *entry.names] if entry else [slug]
        targets = [*{*map(name_key, names)}, *([entry.path] if entry else [])]
        holes = ",".join("?" * len(targets))
        query = f"SELECT DISTINCT slug FROM link JOIN page ON page.id=link.page WHERE target IN ({holes})"  # noqa: S608
        return {row[0] for row in self._db.execute(query, targets)}

    def habits(self) -> Habits:
        """The dialect most pages have, and the folder most pages of each kind are in."""
        dialect = self._db.execute(
            "SELECT dialect FROM page GROUP BY dialect ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        folders = dict(FOLDERS)
        for kind in FOLDERS:
            paths = self._db.execute("SELECT path FROM page WHERE kind=? LIMIT 1000", (kind,))
            used = Counter(row[0].rpartition("/")[0] for row in paths)
            used.pop("", None)
            if used:
                folders[kind] = max(used, key=lambda folder: (used[folder], folder))
        return Habits(dialect[0] if dialect else SEED_DIALECT, folders)

    # -- full text -----------------------------------------------------------------------------------------------

    def similar(self, text: str, limit: int) -> list[str]:
        """The slugs of the pages most like ``text`` by BM25 over its most telling words, best first."""
        total = self.count()
        if not total:
            return []
        for statement in _PROBE:
            self._db.execute(statement)
        self._db.execute("INSERT INTO temp.probe VALUES (?)", (searchable(text),))
        rows = self._db.execute(
            """SELECT p.term FROM temp.probe_known p JOIN words_known w ON w.term = p.term
               WHERE length(p.term) > 1 AND w.doc < ? ORDER BY (1 + ln(p.cnt)) * ln(? * 1.0 / w.doc) DESC, p.term
               LIMIT ?""",
            (max(3, total * 0.4), total + 1, _QUERY_TERMS),
        ).fetchall()
        return [slug for slug, _ in self._match(" OR ".join(_quoted(row[0]) for row in rows), limit)]

    def search(self, words: str, limit: int) -> list[tuple[str, float]]:
        """Slugs and scores (higher is better) of the pages that hold all of ``words``, else any of them."""
        terms = [_quoted(term) for term in re.findall(r"\w+", searchable(words))]
        return self._match(" AND ".join(terms), limit) or self._match(" OR ".join(terms), limit)

    def _match(self, query: str, limit: int) -> list[tuple[str, float]]:
        if not query:
            return []
        rows = self._db.execute(
            """SELECT slug, rank FROM (
                   SELECT rowid, bm25(words, 4.0, 1.0) AS rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)
               AS hit JOIN page ON page.id = hit.rowid ORDER BY rank, slug""",
            (query, limit),
        )
        return [(slug, round(-rank, 6)) for slug, rank in rows]

    # -- putting in and taking out -------------------------------------------------------------------------------

    def _add(self, path: str, text: str, blob: str) -> None:
        page, entry = _described(path, text)
        cursor = self._db.execute(
            "INSERT INTO page (path, slug, kind, dialect, title, entry, line, blob) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (path, entry.slug, entry.kind, _dialect(page), entry.title, _dumped(entry), index.line(entry), blob),
        )
        row = cursor.lastrowid
        names = {name_key(name) for name in entry.names} - {""}
        self._db.executemany("INSERT INTO name VALUES (?, ?)", [(name, row) for name in sorted(names)])
        self._db.executemany("INSERT INTO link VALUES (?, ?)", [(_link_key(target), row) for target in entry.links])
        self._db.execute("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", (row, *_texts(page, entry)))

    def _remove(self, path: str, text: str) -> None:
        row = self._db.execute("SELECT id FROM page WHERE path=?", (path,)).fetchone()
        if row is None:
            return
        page, entry = _described(path, text)
        command = "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)"
        self._db.execute(command, (row[0], *_texts(page, entry)))
        for table in ("name", "link"):
            self._db.execute(f"DELETE FROM {table} WHERE page=?", row)  # noqa: S608 (two literal names)
        self._db.execute("DELETE FROM page WHERE id=?", row)


_CJK = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def searchable(text: str) -> str:
    """``text`` with scripts that write no spaces parted into pairs of characters, which is what FTS5 can find."""

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return " ".join([" ", *(run[i : i + 2] for i in range(max(1, len(run) - 1))), " "])

    return text if text.isascii() else _CJK.sub(pairs, text)


@contextmanager
def _in_words() -> Iterator[None]:
    """What the system says through SQLite, as an error of ours. Raises ConfigError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        hint = "see that the disk of the git directory has room and can be written to, then run the command again"
        raise ConfigError("catalogue_failed", f"the catalogue of the wiki cannot be kept: {error}", hint) from error


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=OFF")  # a cache: what a crash spoils is made anew
    return connection


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, with the tables there; of several processes that come at once, one makes them."""
    with _writing(connection):
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='meta'").fetchone():
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
    return connection


@contextmanager
def _writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One writer at a time, from the first look to the last change."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _described(path: str, text: str) -> tuple[Page, Entry]:
    """The page and its entry; a page whose head cannot be read is known by its file name."""
    page = Page(path, text)
    try:
        return page, Entry.of(page)
    except FrontmatterError:
        stem = path.rpartition("/")[2].removesuffix(".md")
        return page, Entry(slug=stem, path=path, title=stem, kind="page")


def _link_key(target: str) -> str:
    """What a link is looked up by: paths as they are, names however they are spelt."""
    return target if target.endswith(".md") else name_key(target)


def _dialect(page: Page) -> str:
    try:
        return page.dialect
    except FrontmatterError:
        return SEED_DIALECT


def _texts(page: Page, entry: Entry) -> tuple[str, str]:
    return searchable(" ".join(entry.names)), searchable(page.body)


def _dumped(entry: Entry) -> str:
    return json.dumps(list(entry.__dict__.values()), ensure_ascii=False, separators=(",", ":"))


def loaded(row: str) -> Entry:
    """An entry from the column ``entry`` of its page."""
    values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in json.loads(row)]
    return Entry(*values)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
