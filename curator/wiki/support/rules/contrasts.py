"""What a sentence sets against each other: encrypted by one and decrypted by another; nurses, but not doctors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.stems import stem
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case, begins_part, telling

_BUT_NOT = re.compile(r"(?<= )([\w.+-]+) (?:but|and) not (?:(?:the|a|an|by|in|of|to|with|for|on) )?([\w.+-]+)(?= )")
_MOST = 4
"""Words that one half has and the other has not, in a sentence that sets two things against each other, at most."""


def halves_exchanged(case: Case) -> Iterator[str]:
    """``Decrypted by the client``, where the source says: encrypted by the client and decrypted by the server; or
    ``doctors, but not nurses`` for nurses, but not doctors.
    """
    theirs = {*_but_not(case.context.stated)}
    for one, other in _but_not(case.claim):
        if (other, one) in theirs:
            yield f"the source says it the other way round of {one!r} and {other!r}"
            return
    told = case.claim.stems
    for sentence in case.context.stated.sentences if case.is_close else ():
        for half, another in _halves(sentence):
            for word, own, others in _opposed(half, another):
                if word.stem in told and not OPPOSITES[word.stem] & told and others & told and not own & told:
                    yield f"the source says {word.text!r} of something else than the claim"
                    return


def _but_not(text: Phrase) -> Iterator[tuple[str, str]]:
    return ((stem(found[1]), stem(found[2])) for found in _BUT_NOT.finditer(text.flat))


def _halves(sentence: Sequence[StemmedWord]) -> Iterator[tuple[Sequence[StemmedWord], Sequence[StemmedWord]]]:
    """Each way to part a sentence in two, and the two parts in either order."""
    for at, word in enumerate(sentence):
        if at and begins_part(word):
            yield sentence[:at], sentence[at:]
            yield sentence[at:], sentence[:at]


def _opposed(
    half: Sequence[StemmedWord], another: Sequence[StemmedWord]
) -> Iterator[tuple[StemmedWord, frozenset[str], frozenset[str]]]:
    """Each word of ``half`` whose opposite stands in the other one, with what only its half has, and what only that has."""
    mine, theirs = telling(half), telling(another)
    for word in half:
        against = OPPOSITES.get(word.stem, frozenset()) & theirs
        if len(against) == 1 and word.stem not in theirs and not against & mine:
            own, others = mine - theirs - {word.stem}, theirs - mine - against
            if any(not each[0].isdecimal() for each in own) and len(others) <= _MOST:
                yield word, own, others
