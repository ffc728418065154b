"""A corpus to measure a curator by: documents, and what a wiki made of them is expected to say.

A corpus is a folder with text files, all but ``sources/`` optional, one JSON object a line:

- ``sources/``: the documents;
- ``corpus.json``: ``title``, and ``tokens``: how much material is looked at (else 1,000, 2,000 and 4,000);
- ``questions.jsonl``: ``id`` (a number), ``question``, ``source``, ``passages`` (words of the source, any of which
  holds the answer), ``facts`` (short strings that a right answer has), ``answer`` (for a reader);
- ``across.jsonl``: ``id``, ``question`` and ``facts``, each with ``source``, ``any`` (words of the source, any of which
  states it) and ``words`` (what a statement in other words has, too; ``a|b``: one of them); here and above also
  ``translated``: the same in the language of the wiki, where the source has another;
- ``names.jsonl``: ``thing`` and ``spellings``; what is not on one line is not one thing;
- ``links.jsonl``: ``text`` that is linked, ``near`` (words that stand in the same statement, or none) and ``to``: the
  thing that is meant there, or null where nothing is;
- ``relations.jsonl``: ``kind`` (``contradicts`` or ``supersedes``), ``first`` and ``then``, two facts as above.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from quality.matching import folded, key

TEXTS = {".md", ".rst", ".txt"}
"""Suffixes of documents that can be looked at as they are."""
_BUDGETS = (1000, 2000, 4000)


@dataclass(frozen=True)
class ExpectedFact:
    """Something that a source states."""

    source: str
    spans: tuple[str, ...]
    words: tuple[str, ...]
    translated: tuple[str, ...] = ()
    """The same in the language of the wiki, where the source has another."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question, and the facts that answer it: one for a question about one thing."""

    number: str
    text: str
    facts: tuple[ExpectedFact, ...]


@dataclass(frozen=True)
class NamedThing:
    """A thing, by all the ways to spell its name."""

    name: str
    spellings: frozenset[str]


@dataclass(frozen=True)
class LinkLabel:
    """What a piece of text is to be linked with, in statements that have the words ``near``; ``to`` None: with nothing."""

    text: str
    near: tuple[str, ...]
    to: str | None


@dataclass(frozen=True)
class ExpectedRelation:
    """Two statements that cannot both hold today: they disagree, or ``then`` came after ``first`` and changed it."""

    kind: Literal["contradicts", "supersedes"]
    first: ExpectedFact
    then: ExpectedFact


@dataclass(frozen=True)
class Corpus:
    """The documents of ``sources``, and what is expected of a wiki made of them."""

    folder: Path
    sources: Path
    half: Literal["even", "odd", ""] = ""
    """Only the questions with such a number: what is not looked at while something is made shows what that is worth."""

    @cached_property
    def documents(self) -> dict[str, str]:
        """The texts of the sources, by name."""
        files = sorted(path for path in self.sources.iterdir() if path.suffix in TEXTS)
        return {path.name: path.read_text("utf-8") for path in files}

    @cached_property
    def budgets(self) -> tuple[int, ...]:
        """The tokens of material that are looked at."""
        file = self.folder / "corpus.json"
        given = json.loads(file.read_text("utf-8")).get("tokens") if file.is_file() else None
        return tuple(given or _BUDGETS)

    @cached_property
    def single(self) -> tuple[AskedQuestion, ...]:
        return tuple(
            AskedQuestion(str(row["id"]), row["question"], (_fact(row, "passages", "facts"),))
            for row in self._asked("questions")
        )

    @cached_property
    def across(self) -> tuple[AskedQuestion, ...]:
        return tuple(
            AskedQuestion(str(row["id"]), row["question"], tuple(_fact(fact) for fact in row["facts"]))
            for row in self._asked("across")
        )

    @cached_property
    def facts(self) -> tuple[ExpectedFact, ...]:
        """Those behind all questions and relations, each once."""
        asked = [fact for question in (*self.single, *self.across) for fact in question.facts]
        return tuple(dict.fromkeys([*asked, *(fact for each in self.relations for fact in (each.first, each.then))]))

    @cached_property
    def things(self) -> tuple[NamedThing, ...]:
        return tuple(
            NamedThing(row["thing"], frozenset(key(name) for name in (row["thing"], *row["spellings"])))
            for row in self._rows("names")
        )

    @cached_property
    def links(self) -> tuple[LinkLabel, ...]:
        return tuple(
            LinkLabel(key(row["text"]), tuple(folded(word) for word in row.get("near", ())), row["to"])
            for row in self._rows("links")
        )

    @cached_property
    def relations(self) -> tuple[ExpectedRelation, ...]:
        return tuple(
            ExpectedRelation(row["kind"], _fact(row["first"]), _fact(row["then"])) for row in self._rows("relations")
        )

    def missing(self) -> Iterator[str]:
        """What is expected, though the sources do not say it in these words: a fault of the corpus."""
        if not self.sources.is_dir():
            yield f"no folder of documents at {self.sources}: name the one that has them with --sources DIR"
            return
        texts = {name: f" {folded(text)} " for name, text in self.documents.items()}
        for fact in self.facts:
            for number, span in enumerate(fact.spans):
                # Another document may say the same: it answers as well.
                told = texts.values() if number else [texts.get(fact.source, "")]
                if not any(f" {folded(span)} " in text for text in told):
                    yield f"no document says: {span}" if number else f"{fact.source} does not say: {span}"

    def _asked(self, name: str) -> list[dict[str, Any]]:
        wanted = {"even": (0,), "odd": (1,)}.get(self.half, (0, 1))
        numbered = ((str(row["id"]), at, row) for at, row in enumerate(self._rows(name), start=1))
        return [row for number, at, row in numbered if (int(number) if number.isdecimal() else at) % 2 in wanted]

    def _rows(self, name: str) -> list[dict[str, Any]]:
        file = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def _fact(row: dict[str, Any], spans: str = "any", words: str = "words") -> ExpectedFact:
    return ExpectedFact(row["source"], tuple(row[spans]), tuple(row[words]), tuple(row.get("translated", ())))
