"""How far a statement goes: all, most, some or none of what the source speaks of, and which of them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise

from curator.wiki.english.words import Phrase
from curator.wiki.support.case import Case
from curator.wiki.support.rules.qualifiers import RESERVED

_EACH_ONE = frozenset("all every".split())
_WEAKENING = ("not", "after", "almost", "nearly", "if", "above", "nor", "first")
_COUNTED = frozenset("two three four five six seven eight nine ten these those".split())
_SOMETIMES = frozenset(
    "in some cases,in many cases,in most cases,at times,sometimes,usually,typically,normally".split(",")
) | frozenset(map(" ".join, RESERVED))
_UNBOUND = frozenset("never always only".split())
_SOME = frozenset("some several few".split())
_LOOSE = frozenset("may might can could at least among".split())
_PARTIAL = frozenset("some sometimes most many several few often usually partly mostly".split())


def some_lost(case: Case) -> Iterator[str]:
    """``All values are``, where the source says of the values that many are; ``never``, where it says: in some cases;
    ``keepers`` for some keepers.
    """
    stated, claim = case.context.stated, case.claim
    held = {(part.lower, word.stem) for part, word in pairwise(stated.words)}
    is_bounded = bool(_PARTIAL & claim.lowers)
    for all_, word in pairwise(claim.words):
        some = sorted(part for part in _PARTIAL if (part, word.stem) in held)
        if (
            all_.lower in _EACH_ONE
            and some
            and not is_bounded
            and not any((each, word.stem) in held for each in _EACH_ONE)
        ):
            yield f"the source says {some[0]!r} of {word.text!r}, the claim {all_.lower!r}"
            return
    if not case.is_verbatim:
        return
    some = sorted(stated.says(_SOMETIMES))
    if some and (claim.lowers - stated.lowers) & _UNBOUND and not claim.says(_SOMETIMES):
        yield f"the source says {some[0]!r}"
    elif not is_bounded and not any(word.lower in _LOOSE and word.text != "May" for word in claim.words):
        yield from _some_before(case, held)


def _some_before(case: Case, held: Set[tuple[str, str]]) -> Iterator[str]:
    """What opens a sentence of the claim, where the source has it only behind the ``some`` that opens its own."""
    whole = [words for words in case.context.stated.sentences if case.told <= {word.stem for word in words}]
    opens = {words[0].lower for words in whole} & _SOME
    for word in case.claim.words:
        before = {part for part, stem in held if stem == word.stem}
        if word.begins and word.is_content and before and before <= opens:
            yield f"the source says {min(before)!r} of {word.text!r}"
            return


def is_ruled_for_all(case: Case) -> bool:
    """True where "all" says no more than a rule for many: ``The digests must be ...``, all are ..."""
    pairs = (pair for sentence in case.context.stated.sentences for pair in pairwise(sentence))
    ruled = {thing.stem for thing, word in pairs if word.lower in ("must", "shall") and thing.lower.endswith("s")}
    words = case.claim.words
    near = {each.stem for at, word in enumerate(words) if word.lower in _EACH_ONE for each in words[at + 1 : at + 3]}
    return not ruled.isdisjoint(near) and not _PARTIAL & case.context.stated.lowers


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
