"""How many pages have a word, of the words that many have: counted once, then followed page by page.

FTS5 keeps no such number: it reads every place where the word stands. At 100,000 pages that takes a quarter of a second for
the words of one source, and a third for all words there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

OFTEN = 256
"""Pages from which on a word is counted here; of a rarer one FTS5 tells in no time."""
COMMON = 10_000
"""Pages from which on it takes a while to compare all that have a word."""
_TOKENS = "tokenize='porter unicode61 remove_diacritics 2'"
_PROBE = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.probe USING fts5 (text, content='', detail=column, {_TOKENS})",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.probe_known USING fts5vocab (temp, probe, row)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.probe_rows USING fts5vocab (temp, probe, instance)",
    "INSERT INTO temp.probe (probe) VALUES ('delete-all')",
)
"""One by one: a script of several would end the transaction that holds the catalogue where it is."""

DOCUMENTS = """CASE WHEN f.doc IS NOT NULL THEN f.doc
               ELSE (SELECT w.doc FROM words_known w WHERE w.term = p.term) END"""
"""How many pages have ``p.term``, where ``f`` is its row of ``frequent`` or none."""


def probe(db: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Put ``texts``, numbered from 0, into ``temp.probe``: its vocabulary tells what FTS5 makes of them."""
    for statement in _PROBE:
        db.execute(statement)
    db.executemany("INSERT INTO temp.probe (rowid, text) VALUES (?, ?)", enumerate(texts))


def count(db: sqlite3.Connection) -> None:
    """Count anew."""
    db.execute("DELETE FROM frequent")
    db.execute("INSERT INTO frequent SELECT term, doc FROM words_known WHERE doc >= ?", (OFTEN,))
    db.execute("INSERT OR REPLACE INTO meta SELECT 'counted', count(*) FROM page")


def count_if_grown(db: sqlite3.Connection) -> None:
    """Count anew where the wiki has doubled since: other words stand on many pages by now."""
    row = db.execute("SELECT value FROM meta WHERE key='counted'").fetchone()
    pages = int(db.execute("SELECT count(*) FROM page").fetchone()[0])
    if pages > 2 * int(row[0] if row else 0) + OFTEN:
        count(db)


def follow(db: sqlite3.Connection, texts: Iterable[str], by: int) -> None:
    """A page with these texts comes (1) or goes (-1)."""
    if db.execute("SELECT 1 FROM frequent LIMIT 1").fetchone() is None:
        return
    probe(db, (" \n ".join(texts),))
    db.execute("UPDATE frequent SET doc = doc + ? WHERE term IN (SELECT term FROM temp.probe_known)", (by,))


def common(db: sqlite3.Connection, words: Sequence[str]) -> frozenset[str]:
    """Those of ``words`` that stand on most pages of a big wiki, so that they tell next to nothing of any."""
    pages = "(SELECT count(*) FROM page)"
    most = f"SELECT term FROM frequent WHERE doc >= ? AND doc > {pages} / 2"  # noqa: S608
    known = {row[0] for row in db.execute(most, (COMMON,))}
    if not known:
        return frozenset()
    probe(db, words)
    found = db.execute("SELECT doc, term FROM temp.probe_rows").fetchall()
    rare = {number for number, term in found if term not in known}
    return frozenset(words[number] for number, _ in found if number not in rare)
