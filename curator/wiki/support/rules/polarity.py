"""On which words of a text a negation falls: on the first content word behind it in its clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.rules.negating import AUXILIARIES, is_not, is_not_only, is_open

IMPLIED = frozenset(
    map(
        stem,
        "lack absent absence fail failure prevent prohibit forbid forbidden disallow refuse reject deny avoid illegal "
        "invalid impossible unable error wrong exclude omit missing free stop ban bar deprecate decline discourage "
        "mistake unlawful unsafe undefined unsupported unnecessary unused unlike untrue false redundant minimize "
        "remove incompatible insufficient inability uninitialized raise flag unchanged unavailable unknown "
        "unwilling reluctant against outside but instead unless except only rather few little rarely seldom if "
        "anti dis opt-out off out zero different difficult hard too stay remain ignore leave left optional "
        "voluntary skip defer postpone drop negligible opposite contrary independent beyond open retain preserve "
        "separate apart exempt aside disable suppress inhibit block exception immune keep poor lose loss deprive strand "
        "lost abstain cease another absent strip bare spare spared secure protect guard shield "
        "superfluous dispensable reject dismiss scrap shelve survive failure refusal omission exclusion denial incapable "
        "odds".split(),
    )
)
"""Words that can say what a negation says."""
_REFUSING = frozenset(map(stem, "illegal forbidden prohibited error fail refuse unable impossible wrong".split()))
"""Those of them that negate the verb behind them as outright as ``not`` does."""
FORBIDDING = frozenset(map(stem, "prohibit forbid disallow prevent".split()))
_STATED = frozenset(
    map(
        stem,
        "deprecate deprecated optional allowed forbidden removed block fail prevent ignore skip drop stop ban".split(),
    )
)
"""Implied negations that are themselves negated or not."""
_EMPTY = frozenset(
    map(
        stem,
        "do be have use make get go come take want need able allow possible one way tell aim try seek ever "
        "otherwise".split(),
    )
)
"""Content words too common for a negation on them to tell."""
_PERMITTED = frozenset("allowed permitted permissible fine legal lawful acceptable".split())
"""Words that say one thing of what may be done, behind a form of ``be``."""
_BEFORE_STATES = frozenset("a an is are was were be been being not never also still always only".split())
_WANTING = frozenset(map(stem, "want need allow permit expect require let cause enable".split()))
"""Verbs whose "not" is that of what somebody is to do: ``we do not want visitors to open it``."""
_RAISING = frozenset(("appear", "seem", "tend"))
"""Verbs whose "not" is that of the verb behind them."""
_RAISED = frozenset("expected supposed thought believed likely".split())
"""What stands so between a form of ``be`` and ``to``."""
NEAR = 4
"""Words that may stand between the negating word and the one it falls on."""


@dataclass(frozen=True)
class Polarity:
    """The content words of a text by stem: those that a negation falls on, and those that none falls on.

    No adverbs: "cannot currently handle" is "cannot handle currently".
    """

    negated: dict[str, StemmedWord]
    plain: dict[str, StemmedWord]

    @classmethod
    def of(cls, text: Phrase) -> Polarity:
        found = cls({}, {})
        for clause in text.clauses:
            fallen = {at for _, at in falls_of(clause)}
            for at, word in enumerate(clause):
                tells = word.stem not in _EMPTY and (not implies(word) or word.stem in _STATED)
                is_permitted = word.lower in _PERMITTED and at > 0 and clause[at - 1].lower in _BEFORE_STATES
                key = "permitted" if is_permitted else word.stem
                if word.is_content and (tells or is_permitted) and not word.code and not word.lower.endswith("ly"):
                    (found.negated if at in fallen else found.plain).setdefault(key, word)
        return found


def implies(word: StemmedWord) -> bool:
    """True for ``optional``; not for the ``option`` that has its stem."""
    return word.stem in IMPLIED and word.lower not in ("option", "options")


def falls_of(clause: Sequence[StemmedWord]) -> Iterator[tuple[int, int]]:
    """Every negating word of the clause with each word it falls on, by their places."""
    if sum(map(is_not, clause)) > 1 and any(word.lower == "without" for word in clause):
        return  # "not without" is a need
    for at, word in enumerate(clause):
        refuses = _refuses(clause, at) and not any(is_not(each) for each in clause[max(0, at - 4) : at])
        if not (is_not(word) or refuses or _is_yet_to(clause, at)) or is_not_only(clause, at) or is_open(clause, at):
            continue
        if at == 0 and word.lower == "neither" and any(each.lower == "nor" for each in clause):
            yield from _behind_subjects(clause)
            return
        yield from _verb_without(clause, at)
        yield from _verb_before(clause, at)
        yield from _noun_impossible(clause, at)
        if word.lower == "neither" and at and clause[at - 1].is_content:
            yield at, at - 1  # "finds neither the one nor the other"
        is_contrast = at == 0 and word.lower == "not" and word.after == ","  # "A, not B of C": nothing of it
        for focus in range(at + 1, len(clause) if is_contrast else min(len(clause), at + 2 + NEAR)):
            if is_not(clause[focus]) or clause[focus].is_number or _says_anew(clause, at, focus):
                break
            if clause[focus].lower in _RAISING or _is_raised(clause, focus):
                continue  # "does not appear to support" is "appears not to support"
            if _is_who(clause, at, focus):
                yield at, focus + 2
                break
            if clause[focus].is_content and clause[focus].lower != "longer":
                yield at, focus
                if is_contrast:
                    continue
                yield from _joined_to(clause, at, focus)
                if clause[focus].stem not in _EMPTY and not clause[focus].lower.endswith("ly"):
                    break


def _says_anew(clause: Sequence[StemmedWord], at: int, focus: int) -> bool:
    """True where another predicate begins: ``is not and should halt``, ``that don't do that are ignoring it``."""
    before = {word.lower for word in clause[max(0, at - 2) : at]}
    follows = clause[focus - 1].lower in ("and", "but") or not before.isdisjoint(("that", "which", "who"))
    return clause[focus].lower in AUXILIARIES and focus > at + 1 and follows


