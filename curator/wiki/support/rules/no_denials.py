"""Denials that deny another thing than they seem to: of an answer, of a question, of what holds in one case only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord

_CASES = frozenset("if when where with after by once".split())
_WHEN = frozenset("in on at for during until before after from by".split())
_BEING = frozenset("is are was were".split())
_SAYING = frozenset("say says state states tell tells note notes".split())
_UNLESS = frozenset("unless except until without".split())


def answers_no(text: Phrase) -> bool:
    """True for ``No.`` to a question, for ``No, sorry.``, ``Before that, no``, ``Unfortunately not`` and ``Not yet``."""
    if "|" in text.plain:
        return False  # the cell of a row answers its head
    return any(map(_says_no, text.sentences))


def _says_no(words: Sequence[StemmedWord]) -> bool:
    said = [word.lower for word in words]
    if len(said) == len(("unfortunately", "not")) and said[-1] == "not":
        return True
    ends = (at for at in range(len(words)) if at + 1 == len(words) or words[at + 1].after)
    return any(said[at] == "no" or said[max(0, at - 1) : at + 1] == ["not", "yet"] for at in ends)


def is_asked_not(text: Phrase, word: StemmedWord) -> bool:
    """True in a question such as ``Didn't the vendor say so?``, which denies nothing."""
    sentence = [each for each in text.words if each.sentence == word.sentence]
    is_question = re.search(rf"\b{re.escape(sentence[-1].text)}\W*\?", text.plain) is not None
    opens = [each for before, each in pairwise((None, *sentence)) if before is None or before.clause != each.clause]
    return is_question and any(each.lower.endswith("n't") for each in opens)


def begins_not(text: Phrase, word: StemmedWord) -> bool:
    """True in ``Not in half term.``, which denies what the sentence before says of it."""
    sentence = next(words for words in text.sentences if words[0].sentence == word.sentence)
    return sentence[0].lower == "not" and len(sentence) > 1 and sentence[1].lower in _WHEN


def is_reporting(claim: Phrase, word: StemmedWord) -> bool:
    """True for the ``say`` of ``The notes say that ...``, which somebody else may not say."""
    behind = claim.words[claim.words.index(word) + 1 :][:1]
    return word.lower in _SAYING and [each.lower for each in behind] == ["that"]


def is_said_first(claim: Phrase, word: StemmedWord, stated: Phrase, denied: StemmedWord) -> bool:
    """True for ``The cache, his first guess, is not the cause``, where the source has ``not the cache``."""
    at = next(at for at, each in enumerate(claim.words) if each.stem == word.stem)
    behind = [each.lower for each in claim.words[at + 1 :] if each.sentence == claim.words[at].sentence]
    near = [each.lower for each in stated.words[max(0, stated.words.index(denied) - 2) : stated.words.index(denied)]]
    return "not" in near and any(one in _BEING and other == "not" for one, other in pairwise(behind))


def is_only_then(claim: Phrase, word: StemmedWord, stated: Phrase, denied: StemmedWord) -> bool:
    """True for ``permitted only if they agree``, where the source has ``not permitted unless they agree``."""
    said, theirs = (
        [each.lower for each in text.words if each.sentence == one.sentence]
        for text, one in ((claim, word), (stated, denied))
    )
    at_once = any(one == "only" and other in _CASES for one, other in pairwise(said))
    return at_once and not _UNLESS.isdisjoint(theirs)
