"""Words that make a statement stronger or weaker: all, only, always, may, must, at all.

A claim may be weaker than its source ("most" where that says "all"); it may not be stronger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.spelled import WORDS
from curator.wiki.english.stems import stem
from curator.wiki.english.stronger import IN_OTHER_WORDS, STRONGER
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import NOT

_WEAKENING = ("not", "after", "almost", "nearly", "if", "above", "nor", "first")
_COUNTED = frozenset("two three four five six seven eight nine ten these those".split())
FREQUENCY = {
    word: rank
    for rank, words in (
        (0, "never"),
        (1, "rarely seldom hardly barely scarcely"),
        (2, "sometimes occasionally"),
        (3, "often usually typically normally frequently generally commonly mostly"),
        (4, "always invariably"),
    )
    for word in words.split()
}
_BEFORE_NUMBERS = frozenset("only every exactly precisely".split())
_IDIOMS = {
    "only": frozenset("later recently then now a".split()),
    "every": frozenset("second third fourth fifth other few time".split()),
    "all": frozenset("along over in told but others".split()),
}
"""Words behind which a strong word says how often, how few or how late."""
_ROUGH = frozenset(
    "about around approximately approx roughly nearly almost some circa least most more less over under up".split()
)
_ONLY = frozenset(("only", "solely", "exclusively"))
_MAINLY = frozenset("mainly mostly chiefly largely primarily".split())
_AMONG_OTHERS = frozenset(("among others", "amongst others", "among other things"))
_WHOLE = frozenset("all every each any".split())
_NONE = frozenset(("none",))
_NOT_QUITE = frozenset("almost nearly virtually practically not".split())
_PART = frozenset("some few half several most".split())
_UNIVERSAL = frozenset("all every everybody everyone everything always never nobody none".split())
_UNIVERSAL_TOO = _UNIVERSAL | frozenset("each any no anyone anybody anything nothing whole both not".split())
_PARTIAL = frozenset("some sometimes most many several few often usually partly mostly".split())
_SOME = frozenset("some several many few certain most".split())
_CASES = frozenset("people users cases places instances situations circumstances times of".split())
_FREE = frozenset("any every all".split())
_REACH = 4


def quantifier_widened(case: Case) -> Iterator[str]:
    """A word as strong as all, only, never or always that nothing in what is quoted bears out."""
    for strong, bearing in (*STRONGER, *(IN_OTHER_WORDS if case.is_close else ())):
        said = {
            word for word in case.claim.says(strong) if not _is_weakened(case.claim, word) and not _is_idiom(case, word)
        }
        if not said:
            continue
        # "No X without Y" says what "every X has Y" says; a "no" that the claim keeps says nothing of how far it goes.
        kept = {word for word in case.claim.says(NOT) if "every" in strong and "unless" not in case.claim.lowers}
        held = any(
            {term for term in text.says(bearing) if not _is_partial(text, term)} - kept
            or ("not" in bearing and any(word.lower.endswith("n't") for word in text.words))
            for text in (case.context.stated, case.context.led, case.context.headings)
        )
        if not held:
            yield f"nothing quoted says {_any(said)!r}"

    stated, only = case.context.stated, case.claim.says(_ONLY)
    if only and stated.says(_AMONG_OTHERS) and not stated.says(_ONLY):
        yield f"the source says 'among others' where the claim says {min(only)!r}"
    mainly = case.claim.lowers & _MAINLY
    if mainly and stated.says(_ONLY) and not case.claim.says(_ONLY) and not stated.lowers & _MAINLY and case.is_close:
        yield f"the source says 'only' where the claim says {min(mainly)!r}"
    yield from _none_of_most(case)
    yield from _all_of_some(case)
    yield from _any_of_one(case)
    yield from _part_of_all(case)
    yield from _all_of_so_many(case)
    yield from _only_lost(case)


def _none_of_most(case: Case) -> Iterator[str]:
    """None of something, where the source speaks of most or some of it."""
    some = {
        thing.stem: word.lower
        for at, word in enumerate(case.context.stated.words)
        if word.lower in ("most", "majority", "some", "many", "several", "few")
        for thing in case.context.stated.words[at + 1 : at + 4]
        if thing.is_content and thing.clause == word.clause
    }
    for at, word in enumerate(case.claim.words):
        things = [
            thing for thing in case.claim.words[at + 1 : at + 4] if thing.is_content and thing.clause == word.clause
        ]
        found = next((some[thing.stem] for thing in things if thing.stem in some), "")
        if word.lower in ("no", "none") and found and not case.context.stated.lowers & NOT:
            yield f"the source says {found!r} where the claim says {word.lower!r}"
            return


def _all_of_some(case: Case) -> Iterator[str]:
    """All, always or everybody, where the sentence that says so speaks of some, or of some cases."""
    for mine in case.claim.sentences:
        universal = [word for word in mine if word.lower in _UNIVERSAL]
        told = {word.stem for word in mine if word.is_content} - case.context.known.stems
        if (
            not universal
            or len(told) < 2
            or _PARTIAL & case.claim.lowers
            or _is_weakened(case.claim, universal[0].lower)
        ):
            continue
        for theirs in case.context.stated.sentences:
            lowers, shared = {word.lower for word in theirs}, told & {word.stem for word in theirs}
            partial = _some_of(theirs)
            if partial and 4 * len(shared) >= 3 * len(told) and not lowers & _UNIVERSAL_TOO:
                yield f"the source says {partial!r} where the claim says {universal[0].text!r}"
                return


def _some_of(sentence: Sequence[StemmedWord]) -> str:
    """The ``some people`` or ``in some cases`` of a sentence; empty without one."""
    pairs = (f"{word.lower} {behind.lower}" for word, behind in pairwise(sentence) if word.lower in _SOME)
    return next((pair for pair in pairs if pair.split()[1] in _CASES), "")


def _any_of_one(case: Case) -> Iterator[str]:
    """``In any weather``, where the source says "in clear weather"."""
    stated = case.context.stated
    if not case.is_close or stated.lowers & _UNIVERSAL_TOO:
        return
    kinds: dict[str, set[str]] = {}
    for before, thing in pairwise(stated.words):
        if before.is_content and thing.is_content and before.clause == thing.clause and not before.code:
            kinds.setdefault(thing.stem, set()).add(before.text)
    counts = Counter(word.stem for word in stated.words)
    for word, thing in pairwise(case.claim.words):
        found = (
            kinds.get(thing.stem, set())
            if word.lower in _FREE and counts[thing.stem] == len(kinds.get(thing.stem, ()))
            else set()
        )
        if found and not any(stem(each) in case.claim.stems for each in found):
            yield f"the source says {f'{min(found)} {thing.text}'!r} where the claim says {f'{word.lower} {thing.text}'!r}"
            return


def _part_of_all(case: Case) -> Iterator[str]:
    """Only some of something, where the source speaks of all of it."""
    stated = case.context.stated
    whole = {thing.stem: word.lower for word, thing in _quantified(stated, _WHOLE) if not _is_under_not(stated, word)}
    bounded = {thing.stem for _, thing in _quantified(stated, _PART)}
    for word, thing in _quantified(case.claim, _PART):
        if thing.stem in whole and thing.stem not in bounded and not _WHOLE & case.claim.lowers:
            yield f"the source says {whole[thing.stem]!r} of {thing.text!r}, the claim says {word.lower!r}"
            return
    none = {thing.stem: word.lower for word, thing in _quantified(stated, _NONE)}
    if not {*NOT, "few", "only"} & case.claim.lowers and not case.is_reworded:
        for word, thing in _quantified(case.claim, _PART | _WHOLE):
            if thing.stem in none and thing.stem not in bounded:
                yield f"the source says {none[thing.stem]!r} of {thing.text!r}, the claim says {word.lower!r}"
                return


def _all_of_so_many(case: Case) -> Iterator[str]:
    """``All nine``, where the source says five of the nine."""
    parts = {(last.stem, first.text) for first, of, last in _number_pairs(case.context.stated) if of == "of"}
    for before, word in pairwise(case.claim.words):
        found = next((first for number, first in parts if number == word.stem and before.lower == "all"), "")
        if found:
            yield f"the source says {found!r} of the {word.text} where the claim says 'all {word.text}'"
            return


def _number_pairs(text: Phrase) -> Iterator[tuple[StemmedWord, str, StemmedWord]]:
    """Two numbers with ``of`` between them: ``five of the nine``."""
    words = [word for word in text.words if word.lower not in ("the", "these", "those", "its")]
    for one, of, two in zip(words, words[1:], words[2:], strict=False):
        if all(word.is_number or word.lower in WORDS for word in (one, two)) and one.stem != two.stem:
            yield one, of.lower, two


def _only_lost(case: Case) -> Iterator[str]:
    """``On the bridge or on a road``, where the source says only on the bridge, and has no road."""
    stated, claim = case.context.stated, case.claim
    if claim.lowers & (NOT | _ONLY | {"just", "alone"}) or stated.says(_AMONG_OTHERS):
        return
    for at, word in enumerate(stated.words):
        near = stated.words[at + 1 : at + 2 + _REACH] if word.lower in _ONLY else ()
        bound = {each.stem for each in near if each.is_content and each.clause == word.clause}
        for place, joins in enumerate(claim.words):
            before, behind = claim.words[max(0, place - 1) : place], claim.words[place + 1 : place + 2 + _REACH]
            others = [each for each in behind if each.is_content and each.clause == joins.clause][:1]
            is_other = bool(others) and others[0].stem not in stated.stems | bound
            if joins.lower in ("and", "or") and is_other and {each.stem for each in before} & bound:
                yield f"the source says 'only' of {before[0].text!r}, the claim adds {others[0].text!r}"
                return


def _is_under_not(text: Phrase, word: StemmedWord) -> bool:
    """True for ``not on all of them``."""
    at = text.words.index(word)
    return any(each.lower in NOT and each.clause == word.clause for each in text.words[max(0, at - _REACH) : at])


def _quantified(text: Phrase, quantifiers: frozenset[str]) -> Iterator[tuple[StemmedWord, StemmedWord]]:
    """Every word of ``quantifiers`` with each of the next content words of its clause."""
    for at, word in enumerate(text.words):
        is_bound = at > 0 and text.words[at - 1].lower == "at"  # "at most"
        near = text.words[at + 1 : at + 1 + _REACH] if word.lower in quantifiers and not is_bound else ()
        yield from ((word, thing) for thing in near if thing.is_content and thing.clause == word.clause)


def frequency_changed(case: Case) -> Iterator[str]:
    """Another frequency (often, always, never) of the very thing that the source gives one for."""
    theirs: dict[str, set[str]] = {}
    for focus, word in _frequencies(case.context.stated):
        theirs.setdefault(focus, set()).add(word)
    for focus, word in _frequencies(case.claim):
        others = theirs.get(focus, set())
        if others and FREQUENCY[word] not in {FREQUENCY[other] for other in others}:
            yield f"the source says {min(others)!r} of {focus!r}, the claim says {word!r}"


def _is_idiom(case: Case, term: str) -> bool:
    """True where ``term`` states nothing by itself, wherever it stands in the claim.

    ``only 3 of 12``, ``only later``, ``every two years``, ``all along``, and ``exactly 12`` where 12 is
    what the source gives, and not about 12.
    """
    words = case.claim.words
    behind = [
        words[at + 1] if at + 1 < len(words) and words[at + 1].sentence == word.sentence else None
        for at, word in enumerate(words)
        if word.lower == term
    ]
    if term in ("exactly", "precisely") and case.context.stated.lowers & _ROUGH:
        return False
    follow = _IDIOMS.get(term, frozenset())
    if term == "only" and behind and all(word is not None and word.lower in ("by", "about") for word in behind):
        return True  # "rose by only half a degree"
    if term == "all" and " year round " in case.context.stated.flat:
        follow |= {"year"}
    number = term in _BEFORE_NUMBERS
    return bool(behind) and all(
        word is not None and (word.lower in follow or (number and (word.is_number or word.lower in WORDS)))
        for word in behind
    )


def _is_partial(text: Phrase, term: str) -> bool:
    """True for the ``all`` of ``almost all``, and the ``every`` of ``not every``, wherever it stands in the text."""
    before = [one.lower for one, other in pairwise(text.words) if other.lower == term]
    is_first = bool(text.words) and text.words[0].lower == term
    return term in _WHOLE and not is_first and bool(before) and set(before) <= _NOT_QUITE


def _is_weakened(claim: Phrase, term: str) -> bool:
    """True for ``not all``, ``nearly always``, and what is no quantifier: ``after all``, ``at all``, ``all three``."""
    words = claim.flat.split()
    first = term.split()[0]
    places = [at for at, word in enumerate(words) if word == first]
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


def _frequencies(text: Phrase) -> Iterator[tuple[str, str]]:
    for clause in text.clauses:
        for at, word in enumerate(clause):
            if word.lower in FREQUENCY and (focus := focus_of(clause, at)) is not None:
                yield focus.stem, word.lower


def focus_of(clause: Sequence[StemmedWord], at: int) -> StemmedWord | None:
    """The first content word behind place ``at`` in the clause, adverbs left out."""
    for word in clause[at + 1 : at + 2 + _REACH]:
        if word.is_content and not word.lower.endswith("ly") and word.lower != "eventually":
            return word
    return None


def _any(words: set[str]) -> str:
    return sorted(words, key=len)[-1]