def _joined_to(clause: Sequence[StemmedWord], at: int, focus: int) -> Iterator[tuple[int, int]]:
    """What else falls under the negation at ``at``: ``must not lend or copy``, ``does not find any old or new fault``."""
    any_of = focus + 1 < len(clause) and clause[focus + 1].lower == "any" and is_not(clause[at])
    places = [focus + 2, focus + 4] if any_of else [focus + 2]
    for place in places:
        is_first = any_of and place == focus + 2
        if place < len(clause) and clause[place].is_content and (is_first or clause[place - 1].lower == "or"):
            yield at, place


def _behind_subjects(clause: Sequence[StemmedWord]) -> Iterator[tuple[int, int]]:
    """What ``Neither the drone nor the queen can fly`` denies, of both: all that stands behind the second of them."""
    nor = next(at for at, word in enumerate(clause) if word.lower == "nor")
    told = [at for at in range(nor + 1, len(clause)) if clause[at].is_content]
    modal = next((at for at in range(nor + 1, len(clause)) if clause[at].lower in AUXILIARIES), nor + 1)
    yield from ((nor, at) for at in told[:NEAR] if at > modal)


def negated_with(text: Phrase, word: StemmedWord) -> frozenset[str]:
    """The stems of all that the "not" on ``word`` falls on."""
    clause = [each for each in text.words if each.clause == word.clause]
    falls = [(at, clause[focus]) for at, focus in falls_of(clause)]
    own = {at for at, focus in falls if focus is word}
    return frozenset(focus.stem for at, focus in falls if at in own)


def _verb_before(clause: Sequence[StemmedWord], at: int) -> Iterator[tuple[int, int]]:
    """The verb of ``executing no code``, with the place of its ``no``."""
    is_verb = at > 0 and clause[at - 1].is_content and clause[at - 1].lower.endswith("ing")
    if clause[at].lower == "no" and is_verb and not clause[at].after:
        yield at, at - 1


def _verb_without(clause: Sequence[StemmedWord], at: int) -> Iterator[tuple[int, int]]:
    """The verb of ``no features can be added``, with the place of its ``no``."""
    if clause[at].lower != "no":
        return
    near = range(at + 1, min(len(clause), at + 2 + NEAR))
    aux = next((place for place in near if clause[place].lower in AUXILIARIES), -1)
    behind = range(aux + 1, min(len(clause), aux + 5))
    verb = next((place for place in behind if clause[place].lower not in ("to", "be")), -1)
    verb = verb if verb > 0 and clause[verb].is_content else -1
    if aux > 0 and verb > 0:
        yield at, verb


def _noun_impossible(clause: Sequence[StemmedWord], at: int) -> Iterator[tuple[int, int]]:
    """The noun of ``the sealing is not possible``, which is not possible to do."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    if behind == "possible" and at > 1 and clause[at - 1].lower in AUXILIARIES and clause[at - 2].is_content:
        yield at, at - 2


def _is_yet_to(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for the ``yet`` of ``yet to be built``, which is not built."""
    return clause[at].lower == "yet" and [word.lower for word in clause[at + 1 : at + 3]] == ["to", "be"]


def _is_raised(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for the ``expected`` of ``is not expected to freeze``."""
    return clause[at].lower in _RAISED and at + 1 < len(clause) and clause[at + 1].lower == "to"


def _is_who(clause: Sequence[StemmedWord], at: int, focus: int) -> bool:
    """True for the ``visitors`` whom one does not want ``to open`` it: the negation at ``at`` is of what they do."""
    to = clause[focus + 1].lower if focus + 2 < len(clause) else ""
    return to == "to" and clause[focus].is_content and any(word.stem in _WANTING for word in clause[at + 1 : focus])


def _refuses(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``prohibit``, and for ``illegal to`` or ``an error to``; not for ``a compile error to detect it``."""
    key, behind = clause[at].stem, clause[at + 1].lower if at + 1 < len(clause) else ""
    if key == "error" and at and clause[at - 1].is_content:
        return False
    return key in FORBIDDING or (key in _REFUSING and behind == "to")
