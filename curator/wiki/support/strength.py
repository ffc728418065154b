"""Words that make a statement stronger or weaker: all, only, always, may, must, already, at all.

A claim may be weaker than its source ("most" where that says "all"); it may not be stronger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.wiki.support.case import Case
from curator.wiki.support.words import Phrase, StemmedWord


def _terms(text: str) -> frozenset[str]:
    return frozenset(term.strip() for term in text.split(","))


_UNIVERSAL = (
    "all, every, each, any, always, entire, entirely, entirety, whole, everything, everyone, everybody, anything, anyone, "
    "everywhere, anywhere, whenever, wherever, whatever, whichever, whoever, throughout, in every case, fully, "
    "full, completely, constantly, invariably, universally, without exception, complete, total, totally, "
    "arbitrary, altogether, wholly, absolutely, per, respective, respectively, forever, permanently, exhaustive, "
    "exhaustively, regardless, no matter, at all times, "
    "in all cases, at all, as usual"
)
_ONLY = (
    "only, solely, just, alone, merely, exclusively, exclusive, sole, single, nothing but, no other, except, unless, other "
    "than, restricted, limited, exactly, must, if, no sooner, not until, until, purely, but, rather than, mere, required, "
    "requires, reserved, confined, dedicated, one, necessary, without, cannot, simply, when, no, none, nothing, not"
)
_NEVER = (
    "never, none, nobody, no one, nothing, nowhere, not at all, under no circumstances, in no case, no, not ever, not, "
    "cannot, without, neither, nor, any"
)
_RARELY = "rarely, seldom, hardly, scarcely, barely"
_USUALLY = "usually, typically, normally, generally, mostly, commonly, frequently, often, predominantly"
_LASTING = "already, no longer, anymore, any more, for good, forever, permanently"
_SURE = "guaranteed, guarantees, certainly, undoubtedly, proven, proves, proved, definitely, surely"
_BOUNDLESS = (
    "without reservation, unconditionally, without restriction, without limit, without any condition, in all weather, "
    "any number, unlimited"
)

STRONGER: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (
        _terms(
            "all, every, always, everything, everyone, everywhere, anywhere, whatever, whichever, entirely, "
            "completely, totally, universally"
        ),
        _terms(_UNIVERSAL),
    ),
    (
        _terms("in every case, in all cases, without exception, invariably"),
        _terms(
            "in every case, in all cases, without exception, invariably, always, never, every, each time, no exception"
        ),
    ),
    (
        _terms("sometimes, occasionally"),
        _terms(
            "sometimes, occasionally, may, might, can, could, often, some, at times, usually, typically, occasional, "
            "certain, not always, frequently, likely, possible, possibly, perhaps, if, when"
        ),
    ),
    (
        _terms("at all, whatsoever"),
        _terms("at all, whatsoever, any, never, nothing, none, entirely, completely, absolutely"),
    ),
    (_terms("only, solely, exclusively, nothing but, no other"), _terms(_ONLY)),
    (_terms("never, nobody, nowhere, under no circumstances, in no case"), _terms(_NEVER)),
    (
        _terms("none of, not one, not a single, not any"),
        _terms("none, no, not, never, nobody, nothing, neither, without, zero, any"),
    ),
    (
        _terms("still, to this day, nowadays, currently"),
        _terms(
            "still, now, today, nowadays, currently, current, continue, continues, remain, remains, yet, is, are, has, "
            "have, does, do, keep, keeps, can, may, will, must, present, recent, modern"
        ),
    ),
    (
        _terms("planned, upcoming, forthcoming, scheduled"),
        _terms(
            "plan, plans, planned, planning, planners, upcoming, coming, forthcoming, future, scheduled, schedule, will, "
            "shall, expected, expects, intended, intends, intend, intention, next, due, proposed, proposes, would, "
            "should, could, may, might, later, to come, to be, aims, aim, hopes, hope, soon, eventually, going to"
        ),
    ),
    (
        _terms("exactly, precisely"),
        _terms("exactly, precisely, exact, precise, just, only, equal, equally, same, identical, identically"),
    ),
    (
        _terms(
            "whatever the, however the, whether or not, in any case, in either case, irrespective, no matter, of any kind, "
            "even where, even without, under any, the whole of"
        ),
        _terms(
            f"{_UNIVERSAL}, however the, whether or not, irrespective, independent, independently, even, both, either, not"
        ),
    ),
    (_terms(_RARELY), _terms(f"{_RARELY}, rare, uncommon, infrequently, little, few, unlikely")),
    (
        _terms(_USUALLY),
        _terms(
            f"{_USUALLY}, {_UNIVERSAL}, most, many, usual, typical, normal, general, common, tend, tends, frequent, "
            "majority, mainly, regularly, largely, a lot, widely, by default, customary, habitually, sometimes, several, "
            "multiple, numerous, repeatedly"
        ),
    ),
    (
        _terms("most of, the majority, majority of, nearly all, almost all"),
        _terms(f"{_UNIVERSAL}, most, majority, nearly, almost, mostly, usually"),
    ),
    (
        _terms(_LASTING),
        _terms(
            f"{_LASTING}, any longer, permanent, now, since, currently, existing, formerly, was, were, stopped, stop, "
            "removed, dropped, remove, still, is, are, have, has, lifetime, existed, previously"
        ),
    ),
    (
        _terms(_SURE),
        _terms(
            f"{_SURE}, guarantee, guaranteeing, certain, prove, proof, definite, sure, ensure, ensures, ensured, must, "
            "always, assures, assured"
        ),
    ),
    (
        _terms(_BOUNDLESS),
        _terms(f"{_BOUNDLESS}, unconditional, unrestricted, arbitrary, arbitrarily, no limit, unbounded"),
    ),
)
"""What a claim may not say more strongly: the words that say it, and those that bear it out."""

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
_NOMINAL = ("al", "tion", "sion", "ment", "ance", "ence", "ing", "ity", "er", "or")
_REACH = 4


def quantifier_widened(case: Case) -> Iterator[str]:
    """A word as strong as all, only, never or always that nothing in what is quoted bears out."""
    for strong, bearing in STRONGER:
        said = {word for word in case.claim.says(strong) if not _is_weakened(case.claim, word)}
        held = (
            case.context.stated.says(bearing) or case.context.led.says(bearing) or case.context.headings.says(bearing)
        )
        if said and not held:
            yield f"nothing quoted says {_any(said)!r}"

    yield from _none_of_most(case)


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
        if word.lower in ("no", "none") and found and word.lower not in case.context.stated.lowers:
            yield f"the source says {found!r} where the claim says {word.lower!r}"
            return


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
    unhedged = _unhedged(case.context.stated, set(hedged))
    for clause in case.claim.clauses:
        if any(word.lower in _HEDGING for word in clause):
            continue
        for word in clause:
            if word.stem in hedged and word.stem not in unhedged and not _is_noun(word):
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
                each.lower in ("only", "not", "solely") for each in clause[at + 1 : at + 5]
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


def _any(words: set[str]) -> str:
    return sorted(words, key=len)[-1]
