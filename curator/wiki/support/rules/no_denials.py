"""Denials that deny another thing than they seem to: of an answer, of a question, of what holds in one case only."""

from __future__ import annotations

import re
from itertools import pairwise

from curator.wiki.english.words import Phrase, StemmedWord

_CASES = frozenset("if when where with after by once".split())
_UNLESS = frozenset("unless except until without".split())


def answers_no(text: Phrase) -> bool:
    """True for ``No.`` to a question, for ``No, sorry.``, ``Before that, no`` and ``Unfortunately not``."""
    if "|" in text.plain:
        return False  # the cell of a row answers its head
    return any(
        words[-1].lower == "not"
        if len(words) == len(("unfortunately", "not"))
        else any(word.lower == "no" and (then is None or then.after) for word, then in pairwise((*words, None)))
        for words in text.sentences
    )


def is_asked_not(text: Phrase, word: StemmedWord) -> bool:
    """True in a question such as ``Didn't the vendor say so?``, which denies nothing."""
    sentence = [each for each in text.words if each.sentence == word.sentence]
    is_question = re.search(rf"\b{re.escape(sentence[-1].text)}\W*\?", text.plain) is not None
    opens = [each for before, each in pairwise((None, *sentence)) if before is None or before.clause != each.clause]
    return is_question and any(each.lower.endswith("n't") for each in opens)


def is_only_then(claim: Phrase, word: StemmedWord, stated: Phrase, denied: StemmedWord) -> bool:
    """True for ``permitted only if they agree``, where the source has ``not permitted unless they agree``."""
    said, theirs = (
        [each.lower for each in text.words if each.sentence == one.sentence]
        for text, one in ((claim, word), (stated, denied))
    )
    at_once = any(one == "only" and other in _CASES for one, other in pairwise(said))
    return at_once and not _UNLESS.isdisjoint(theirs)
