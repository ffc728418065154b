"""Two states of which a thing is in one: on or off, required or optional, stable or on trial, added or removed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_not


def _terms(text: str) -> frozenset[str]:
    return frozenset(text.split(","))


_ON = (
    "switched on,turned on,on by default,enabled by default,active by default,default on,is enabled,are enabled,is on,"
    "are on"
)
_OFF = (
    "switched off,turned off,off by default,disabled by default,default off,is disabled,are disabled,is off,are off,"
    "opt in"
)
_DEFAULT_ON = "default yes,default true,default enabled,defaults to yes,defaults to on,defaults to true"
_DEFAULT_OFF = "default no,default false,default disabled,defaults to no,defaults to off,defaults to false"
_DUTY = (
    "is required,are required,a required,mandatory,compulsory,obligatory,must be given,must be set,must be present,"
    "must be specified,must be used,must be included,must be provided"
)
_MUST = (
    "must,shall,required,requires,require,need,needs,has to,have to,necessary,error,fail,fails,raised,rejected,invalid"
)
_CHOICE = "is optional,are optional,an optional,is voluntary,are voluntary"
_LEFT = (
    "may be omitted,can be omitted,may be left out,can be left out,not needed,not required,not mandatory,not compulsory,"
    "not obligatory,need not,needs not,not have to,not need to,not required to,not obliged to"
)
_MISSING = (
    "is not given,are not given,is omitted,are omitted,is left out,are left out,is missing,is not specified,"
    "are not specified,is not set,is absent"
)
_AGAINST = "deprecated,discouraged,obsolete,discontinued,advised against,not recommended"
_COMMENDED = "recommended,preferred,prefer,preferable,best"
_TRIAL = (
    "experimental,unstable,provisional,beta,alpha,preview,prototype,not stable,not yet stable,work in progress,"
    "proof of concept,pre release"
)
_RIPE = "stable,mature,production ready,final,frozen,finalized,finalised"
_GONE = (
    "removed,dropped,dropped support,discontinued,abandoned,expired,has lapsed,obsolete,superseded,orphaned,unmaintained,"
    "no maintainer,was withdrawn,were withdrawn,been withdrawn,retired,revoked,repealed,demolished,no longer,given up,"
    "gave up,done away with,ceased"
)
_HERE = (
    "still,is current,are current,is valid,are valid,in force,in use,actively maintained,is maintained,are maintained,"
    "is supported,are supported,been supported,still included,is available,are available,supported since,available since"
)
_NEW = (
    "was added,were added,been added,added in,was introduced,were introduced,been introduced,introduced in,is new,are new,"
    "new in,available since,supported since,in use since"
)
_PLANNED = "is planned,are planned,planned for,planned in,is proposed,are proposed,reserved for future,for future use"
_UNDECIDED = (
    "under review,under discussion,under consideration,is pending,are pending,is considering,is being considered,"
    "being discussed,is undecided,not decided,not yet decided,still open"
)
_DECIDED = (
    "accepted,approved,adopted,ratified,rejected,carried,resolved,granted,refused,declined,was fixed,were fixed,fixed in,"
    "was closed,were closed,was decided"
)
_TAKEN_ON = "updated by,amended by,amends,extended by,confirmed by,confirms"
_TAKEN_OVER = "superseded by,supersedes,replaced by,replaces,obsoleted by,obsoletes"
_ELECTED = "is elected,are elected,was elected,were elected"
_APPOINTED = "is appointed,are appointed,was appointed,were appointed"
_LIES: tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...] = tuple(
    (_terms(said), _terms(held), _terms(f"{said},{bearing}" if bearing else said))
    for said, held, bearing in (
        (_ON, f"{_OFF},{_DEFAULT_OFF}", _DEFAULT_ON),
        (_OFF, f"{_ON},{_DEFAULT_ON}", _DEFAULT_OFF),
        (_DUTY, f"{_CHOICE},{_LEFT},{_MISSING},{_AGAINST},is allowed,are allowed,still allowed", _MUST),
        (
            f"{_CHOICE},{_LEFT},remains optional",
            f"{_DUTY},must,shall,required",
            "may,can,could,optional,optionally,voluntary,if,unless,default,but",
        ),
        (_COMMENDED, _AGAINST, "instead,rather,formerly,once,previously"),
        (_RIPE, _TRIAL, ""),
        (_TRIAL, _RIPE, ""),
        (_HERE, _GONE, "supports,supported,valid,current,until,continues,continue,keeps,works,work,reads"),
        (f"{_HERE},{_NEW},exists,exist", _PLANNED, "now,already,exist,exists,used,added,first"),
        (_GONE, "still", "not,never,until,end,ended"),
        (_NEW, f"{_GONE},was fixed,were fixed,fixed in", "added,introduced,new,since,first,came"),
        (_UNDECIDED, _DECIDED, "pending,open,considered,discussed,review,still,proposed,until"),
        (_TAKEN_ON, _TAKEN_OVER, "update,updated,amend,amended,extend,extended,confirmed"),
        ("was carried,were carried,carried by", "rejected,defeated,voted down,turned down", ""),
        ("was defeated,were defeated", "carried,passed,adopted,approved", "defeated"),
        (_ELECTED, _APPOINTED, "elect,elects,elected,election,vote,votes,voted,ballot"),
        (_APPOINTED, _ELECTED, "appoint,appoints,appointed,appointment"),
    )
)
"""What a claim says, what its source says where that is a lie, and the words of a source that bear it out."""
DUTY_WORDS = frozenset(
    stem(word) for terms in (_ON, _OFF, _DUTY, _CHOICE, _LEFT, _AGAINST) for word in re.split("[, ]", terms)
)
"""The stems of what tells whether a thing is on, or has to be."""
_SUPPOSED = _terms(_MISSING)
"""States that are told behind an ``if``."""
_OPEN = frozenset("if unless until when whether can may could will would should to".split())
"""Words behind which nothing is in a state yet."""
_BACK, _DENIED = 5, 3
"""Words before a state in which one of these, or a "not", is looked for."""


def other_state(case: Case) -> Iterator[str]:
    """On, where the source says off; required, where it says optional; stable, where it says experimental."""
    claim, known = case.claim, case.context.known.stems
    for said, held, bearing in _LIES:
        if not claim.says(said) or claim.says(held) or not case.context.stated.says(held):
            continue
        for mine, words in _states(claim, said):
            subject = {word.stem for word in words if word.tells} - known
            stated = _about(case.context.stated, subject)
            for theirs, others in _states(stated, held) if not stated.says(bearing) else ():
                is_of_it = bool(others) and others[0].lower in ("it", "they")
                about = {word.stem for word in others} | known
                if is_of_it or len(subject & about) * 2 >= len(subject):
                    yield f"the source says {theirs!r} where the claim says {mine!r}"
                    return


def _about(stated: Phrase, subject: set[str]) -> Phrase:
    """The only part of a sentence that speaks of the ``subject``: ``A is optional; B is required``."""
    parts = [(part, subject & {word.stem for word in part}) for part in stated.parted((";", ","))]
    shared = {stem for _, stems in parts for stem in stems if sum(stem in each for _, each in parts) > 1}
    own = [part for part, stems in parts if stems - shared]
    return Phrase("", own[0]) if len(own) == 1 else stated


def _states(text: Phrase, terms: frozenset[str]) -> Iterator[tuple[str, list[StemmedWord]]]:
    """Each of ``terms`` that the text says of something, with the other words of its sentence; not ``if it is on``."""
    for term in sorted(text.says(terms), key=len, reverse=True):
        at = text.flat.count(" ", 0, text.flat.index(f" {term} "))
        first, last = text.words[at], at + term.count(" ") + 1
        before = [word for word in text.words[max(0, at - _BACK) : at] if word.sentence == first.sentence]
        is_open = term not in _SUPPOSED and any(word.lower in _OPEN for word in before)
        if is_open or any(is_not(word) and not word.code and word.clause == first.clause for word in before[-_DENIED:]):
            continue
        own = text.words[at:last]
        yield term, [word for word in text.words if word.sentence == first.sentence and word not in own]
