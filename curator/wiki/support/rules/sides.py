"""The two sides of a comparison, and two names, that have changed places; and what the numbers quoted say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from curator.wiki.english.opposites import OPPOSITES
from curator.wiki.english.quantities import UNITS, Quantity, date_places, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import is_not
from curator.wiki.support.rules.values import pieces_of

_NO_DEGREES = frozenset("rather other whether either neither another".split())
_UNDER = frozenset("with in on for at among by under from".split())
_MANY_NAMES = 30
"""Names of a sentence in which nobody looks for two that changed places."""
_MORE = frozenset(
    "more later newer younger longer larger bigger higher greater slower dearer heavier above after outnumber outnumbers "
    "exceed exceeds outweigh outweighs".split()
)
_LESS = frozenset("less fewer earlier older shorter smaller lower cheaper lighter faster quicker below before".split())
_PLACES = frozenset(("after", "before"))
_OF_DURATION = frozenset("faster quicker slower".split())
_OF_DATES = frozenset("later newer younger after earlier older before".split())
_AGAINST = frozenset("than against versus vs compared to".split())
_INSTEAD = (("instead", "of"), ("rather", "than"), ("in", "place", "of"))
_MOST = frozenset("longest largest biggest highest greatest heaviest tallest dearest".split())
_LEAST = frozenset("shortest smallest lowest lightest cheapest".split())
_NOT_FIRST = frozenset("second third fourth fifth among one than".split()) - {"one"}
_FEWEST_LISTED = 3
"""Numbers of which one is the most."""
_AMOUNTS = frozenset((*UNITS, *WORDS, "half"))
_FAR = 9
"""Words between a comparative and its ``than``, at most."""
_MANY = 40
"""Numbers among which nobody tells which two are compared."""


def sides_swapped(case: Case) -> Iterator[str]:
    """In "A is more than B" the two sides have changed places."""
    pairs = list(compared_pairs(case.context.stated, case.claim))
    for one, other in pairs:
        if any(each == other for each, _ in pairs):
            continue
        if one.degree == other.degree and are_swapped(one, other):
            yield f"the sides of the comparison ({other.degree}) have changed places"
            return
    yield from _turned_by_numbers(case)
    yield from _turned_by_own_numbers(case)
    yield from _not_the_most(case)
    yield from _instead_turned(case)


def places_swapped(case: Case) -> Iterator[str]:
    """Two names stand in the order of the source's sentence only when they change places."""
    claim = [word for word in case.claim.words if word.tells]
    compares = "than" in case.claim.lowers  # the two sides of a comparison need be no names
    if "by" in case.claim.lowers or {"from", "to"} <= case.claim.lowers or len(claim) < 4 or case.is_reworded:
        return
    names = [at for at, word in enumerate(claim) if compares or word.code or word.is_number or word.text[0].isupper()]
    mine = [word.stem for word in claim]
    for sentence in case.context.stated.sentences:
        theirs = [word.stem for word in sentence if word.tells]
        differs = compares and _degrees(sentence) != _degrees(case.claim.words)
        if differs or any(word.lower == "by" for word in sentence):
            continue
        once = [at for at in names if mine.count(mine[at]) == theirs.count(mine[at]) == 1]
        for first, second in combinations(once[:_MANY_NAMES], 2):
            if not _fits_swapped(mine, theirs, first, second):
                continue
            if not _is_bound(case.claim.words, sentence, claim[first], claim[second]):
                yield f"{claim[first].text!r} and {claim[second].text!r} have changed places"
                return


def _degrees(words: Sequence[StemmedWord]) -> frozenset[str]:
    """The ``than`` of a comparison, and what is compared: more, less, older."""
    return frozenset(
        word.lower for word in words if word.lower in ("than", "more", "less") or word.lower.endswith("er")
    )


