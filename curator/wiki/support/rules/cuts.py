"""Quotes that are cut where a "not" or a condition stood, and conditions that a claim leaves out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_in_name, is_not, is_not_only, shown
from curator.wiki.support.rules.negation import has_negation

_CONDITION = frozenset("unless except".split())
_CONDITIONAL = _CONDITION | frozenset(
    "if only until provided when where without other save but once depending excluding apart outside before besides "
    "whenever wherever too".split()
)
_IDLE = frozenset(
    map(
        stem,
        "desired needed necessary possible available present required applicable appropriate defined given "
        "specified set any "
        "supported found exists".split(),
    )
)
"""Conditions that say nothing by themselves: ``if desired``."""
_EXCEPT = frozenset("except excepting excluding unless".split())
_ONLY_WITH = [
    [word] for word in ("with", "in", "on", "for", "by", "after", "under", "during", "at", "to", "from", "before")
]
_OF_ALL = frozenset("any every all no".split())
_WHOLE = frozenset("nobody none never always must everybody everyone each".split()) | _OF_ALL
_IFS = frozenset("if unless provided assuming when until whenever".split())
_SO_FAR = frozenset("yet still far currently today now already".split())
"""What a claim says of how it is ``until that is added``."""
_WISHES = frozenset(map(stem, "wish want like choose prefer".split()))
"""What makes a condition idle that is anybody's: ``if they wish``."""
_ANYBODY = frozenset("they you it we one he she".split())
_BREAKS = (",", ";", ":", ".", "(", ")", "—", "–", "-", "?", "!")
_SPEECH_ENDS = re.compile(r"[,.!?][\"”’»]\s*\Z")
"""``"not now," `` before who said it."""
_TOLD = 12
"""Words of a condition of which a claim has some when it has the condition in other words."""
_CUT = 3
"""Words before a quote among which a negation still falls on it."""
_MILD = frozenset("without nor neither non".split())
"""Negating words that do not go on to the next phrase."""


def quote_cut(case: Case) -> Iterator[str]:
    """The quote begins behind a negation, or ends before a condition, that the claim does not have."""
    for cut in case.context.cuts:
        words = cut.before.words
        ended = _SPEECH_ENDS.search(cut.before.plain) or cut.before.plain.rstrip().endswith(_BREAKS)
        goes_on = words and not ended
        last = [word for word in words if word.clause == words[-1].clause][-_CUT:] if goes_on else []
        near = [word for word in last if not is_in_name(word, cut.before)]
        falls = any(_cuts([*near, *cut.quote.words[:1]], at) for at in range(len(near)))
        if falls and not has_negation(case.whole, case.context.stated) and not has_negation(cut.quote, case.whole):
            yield f"the quote leaves out what stands before it in the source: {shown(last)!r}"
        behind = cut.behind.words[:2]
        if (
            behind
            and behind[0].lower in _CONDITION
            and not behind[0].after.strip(",")
            and not (case.whole.lowers - cut.before.lowers - cut.quote.lowers) & _CONDITIONAL
            and len({word.stem for word in cut.behind.words[:_TOLD] if word.is_content} & case.whole.stems) < 2
        ):
            yield f"the quote leaves out the condition behind it: {shown(cut.behind.words[:6])!r}"


