"""What turned round: an opposite beside the same word, the first for the third."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT, is_in_name
from curator.wiki.support.rules.sides import are_swapped, compared_pairs

_SAME_TIME = tuple(
    frozenset(map(stem, words.split()))
    for words in ("before earlier previous prior ago former", "after later subsequent following")
)
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_NO_OPPOSITES = frozenset(
    "mistake mistakes mistaken mistook mistaking income incomes invent invest instruct inform install "
    "intend interest intense "
    "inscribe insight impress impact import important improve impose display discuss distribute dispatch "
    "discover understand "
    "unit units unite united union universal unique uniform "
    "index input inside instance instead inherit involve increase include".split()
)
"""What begins as a negated word does and is none: one may be taken, or mistaken, for the other."""
_FROM_THEN = frozenset("once after when from since".split())
_STILL = frozenset("still while".split())
_NOT_YET = frozenset("before until prior".split())
_JOINING_TIMES = frozenset("before after following prior follow follows".split())
"""Words that tell of another thing behind them: "A before B" is "B after A"."""
_AFTER = frozenset(("after", "once", "postdate", "postdates"))
_BEFORE = frozenset("before prior until till predate predates precede precedes".split())
_POINTING = frozenset("that this which then those these".split())
_COMPOUND = re.compile(r"(?<![\w-])([a-z]{2,})-([a-z]{2,})(?![\w-])")
_AS_AS = re.compile(r" as ([a-z]+) as ")
_NOT_EQUAL = ("not", "never", "twice", "half", "times", "no", "nearly", "almost", "least")
_HALVES = (
    "in out",
    "on off",
    "up down",
    "pre post",
    "pro anti",
    "over under",
    "intra inter",
    "macro micro",
    "mono multi",
)
_OTHER_HALF = {one: other for pair in _HALVES for one, other in (pair.split(), pair.split()[::-1])}
_LONG = 7
_REACH, _NEXT = 3, 2
"""Content words beside an opposite and behind a ``before`` that it is of."""
_UNDONE = frozenset(
    "broken breaks breaking lack lacks lacking loss missing absent discontinue avoid stop abandon refrain".split()
)
"""Words beside which a thing is there no more, as behind a "not": compatibility is broken."""


def turned_round(case: Case) -> Iterator[str]:
    """The claim says the opposite (easier, harder) beside a word that it shares with the source."""
    yield from _compound_turned(case)
    yield from _made_equal(case)
    yield from _time_turned(case)
    stated, claim = case.context.stated, case.claim
    for at, word in enumerate(claim.words if not case.is_reworded else ()):
        opposites = _opposites(word, stated, is_listed=not case.rewords(word.clause))
        if not opposites or word.code or word.stem in stated.stems or _is_idiom(claim.words, at):
            continue
        if {f"{word.lower}er", f"{word.lower}r", f"{word.lower}est"} & stated.lowers:
            continue
        if _tells_of_both(claim, word, opposites | OPPOSITES.get(word.stem, frozenset())) or _is_until(
            claim, stated, word
        ):
            continue
        times = frozenset(key for same in _SAME_TIME if word.stem in same for key in same & stated.stems)
        if "until" in claim.lowers ^ stated.lowers and (claim.lowers | stated.lowers) & _FROM_THEN:
            continue  # "open until it is done" is "closed once it is done"
        if _all_beside(stated, times) & _beside(claim.words, at):
            continue  # "a year before" is "a year earlier"
        if any(are_swapped(*sides) for sides in compared_pairs(stated, claim)):
            continue  # "less than B" is what "B is more" says
        alike = {each for opposite in opposites for each in OPPOSITES.get(opposite, frozenset((word.stem,)))}
        mine = _beside(claim.words, at) - _all_beside(stated, alike) - _all_beside(claim, opposites)
        found = [
            (place, other)
            for place, other in enumerate(stated.words)
            if other.stem in opposites and not other.code and not is_in_name(other, stated)
        ]
        negated = {_is_negated(stated, place) for place, _ in found} - {_is_negated(claim, at)}
        for place, other in found if not negated else ():
            is_apart = word.lower in _JOINING_TIMES and not _behind(claim.words, at) & _behind(stated.words, place)
            is_beside = mine & _beside(stated.words, place) or _is_same_but(case, word, other)
            if is_beside and not is_apart:
                yield f"the source says {other.text!r} where the claim says {word.text!r}"
                return


def _opposites(word: StemmedWord, stated: Phrase, *, is_listed: bool) -> frozenset[str]:
    """The stems of its opposites there: those that are listed, and ``unusable`` for ``usable``."""
    found = set(OPPOSITES.get(word.stem, ())) if is_listed else set()
    if is_listed and word.lower.endswith("est"):
        found |= OPPOSITES.get(stem(f"{word.lower[:-3]}er"), frozenset())
    if is_listed and word.lower.endswith("er"):
        other = [each for each in stated.words if each.lower.endswith("er")]
        found |= {each.stem for each in other if _bases(word.lower) & _opposed(_bases(each.lower))}
    found |= {stem(f"{each.removesuffix('er')}est") for each in found if each.endswith("er")}
    return ((_bare(word.lower) | found) & stated.stems) | _negated(stated).get(word.stem, frozenset())


def _is_same_but(case: Case, word: StemmedWord, other: StemmedWord) -> bool:
    """True where nothing but ``word`` is new in its sentence beside that of ``other``: ``It opens`` and the opposite."""
    told = {each.stem for each in case.claim.content if each.sentence == word.sentence} - case.context.known.stems
    theirs = {each.stem for each in case.context.stated.content if each.sentence == other.sentence}
    return len(told) > 1 and told - theirs == {word.stem}


def _time_turned(case: Case) -> Iterator[str]:
    """``After the tarball is moved``, where the source says before it: of the same event, and of no other time of it."""
    if case.is_reworded:
        return
    if not case.is_verbatim and {"until", "till"} & (case.claim.lowers ^ case.context.stated.lowers):
        return  # "open until it is done" is "closed once it is done"
    (after, before), (since, until) = _events(case.claim), _events(case.context.stated)
    for mine, theirs, name, other in (
        (after - before, until - since, "after", "before"),
        (before - after, since - until, "before", "after"),
    ):
        if turned := sorted(mine & theirs):
            word = next(word.text for word in case.claim.words if word.stem == turned[0])
            yield f"the source says {other!r} of {word!r} where the claim says {name!r}"
            return


def _events(text: Phrase) -> tuple[set[str], set[str]]:
    """The first content words of what stands behind an ``after`` and behind a ``before``, joined with ``and`` or not."""
    found: tuple[set[str], set[str]] = (set(), set())
    for sentence in text.sentences:
        side: set[str] | None = None
        is_open = False
        for word in sentence:
            if word.lower in _AFTER or word.lower in _BEFORE:
                side, is_open = found[word.lower in _BEFORE], True
            elif side is not None and (word.lower in _POINTING or (word.after and word.lower != "and")):
                side = None
            elif side is not None and word.lower == "and":
                is_open = True
            elif side is not None and is_open and (word.is_content or word.code):
                side.add(word.stem)
                is_open = False
    return found


def _made_equal(case: Case) -> Iterator[str]:
    """``As fast as``, where the source says faster than."""
    stated, claim = case.context.stated.flat, case.claim.flat
    for found in _AS_AS.finditer(claim):
        more = re.search(rf" {found[1][:3]}\w*er than | (?:more|less) {found[1]} than ", stated)
        if more and not _AS_AS.search(stated) and not {*claim.split()} & {*_NOT_EQUAL, "neither", "nor"}:
            yield f"the source says {more[0].strip()!r} where the claim says {found[0].strip()!r}"
            return


def _compound_turned(case: Case) -> Iterator[str]:
    """``Opt-out`` where the source has ``opt-in``: one half is the same, the other one the opposite."""
    held, told = _compounds(case.context.stated.plain), _compounds(case.claim.plain)
    for first, last in told - held if held else ():
        for start, end in held - told:  # a claim that tells of both turns none round
            mine, theirs = (last, end) if first == start else (first, start) if last == end else ("", "")
            if mine and (_OTHER_HALF.get(mine) == theirs or stem(theirs) in OPPOSITES.get(stem(mine), ())):
                yield f"the source says {f'{start}-{end}'!r} where the claim says {f'{first}-{last}'!r}"
                return


def _compounds(text: str) -> set[tuple[str, str]]:
    return {*_COMPOUND.findall(text.lower())}


def _tells_of_both(claim: Phrase, word: StemmedWord, opposites: frozenset[str]) -> bool:
    """True for ``the new crane, ... the old one``, where the source says only of the old one that it is old."""
    others = (each for each in claim.words if each.stem in opposites)
    return any(each.sentence == word.sentence and each.clause != word.clause for each in others)


def _is_until(claim: Phrase, stated: Phrase, word: StemmedWord) -> bool:
    """True for ``while it is still packed``, where the source says: before it is unpacked."""
    clause = {each.lower for each in claim.words if each.clause == word.clause}
    return bool(clause & _STILL and stated.lowers & _NOT_YET) or bool(clause & _NOT_YET and stated.lowers & _STILL)


def _bases(word: str) -> frozenset[str]:
    """The stems of ``narrow`` and ``wide`` for ``narrower`` and ``wider``."""
    return frozenset(map(stem, (word.removesuffix("er"), word.removesuffix("r"), f"{word.removesuffix('ier')}y")))


def _opposed(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(other for each in stems for other in OPPOSITES.get(each, ()))


@lru_cache(maxsize=2_048)
def _negated(text: Phrase) -> dict[str, frozenset[str]]:
    """The stems of its words with a negating prefix, by the stems of what they negate."""
    found: dict[str, frozenset[str]] = {}
    for word in text.words:
        for bare in _bare(word.lower):
            found[bare] = found.get(bare, frozenset()) | {word.stem}
    return found


def _is_idiom(words: Sequence[StemmedWord], at: int) -> bool:
    """True for ``short of`` and ``as long as``, which say nothing of a length."""
    before, behind = (words[place].lower if 0 <= place < len(words) else "" for place in (at - 1, at + 1))
    return words[at].lower == "unlike" or (words[at].lower == "short" and behind == "of") or before == behind == "as"


def _bare(word: str) -> frozenset[str]:
    """The stem of ``usable`` for ``unusable``."""
    if word in _NO_OPPOSITES:
        return frozenset()
    if len(word) > _LONG and word.startswith("asy"):
        return frozenset((stem(word[1:]),))
    prefixes = [prefix for prefix in _PREFIXES if word.startswith(prefix) and len(word) >= len(prefix) + 3]
    return frozenset(stem(word.removeprefix(prefix)) for prefix in prefixes)


def _is_negated(text: Phrase, at: int) -> bool:
    word = text.words[at]
    near = [each for each in text.words[max(0, at - 5) : at] if each.clause == word.clause]
    behind = [each.lower for each in text.words[at + 1 : at + 4] if each.clause == word.clause]
    if [each.lower for each in near[-2:] if each.lower == "only"]:
        return True  # "only supports A" says that it does not support B
    if _UNDONE & {*behind, *(each.lower for each in near)}:
        return True
    return any(each.lower in NOT or each.lower == "unless" or each.lower.endswith("n't") for each in near)


def _beside(words: Sequence[StemmedWord], at: int) -> set[str]:
    """The stems of the content words nearest to place ``at`` in its sentence."""
    behind = [word for word in words[at + 1 : at + 9] if word.sentence == words[at].sentence]
    before = [word for word in words[max(0, at - 8) : at] if word.sentence == words[at].sentence]
    ahead = [word.stem for word in behind if word.is_content][:_REACH]
    back = [word.stem for word in reversed(before) if word.is_content][:_REACH]
    return {*ahead, *back} - set(OPPOSITES)


def _behind(words: Sequence[StemmedWord], at: int) -> set[str]:
    """The stems of the next content words behind place ``at`` in its clause: what happened before or after which."""
    told = [word.stem for word in words[at + 1 : at + 9] if word.is_content and word.clause == words[at].clause]
    return set(told[:_NEXT])


def _all_beside(text: Phrase, stems: Iterable[str]) -> set[str]:
    """What stands beside any of the words with ``stems``."""
    return {
        key
        for at, word in enumerate(text.words)
        if word.stem in stems and not word.code
        for key in _beside(text.words, at)
    }
