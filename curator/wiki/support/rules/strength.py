"""Words that make a statement stronger or weaker: all, only, always, may, must, at all.

A claim may be weaker than its source ("most" where that says "all"); it may not be stronger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.spelled import WORDS
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
    yield from _part_of_all(case)


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
