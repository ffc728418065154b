"""What stands on the two sides of a word that tells one side from the other: a verb, ``before``, ``if``, ``rather than``.

All the words of such a claim stand in the source. A pivot that both have turns the claim round when its sides have changed
places: what stood next before it stands behind it, and what stood next behind it before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not
from curator.wiki.support.rules.roles import is_passive, is_verb

_TELLING = frozenset("before after until unless if because without then".split())
"""Words whose two sides are not alike; ``than`` has a rule of its own."""
_CONVERSE = {
    "because": frozenset(("so", "therefore", "hence")),
    "so": frozenset(("because",)),
    "therefore": frozenset(("because",)),
    "hence": frozenset(("because",)),
}
"""Words that say the same when the sides have changed places."""
_FILLED = frozenset(("of", "than"))
"""Words that belong to ``instead`` and ``rather``."""
_LATER = frozenset("later then afterwards afterward subsequently next finally".split())
_BETWEEN = frozenset(
    "the a an this that these those its their is are was were be been being has have had do does did not to also just "
    "very quite already".split()
)
"""Words that may stand between a pivot and what is on its side."""
_PERSONS = frozenset("i we you they he she it one who".split())
_RELATIVE = frozenset(("who", "which"))
_NEAREST, _REACH = 2, 6
"""Content words of a claim's side, and of a source's."""
_MANY = 400
"""Words of a sentence in which nobody looks for sides."""


@dataclass(frozen=True)
class _Pivot:
    """A word that both have, with the words before it and behind it, the nearest first."""

    key: str
    text: str
    left: tuple[StemmedWord, ...]
    right: tuple[StemmedWord, ...]
    negated: bool

    def crosses(self, other: _Pivot) -> bool:
        """True where what stands next to it on one side here stands on the other there, on both sides."""
        lefts, rights = _without_shared(self.left, other.left), _without_shared(self.right, other.right)
        mine, theirs = (_things(lefts[0], _NEAREST), _things(rights[0], _NEAREST)), (lefts[1], rights[1])
        before, behind = (_things(words, _REACH) for words in theirs)
        if not (mine[0] and mine[1] and before and behind):
            return False
        is_crossed = {*mine[0]} & {*behind} and {*mine[1]} & {*before}
        return bool(is_crossed) and mine[0][0] not in before and mine[1][0] not in behind

    def follows(self, other: _Pivot) -> bool:
        """True where most of what both sides tell is on the same side of the other."""
        for mine, theirs in ((self.left, other.left), (self.right, other.right)):
            told, held = ({word.stem for word in words if word.is_content} for words in (mine, theirs))
            if len(told) < 2 or 3 * len(told & held) < 2 * len(told):
                return False
        return True


def pivot_turned(case: Case) -> Iterator[str]:
    """What stands before and behind a word that both have has changed places."""
    theirs = [each for sentence in case.context.stated.sentences for each in _pivots(sentence)]
    for mine in (each for sentence in case.claim.sentences for each in _pivots(sentence)):
        same = [each for each in theirs if each.key == mine.key]
        if same and all(mine.crosses(each) and mine.negated == each.negated for each in same):
            yield f"what stands on the two sides of {mine.text!r} has changed places"
            return
        if any(mine.follows(each) for each in theirs if each.key in _CONVERSE.get(mine.key, ())):
            yield f"{mine.text!r} turns round what comes of what"
            return
    yield from _sooner_than_later(case)


def _pivots(sentence: Sequence[StemmedWord]) -> Iterator[_Pivot]:
    for at in range(1, len(sentence) - 1) if len(sentence) <= _MANY else ():
        key, last = _key(sentence, at)
        left, right = _side(_antecedent(sentence, at)[::-1]), _side(sentence[last + 1 :])
        if key and left and right and not sentence[at].lower.endswith("ly"):
            negated = key.startswith(("active", "passive")) and any(
                is_not(word) for word in sentence if word.clause == sentence[at].clause
            )
            yield _Pivot(key, " ".join(word.text for word in sentence[at : last + 1]), left, right, negated)


def _key(sentence: Sequence[StemmedWord], at: int) -> tuple[str, int]:
    """What the pivot at ``at`` is compared by, and its last place; an empty key for none."""
    word, behind = sentence[at], sentence[at + 1].lower
    joins = word.lower != "so" or (word.after in (",", ";") and behind not in ("that", "far", "as"))  # "doing so"
    if word.lower in _TELLING or (word.lower in _CONVERSE and joins):
        return word.lower, at
    if word.lower in ("instead", "rather") and behind in _FILLED:
        return "instead", at + 1
    if word.is_content and not word.code and behind == "of":
        return f"{word.stem} of", at + 1
    if is_verb(sentence, at) and behind not in ("and", "or"):
        return f"{'passive' if is_passive(sentence, at) else 'active'} {word.stem}", at
    return "", at


def _antecedent(sentence: Sequence[StemmedWord], at: int) -> Sequence[StemmedWord]:
    """What stands before the pivot; of ``Ingrid Holst, who took over``, what the ``who`` stands for."""
    opens = at > 1 and sentence[at - 1].lower in _RELATIVE and sentence[at - 1].clause != sentence[at - 2].clause
    return sentence[: at - 1] if opens else sentence[:at]


def _side(near: Sequence[StemmedWord]) -> tuple[StemmedWord, ...]:
    """The words of the nearest clause."""
    return tuple(takewhile(lambda word: word.clause == near[0].clause, near)) if near else ()


def _without_shared(
    mine: Sequence[StemmedWord], theirs: Sequence[StemmedWord]
) -> tuple[Sequence[StemmedWord], Sequence[StemmedWord]]:
    """Both without the words next to the pivot that are the same."""
    ours, others = ([word for word in words if word.lower not in _BETWEEN] for words in (mine, theirs))
    shared = sum(1 for _ in takewhile(lambda pair: pair[0].stem == pair[1].stem, zip(ours, others, strict=False)))
    return ours[shared:], others[shared:]


def _things(words: Sequence[StemmedWord], most: int) -> list[str]:
    """The stems of the first words of a side that say something; none behind a pronoun, which stands for others."""
    told = takewhile(lambda word: word.lower not in _PERSONS, words)
    return [word.stem for word in told if (word.is_content or word.is_number) and not word.lower.endswith("ly")][:most]


def _sooner_than_later(case: Case) -> Iterator[str]:
    """``B before A``, where the source tells of A, and then says: later, B; a name that both have tells nothing."""
    seen: set[str] = set()
    for sentence in case.context.stated.sentences:
        at = next((at for at, word in enumerate(sentence) if word.lower in _LATER), -1)
        names = [word.stem for word in sentence if _is_name(word)]
        later = {word.stem for word in sentence[at:] if at >= 0 and _is_name(word)}
        sooner = seen | {word.stem for word in sentence[: max(at, 0)] if _is_name(word)}
        late, early = later - sooner, sooner
        for text, first, second in _orders(case.claim):
            if (first - second) & late and (second - first) & early and not ((first - second) & early):
                yield f"{text!r} turns round what the source says came later"
                return
        seen |= {*names}


def _orders(claim: Phrase) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Every ``before`` and ``after`` of the claim, with the names of what came first and of what came second."""
    for each in (each for sentence in claim.sentences for each in _pivots(sentence)):
        left, right = (frozenset(word.stem for word in side if _is_name(word)) for side in (each.left, each.right))
        if each.key in ("before", "after"):
            yield each.text, *((left, right) if each.key == "before" else (right, left))


def _is_name(word: StemmedWord) -> bool:
    return word.code or word.is_number or (word.text[0].isupper() and word.is_content and not word.begins)
