"""What became of a document as a whole, by its head: that it was rejected, withdrawn, replaced, or replaces another one.

A question that asks for it shares few words with the answer: "This PEP was rejected due to lukewarm reception" stands
in one sentence among hundreds, and many other documents have more to say of ideas that they rejected. So code reads the
heads as a table, and looks in each of these documents for the passage that says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath

from curator.wiki.pages.names import keys_in, name_key
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.selection import Candidate
from curator.wiki.sources.source import Source
from curator.wiki.wiki import Wiki

_HEAD = 12
"""Passages at the start of a document among which its head is."""
_HEAD_LINES = 60
"""Lines at the start of a source among which its head is."""
_REPLACES = re.compile(
    r"^[| \t*:-]*(?:Replaces|Supersedes|Obsoletes)[ \t*]*[:|][ \t*]*([^|\n]+)", re.IGNORECASE | re.MULTILINE
)
_SERIES = re.compile(r"[^\W\d_]+")
_LONGEST = 80
_STATUS = re.compile(r"^[| \t*-]*[Ss]tatus[ \t*]*[:|][ \t*\"']*([^|\n]+)", re.MULTILINE)
_RELATION = re.compile(
    r"^[| \t*-]*([Ss]uperseded|[Rr]eplaced|[Oo]bsoleted|[Ss]upersedes|[Rr]eplaces|[Oo]bsoletes)(?![a-z])[\w \t*-]*[:|]",
    re.MULTILINE,
)
Told = tuple[str, str, Passage]
"""A passage of a source, with the path and the title of that."""
_LIKELY = 5
"""How many documents, the best, a question is about that names no kind of them."""
MOST = 6
"""How many documents are told of at most: the room is for the rest of the question, too."""
_LESS = 0.95
"""What each further one counts, compared to the one before."""


@dataclass(frozen=True)
class StateAsked:
    """What is asked of documents as a whole."""

    words: tuple[str, ...]
    """What says it, in a head and in a passage."""
    of_all: bool
    """True for "Which proposals were rejected?": of all documents; else of those that the question is about."""
    in_head: bool
    """True where the head says all there is: what replaced what. Else there is a reason to be told."""

    def about(self, found: Sequence[Candidate]) -> list[str]:
        """The paths of the sources it is asked of first, by what was ``found``, best first."""
        paths = [each.path for each in _sources_of(found)]
        return paths if self.of_all else paths[:_LIKELY]

    def telling(self, passages: Sequence[Passage]) -> Passage | None:
        """Which of the ``passages`` that have a word of it tells it."""
        of_head = [each for each in passages if _RELATION.search(each.text)] if self.in_head else []
        of_head += [each for each in passages if _STATUS.search(each.text)]
        others = [each for each in passages if each not in of_head and not _OPTIONS.search(each.heading)]
        return next(iter([*of_head, *others] if self.in_head else [*others, *of_head]), None)


_OPTIONS = re.compile(r"\b(?:ideas?|alternatives?|options?|drafts?)\b", re.IGNORECASE)
"""Headings over what was rejected within a document."""
_TURNED_DOWN = ("rejected", "withdrawn", "deferred", "abandoned")
_PAST = rf"(?:{'|'.join(_TURNED_DOWN)})"
_STATES = re.compile(rf"\b{_PAST}\b(?! (?:ideas?|alternatives?|options?|drafts?)\b)", re.IGNORECASE)
_OF_ALL = re.compile(
    rf"\b(?:which|what|all|list|any)\b[^.;?]{{0,60}}\b(?:was|were|is|are|been|got)\s+(?:\w+\s+){{0,2}}{_PAST}",
    re.IGNORECASE,
)
_RELATIONS = re.compile(
    r"\b(?:replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|obsolet(?:e[sd]?|ing)|successors?|predecessors?)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"\b(?:what (?:has |have )?bec[ao]me of|what(?: has| have)? happened (?:to|with)|(?:fate|outcome) of"
    r"|how did [^.;?]{1,60} end(?: up)?\b|still (?:in force|current|alive|valid))",
    re.IGNORECASE,
)
"""What asks for whatever became of something: it may be a document."""
_FOLLOWED = ("superseded", "replaced", "obsoleted")
_RELATED = (*_FOLLOWED, "supersedes", "replaces", "obsoletes")


_NO_MORE = re.compile(r"\b(?:rejected|withdrawn|abandoned|superseded|replaced|obsoleted?)\b")


def no_more(state: str) -> tuple[str, ...]:
    """What a document's ``state`` says of why it does not hold as a whole: rejected, superseded; nothing where it holds."""
    return tuple(dict.fromkeys(_NO_MORE.findall(state)))


