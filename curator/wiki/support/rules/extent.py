"""How far a statement goes: all, most, some or none of what the source speaks of, and which of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase
from curator.wiki.support.context import Case

_EACH_ONE = frozenset("all every".split())
_WEAKENING = ("not", "after", "almost", "nearly", "if", "above", "nor", "first")
_COUNTED = frozenset("two three four five six seven eight nine ten these those".split())
_OF_MANY = frozenset("many most some several few".split())
_AT_TIMES = frozenset(
    (
        "in some cases",
        "in many cases",
        "in most cases",
        "at times",
        "sometimes",
        "by default",
        "in theory",
        "usually",
        "typically",
        "normally",
    )
)
_ORDINALS = frozenset(map(stem, "second third fourth fifth sixth seventh eighth ninth tenth".split()))
_QUALIFIERS = _ORDINALS | frozenset(
    map(
        stem,
        "deputy vice assistant acting interim former planned proposed mock alleged suspected would-be rarely seldom hardly "
        "scarcely barely nearly almost".split(),
    )
)
"""Words that make another thing of what they stand before."""
_ENTIRE = frozenset(("all", "never", "always", "every"))
_SOME = frozenset("some several few".split())
_LOOSE = frozenset("may might can could at least among".split())
_PARTIAL = frozenset("some sometimes most many several few often usually partly mostly".split())
_RULING = frozenset("must shall".split())
"""Words with which a rule binds all of whom it speaks."""
_COPULAS = frozenset("are were must shall is".split())
_FAR = 4


def some_lost(case: Case) -> Iterator[str]:
    """``Keepers use thymol``, where the source says that some keepers do, in the same words."""
    yield from _many_to_all(case)
    yield from _qualifier_lost(case)
    flat = {word.lower for word in case.claim.words if word.text != "May"}
    if not case.is_verbatim or (_PARTIAL | _LOOSE) & flat:
        return
    some = [words for words in case.context.stated.sentences if len(words) > 1 and words[0].lower in _SOME]
    for said in case.claim.sentences:
        for words in some:
            told = {word.stem for word in said if word.tells}
            is_of_all = said[0].stem == words[1].stem and said[0].is_content and told <= {word.stem for word in words}
            if is_of_all and len(told) > 1:
                yield f"the source says {words[0].lower!r} of {words[1].text!r}, the claim says it of all"
                return


def _many_to_all(case: Case) -> Iterator[str]:
    """``All values are``, where the source says of the values that many are; ``never``, where it says: in some cases."""
    held = {word.stem: part.lower for part, word in pairwise(case.context.stated.words) if part.lower in _OF_MANY}
    every = {word.stem for part, word in pairwise(case.context.stated.words) if part.lower in _EACH_ONE}
    for all_, word in pairwise(case.claim.words):
        if (
            all_.lower in _EACH_ONE
            and word.stem in held
            and word.stem not in every
            and not _PARTIAL & case.claim.lowers
        ):
            yield f"the source says {held[word.stem]!r} of {word.text!r}, the claim {all_.lower!r}"
            return
    some = case.context.stated.says(_AT_TIMES)
    if (
        some
        and case.is_verbatim
        and case.claim.lowers & {"never", "always", "only"} - case.context.stated.lowers
        and not case.claim.says(_AT_TIMES)
    ):
        yield f"the source says {min(some)!r}"


def _qualifier_lost(case: Case) -> Iterator[str]:
    """``The mayor``, where the source says the deputy mayor; ``the longest`` for the second longest."""
    if not case.is_verbatim or "used" in case.claim.lowers:
        return
    held = {(word.stem, behind.stem) for word, behind in pairwise(case.context.stated.words)}
    bare = {behind for word, behind in held if word not in _QUALIFIERS}
    for word in case.claim.words:
        lost = next((each for each in sorted(_QUALIFIERS) if (each, word.stem) in held), "")
        is_bare = (
            lost
            and (word.is_content or word.lower in _ENTIRE)
            and word.stem not in bare
            and not _QUALIFIERS & case.claim.stems
        )
        if is_bare and (lost not in _ORDINALS or word.lower.endswith("est") or word.lower == "most"):
            yield f"the source says {lost!r} before {word.text!r}"
            return


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
    places = [at for at in range(len(words)) if words[at : at + len(term.split())] == term.split()]
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
