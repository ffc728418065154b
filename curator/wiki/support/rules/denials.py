"""The denial and the doubt of what a claim is nearest to, in whatever words the claim says it.

Other rules compare the word that a "not" or a "may" falls on; a claim in its own words may not have that word. Here the
clause of the source that shares most words with the claim tells: where it denies or doubts, so must the claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.synonyms import SYNONYMS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.hedges import APPEARS, DOUBTING, HEDGES, leaves_open
from curator.wiki.support.rules.negating import AUXILIARIES, is_not, is_not_only, is_open, shown
from curator.wiki.support.rules.negation import has_negation

_FEWEST, _RUN = 2, 3
"""Words that the claim and the clause share, at least; words in a row that make them near."""
_SAID_OTHERWISE = frozenset(
    map(
        stem,
        "same equal similar alike constant stable sole maximum minimum most least limit cap exceed pending await still "
        "remain until till before close stop end empty question doubt zero nil unique both throughout forever "
        "permanent necessary need require must essential indispensable sufficient enough keep continue cover hide secret "
        "private ignore turn dark invalid short beyond past lapse expire waive pass resist avoid sealed tight exact "
        "previous former formerly used old secure protect immune clear vacant idle dormant unanimous".split(),
    )
)
"""Words with which a claim may say without a "not" what its source says with one."""
_NEGATIVE = re.compile(r"un\w{3,}(?:ed|able|ible|en)|(?:in|im|ir|dis|non)\w{2,}(?:able|ible|ent)")
"""Words that negate by their prefix, as ``incapable``; also some that do not."""
_BOUNDS = frozenset("more less fewer later earlier sooner than until unless except but yet exceed".split())
"""Words that make a bound, a condition or an exception of a "not"."""
_PARTS = frozenset(
    "half third quarter fifth sixth seventh eighth ninth tenth dozen some many most several few rest".split()
)
_PROOFS = frozenset(map(stem, "evidence proof sign indication reason trace record".split()))
"""What a source has none of where it denies what is said of it."""
_LACKING = frozenset((stem("lack"),))
_DENYING = frozenset(map(stem, "deny doubt refuse fail decline dispute".split()))
"""Verbs that deny what follows them with ``that`` or ``to``."""
_ENSURING = frozenset((stem("ensure"),))
_OPENING = frozenset(("unless", "if", "that"))
_KNOWING = frozenset(
    "know knows knew known clear unclear sure unsure certain uncertain say says said recorded told".split()
)
_RELATIVE = frozenset("that which who whom".split())
_ASKING = frozenset("when where why how who which what".split())
_PLACING = frozenset("at in on under before after between behind above below within among as only once twice".split())
"""Words before the place where a thing ``appears``, without any doubt."""
_PERMITTING = frozenset(
    "work works worked accept accepts apply applies support supports take takes admit admits use".split()
)
"""Words by which a claim says what a ``may`` permits."""


def denial_lost(case: Case) -> Iterator[str]:
    """A claim without any negation, nearest to a clause of the source that denies."""
    claim, stated = case.claim, case.context.stated
    if has_negation(claim, stated) or _says_otherwise(claim, stated) or "only" in claim.lowers:
        return
    found = _nearest(case, _denies) or _said_not_to_be_so(case)
    if not found or (_is_unquoted(case, found) and _is_told_in_quotes(case)):
        return
    if not _BOUNDS & {word.lower for word in found} and not _is_taken_up(case, found):
        yield f"the source says {shown(found)!r}, the claim has no negation"


def _is_unquoted(case: Case, clause: Sequence[StemmedWord]) -> bool:
    """True where the denial of ``clause`` stands outside of the quotes, in the rest of their sentences."""
    quoted = {word.text for cut in case.context.cuts for word in cut.quote.words}
    return all(clause[at].text not in quoted for at in range(len(clause)) if _is_denial(clause, at))


def _is_told_in_quotes(case: Case) -> bool:
    """True where the quotes themselves have nearly all that the claim says."""
    held = frozenset(each for cut in case.context.cuts for each in cut.quote.stems) | case.context.known.stems
    told = [word for word in case.claim.content if word.stem in held]
    return 4 * len(told) >= 3 * len(case.claim.content)


def _said_not_to_be_so(case: Case) -> Sequence[StemmedWord]:
    """The clause of which the source goes on: ``which is not the case``; where the claim has most of its words."""
    for clause, behind in pairwise(case.context.stated.clauses):
        opens = max((at for at, word in enumerate(clause) if word.lower in _OPENING), default=-1)
        told = [word for word in clause[opens + 1 :] if word.is_content]
        words = [word.lower for word in behind]
        is_denied = words[0] in ("which", "this") and "case" in words and any(map(is_not, behind))
        if is_denied and told and all(_has(case.claim.words, word) for word in told):
            return [*clause[opens + 1 :], *behind]
    return ()


def doubt_lost(case: Case) -> Iterator[str]:
    """A claim that states as a fact what the clause of the source nearest to it says with a doubt."""
    if leaves_open(case.whole) or {word.lower for word in case.claim.words[:1]} & _ASKING:
        return
    found = _nearest(case, _doubts)
    if found:
        yield f"the source says {shown(found)!r}, the claim states it as a fact"


def _nearest(case: Case, told: Callable[[Sequence[StemmedWord], Phrase], StemmedWord | None]) -> Sequence[StemmedWord]:
    """The clause that shares most with the claim, and enough, when it is ``told`` so of one of its words; else empty."""
    wanted = [word for word in case.claim.content if not word.lower.endswith("ly")]
    known, clauses = case.context.known.stems, case.context.stated.clauses
    counts: list[int] = []
    for clause in clauses:
        shared = [word for word in wanted if _has(clause, word)]
        counts.append(len(shared) if any(word.stem not in known for word in shared) else 0)
    focuses = [told(clause, case.claim) for clause in clauses]
    plain = [at for at, focus in enumerate(focuses) if focus is None]
    most = max((counts[at] for at in plain), default=0)
    for at, focus in enumerate(focuses):
        is_near = 2 * counts[at] >= len(wanted) or _has_run(clauses[at], case.claim)
        if focus is None or counts[at] < _FEWEST or not is_near:
            continue
        is_of_it = _has(case.claim.words, focus) and not any(_has(clauses[other], focus) for other in plain)
        if counts[at] > most or (is_of_it and counts[at] >= most - 1):
            return clauses[at]
    return ()


def _has_run(clause: Sequence[StemmedWord], claim: Phrase) -> bool:
    """True where the two have three content words in a row."""
    mine, theirs = ([word.stem for word in words if word.tells] for words in (claim.words, clause))
    runs = {tuple(theirs[at : at + _RUN]) for at in range(len(theirs) - _RUN + 1)}
    return any(tuple(mine[at : at + _RUN]) in runs for at in range(len(mine) - _RUN + 1))


def _has(clause: Sequence[StemmedWord], word: StemmedWord) -> bool:
    alike = {word.stem, *SYNONYMS.get(word.stem, ())}
    return any(each.stem in alike or _is_kin(each, word) for each in clause)


def _is_kin(one: StemmedWord, other: StemmedWord) -> bool:
    length = min(len(one.stem), len(other.stem), 5)
    return one.is_content and length > 4 and one.stem[:length] == other.stem[:length]


def _denies(clause: Sequence[StemmedWord], claim: Phrase) -> StemmedWord | None:
    """What one denial falls on, when it is one of something that the claim has or that nothing is proved by."""
    denials = [at for at in range(len(clause)) if _is_denial(clause, at)]
    if len(denials) != 1 or _has_number(clause) or _presupposes(clause):
        return None
    if any(word.stem in _ENSURING for word in clause[: denials[0]]):
        return None  # "checks to ensure that it has not changed" denies nothing
    denial = clause[denials[0]]
    behind = next((word for word in clause[denials[0] + 1 :] if word.is_content), None)
    if behind is None or (denial.stem in claim.stems and not is_not(denial)):
        return None
    if denial.lower == "without" and behind.lower.endswith("ing") and behind.lower not in claim.lowers:
        return None  # "without making it longer" only adds how it is done
    is_of_noun = denial.lower in ("no", "without") and behind.stem not in _PROOFS
    return None if is_of_noun and not _has(claim.words, behind) else behind


def _is_denial(clause: Sequence[StemmedWord], at: int) -> bool:
    word, behind = clause[at], clause[at + 1].lower if at + 1 < len(clause) else ""
    if is_not(word):
        return not (word.code or word.lower == "non" or is_not_only(clause, at) or is_open(clause, at))
    return word.stem in _LACKING or (word.stem in _DENYING and behind in ("that", "to"))


def _is_taken_up(case: Case, clause: Sequence[StemmedWord]) -> bool:
    """True where what the clause denies of one is then said of another: ``sheep are not kept, but goats are``."""
    words = [word for word in case.context.stated.words if word.sentence == clause[0].sentence]
    others = [each for each in case.context.stated.clauses if each[0] in words and each[-1].lower in AUXILIARIES]
    return any(_has(each, word) for each in others for word in case.claim.content if each[-1] is not clause[-1])


def _presupposes(clause: Sequence[StemmedWord]) -> bool:
    """True for "nobody knows when it was sold", which says that it was."""
    return any(one.lower in _KNOWING and other.lower in _ASKING for one, other in pairwise(clause))


def _has_number(words: Sequence[StemmedWord]) -> bool:
    """True where so many are said not to: what is said of the others may be said of so many."""
    return any(word.is_number or word.lower in WORDS or word.lower in _PARTS for word in words)


def _doubts(clause: Sequence[StemmedWord], claim: Phrase) -> StemmedWord | None:
    """What a doubt falls on; a ``may`` that permits is none."""
    lowers = {word.lower for word in clause}
    if "must" in lowers:
        return None  # "may have blocks that must begin so"
    if any(map(is_not, clause)) or {"if", "unless"} & lowers or _presupposes(clause):
        return None
    hedges = HEDGES | APPEARS | DOUBTING
    if claim.lowers & _PERMITTING:
        hedges -= {"may"}
    for at, word in enumerate(clause):
        behind = clause[at + 1].lower if at + 1 < len(clause) else ""
        is_month = word.text == "May" and not word.begins
        is_aside = any(each.lower in _RELATIVE for each in clause[max(0, at - 3) : at])  # "a tool that one might run"
        if not (is_month or is_aside) and (
            (word.lower in hedges and not (word.lower in APPEARS and behind in _PLACING) and behind != "of")
            or (word.lower == "could" and behind in ("be", "have"))
        ):
            return next((each for each in clause[at + 1 :] if each.is_content), word)
    return None


def _says_otherwise(claim: Phrase, stated: Phrase) -> bool:
    """True where the claim has a word that may stand for a negation: same, until, or the opposite of a word there."""
    own = {word.stem for word in claim.words} - stated.stems
    if any(word.stem in own and _NEGATIVE.fullmatch(word.lower) for word in claim.words):
        return True
    return bool(own & _SAID_OTHERWISE) or any(OPPOSITES.get(each, frozenset()) & stated.stems for each in own)
