"""What a source leaves open, puts off or only considers is not decided, begun or done."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from curator.wiki.english.words import StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import NOT

PLANNED = frozenset("planned plans expected scheduled hopes aims proposed".split())
COMING = PLANNED | frozenset("will should would shall must can may".split())
_OPEN = frozenset(
    "put off,postponed,deferred,no decision,decision is,not yet,no work,undecided,is planned,are planned,pending,proposed,"
    "proposal was,not been secured,is expected,are expected,still experimental,proof of concept,to be taken,to be decided,"
    "was suggested,under discussion,under review,no agreement,purposefully left,purposely left,deliberately left,"
    "intentionally left".split(",")
)
"""Words by which a source says that a thing is not decided or not begun."""
_SETTLED = frozenset(
    "carried resolved decided adopted approved opened funded started began begun entered secured chosen settled agreed "
    "stable launched fixed finalized underway complete completed done built took confirmed specified placed ordered bought "
    "signed production".split()
)
_UNDONE = frozenset(
    "rejected considered discussed proposed suggested deferred postponed refused dropped dismissed debated declined".split()
)
_WAS = frozenset(("was", "were", "is", "been"))
_PENDING = frozenset("proposes open yet still whether if would intention intends".split())
_PROPOSED = frozenset("proposal proposals plan plans".split())
_PUT = frozenset("put decided discussed considered left raised asked debated voted referred".split())


def undecided(case: Case, bearing: Callable[[StemmedWord], frozenset[str]]) -> Iterator[str]:
    """Decided or begun in the claim, where the source says that it is open: put off, planned, not yet, no decision.

    ``bearing``: the stems by which a source says what a word of the claim says.
    """
    yield from _only_considered(case)
    yield from _whether(case)
    stated, claim = case.context.stated, case.claim
    left = stated.says(_OPEN)
    if not left or claim.says(_OPEN) or claim.lowers & (COMING | NOT | _PENDING):
        return
    is_of_plan = bool(claim.lowers & _PROPOSED)
    for at, word in enumerate(claim.words):
        if word.lower not in _SETTLED - stated.lowers or (_SETTLED & stated.lowers and stated.stems & bearing(word)):
            continue
        if not is_of_plan or (at and claim.words[at - 1].lower in _WAS):  # "the proposal was adopted"
            yield f"the source says {max(left, key=len)!r} where the claim says {word.text!r}"
            return


def _only_considered(case: Case) -> Iterator[str]:
    """Done, where the source says that doing it was rejected or considered: ``Sending it to a server was rejected``."""
    if case.claim.lowers & (_UNDONE | COMING | NOT) or case.claim.says(_OPEN):
        return
    told = {word.stem for word in case.claim.content} - case.context.known.stems
    for words in case.context.stated.sentences:
        at = next((at for at in range(2, len(words)) if words[at].lower in _UNDONE and words[at - 1].lower in _WAS), 0)
        doing = {word.stem for word in words[:at] if word.is_content}
        if at and words[0].lower.endswith("ing") and words[0].stem in told and 2 * len(doing & told) >= len(told):
            yield f"the source says {words[at].text!r} of it, the claim says that it is so"
            return


def _whether(case: Case) -> Iterator[str]:
    """Settled, where the source says that whether it is so will be put to somebody, or is left to somebody."""
    if case.claim.lowers & (COMING | NOT | _PENDING | _PROPOSED | _PUT | {"to"}) or case.claim.says(_OPEN):
        return
    told = {word.stem for word in case.claim.content}
    for words in case.context.stated.sentences:
        asked = {word.stem for word in words if word.is_content}
        is_open = len(words) > 1 and words[0].lower == "whether" and {word.lower for word in words} & _PUT
        if is_open and 2 * len(asked & told) >= len(told):
            yield "the source leaves open whether it is so"
            return
