"""Two things that a text sets against each other: what came first and what later, what is chosen and what is not.

A claim may say so with another word than its source: ``before`` for ``after``, ``once`` or ``then``, ``not`` for ``rather
than``. Both sides are compared by the words that only one of them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.stems import PAST
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not

_EARLIER = frozenset("before until till".split())
"""Words behind which the later of two stands."""
_LATER = frozenset("after once since".split())
"""Words behind which the earlier of two stands."""
_FOLLOWS = frozenset("follow follows followed".split())
_PRECEDES = frozenset("precede precedes preceded".split())
_NOT_INSTEAD = frozenset(("rather", "instead"))
_HALVING = frozenset((";", "—", "–"))
_TIMED = _EARLIER | _LATER | frozenset("then when while earlier later first previously already had having".split())
_POINTING = frozenset(("that", "this", "these", "those", "which"))
"""Words that stand for what was told before: ``and after that the lock is taken``."""
_ASIDE = frozenset("with in on at by for under".split())
"""Words that begin what stands between commas within a clause."""
_MANY = 200
"""Words of a sentence that nobody looks through."""
_FEWEST = 2
"""Words that have changed sides, at least."""


@dataclass(frozen=True)
class _Pair:
    """``one`` came before ``other``, or was chosen over it: the words that only one of the two has, by stem."""

    kind: str
    one: frozenset[str]
    other: frozenset[str]
    denials: int

    @classmethod
    def of(cls, kind: str, one: Sequence[StemmedWord], other: Sequence[StemmedWord]) -> _Pair:
        first, second = _stems(one), _stems(other)
        return cls(kind, first - second, second - first, sum(map(is_not, (*one, *other))))

    def is_turned(self, theirs: _Pair) -> bool:
        """True when each side has words of the source's other side, and next to none of its own."""
        if self.denials % 2 != theirs.denials % 2:
            return False
        if self.kind == "choice":  # what else is said is said of the one that is chosen
            return bool(self.one & theirs.other and self.other & theirs.one and not self.other & theirs.other)
        if any(OPPOSITES.get(word, frozenset()) & theirs.other for word in self.one):
            return False  # "open until it is done" is "closed once it is done"
        crossed = len(self.one & theirs.other), len(self.other & theirs.one)
        kept = len(self.one & theirs.one) + len(self.other & theirs.other)
        is_most = sum(crossed) >= _FEWEST + kept and sum(crossed) > 2 * kept
        return min(crossed) > 0 and is_most

    def is_kept(self, theirs: _Pair) -> bool:
        return bool(self.one & theirs.one) and bool(self.other & theirs.other)


def events_turned(case: Case) -> Iterator[str]:
    """What the source says came first came later in the claim; what it rejects is what the claim says is chosen."""
    mine = [pair for sentence in case.claim.sentences for pair in _pairs(sentence)]
    if len(mine) > 1:
        return  # what each of them sets against the other nobody can tell without a grammar
    theirs = [pair for sentence in case.context.stated.sentences for pair in _pairs(sentence)] if mine else []
    for pair in mine:
        same = [each for each in theirs if each.kind == pair.kind]
        if any(map(pair.is_turned, same)) and not any(map(pair.is_kept, same)):
            told = "which of two came first" if pair.kind == "time" else "which of two is so, and which is not"
            yield f"the claim turns round {told}"
            return
    yield from _told_in_order(case, [pair for pair in mine if pair.kind == "time"])


def _told_in_order(case: Case, claimed: Sequence[_Pair]) -> Iterator[str]:
    """``kept before they were compared``, where the source goes on from one to the next: we compared and kept them."""
    for pair in claimed:
        for sentence in case.context.stated.sentences:
            if _TIMED & {word.lower for word in sentence} or any(word.lower.endswith("ing") for word in sentence):
                continue
            one, other = (_places(sentence, side) for side in (pair.one, pair.other))
            is_joined = "and" in {word.lower for word in sentence[min(other, default=0) : max(one, default=0)]}
            if one and other and max(other) < min(one) and is_joined:
                yield "the source tells of the two in the other order"
                return


def _places(sentence: Sequence[StemmedWord], stems: frozenset[str]) -> list[int]:
    """Where the verbs of ``stems`` that tell of the past stand."""
    return [
        at
        for at, word in enumerate(sentence)
        if word.stem in stems and (word.lower.endswith("ed") or word.lower in PAST)
    ]


def _pairs(sentence: Sequence[StemmedWord]) -> Iterator[_Pair]:
    for words in _halves(sentence) if len(sentence) <= _MANY else ():
        is_condition = "if" in {word.lower for word in words}
        for at, word in enumerate(words):
            behind = words[at + 1].lower if at + 1 < len(words) else ""
            says_when = word.lower in _EARLIER | _LATER and not (word.lower == "since" and word.after == ",")
            if (says_when and behind not in _POINTING) or (word.lower == "soon" and behind == "as"):
                main, sub = _sides(words, at)
                yield _Pair.of("time", *((main, sub) if word.lower in _EARLIER else (sub, main)))
            elif word.lower == "then" and at and not is_condition:
                yield _Pair.of("time", words[:at], _clause(words, at)[1:])
            elif word.lower in _FOLLOWS | _PRECEDES and at:
                is_first = (word.lower in _PRECEDES) != (behind == "by")
                yield _Pair.of("time", *((words[:at], words[at + 1 :]) if is_first else (words[at + 1 :], words[:at])))
            elif word.lower in _NOT_INSTEAD and behind in ("than", "of"):
                main, sub = _sides(words, at)
                yield _Pair.of("choice", main, sub)
            elif word.lower == "not" and at and (word.after == "," or words[at - 1].lower in ("and", "but")):
                yield _Pair.of("choice", words[: at - (not word.after)], _clause(words, at)[1:])


def _halves(sentence: Sequence[StemmedWord]) -> Iterator[Sequence[StemmedWord]]:
    ends = [at for at, word in enumerate(sentence) if at and word.after in _HALVING]
    yield from (sentence[start:end] for start, end in pairwise((0, *ends, len(sentence))))


def _sides(words: Sequence[StemmedWord], at: int) -> tuple[Sequence[StemmedWord], Sequence[StemmedWord]]:
    """The words of the main clause, and of what the word at ``at`` begins: ``after A, B`` or ``B after A``."""
    sub = _clause(words, at)
    opens = at == 0 or words[at].clause != words[at - 1].clause
    behind = words[at + len(sub) :]
    if opens and behind and _is_short(words[:at]):
        return _clause(behind, 0), sub[1:]
    before = words[:at][::-1]
    last = next((at for at, word in enumerate(before) if word.is_content or word.is_number), 0)
    main = _clause(before, last)
    if main and main[-1].lower in _ASIDE:  # "a code, with a board at the gate, before ..."
        main = [*main, *_clause(before[last + len(main) :], 0)]
    return main[::-1], sub[1:]


def _is_short(words: Sequence[StemmedWord]) -> bool:
    return not any(word.is_content for word in words)


def _clause(words: Sequence[StemmedWord], at: int) -> Sequence[StemmedWord]:
    """The words from ``at`` to the end of their clause."""
    return [word for word in words[at:] if word.clause == words[at].clause] if words else []


def _stems(words: Sequence[StemmedWord]) -> frozenset[str]:
    return frozenset(
        word.stem
        for word in words
        if (word.is_content or word.is_number) and not word.lower.endswith("ly") and word.lower not in _TIMED
    )
