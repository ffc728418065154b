"""What became of something: accepted, rejected, removed, decided. These words are stated, or they are invented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.rules.states import other_state

_GROUPS = (
    "accepted approved adopted ratified endorsed agreed passed pronounced allowed",
    "rejected declined dismissed refused vetoed abandoned disapproved",
    "withdrawn retracted recalled revoked cancelled",
    "draft drafted",
    "final finalized finalised",
    "deferred postponed delayed suspended",
    "superseded obsoleted obsolete replaced",
    "deprecated",
    "removed dropped deleted eliminated abolished discontinued",
    "released published shipped launched",
    "completed finished concluded",
    "experimental provisional provisionally",
    "recommended preferred advised endorsed",
    "mandatory obligatory compulsory",
    "opened inaugurated",
    "upheld affirmed",
    "demolished destroyed",
    "lifted waived repealed rescinded",
    "proposed pending awaits awaiting",
    "default",
)
STATUSES = {stem(word): number for number, words in enumerate(_GROUPS) for word in words.split()}
"""The stems of what tells what became of a thing, each with the group it belongs to."""
_SHOWN = {word for words in _GROUPS for word in words.split()} - {"agreed", "passed", "allowed", "replaced"}
_BEARING = {
    0: "accept approv adopt agre final pass chosen choos pronounc resolut activ yes "
    "favour favor unanim grant consent permit welcom sanction confirm carri valid authent take taken work",
    1: "reject turn rule refus declin not no decid against abandon oppos dismiss object instead too error fail",
    2: "withdraw retract recal revok cancel pull took take back scrap drop void rescind",
    4: "final complet finish conclud end",
    5: "defer postpon delay suspend put push off later until till wait adjourn held hold pend",
    6: "supersed replac obsolet instead",
    8: "remov drop delet elimin strip no discontinu without longer leav omit exclud abandon",
    9: "licens releas publish ship launch version date post creat issu appear print came come avail introduc out new",
    12: "recommend prefer should encourag advis best idea suggest better ought favour favor appropri endors",
    13: "mandatori obligatori compulsori must requir need shall oblig have",
    14: "open inaugur start begin began launch first sinc use oper servic",
    15: "uphold confirm affirm agre right valid",
    16: "demolish destroy tear torn pull raze ruin blow blew burn burnt collaps remov",
    17: "lift waiv repeal rescind remov end drop cancel rais up revok withdraw no longer abolish annul hoist carri",
    18: "propos suggest draft recommend ask move motion plan await wait pend until consid discuss put call bring brought "
    "introduc submit submiss nomin request pep propon author open yet present idea offer advanc sponsor",
    19: "default unless otherwis omit absent initi standard preset predefin implicit automat usual normal assum fall "
    "fallback built miss left without no not if",
    10: "complet finish conclud implement done build open readi end made made creat erect last over",
}
"""Stems that bear a status out beside those of its own group."""
_IN_FORCE = frozenset(
    map(stem, "force effect effective valid apply applicable operative law bind binding enact".split())
)
_GONE, _TAKEN_OUT = 8, frozenset("taken out,took out,takes out,take out".split(","))
_DONE_AWAY = frozenset("done away with,struck from,struck off,got rid of,gotten rid of,taken out of".split(","))
_BORNE_AWAY = frozenset(_BEARING[8].split()) | frozenset(
    map(stem, "strike struck rid removed delete replace out".split())
)
_VERSION = re.compile(r"^\W*\[?v?(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)\]?\W{1,6}\d{4}-\d\d-\d\d\b", re.MULTILINE)
"""A version and its day, with which a line begins: ``2.9.1 (2025-02-20)``."""
_PUBLISHED, _SHOWN_BY_YEAR, _MANDATORY = 9, 10, 13
_FELL = frozenset(("declined", "dropped"))
_FALLEN = frozenset(map(stem, "fall fell fallen decrease shrink sink reduce".split()))
_ADVISED_AGAINST = frozenset(("advised against", "advised not"))
PLANNED = frozenset("planned plans expected scheduled hope hopes aim aims intend intends intended proposed".split())
COMING = PLANNED | frozenset("will should would shall must can may".split())
_OPEN = frozenset(
    "put off,postponed,deferred,no decision,decision is,not yet,no work,undecided,is planned,are planned,pending,proposed,"
    "proposal was,not been secured,is expected,are expected,still experimental,proof of concept,to be taken,to be decided,"
    "was suggested,under discussion,under review,no agreement,purposefully left,purposely left,deliberately left,"
    "intentionally left".split(",")
)
"""Words by which a source says that a thing is not decided or not begun."""
_SETTLED = frozenset(
    "carried resolved decided adopted approved opened funded started began begun entered secured chosen settled agreed "
    "stable launched fixed finalized underway complete completed done built took confirmed specified placed ordered bought "
    "signed production".split()
)
_UNDONE = frozenset(
    "rejected considered discussed proposed suggested deferred postponed refused dropped dismissed debated declined".split()
)
_WAS = frozenset(("was", "were", "is", "been"))
_PENDING = frozenset("proposes open yet still whether if would intention intends".split())
_TO_BE = frozenset(("to be",))
_PLANS = frozenset("proposal proposals plan plans".split())
_PUT = frozenset("put decided discussed considered left raised asked debated voted referred".split())


def are_apart(one: str, other: str) -> bool:
    """True for the stems of two statuses of which neither bears the other out: accepted and refused."""
    mine, theirs = STATUSES.get(one, -1), STATUSES.get(other, -1)
    return (
        -1 < mine != theirs > -1
        and other not in _BEARING.get(mine, "").split()
        and one not in _BEARING.get(theirs, "").split()
    )


def status_unknown(case: Case) -> Iterator[str]:
    """Accepted, rejected, withdrawn, removed or the like, where what is quoted has no such word."""
    held = case.context.stated.stems | case.context.headings.stems | case.context.known.stems
    groups = {STATUSES[each] for each in held if each in STATUSES}
    yield from other_state(case)
    away = case.claim.says(_DONE_AWAY)
    if away and not held & _BORNE_AWAY:
        yield f"nothing quoted says {min(away)!r}"
    if " in force " in case.whole.flat and not held & _IN_FORCE:
        yield "nothing quoted says 'in force'"
    for at, word in enumerate(case.claim.words):
        group = STATUSES.get(word.stem)
        if group is None or word.lower not in _SHOWN or group in groups or word.code or not _is_status(case, at):
            continue
        if group == _MANDATORY and "option" in held and NOT & case.context.stated.lowers:
            continue
        if word.lower == "proposed" and [each.lower for each in case.claim.words[at + 1 : at + 2]] == ["by"]:
            continue  # whose idea it was is no status
        if word.lower == "advised" and case.claim.says(_ADVISED_AGAINST) and _says_should_not(case.context.stated):
            continue
        if group == _GONE and case.context.stated.says(_TAKEN_OUT):
            continue
        if word.lower != "finished" and held & _bearing(word):
            continue
        if word.lower in _FELL and held & _FALLEN:
            continue  # a number that declined was no proposal
        if group == _SHOWN_BY_YEAR and case.context.cells:
            continue  # the year in a table's row
        if group == _PUBLISHED and _is_of_version(case):
            continue
        if _is_attribute(case.claim, at) and word.stem in case.context.around.stems | case.context.section.stems:
            continue  # "the delayed decision" is what the section is about
        yield f"nothing quoted says {word.text!r}"
    yield from _undecided(case)


def _is_of_version(case: Case) -> bool:
    """True for what is quoted of ``2.9.1 (2025-02-20)``, or stands below it: the head of an entry in a list of changes."""
    texts = (case.context.stated, case.context.headings)
    versions = {found[1] for text in texts for found in _VERSION.finditer(text.plain)}
    return any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.]\w)", case.written) for each in versions)


def _bearing(word: StemmedWord) -> frozenset[str]:
    return frozenset(_BEARING.get(STATUSES.get(word.stem, -1), "").split())


def _says_should_not(text: Phrase) -> bool:
    return "shouldn't" in text.lowers or bool(
        text.says(
            frozenset(("should not", "should never", "do not", "avoid", "discouraged", "discourages", "discourage"))
        )
    )


def _is_status(case: Case, at: int) -> bool:
    """True for a participle or a status by itself; not for ``may be removed`` or a negated one."""
    claim = case.claim
    word = claim.words[at]
    before = [each for each in claim.words[max(0, at - 4) : at] if each.sentence == word.sentence]
    near = {each.lower for each in before}
    behind = claim.words[at + 1 : at + 2]
    if word.lower in ("final", "draft", "dropped") and behind and behind[0].clause == word.clause:
        follows = behind[0].lower in ("and", "or", "in", "since", "on", "as", "for")
        return follows or "status" in case.context.stated.lowers  # "a draft PEP", by the head's field
    if any(each.lower == "to" and not following.text[:1].isdigit() for each, following in pairwise([*before, word])):
        return False
    if before and before[-1].lower == "as":
        return True  # "will be listed as deprecated"
    return not near & (NOT | {"be", "can", "may", "must", "should", "would", "could", "when", "if"})


def _is_attribute(claim: Phrase, at: int) -> bool:
    """True for the ``delayed`` of ``a delayed decision``."""
    behind = claim.words[at + 1 : at + 2]
    return bool(behind) and behind[0].is_content and behind[0].clause == claim.words[at].clause


def _undecided(case: Case) -> Iterator[str]:
    """Decided or begun in the claim, where the source says that it is open: put off, planned, not yet, no decision."""
    yield from _only_considered(case)
    yield from _whether(case)
    stated, claim = case.context.stated, case.claim
    left = stated.says(_OPEN)
    if not left or claim.says(_OPEN) or claim.lowers & (COMING | NOT | _PENDING) or claim.says(_TO_BE):
        return
    is_of_plan = bool(claim.lowers & _PLANS)
    for at, word in enumerate(claim.words):
        if word.lower not in _SETTLED - stated.lowers or (_SETTLED & stated.lowers and stated.stems & _bearing(word)):
            continue
        if not is_of_plan or (at and claim.words[at - 1].lower in _WAS):  # "the proposal was adopted"
            yield f"the source says {max(left, key=len)!r} where the claim says {word.text!r}"
            return


def _only_considered(case: Case) -> Iterator[str]:
    """Done, where the source says that doing it was rejected or considered: ``Sending it to a server was rejected``."""
    if case.claim.lowers & (_UNDONE | COMING | NOT) or case.claim.says(_OPEN):
        return
    told = case.told
    for words in case.context.stated.sentences:
        at = next((at for at in range(2, len(words)) if words[at].lower in _UNDONE and words[at - 1].lower in _WAS), 0)
        doing = {word.stem for word in words[:at] if word.is_content}
        if at and words[0].lower.endswith("ing") and words[0].stem in told and 2 * len(doing & told) >= len(told):
            yield f"the source says {words[at].text!r} of it, the claim says that it is so"
            return


def _whether(case: Case) -> Iterator[str]:
    """Settled, where the source says that whether it is so will be put to somebody, or is left to somebody."""
    if case.claim.lowers & (COMING | NOT | _PENDING | _PLANS | _PUT | {"to"}) or case.claim.says(_OPEN):
        return
    told = {word.stem for word in case.claim.content}
    for words in case.context.stated.sentences:
        asked = {word.stem for word in words if word.is_content}
        is_open = len(words) > 1 and words[0].lower == "whether" and {word.lower for word in words} & _PUT
        if is_open and 2 * len(asked & told) >= len(told):
            yield "the source leaves open whether it is so"
            return
