"""Clauses of the same words, one of which has a "not" more or less, or a "few"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_not, is_only_but, is_open, is_unreal, shown

_AT_BOUNDS = frozenset(("most", "least"))
_JUST = frozenset("just only merely but".split())
_INSTEAD = frozenset(("rather", "instead"))
"""Words that say "not" of what they stand before."""

_SELDOM = frozenset("few seldom rarely hardly scarcely barely".split())
_LITTLE = frozenset("little rare only some sometimes infrequent infrequently uncommon unlikely scarce minority".split())


def as_many(case: Case) -> Iterator[str]:
    """``With a key it does not run``: the very words of a sentence that has one "not" more or less, or a "few"."""
    told = case.told
    mine, known = sum(map(is_not, case.claim.words)), case.context.known.stems
    for words in case.context.stated.sentences if len(case.claim.sentences) == 1 and told else ():
        theirs = {word.stem for word in words if word.is_content} - known
        flat = f" {' '.join(word.lower for word in words)} "
        every = " not every " in flat or " not all " in flat
        few = frozenset() if " a few " in flat else _SELDOM.intersection(word.lower for word in words)
        if told <= theirs and every and case.claim.words[0].lower in ("no", "none", "nobody"):
            yield "the source says 'not every' where the claim says none"
            return
        if theirs == told and few and case.claim.lowers.isdisjoint(_SELDOM | _LITTLE) and not mine:
            yield f"the source says {min(few)!r} of it"
            return


def is_set_off(claim: Phrase, stated: Phrase) -> bool:
    """True where both set the same things against each other: ``not the whole gate, just the lock``; and for a claim that
    denies of B what the source says of A ``unlike B``.
    """
    theirs = [*_set_against(stated)]
    if any(one <= other and rest <= others for one, rest in _set_against(claim) for other, others in theirs):
        return True
    denial = next((at for at, word in enumerate(claim.words) if is_not(word)), 0)
    unlike = _behind_unlike(stated)
    denied_of = {word.stem for word in claim.words[:denial]} - _behind_unlike(claim)
    return not unlike.isdisjoint(denied_of) and not any(map(is_not, stated.words))


def _set_against(text: Phrase) -> Iterator[tuple[set[str], set[str]]]:
    """What is denied, and what stands in its place: ``not adding the whole gate, just the lock``."""
    for clause, behind in pairwise(text.clauses):
        denial = next((at for at, word in enumerate(clause) if is_not(word)), len(clause))
        one, rest = ({word.stem for word in words if word.is_content} for words in (clause[denial:], behind))
        if one and rest and behind[0].lower in _JUST:
            yield one, rest


def _behind_unlike(text: Phrase) -> set[str]:
    clauses = (clause[1:] for clause in text.clauses if clause[0].lower == "unlike")
    return {word.stem for clause in clauses for word in clause if word.is_content}


def same_but_not(claim: Phrase, stated: Phrase) -> Iterator[str]:
    """A clause of the claim has the very content words of one of the source's, and only one of them a "not"."""
    theirs: dict[frozenset[str], list[Sequence[StemmedWord]]] = {}
    for clause in stated.clauses:
        theirs.setdefault(frozenset(word.stem for word in clause if word.is_content), []).append(clause)
    for clause in claim.clauses:
        words = frozenset(word.stem for word in clause if word.is_content)
        others = theirs.get(words, ())
        if len(words) < 2 or not others or any(_denials(clause) % 2 == _denials(each) % 2 for each in others):
            continue
        if any(_denies_alike(clause, each) for each in stated.clauses):
            continue
        denied = set() if any(map(_denials, others)) else _denied(clause)
        if denied and denied <= _denied(stated.words):
            continue  # "in which z is not 0", of ", where z is not 0"
        if clause[0].lower == "without" and "without" in stated.lowers and _denials(clause) > 1:
            continue  # "without a key it does not run", of a sentence with a comma behind the key
        other = others[-1]
        if clause[0].lower == "nor" and other[0].lower in ("or", "nor"):
            continue  # behind brackets: "neither drops (live ones) nor calls" is "no drops (live ones) or calls"
        if _denials(other) and goes_on_denied(other):
            continue
        if any(word.lower in _INSTEAD for word in (*clause, *other)):
            continue
        bounds = [{word.lower for word in each} & _AT_BOUNDS for each in (clause, other)]
        if bounds[0] != bounds[1]:
            continue  # "no more than ten" is "at most ten"
        if "until" not in claim.lowers and any(word.lower == "until" for word in other):
            continue  # what was not so until a day is so from then on
        behind = next((word for word in stated.words if word.clause > other[0].clause), None)
        if behind is None or behind.after != ":" or not is_not(behind):  # "Missing values: none"
            yield f"the claim and the source differ in a negation: {shown(clause)!r}"


def goes_on_denied(words: Sequence[StemmedWord]) -> bool:
    """True for ``is not new and rusting``: what is behind the "and" may be denied, too."""
    behind = (at for at, word in enumerate(words) if at > 1 and word.lower.endswith("ing"))
    return any(words[at - 1].lower in ("and", "or") and any(map(is_not, words[:at])) for at in behind)


def _denies_alike(clause: Sequence[StemmedWord], other: Sequence[StemmedWord]) -> bool:
    """True when both deny, and ``other`` has half of the words of ``clause``, three at least: it is where they are from."""
    words = {word.stem for word in clause if word.is_content}
    shared = words & {word.stem for word in other}
    both = _denials(clause) % 2 and _denials(other) % 2
    return bool(both) and len(shared) > 2 and 2 * len(shared) >= len(words)


def _denied(words: Sequence[StemmedWord]) -> set[str]:
    """The words that a "not" stands before."""
    return {behind.stem for word, behind in pairwise(words) if is_not(word)}


def _denials(clause: Sequence[StemmedWord]) -> int:
    joined = {"nor"} if any(word.lower == "neither" for word in clause) else set()  # "neither ... nor" denies once
    unreal = any(word.is_content and is_unreal(clause[:at], word) for at, word in enumerate(clause))
    return unreal + sum(
        is_not(word) and word.lower not in joined and not is_open(clause, at) and not is_only_but(clause, at)
        for at, word in enumerate(clause)
    )
