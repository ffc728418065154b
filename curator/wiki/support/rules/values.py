"""Which number belongs to which thing: a number with what the source gives another number to.

All the numbers and things of such a claim may stand in the source. What is compared is where they stand: the rule speaks
only when both are there and each is where the source has the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, takewhile

from curator.wiki.english.quantities import UNITS, Quantity, quantities
from curator.wiki.english.spelled import WORDS
from curator.wiki.english.words import Phrase, StemmedWord
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT

_PARTED = frozenset(("and", "or", "but", "while", "whereas", "who", "which"))
_BEHIND_LABELS = frozenset("-–—:")
"""Marks between a number that is the label of what follows and that: ``212 - Malignant``, ``1: error``."""
_MEASURES = frozenset((*UNITS, "celsius", "fahrenheit", "kelvin"))
_BRACKETS = frozenset("()")
_AGAINST = frozenset(("while", "whereas", "but"))
_COUNT = rf"\d[\d,]*|{'|'.join(WORDS)}"
_SHARE = re.compile(
    rf"(?<= )(?=(?:{_COUNT}) (?:out of|of)|(?:one|1) in)({_COUNT}) (?:out of|of|in) (?:every |each |a )?({_COUNT})(?= )"
)
_POINTING = frozenset("this these it they them that those such".split())
_SUBJECT, _FEWEST = 3, 2
"""Words at the beginning among which is what a half of a sentence is of; content words of a claim, at least."""
_ROOT = 4
"""Letters by which a verb is told from its noun: weighs, weight."""
_MANY_NUMBERS = 150
"""Numbers of a text in which nobody tells which belongs to what."""


def values_exchanged(case: Case) -> Iterator[str]:
    """A number stands with the thing that the source gives another number to."""
    labels = {*_labels(case)}
    mine = [each for each in _bound(case, case.claim) if (each.named, each.shown) not in labels]
    is_near = case.is_close or ("row" in case.context.kinds and not case.is_reworded)
    found = _with_other_things(case, mine) if is_near else ()
    yield from islice(
        (*found, *_of_other_half(case), *_shares_turned(case), *_of_some_head(case, mine)),
        1,
    )


def _of_other_half(case: Case) -> Iterator[str]:
    """``Children take 2``, where the source says: adults take 2; children take half of one."""
    words = takewhile(lambda word: (word.after, word.lower) != (",", "and"), case.claim.words)
    told = [word for word in words if word.stem not in case.context.known.stems and word.tells]
    if len(told) < _FEWEST or not told[0].is_content or told[0].lower == "according" or not case.is_close:
        return
    first, rest, common = told[0], {word.stem for word in told[1:]}, case.source.vocabulary.lower_case
    for sentence in case.context.stated.sentences:
        halves = [(half, {word.stem for word in half}) for half in _halves(sentence)]
        opening = [half for half, _ in halves if first.stem in {word.stem for word in half[:_SUBJECT]}]
        own = {word.stem for word in opening[0]} if opening else frozenset[str]()
        says = (
            bool(opening)
            and sum(word.tells for word in opening[0]) > 1
            and not _POINTING & {w.lower for w in opening[0]}
        )
        for half, stems in halves if says and rest - own else ():
            subject = next((word for word in half if word.is_content), first)
            is_told = rest - own <= stems and subject.stem not in case.claim.stems and first.stem not in stems
            are_names = all(each.text[0].isupper() and each.lower not in common for each in (first, subject))
            if is_told and (are_names or any(each[0].isdecimal() for each in rest - own)):
                yield f"the source says this of {subject.text!r}, and something else of {first.text!r}"
                return


def _of_some_head(case: Case, mine: Sequence[_Bound]) -> Iterator[str]:
    """``The dose is 90 mg``, of a row with another number under "Least dose", where 90 stands under "Fatal dose"."""
    cells = [(cell, _named(head), head.plain) for cell, head, _ in case.context.cells]
    own_row = {word.stem for _, _, name in case.context.cells for word in name.content}
    told = case.claim.stems
    for number in mine if " | " not in case.written else ():
        own = [each for each in cells if any(found.value == number.value for found in quantities(each[0]))]
        for _, words, head in own if len(own) == 1 else ():
            rivals = [each for each in cells if each is not own[0] and quantities(each[0]) and each[1] & words & told]
            if not rivals and not any(stem[:_ROOT] in {word[:_ROOT] for word in told} for stem in words):
                rivals = [each for each in cells if _is_told(each, told - own_row, mine)]
            if rivals and words - rivals[0][1] and not (words - rivals[0][1]) & told:
                yield f"{number.shown!r} stands under {head.strip()!r}"
                return


def _is_told(cell: tuple[Phrase, set[str], str], told: frozenset[str], mine: Sequence[_Bound]) -> bool:
    """True for a cell whose head the claim names, and whose number it does not give."""
    values = {each.value for each in quantities(cell[0])}
    return bool(cell[1]) and cell[1] <= told and bool(values) and not any(each.value in values for each in mine)


def _named(head: Phrase) -> set[str]:
    return {word.stem for word in head.content if word.lower not in _MEASURES}


def _halves(sentence: Sequence[StemmedWord]) -> list[Sequence[StemmedWord]]:
    """A sentence parted where it sets one thing against another."""
    ends = [at for at, word in enumerate(sentence) if at and (word.after == ";" or word.lower in _AGAINST)]
    if not ends and sentence[0].text[0].isupper():  # "Ann won in 2019, Bea in 2020"
        named = [at for at, word in enumerate(sentence) if at and word.after == "," and word.text[0].isupper()]
        ends = [at for at in named if any(word.is_number for word in _to_comma(sentence, at))]
    return [sentence[start:end] for start, end in pairwise((0, *ends, len(sentence)))]


def _to_comma(sentence: Sequence[StemmedWord], at: int) -> Iterator[StemmedWord]:
    """The words from ``at`` on up to the next comma: a name between two of them is an apposition, and no half."""
    yield sentence[at]
    yield from takewhile(lambda word: word.after != ",", sentence[at + 1 :])


def _shares_turned(case: Case) -> Iterator[str]:
    """``Ten out of nine``, or ``one out of ten pass``, where the source has: nine out of ten pass."""
    theirs = _shares(case.context.stated)
    values = {one / all_ for one, all_ in theirs}
    is_told_otherwise = not case.is_verbatim or bool(case.claim.lowers & NOT)
    for one, all_ in _shares(case.claim) - theirs if theirs else ():
        same = one / all_ in values or (is_told_otherwise and 1 - one / all_ in values)
        if not same and {one, all_} & {number for share in theirs for number in share}:
            yield f"the source has no {one:g} out of {all_:g}"
            return


def _shares(text: Phrase) -> set[tuple[float, float]]:
    """Every ``nine out of ten``, ``9 of 10`` and ``one in ten``."""
    pairs = [(found[1], found[2]) for found in _SHARE.finditer(text.flat)]
    numbers = [[WORDS.get(each) or float(each.replace(",", "")) for each in pair] for pair in pairs]
    return {(one, all_) for one, all_ in numbers if all_}


def _with_other_things(case: Case, mine: Sequence[_Bound]) -> Iterator[str]:
    cells = [*_cells(case)]
    is_row = bool(cells) and case.context.kinds == {"row"}  # whose numbers are its cells', each under its head
    held = cells if is_row else [*_bound(case, case.context.stated), *cells]
    wide = {each.place: each for each in _bound(case, case.context.stated, is_whole=True)}
    for number in mine:
        same = [wide.get(other.place, other) for other in held if other.is_like(number)]
        if not same or any(not each.things for each in same):
            continue
        places = {each.place for each in same}
        in_cells = all(place < 0 for place in places)
        is_alone = sum(each.sentence == number.sentence for each in mine) == 1
        asked = replace(number, things=number.sentence) if in_cells and is_alone else number
        for other in held:
            if other.is_like(number) or other.place in places or not other.measures_like(number, in_cells=in_cells):
                continue
            back = [each for each in mine if each.is_like(other) and each.place != number.place]
            if any(number.things & other.things <= each.things for each in back):
                continue  # what they share stands with the other number here, too
            shared = frozenset[str]() if is_row or in_cells else other.things
            exchanged = _is_given(asked, other, same) and (
                in_cells
                or not any(number.things & (each.things | (each.sentence - other.things)) - shared for each in same)
                or any(_is_given(each, one, [other]) for each in back for one in same)
            )
            if exchanged:
                yield f"{number.shown!r} stands with what the source gives {other.shown!r} to"
                return


@dataclass(frozen=True)
class _Bound:
    """A number and the words that stand with it."""

    shown: str
    value: str
    amount: float
    kind: str
    things: frozenset[str]
    sentence: frozenset[str]
    """All the words and numbers of its sentence."""
    place: int
    """Numbers of one place (a range) belong together."""
    named: str = ""
    """The stem of the word right before it."""

    def measures_like(self, other: _Bound, *, in_cells: bool) -> bool:
        """True when both are of one unit, or years, or versions; a cell may leave its unit to the head of its table."""
        if in_cells:
            return self.place < 0 and (not self.kind or self.kind == other.kind)
        return self.kind == other.kind and _form(self.value) == _form(other.value)

    def is_like(self, other: _Bound) -> bool:
        if self.shown.split()[0] == other.shown.split()[0] and "" in (self.kind, other.kind):
            return True  # "10.4 million" of a table in millions
        return self.value == other.value or (
            bool(self.kind) and self.kind == other.kind and self.amount == other.amount
        )


def _form(value: str) -> str:
    """A year, a version such as ``2.6.18``, or a number."""
    return "year" if value.isdecimal() and len(value) == 4 else "version" if value.count(".") > 1 else "number"


def _is_given(number: _Bound, other: _Bound, same: Sequence[_Bound]) -> bool:
    """True when what stands with ``number`` stands in the source with ``other``, and not with the ``same`` number there."""
    there = frozenset().union(*(each.things for each in same))
    return bool(number.things & other.things - there) and not number.things & there - other.things


def _bound(case: Case, text: Phrase, *, is_whole: bool = False) -> Iterator[_Bound]:
    pieces = pieces_of(text)
    versions = {each.at for each in quantities(text) if not each.kind and case.source.is_version(each.shown)}
    numbers = [each for each in quantities(text) if each.at not in versions]
    named = {text.words[at].stem for at in versions}  # which are names: a value may stand with one
    labels = _item_labels(text)
    for number in numbers if len(numbers) <= _MANY_NUMBERS else ():
        shown = rf"{re.escape(number.shown)}(?!\w)"
        of_scale = len(re.findall(rf"\d/{shown}", text.plain))  # the 10 of "3/10"
        is_scale = bool(of_scale) and of_scale == len(re.findall(rf"(?<![\w.,]){shown}", text.plain))
        if number.code or number.value in ("1", "0") or number.at in labels or is_scale:
            continue
        near = _without_rivals(text, pieces, number, numbers) if is_whole else {pieces[number.at]}
        words = [word for word, segment in zip(text.words, pieces, strict=True) if segment in near]
        told = [word for word in text.words if word.sentence == text.words[number.at].sentence]
        bound = _make(number, words, told, pieces[number.at])
        named_here = {word.stem for word in words if word.stem in named}
        yield replace(bound, things=bound.things | named_here | _pointed_at(text.words, pieces, pieces[number.at]))


def _pointed_at(words: Sequence[StemmedWord], pieces: Sequence[int], place: int) -> frozenset[str]:
    """The subject of the piece before one that says the same anew of "it": ``The pump weighs 9 kg; it weighs 8 kg now``."""
    before, own = ([word for word, at in zip(words, pieces, strict=True) if at == each] for each in (place - 1, place))
    if next((word.lower for word in own if word.lower not in _PARTED), "") not in ("it", "they"):
        return frozenset()
    verb = next((word.stem for word in own if word.is_content and word.lower != "now"), "")
    subject = [*takewhile(lambda word: word.stem != verb, before)]
    return frozenset(word.stem for word in subject if word.is_content) if len(subject) < len(before) else frozenset()


def _without_rivals(text: Phrase, segments: Sequence[int], number: Quantity, numbers: Sequence[Quantity]) -> set[int]:
    """The pieces of its sentence around ``number``, up to one with another number of the same unit, or another year."""
    sentence = text.words[number.at].sentence
    told = [place for word, place in zip(text.words, segments, strict=True) if word.sentence == sentence]
    if _is_label(text.words, number.at):
        return {*told}
    like = (number.kind, _form(number.value))
    rivals = {segments[each.at] for each in numbers if each is not number and (each.kind, _form(each.value)) == like}
    own = segments[number.at]
    first = max((place + 1 for place in rivals if place < own), default=min(told))
    last = min((place - 1 for place in rivals if place > own), default=max(told))
    return set(range(max(first, min(told)), min(last, max(told)) + 1)) | {own}


def _is_label(words: Sequence[StemmedWord], at: int) -> bool:
    """True for the number that a line begins with, before a bracket: what the line says is said of it."""
    begins = at == 0 or words[at - 1].sentence != words[at].sentence
    return begins and at + 1 < len(words) and words[at + 1].after.startswith("(")


def _make(number: Quantity, words: Sequence[StemmedWord], told: Sequence[StemmedWord], place: int) -> _Bound:
    things = frozenset(word.stem for word in words if word.is_content and word.lower not in _MEASURES)
    sentence = frozenset(word.stem for word in told)
    return _Bound(number.shown, number.value, number.amount, number.kind, things, sentence, place, number.named)


def _item_labels(text: Phrase) -> frozenset[int]:
    """The places of numbers in brackets that name the items of a list: ``satisfied (1) and (3), but not (2)``."""
    places = [
        at
        for at, (word, behind) in enumerate(zip(text.words, (*text.words[1:], None), strict=False))
        if word.after == "("
        and word.text.isdecimal()
        and len(word.text) <= 2
        and (behind is None or behind.after or behind.clause != word.clause)
    ]
    return frozenset(places) if len(places) > 1 else frozenset()


def _labels(case: Case) -> Iterator[tuple[str, str]]:
    """Numbers that are names, with the word before: hive 4 of a heading or a title, hive 6 of a row. They have no value."""
    for before, word in (*pairwise(case.context.headings.words), *pairwise(case.context.known.words)):
        if word.is_number:
            yield before.stem, word.text
    rows = {name.words[0].text for _, _, name in case.context.cells if name.words and name.words[0].is_number}
    for before, word in pairwise(case.claim.words):
        if word.text in rows and before.is_content and before.stem in case.context.around.stems:
            yield before.stem, word.text


def pieces_of(text: Phrase) -> list[int]:
    """For each word the number of the piece between commas, brackets and conjunctions that it stands in."""
    found = [0] if text.words else []
    is_row = any(word.after == "|" for word in text.words)  # a bracket in the head of a cell parts it from nothing
    for at, (last, word) in enumerate(pairwise(text.words)):
        is_label = last.is_number and word.after in _BEHIND_LABELS
        if word.is_number and at + 2 < len(text.words) and text.words[at + 2].after == ":":
            found.append(found[-1] + 1)
            continue
        parted = word.clause != last.clause or word.after == "," or word.lower in _PARTED
        parted = parted and not (word.after == "(" and _is_value(text.words, at + 1))
        parted = parted and not (is_row and word.after in _BRACKETS)
        parted = parted and not joins_adjectives(text.words, at + 1)
        found.append(found[-1] + (parted and not is_label and not _is_listed(text.words, at + 1)))
    return found


def joins_adjectives(words: Sequence[StemmedWord], at: int) -> bool:
    """True for the ``but`` of ``an optional but recommended part``."""
    joins = words[at].lower == "but" and not words[at].after and at > 1
    return joins and words[at - 2].lower in ("a", "an", "the")


def _is_value(words: Sequence[StemmedWord], at: int) -> bool:
    """True for what is but a number in brackets: ``more common with the drug (14 %)``."""
    inside = [word for word in words[at : at + 4] if word.clause == words[at].clause]
    return words[at].is_number and not any(word.is_content and word.lower not in _MEASURES for word in inside)


def _is_listed(words: Sequence[StemmedWord], at: int) -> bool:
    """True for what goes on within a list of mere numbers: ``4, 6 or 7``."""
    joins = words[at].lower in ("and", "or") and at + 1 < len(words)
    after = words[at + 1] if joins else words[at]
    before = words[at - 2] if words[at - 1].lower in ("and", "or") and at > 1 else words[at - 1]
    return before.is_number and after.is_number and ("." in before.text) == ("." in after.text)


def _cells(case: Case) -> Iterator[_Bound]:
    """The numbers of a table's row, each with its row's name and the head of its column."""
    for at, (cell, head, name) in enumerate(case.context.cells):
        for number in quantities(cell):
            words = [*cell.words, *head.words, *name.words]
            bound = _make(number, words, words, -1 - at)
            yield replace(bound, things=bound.things | {word.stem for word in head.words if word.is_number})