def condition_lost(case: Case) -> Iterator[str]:
    """The source says it under a condition (if, unless, provided) of which the claim has nothing."""
    yield from _excepted(case)
    claim = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.parted((";", "—", "–")):
        at = next((at for at, word in enumerate(sentence) if word.lower in _IFS), None)
        if at is None:
            continue
        clause = [word for word in sentence[at:] if word.clause == sentence[at].clause]
        if not _is_quoted(clause, case):
            continue
        if len(clause) > 2 and clause[1].lower in _ANYBODY and any(word.stem in _WISHES for word in clause[2:4]):
            continue
        main = {word.stem for word in sentence if word.is_content and word not in clause}
        others = {word.lower for word in sentence if word not in clause} if sentence[at].lower == "unless" else set()
        if case.whole.lowers & _CONDITIONAL - others or (sentence[at].lower == "until" and case.whole.lowers & _SO_FAR):
            continue
        condition = {word.stem for word in clause if word.is_content} - case.context.known.stems
        condition = (sentence[at].lower == "unless" and condition - main) or condition
        kept = (
            5 * len(claim & main) >= 3 * len(claim)
            if len(condition) > 1
            else sentence[at].lower == "if" and claim <= main
        )
        is_left_out = not _tells_any(case, clause, main)
        if kept and len(claim) > 1 and condition and not condition <= _IDLE and is_left_out:
            yield f"the source says so under a condition: {shown(clause[:8])!r}"
            return


def _is_quoted(clause: Sequence[StemmedWord], case: Case) -> bool:
    """True where a quote has the condition, or ends where it begins.

    One that stands elsewhere in the sentence seldom binds just what is quoted.
    """
    begins = f" {' '.join(word.lower for word in clause[:_CUT])} "
    told = ((*cut.quote.words, *cut.behind.words[:_CUT]) for cut in case.context.cuts)
    return any(begins in f" {' '.join(word.lower for word in words)} " for words in told)


def _tells_any(case: Case, clause: Sequence[StemmedWord], main: Collection[str]) -> bool:
    """True where the claim has some word of the condition, or one of its family."""
    own = [word for word in clause if word.is_content and word.stem not in case.context.known.stems]
    return any(case.claim.has_kin_of(word) for word in own if word.stem not in main) or any(
        word.stem in case.claim.stems for word in own
    )


def _excepted(case: Case) -> Iterator[str]:
    """What is excepted, told as what it is excepted from; ``may swim``, where the source says: only with an adult."""
    claim, flat = case.told, case.whole.lowers
    for sentence in case.context.stated.sentences:
        at = next((at for at in range(1, len(sentence)) if _limits(sentence, at)), 0)
        main, behind = ({word.stem for word in part if word.is_content} for part in (sentence[:at], sentence[at + 1 :]))
        if not at or sentence[at].after == "(" or not claim or flat & _CONDITIONAL or not claim <= main | behind:
            continue
        same = any(map(is_not, sentence[:at])) == any(map(is_not, case.claim.words))
        is_with = sentence[at].lower == "only" and [word.lower for word in sentence[at + 1 : at + 2]] in _ONLY_WITH
        is_excepted = behind and behind <= claim and claim & main - behind and not _tells_of_exception(case, behind)
        if sentence[at].lower != "only" and is_excepted and same:
            yield f"the source excepts it: {shown(sentence[at : at + 8])!r}"
        elif (
            (is_with or (sentence[at].lower != "only" and same)) and behind - main and (behind - main).isdisjoint(claim)
        ):
            yield f"the source limits it: {shown(sentence[at : at + 8])!r}"


def _tells_of_exception(case: Case, behind: Collection[str]) -> bool:
    """True for ``The tower burned``, of "all but the tower, which burned": what is said of it is said behind the "but"."""
    said = [word.stem for word in case.claim.content if not word.is_number]
    relative = any(word.lower in ("which", "who") for word in case.context.stated.words)
    return relative and bool(said) and said[-1] in behind


def _limits(sentence: Sequence[StemmedWord], at: int) -> bool:
    """True for ``except`` and ``only``, and for the ``but`` of ``all floors but the third``."""
    near = {word.lower for word in sentence[max(0, at - _CUT) : at]}
    is_but = sentence[at].lower == "but" and bool(near & _WHOLE) and not sentence[at].after
    return is_but or sentence[at].lower in _EXCEPT - {"unless"} | {"only"}


def _cuts(words: Sequence[StemmedWord], at: int) -> bool:
    return is_not(words[at]) and words[at].lower not in _MILD and not is_not_only(words, at)
