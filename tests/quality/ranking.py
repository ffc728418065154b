"""Plain BM25 over passages, by SQLite's full text: the yardstick that a wiki is held to."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from curator.models.port import estimate_tokens
from quality.passages import TextPassage

_HEAD, _TEXT = 1.5, 1.0
"""How much a word counts in the headings above a passage, and in the passage."""


class RankedPassages:
    """Passages, to be found by the words of a question."""

    def __init__(self, passages: Iterable[TextPassage]) -> None:
        self.passages = tuple(passages)
        self._rows = sqlite3.connect(":memory:")
        self._rows.execute("CREATE VIRTUAL TABLE passage USING fts5(head, text, tokenize = 'porter unicode61')")
        texts = ((number, each.head, each.text) for number, each in enumerate(self.passages))
        self._rows.executemany("INSERT INTO passage(rowid, head, text) VALUES (?, ?, ?)", texts)

    def best(self, question: str) -> list[TextPassage]:
        """All passages with a word of ``question``, the best first."""
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", question.casefold())))
        if not words:
            return []
        found = self._rows.execute(
            "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY bm25(passage, ?, ?), rowid", (words, _HEAD, _TEXT)
        )
        return [self.passages[row[0]] for row in found]

    def material(self, question: str, tokens: int) -> str:
        """The first ``tokens`` of the passages, the best first: what is shown within less is the beginning of it."""
        return cut((passage.shown for passage in self.best(question)), tokens)


def cut(passages: Iterable[str], tokens: int) -> str:
    """The first ``tokens`` of ``passages``."""
    chosen: list[str] = []
    room = tokens
    for passage in passages:
        text = passage + "\n\n"
        cost = estimate_tokens(text)
        if cost > room:
            return "".join([*chosen, text[: len(text) * room // cost]])
        chosen.append(text)
        room -= cost
    return "".join(chosen)
