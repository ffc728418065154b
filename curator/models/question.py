"""A question to the wiki, and the passages of pages and sources that it is answered from."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from curator.errors import ConfigError
from curator.finding import Finding
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.sources.evidence import Missing
from curator.wiki.workspace.workspace import CurationPolicy

LONGEST = 1000
"""The most characters a question may have."""


@dataclass(frozen=True)
class Turn:
    """What was asked before, and what was told: it says what a follow-up speaks of, and proves nothing."""

    question: str
    told: str = ""
    """The statements, without their proofs, cut; empty where the pages did not say."""
    pages: tuple[str, ...] = ()
    """The slugs of the pages that these rest on."""
    names: tuple[str, ...] = ()
    """The titles of these pages."""

    @property
    def subject(self) -> str:
        """What it spoke of, for the search."""
        return " ".join((self.question, *self.names))


@dataclass(frozen=True)
class Question:
    """All that a model is given to answer: the question, the pages and the policy of the wiki."""

    text: str
    readings: tuple[Reading, ...]
    """The pages and sources that the question is about, best match first."""
    policy: CurationPolicy = CurationPolicy()
    unshown: tuple[Reading, ...] = ()
    """What pages say in the very words of a source that are shown: a quote of the page is as good."""
    faults: tuple[Finding, ...] = ()
    """What was wrong with ``previous``; set in the one repair round."""
    previous: str = ""
    earlier: tuple[Turn, ...] = ()
    """The conversation so far, the last turn last."""
    is_second_look: bool = False
    """True where the passages are what a first reply wanted looked for."""

    @property
    def words(self) -> str:
        """What was asked, now and before: where a statement may have names from, see ``context_names``."""
        return " ".join((*(turn.question for turn in self.earlier), self.text))

    def again(self, previous: str, faults: tuple[Finding, ...]) -> Question:
        """The question for the repair round: the same, with the reply and what was wrong with it."""
        return replace(self, previous=previous, faults=faults)

    @property
    def known(self) -> tuple[Reading, ...]:
        """All that a statement may rest on."""
        return (*self.readings, *self.unshown)

    def reading(self, name: str) -> Reading | None:
        return next((reading for reading in self.known if reading.name == name), None)

    def quoted(self, name: str, words: str) -> tuple[Reading, tuple[Passage, ...]] | Missing | None:
        """Where ``words`` that are quoted of ``name`` stand; None where nothing is known by that name."""
        missing: Missing | None = None
        for reading in self.known:
            if reading.name == name:
                found = reading.find(words)
                if not isinstance(found, Missing):
                    return reading, found
                missing = missing or found
        return missing


def normalize_question(text: str) -> str:
    """A typed question as one line of printable characters. Raises ConfigError when it is empty or too long."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not re.search(r"\w", flat):
        raise ConfigError("question_empty", f"there is no question in {flat!r}", "ask in words")
    if len(flat) > LONGEST:
        message = f"the question has {len(flat):,} characters; at most {LONGEST:,}"
        raise ConfigError("question_too_long", message, "ask in fewer words; a document is taken in with curate ingest")
    return flat
