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
from curator.wiki.support.rules.negation import NOT

_WEAKENING = ("not", "after", "almost", "nearly", "if", "above", "nor", "first")
_COUNTED = frozenset("two three four five six seven eight nine ten these those".split())
_FREQUENCY = {
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
    "all": frozenset("along over in told but".split()),
}
"""Words behind which a strong word says how often, how few or how late."""
_ROUGH = frozenset(
    "about around approximately approx roughly nearly almost some circa least most more less over under up".split()
)
HEDGES = frozenset("may might perhaps possibly probably likely maybe potentially seems seem apparently".split())
_RELATIVE = frozenset("that which who whom whose if whether when where what whatever".split())
"""Words that open a clause whose hedge does not fall on the statement."""
_ATTRIBUTIVE = frozenset(("possible", "potential"))
_DETERMINED = frozenset(
    "the all any other every each as if where when is are be it not this these its their was were".split()
)
"""Words before ``possible`` that make it no hedge: ``the possible values``, ``if possible``."""
_HEDGING = HEDGES | frozenset(
    "can could possible potential probable would should allowed permitted optional optionally sometimes some allow "
    "allows occasionally seemed appeared seemingly chance risk unlikely suggests suggested permit permits if free freely "
    "conceivable conceivably imaginable wants wish wishes option options able unless expected tend tends ought possibility "
    "possibilities believe believes believed uncertain unclear think thinks thought guess often usually typically "
    "voluntary presumably assumed proposed plausible suspected planned intended up left open "
    "choose chooses legal valid acceptable considered consider".split()
)
_MODALS = frozenset("may might can could should will must shall would".split())
_IS = frozenset("is are was were".split())
_OBLIGING = frozenset(
    "must,shall,should,required,requires,require,requirement,requirements,need,needs,obliged,obligatory,mandatory,duty,"
    "has to,have to,had to,to be,only,always,ought,cannot,may not,never,rule,rules,expected,ensure,error,if".split(",")
)
_WHOLE = frozenset("all every each any".split())
_PART = frozenset("some few half several most".split())
_NOMINAL = ("al", "tion", "sion", "ment", "ance", "ence", "ing", "ity", "er", "or")
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
        kept = {word for word in case.claim.says(NOT) if "every" in strong}
        held = any(
            set(text.says(bearing)) - kept
            or ("not" in bearing and any(word.lower.endswith("n't") for word in text.words))
            for text in (case.context.stated, case.context.led, case.context.headings)
        )
        if not held:
            yield f"nothing quoted says {_any(said)!r}"

    yield from _none_of_most(case)
    yield from _part_of_all(case)


