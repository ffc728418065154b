"""How far a statement goes: all, most, some or none of what the source speaks of, and which of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import NOT

_EACH_ONE = frozenset("all every".split())
_ALL = _EACH_ONE | {"each"}
_WHOLE = _ALL | {"any"}
_ALMOST = frozenset("almost nearly virtually practically".split())
_MOST = frozenset("most majority many some several few half".split())
_BETWEEN = frozenset("of the these those its their such".split())
_WEAKENING = ("not", "after", "almost", "nearly", "if", "above", "nor", "first")
_COUNTED = frozenset("two three four five six seven eight nine ten these those".split())
_PART = frozenset("some few half several most".split())
_MANY = frozenset("multiple many various numerous".split())
_PARTIAL = frozenset("some sometimes most many several few often usually partly mostly".split())
_RULING = frozenset("must shall".split())
"""Words with which a rule binds all of whom it speaks."""
_COPULAS = frozenset("are were must shall is".split())
_FAR, _REACH = 4, 3


def extent_changed(case: Case) -> Iterator[str]:
    """All where the source says some, most or such as do something; some where it says all; none where it says few."""
    yield from _none_of_most(case)
    yield from _part_of_all(case)
    yield from _all_of_most(case)


def is_ruled_for_all(case: Case) -> bool:
    """True where "all" says no more than a rule for many: ``The digests must be ...``, all are ..."""
    ruled = {
        thing.stem
        for sentence in case.context.stated.sentences
        for at, word in enumerate(sentence)
        if word.lower in _RULING and not _PARTIAL & {each.lower for each in sentence[:at]}
        for thing in sentence[max(0, at - 2) : at]
        if thing.lower.endswith("s") and thing.is_content and thing.clause == word.clause
    }
    if not ruled:
        return False
    for at, word in enumerate(case.claim.words):
        if word.lower in _EACH_ONE:
            near = [each for each in case.claim.words[at + 1 : at + 1 + _FAR] if each.clause == word.clause]
            things = {each.stem for each in near if each.is_content}
            stands_alone = word.lower == "all" and bool(near) and near[0].lower in _COPULAS
            if not (stands_alone or things & ruled):
                return False
    return True


def has_superlative(text: Phrase) -> bool:
    """True for ``the most``, ``the largest``: of no other one can that be said."""
    return any(
        before.lower in ("the", "most") and (word.lower.endswith(("est", "most")) or before.lower == "most")
        for before, word in pairwise(text.words)
    )


def is_weakened(claim: Phrase, term: str) -> bool:
    """True for ``not all``, ``nearly always``, and what is no quantifier: ``after all``, ``at all``, ``all three``."""
    words = claim.flat.split()
    first = term.split()[0]
    places = [at for at, word in enumerate(words) if word == first]
    before = [words[at - 1] if at else "" for at in places]
    if (
        first != "all"
        and places
        and all({"not", "never", "nor", "cannot"} & {*words[max(0, at - 3) : at]} for at in places)
    ):
        return True
    behind = [words[at + 1] if at + 1 < len(words) else "" for at in places]
    if first == "all" and all(word in _COUNTED or word.isdecimal() for word in behind):
        return True
    weak = (*_WEAKENING, "at") if first == "all" else _WEAKENING if first != "at" else ()
    return bool(before) and all(word in weak or word.endswith("n't") for word in before) and first != "at"


def _none_of_most(case: Case) -> Iterator[str]:
    """None of something, where the source speaks of most or some of it."""
    some = {
        thing.stem: word.lower
        for at, word in enumerate(case.context.stated.words)
        if word.lower in ("most", "majority", "some", "many", "several", "few")
        for thing in case.context.stated.words[at + 1 : at + 4]
        if thing.is_content and thing.clause == word.clause
    }
    for at, word in enumerate(case.claim.words):
        things = [
            thing for thing in case.claim.words[at + 1 : at + 4] if thing.is_content and thing.clause == word.clause
        ]
        found = next((some[thing.stem] for thing in things if thing.stem in some), "")
        is_of_most = found in ("most", "majority") and not case.context.stated.lowers & {"no", "none", "nobody"}
        if word.lower in ("no", "none") and found and (is_of_most or not case.context.stated.lowers & NOT):
            yield f"the source says {found!r} where the claim says {word.lower!r}"
            return


def _part_of_all(case: Case) -> Iterator[str]:
    """Only some of something, where the source speaks of all of it."""
    stated = case.context.stated
    whole = {thing.stem: word.lower for word, thing in _quantified(stated, _WHOLE) if not _is_under_not(stated, word)}
    bounded = {thing.stem for _, thing in _quantified(stated, _PART)}
    many = {thing.stem for _, thing in _quantified(stated, _MANY)}
    for word, thing in _quantified(case.claim, _PART):
        if word.lower == "several" and thing.stem in many and "than" not in case.claim.lowers:
            continue
        if thing.stem in whole and thing.stem not in bounded and not _WHOLE & case.claim.lowers:
            yield f"the source says {whole[thing.stem]!r} of {thing.text!r}, the claim says {word.lower!r}"
            return


def _is_under_not(text: Phrase, word: StemmedWord) -> bool:
    """True for ``not on all of them``."""
    at = text.words.index(word)
    return any(each.lower in NOT and each.clause == word.clause for each in text.words[max(0, at - _FAR) : at])


def _quantified(text: Phrase, quantifiers: frozenset[str]) -> Iterator[tuple[StemmedWord, StemmedWord]]:
    """Every word of ``quantifiers`` with each of the next content words of its clause."""
    for at, word in enumerate(text.words):
        is_bound = at > 0 and text.words[at - 1].lower == "at"  # "at most"
        near = text.words[at + 1 : at + 1 + _FAR] if word.lower in quantifiers and not is_bound else ()
        yield from ((word, thing) for thing in near if thing.is_content and thing.clause == word.clause)


def _all_of_most(case: Case) -> Iterator[str]:
    """All of something, where the source speaks of most of it, or only of such of it as are somewhere or do something."""
    stated, claim = case.context.stated, case.claim
    if claim.lowers & _MOST:
        return
    almost = {thing.stem for _, thing in _counted(stated, _ALL, after=_ALMOST)}
    whole = {thing.stem for _, thing in _counted(stated, _ALL)} - almost
    for word, thing in _counted(claim, _ALL):
        behind = claim.words[claim.words.index(word) + 1]
        if f" {word.lower} {behind.lower} " in stated.flat and thing.stem not in almost:
            continue  # "tests that run for every version", of which the source speaks so
        if thing.stem in almost and not claim.lowers & _ALMOST:
            yield f"the source says 'almost all' of {thing.text!r} where the claim says {word.lower!r}"
            return
        if thing.stem in whole:
            continue
        most = next((part.lower for part, each in _counted(stated, _MOST) if each.stem == thing.stem), "")
        if most:
            yield f"the source says {most!r} of {thing.text!r} where the claim says {word.lower!r}"
            return


def _counted(
    text: Phrase, quantifiers: frozenset[str], after: frozenset[str] = frozenset()
) -> Iterator[tuple[StemmedWord, StemmedWord]]:
    """Every word of ``quantifiers``, right behind one of ``after``, with the thing it counts: a noun right behind it."""
    for at, word in enumerate(text.words):
        if after and not (at and text.words[at - 1].lower in after):
            continue
        near = text.words[at + 1 : at + 2 + _REACH] if word.lower in quantifiers else ()
        run: list[StemmedWord] = []
        for each in near:
            if each.clause != word.clause or not (each.is_content or (each.lower in _BETWEEN and not run)):
                break
            run += [each] if each.is_content else []
        plural = [each for each in run if each.lower.endswith("s")]
        if run:
            yield word, (plural[0] if plural else run[0])