def states_asked(question: str) -> Iterator[StateAsked]:
    """What ``question`` asks of documents as a whole."""
    found = tuple(dict.fromkeys(each.lower() for each in _STATES.findall(question)))
    if _END.search(question):
        yield StateAsked(_FOLLOWED, of_all=False, in_head=True)
        found = found or _TURNED_DOWN
    if found:
        yield StateAsked(found, _OF_ALL.search(question) is not None, in_head=False)
    if _RELATIONS.search(question):
        yield StateAsked(_RELATED, of_all=False, in_head=True)


def state_of(passages: Iterable[Passage]) -> str:
    """The status, and whether it replaces or is replaced, as the head says that ``passages`` begin with; else nothing."""
    return " ".join(dict.fromkeys(_said(passages))).lower()


def _said(passages: Iterable[Passage]) -> Iterator[str]:
    for each in islice(passages, _HEAD):
        for found in _STATUS.finditer(each.text):
            yield found[1].strip()[:_LONGEST]
        for found in _RELATION.finditer(each.text):
            yield found[1]


def _sources_of(found: Sequence[Candidate]) -> list[Reading]:
    return [each for each in dict.fromkeys(one.reading for one in found if one.score) if each.is_source]


def with_states(found: Sequence[Candidate], told: Iterable[Told], asked: StateAsked) -> list[Candidate]:
    """``found``, best first, in an order that begins with what tells the state of each document.

    ``told``: what documents say of it, the likeliest document first.
    """
    readings = {each.path: each for each in _sources_of(found)}
    best = max((each.fused for each in found), default=0.0)
    first: list[Candidate] = []
    for (path, title), passages in _by_document(told).items():
        reading = readings.get(path) or Reading(path, path, title, (title,), ())
        passage = asked.telling(passages)
        if passage is None:
            continue
        same = (each for each in found if each.reading is reading and each.passage.text == passage.text)
        each = next(same, None) or Candidate(reading, -1 - len(first), passage)
        each.fused = max(each.fused, round(best * _LESS ** len(first), 6))
        first.append(each)
    return [*first, *(each for each in found if each not in first)]


def _by_document(told: Iterable[Told]) -> dict[tuple[str, str], list[Passage]]:
    found: dict[tuple[str, str], list[Passage]] = {}
    for path, title, passage in told:
        found.setdefault((path, title), []).append(passage)
    return found


def replaced_by(source: Source, wiki: Wiki) -> frozenset[str]:
    """The paths of the sources that ``source`` replaces, of those whose summary the wiki has.

    A number alone, as in ``Replaces: 665``, is one of the same series: PEP 665 in ``pep-0751.rst``.
    """
    head = "\n".join(text for _, text in source.document.lines[:_HEAD_LINES])
    told = "; ".join(_REPLACES.findall(head))
    series = _SERIES.match(PurePosixPath(source.path).stem)
    numbers = [name_key(f"{series[0]} {int(each)}") for each in re.findall(r"\d{1,9}", told)] if series else []
    called = wiki.called({*keys_in(told), *numbers}) if told else {}
    found = {path for some in called.values() for entry in some if entry.kind == "summary" for path in entry.sources}
    return frozenset(found - {source.path})
