"""What must, may or is, and the same with a "not"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.english.words import Phrase
from curator.wiki.support.rules.negating import AUXILIARIES, NOT, is_not, is_not_only

_MODALS = AUXILIARIES - frozenset("is are was were".split())
_BOUNDING = frozenset("only unless if except instead without".split())
"""Words with which a claim may say in another way what the source says with a "not"."""
_HAVING = frozenset("has have had".split())
_MOST_ALIKE = 3


@dataclass(frozen=True)
class _Auxiliary:
    """An auxiliary in its sentence, with what stands on both sides of it: ``must not | be used while honey is on``."""

    word: str
    negated: bool
    subject: frozenset[str]
    """The stems of the content words before it."""
    verb: tuple[str, ...]
    """What follows, to the first content word."""
    rest: frozenset[str]
    """All that follows."""
    others: int
    """How many words negate elsewhere in the sentence."""

    @classmethod
    def all_in(cls, text: Phrase) -> Iterator[_Auxiliary]:
        for sentence in text.sentences:
            for at, word in enumerate(sentence):
                name = "can" if word.lower == "cannot" else word.lower.removesuffix("n't")
                if name not in AUXILIARIES and name not in _HAVING:
                    continue
                apart = at + 1 < len(sentence) and sentence[at + 1].lower in ("not", "never")
                negated = apart or name != word.lower
                rest = sentence[at + 1 + apart :]
                end = next((place for place, each in enumerate(rest) if each.tells), -1)
                if end < 0 or (negated and is_not_only(sentence, at + apart)):
                    continue
                yield cls(
                    name,
                    negated,
                    frozenset(each.stem for each in sentence[:at] if each.is_content),
                    tuple(each.lower for each in rest[: end + 1]),
                    frozenset(each.lower for each in rest),
                    sum(map(is_not, sentence)) - negated,
                )

    def is_turned(self, other: _Auxiliary) -> bool:
        """True when both say the same of the same, and only one of them with a "not"."""
        same = self.rest <= other.rest and self.others == other.others
        return same and (not self.subject or not other.subject or bool(self.subject & other.subject))


def auxiliary_turned(claim: Phrase, stated: Phrase) -> Iterator[str]:
    """``must be used`` where the source has ``must not be used``, and no word more; or the reverse."""
    theirs = list(_Auxiliary.all_in(stated))
    for mine in _Auxiliary.all_in(claim):
        alike = [other for other in theirs if (other.word, other.verb) == (mine.word, mine.verb)]
        if all(other.negated != mine.negated for other in alike) and any(map(mine.is_turned, alike)):
            says = "without a negation" if mine.negated else "with a negation"
            yield f"the source says {' '.join((mine.word, *mine.verb))!r} {says}"
    if not claim.lowers & (NOT | _BOUNDING):
        yield from _duty_turned([mine for mine in _Auxiliary.all_in(claim) if not mine.negated], theirs)


def _duty_turned(claimed: Sequence[_Auxiliary], theirs: Sequence[_Auxiliary]) -> Iterator[str]:
    """``may be used`` where the source has ``must not be used``."""
    for mine in claimed:
        told = [other for other in theirs if other.word in _MODALS and other.verb[:2] == mine.verb[:2]]
        alike = [other for other in told if mine.rest <= other.rest and other.word != mine.word]
        if mine.word in _MODALS and alike and all(other.negated for other in told):
            shared = any(mine.subject & other.subject or len(mine.rest) > _MOST_ALIKE for other in alike)
            if shared or not mine.subject:
                yield f"the source says '{alike[0].word} not {' '.join(mine.verb)}', the claim says {mine.word!r}"
                return
