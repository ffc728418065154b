"""What is done, was once done, can be or is to be done: a claim keeps which of them its source says."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.stems import PAST
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.status import COMING, PLANNED

_BEFORE = frozenset(("before", "formerly", "until"))
_NEAR = 3
"""Words between "was" and the verb that it belongs to, at most."""
_DUTY = frozenset("has have is are was were needs need required obliged".split())
_NEEDS = frozenset("need needs require requires".split())
_DONE = frozenset("was were has have had been already".split())


def tense_turned(case: Case) -> Iterator[str]:
    """Something is done in the claim that the source only says will be done."""
    coming = {word.stem for word in _verbs_behind(case.context.stated, frozenset(("will", "shall")))}
    # "met" is no form of "meet" that a present or an infinitive could have
    irregular = {word.stem for clause in case.claim.clauses for word in clause if _is_irregular(word, coming, case)}
    planned = {word.stem for word in _planned(case.context.stated)}
    done = {word.stem for word in _verbs_behind(case.context.stated, _DONE)}
    needed = {word.sentence for word in case.claim.words if word.lower in _NEEDS}
    for clause in case.claim.clauses if not case.is_reworded else ():
        if any(word.lower in COMING for word in clause) or _has_to(clause):
            continue
        for before, word in zip((None, *clause), clause, strict=False):
            if before is not None and before.lower == "to":
                continue
            if word.sentence in needed and before is not None and before.lower not in _DONE:
                continue  # "it needs one mended oven"
            past = word.lower.endswith("ed") and word.stem in planned and word.lower not in case.context.stated.lowers
            past = past or (word.stem in irregular and word.lower not in case.context.stated.lowers)
            near = {each.lower for each in clause[max(0, clause.index(word) - _NEAR) : clause.index(word)]}
            is_done = near & _DONE and word.stem in coming | planned and _is_participle(word)
            if (past or is_done) and word.stem not in done and not _BEFORE & case.claim.lowers:
                yield f"the source says that {word.text!r} is to come, the claim says it is done"
                break
    yield from _to_be_done(case)


def _is_participle(word: StemmedWord) -> bool:
    return word.lower.endswith(("ed", "en")) or word.lower in PAST


def _to_be_done(case: Case) -> Iterator[str]:
    """``The oven: mended``, or ``was mended``, where the source says that it is to be mended."""
    stated = case.context.stated.words
    ahead = [[word.lower for word in stated[max(0, at - 3) : at]] for at in range(len(stated))]
    to_do = {
        word.stem for word, near in zip(stated, ahead, strict=True) if near[-2:] == ["to", "be"] and near[0] in _DUTY
    } - {word.stem for word, near in zip(stated, ahead, strict=True) if not _DONE.isdisjoint(near[-1:])}
    for clause in case.claim.clauses if to_do else ():
        for at, word in enumerate(clause):
            before = {each.lower for each in clause[max(0, at - _NEAR) : at]}
            is_open = before & {"to", "be", *NOT} or any(each.lower in COMING for each in clause)
            if word.stem in to_do and word.lower.endswith("ed") and not is_open and (before & _DONE or not at):
                yield f"the source says that it is to be {word.lower}, the claim says it is done"
                return


def _is_irregular(word: StemmedWord, coming: Container[str], case: Case) -> bool:
    """True for the ``met`` of ``will meet``."""
    before = {
        behind.lower: each.lower for each, behind in pairwise(case.context.stated.words) if behind.stem == word.stem
    }
    bent = word.lower.endswith(("s", "ing")) or any(word.lower[:3] == base[:3] for base in before)
    return word.stem in coming and not bent and {*before.values()} <= {"will", "shall"}


def _has_to(clause: Sequence[StemmedWord]) -> bool:
    """True for a duty: ``has to be reported``, ``are to be kept``."""
    return any(word.lower in _DUTY and behind.lower == "to" for word, behind in pairwise(clause))


def _planned(text: Phrase) -> Iterator[StemmedWord]:
    """The words behind ``planned to``, ``expected to`` or ``due to`` in their clause."""
    for clause in text.clauses:
        for at in range(1, len(clause)):
            if clause[at].lower in ("to", "for") and clause[at - 1].lower in PLANNED:
                yield from (word for word in clause[at + 1 : at + 3] if word.is_content)


def _verbs_behind(text: Phrase, auxiliaries: frozenset[str]) -> Iterator[StemmedWord]:
    for clause in text.clauses:
        for at, word in enumerate(clause):
            if word.lower in auxiliaries:
                near = clause[at + 1 : at + 6]
                verb = next((each for each in near if each.is_content and not each.lower.endswith("ly")), None)
                if verb is not None and not any(each.lower in NOT for each in near):
                    yield verb
