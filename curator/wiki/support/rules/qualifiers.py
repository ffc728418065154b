"""A word that bounds what is said of a thing, left out: the mayor for the deputy mayor, the tram for its replica."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case, begins_part, telling

_OF_ANOTHER = frozenset(
    "deputy vice acting former interim caretaker incoming outgoing assistant associate honorary junior trainee planned "
    "proposed intended expected attempted failed alleged suspected would-be prospective unofficial provisional partial "
    "so-called mock reserve hypothetical simulated fictional imaginary".split()
)
"""Before a noun: what it makes is not, not quite or not yet what the noun alone would be."""
_LIKENESS = frozenset(
    "replica copy model imitation likeness portrait picture sketch translation parody forgery fragment".split()
)
"""Before an ``of``: something else than what stands behind."""
_NOT_QUITE = frozenset(
    "rarely seldom hardly barely scarcely nearly almost theoretically nominally temporarily provisionally allegedly "
    "purportedly ostensibly".split()
)
"""Before what they bound."""
_ORDINALS = frozenset("second third fourth fifth sixth".split())
RESERVED = frozenset((("by", "default"), ("in", "theory"), ("in", "principle"), ("on", "paper"), ("at", "first")))
"""Words that bound a whole statement."""
_OPEN = frozenset("unless except if when otherwise may might could not".split())
"""Words of a claim that leave open what such a reservation does."""
_ENTIRE = frozenset("all every never always".split())
_ROOT = 4
"""Letters of a word that its family has, too: a proposal, what is proposed."""
_DETERMINERS = frozenset("a an the its their his her this that our".split())
_FEWEST = 2
"""Words of a sentence of the claim, at least."""


def qualifier_lost(case: Case) -> Iterator[str]:
    """The source says it of the deputy mayor, the replica, the second longest; rarely, almost, in theory or by default."""
    said = case.claim.lowers
    if not case.is_close or said & (_OF_ANOTHER | _NOT_QUITE | {"used"}):
        return
    known, roots = case.context.known.stems, {each[:_ROOT] for each in said}
    for sentence in case.claim.sentences:
        told = telling(sentence) - known
        mine = {word.stem for word in sentence if word.tells or word.lower in _ENTIRE}
        for source in case.context.stated.sentences:
            if not told or len(mine) < _FEWEST or 4 * len(told & telling(source)) < 3 * len(told):
                continue
            for at, word in enumerate(source):
                own = (
                    word.lower == "proposed" and at + 1 < len(source) and source[at + 1].stem in known
                )  # what it proposes
                is_told = own or word.lower[:_ROOT] in roots
                bound = "" if is_told else _bounds(source, at, mine, is_open=bool(_OPEN & said))
                if bound:
                    yield f"the source says {bound!r}, which the claim leaves out"
                    return


def _bounds(source: Sequence[StemmedWord], at: int, mine: set[str], *, is_open: bool) -> str:
    """The word of ``source`` at ``at`` with what it bounds there, where ``mine`` has that; or nothing."""
    word, before = source[at].lower, source[at - 1].lower if at else ""
    behind = source[at + 1 : at + 2]
    is_beside = bool(behind) and behind[0].stem in mine
    if word in _OF_ANOTHER and before in _DETERMINERS and is_beside:
        return f"{word} {behind[0].text}"
    if word in _ORDINALS and is_beside and (behind[0].lower.endswith("est") or behind[0].lower == "most"):
        return f"{word} {behind[0].text}"
    if word in _NOT_QUITE and is_beside and not is_open:
        return f"{word} {behind[0].text}"
    if (before, word) in RESERVED and not is_open and 2 * len(_part(source, at) & mine) > len(mine):
        return f"{before} {word}"
    things = [each for each in source[at + 2 : at + 4] if each.tells][:1]
    is_likeness = word in _LIKENESS and bool(behind) and behind[0].lower == "of"
    return f"{word} of {things[0].text}" if is_likeness and things and things[0].stem in mine else ""


def _part(source: Sequence[StemmedWord], at: int) -> frozenset[str]:
    """What the words tell of which a reservation that ends at ``at`` holds: up to where another part begins."""
    behind = source[at + 1 :]
    ends = (n for n, word in enumerate(behind) if n and begins_part(word))
    part = behind[: next(ends, len(behind))]
    return telling(part or source[:at])
