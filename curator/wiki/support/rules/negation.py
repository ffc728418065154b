"""Negation that was lost or put in, and quotes cut where a "not" or a condition stood.

A negating word *falls on* the first content word behind it in its clause. A claim turns its source round when it says
without negation what the source says only with one, or the reverse, and nothing else in either clause negates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case

NOT = frozenset(
    "not no never none nothing nobody neither nor without cannot hardly scarcely barely non isn aren".split()
)
"""Words that negate outright; those in ``n't`` do too."""
_IMPLIED = frozenset(
    map(
        stem,
        "lack absent absence fail prevent prohibit forbid forbidden disallow refuse reject deny avoid illegal "
        "invalid impossible unable error wrong exclude omit missing free stop ban bar deprecate decline discourage "
        "mistake unlawful unsafe undefined unsupported unnecessary unused unlike untrue false redundant minimize "
        "remove incompatible insufficient inability uninitialized raise flag unchanged unavailable unknown "
        "unwilling reluctant against outside but instead unless except only rather few little rarely seldom if "
        "anti dis opt-out off out zero different difficult hard too stay remain ignore leave left optional "
        "voluntary skip defer postpone drop negligible opposite contrary independent beyond open retain preserve "
        "separate apart exempt aside disable suppress inhibit block exception immune keep poor lose loss deprive strand "
        "lost abstain cease another absent strip bare".split(),
    )
)
"""Words that can say what a negation says."""
_REFUSING = frozenset(map(stem, "illegal forbidden prohibited error fail refuse unable impossible wrong".split()))
"""Those of them that negate the verb behind them as outright as ``not`` does."""
_FORBIDDING = frozenset(map(stem, "prohibit forbid disallow prevent".split()))
_STATED = frozenset(map(stem, "deprecate deprecated optional allowed forbidden removed".split()))
"""Implied negations that are themselves negated or not."""
_EMPTY = frozenset(map(stem, "do be have use make get go come take want need able allow possible one way tell".split()))
"""Content words too common for a negation on them to tell."""
_CONDITION = frozenset("unless except".split())
_CONDITIONAL = _CONDITION | frozenset(
    "if only until provided when where without other save but once depending excluding apart outside before besides "
    "whenever wherever".split()
)
_IFS = frozenset("if unless provided assuming when until whenever".split())
_PAST = frozenset("was were had did got".split())
_PREFIXES = ("un", "non", "dis", "in", "im", "ir")
_BREAKS = (",", ";", ":", ".", "(", ")", "—", "–", "-", "?", "!")
_BEFORE_NOUNS = frozenset(
    "the a an this that these those its their any some each every all of in on at for with by from as no into under".split()
)
_NEAR = 4
"""Words that may stand between the negating word and the one it falls on."""
_MEMBER = 2
"""Words of a clause that is but one member of a list."""
_CUT = 3
"""Words before a quote among which a negation still falls on it."""
_FORMERLY = frozenset("before until previously formerly earlier used once was were had ago originally then".split())
"""Words by which a claim says how it was before ``no longer``."""
_AUXILIARIES = frozenset("must shall should will would may might can could is are was were".split())
_INSTEAD = frozenset(("rather", "instead"))
"""Words that say "not" of what they stand before."""
_MILD = frozenset("without nor neither non".split())
"""Negating words that do not go on to the next phrase."""


def negation_turned(case: Case) -> Iterator[str]:
    """The claim says what the source says with "not" without it, or the reverse."""
    stated, claim = case.context.stated, case.claim
    theirs, ours = _Polarity.of(stated), _Polarity.of(claim)
    for key, word in ours.plain.items():
        if key not in theirs.negated or key in theirs.plain or key in ours.negated:
            continue
        if " no longer " in stated.flat and claim.lowers & _FORMERLY:
            continue
        if any(each.clause == word.clause and _is_not(each) for each in claim.words):
            continue
        same_place = _is_noun(claim, word) == _is_noun(stated, theirs.negated[key])
        if same_place and not _otherwise(claim, word, ours, stated, theirs):
            yield f"the source says {word.text!r} with a negation, the claim without one"
    for key, word in ours.negated.items() if case.is_verbatim else ():
        if key not in theirs.plain or key in theirs.negated or not _is_outright(claim, word):
            continue
        places = [other for other in stated.words if other.stem == key]
        if not any(_otherwise(stated, other, theirs, claim, ours, whole_sentence=True) for other in places):
            yield f"the claim negates {word.text!r}, the source does not"
    yield from _same_but_not(claim, stated)
    yield from _auxiliary_turned(claim, stated)


