"""The two sides of a comparison, and two names, that have changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, takewhile

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules import measured

_NO_DEGREES = frozenset("rather other whether either neither another".split())
_TIMES = frozenset(("later", "earlier", "sooner"))
"""Words that tell a time, and compare only with a ``than``."""
_LIGHT = frozenset(("find", "make"))
"""Verbs of ``was found to make more sense``, which are of neither side."""
_ARTICLES = frozenset(("the", "a", "an"))
_IN_ORDER = frozenset("respectively former latter then order".split())
_MANY_NAMES = 30
"""Names of a sentence in which nobody looks for two that changed places."""


def sides_swapped(case: Case) -> Iterator[str]:
    """In "A is more than B" the two sides have changed places."""
    pairs = list(compared_pairs(case.context.stated, case.claim))
    for one, other in pairs:
        if any(each == other for each, _ in pairs):
            continue
        if one.degree == other.degree and are_swapped(one, other):
            yield f"the sides of the comparison ({other.degree}) have changed places"
            return
    yield from measured.turned(case)


def places_swapped(case: Case) -> Iterator[str]:
    """Two names stand in the order of the source's sentence only when they change places."""
    claim = [word for word in case.claim.words if word.tells]
    compares = "than" in case.claim.lowers  # the two sides of a comparison need be no names
    if "by" in case.claim.lowers or {"from", "to"} <= case.claim.lowers or len(claim) < 4 or case.is_reworded:
        return
    names = [at for at, word in enumerate(claim) if compares or word.code or word.is_number or word.text[0].isupper()]
    mine = [word.stem for word in claim]
    for sentence in case.context.stated.sentences:
        theirs = [word.stem for word in sentence if word.tells]
        differs = compares and _degrees(sentence) != _degrees(case.claim.words)
        joined = _joined(sentence)
        if differs or any(word.lower == "by" for word in sentence) or (joined and joined == _joined(case.claim.words)):
            continue
        once = [at for at in names if mine.count(mine[at]) == theirs.count(mine[at]) == 1]
        for first, second in combinations(once[:_MANY_NAMES], 2):
            if not _fits_swapped(mine, theirs, first, second):
                continue
            is_alike = any(word.lower == "same" for word in sentence)  # A has the same as B, and B as A
            if not is_alike and not _is_bound(case.claim.words, sentence, claim[first], claim[second]):
                yield f"{claim[first].text!r} and {claim[second].text!r} have changed places"
                return


def _joined(words: Sequence[StemmedWord]) -> frozenset[tuple[str, ...]]:
    """The two names that the one ``and`` of a sentence joins at its beginning or end, where nothing tells their order."""
    ands = [at for at, word in enumerate(words) if word.lower == "and"]
    if len(ands) != 1 or any(word.lower in _IN_ORDER for word in words):
        return frozenset()
    before = [*takewhile(_is_of_name, reversed(words[: ands[0]]))][::-1]
    behind = [*takewhile(_is_of_name, words[ands[0] + 1 :])]
    rest = words[ands[0] + 1 + len(behind) :]
    is_first = len(before) == ands[0] and bool(behind) and bool(rest) and rest[0].clause == behind[-1].clause
    names = [tuple(word.stem for word in name if word.is_content) for name in (before, behind)]
    return frozenset(names) if all(names) and (is_first or not rest) else frozenset()


def _is_of_name(word: StemmedWord) -> bool:
    return word.lower in _ARTICLES or (word.text[0].isupper() and word.is_content)


def _degrees(words: Sequence[StemmedWord]) -> frozenset[str]:
    """The ``than`` of a comparison, and what is compared: more, less, older."""
    return frozenset(
        word.lower for word in words if word.lower in ("than", "more", "less") or word.lower.endswith("er")
    )


