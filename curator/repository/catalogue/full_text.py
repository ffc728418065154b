"""Full text: the pages that hold some words, and those most like a text."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterable

from curator.wiki.english.stop_words import telling_words

_PROBE = (
    "DROP TABLE IF EXISTS temp.probe_known",
    "DROP TABLE IF EXISTS temp.probe",
    "CREATE VIRTUAL TABLE temp.probe USING fts5 (text, detail=column, tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE VIRTUAL TABLE temp.probe_known USING fts5vocab (temp, probe, row)",
)
"""One by one: a script of several would end the transaction that holds the catalogue where it is."""
_QUERY_TERMS = 60
"""More terms find less and take longer (measured): the rarest and most used of a source are enough."""
Types = Collection[str] | None
"""Entity types: only their pages are looked for; None: those of all."""
_PART = re.compile(r'(?<!\S)(-?)(?:"([^"]*)"|(\S+))')
"""A word or a phrase in quotes, each with a minus before it or none."""
_CJK = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def searchable(text: str) -> str:
    """``text`` with scripts that write no spaces parted into pairs of characters, which is what FTS5 can find."""

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return " ".join([" ", *(run[i : i + 2] for i in range(max(1, len(run) - 1))), " "])

    return text if text.isascii() else _CJK.sub(pairs, text)


def similar(db: sqlite3.Connection, text: str, limit: int) -> list[str]:
    """The slugs of the pages most like ``text`` by BM25 over its most telling words, best first."""
    total = int(db.execute("SELECT count(*) FROM page").fetchone()[0])
    if not total:
        return []
    for statement in _PROBE:
        db.execute(statement)
    db.execute("INSERT INTO temp.probe VALUES (?)", (searchable(text),))
    rows = db.execute(
        """SELECT p.term FROM temp.probe_known p JOIN words_known w ON w.term = p.term
           WHERE length(p.term) > 1 AND w.doc < ? ORDER BY (1 + ln(p.cnt)) * ln(? * 1.0 / w.doc) DESC, p.term
           LIMIT ?""",
        (max(3, total * 0.4), total + 1, _QUERY_TERMS),
    ).fetchall()
    return [slug for slug, _ in _match(db, " OR ".join(_quoted(row[0]) for row in rows), limit)]


def search(db: sqlite3.Connection, words: str, limit: int, types: Types = None) -> list[tuple[str, float]]:
    """Slugs and scores (higher is better) of the pages that hold any of ``words``, which may be a question.

    As people expect: a ``"quoted phrase"`` has to stand there, and ``-word`` or ``-"some words"`` must not.
    """
    return _match(db, _query(words), limit, types)


def _query(words: str) -> str:
    """What FTS5 is asked; empty where nothing is looked for."""
    parts = _PART.findall(words)
    without = [_phrase(phrase or word) for minus, phrase, word in parts if minus and re.search(r"\w", phrase or word)]
    phrases = [_phrase(phrase) for minus, phrase, _ in parts if not minus and re.search(r"\w", phrase)]
    telling = telling_words(" ".join(word for minus, _, word in parts if not minus))
    any_word = " OR ".join(_quoted(term) for term in re.findall(r"\w+", searchable(" ".join(telling))))
    # Where phrases have to stand, the other words only say which of their pages are best.
    needed = " AND ".join(phrases)
    wanted = f"({needed}) OR ({needed} AND ({any_word}))" if needed and any_word else needed or any_word
    return f"({wanted}) NOT ({' OR '.join(without)})" if wanted and without else wanted


def _phrase(text: str) -> str:
    return _quoted(" ".join(re.findall(r"\w+", searchable(text))))


def any_of(db: sqlite3.Connection, words: str, limit: int, types: Types = None) -> list[tuple[str, float]]:
    """Slugs and scores of the pages that hold any of ``words``."""
    return _match(db, " OR ".join(map(_quoted, re.findall(r"\w+", searchable(words)))), limit, types)


def _match(db: sqlite3.Connection, query: str, limit: int, types: Types = None) -> list[tuple[str, float]]:
    if not query:
        return []
    if types is not None:
        return _scored(
            db.execute(
                """SELECT slug, bm25(words, 4.0, 1.0) AS rank FROM words JOIN page ON page.id = words.rowid
                   WHERE words MATCH ? AND page.type IN (SELECT value FROM json_each(?)) ORDER BY rank, slug LIMIT ?""",
                (query, json.dumps(sorted(types)), limit),
            )
        )
    rows = db.execute(
        """SELECT slug, rank FROM (
               SELECT rowid, bm25(words, 4.0, 1.0) AS rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?)
           AS hit JOIN page ON page.id = hit.rowid ORDER BY rank, slug""",
        (query, limit),
    )
    return _scored(rows)


def _scored(rows: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    # Where a word stands on most pages its weight is next to nothing; what differs then still counts.
    return [(slug, float(f"{-rank:.6g}")) for slug, rank in rows]


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
