"""Of whom a clause says what it says: the source's predicate under a subject that the source gives another one.

``The secretary decides a tie``, where the source says that of the chair, and speaks of the secretary elsewhere. A clause is
compared only when it has its own subject, in full words; what a pronoun or a mere "the library" stands for nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import AUXILIARIES
from curator.wiki.support.rules.roles import is_verb

_FINITE = AUXILIARIES | frozenset("has have had do does did cannot".split())
_ADVERBIAL = frozenset(
    "in on at for with by if when before after during since until as while from to under over within without although "
    "because once whenever where though unless despite besides unlike".split()
)
"""Words with which a clause begins before its subject does: only what stands right before the verb is one."""
_JOINING = frozenset("and or but so then that however".split())
_PRONOUNS = frozenset("it they he she we you".split())
_BE = frozenset(("is", "are", "was", "were"))
_LONGEST, _FEWEST = 5, 2
_MOST_CLAUSES = 400


@dataclass(frozen=True)
class _Clause:
    """A clause in two: the words that stand for its subject, and those that are said of it."""

    subject: tuple[StemmedWord, ...]
    verb: str
    told: frozenset[str]
    all: frozenset[str]
    equates: bool
    """It says what its subject is."""

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.subject)

    @property
    def is_named(self) -> bool:
        return any(word.code or (word.text[0].isupper() and word is not self.subject[0]) for word in self.subject)


def other_subjects(case: Case) -> Iterator[str]:
    """A subject of the claim of which the source does not say it, but of another one."""
    around = list(_clauses(case.context.around))
    stated = list(_clauses(case.context.stated))
    known = case.context.known.stems
    for mine in _clauses(case.claim):
        own = mine.stems - known
        alike = [each for each in stated if _is_said(mine, each)]
        if not own or not alike or any(_may_be_same(mine, each) for each in alike):
            continue
        if any(own <= each.stems for each in around) and not any(
            own & each.stems and _is_half_said(mine, each) for each in around
        ):
            yield f"the source says of {_text(alike[0])!r} what the claim says of {_text(mine)!r}"
            return
    for mine in _clauses(case.claim):
        for other in stated:
            own = mine.stems - known
            is_same = mine.equates and other.equates and mine.told == other.stems
            if is_same and own and own <= case.context.around.stems and own.isdisjoint(other.all):
                yield f"the source says that {_text(other)!r} is something else than {_text(mine)!r}"
                return


def _clauses(text: Phrase) -> Iterator[_Clause]:
    for words in text.clauses[:_MOST_CLAUSES]:
        clause = words[sum(1 for _ in takewhile(lambda word: word.lower in _JOINING, words)) :]
        if len(clause) > 1 and clause[0].is_number and clause[1].text[0].isupper():
            clause = clause[1:]  # the number of an item
        verb = next((at for at in range(1, len(clause)) if clause[at].lower in _FINITE or _governs(clause, at)), 0)
        subject = _subject(clause[:verb])
        if any(one.lower == "that" and other.lower in _PRONOUNS for one, other in pairwise(clause[verb:])):
            continue  # "For users, the consequence is that they must": it is said of the users
        behind = [word for word in clause[verb:] if (word.is_content or word.is_number) and word.lower != "longer"]
        if subject and behind:
            told = frozenset(word.stem for word in behind)
            equates = clause[verb].lower in _BE and not behind[0].lower.endswith(("ed", "en", "ing"))
            yield _Clause(subject, behind[0].stem, told, frozenset(word.stem for word in clause), equates)


def _governs(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for a verb, and not for the ``files`` of "archive files and source files", which goes on with a list."""
    return is_verb(clause, at) and not (at + 1 < len(clause) and clause[at + 1].lower in ("and", "or"))


def _subject(before: Sequence[StemmedWord]) -> tuple[StemmedWord, ...]:
    """The words of a subject; none where a pronoun is one."""
    if before and before[0].lower in _ADVERBIAL:
        before = list(takewhile(lambda word: word.is_content or word.is_number, before[::-1]))[::-1]
    told = tuple(word for word in before if word.is_content or word.is_number)
    is_last = bool(before) and before[-1] in told[-1:]
    return told if is_last and len(told) <= _LONGEST else ()


def _is_said(mine: _Clause, other: _Clause) -> bool:
    """True where most of what the claim's clause says, its verb among it, is in the other one."""
    shared = mine.told & other.told
    is_most = len(shared) >= _FEWEST and 4 * len(shared) >= 3 * len(mine.told)
    return mine.verb in other.told and (is_most or mine.told == other.told)


def _is_half_said(mine: _Clause, other: _Clause) -> bool:
    return 2 * len(mine.told & other.told) >= len(mine.told)


def _may_be_same(mine: _Clause, other: _Clause) -> bool:
    """True where one subject may stand for the other: shared words, synonyms, a name and a noun for it."""
    own, its = mine.stems - other.stems, other.stems - mine.stems
    alike = {each for stem in its for each in SYNONYMS.get(stem, ())}
    return not own or not its or bool(own & (alike | other.all)) or mine.is_named != other.is_named


def _text(clause: _Clause) -> str:
    return " ".join(word.text for word in clause.subject)
