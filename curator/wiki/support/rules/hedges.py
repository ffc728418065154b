"""What a source says with may, might, perhaps, should or "is thought to", and a claim states as a fact or a duty."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.only_meant import BELIEVING, INTENDS, MODALS, belief_lost, proposal_lost
from curator.wiki.support.rules.strength import focus_of

HEDGES = frozenset("may might perhaps possibly probably likely maybe potentially seems seem apparently".split())
APPEARS = frozenset("appear appears appeared".split())
_PUTTING_OFF = frozenset((("could", "be"),))
_AFTERTHOUGHTS = frozenset("probably possibly perhaps maybe apparently presumably supposedly allegedly".split())
"""Hedges that may follow what they hedge: ``It is handy, probably.``"""
_RELATIVE = frozenset("that which who whom whose if whether when where what whatever".split())
"""Words that open a clause whose hedge does not fall on the statement."""
_SAYING = frozenset("said says say states stated reported reports argued argues warned warns found finds added".split())
_GOVERNING = frozenset("in over by for under during with on".split())
_FAR = 6
_ATTRIBUTIVE = frozenset(("possible", "potential"))
_DETERMINED = frozenset(
    "the all any other every each as if where when is are be it not this these its their was were".split()
)
"""Words before ``possible`` that make it no hedge: ``the possible values``, ``if possible``."""
_HEDGING = HEDGES | frozenset(
    "can could possible potential probable would should allowed permitted optional optionally sometimes some "
    "allow allows occasionally seemed appeared seemingly chance risk unlikely suggests suggested permit permits "
    "if free freely conceivable conceivably imaginable wants wish wishes option options able unless expected tend "
    "tends ought possibility possibilities believe believes believed uncertain unclear think thinks thought guess "
    "often usually typically voluntary presumably assumed proposed plausible suspected planned intended up left "
    "open lest right rights entitled entitlement permission choose chooses legal valid acceptable fine considered "
    "consider appear appears held deemed judged let lets letting liberty".split()
)
DOUBTING = frozenset(
    "unclear uncertain suspected suspects rumoured alleged supposedly allegedly presumably plausible conceivably "
    "hypothesis hypothesise hypothesize hypothesised hypothesized speculated speculates tentative tentatively provisional "
    "provisionally preliminary believed thought unlikely suggests suggest suggested".split()
)
"""Words by which a source says that something is not certain."""
_SUPPOSING = frozenset("if unless whether".split())
"""Words with which a clause begins that states nothing by itself."""
_LETTING = frozenset(("allow", "enable", "permit"))
_MAY = frozenset(("may", "might"))
_IS = frozenset("is are was were".split())
_OBLIGING = frozenset(
    "must,shall,should,required,requires,require,requirement,requirements,need,needs,obliged,obligatory,mandatory,duty,"
    "has to,have to,had to,to be,only,always,ought,cannot,may not,never,rule,rules,expected,ensure,error,if".split(",")
)
_ADVISING = frozenset("should ought recommended shouldn't".split())
_DUTIES = frozenset(
    "must,shall,has to,have to,had to,is forbidden,are forbidden,forbidden to,is prohibited,are prohibited,obliged to,"
    "is obligatory,mandatory,compulsory,is required,are required,must not,not allowed,not permitted".split(",")
)
_BINDING = _OBLIGING - {"should", "ought", "expected", "if", "need", "needs"} | frozenset(
    "forbidden,prohibited,prohibit,prohibits,forbid,forbids,not allowed,not permitted,obliges,can't,do not,no".split(
        ","
    )
)
"""Words by which a source binds, or that may stand for a duty."""
_MODIFIES = 3
"""Words between a ``that`` and the verb of its clause, at most."""
_NOMINAL = ("al", "tion", "sion", "ment", "ance", "ence", "ing", "ity", "er", "or")


def hedge_lost(case: Case) -> Iterator[str]:
    """What the source hedges with may, might or perhaps, the claim states as a fact."""
    hedged = _hedged(case.context.stated)
    in_code = case.context.kinds == {"code"}
    if in_code:  # where a name such as expected_fee hedges nothing
        hedged = {key: word for key, word in hedged.items() if word in HEDGES | MODALS}
    unhedged, kept = _unhedged(case.context.stated, set(hedged)), _hedged(case.claim)
    # What both have is no hedge for "may": the condition, and in the source's own words all else.
    kept_words = (_HEDGING - HEDGES - MODALS) if case.is_verbatim else frozenset(("if",))
    hedging = _HEDGING - (kept_words & case.context.stated.lowers)
    open_sentences = (
        {word.sentence for word in case.claim.words if word.lower in hedging} if case.is_reworded else set()
    )
    open_sentences |= _with_aside(case.claim, hedging)
    for clause in case.claim.clauses:
        if any(word.lower in hedging or word.sentence in open_sentences for word in clause):
            continue
        if clause[0].lower in _SUPPOSING or (len(clause) > 1 and clause[1].lower == "if"):
            continue  # what is but supposed is not stated
        for word in clause:
            is_new = word.stem in hedged and word.stem not in unhedged and word.stem not in kept
            is_new = is_new and not (hedged[word.stem] in APPEARS and any(each.lower in APPEARS for each in clause))
            is_apart = case.is_gathered and _is_in_modifier(clause, word)
            is_new = is_new and not _is_governed(case.claim, clause, word)
            if is_new and not word.code and not _is_noun(word) and not _is_headed(clause, word) and not is_apart:
                yield f"the source says {hedged[word.stem]!r} of {word.text!r}, the claim states it as a fact"
                break
    if not (_HEDGING | BELIEVING | INTENDS) & case.whole.lowers:
        yield from belief_lost(case)
        yield from proposal_lost(case) if not in_code else ()


def _is_governed(claim: Phrase, clause: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True for a verb that the ``may`` of a clause before it is of: ``may provide a file, and include a key``."""
    at = clause.index(word)
    earlier = (each.lower for each in claim.words if each.sentence == word.sentence and each.clause < word.clause)
    before = [each.lower for each in clause[:at]]
    is_aim = before[-1:] == ["to"] and {*before} <= {"to", "for", "example", "instance"}
    goes_on = at == 1 and before[0] in ("and", "or") and not word.lower.endswith(("s", "ed"))
    return (is_aim or goes_on) and not _MAY.isdisjoint(earlier)