def quote_cut(case: Case) -> Iterator[str]:
    """The quote begins behind a negation, or ends before a condition, that the claim does not have."""
    for cut in case.context.cuts:
        words = cut.before.words
        goes_on = words and not cut.before.plain.rstrip().endswith(_BREAKS)
        last = [word for word in words if word.clause == words[-1].clause][-_CUT:] if goes_on else []
        near = [word for word in last if not _is_in_name(word, cut.before)]
        falls = any(_cuts([*near, *cut.quote.words[:1]], at) for at in range(len(near)))
        if falls and not _has_negation(case.whole, cut.quote) and not _has_negation(cut.quote, case.whole):
            yield f"the quote leaves out what stands before it in the source: {_shown(last)!r}"
        behind = cut.behind.words[:2]
        if (
            behind
            and behind[0].lower in _CONDITION
            and not behind[0].after.strip(",")
            and not (case.whole.lowers - cut.before.lowers - cut.quote.lowers) & _CONDITIONAL
        ):
            yield f"the quote leaves out the condition behind it: {_shown(cut.behind.words[:6])!r}"


def condition_lost(case: Case) -> Iterator[str]:
    """The source says it under a condition (if, unless, provided) of which the claim has nothing."""
    if case.whole.lowers & _CONDITIONAL:
        return
    claim = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.parted((";", "—", "–")):
        at = next((at for at, word in enumerate(sentence) if word.lower in _IFS), None)
        if at is None:
            continue
        clause = [word for word in sentence[at:] if word.clause == sentence[at].clause]
        if sentence[at].lower == "when" and any(word.lower in _PAST for word in clause):
            continue  # a time, and no condition
        condition = {word.stem for word in clause if word.is_content} - case.context.known.stems
        main = {word.stem for word in sentence if word.is_content and word not in clause}
        if len(condition) > 1 and not condition & claim and 5 * len(claim & main) >= 3 * len(claim):
            yield f"the source says so under a condition: {_shown(clause[:8])!r}"
            return


def _cuts(words: Sequence[StemmedWord], at: int) -> bool:
    return _is_not(words[at]) and words[at].lower not in _MILD and not _is_not_only(words, at)


def _is_in_name(word: StemmedWord, text: Phrase) -> bool:
    """True for the ``no`` of ``--no-cache``."""
    return bool(re.search(rf"-{re.escape(word.text)}\b|\b{re.escape(word.text)}-", text.plain))


def _is_noun(text: Phrase, word: StemmedWord) -> bool:
    """True when an article or a preposition stands before ``word``."""
    at = text.words.index(word)
    return at > 0 and text.words[at - 1].lower in _BEFORE_NOUNS


def _is_outright(claim: Phrase, word: StemmedWord) -> bool:
    """True when a ``not`` or ``never`` stands before ``word``, and no mere ``without`` or ``not even``."""
    return any(
        each.clause == word.clause
        and (each.lower in ("not", "never", "cannot", "no") or each.lower.endswith("n't"))
        and behind.lower != "even"
        for each, behind in pairwise((*claim.words, word))
    )


def _is_not(word: StemmedWord) -> bool:
    return word.lower in NOT or word.lower.endswith("n't")


def _has_negation(text: Phrase, other: Phrase) -> bool:
    """True when ``text`` negates outright, or by a word that ``other`` does not have."""
    return any(
        _is_not(word) or (word.stem in _IMPLIED and word.stem not in other.stems) or _is_opposed(word, other)
        for word in text.words
    )


def _is_opposed(word: StemmedWord, other: Phrase) -> bool:
    """True for ``unsupported`` where ``other`` has ``supported``, and not that word too."""
    return word.stem not in other.stems and any(
        word.lower.startswith(prefix) and stem(word.lower[len(prefix) :]) in other.stems for prefix in _PREFIXES
    )


@dataclass(frozen=True)
class _Polarity:
    """The content words of a text by stem: those that a negation falls on, and those that none falls on.

    No adverbs: "cannot currently handle" is "cannot handle currently".
    """

    negated: dict[str, StemmedWord]
    plain: dict[str, StemmedWord]

    @classmethod
    def of(cls, text: Phrase) -> _Polarity:
        found = cls({}, {})
        for clause in text.clauses:
            fallen = {at for _, at in _falls(clause)}
            for at, word in enumerate(clause):
                tells = word.stem not in _EMPTY and (word.stem not in _IMPLIED or word.stem in _STATED)
                if word.is_content and tells and not word.code and not word.lower.endswith("ly"):
                    (found.negated if at in fallen else found.plain).setdefault(word.stem, word)
        return found


