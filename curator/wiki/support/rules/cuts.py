"""Quotes that are cut where a "not" or a condition stood, and conditions that a claim leaves out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set

from curator.wiki.english.stems import stem
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.context import Case
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
_WISHES = frozenset(map(stem, "wish want like choose prefer".split()))
"""What makes a condition idle that is anybody's: ``if they wish``."""
_ANYBODY = frozenset("they you it we one he she".split())
_ASIDES = frozenset("which who whose whom that but because".split())
"""Words that begin another statement than the one before them."""
_PAST = frozenset("was were had did got".split())
_CONCEDING = frozenset(("even", "as", "see", "check", "decide", "know", "tell"))
"""Words before an ``if`` that make no condition of it: ``even if``, ``as if``, ``see if``."""
_JOINING = frozenset("and but or so because since while whereas though although meaning which as".split())
"""Words behind a mark that begin another part of a sentence, which a condition before them need not bind."""
_BREAKS = (",", ";", ":", ".", "(", ")", "—", "–", "-", "?", "!")
_TOLD = 12
"""Words of a condition of which a claim has some when it has the condition in other words."""
_CUT = 3
"""Words before a quote among which a negation still falls on it."""
_FEW = 2
"""Words of a condition of its own, above which half of what is said under it is enough to be bound by it."""
_FRAME = 8
"""Words before a quote among which it is said that the quote is not meant."""
_SUBORDINATING = frozenset("until till unless whether lest".split())
_MEANING = frozenset(map(stem, "suggest mean imply claim say believe think intend argue assume conclude".split()))
_MILD = frozenset("without nor neither non".split())
"""Negating words that do not go on to the next phrase."""


def quote_cut(case: Case) -> Iterator[str]:
    """The quote begins behind a negation, or ends before a condition, that the claim does not have."""
    for cut in case.context.cuts:
        words = cut.before.words
        goes_on = words and not cut.before.plain.rstrip().endswith(_BREAKS)
        last = [word for word in words if word.clause == words[-1].clause][-_CUT:] if goes_on else []
        near = [word for word in last if not is_in_name(word, cut.before)]
        falls = any(_cuts([*near, *cut.quote.words[:1]], at) for at in range(len(near)))
        if falls and not has_negation(case.whole, case.context.stated) and not has_negation(cut.quote, case.whole):
            yield f"the quote leaves out what stands before it in the source: {shown(last)!r}"
        if goes_on and _is_framed(words, case):
            yield f"the quote leaves out what stands before it in the source: {shown(words[-_FRAME:])!r}"
        behind = cut.behind.words[:2]
        if (
            behind
            and behind[0].lower in _CONDITION
            and not behind[0].after.strip(",")
            and not (case.whole.lowers - cut.before.lowers - cut.quote.lowers) & _CONDITIONAL
            and len({word.stem for word in cut.behind.words[:_TOLD] if word.is_content} & case.whole.stems) < 2
        ):
            yield f"the quote leaves out the condition behind it: {shown(cut.behind.words[:6])!r}"


def _is_framed(before: Sequence[StemmedWord], case: Case) -> bool:
    """True where the words before a quote say that it is not yet so, or that it is not meant: ``not to suggest that``."""
    last = before[-1].lower
    if last in _SUBORDINATING:
        return not case.whole.lowers & (_CONDITIONAL | _SUBORDINATING)
    near = [word for word in before[-_FRAME:] if word.sentence == before[-1].sentence]
    denies = any(is_not(word) and word.lower not in ("no", "without") for word in near[:-2])
    is_meant = len(near) > 2 and last == "that" and near[-2].stem in _MEANING
    return denies and is_meant and not case.whole.stems & _MEANING