def _is_bound(
    claim: Sequence[StemmedWord], sentence: Sequence[StemmedWord], one: StemmedWord, two: StemmedWord
) -> bool:
    """True where each has the small word before it that it has in the source, and not the other's: per 100, in 300."""
    ours = {behind.stem: before.lower for before, behind in pairwise(claim) if behind in (one, two)}
    theirs = {behind.stem: before.lower for before, behind in pairwise(sentence) if behind.stem in (one.stem, two.stem)}
    small = {before.lower for before in claim if not before.is_content and not before.is_number}
    return ours == theirs and len({*ours.values()} & small) == 2


@dataclass(frozen=True)
class _Comparison:
    """``left is more than right``, by stems."""

    degree: str
    left: frozenset[str]
    right: frozenset[str]


def compared_pairs(stated: Phrase, claim: Phrase) -> Iterator[tuple[_Comparison, _Comparison]]:
    """Every comparison of the source that has both sides with every one of the claim."""
    yield from ((one, other) for one in _comparisons(stated) if one.right for other in _comparisons(claim))


def are_swapped(one: _Comparison, other: _Comparison) -> bool:
    only_left, only_right = one.left - one.right, one.right - one.left
    if other.right:  # the verb may stand on either left side
        return bool(other.left & only_right and other.right & only_left and not other.right & only_right)
    return bool(other.left & only_right and not other.left & only_left)


def _comparisons(text: Phrase) -> Iterator[_Comparison]:
    """Every comparison in a clause; where no ``than`` follows, without its right side."""
    for clause in _without_brackets(text):
        for at, word in enumerate(clause):
            is_more = word.lower in ("more", "less") and at + 1 < len(clause)
            than = next((place for place in range(at, len(clause)) if _is_than(clause, place)), None)
            is_degree = word.lower.endswith("er") and word.lower not in _NO_DEGREES
            if not is_more and not (is_degree and (word.stem in OPPOSITES or than == at + 1)):
                continue
            between = clause[at + 1 : than] if than else []
            under = next((place for place, each in enumerate(between) if each.lower in _UNDER), None)
            before = clause[:at] if under is None else between[under:]  # "more common with A than with B"
            left = frozenset(each.stem for each in before if each.tells)
            behind = clause[than + 1 :] if than else ()
            right = frozenset(each.stem for each in behind if each.tells)
            degree = f"{word.lower} {clause[at + 1].lower}" if is_more else word.lower
            yield _Comparison(degree, left, right)


def _is_than(clause: Sequence[StemmedWord], at: int) -> bool:
    """True for a ``than``, and not for that of ``rather than``."""
    return clause[at].lower == "than" and clause[at - 1].lower not in _NO_DEGREES


def _without_brackets(text: Phrase) -> Iterator[list[StemmedWord]]:
    """The clauses of a text, each going on behind what stands in brackets."""
    for sentence in text.sentences:
        found: list[StemmedWord] = []
        is_aside, last = False, sentence[0].clause
        for word in sentence:
            closes = is_aside and word.after == ")"
            is_aside = word.after == "(" or (is_aside and not closes)
            if not is_aside and not closes and word.clause != last and found:
                yield found
                found = []
            if not is_aside:
                found.append(word)
                last = word.clause
        yield found


def _fits_swapped(mine: list[str], theirs: list[str], first: int, second: int) -> bool:
    """True when all that is shared is in order once both names, which stand once on either side, change places."""
    one, two = mine[first], mine[second]
    if one.startswith(two) or two.startswith(one):
        return False
    if second == first + 1 or theirs.index(one) < theirs.index(two):
        return False
    swapped = list(mine)
    swapped[first], swapped[second] = two, one
    before, after = _in_order(mine, theirs), _in_order(swapped, theirs)
    return after >= before + 2 and after == sum(word in theirs for word in mine)


def _in_order(mine: list[str], theirs: list[str]) -> int:
    """The length of the longest run of words that stand in both in the same order."""
    row = [0] * (len(theirs) + 1)
    for word in mine:
        last = row
        row = [0]
        for at, other in enumerate(theirs):
            row.append(last[at] + 1 if word == other else max(last[at + 1], row[at]))
    return row[-1]


