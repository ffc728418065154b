"""What a source says was so once, or has something else in place of, told as it is: ``no longer opens at 21 bar``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from curator.wiki.english.opposites import is_undone
from curator.wiki.english.ordinary import is_verb
from curator.wiki.english.stems import PAST
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case, telling
from curator.wiki.support.rules.negating import is_not, is_unreal
from curator.wiki.support.rules.polarity import implies

_ENDED = tuple(
    "no longer,used to,formerly,previously,originally,was once,were once,had once,ceased to,ceased,stopped,"
    "dropped support for,in the past,in those days,back then".split(",")
)
"""Before what was so once."""
_TIMES = ("until", "before", "till")
"""Before the year up to which something was so."""
_INSTEAD = tuple("instead of,rather than,in place of,as opposed to,in lieu of,replaced,superseded".split(","))
"""Before what something else is in place of."""
_EXCEPTED = tuple("except for,except,excluding,unless".split(","))
"""Before what it is not so of."""
_REFUTED = tuple("denies that,denied that,a myth that,untrue that,not true that,would have,could have".split(","))
"""Before what is not so."""
_FIRST = frozenset(marker.split()[0] for marker in _ENDED + _INSTEAD + _EXCEPTED + _REFUTED)
_MARKING = (_FIRST - frozenset("in as a not was were had back used untrue would could".split())) | frozenset(
    (*_TIMES, "from", "replace", "supersede")
)
"""Words with which a denial is of the marker itself: ``did not replace``."""
_MOVED = frozenset(
    "raised lowered changed moved increased decreased cut reduced extended renamed fell rose grew dropped switched".split()
)
"""Before ``from 30 to 50``: it is 30 no more."""
_ONCE = frozenset(
    "was were had did been used ago once first before until till former formerly previous previously earlier original "
    "originally initially old longer ceased stopped anymore".split()
)
_REPLACED = frozenset(
    "then from instead rather replaced replace replaces superseded lieu place opposed changed unlike than except excepted "
    "excluding but unless until otherwise would could denies denied deny myth".split()
)
"""Words by which a claim says itself that it was so, or that something else took its place."""
_NOW = frozenset("is are has have does do can must will may now today".split())
_ENDS = frozenset(", ; : ( ) — – | [ ]".split()) | {" - "}
_JOINS = frozenset("and but while whereas because since although though when which who that so".split())
_PREPOSITIONS = frozenset("to in for by with on at from as that if of or into under".split())
_RELATIVE = frozenset("which who whose that where when if".split())
_OPEN = frozenset("can could may might would optionally if".split())
"""Words by which a source has the other thing, too: ``may pay in stamps instead of coins``."""
_BEING = frozenset("is are was were be been being get gets has have can must".split())
_WINDOW = 40
"""Words on either side that are looked at."""
_PAST_FORMS = frozenset("was were had did been".split())


def no_longer_so(case: Case) -> Iterator[str]:
    """``The valve opens at 21 bar``, where the source says: it no longer opens at 21 bar; or at 24 instead of 21 bar."""
    if case.context.kinds == {"code"}:
        return
    known = case.context.known.stems
    for marker, lost, mine, is_replaced in _lost(case.context.stated):
        if is_replaced and " | " in case.written and (telling(case.claim.words) & mine) - lost - known:
            continue  # a row that sets the one beside the other
        for clause in case.claim.clauses:
            if clause[0].lower in _RELATIVE:
                continue  # it is said of what stands before
            told = telling(clause) - known
            if told & lost and told <= mine and not _is_taken_back(clause, case, is_replaced=is_replaced):
                yield f"the source says {marker!r} of it: tell it as it was, or what is so in its place"
                return


def denies_bygone(claim: Phrase, stated: Phrase) -> bool:
    """True where the claim says ``not built of granite`` of what the source says is built of brick instead."""
    denied = [c for c in claim.clauses if any(map(is_not, c)) and all(word.lower not in _MARKING for word in c)]
    return bool(denied) and any(
        telling(c) & lost and (is_replaced or not any(map(_is_past, c)))
        for _, lost, _, is_replaced in _lost(stated)
        for c in denied
    )


def _lost(stated: Phrase) -> Iterator[tuple[str, frozenset[str], frozenset[str], bool]]:
    """Each marker, the stems that stand only in what is over, those with the words before, and whether it is replaced."""
    counts = Counter(word.stem for word in stated.words)
    for sentence in stated.sentences:
        for marker, gone, before in _bygone(sentence):
            mine, own = telling(gone), Counter(word.stem for word in gone)
            lost = frozenset(stem for stem in mine if counts[stem] == own[stem])
            yield marker, lost, mine | telling(before), marker not in _ENDED + _TIMES + ("from",)


def _is_taken_back(clause: Sequence[StemmedWord], case: Case, *, is_replaced: bool) -> bool:
    """True where the claim denies it, or says itself that it was so or that something else took its place."""
    if not is_replaced and any(map(_is_past, clause)) and not any(word.lower in _NOW for word in clause):
        return True
    words = [word for word in case.claim.words if word.sentence == clause[0].sentence]
    held, said = case.context.stated.stems, _REPLACED if is_replaced else _REPLACED | _ONCE
    denies = any(is_not(word) or (word.stem not in held and (is_undone(word) or implies(word))) for word in clause)
    return denies or any(word.lower in said for word in words)


def _is_past(word: StemmedWord) -> bool:
    return word.lower.endswith("ed") or word.lower in PAST or word.lower in _PAST_FORMS


def _bygone(sentence: Sequence[StemmedWord]) -> Iterator[tuple[str, Sequence[StemmedWord], Sequence[StemmedWord]]]:
    """Each word that says that something is over, with what is over, and with what stands before."""
    flat = [word.lower for word in sentence]
    for at, word in enumerate(sentence):
        before = sentence[max(0, at - _WINDOW) : at]
        for marker in _ENDED + _INSTEAD + _EXCEPTED + _REFUTED if not word.code and word.lower in _FIRST else ():
            behind = at + marker.count(" ") + 1
            if " ".join(flat[at:behind]) != marker or (marker == "used to" and _is_means(sentence, at)):
                continue
            if marker == "stopped" and not (behind < len(sentence) and flat[behind].endswith("ing")):
                continue  # "stopped a car"
            if marker in _ENDED and word.lower.endswith("ly") and flat[at - 1 : at] in (["a"], ["an"], ["the"]):
                continue  # "a previously unknown moth"
            if marker in _ENDED:
                yield marker, _piece(sentence, behind) or _piece(sentence, _start(sentence, at), at), before
            elif marker in _REFUTED:
                next_ = sentence[behind] if behind < len(sentence) else word
                if marker.endswith("have") and next_.lower != "been" and not is_unreal(sentence[:behind], next_):
                    continue  # "could have free access"
                yield marker, _piece(sentence, behind), before
            elif marker in _EXCEPTED:
                if not any(is_not(each) or each.lower == "only" for each in before):
                    yield marker, _thing(sentence, behind), [*before, *_told_of(sentence, behind, before)]
            elif not any(each.lower in _OPEN for each in before):
                is_passive = flat[behind : behind + 1] in (["by"], ["with"])
                gone = _piece(sentence, _start(sentence, at), at) if is_passive else _thing(sentence, behind)
                yield marker, gone, [*before, *_told_of(sentence, behind, before)]
        if word.lower in _TIMES and _is_year(sentence[at + 1 : at + 5]):
            gone = _piece(sentence, _start(sentence, at), at) or _behind_date(sentence, at + 1)
            if any(map(_is_past, gone)) and not any(map(is_not, gone)):
                yield word.lower, gone, before
        if word.lower == "from" and any(each.lower in _MOVED for each in before[-6:]) and "to" in flat[at:]:
            yield "from", [*takewhile(lambda each: each.lower != "to", _piece(sentence, at + 1))], before


def _told_of(sentence: Sequence[StemmedWord], behind: int, before: Sequence[StemmedWord]) -> Sequence[StemmedWord]:
    """What of the words behind a marker is told of the same: all of it where the marker opens its sentence."""
    return _piece(sentence, behind) if before else sentence[behind : behind + _WINDOW]


def _is_means(sentence: Sequence[StemmedWord], at: int) -> bool:
    """True for the ``used to`` of ``is used to open it`` and ``a key used to open it is lost``: a means."""
    near = (*sentence[_start(sentence, at) : at], *_piece(sentence, at + 2))
    finite = any(word.lower.endswith("s") and is_verb(word.lower) for word in _piece(sentence, at + 3))
    return finite or any(word.lower in _BEING for word in near)


def _is_year(words: Sequence[StemmedWord]) -> bool:
    return any(word.text.isdecimal() and len(word.text) == 4 for word in words)


def _start(sentence: Sequence[StemmedWord], at: int) -> int:
    """The place where the piece begins that ``at`` stands in."""
    return next(
        (
            place
            for place in range(at, max(0, at - _WINDOW), -1)
            if sentence[place].after in _ENDS or sentence[place].lower in _JOINS
        ),
        max(0, at - _WINDOW),
    )


def _piece(sentence: Sequence[StemmedWord], start: int, end: int | None = None) -> Sequence[StemmedWord]:
    """The words from ``start`` on up to the next mark or word that joins."""
    words = sentence[start : start + _WINDOW if end is None else end]
    return [*words[:1], *takewhile(lambda word: not (word.after in _ENDS or word.lower in _JOINS), words[1:])]


def _thing(sentence: Sequence[StemmedWord], start: int) -> Sequence[StemmedWord]:
    """The thing from ``start`` on: up to the first preposition behind a word that tells."""
    piece = _piece(sentence, start)
    end = next(
        (at for at, word in enumerate(piece) if word.lower in _PREPOSITIONS and any(w.tells for w in piece[:at])),
        len(piece),
    )
    return piece[:end]


def _behind_date(sentence: Sequence[StemmedWord], at: int) -> Sequence[StemmedWord]:
    """What stands behind the year that follows ``at``."""
    year = next(place for place in range(at, at + 4) if _is_year(sentence[place : place + 1]))
    return _piece(sentence, year + 1)
