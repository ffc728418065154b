"""What a source says that somebody believes, means to do or proposes, and a claim states as a fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case

_BEING = frozenset("is are was were been be".split())
_BELIEVED = frozenset("thought believed said suspected assumed rumoured alleged supposed presumed".split())
_BELIEVES = frozenset(
    "suspect suspects suspected hope hopes hoped think thinks believe believes expects expect assume assumes fear fears "
    "guess guesses probability possibility likelihood chance".split()
)
"""Words before ``that`` or ``to`` by which a source says that something is not certain."""
BELIEVING = (
    _BELIEVED
    | _BELIEVES
    | frozenset(
        "hopefully reportedly view views opinion mind sceptical skeptical according says say claim claims doubt wish "
        "desire aim goal intent promise promised".split()
    )
)
_OPENING = frozenset("the a an this these it they there its their all most no".split())
_VERBS = frozenset("is are was were will has have can does".split())
"""What a clause behind ``believe`` opens with that has no ``that``, and what tells that it is one: ``the lock is safe``."""
INTENDS = frozenset(
    "promise promises promised pledge pledges pledged vow vows vowed plan plans planned intend intends intended want wants "
    "wanted hope hopes hoped threaten threatens threatened offer offers offered aim aims aimed".split()
)
"""Words before ``to`` by which somebody only means to do a thing."""
_PROPOSED = frozenset(
    "proposed proposes propose suggested suggests suggest recommended recommends recommend requested demanded asked "
    "urged".split()
)
_PUTS_FORWARD = frozenset(
    "expected forecast predicted proposed proposes suggested suggests recommended recommends requested demanded".split()
)
_WHO = frozenset("he she it they we i who which also has have had".split())
"""Words behind which ``proposed`` is what somebody does: no ``recommended way``."""
_PUTTING_FORWARD = frozenset(
    "forward idea ideas recommends recommended recommend advised advise advises asked asks requested request requests "
    "demanded demand demands called calls favoured favour favours put offered urged sought wanted floated moved".split()
)
"""Words by which a claim says that somebody is for a thing."""
_SHOULD = frozenset("proposal suggestion motion request demand recommendation be".split())
_SHARED = 3
"""Words that a claim has of what is believed, at least."""
MODALS = frozenset("may might can could should will must shall would".split())


def belief_lost(case: Case) -> Iterator[str]:
    """What somebody is said to think, hope or expect, and the claim states in mostly the same words."""
    told = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.sentences:
        for at, (word, behind) in enumerate(pairwise(sentence)):
            is_passive = at > 0 and sentence[at - 1].lower in _BEING and behind.lower == "to"
            only_meant = (word.lower in INTENDS and behind.lower == "to") or (word.lower in _BELIEVED and is_passive)
            if only_meant and _is_intended(case, sentence[at + 2 :]):
                yield f"the source says {f'{word.lower} to'!r} of it, the claim states it as a fact"
                return
            rest = [each.lower for each in sentence[at + 2 :] if each.clause == word.clause]
            is_said = behind.lower in ("that", "to") or (behind.lower in _OPENING and not _VERBS.isdisjoint(rest))
            if not (word.lower in _BELIEVED and is_passive) and not (word.lower in _BELIEVES and is_said):
                continue
            shared = told & {each.stem for each in sentence[at + 2 :] if each.is_content and each.clause == word.clause}
            if len(shared) >= _SHARED and 2 * len(shared) >= len(told):
                yield f"the source says {f'{word.lower} {behind.lower}'!r} of it, the claim states it as a fact"
                return


def _is_intended(case: Case, aim: Sequence[StemmedWord]) -> bool:
    """True where the claim says just what somebody means to do, and not that it will be done."""
    told = case.told
    verb = next((word for word in aim[:2] if word.is_content), None)
    return verb is not None and verb.stem in told and told <= {word.stem for word in aim}


def proposal_lost(case: Case) -> Iterator[str]:
    """``Hives are moved at night``, where the source says that somebody proposed that they be."""
    if (_PROPOSED | _SHOULD) & case.claim.lowers:
        return
    told = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.sentences:
        words = [word.lower for word in sentence]
        if what := _thing_proposed(case, sentence):
            yield f"the source says {what!r} of it, the claim states it as a fact"
            return
        at = next((at for at, word in enumerate(words) if word in _PROPOSED and "that" in words[at:]), -1)
        be = words.index("be", at) if at >= 0 and "be" in words[at:] else 0
        if at >= 0 and "that" in words[at + 1 : at + 3] and not MODALS & {*words[at:]}:
            be = be or at + 1  # "recommends that the board look for one"
        if be and words[be - 1] not in MODALS | {"to", "not"}:
            that = words.index("that", at)
            put = takewhile(lambda word: (word.after, word.lower) != (",", "but"), sentence[that:])
            shared = told & {word.stem for word in put if word.is_content}
            if len(shared) > 1 and len(shared) >= len(told) - 1:
                yield f"the source says {words[at]!r} of it, the claim states it as a fact"
                return


def _thing_proposed(case: Case, sentence: Sequence[StemmedWord]) -> str:
    """The word by which somebody only proposes a thing, of which the claim says that it is done: ``proposed a dose``."""
    told = frozenset(word.stem for word in case.claim.words if word.tells) - case.context.known.stems
    at = next((at for at, word in enumerate(sentence) if at and word.lower in _PUTS_FORWARD), 0)
    before, thing = sentence[at - 1], frozenset(word.stem for word in sentence[at + 1 :] if word.tells)
    behind = sentence[at + 1].lower if at + 1 < len(sentence) else "that"
    is_active = before.tells or before.lower in _WHO
    if not at or not is_active or behind in ("that", "to", "by") or case.claim.lowers & _PUTTING_FORWARD:
        return ""
    own = told - {word.stem for word in sentence}
    return sentence[at].lower if len(told & thing) > 1 and len(own) <= 1 else ""
