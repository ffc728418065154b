"""Words that negate, and what of them negates nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.wiki.english.stems import PAST
from curator.wiki.english.words import Phrase, StemmedWord

NOT = frozenset(
    "not no never none nothing nobody neither nor without cannot hardly scarcely barely non isn aren".split()
)
"""Words that negate outright; those in ``n't`` do too."""
AUXILIARIES = frozenset("must shall should will would may might can could is are was were".split())
_NO_DENIALS = frozenset("only just merely necessarily all every both more less later sooner".split())
"""Words behind a ``not`` that denies nothing, or something else."""

_SAME = frozenset("set read run put cut hit let shut cost been come become".split())
"""Participles that no list of past forms has: most are written as the verb is."""
_UNREAL = frozenset(("could", "would"))
_ONLY_BUT = frozenset("nothing none nobody anything".split())


def is_not(word: StemmedWord) -> bool:
    return word.lower in NOT or word.lower.endswith("n't")


def is_not_only(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``not only``, ``not on Linux alone``, which negate nothing or something else."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    if is_only_but(clause, at):
        return True
    if any(word.lower == "alone" for word in clause[at + 1 : at + 5]):
        return True
    return behind in _NO_DENIALS


def is_only_but(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for ``nothing but``, which is "only", and for ``up to, but not including``."""
    behind = clause[at + 1].lower if at + 1 < len(clause) else ""
    return (clause[at].lower in _ONLY_BUT and behind == "but") or behind == "including"


def is_open(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for a ``not`` that denies nothing behind it: ``whether it is so or not``, ``why not?`` and ``what others do not
    then sends it``.
    """
    before, behind = clause[at - 1].lower if at else "", [word.lower for word in clause[at + 1 : at + 3]]
    if len(behind) > 1 and behind[0] == "then" and behind[1].endswith("s"):
        return True
    return before == "why" or (before == "or" and any(word.lower == "whether" for word in clause[:at]))


def is_unreal(before: Sequence[StemmedWord], word: StemmedWord) -> bool:
    """True behind ``could have``, for the ``sold`` of ``could have sold it``: nobody did."""
    near = [each.lower for each in before[-2:] if each.clause == word.clause]
    is_participle = word.lower.endswith("ed") or word.lower in PAST or word.lower in _SAME
    return len(near) == 2 and near[0] in _UNREAL and near[1] == "have" and is_participle


def shown(words: Sequence[StemmedWord]) -> str:
    return " ".join(word.text for word in words)


def is_in_name(word: StemmedWord, text: Phrase) -> bool:
    """True for the ``no`` of ``--no-cache``."""
    return bool(re.search(rf"-{re.escape(word.text)}\b|\b{re.escape(word.text)}-", text.plain))
