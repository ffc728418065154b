"""Statements that say nearly the same and yet differ in a number, a date or a negation.

A false alarm costs a reader's trust, so two statements contradict each other only when they share most of their words of
meaning (six at least), name the same things, and differ either in the value of one unit or in one negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curator.models.extractive.parsing.lexicon import AUXILIARIES, CALENDAR, STOP, VERBS
from curator.wiki.pages.names import name_key

LEAST_WORDS = 6
LEAST_SHARE = 0.68
_NEGATIONS = frozenset("not no never cannot can't don't doesn't isn't aren't won't without nor neither".split())
_NUMBER_WORDS = dict(
    zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True)
)
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%°$€£]")
_UNITS = frozenset(
    "kg g mg t km m cm mm l ml litre liter gram kilogram metre meter second minute hour day week month year percent % ° °c "
    "time people person page point degree euro dollar pound € $ £ byte kb mb gb kib mib gib bit hz khz mhz w kw".split()
)
"""What is surely counted, whatever stands before the number."""
_NOT_UNITS = STOP | VERBS | AUXILIARIES


@dataclass(frozen=True)
class ComparedStatement:
    """What is compared of a statement."""

    words: frozenset[str]
    values: dict[str, frozenset[str]]
    """The numbers before each unit."""
    labels: frozenset[str]
    """Numbers that name a thing, with the word before them: ``hive 4``."""
    names: frozenset[str]
    negated: bool


def compared_statement(plain: str) -> ComparedStatement:
    """Read ``plain``, a statement without markup."""
    tokens = [match[0] for match in _TOKEN.finditer(plain)]
    words: set[str] = set()
    values: dict[str, set[str]] = {}
    labels: set[str] = set()
    for at, token in enumerate(tokens):
        folded = token.casefold().replace("’", "'")
        number = token if token[0].isdigit() else str(_NUMBER_WORDS.get(folded, ""))
        if not number:
            if folded not in STOP and len(folded) > 1:
                words.add(name_key(folded))
            continue
        before = tokens[at - 1].casefold() if at else ""
        behind = tokens[at + 1].casefold() if at + 1 < len(tokens) else ""
        measured = not token[0].isdigit() or name_key(behind) in _UNITS or behind in _UNITS
        if before and not measured and not _is_unit_free(before) and before not in CALENDAR:
            labels.add(f"{name_key(before)} {number}")
        elif behind and (behind not in _NOT_UNITS or behind in "%°"):
            values.setdefault(name_key(behind) or behind, set()).add(number.replace(",", "."))
    names = {name_key(n) for n in re.findall(r"(?<=[\w,] )[A-Z][\w-]+", plain) if n.casefold() not in CALENDAR}
    units = {unit: frozenset(numbers) for unit, numbers in values.items()}
    negated = any(token.casefold().replace("’", "'") in _NEGATIONS for token in tokens)
    return ComparedStatement(frozenset(words), units, frozenset(labels), frozenset(names), negated)


def contradict(one: ComparedStatement, other: ComparedStatement) -> bool:
    """True when both speak of the same and cannot both hold."""
    shared = one.words & other.words
    if len(shared) < LEAST_WORDS or one.labels != other.labels or not _same_names(one, other):
        return False
    share = len(shared) / len(one.words | other.words)
    if share < LEAST_SHARE:
        return False
    if one.negated != other.negated:
        return share >= 0.8 and one.values == other.values
    common = one.values.keys() & other.values.keys()
    differing = [unit for unit in common if one.values[unit] != other.values[unit]]
    return len(differing) == 1 and one.values[differing[0]].isdisjoint(other.values[differing[0]])


def find_contradictions(
    new: Iterable[tuple[int, ComparedStatement]], old: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, int]]:
    """The pairs (number of the new statement, number of the old one) that contradict each other."""
    long = [(number, mine) for number, mine in new if len(mine.words) >= LEAST_WORDS]
    said = [(number, compared_statement(plain)) for number, plain in old] if long else []
    denied = any(theirs.negated for _, theirs in said)
    for number, mine in long:
        if not (mine.values or mine.negated or denied):
            continue
        for other, theirs in said:
            if contradict(mine, theirs):
                yield number, other
                break


def _is_unit_free(before: str) -> bool:
    """True for a word behind which a number is a value: ``of 14 kg``, ``holds 14 kg``."""
    return before in STOP or before in VERBS or before in AUXILIARIES or before in "%°$€£" or before.isdigit()


def _same_names(one: ComparedStatement, other: ComparedStatement) -> bool:
    return not one.names or not other.names or bool(one.names & other.names)