def _with_aside(text: Phrase, hedging: Container[str]) -> set[int]:
    """The sentences with a hedge before an aside: ``it might, for example, lock the table``."""
    return {
        clause[-1].sentence for clause in text.clauses if clause[-1].lower in hedging and clause[-1].lower in MODALS
    }


def modal_raised(case: Case) -> Iterator[str]:
    """Will or must where the source has may, might, could, can or should for the same verb."""
    theirs: dict[str, set[str]] = {}
    for modal, word in _modals(case.context.stated):
        theirs.setdefault(word.stem, set()).add(modal)
    for modal, word in _modals(case.claim):
        weaker = theirs.get(word.stem, set())
        enough = {"may", "might", "could", "can"} | ({"should"} if modal != "will" else set())
        if modal in ("will", "must", "shall") and weaker and weaker <= enough and not _is_forbidden(case, modal, word):
            yield f"the source says {min(weaker)!r} of {word.text!r}, the claim says {modal!r}"
    yield from _duty_put_in(case)
    yield from _advice_raised(case)


def _is_forbidden(case: Case, modal: str, word: StemmedWord) -> bool:
    """True for ``must not`` of a verb that the source has with a plain may: it speaks of something else, or turns it."""
    at = case.claim.words.index(word)
    near = [each.lower for each in case.claim.words[max(0, at - _MODIFIES) : at]]
    return modal != "will" and "not" in near and "not" not in case.context.stated.lowers - case.context.led.lowers


def _advice_raised(case: Case) -> Iterator[str]:
    """Must, forbidden or obliged, where all that the source says of it is should."""
    flats = [f" {' '.join(word.lower for word in clause)} " for clause in case.claim.clauses]
    places = [(flat, flat.find(f" {duty} "), duty) for flat in flats for duty in _DUTIES]
    told = [duty for flat, at, duty in places if at >= 0 and not NOT & {*flat[:at].split()}]
    texts = (case.context.stated, case.context.led, case.context.headings)
    if told and texts[0].lowers & _ADVISING and not any(text.says(_BINDING) for text in texts):
        yield f"the source says {min(texts[0].lowers & _ADVISING)!r}, the claim says {min(told)!r}"


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


