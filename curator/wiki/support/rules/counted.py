"""How many things a text enumerates: the members of its lists, the dates of a head's field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from curator.wiki.english.quantities import Quantity, dates, quantities
from curator.wiki.english.words import Phrase, StemmedWord, phrase

_AND = frozenset(("and", "or"))
_WHOLE = frozenset("all every each".split())
_FAR = 4
"""Words between a part and what it is of: ``three of Ecuador's last four``."""
_LEADS = frozenset(
    "in on at for since by with if when after before during from under as until while however thus then also here".split()
)
"""Words with which a sentence begins before its list does: ``In 2017, A, B and C``."""
_LEAD = 3
"""Words before a dash or a colon that say what is listed behind it."""


_ENDS = frozenset(";:()[]|-–—")
_ORDINALS = {
    word: at for at, word in enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), start=2)
}


def is_count(quantity: Quantity, claim: Phrase, stated: Phrase, more: int = 0) -> bool:
    """True for a number that, with ``more``, counts what is enumerated.

    Where long lists of what is ``stated`` have the word for what is counted, one of those tells.
    """
    number, things = int(quantity.amount) + more, {*quantity.counted}
    lists = _lists(stated)
    named = [each for each in lists if each.words & things and each.count > 2]
    ordinals = any(
        _ORDINALS.get(word.lower) == number and {behind.stem} & {*quantity.counted[:1]}
        for word, behind in pairwise(stated.words)
    )
    told = named if number > 2 and named else (*lists, *_lists(claim, claim.words[quantity.at]))
    return ordinals or any(each.count == number for each in told)


@lru_cache(maxsize=2_048)
def parts_of(text: Phrase) -> tuple[tuple[str, str], ...]:
    """The two counts of each ``9 of 12`` and ``9 of the last 12``, of ``half of 12`` and of ``every one of the 12``."""
    return tuple(_parts_of(text))


def _parts_of(text: Phrase) -> Iterator[tuple[str, str]]:
    for one, two in pairwise(quantities(text)):
        between = [word.lower for word in text.words[one.at + 1 : two.at]]
        is_of = between[:1] == ["of"] and len(between) <= _FAR and not text.words[two.at].after
        if is_of and one.amount <= two.amount and not one.is_mere_one and _is_whole(one) and _is_whole(two):
            yield one.value, two.value
    for two in quantities(text):
        sentence = [word.lower for word in text.words[max(0, two.at - 2 * _FAR) : two.at]]
        of = len(sentence) - 1 - sentence[::-1].index("of") if "of" in sentence else 0
        is_whole = len(sentence) - of <= _FAR and _WHOLE & {*sentence[max(0, of - 2) : of]}
        if (is_whole or sentence[-1:] == ["all"]) and _is_whole(two):  # "every one of the ten", "all ten"
            yield two.value, two.value
        before = [word.lower for word in text.words[max(0, two.at - 3) : two.at] if word.lower != "the"]
        if before[-2:] == ["half", "of"] and _is_whole(two):
            yield f"{two.amount / 2:g}", two.value


def _is_whole(quantity: Quantity) -> bool:
    return quantity.value.isdecimal()


@lru_cache(maxsize=2_048)
def counts_of_dates(text: Phrase) -> frozenset[int]:
    """How many dates there are, in all, in each passage, and of each year and each month."""
    found = dates(text)
    by_month = Counter((date.year, date.month) for date in found)
    by_passage = (len(dates(phrase(passage))) for passage in text.plain.split("\n\n")) if len(found) > 2 else ()
    return frozenset((len(found), *by_month.values(), *Counter(date.year for date in found).values(), *by_passage))


@dataclass(frozen=True)
class _List:
    """One enumeration: three in ``the A, B and C as well as the D and E``, and two."""

    count: int
    words: frozenset[str]
    """The stems of its members, and of what leads to it."""


@lru_cache(maxsize=2_048)
def _lists(text: Phrase, number: StemmedWord | None = None) -> tuple[_List, ...]:
    """Those of ``text``; a list begins behind the ``number`` that counts it: ``two SIGs, Architecture and Testing``."""
    return tuple(each for sentence in text.sentences for each in _lists_in(sentence, number) if each.count > 1)


def _lists_in(sentence: Sequence[StemmedWord], number: StemmedWord | None) -> Iterator[_List]:
    count, is_closed, leads = 1, False, sentence[0].lower in _LEADS
    before: list[str] = []
    own: list[str] = []
    segment: list[StemmedWord | None] = []
    for word in sentence:
        joins, parts = word.lower in _AND, word is not sentence[0] and (word.after == "," or word.after in _ENDS)
        ends = parts and (word.after != "," or (is_closed and not joins) or number in segment)
        if ends:
            yield from (_List(each, frozenset((*before, *own))) for each in (count, count - leads))
            before = own[-_LEAD:] if word.after != "," else []
            count, is_closed, leads, own = 1, False, False, []
            segment = []
        elif parts or joins:
            count, segment = count + 1, []
            if joins and is_closed:
                yield _List(2, frozenset((*before, *own)))  # "A and B in C and D"
        is_closed = is_closed or joins
        own.append(word.stem)
        segment.append(word)
    yield from (_List(each, frozenset((*before, *own))) for each in (count, count - leads))
