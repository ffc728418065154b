"""Whether a sentence has a verb: a line without one is a fragment. English only."""

from __future__ import annotations

import re

from curator.models.extractive.parsing.lexicon import AUXILIARIES, STOP, VERBS
from curator.models.extractive.parsing.sentences import Sentence


def has_verb(sentence: Sentence) -> bool:
    """True when its main clause surely has a verb; a list item without one is a fragment."""
    main = re.sub(r"\([^)]{0,500}\)", "", sentence.plain)
    main = re.split(r"\b(?:that|which|who|whose|where|whether)\b", main)[0]
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", main.casefold().replace("’", "'"))
    return bool(words) and (
        words[0] in VERBS | IMPERATIVES
        or any(word in AUXILIARIES or word in _SURE_VERBS or word in _PAST for word in words)
        or any(word.endswith("ed") and len(word) > 4 for word in words[1:5])
    )


def is_order(plain: str) -> bool:
    """``Tap the wall with the handle.``: a step of a list, whatever verb it begins with."""
    order = _ORDER.match(plain)
    return order is not None and order[1].casefold() not in STOP


_ORDER = re.compile(r"([A-Z][a-z]+) (?:the|an?|all|any|every|each|it|them|along|both|your|no)\b")


def may_have_verb(sentence: Sentence) -> bool:
    """False only for what surely has none: ``The full description of the project.``"""
    words = [word.written.casefold().replace("’", "'") for word in sentence.words]
    return any(word in AUXILIARIES or word in VERBS or word in _PAST or word in IMPERATIVES for word in words) or any(
        word.endswith(("ed", "s", "t", "'ll", "'re")) for word in words[1:]
    )


_SURE_VERBS = frozenset(word for word in VERBS if word.endswith("s") and word[:-1] in VERBS) - frozenset(
    "names files lists records sets places stores tests shares plays points changes checks claims covers uploads downloads "
    "updates releases requests reports references documents attempts starts ends results states returns".split()
)
_PAST = frozenset(
    "fell rose ran came went held wrote lost led grew gave took found met began broke kept left stood burns".split()
)
IMPERATIVES = frozenset(
    "fit wear open add take check compare write shake roll place warm let put mix wash clean use do".split()
)
