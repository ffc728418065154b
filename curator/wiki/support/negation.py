"""Negation that was lost or put in, and quotes cut where a "not" or a condition stood.

A negating word *falls on* the first content word behind it in its clause. A claim turns its source round when it says
without negation what the source says only with one, or the reverse, and nothing else in either clause negates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.support.case import Case
from curator.wiki.support.words import Phrase, Word, stem

NOT = frozenset(
    "not no never none nothing nobody neither nor without cannot hardly scarcely barely non isn aren".split()
)
"""Words that negate outright; those in ``n't`` do too."""
_IMPLIED = frozenset(
    map(
        stem,
        "lack absent absence fail prevent prohibit forbid forbidden disallow refuse reject deny avoid illegal invalid "
        "impossible unable error wrong exclude omit missing free stop ban bar deprecate decline discourage mistake "
        "unlawful unsafe undefined unsupported unnecessary unused unlike untrue false redundant minimize remove "
        "incompatible insufficient inability uninitialized raise flag unchanged unavailable unknown unwilling reluctant "
        "against outside but instead unless except only rather few little rarely seldom "
        "if anti dis opt-out off out empty zero different difficult hard too stay remain ignore".split(),
    )
)
"""Words that can say what a negation says."""
_REFUSING = frozenset(map(stem, "illegal forbidden prohibited error fail refuse unable impossible wrong".split()))
"""Those of them that negate the verb behind them as outright as ``not`` does."""
_FORBIDDING = frozenset(map(stem, "prohibit forbid disallow prevent".split()))
_EMPTY = frozenset(map(stem, "do be have use make get go come take want need able allow possible one way".split()))
"""Content words too common for a negation on them to tell."""
_CONDITION = frozenset("unless except provided".split())
_CONDITIONAL = _CONDITION | frozenset(
    "if only until when where without other save but once depending excluding apart outside before besides "
    "whenever wherever".split()
)
_NEAR = 4
"""Words that may stand between the negating word and the beginning of a quote."""


def negation_turned(case: Case) -> Iterator[str]:
    """The claim says what the source says with "not" without it, or the reverse."""
    stated, claim = case.context.stated, case.claim
    theirs, ours = _Polarity.of(stated), _Polarity.of(claim)
    for key, word in ours.plain.items():
        if key in theirs.negated and key not in theirs.plain and not _otherwise(claim, word, ours, stated, theirs):
            yield f"the source says {word.text!r} with a negation, the claim without one"
    for key, word in ours.negated.items():
        other = theirs.plain.get(key)
        if other is None or key in theirs.negated or not _is_outright(claim, word):
            continue
        if not _otherwise(stated, other, theirs, claim, ours, whole_sentence=True):
            yield f"the claim negates {word.text!r}, the source does not"
    yield from _same_but_not(claim, stated)


def quote_cut(case: Case) -> Iterator[str]:
    """The quote begins behind a negation, or ends before a condition, that the claim does not have."""
    negates = _has_negation(case.whole)
    for cut in case.context.cuts:
        words = cut.before.words
        last = [word for word in words if word.clause == words[-1].clause][-_NEAR:] if words else []
        if not negates and any(_is_not(word) for word in last) and not _has_negation(cut.quote):
            yield f"the quote leaves out what stands before it in the source: {_shown(last)!r}"
        behind = cut.behind.words[:2]
        if (
            behind
            and behind[0].lower in _CONDITION
            and not behind[0].after.strip(",")
            and not (case.whole.lowers - cut.before.lowers - cut.quote.lowers) & _CONDITIONAL
        ):
            yield f"the quote leaves out the condition behind it: {_shown(cut.behind.words[:6])!r}"


def _is_outright(claim: Phrase, word: Word) -> bool:
    """True when a ``not`` or ``never`` stands before ``word``, and no mere ``without``."""
    return any(
        each.clause == word.clause and (each.lower in ("not", "never", "cannot", "no") or each.lower.endswith("n't"))
        for each in claim.words
    )


def _is_not(word: Word) -> bool:
    return word.lower in NOT or word.lower.endswith("n't")


def _has_negation(text: Phrase) -> bool:
    return any(_is_not(word) or word.stem in _IMPLIED for word in text.words)


@dataclass(frozen=True)
class _Polarity:
    """The content words of a text by stem: those that a negation falls on, and those that none falls on."""

    negated: dict[str, Word]
    plain: dict[str, Word]

    @classmethod
    def of(cls, text: Phrase) -> _Polarity:
        found = cls({}, {})
        for clause in text.clauses:
            fallen = {at for _, at in _falls(clause)}
            for at, word in enumerate(clause):
                if word.is_content and word.stem not in _EMPTY and word.stem not in _IMPLIED and not word.code:
                    (found.negated if at in fallen else found.plain).setdefault(word.stem, word)
        return found


def _falls(clause: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Every negating word of the clause with each word it falls on, by their places."""
    for at, word in enumerate(clause):
        refuses = _refuses(clause, at) and not any(_is_not(each) for each in clause[max(0, at - 4) : at])
        if not (_is_not(word) or refuses) or _is_not_only(clause, at):
            continue
        for focus in range(at + 1, min(len(clause), at + 2 + _NEAR)):
            if clause[focus].is_content:
                yield at, focus
                if clause[focus].stem not in _EMPTY and not clause[focus].lower.endswith("ly"):
                    break


def _refuses(clause: Sequence[Word], at: int) -> bool:
    """True for ``prohibit``, and for ``illegal to`` or ``an error to``."""
    stem, behind = clause[at].stem, clause[at + 1].lower if at + 1 < len(clause) else ""
    return stem in _FORBIDDING or (stem in _REFUSING and behind == "to")


def _is_not_only(clause: Sequence[Word], at: int) -> bool:
    """True for ``not only``, ``not just``, ``no longer``, which negate nothing or something else."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    return behind in (
        "only",
        "just",
        "merely",
        "necessarily",
        "all",
        "every",
        "both",
        "more",
        "less",
        "later",
        "sooner",
    )


def _otherwise(
    text: Phrase, word: Word, own: _Polarity, other: Phrase, theirs: _Polarity, *, whole_sentence: bool = False
) -> bool:
    """True when ``text`` negates in the clause of ``word`` (or its sentence) in some way that ``other`` does not."""
    for clause in text.clauses:
        if (clause[0].sentence if whole_sentence else clause[0].clause) != (
            word.sentence if whole_sentence else word.clause
        ):
            continue
        falls: dict[int, list[str]] = {}
        for at, focus in _falls(clause):
            falls.setdefault(at, []).append(clause[focus].stem)
        for at, each in enumerate(clause):
            if _is_not(each) and not any(stem in theirs.negated for stem in falls.get(at, ())):
                return True
            if each.stem in _FORBIDDING and each.stem != word.stem and not whole_sentence:
                return True
            if each.stem in _IMPLIED and each.stem != word.stem and each.stem not in other.stems:
                return True
    return False


def _same_but_not(claim: Phrase, stated: Phrase) -> Iterator[str]:
    """A clause of the claim has the very content words of one of the source's, and only one of them a "not"."""
    theirs = {frozenset(word.stem for word in clause if word.is_content): clause for clause in stated.clauses}
    for clause in claim.clauses:
        words = frozenset(word.stem for word in clause if word.is_content)
        other = theirs.get(words, ())
        if len(words) > 1 and other and sum(map(_is_not, clause)) % 2 != sum(map(_is_not, other)) % 2:
            yield f"the claim and the source differ in a negation: {_shown(clause)!r}"


def _shown(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)