def _falls(clause: Sequence[StemmedWord]) -> Iterator[tuple[int, int]]:
    """Every negating word of the clause with each word it falls on, by their places."""
    if sum(map(_is_not, clause)) > 1 and any(word.lower == "without" for word in clause):
        return  # "not without" is a need
    for at, word in enumerate(clause):
        refuses = _refuses(clause, at) and not any(_is_not(each) for each in clause[max(0, at - 4) : at])
        if not (_is_not(word) or refuses) or _is_not_only(clause, at):
            continue
        for focus in range(at + 1, min(len(clause), at + 2 + _NEAR)):
            if _is_not(clause[focus]) or clause[focus].is_number:
                break
            if clause[focus].is_content and clause[focus].lower != "longer":
                yield at, focus
                if clause[focus].stem not in _EMPTY and not clause[focus].lower.endswith("ly"):
                    break


def _refuses(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``prohibit``, and for ``illegal to`` or ``an error to``."""
    key, behind = clause[at].stem, clause[at + 1].lower if at + 1 < len(clause) else ""
    return key in _FORBIDDING or (key in _REFUSING and behind == "to")


def _is_not_only(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``not only``, ``not on Linux alone``, which negate nothing or something else."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    if any(word.lower == "alone" for word in clause[at + 1 : at + 5]):
        return True
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
    text: Phrase, word: StemmedWord, own: _Polarity, other: Phrase, theirs: _Polarity, *, whole_sentence: bool = False
) -> bool:
    """True when ``text`` negates in the clause of ``word`` (or its sentence) in some way that ``other`` does not."""
    wide = whole_sentence or sum(each.clause == word.clause for each in text.words) <= _MEMBER
    for clause in text.clauses:
        if (clause[0].sentence if wide else clause[0].clause) != (word.sentence if wide else word.clause):
            continue
        falls: dict[int, list[str]] = {}
        for at, focus in _falls(clause):
            falls.setdefault(at, []).append(clause[focus].stem)
        for at, each in enumerate(clause):
            if _is_not(each) and not any(key in theirs.negated for key in falls.get(at, ())):
                return True
            if each.stem in _FORBIDDING and each.stem != word.stem and not whole_sentence:
                return True
            if _is_opposed(each, other):
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
        if len(words) < 2 or not other or sum(map(_is_not, clause)) % 2 == sum(map(_is_not, other)) % 2:
            continue
        if any(word.lower in _INSTEAD for word in (*clause, *other)):
            continue
        behind = next((word for word in stated.words if word.clause > other[0].clause), None)
        if behind is None or behind.after != ":" or not _is_not(behind):  # "Missing values: none"
            yield f"the claim and the source differ in a negation: {_shown(clause)!r}"


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
                if name not in _AUXILIARIES:
                    continue
                apart = at + 1 < len(sentence) and sentence[at + 1].lower in ("not", "never")
                negated = apart or name != word.lower
                rest = sentence[at + 1 + apart :]
                end = next((place for place, each in enumerate(rest) if each.is_content or each.is_number), -1)
                if end < 0 or (negated and _is_not_only(sentence, at + apart)):
                    continue
                yield cls(
                    name,
                    negated,
                    frozenset(each.stem for each in sentence[:at] if each.is_content),
                    tuple(each.lower for each in rest[: end + 1]),
                    frozenset(each.lower for each in rest),
                    sum(map(_is_not, sentence)) - negated,
                )

    def is_turned(self, other: _Auxiliary) -> bool:
        """True when both say the same of the same, and only one of them with a "not"."""
        same = self.rest <= other.rest and self.others == other.others
        return same and (not self.subject or not other.subject or bool(self.subject & other.subject))


def _auxiliary_turned(claim: Phrase, stated: Phrase) -> Iterator[str]:
    """``must be used`` where the source has ``must not be used``, and no word more; or the reverse."""
    theirs = list(_Auxiliary.all_in(stated))
    for mine in _Auxiliary.all_in(claim):
        alike = [other for other in theirs if (other.word, other.verb) == (mine.word, mine.verb)]
        if all(other.negated != mine.negated for other in alike) and any(map(mine.is_turned, alike)):
            says = "without a negation" if mine.negated else "with a negation"
            yield f"the source says {' '.join((mine.word, *mine.verb))!r} {says}"


def _shown(words: Sequence[StemmedWord]) -> str:
    return " ".join(word.text for word in words)
