"""The reason that a claim gives, and whether what is quoted gives it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.wiki.english.stems import stem
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.coverage import is_covered, is_stated, listed, told_by

_GIVEN = frozenset(
    "because since therefore thus so hence as reason reasons due avoid otherwise caused causes owing "
    "result results ensure ensures ensuring sure".split()
)
"""Words with which a source gives reasons."""
_BECAUSE = frozenset(("due to", "owing to", "thanks to", "caused by", "order to", "so that"))
_REASONED = frozenset("because since therefore due owing".split())
"""Words with which a source gives a reason of its own."""
_AMBIGUOUS = frozenset(("since", "as"))
_NO_REASONS = frozenset("in for with well of to if one a an often long soon far many much though".split())
"""Words behind an ``as`` that gives no reason."""
_TELLS = frozenset(
    map(stem, "describe define quote say state specify call put write explain note recommend require show".split())
)
"""What a text does in ``as PEP 508 describes it``, which says who says so."""
_SAYS_SO = 6
"""Words of such an aside, at most."""


def cause_unknown(case: Case) -> Iterator[str]:
    """A reason (because, since, so that) most of which is not in what is quoted."""
    for reason, is_aim in _reasons(case):
        if not case.keeps_to_source(reason):
            continue
        told = told_by(case, [word for word in reason if word.is_content])
        missing = [word.text for word in told if not is_covered(case, word)]
        gives_one = bool(_GIVEN & case.context.stated.lowers)
        another = bool(_REASONED & case.context.stated.lowers) and not any(is_stated(case, word) for word in told)
        unstated = [word for word in told if not is_stated(case, word)]
        elsewhere = (
            not is_aim
            and len(told) > 1
            and (
                2 * len(unstated) > len(told) - (case.is_close and len(told) > 2) if not gives_one else unstated == told
            )
        )
        most = 2 * len(missing) > len(told) and not (gives_one or is_aim)
        if told and (another or elsewhere or most or len(missing) == len(told)):
            strange = missing or [word.text for word in unstated]
            yield f"the reason given is not in what is quoted: {listed(strange)}"


def _reasons(case: Case) -> Iterator[tuple[list[StemmedWord], bool]]:
    """What stands behind a because, to the end of its sentence; and whether it is an aim, which a mere "to" may give."""
    words = case.claim.words
    for at, word in enumerate(words):
        pair = f"{word.lower} {words[at + 1].lower}" if at + 1 < len(words) else ""
        if word.lower == "because" or pair in _BECAUSE or _begins_reason(words, at):
            yield _to_the_end(words, at + 1), pair == "so that"


def _begins_reason(words: Sequence[StemmedWord], at: int) -> bool:
    """True for ``, as it ...`` and ``, since they ...``; not for ``, as in ...`` or ``, since 3.9``."""
    if words[at].lower not in _AMBIGUOUS or words[at].after != "," or at + 1 == len(words):
        return False
    behind = _to_the_end(words, at + 1)
    says_so = len(behind) <= _SAYS_SO and any(word.stem in _TELLS for word in behind[-2:])
    return not words[at + 1].is_number and words[at + 1].lower not in _NO_REASONS and not says_so


def _to_the_end(words: Sequence[StemmedWord], at: int) -> list[StemmedWord]:
    """The words from ``at`` to the end of the sentence, or to a semicolon."""
    reason: list[StemmedWord] = []
    for word in words[at:]:
        if word.sentence != words[at].sentence or word.after == ";":
            break
        reason.append(word)
    return reason
