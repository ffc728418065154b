"""Whether what a source says holds beside a statement, so that a dispute of the two outdates neither.

"Buses longer than 12 metres must not use it" takes nothing back of a rule on lorries, "in spring" nothing of one for
all times. Told only where the two are built alike, so that what differs is the thing or the condition; in doubt it is a
dispute.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.pages import editing
from curator.wiki.pages.citation import without_marks
from curator.wiki.support.rules.negating import is_not

_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|may|might|can|cannot|could|must|should|shall|will|would|do|does|did|needs?|takes?|"
    r"takes|took|found|made|built|held|gave|gives?|kept|keeps?|carries|uses?|recommends?|that|which|who|[\w-]+ed)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:during|when|while|if|unless|at (?=night|noon|dawn|dusk)|in (?=spring|summer|autumn|winter|rain|wind|fog|snow))"
    r"\s*(?:(?:an?|the) )?(\w+)",
    re.IGNORECASE,
)
_SINCE = frozenset("since as from".split())
_LETTING = frozenset("let lets allows permits enables".split())
_ARTICLES = frozenset(("the", "a", "an"))
_POINTING = frozenset(("it", "they", "them"))
_UNIVERSAL = frozenset("every each all any no none nobody nothing only".split())
"""Of what is said of all one case is enough to contradict it."""


def holds_beside(passage: str, claim: str, names: Sequence[str]) -> bool:
    """True where ``claim`` is of another thing than ``passage``, or of a case of its own, on a page that has ``names``."""
    known = [[word.stem for word in phrase(name).words] for name in names if phrase(name).words]
    old, new = (_Told.of(text, known) for text in (passage, claim))
    if old is None or new is None or old.is_of_all or new.is_of_all:
        return False
    if old.subject != new.subject:
        return old.is_built_as(new) and bool(new.subject - old.subject)
    others = new.things - old.stems
    if others and old.things - new.stems:
        return True
    if not old.subject and not old.is_built_as(new):
        return False
    is_narrower = (others and new.stems > old.stems) or new.conditions - old.conditions
    return old.is_denied == new.is_denied and bool(is_narrower)


@dataclass(frozen=True)
class _Told:
    """The words of a statement, but for numbers, the names of its page and others."""

    subject: frozenset[str]
    predicate: frozenset[str]
    things: frozenset[str]
    """What stands behind ``the`` in the predicate."""
    conditions: frozenset[str]
    is_denied: bool
    is_of_all: bool
    """It is said of all there are, or of nothing else."""

    @classmethod
    def of(cls, text: str, names: Sequence[Sequence[str]]) -> _Told | None:
        """None where no verb is seen."""
        plain = editing.without_bullet(without_marks(text))
        verb = _VERB.search(plain)
        if verb is None:
            return None
        subject = plain[: verb.start()].rpartition(", ")[2]  # behind "Since 2020,"
        before, behind = _without_lead(phrase(subject).words, names), phrase(plain[verb.start() :]).words
        pairs, known = pairwise(behind), frozenset(stem for name in names for stem in name)
        return cls(
            _stems(before[_is_name(before) :], known),
            _stems(behind, known),
            _stems([noun for article, noun in pairs if article.lower == "the"], known),
            frozenset(found[1].lower() for found in _CONDITION.finditer(plain)),
            any(map(is_not, behind)),
            any(word.lower in _UNIVERSAL for word in before) or any(word.lower == "only" for word in behind[-2:]),
        )

    @property
    def stems(self) -> frozenset[str]:
        return self.subject | self.predicate

    def is_built_as(self, other: _Told) -> bool:
        """True where half of what the longer says of its subject is the other's too."""
        longer = max(len(self.predicate), len(other.predicate))
        return 2 * len(self.predicate & other.predicate) >= longer > 0


def _without_lead(words: Sequence[StemmedWord], names: Sequence[Sequence[str]]) -> Sequence[StemmedWord]:
    """The subject from the page's name on: without the "Since the law of 2020" or the "PEP 655 lets" before it."""
    for at, (last, word) in enumerate(pairwise(words), 1):
        begins = at + (word.lower in _ARTICLES)
        is_named = any([each.stem for each in words[begins : begins + len(name)]] == name for name in names)
        is_behind = last.is_content and (begins > at or not is_named)  # but for "the old Tosk Bridge"
        is_behind = is_behind or last.is_number or (last.lower == "on" and words[at - 2].is_number)
        is_lead = words[0].lower in _SINCE and is_behind
        if (is_named or word.lower in _POINTING) and (is_lead or last.lower in _LETTING):
            return words[begins:]
    return words


def _is_name(words: Sequence[StemmedWord]) -> bool:
    """True for words that are a name or begin with one of several words, as far as its capitals can tell."""
    capitals = [word.text[0].isupper() for word in words[:2]]
    return bool(words) and words[0].is_content and all(capitals) and not words[0].lower.endswith("s")


def _stems(words: Sequence[StemmedWord], known: frozenset[str]) -> frozenset[str]:
    """Of the words that tell something; a word with a capital in the middle is a name."""
    telling = (word for word in words if word.is_content and not word.is_number)
    return frozenset(word.stem for word in telling if word.begins or not word.text[0].isupper()) - known
