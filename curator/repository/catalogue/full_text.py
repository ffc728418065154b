"""Full text: the pages that hold some words, and those most like a text."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from curator.repository.catalogue import term_counts
from curator.wiki.english.stop_words import telling_words

_QUERY_TERMS = 60
"""More terms find less and take longer (measured): the rarest and most used of a source are enough."""
Types = Collection[str] | None
"""Entity types: only their pages are looked for; None: those of all."""
_PART = re.compile(r'(?<!\S)(-?)(?:"([^"]*)"|(\S+))')
"""A word or a phrase in quotes, each with a minus before it or none."""
_CJK = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
"""Made when it is asked for: it takes 1.5 ms, and most wikis have no such text."""


def searchable(text: str) -> str:
    """``text`` with scripts that write no spaces parted into pairs of characters, which is what FTS5 can find."""

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return " ".join([" ", *(run[i : i + 2] for i in range(max(1, len(run) - 1))), " "])

    return text if text.isascii() else re.sub(_CJK, pairs, text)


def similar(db: sqlite3.Connection, text: str, limit: int) -> list[str]:
    """The slugs of the pages most like ``text`` by BM25 over its most telling words, best first."""
    total = int(db.execute("SELECT count(*) FROM page").fetchone()[0])
    if not total:
        return []
    term_counts.probe(db, (searchable(text),))
    rows = db.execute(
        f"""SELECT term FROM (
                SELECT p.term AS term, p.cnt AS cnt, {term_counts.DOCUMENTS} AS doc
                FROM temp.probe_known p LEFT JOIN frequent f ON f.term = p.term WHERE length(p.term) > 1)
            WHERE doc < ? ORDER BY (1 + ln(cnt)) * ln(? * 1.0 / doc) DESC, term LIMIT ?""",  # noqa: S608
        (max(3, total * 0.4), total + 1, _QUERY_TERMS),
    ).fetchall()
    return [slug for slug, _ in _match(db, " OR ".join(_quoted(row[0]) for row in rows), limit)]


def search(db: sqlite3.Connection, words: str, limit: int, types: Types = None) -> list[tuple[str, float]]:
    """Slugs and scores (higher is better) of the pages that hold any of ``words``, which may be a question.

    As people expect: a ``"quoted phrase"`` has to stand there, and ``-word`` or ``-"some words"`` must not.
    """
    query = Query.of(words)
    common = term_counts.common(db, query.terms) if not query.phrases else frozenset[str]()
    if common and (found := _match(db, query.sooner(common), limit, types)) and len(found) >= limit:
        return found
    return _match(db, query.text, limit, types)


@dataclass(frozen=True)
class Query:
    """What is looked for, as FTS5 has it."""

    phrases: tuple[str, ...]
    """That have to stand there."""
    terms: tuple[str, ...]
    """Of which any will do."""
    without: tuple[str, ...]

    @classmethod
    def of(cls, words: str) -> Query:
        parts = _PART.findall(words)
        without = [
            _phrase(phrase or word) for minus, phrase, word in parts if minus and re.search(r"\w", phrase or word)
        ]
        phrases = [_phrase(phrase) for minus, phrase, _ in parts if not minus and re.search(r"\w", phrase)]
        telling = telling_words(" ".join(word for minus, _, word in parts if not minus))
        return cls(tuple(phrases), tuple(re.findall(r"\w+", searchable(" ".join(telling)))), tuple(without))

    @property
    def text(self) -> str:
        """Empty where nothing is looked for."""
        # Where phrases have to stand, the other words only say which of their pages are best.
        return self._lacking(_preferring(" AND ".join(self.phrases), _any(self.terms)))

    def sooner(self, common: Collection[str]) -> str:
        """The same where ``common`` words stand on most pages: they only say which pages of the other words are best.

        Where there are no others, pages are looked for that have one in their names. Whoever finds too few looks again.
        """
        rare = [term for term in self.terms if term not in common]
        if not rare:
            return self._lacking(f"title : ({_any(self.terms)})")
        return self._lacking(_preferring(f"({_any(rare)})", _any([term for term in self.terms if term in common])))

    def _lacking(self, wanted: str) -> str:
        return f"({wanted}) NOT ({' OR '.join(self.without)})" if wanted and self.without else wanted


def _preferring(needed: str, others: str) -> str:
    """``needed``, and those first that have ``others``, too; one of them may be empty."""
    return f"({needed}) OR ({needed} AND ({others}))" if needed and others else needed or others


def _any(terms: Iterable[str]) -> str:
    return " OR ".join(map(_quoted, terms))


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