def _is_bound(
    claim: Sequence[StemmedWord], sentence: Sequence[StemmedWord], one: StemmedWord, two: StemmedWord
) -> bool:
    """True where each has the small word before it that it has in the source, and not the other's: per 100, in 300."""
    ours = {behind.stem: before.lower for before, behind in pairwise(claim) if behind in (one, two)}
    theirs = {behind.stem: before.lower for before, behind in pairwise(sentence) if behind.stem in (one.stem, two.stem)}
    small = {before.lower for before in claim if not before.is_content and not before.is_number}
    return ours == theirs and len({*ours.values()} & small) == 2


@dataclass(frozen=True)
class _Comparison:
    """``left is more than right``, by stems."""

    degree: str
    left: frozenset[str]
    right: frozenset[str]


def compared_pairs(stated: Phrase, claim: Phrase) -> Iterator[tuple[_Comparison, _Comparison]]:
    """Every comparison of the source that has both sides with every one of the claim."""
    yield from ((one, other) for one in _comparisons(stated) if one.right for other in _comparisons(claim))


def are_swapped(one: _Comparison, other: _Comparison) -> bool:
    only_left, only_right = one.left - one.right, one.right - one.left
    if other.right:  # the verb may stand on either left side
        return bool(other.left & only_right and other.right & only_left and not other.right & only_right)
    return bool(other.left & only_right and not other.left & only_left)


def _comparisons(text: Phrase) -> Iterator[_Comparison]:
    """Every comparison in a clause; where no ``than`` follows, without its right side."""
    for clause in _without_brackets(text):
        for at, word in enumerate(clause):
            is_more = word.lower in ("more", "less") and at + 1 < len(clause)
            than = next((place for place in range(at, len(clause)) if _is_than(clause, place)), None)
            is_degree = word.lower.endswith("er") and word.lower not in _NO_DEGREES
            is_degree = is_degree and (than is not None or word.lower not in _TIMES)
            if not is_more and not (is_degree and (word.stem in OPPOSITES or than == at + 1)):
                continue
            side = measured.left_side(clause, at, than)
            left = frozenset(each.stem for each in side if each.tells and each.stem not in _LIGHT)
            behind = clause[than + 1 :] if than else ()
            right = frozenset(each.stem for each in behind if each.tells)
            degree = f"{word.lower} {clause[at + 1].lower}" if is_more else word.lower
            yield _Comparison(degree, left, right)


def _is_than(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for a ``than``, and not for that of ``rather than``."""
    return clause[at].lower == "than" and clause[at - 1].lower not in _NO_DEGREES


def _without_brackets(text: Phrase) -> Iterator[list[StemmedWord]]:
    """The clauses of a text, each going on behind what stands in brackets."""
    for sentence in text.sentences:
        found: list[StemmedWord] = []
        is_aside, last = False, sentence[0].clause
        for word in sentence:
            closes = is_aside and word.after == ")"
            is_aside = word.after == "(" or (is_aside and not closes)
            if not is_aside and not closes and word.clause != last and found:
                yield found
                found = []
            if not is_aside:
                found.append(word)
                last = word.clause
        yield found


def _fits_swapped(mine: list[str], theirs: list[str], first: int, second: int) -> bool:
    """True when all that is shared is in order once both names, which stand once on either side, change places."""
    one, two = mine[first], mine[second]
    if one.startswith(two) or two.startswith(one):
        return False
    if second == first + 1 or theirs.index(one) < theirs.index(two):
        return False
    swapped = list(mine)
    swapped[first], swapped[second] = two, one
    before, after = _in_order(mine, theirs), _in_order(swapped, theirs)
    return after >= before + 2 and after == sum(word in theirs for word in mine)


def _in_order(mine: list[str], theirs: list[str]) -> int:
    """The length of the longest run of words that stand in both in the same order."""
    row = [0] * (len(theirs) + 1)
    for word in mine:
        last = row
        row = [0]
        for at, other in enumerate(theirs):
            row.append(last[at] + 1 if word == other else max(last[at + 1], row[at]))
    return row[-1]
