"""Words that make a statement stronger or weaker: all, only, always, may, must, at all.

A claim may be weaker than its source ("most" where that says "all"); it may not be stronger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.quantities import dates
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stop_words import STOP
from curator.wiki.english.stronger import STRONGER
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.extent import is_ruled_for_all, is_weakened, some_lost
from curator.wiki.support.rules.negating import NOT

FREQUENCY = {
    word: rank
    for rank, words in (
        (0, "never"),
        (1, "rarely seldom hardly barely scarcely"),
        (2, "sometimes occasionally"),
        (3, "often usually typically normally frequently generally commonly mostly"),
        (4, "always invariably"),
    )
    for word in words.split()
}
_PLANNED = frozenset(("planned", "scheduled"))
_TO_DO = re.compile(r"\bto[- ]?do\s*:", re.IGNORECASE)
_EXACTLY = frozenset(("exactly", "precisely"))
"""What ``==`` says in code."""
_BEFORE_NUMBERS = _EXACTLY | {"only", "every"}
_IDIOMS = {
    "only": frozenset("later recently then now a".split()),
    "every": frozenset("second third fourth fifth other few time".split()),
    "all": frozenset("along over in told but others".split()),
}
"""Words behind which a strong word says how often, how few or how late."""
_ALL_IN_IDIOMS = frozenset(
    "all the same,by all means,all in all,once and for all,all but,all too,despite all,in spite of all,after all,above all,"
    "first of all".split(",")
)
_ROUGH = frozenset(
    "about around approximately approx roughly nearly almost some circa least most more less over under up".split()
)
_WHOLE = frozenset("all every each any always".split())
_NOT_QUITE = frozenset("almost nearly virtually practically not".split())
_REACH = 4

_POINTING = frozenset(
    "following same other above below remaining main new first last next given said named listed".split()
)
_OF_GROUP = re.compile(
    r" (?P<part>half|none|most|all|some|many|few|two|three|a third|two thirds|three quarters|\d+) of the "
    r"(?:(?P<of>[a-z]+) )?(?P<group>[a-z]+s)(?= )"
)


def _group_widened(case: Case) -> Iterator[str]:
    """``Half of the farmers``, or of the goat farmers, where the source says half of the sheep farmers."""
    theirs = {
        (found["part"], found["group"]): found["of"] or "" for found in _OF_GROUP.finditer(case.context.stated.flat)
    }
    known = case.context.known.lowers
    for found in _OF_GROUP.finditer(case.claim.flat):
        of = theirs.get((found["part"], found["group"]))
        is_other = of and of not in known | STOP | _POINTING and found["of"] != of and of not in case.claim.lowers
        if is_other and case.is_close and not re.match(r" (?:that|which|who|in)\b", case.claim.flat[found.end() :]):
            yield f"the source says '{found['part']} of the {of} {found['group']}'"
            return


def quantifier_widened(case: Case) -> Iterator[str]:
    """A word as strong as all, only, never or always that nothing in what is quoted bears out."""
    for strong, bearing in STRONGER if case.is_close else ():
        said = {
            word for word in case.claim.says(strong) if not is_weakened(case.claim, word) and not _is_idiom(case, word)
        }
        if not said or (said <= _EXACTLY and case.context.kinds == {"code"} and "==" in case.context.stated.plain):
            continue
        # "No X without Y" says what "every X has Y" says; a "no" that the claim keeps says nothing of how far it goes.
        kept = {word for word in case.claim.says(NOT) if "every" in strong and "unless" not in case.claim.lowers}
        held = ("every" in strong and is_ruled_for_all(case)) or any(
            {term for term in text.says(bearing) if not _is_partial(text, term)} - kept
            or ("not" in bearing and any(word.lower.endswith("n't") for word in text.words))
            for text in (case.context.stated, case.context.led, case.context.headings)
        )
        if not held and not (said <= _PLANNED and (_is_to_come(case) or _is_task(case))):
            yield f"nothing quoted says {_any(said)!r}"

    yield from _group_widened(case)
    yield from some_lost(case)


def _is_to_come(case: Case) -> bool:
    """True for what has a day of the same year, or of none, that is later than the one that the source bears."""
    own = [*dates(case.source.opening), *case.source.own_days]
    days = [each for each in dates(case.context.stated) if each.month and each.day]
    return bool(days) and any(
        one.month and (one.month, one.day) < (day.month, day.day) and day.year in (0, one.year)
        for one in own
        for day in days
    )


def _is_task(case: Case) -> bool:
    """True for what stands behind a ``To do:`` or below one, and for what is not ticked off, ``[ ] order paint``."""
    told = (
        case.context.stated.plain,
        case.context.led.plain,
        *(f"{text}:" for text in case.context.headings.plain.split("\n")),
    )
    return any(map(_TO_DO.search, told)) or any(text.lstrip("-*+ ").startswith("[ ]") for text in case.context.passages)


def frequency_changed(case: Case) -> Iterator[str]:
    """Another frequency (often, always, never) of the very thing that the source gives one for."""
    theirs: dict[str, set[str]] = {}
    for focus, word in _frequencies(case.context.stated):
        theirs.setdefault(focus, set()).add(word)
    for focus, word in _frequencies(case.claim):
        others = theirs.get(focus, set())
        if others and FREQUENCY[word] not in {FREQUENCY[other] for other in others}:
            yield f"the source says {min(others)!r} of {focus!r}, the claim says {word!r}"


def _is_idiom(case: Case, term: str) -> bool:
    """True where ``term`` states nothing by itself, wherever it stands in the claim.

    ``only 3 of 12``, ``only later``, ``every two years``, ``all along``, and ``exactly 12`` where 12 is
    what the source gives, and not about 12.
    """
    words = case.claim.words
    behind = [
        words[at + 1] if at + 1 < len(words) and words[at + 1].sentence == word.sentence else None
        for at, word in enumerate(words)
        if word.lower == term
    ]
    if term in _EXACTLY and case.context.stated.lowers & _ROUGH:
        return False
    if term == "only" and "iff" in case.context.stated.lowers and all(each == "and" for each in _before(words, term)):
        return True  # "if and only if"
    if all(before == "how" for before in _before(words, term)):
        return True  # "how often", over a column
    follow = _IDIOMS.get(term, frozenset())
    if term == "only" and behind and all(word is not None and word.lower in ("by", "about") for word in behind):
        return True  # "rose by only half a degree"
    if term == "all" and case.claim.says(_ALL_IN_IDIOMS) and len(behind) == 1:
        return True
    if term == "at all" and case.claim.flat.count(" at all ") == case.claim.flat.count(" at all times "):
        return True  # a term of its own
    if term == "all" and " year round " in case.context.stated.flat:
        follow |= {"year"}
    number = term in _BEFORE_NUMBERS
    return bool(behind) and all(
        word is not None and (word.lower in follow or (number and (word.is_number or word.lower in WORDS)))
        for word in behind
    )


def _before(words: Sequence[StemmedWord], term: str) -> list[str]:
    """The words before each ``term``."""
    return [one.lower for one, other in pairwise(words) if other.lower == term] or [""]


def _is_partial(text: Phrase, term: str) -> bool:
    """True for the ``all`` of ``almost all``, the ``every`` of ``not every``, wherever it stands in the text."""
    before = [one.lower for one, other in pairwise(text.words) if other.lower == term]
    is_first = bool(text.words) and text.words[0].lower == term
    return term in _WHOLE and not is_first and bool(before) and set(before) <= _NOT_QUITE


def _frequencies(text: Phrase) -> Iterator[tuple[str, str]]:
    for clause in text.clauses:
        for at, word in enumerate(clause):
            if word.lower in FREQUENCY and (focus := focus_of(clause, at)) is not None:
                yield focus.stem, word.lower


def focus_of(clause: Sequence[StemmedWord], at: int) -> StemmedWord | None:
    """The first content word behind place ``at`` in the clause, adverbs left out."""
    for word in clause[at + 1 : at + 2 + _REACH]:
        if word.is_content and not word.lower.endswith("ly") and word.lower != "eventually":
            return word
    return None


def _any(words: set[str]) -> str:
    return sorted(words, key=len)[-1]