def _turned_by_numbers(case: Case) -> Iterator[str]:
    """Which of two things the claim says is more, where their numbers in the source say that the other is."""
    compared = [words for words in case.claim.sentences if any(word.lower in _MORE | _LESS for word in words)]
    measured = [*_measured(case.context.stated)] if compared else []
    for sentence in compared if 1 < len(measured) <= _MANY else ():
        if any(map(is_not, sentence)):
            continue
        for at, word in enumerate(sentence):
            behind = _right_side(sentence, at)
            if behind is None:
                continue
            between = sentence[at + 1 : behind - 1]
            under = next((place for place, each in enumerate(between) if each.lower in _UNDER), None)
            ahead = sentence[:at] if under is None else between[under:]  # "slower with A than with B"
            left, right = (_told(words) for words in (ahead, sentence[behind:]))
            one, two = _of(measured, left - right, right - left), _of(measured, right - left, left - right)
            if len(one) == 1 and not two:  # "the old one took 200, the new one": what is left is the other
                two = [each for each in measured if each.kind == one[0].kind and each is not one[0]]
            pairs = [(each, other) for each in one for other in two if each.kind == other.kind]
            pairs = [(each, other) for each, other in pairs if _measures(word, each.kind)]
            if pairs and all(_says_reverse(word, each.amount, other.amount) for each, other in pairs):
                yield f"the numbers quoted say the reverse of {word.text!r}"
                return


@dataclass(frozen=True)
class _Measured:
    """A number, year or date, with the words that stand in its piece of the sentence."""

    kind: str
    amount: float
    near: frozenset[str]
    place: StemmedWord
    is_named: bool
    """A name stands in its piece."""


def _measured(text: Phrase) -> Iterator[_Measured]:
    if len(quantities(text)) > _MANY:
        return
    pieces = pieces_of(text)
    found = [
        (number.at, _kind_of(number.value, number.kind), number.amount)
        for number in quantities(text)
        if not number.code
    ]
    found += [(at, "year", date.year + date.month / 12 + date.day / 372) for at, date in date_places(text) if date.year]
    for at, kind, amount in found:
        words = [word for word, piece in zip(text.words, pieces, strict=True) if piece == pieces[at]]
        is_named = any(word.text[0].isupper() and not word.begins for word in words)
        yield _Measured(kind, amount, _stems(words), text.words[at], is_named)


def _kind_of(value: str, kind: str) -> str:
    return "year" if not kind and value.isdecimal() and 1000 <= int(value) <= 2200 else kind


def _right_side(sentence: Sequence[StemmedWord], at: int) -> int | None:
    """Where what it is compared with begins; None where word ``at`` compares nothing."""
    word = sentence[at].lower
    if word in _PLACES:
        return at + 1 if at and sentence[at - 1].lower in UNITS else None
    if word not in _MORE | _LESS:
        return None
    near = range(at + 1, min(at + 1 + _FAR, len(sentence) - 1))
    than = next((place for place in near if sentence[place].lower == "than"), None)
    behind = sentence[than + 1 : than + 3] if than is not None else ()
    is_pronoun = [each.lower for each in behind] == ["the", "one"]
    if than is None or (not is_pronoun and any(each.is_number or each.lower in _AMOUNTS for each in behind)):
        return None  # "less than a year"
    return than + 1


def _says_reverse(word: StemmedWord, one: float, other: float) -> bool:
    return (one - other) * (1 if word.lower in _MORE else -1) < 0


def _measures(word: StemmedWord, kind: str) -> bool:
    """False where a number of such a kind says nothing of the comparison: of what is older, how many metres it has."""
    if word.lower in _OF_DURATION:
        return kind == "time"
    return (word.lower not in _OF_DATES or kind in ("year", "clock")) and (word.lower in _OF_DATES or kind != "year")


