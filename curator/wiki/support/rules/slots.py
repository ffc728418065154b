"""What a word governs: ``sold the patent to Osk Works``, ``comes from the island``, and another thing in that place.

Where the source has one thing behind ``comes from the``, and the claim has another one there that the source has somewhere
else, the claim says it of something else, though all its words stand in the source.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from curator.wiki.english.quantities import MONTHS, UNITS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.context import Case
from curator.wiki.support.rules.roles import is_verb

_SKIPPED = frozenset("the a an this that these those its their his her also both any each every all some".split())
_GOVERNING = frozenset("of to from by with for against into onto on in at under over before after as without".split())
_LONGEST = 4
"""Words of what is governed, at most."""
_NUMBERED = frozenset(("pep", "rfc", "cve"))
"""Names of numbered documents that a source may write in small letters, as the roles of reStructuredText do."""
_JOINED = frozenset("and or nor of by with from to for in than".split())
_SIDE_BY_SIDE = frozenset("unlike whereas like than".split())
"""Words by which a claim sets one thing beside another."""
_TAIL = frozenset(("of",))


@dataclass(frozen=True)
class _Slot:
    """A word, the small words behind it, and the thing that these govern."""

    governor: str
    by: tuple[str, ...]
    thing: tuple[StemmedWord, ...]
    names: frozenset[str]
    """Those of its words that are names."""

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.thing)


def name_exchanged(case: Case) -> Iterator[str]:
    """A word governs another thing than in the source, one that the source has somewhere else."""
    common, known = case.source.vocabulary.lower_case, case.context.known.stems
    stated, around = case.context.stated, case.context.around.stems
    held = list(_slots(stated, common))
    for mine in _slots(case.claim, common):
        alike = [other for other in held if (other.governor, other.by) == (mine.governor, mine.by)]
        own = mine.stems
        if not mine.names or not alike or not own <= around | known or any(_is_same(mine, other) for other in alike):
            continue
        if not all(other.names and not (own <= known and other.stems <= known) for other in alike):
            continue  # a pronoun or a noun may stand for the name, or another name of the same thing
        if _SIDE_BY_SIDE & case.claim.lowers and any(other.stems <= case.claim.stems for other in alike):
            continue  # "unlike that at Ludenz, the weir at Tarlau": both are told of
        if not any(_is_listed(stated, other, own) for other in alike):
            other = alike[0]
            yield f"the source says {_text(other)!r} where the claim says {_text(mine)!r}"
            return


def _slots(text: Phrase, common: Container[str]) -> Iterator[_Slot]:
    for clause in text.clauses:
        yield from _subjects(clause, common)
        for at, word in enumerate(clause):
            if not word.is_content or word.code:
                continue
            small = list(takewhile(lambda each: not _tells(each), clause[at + 1 :]))
            by = tuple(each.lower for each in small if each.lower not in _SKIPPED)
            is_governed = (len(by) == 1 and by[0] in _GOVERNING) or (not by and is_verb(clause, at))
            thing = tuple(_thing(clause[at + 1 + len(small) :]))
            if is_governed and thing:
                names = frozenset(each.stem for each in thing if _is_name(each, common))
                yield _Slot(word.stem, by, thing, names)


def _subjects(clause: Sequence[StemmedWord], common: Container[str]) -> Iterator[_Slot]:
    """Every name with the next two things that are said of it: ``PEP 691 was written to add``."""
    at = 0
    while at < len(clause):
        end = at
        while end < len(clause) and (_is_name(clause[end], common) or (end > at and clause[end].is_number)):
            end += 1
        told = [word for word in clause[end:] if word.is_content][:2]
        is_joined = at > 0 and clause[at - 1].lower in _JOINED
        is_one = end - at == 1 or not clause[at].code  # no expression
        if end > at and is_one and not is_joined and len(told) == 2 and is_verb(clause, clause.index(told[0])):
            names = frozenset(word.stem for word in clause[at:end])
            yield _Slot(f"{told[0].stem} {told[1].stem}", ("<",), tuple(clause[at:end]), names)
        at = max(end, at + 1)


def _thing(words: Sequence[StemmedWord]) -> Iterator[StemmedWord]:
    """The words that stand together, with what an ``of`` joins to them."""
    for word in words[:_LONGEST]:
        if _tells(word):
            yield word
        elif word.lower not in _SKIPPED | _TAIL:
            return


def _tells(word: StemmedWord) -> bool:
    return word.is_content or word.is_number


def _is_name(word: StemmedWord, common: Container[str]) -> bool:
    if word.code or word.lower in _NUMBERED:
        return True
    is_capital = word.text[0].isupper() and word.is_content and word.lower not in MONTHS
    return is_capital and not (word.begins and word.lower in common)


def _is_same(mine: _Slot, other: _Slot) -> bool:
    """True where some word of one is the other's, or both are amounts, which have rules of their own."""
    if _numbered(mine) and _numbered(mine)[:1] == _numbered(other)[:1]:
        return _numbered(mine) == _numbered(other)
    amounts = any(word.is_number or word.lower in UNITS or word.lower in MONTHS for word in (*mine.thing, *other.thing))
    return amounts or any(one.startswith(two) or two.startswith(one) for one in mine.stems for two in other.stems)


def _numbered(slot: _Slot) -> tuple[str, ...]:
    """The name and the number of ``PEP 658`` and ``Osk 2``."""
    words = slot.thing
    return (words[0].stem, words[1].text) if len(words) > 1 and slot.names and words[1].is_number else ()


def _is_listed(text: Phrase, slot: _Slot, own: frozenset[str]) -> bool:
    """True where what the claim says stands in one list with what the source says there."""
    at = text.words.index(slot.thing[-1])
    follow = [word for word in text.words[at + 1 :] if word.sentence == slot.thing[-1].sentence]
    near = list(takewhile(lambda word: word.clause == slot.thing[-1].clause or word.after in (",", "(", "["), follow))
    joined = [place for place, word in enumerate(near) if word.lower in ("and", "or") or word.after == ","]
    return any({word.stem for word in near[place : place + 3]} & own for place in joined)


def _text(slot: _Slot) -> str:
    return " ".join(word.text for word in slot.thing)
