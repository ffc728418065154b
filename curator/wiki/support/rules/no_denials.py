"""Denials that deny another thing than they seem to: of an answer, of a question, of what holds in one case only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord

_ASKS = re.compile(r"[^\w?.!]*\?")
_CASES = frozenset("if when".split())
_BEING = frozenset("is are was were".split())
_SAYING = frozenset("say says state states tell tells note notes".split())
_UNLESS = frozenset("unless except until without".split())
_REGRETS = frozenset("unfortunately sadly sorry regrettably certainly".split())
_SUBJECT = 2
"""The places of a sentence's first words among which a subject of one noun stands."""


def answers_no(text: Phrase) -> bool:
    """True for ``No.`` to a question, and for ``No, sorry.``"""
    return any(words[0].lower == "no" and (len(words) == 1 or words[1].after == ",") for words in text.sentences)


def asked_and_denied(text: Phrase) -> frozenset[str]:
    """The stems of yes-or-no questions that what follows answers with no: ``Do you pay? Unfortunately not.``"""
    if "?" not in text.plain or "|" in text.plain:
        return frozenset()
    asks = questions(text)
    denied = [words[0].sentence for words in text.sentences if words[0].sentence not in asks and _says_no(words)]
    last = max(denied, default=-1)
    return frozenset(word.stem for word in text.words if word.sentence in asks and word.sentence < last)


def questions(text: Phrase) -> frozenset[int]:
    """The numbers of the sentences that end in a question mark."""
    found, at = set[int](), 0
    last = {word.sentence: number for number, word in enumerate(text.words)}
    for number, word in enumerate(text.words):
        at = max(at, text.plain.find(word.text, at) + len(word.text))
        if last[word.sentence] == number and _ASKS.match(text.plain, at):
            found.add(word.sentence)
    return frozenset(found)


def _says_no(words: Sequence[StemmedWord]) -> bool:
    """True for ``Before that, no`` and ``Unfortunately not``."""
    said = [word.lower for word in words]
    ends = (at for at in range(len(words)) if at + 1 == len(words) or words[at + 1].after)
    return (said[-1] == "not" and said[0] in _REGRETS) or any(said[at] == "no" for at in ends)


def is_asked_not(text: Phrase, word: StemmedWord) -> bool:
    """True in a question such as ``Didn't the vendor say so?``, which denies nothing, nor is answered with no."""
    if word.sentence not in questions(text):
        return False
    sentence = [each for each in text.words if each.sentence == word.sentence]
    opens = [*sentence[:1], *(each for before, each in pairwise(sentence) if before.clause != each.clause)]
    is_denied = any(_says_no(words) for words in text.sentences if words[0].sentence > word.sentence)
    return not is_denied and any(each.lower.endswith("n't") for each in opens)


def is_reporting(claim: Phrase, word: StemmedWord) -> bool:
    """True for the ``say`` of ``The notes say that ...``, which somebody else may not say."""
    behind = claim.words[claim.words.index(word) + 1 :][:1]
    return word.lower in _SAYING and [each.lower for each in behind] == ["that"]


def is_said_first(claim: Phrase, word: StemmedWord, stated: Phrase, denied: StemmedWord) -> bool:
    """True for ``The cache, his first guess, is not the cause``, where the source has ``not the cache``."""
    at = next(at for at, each in enumerate(claim.words) if each.stem == word.stem)
    sentence = [each.lower for each in claim.words if each.sentence == claim.words[at].sentence]
    behind = sentence[sentence.index(claim.words[at].lower) + 1 :]
    is_subject = len(sentence) - len(behind) <= _SUBJECT and sentence[0] not in ("it", "this", "that")
    near = [each.lower for each in stated.words[max(0, stated.words.index(denied) - 2) : stated.words.index(denied)]]
    return is_subject and "not" in near and any(one in _BEING and other == "not" for one, other in pairwise(behind))


def is_only_then(claim: Phrase, word: StemmedWord, stated: Phrase, denied: StemmedWord) -> bool:
    """True for ``permitted only if they agree``, where the source has ``not permitted unless they agree``."""
    said, theirs = (
        [each for each in text.words if each.sentence == one.sentence]
        for text, one in ((claim, word), (stated, denied))
    )
    case = next(
        (
            said[at + 2 :]
            for at, (one, other) in enumerate(pairwise(said))
            if one.lower == "only" and other.lower in _CASES
        ),
        [],
    )
    unless = next((theirs[at + 1 :] for at, each in enumerate(theirs) if each.lower in _UNLESS), [])
    return bool({each.stem for each in case if each.is_content} & {each.stem for each in unless if each.is_content})