def _none_of_most(case: Case) -> Iterator[str]:
    """None of something, where the source speaks of most or some of it."""
    some = {
        thing.stem: word.lower
        for at, word in enumerate(case.context.stated.words)
        if word.lower in ("most", "some", "many", "several", "few")
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
    whole = {thing.stem: word.lower for word, thing in _quantified(stated, _WHOLE)}
    bounded = {thing.stem for _, thing in _quantified(stated, _PART)}
    for word, thing in _quantified(case.claim, _PART):
        if thing.stem in whole and thing.stem not in bounded and not _WHOLE & case.claim.lowers:
            yield f"the source says {whole[thing.stem]!r} of {thing.text!r}, the claim says {word.lower!r}"
            return


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
        if others and _FREQUENCY[word] not in {_FREQUENCY[other] for other in others}:
            yield f"the source says {min(others)!r} of {focus!r}, the claim says {word!r}"


def hedge_lost(case: Case) -> Iterator[str]:
    """What the source hedges with may, might or perhaps, the claim states as a fact."""
    hedged = _hedged(case.context.stated)
    unhedged, kept = _unhedged(case.context.stated, set(hedged)), _hedged(case.claim)
    hedging = _HEDGING - ({"if"} & case.context.stated.lowers)  # both have the condition: it is no hedge for "may"
    for clause in case.claim.clauses:
        if any(word.lower in hedging for word in clause):
            continue
        for word in clause:
            is_new = word.stem in hedged and word.stem not in unhedged and word.stem not in kept
            if is_new and not _is_noun(word) and not _is_headed(clause, word):
                yield f"the source says {hedged[word.stem]!r} of {word.text!r}, the claim states it as a fact"
                break


def modal_raised(case: Case) -> Iterator[str]:
    """Will or must where the source has may, might, could, can or should for the same verb."""
    theirs: dict[str, set[str]] = {}
    for modal, word in _modals(case.context.stated):
        theirs.setdefault(word.stem, set()).add(modal)
    for modal, word in _modals(case.claim):
        weaker = theirs.get(word.stem, set())
        enough = {"may", "might", "could", "can"} | ({"should"} if modal != "will" else set())
        if modal in ("will", "must", "shall") and weaker and weaker <= enough:
            yield f"the source says {min(weaker)!r} of {word.text!r}, the claim says {modal!r}"
    yield from _duty_put_in(case)


def _duty_put_in(case: Case) -> Iterator[str]:
    """``must be used`` where the source has ``is used``, no word of a duty, and all the other words of the claim."""
    texts = (case.context.stated, case.context.led, case.context.headings)
    if not case.is_verbatim or any(text.says(_OBLIGING) for text in texts):
        return
    done = {
        word.stem: f"{before.lower} {word.lower}" for before, word in pairwise(texts[0].words) if before.lower in _IS
    }
    for modal, be, word in zip(case.claim.words, case.claim.words[1:], case.claim.words[2:], strict=False):
        if (modal.lower, be.lower) == ("must", "be") and word.is_content and word.stem in done:
            yield f"the source says {done[word.stem]!r}, the claim says 'must be {word.lower}'"


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
            if word.lower in _FREQUENCY and (focus := _focus(clause, at)) is not None:
                yield focus.stem, word.lower


def _hedged(text: Phrase) -> dict[str, str]:
    """The words a hedge falls on, by stem, with the hedge."""
    found: dict[str, str] = {}
    for clause in text.clauses:
        for at, word in enumerate(clause):
            before = clause[at - 1].lower if at else "the"
            hedges = word.lower in HEDGES or (word.lower in _ATTRIBUTIVE and before not in _DETERMINED)
            follows = any(each.lower in _RELATIVE for each in clause[max(0, at - 3) : at])
            bounds = word.lower in ("may", "might") and any(
                each.lower in ("only", "not", "solely", "no", "nobody", "none")
                for each in (*clause[max(0, at - 4) : at], *clause[at + 1 : at + 5])
            )
            if hedges and not (follows or bounds) and word.text != "May" and (focus := _focus(clause, at)) is not None:
                found.setdefault(focus.stem, word.lower)
    return found


def _unhedged(text: Phrase, hedged: set[str]) -> set[str]:
    """Those of the hedged words that also stand in a clause without any hedge, as verbs."""
    return {
        word.stem
        for clause in text.clauses
        if not any(word.lower in _HEDGING for word in clause)
        for word in clause
        if word.stem in hedged and not word.lower.endswith(_NOMINAL)
    }


def _modals(text: Phrase) -> Iterator[tuple[str, StemmedWord]]:
    """Every may, can, will, must with the verb it stands before; of ``may choose to offer`` with both."""
    for clause in text.clauses:
        for at, word in enumerate(clause):
            if word.lower not in _MODALS or (focus := _focus(clause, at)) is None:
                continue
            yield word.lower, focus
            behind = clause.index(focus) + 1
            if behind < len(clause) and clause[behind].lower == "to" and (aim := _focus(clause, behind)) is not None:
                yield word.lower, aim


def _focus(clause: Sequence[StemmedWord], at: int) -> StemmedWord | None:
    """The first content word behind place ``at`` in the clause, adverbs left out."""
    for word in clause[at + 1 : at + 2 + _REACH]:
        if word.is_content and not word.lower.endswith("ly") and word.lower != "eventually":
            return word
    return None


def _is_noun(word: StemmedWord) -> bool:
    """True for what a verb's ending makes a noun, as ``removal`` or ``warnings``."""
    return not word.code and word.lower.rstrip("s").endswith(_NOMINAL)


def _is_headed(clause: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True for a noun by its article: ``the redirect``."""
    at = clause.index(word)
    return at > 0 and clause[at - 1].lower in ("a", "an", "the", "this", "that", "its", "their", "no", "any")


def _any(words: set[str]) -> str:
    return sorted(words, key=len)[-1]