def condition_lost(case: Case) -> Iterator[str]:
    """The source says it under a condition (if, unless, provided) of which the claim has nothing."""
    yield from _excepted(case)
    claim = {word.stem for word in case.claim.content}
    for sentence in case.context.stated.parted((";", "—", "–")):
        at = next((at for at, word in enumerate(sentence) if word.lower in _IFS and not _is_joined(word, case)), None)
        if at is None or _is_of_aside(sentence[:at], claim) or _is_within_brackets(sentence[: at + 1]):
            continue
        clause = [word for word in sentence[at:] if word.clause == sentence[at].clause]
        if not _is_quoted(clause, case):
            continue
        if sentence[at].lower == "when" and _is_time(sentence, clause):
            continue
        if len(clause) > 2 and clause[1].lower in _ANYBODY and any(word.stem in _WISHES for word in clause[2:4]):
            continue
        if at and sentence[at - 1].lower in _CONCEDING:
            continue  # "even if"
        if _is_of_other_part(sentence, at, claim):
            continue
        main = {word.stem for word in sentence if word.is_content and word not in clause}
        others = {word.lower for word in sentence if word not in clause} if sentence[at].lower == "unless" else set()
        if case.whole.lowers & _CONDITIONAL - others:
            continue
        condition = {word.stem for word in clause if word.is_content} - case.context.known.stems
        condition = (sentence[at].lower == "unless" and condition - main) or condition
        own = condition - main
        kept = (
            5 * len(claim & main) >= 3 * len(claim) or (len(own) > _FEW and _is_half(claim, main))
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


def _is_half(claim: Collection[str], main: Collection[str]) -> bool:
    """True where the claim has half of its words from what is said under the condition, or all of that."""
    shared = len({*claim} & {*main})
    return 2 * shared >= len(claim) or shared == len(main) > 2


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
        if sentence[at].lower != "only" and behind and behind <= claim and claim & main - behind and same:
            yield f"the source excepts it: {shown(sentence[at : at + 8])!r}"
        elif (
            (is_with or (sentence[at].lower != "only" and same)) and behind - main and (behind - main).isdisjoint(claim)
        ):
            yield f"the source limits it: {shown(sentence[at : at + 8])!r}"


def _limits(sentence: Sequence[StemmedWord], at: int) -> bool:
    """True for ``except`` and ``only``, and for the ``but`` of ``all floors but the third``."""
    near = {word.lower for word in sentence[max(0, at - _CUT) : at]}
    is_but = sentence[at].lower == "but" and bool(near & _WHOLE) and not sentence[at].after
    return is_but or sentence[at].lower in _EXCEPT - {"unless"} | {"only"}


def _is_time(sentence: Sequence[StemmedWord], clause: Sequence[StemmedWord]) -> bool:
    """True for a ``when`` that tells of a time that is past, and sets no condition."""
    is_meanwhile = any(word.lower.endswith("ing") for word in clause[1:3])
    if is_meanwhile and clause[0] is not sentence[0]:
        return True  # "saw it when visiting the town"
    told = sentence if is_meanwhile else clause
    return any(word.lower in _PAST for word in told)


def _is_of_other_part(sentence: Sequence[StemmedWord], at: int, claim: Set[str]) -> bool:
    """True where the claim is told in another part of the sentence than the one that the condition at ``at`` binds.

    ``Raising it may save work if the rows change, but lowering it costs more``: what is said of lowering is not bound.
    """
    parts = _parts(sentence)
    told: dict[int, set[str]] = {part: set() for part in parts}
    for word, part in zip(sentence, parts, strict=True):
        if word.stem in claim:
            told[part].add(word.stem)
    return max(map(len, told.values())) > 2 * len(told[parts[at]])


def _parts(sentence: Sequence[StemmedWord]) -> list[int]:
    """For each word the number of the part of its sentence: parted at a colon, a bracket, and ``, but``."""
    found: list[int] = []
    for word in sentence:
        begins = word.after in (":", "(") or (word.after == "," and word.lower in _JOINING)
        found.append(found[-1] + begins if found else 0)
    return found


def _is_of_aside(before: Sequence[StemmedWord], claim: Collection[str]) -> bool:
    """True where a condition behind ``before`` stands in a ``, which means ...`` or ``but ...`` that a claim leaves out."""
    at = next((at for at in reversed(range(len(before))) if _begins_aside(before[at])), 0)
    aside = {word.stem for word in before[at:] if word.is_content}
    return at > 0 and bool(aside) and aside.isdisjoint(claim)


def _begins_aside(word: StemmedWord) -> bool:
    return word.lower in _ASIDES or (word.lower == "as" and word.after == ",")


def _is_within_brackets(words: Sequence[StemmedWord]) -> bool:
    """True where the last word stands in brackets that open before another word: ``(for old files, if there are any)``."""
    opened = next((at for at in reversed(range(len(words))) if words[at].after in ("(", "[")), None)
    return opened not in (None, len(words) - 1) and all(word.after not in (")", "]") for word in words[opened + 1 :])


def _cuts(words: Sequence[StemmedWord], at: int) -> bool:
    return is_not(words[at]) and words[at].lower not in _MILD and not is_not_only(words, at)


def _is_joined(word: StemmedWord, case: Case) -> bool:
    """True for the ``if`` of ``--force-if-includes``."""
    return word.code or is_in_name(word, case.context.stated)
