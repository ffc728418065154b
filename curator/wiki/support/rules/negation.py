"""Negation that was lost or put in, and quotes cut where a "not" or a condition stood.

A claim turns its source round when it says without negation what the source says only with one, or the reverse, and nothing
else in either clause negates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, takewhile

from curator.wiki.english.opposites import OPPOSITES, is_undone
from curator.wiki.english.quantities import quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import parts, stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.auxiliaries import auxiliary_turned
from curator.wiki.support.rules.bygone import denies_bygone
from curator.wiki.support.rules.denied_clauses import as_many, goes_on_denied, is_set_off, same_but_not
from curator.wiki.support.rules.negating import AUXILIARIES, NOT, is_not, is_unreal
from curator.wiki.support.rules.no_denials import (
    answers_no,
    asked_and_denied,
    is_asked_not,
    is_only_then,
    is_reporting,
    is_said_first,
)
from curator.wiki.support.rules.polarity import FORBIDDING, NEAR, Polarity, falls_of, implies, negated_with

_OTHER = frozenset(map(stem, "different other another".split()))
_PREFIXES = ("un", "non", "dis", "in", "im", "ir")
_BEFORE_NOUNS = frozenset(
    "the a an this these those its their any some each every all of in on at for with by from as no into under".split()
)
_EXCEPTING = frozenset(
    "unless except until without if when while before after other than but only outside beyond otherwise".split()
)
"""Words with which a denial leaves a case open."""
_FEW = 12
"""Numbers of which two may leave a rest."""
_MEMBER = 2
"""Words of a clause that is but one member of a list."""
_FORMERLY = frozenset(
    "before until previously formerly earlier used once was were had ago originally then fixed "
    "corrected ceased stopped given abandoned discontinued dropped ended".split()
)
"""Words by which a claim says how it was before ``no longer``."""
_NOTHING = frozenset("nothing nobody none nowhere".split())
_IN_LISTS = frozenset("or nor a an the for of".split())


def negation_turned(case: Case) -> Iterator[str]:
    """The claim says what the source says with "not" without it, or the reverse."""
    stated, claim = case.context.stated, case.claim
    if _is_asserted(case):
        yield from _asserted_not(case)
        return
    if is_set_off(claim, stated) or denies_bygone(claim, stated):
        return
    yield from as_many(case)
    theirs, ours, is_answer = Polarity.of(stated), Polarity.of(claim), answers_no(stated)
    if case.is_close:
        yield from _left_out(case, ours, theirs)
    if case.is_close and not (is_answer or " or not " in claim.flat):  # "whether or not" denies nothing
        yield from _put_in(case, ours, theirs)
    is_told = "until" in stated.lowers and "until" not in claim.lowers
    is_told = is_told or (case.context.kinds == {"item"} and bool(NOT & case.context.led.lowers))
    if (
        not is_answer
        and not is_told
        and "non" not in case.context.headings.lowers
        and not _headed_not(case) & {*ours.negated}
    ):
        yield from same_but_not(claim, stated)
    if not any(_is_of_the_rest(claim, words[0], stated) for words in claim.sentences):
        yield from auxiliary_turned(claim, stated)


def _left_out(case: Case, ours: Polarity, theirs: Polarity) -> Iterator[str]:
    """What the source denies and the claim says."""
    stated, claim = case.context.stated, case.claim
    for key, word in ours.plain.items():
        if word.text.isupper() and len(word.text) > 1:
            continue  # "no reply from the FSF" denies no FSF
        if key not in theirs.negated or key in ours.negated or _is_said_plainly(word, stated, theirs):
            continue
        if (" no longer " in stated.flat and claim.lowers & _FORMERLY) or _goes_on(claim, word):
            continue
        if "until" not in claim.lowers and _is_until(stated, theirs.negated[key]):
            continue  # what was not so until a day is so from then on
        if _is_but(claim, stated, theirs.negated[key]) or is_asked_not(stated, theirs.negated[key]):
            continue
        if is_reporting(claim, word):
            continue
        if is_said_first(case.whole, word, stated, theirs.negated[key]):
            continue
        if is_only_then(claim, word, stated, theirs.negated[key]):
            continue
        if (
            _is_partial(stated, theirs.negated[key])
            or (_negates_otherwise(claim, word, ours, theirs) and not _is_other_denial(case, word, ours, theirs))
            or _NOTHING & claim.lowers & stated.lowers  # "it can do nothing" is "there is nothing that it can do"
        ):
            continue
        same_place = _is_noun(claim, word) == _is_noun(stated, theirs.negated[key])
        if same_place and not _otherwise(claim, word, ours, stated, theirs):
            yield f"the source says {word.text!r} with a negation, the claim without one"


def _put_in(case: Case, ours: Polarity, theirs: Polarity) -> Iterator[str]:
    """What the source says and the claim denies."""
    stated, claim = case.context.stated, case.claim
    denied = asked_and_denied(stated)
    for key, word in ours.negated.items():
        if key not in theirs.plain or key in theirs.negated or key in denied or not _is_outright(claim, word):
            continue
        if word.text.isupper() and any(each.text == "NO" for each in claim.words):
            continue  # the name FOR NO KEY UPDATE
        if _is_of_the_rest(claim, word, stated) or key in _headed_not(case):
            continue
        if not case.is_verbatim and claim.lowers & {"no", "neither"}:
            continue
        if negated_with(claim, word) & ({*theirs.negated} | _means_denied(stated)):
            continue  # "no user is created" is "the user is not created"
        places = [other for other in stated.words if other.stem == key]
        if places and all(is_unreal(stated.words[: stated.words.index(other)], other) for other in places):
            continue  # "could have been sold" was not
        if any(_is_beyond(stated, other, negated_with(claim, word), claim) for other in places):
            continue
        if not any(_otherwise(stated, other, theirs, claim, ours, whole_sentence=True) for other in places):
            yield f"the claim negates {word.text!r}, the source does not"


def _is_asserted(case: Case) -> bool:
    """True for what code asserts, told without a "not": what stands behind the condition is said where it fails."""
    in_code = case.context.kinds == {"code"} and "assert" in case.context.stated.lowers
    return in_code and not any(map(is_not, case.claim.words))


def _asserted_not(case: Case) -> Iterator[str]:
    """``x is set``, where code has ``assert not x.is_set``: all the words of the claim, and none that denies."""
    if any(is_not(word) or (implies(word) and word.stem not in case.context.stated.stems) for word in case.claim.words):
        return
    told, words = {word.stem for word in case.claim.content}, case.context.stated.words
    starts = [at for at, word in enumerate(words) if word.lower == "assert"]
    for start, end in pairwise((*starts, len(words))):
        condition = [*takewhile(lambda word: word.after != ",", words[start:end])]
        held = {stem for word in words[start : start + len(condition)] for stem in (word.stem, *parts(word.text))}
        if told and told <= held and any(map(is_not, condition)):
            yield "the code asserts that it is not so"
            return


def _means_denied(text: Phrase) -> set[str]:
    """The stem of ``use`` for ``You cannot use X to lift stones``: what X cannot be used for."""
    falls = {clause[focus].stem for clause in text.clauses for at, focus in falls_of(clause) if is_not(clause[at])}
    return falls & {"use"}


def _is_beyond(stated: Phrase, word: StemmedWord, denied: frozenset[str], claim: Phrase) -> bool:
    """True where a denial goes on to ``word``: ``cannot use the key to lock``, if ``use`` is among the ``denied``; ``is not
    new and rusting``; and in what ``claim`` says of the other case, ``Otherwise``, than that ``it is locked``.
    """
    sentence = [each for each in stated.words if each.sentence == word.sentence]
    before = sentence[: sentence.index(word)]
    clauses = [
        clause for clause in stated.clauses if clause[0].sentence == word.sentence and clause[0].clause <= word.clause
    ]
    fallen = {clause[focus].stem for clause in clauses for _, focus in falls_of(clause)}
    if before and before[-1].lower == "to" and fallen & denied:
        return True
    if goes_on_denied([*before, word]):
        return True
    is_case = any(each.lower in ("if", "when", "where") for each in before)
    later = [each for each in stated.words if each.sentence > word.sentence]
    other = {each.stem for each in later if each.is_content} - {each.stem for each in sentence}
    return is_case and bool(other & claim.stems) and any(each.lower in ("otherwise", "else") for each in later)


def _headed_not(case: Case) -> frozenset[str]:
    """The stems of the heading ``Why not require a version?``, under which a source tells why it does not."""
    return case.context.headings.stems if "not" in case.context.headings.lowers else frozenset()


def _is_but(claim: Phrase, stated: Phrase, word: StemmedWord) -> bool:
    """True where the claim has what follows: ``no longer refers to a path, but to two of them``."""
    at = stated.words.index(word)
    denied = {each.stem for each in stated.words[at + 1 :] if each.clause == word.clause and each.is_content}
    later = [each for each in stated.words[at + 1 :] if each.clause != word.clause]
    behind = [each for each in later if each.clause == later[0].clause]
    is_joined = len(behind) > 1 and behind[0].lower == "but" and behind[1].lower in _BEFORE_NOUNS | {"to"}
    told = {each.stem for each in behind if each.is_content}
    return is_joined and len(told & claim.stems) > len(denied & claim.stems - told)


def _goes_on(claim: Phrase, word: StemmedWord) -> bool:
    """True for ``without any warranty, even an implied one`` and ``not needed, in general, to ask``: it goes on."""
    at = claim.words.index(word)
    before = [each for each in claim.words[:at] if each.sentence == word.sentence]
    opens = [each for each in before if each.clause == word.clause]
    is_denied_to = [each.lower for each in opens] == ["to"] and any(map(is_not, before))
    if is_denied_to or _is_list_denied(before):
        return True
    near = {each.lower for each in claim.words[max(0, at - 3) : at]}
    return "even" in near and any(is_not(each) for each in claim.words[:at] if each.sentence == word.sentence)


def _is_list_denied(words: Sequence[StemmedWord]) -> bool:
    """True for ``no command, variable or``, where the negation goes on to the end of a list."""
    no = next((at for at in range(len(words) - 1, -1, -1) if words[at].lower in ("no", "nor", "neither")), None)
    if no is None or not any(word.lower in ("or", "nor") for word in words[no + 1 :]):
        return False
    listed = words[no + 1 :]
    return all(word.is_content or word.lower in _IN_LISTS for word in listed)


def _is_until(text: Phrase, word: StemmedWord) -> bool:
    """True where ``word`` is negated until something."""
    at = text.words.index(word)
    return any(each.lower == "until" for each in text.words[at + 1 :] if each.sentence == word.sentence)


def _is_said_plainly(word: StemmedWord, stated: Phrase, theirs: Polarity) -> bool:
    """True where the source has ``word`` without a negation, too; a noun of it beside the verb does not count."""
    plain = theirs.plain.get(word.stem)
    if plain is None:
        return False
    forms = {each.lower for each in stated.words if each.stem == word.stem}
    is_verb = word.lower.endswith("ed") and theirs.negated[word.stem].lower == word.lower
    return not (is_verb and len(forms) == 2 and not plain.lower.endswith(("ed", "ing")))


def _is_partial(text: Phrase, word: StemmedWord) -> bool:
    """True where only so many are said not to: ``Nineteen did not complete it``."""
    at = text.words.index(word)
    near = [place for place in range(max(0, at - NEAR), at) if text.words[place].clause == word.clause]
    for place in near:
        each, last = text.words[place], text.words[place - 1].lower if place else ""
        is_aside = last in _BEFORE_NOUNS and each.lower == "one"  # "a crack in one of them"
        if each.is_number or (each.lower in WORDS and not is_aside):
            return True
    return False


def _is_of_the_rest(claim: Phrase, word: StemmedWord, stated: Phrase) -> bool:
    """True where as many are said not to as are left over: 3 of 12, where 9 of 12 do."""
    held = [each.amount for each in quantities(stated)[:_FEW]]
    rest = {abs(one - two) for one, two in combinations(held, 2)} - {*held}
    told = [each for each in quantities(claim) if claim.words[each.at].sentence == word.sentence]
    return any(each.amount in rest for each in told)


def _negates_otherwise(claim: Phrase, word: StemmedWord, ours: Polarity, theirs: Polarity) -> bool:
    """True when the clause of ``word`` negates something that the source does not say without a negation."""
    if not any(each.clause == word.clause and is_not(each) and each.lower != "non" for each in claim.words):
        return False
    fallen = [key for key, each in ours.negated.items() if each.clause == word.clause]
    return not fallen or any(key in theirs.negated or key not in theirs.plain for key in fallen)


def _is_other_denial(case: Case, word: StemmedWord, ours: Polarity, theirs: Polarity) -> bool:
    """True where what the claim denies beside ``word`` the source denies by another "not" than the one on ``word``."""
    lost = negated_with(case.context.stated, theirs.negated[word.stem])
    kept = [key for key, each in ours.negated.items() if each.clause == word.clause]
    return case.is_verbatim and bool(kept) and all(key in theirs.negated and key not in lost for key in kept)


def _is_noun(text: Phrase, word: StemmedWord) -> bool:
    """True when an article or a preposition stands before ``word``."""
    at = text.words.index(word)
    before = next((each for each in reversed(text.words[:at]) if not each.lower.endswith("ly")), word)
    return before.lower in _BEFORE_NOUNS


def _is_outright(claim: Phrase, word: StemmedWord) -> bool:
    """True when a ``not`` or ``never`` stands before ``word``, and no mere ``without`` or ``not even``."""
    return any(
        each.clause == word.clause
        and (each.lower in ("not", "never", "cannot", "no", "neither") or each.lower.endswith("n't"))
        and behind.lower != "even"
        and not (each.lower == "neither" and behind.lower in AUXILIARIES)  # "and neither are": what is said before
        for each, behind in pairwise((*claim.words, word))
    )


def has_negation(text: Phrase, other: Phrase) -> bool:
    """True when ``text`` negates outright, or by a word that ``other`` does not have."""
    return " other than " in text.flat or any(
        is_not(word) or (implies(word) and word.stem not in other.stems) or _is_opposed(word, other)
        for word in text.words
    )


def _is_other_than(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``other than``, ``but for`` and ``elsewhere``, which deny what they stand before or speak of."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    return (clause[at].lower, behind) in (("other", "than"), ("but", "for")) or clause[at].lower == "elsewhere"


def _is_opposed(word: StemmedWord, other: Phrase) -> bool:
    """True for ``unsupported`` where ``other`` has ``supported``, and not that word too."""
    return word.stem not in other.stems and any(
        word.lower.startswith(prefix) and stem(word.lower[len(prefix) :]) in other.stems for prefix in _PREFIXES
    )


def _otherwise(
    text: Phrase, word: StemmedWord, own: Polarity, other: Phrase, theirs: Polarity, *, whole_sentence: bool = False
) -> bool:
    """True when ``text`` negates in the clause of ``word`` (or its sentence) in some way that ``other`` does not."""
    conditional = _EXCEPTING & (text.lowers | other.lowers)  # "not while it rains" is "only when it does not rain"
    wide = whole_sentence or sum(each.clause == word.clause for each in text.words) <= _MEMBER
    for clause in text.clauses:
        if (clause[0].sentence if wide else clause[0].clause) != (word.sentence if wide else word.clause):
            continue
        falls: dict[int, list[str]] = {}
        for at, focus in falls_of(clause):
            falls.setdefault(at, []).append(clause[focus].stem)
        for at, each in enumerate(clause):
            fallen = falls.get(at, ())
            is_moved = (
                not conditional
                and bool(fallen)
                and all(key in theirs.plain and key not in theirs.negated for key in fallen)
            )
            if is_not(each) and not is_moved and not any(key in theirs.negated for key in fallen):
                return True
            if each.stem in FORBIDDING and each.stem != word.stem and not whole_sentence:
                return True
            if _is_opposed(each, other) or _is_other_than(clause, at):
                return True
            if not whole_sentence and _is_another_case(clause, at, other):
                continue
            denies = implies(each) or is_undone(each)
            if denies and each.stem != word.stem and not _is_no_denial(clause, at, other):
                return True
    return False


def _is_another_case(clause: Sequence[StemmedWord], at: int, other: Phrase) -> bool:
    """True for the ``only at night`` of a duty that the other text denies without any exception and without a night."""
    if clause[at].lower != "only" or other.lowers & _EXCEPTING:
        return False
    case = [word for word in clause[at + 1 :] if word.is_content or is_not(word)]
    opposite = any(OPPOSITES.get(word.stem, frozenset()) & other.stems for word in case)
    strange = not any(other.has_kin_of(word) or implies(word) or is_not(word) for word in case)
    return bool(case) and strange and not opposite


def _is_no_denial(clause: Sequence[StemmedWord], at: int, other: Phrase) -> bool:
    """True for a word that denies nothing here: both have it, it joins two clauses, or the other has it in another form."""
    word = clause[at]
    if word.lower == "but" and at == 0:
        return True
    return word.stem in other.stems or (word.lower == "another" and not _OTHER.isdisjoint(other.stems))
