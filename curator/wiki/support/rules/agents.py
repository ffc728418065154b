"""Who did it: another one's name before the verb."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import takewhile

from curator.wiki.english.ordinary import is_modifier
from curator.wiki.english.words import StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.names import TITLES
from curator.wiki.support.rules.roles import AUXILIARIES, is_passive

_JOINED = frozenset("and or of by with from to for in than".split())
"""Words before a name that is no subject by itself."""
_GOVERNED, _FAR, _FEWEST = 3, 12, 2
"""Words behind a verb of which one has to be the same, or else so many of these."""


def agent_exchanged(case: Case) -> Iterator[str]:
    """Another one does it than in the source."""
    for mine in case.claim.sentences:
        for one, other in _other_doers(case, mine):
            yield f"the source says that {other!r} does what the claim says of {one!r}"
            return


def _other_doers(case: Case, mine: Sequence[StemmedWord]) -> Iterator[tuple[str, str]]:
    """The name before a verb in the claim, where the source has another one there and something behind both is the same."""
    common = case.source.vocabulary.lower_case
    told = [each for theirs in case.context.stated.sentences for each in _doers(theirs, common)]
    for verb, names, rest in _doers(mine, common):
        others = [each for each in told if each[0] == verb and _is_of_same(rest, each[2])]
        own = {word.stem for word in names if word.lower not in TITLES}
        if others and all(not own & {word.stem for word in each[1]} for each in others):
            yield " ".join(word.text for word in names), " ".join(word.text for word in others[0][1])


def _doers(
    sentence: Sequence[StemmedWord], common: Container[str]
) -> Iterator[tuple[str, list[StemmedWord], list[str]]]:
    """Every verb right behind a name: its stem, the words of the name, and the stems of what follows."""
    for at in range(1, len(sentence)):
        names: list[StemmedWord] = []
        helped = sum(1 for _ in takewhile(_helps, reversed(sentence[:at])))
        for word in reversed(sentence[: at - helped]):
            if not (word.text[0].isupper() and word.is_content and word.clause == sentence[at].clause):
                break
            names.insert(0, word)
        start = at - helped - len(names)
        is_part = start > 0 and sentence[start - 1].lower in _JOINED
        if start > 1 and sentence[start - 1].lower == "and" and sentence[start - 2].text.islower():
            is_part = False  # "one planned it and Jonas Berg counted"
        if not names or is_part or any(word.lower in common for word in names) or sentence[at].text[0].isupper():
            continue
        if (
            len(names) == 1
            and names[0].begins
            and (names[0].lower.endswith(("s", "ing")) or is_modifier(names[0].lower))
        ):
            continue  # "Students pay", "Plain comments", and no name
        if sentence[at].is_content and not sentence[at].code and not is_passive(sentence, at):
            behind = sentence[at + 1 : at + 1 + _FAR]
            rest = [word.stem if word.tells else "" for word in behind]
            yield sentence[at].stem, names, rest


def _helps(word: StemmedWord) -> bool:
    """True for what may stand between a name and its verb."""
    return word.lower in AUXILIARIES or word.lower in ("then", "also", "later") or word.lower.endswith("ly")


def _is_of_same(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """True where what follows two verbs has a word right behind them in common, or some farther off."""
    near = ({*words[: _GOVERNED + 1]} - {""} for words in (mine, theirs))
    return bool(set.intersection(*near)) or len(({*mine} & {*theirs}) - {""}) >= _FEWEST