def _hedged(text: Phrase) -> dict[str, str]:
    """The words a hedge falls on, by stem, with the hedge."""
    found: dict[str, str] = {}
    for clause in text.clauses:
        for at, word in enumerate(clause):
            before = clause[at - 1].lower if at else "the"
            behind = clause[at + 1].lower if at + 1 < len(clause) else ""
            hedges = word.lower in HEDGES or (word.lower in _ATTRIBUTIVE and before not in _DETERMINED)
            hedges = hedges or (word.lower, behind) in _PUTTING_OFF or (word.lower in APPEARS and behind == "to")
            follows = any(
                each.lower in _RELATIVE and not (each.lower == "that" and place and clause[place - 1].lower in _SAYING)
                for place, each in enumerate(clause[:at])
                if place >= at - 3
            ) or any(
                each.lower in _GOVERNING and which.lower == "which"
                for each, which in pairwise(clause[max(0, at - _FAR) : at])  # "a time in which old ones may be rebuilt"
            )
            bounds = word.lower in ("may", "might") and any(
                each.lower in ("only", "solely", "no", "nobody", "none") for each in clause[max(0, at - 4) : at]
            )
            bounds |= word.lower in ("may", "might") and any(
                each.lower in ("only", "not", "solely", "no", "nobody", "none") for each in clause[at + 1 : at + 5]
            )
            if (
                hedges
                and not (follows or bounds)
                and word.text != "May"
                and (focus := focus_of(clause, at)) is not None
            ):
                found.setdefault(focus.stem, word.lower)
    for said, hedge in _afterthoughts(text):
        found.update({word.stem: hedge for word in said if word.is_content})
    return found


def _afterthoughts(text: Phrase) -> Iterator[tuple[tuple[StemmedWord, ...], str]]:
    """Every clause that a hedge by itself follows: ``It is handy, probably.``"""
    for said, after in pairwise(text.clauses):
        is_alone = len(after) == 1 and after[0].after == "," and after[0].sentence == said[0].sentence
        if is_alone and after[0].lower in _AFTERTHOUGHTS:
            yield said, after[0].lower


def _unhedged(text: Phrase, hedged: set[str]) -> set[str]:
    """Those of the hedged words that also stand in a clause without any hedge, as verbs."""
    thought = [said for said, _ in _afterthoughts(text)]
    return {
        word.stem
        for clause in text.clauses
        if not any(word.lower in _HEDGING for word in clause) and clause not in thought
        for before, word in zip((None, *clause), clause, strict=False)
        if word.stem in hedged and (not word.lower.endswith(_NOMINAL) or _is_participle(before, word))
    }


def _is_participle(before: StemmedWord | None, word: StemmedWord) -> bool:
    """True for ``seriously disrupting``, which is no noun."""
    return word.lower.endswith("ing") and before is not None and before.lower.endswith("ly")


def _modals(text: Phrase) -> Iterator[tuple[str, StemmedWord]]:
    """Every may, can, will, must with the verb it stands before; of ``may choose to offer`` with both."""
    for clause in text.clauses:
        for at, word in enumerate(clause):
            if word.lower not in MODALS or (focus := focus_of(clause, at)) is None:
                continue
            yield word.lower, focus
            behind = clause.index(focus) + 1
            if focus.lower in _LETTING:  # "may allow them to sign"
                behind = next((at for at in range(behind, len(clause)) if clause[at].lower == "to"), behind)
            if behind < len(clause) and clause[behind].lower == "to" and (aim := focus_of(clause, behind)) is not None:
                yield word.lower, aim


def _is_noun(word: StemmedWord) -> bool:
    """True for what a verb's ending makes a noun, as ``removal`` or ``warnings``."""
    return not word.code and word.lower.rstrip("s").endswith(_NOMINAL)


def _is_in_modifier(clause: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True for what only tells which thing is meant: ``disks that are remounted``, ``the value recorded for it``."""
    at = clause.index(word)
    near = [each.lower for each in clause[max(0, at - _MODIFIES) : at]]
    participle = word.lower.endswith(("ed", "en")) and bool(near) and clause[at - 1].is_content
    return participle or bool(_RELATIVE & {*near})


def _is_headed(clause: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True for a noun by its article: ``the redirect``."""
    at = clause.index(word)
    return at > 0 and clause[at - 1].lower in ("a", "an", "the", "this", "that", "its", "their", "no", "any")
