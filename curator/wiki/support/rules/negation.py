"""Negation that was lost or put in, and quotes cut where a "not" or a condition stood.

A negating word *falls on* the first content word behind it in its clause. A claim turns its source round when it says
without negation what the source says only with one, or the reverse, and nothing else in either clause negates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from curator.wiki.english.quantities import quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.auxiliaries import auxiliary_turned
from curator.wiki.support.rules.negating import AUXILIARIES, is_not, is_not_only, shown

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
_EMPTY = frozenset(
    map(stem, "do be have use make get go come take want need able allow possible one way tell aim try seek".split())
)
"""Content words too common for a negation on them to tell."""
_PERMITTED = frozenset("allowed permitted permissible fine legal lawful acceptable".split())
"""Words that say one thing of what may be done, behind a form of ``be``."""
_BEFORE_STATES = frozenset("is are was were be been being not never also still always only".split())
_PREFIXES = ("un", "non", "dis", "in", "im", "ir")
_BEFORE_NOUNS = frozenset(
    "the a an this these those its their any some each every all of in on at for with by from as no into under".split()
)
_NEAR = 4
"""Words that may stand between the negating word and the one it falls on."""
_FEW = 12
"""Numbers of which two may leave a rest."""
_MEMBER = 2
"""Words of a clause that is but one member of a list."""
_FORMERLY = frozenset(
    "before until previously formerly earlier used once was were had ago originally then fixed "
    "corrected ceased stopped".split()
)
"""Words by which a claim says how it was before ``no longer``."""
_INSTEAD = frozenset(("rather", "instead"))
"""Words that say "not" of what they stand before."""


def negation_turned(case: Case) -> Iterator[str]:
    """The claim says what the source says with "not" without it, or the reverse."""
    stated, claim = case.context.stated, case.claim
    theirs, ours, is_answer = _Polarity.of(stated), _Polarity.of(claim), _answers_no(stated)
    for key, word in ours.plain.items():
        if key not in theirs.negated or key in theirs.plain or key in ours.negated:
            continue
        if " no longer " in stated.flat and claim.lowers & _FORMERLY:
            continue
        if _is_partial(stated, theirs.negated[key]) or _negates_otherwise(claim, word, ours, theirs):
            continue
        same_place = _is_noun(claim, word) == _is_noun(stated, theirs.negated[key])
        if same_place and not _otherwise(claim, word, ours, stated, theirs):
            yield f"the source says {word.text!r} with a negation, the claim without one"
    open_ended = is_answer or " or not " in claim.flat  # "whether or not" denies nothing
    for key, word in ours.negated.items() if case.is_verbatim and not open_ended else ():
        if key not in theirs.plain or key in theirs.negated or not _is_outright(claim, word):
            continue
        if _is_of_the_rest(claim, word, stated):
            continue
        if _negated_with(claim, word) & {*theirs.negated}:
            continue  # "no user is created" is "the user is not created"
        places = [other for other in stated.words if other.stem == key]
        if not any(_otherwise(stated, other, theirs, claim, ours, whole_sentence=True) for other in places):
            yield f"the claim negates {word.text!r}, the source does not"
    for key, word in ours.negated.items():
        if " no longer " in claim.flat and key in _behind(stated, "still") and key not in theirs.negated:
            yield f"the source says that {word.text!r} is still so"
    if not is_answer:
        yield from _same_but_not(claim, stated)
    if not any(_is_of_the_rest(claim, words[0], stated) for words in claim.sentences):
        yield from auxiliary_turned(claim, stated)


def _is_partial(text: Phrase, word: StemmedWord) -> bool:
    """True where only so many are said not to: ``Nineteen did not complete it``."""
    at = text.words.index(word)
    before = [each for each in text.words[max(0, at - _NEAR) : at] if each.clause == word.clause]
    return any(each.is_number or each.lower in WORDS for each in before)


def _is_of_the_rest(claim: Phrase, word: StemmedWord, stated: Phrase) -> bool:
    """True where as many are said not to as are left over: 3 of 12, where 9 of 12 do."""
    held = [each.amount for each in quantities(stated)[:_FEW]]
    rest = {abs(one - two) for one, two in combinations(held, 2)} - {*held}
    told = [each for each in quantities(claim) if claim.words[each.at].sentence == word.sentence]
    return any(each.amount in rest for each in told)


def _negates_otherwise(claim: Phrase, word: StemmedWord, ours: _Polarity, theirs: _Polarity) -> bool:
    """True when the clause of ``word`` negates something that the source does not say without a negation."""
    if not any(each.clause == word.clause and is_not(each) and each.lower != "non" for each in claim.words):
        return False
    fallen = [key for key, each in ours.negated.items() if each.clause == word.clause]
    return not fallen or any(key in theirs.negated or key not in theirs.plain for key in fallen)


def _behind(text: Phrase, term: str) -> frozenset[str]:
    """The stems right behind ``term``."""
    return frozenset(word.stem for before, word in pairwise(text.words) if before.lower == term)


def _answers_no(text: Phrase) -> bool:
    """True for ``No.`` to a question, and for ``No, sorry.``"""
    return any(words[0].lower == "no" and (len(words) == 1 or words[1].after == ",") for words in text.sentences)


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


def has_negation(text: Phrase, other: Phrase) -> bool:
    """True when ``text`` negates outright, or by a word that ``other`` does not have."""
    return any(
        is_not(word) or (word.stem in _IMPLIED and word.stem not in other.stems) or _is_opposed(word, other)
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
                is_permitted = word.lower in _PERMITTED and at > 0 and clause[at - 1].lower in _BEFORE_STATES
                key = "permitted" if is_permitted else word.stem
                if word.is_content and (tells or is_permitted) and not word.code and not word.lower.endswith("ly"):
                    (found.negated if at in fallen else found.plain).setdefault(key, word)
        return found


def _falls(clause: Sequence[StemmedWord]) -> Iterator[tuple[int, int]]:
    """Every negating word of the clause with each word it falls on, by their places."""
    if sum(map(is_not, clause)) > 1 and any(word.lower == "without" for word in clause):
        return  # "not without" is a need
    for at, word in enumerate(clause):
        refuses = _refuses(clause, at) and not any(is_not(each) for each in clause[max(0, at - 4) : at])
        if not (is_not(word) or refuses) or is_not_only(clause, at):
            continue
        yield from _verb_without(clause, at)
        is_contrast = at == 0 and word.lower == "not" and word.after == ","  # "A, not B of C": nothing of it
        for focus in range(at + 1, len(clause) if is_contrast else min(len(clause), at + 2 + _NEAR)):
            if is_not(clause[focus]) or clause[focus].is_number:
                break
            if clause[focus].is_content and clause[focus].lower != "longer":
                yield at, focus
                if is_contrast:
                    continue
                if clause[focus].stem not in _EMPTY and not clause[focus].lower.endswith("ly"):
                    break


def _negated_with(text: Phrase, word: StemmedWord) -> frozenset[str]:
    """The stems of all that the "not" on ``word`` falls on."""
    clause = [each for each in text.words if each.clause == word.clause]
    falls = [(at, clause[focus]) for at, focus in _falls(clause)]
    own = {at for at, focus in falls if focus is word}
    return frozenset(focus.stem for at, focus in falls if at in own)


def _verb_without(clause: Sequence[StemmedWord], at: int) -> Iterator[tuple[int, int]]:
    """The verb of ``no features can be added``, with the place of its ``no``."""
    if clause[at].lower != "no":
        return
    near = range(at + 1, min(len(clause), at + 2 + _NEAR))
    aux = next((place for place in near if clause[place].lower in AUXILIARIES), -1)
    verb = next((place for place in range(aux + 1, min(len(clause), aux + 3)) if clause[place].is_content), -1)
    if aux > 0 and verb > 0:
        yield at, verb


def _refuses(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``prohibit``, and for ``illegal to`` or ``an error to``."""
    key, behind = clause[at].stem, clause[at + 1].lower if at + 1 < len(clause) else ""
    return key in _FORBIDDING or (key in _REFUSING and behind == "to")


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
            if is_not(each) and not any(key in theirs.negated for key in falls.get(at, ())):
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
        if len(words) < 2 or not other or sum(map(is_not, clause)) % 2 == sum(map(is_not, other)) % 2:
            continue
        if any(word.lower in _INSTEAD for word in (*clause, *other)):
            continue
        behind = next((word for word in stated.words if word.clause > other[0].clause), None)
        if behind is None or behind.after != ":" or not is_not(behind):  # "Missing values: none"
            yield f"the claim and the source differ in a negation: {shown(clause)!r}"
