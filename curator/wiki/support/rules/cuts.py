"""Quotes that are cut where a "not" or a condition stood, and conditions that a claim leaves out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not, is_not_only, shown
from curator.wiki.support.rules.negation import has_negation

_CONDITION = frozenset("unless except".split())
_CONDITIONAL = _CONDITION | frozenset(
    "if only until provided when where without other save but once depending excluding apart outside before besides "
    "whenever wherever too".split()
)
_IDLE = frozenset(
    map(stem, "desired needed necessary possible available present required applicable appropriate".split())
)
"""Conditions that say nothing by themselves: ``if desired``."""
_IFS = frozenset("if unless provided assuming when until whenever".split())
_RELATIVE = frozenset("which who whose whom".split())
_PAST = frozenset("was were had did got".split())
_BREAKS = (",", ";", ":", ".", "(", ")", "—", "–", "-", "?", "!")
_CUT = 3
"""Words before a quote among which a negation still falls on it."""
_MILD = frozenset("without nor neither non".split())
"""Negating words that do not go on to the next phrase."""


def quote_cut(case: Case) -> Iterator[str]:
    """The quote begins behind a negation, or ends before a condition, that the claim does not have."""
    for cut in case.context.cuts:
        words = cut.before.words
        goes_on = words and not cut.before.plain.rstrip().endswith(_BREAKS)
        last = [word for word in words if word.clause == words[-1].clause][-_CUT:] if goes_on else []
        near = [word for word in last if not _is_in_name(word, cut.before)]
        falls = any(_cuts([*near, *cut.quote.words[:1]], at) for at in range(len(near)))
        if falls and not has_negation(case.whole, case.context.stated) and not has_negation(cut.quote, case.whole):
            yield f"the quote leaves out what stands before it in the source: {shown(last)!r}"
        behind = cut.behind.words[:2]
        if (
            behind
            and behind[0].lower in _CONDITION
            and not behind[0].after.strip(",")
            and not (case.whole.lowers - cut.before.lowers - cut.quote.lowers) & _CONDITIONAL
        ):
            yield f"the quote leaves out the condition behind it: {shown(cut.behind.words[:6])!r}"


def condition_lost(case: Case) -> Iterator[str]:
    """The source says it under a condition (if, unless, provided) of which the claim has nothing."""
    if case.whole.lowers & _CONDITIONAL or not case.is_close:
        return
    claim = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.parted((";", "—", "–")):
        at = next((at for at, word in enumerate(sentence) if word.lower in _IFS), None)
        if at is None or _is_of_aside(sentence[:at], claim):
            continue
        clause = [word for word in sentence[at:] if word.clause == sentence[at].clause]
        if sentence[at].lower == "when" and any(word.lower in _PAST for word in clause):
            continue  # a time, and no condition
        condition = {word.stem for word in clause if word.is_content} - case.context.known.stems
        main = {word.stem for word in sentence if word.is_content and word not in clause}
        kept = (
            5 * len(claim & main) >= 3 * len(claim)
            if len(condition) > 1
            else sentence[at].lower == "if" and claim <= main
        )
        if kept and len(claim) > 1 and condition and not condition <= _IDLE and not condition & claim:
            yield f"the source says so under a condition: {shown(clause[:8])!r}"
            return


def _is_of_aside(before: Sequence[StemmedWord], claim: Collection[str]) -> bool:
    """True where a condition behind ``before`` stands in a ``, which means that ...`` of which the claim says nothing."""
    at = next((at for at in reversed(range(len(before))) if before[at].lower in _RELATIVE), 0)
    aside = {word.stem for word in before[at:] if word.is_content}
    return at > 0 and bool(aside) and aside.isdisjoint(claim)


def _cuts(words: Sequence[StemmedWord], at: int) -> bool:
    return is_not(words[at]) and words[at].lower not in _MILD and not is_not_only(words, at)


def _is_in_name(word: StemmedWord, text: Phrase) -> bool:
    """True for the ``no`` of ``--no-cache``."""
    return bool(re.search(rf"-{re.escape(word.text)}\b|\b{re.escape(word.text)}-", text.plain))