def _turned_by_own_numbers(case: Case) -> Iterator[str]:
    """``Slower with A (112 ms) than with B (402 ms)``: the claim's own numbers say the reverse."""
    numbers = quantities(case.claim)
    for sentence in case.claim.sentences:
        word = next((each for each in sentence if each.lower in (_MORE | _LESS) - _PLACES), None)
        if word is None or not _AGAINST & {each.lower for each in sentence} or any(map(is_not, sentence)):
            continue
        first = case.claim.words.index(sentence[0])
        told = [each for each in numbers if first <= each.at < first + len(sentence)]
        at = sentence.index(word) + first
        kinds = {(each.kind, each.unit) for each in told if each.at > at and not each.is_mere_one}
        for kind, unit in kinds:
            pair = [each for each in told if (each.kind, each.unit) == (kind, unit)]
            of_same = _scale(case.claim, pair[0]) == _scale(case.claim, pair[-1])
            is_told = kind or _scale(case.claim, pair[0])
            if len(pair) == 2 and pair[0].at > at and is_told and of_same and _measures(word, kind):
                between = {each.lower for each in case.claim.words[pair[0].at : pair[1].at]}
                if between & _AGAINST and _says_reverse(word, pair[0].amount, pair[1].amount):
                    yield f"the numbers say the reverse of {word.text!r}"
                    return


def _scale(text: Phrase, number: Quantity) -> str:
    """The word right behind a number: ``M`` of ``5 M``."""
    behind = text.words[number.at + 1 : number.at + 2]
    return behind[0].lower if behind and not behind[0].after and behind[0].text.isupper() else ""


def _not_the_most(case: Case) -> Iterator[str]:
    """``The longest border is the one with Algeria``, where the numbers of a list say that another one is longer."""
    stated = case.context.stated
    for sentence in case.claim.sentences:
        word = next((each for each in sentence if each.lower in _MOST | _LEAST), None)
        if word is None or any(map(is_not, sentence)) or {each.lower for each in sentence} & _NOT_FIRST:
            continue
        pieces = pieces_of(stated) if len(quantities(stated)) <= _MANY else ()
        for listed in stated.sentences if pieces else ():
            found = [each for each in _measured(stated) if each.place in listed and each.is_named]
            for kind in {each.kind for each in found}:
                alike = [each for each in found if each.kind == kind]
                own = [each for each in alike if _names(each, alike) & _told(sentence)]
                if len(alike) < _FEWEST_LISTED or len(own) != 1 or not kind or kind == "year":
                    continue
                amounts = [each.amount for each in alike]
                if own[0].amount != (max(amounts) if word.lower in _MOST else min(amounts)):
                    yield f"the numbers quoted say that another one is the {word.text}"
                    return


def _names(each: _Measured, alike: Sequence[_Measured]) -> frozenset[str]:
    """The words that only this one of several numbers has beside it."""
    return each.near - frozenset().union(*(other.near for other in alike if other is not each))


def _instead_turned(case: Case) -> Iterator[str]:
    """``A instead of B``, where the source says B instead of A."""
    theirs = [*_instead(case.context.stated)]
    for one, other in _instead(case.claim):
        if (other.stem, one.stem) in ((first.stem, second.stem) for first, second in theirs):
            yield f"the source has {other.text!r} instead of {one.text!r}"
            return


def _instead(text: Phrase) -> Iterator[tuple[StemmedWord, StemmedWord]]:
    """Each ``A instead of B``: the last word that tells before it, and the first one behind it."""
    for sentence in text.sentences:
        flat = [word.lower for word in sentence]
        for at in range(1, len(sentence) - 2):
            length = next((len(each) for each in _INSTEAD if tuple(flat[at : at + len(each)]) == each), 0)
            before = next((word for word in reversed(sentence[:at]) if word.tells), None)
            behind = next((word for word in sentence[at + length :] if word.tells), None)
            if length and before and behind and before.clause == sentence[at].clause == behind.clause:
                yield before, behind


def _of(measured: Sequence[_Measured], own: frozenset[str], others: frozenset[str]) -> list[_Measured]:
    return [each for each in measured if each.near & own and not each.near & others]


def _told(words: Sequence[StemmedWord]) -> frozenset[str]:
    """The names and the code among some words; where there are none, all that they tell."""
    named = [word for word in words if word.code or (word.text[0].isupper() and not word.begins)]
    return _stems(named) or _stems(words)


def _stems(words: Sequence[StemmedWord]) -> frozenset[str]:
    return frozenset(word.stem for word in words if word.is_content)
