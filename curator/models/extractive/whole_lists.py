"""The lists of a source as they are told: with their lead-in and all their items, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from curator.models.extractive.noted import says_something
from curator.models.extractive.parsing.lists import ENDED, ListItem, SourceList, inner_lists, read_lists
from curator.models.extractive.parsing.sentences import GOES_ON, Sentence, joined
from curator.models.extractive.terms import quality
from curator.models.proposal import MAX_QUOTES

if TYPE_CHECKING:
    from curator.models.extractive.reading import SourceReading

_MOST_ITEMS = MAX_QUOTES - 2
_LONG, _LONGEST = 900, 3_600
"""Characters of a list without a lead-in, and of one with it: of longer steps the first sentences are told, or parts."""
_SHORT = 4
"""Words of a lead-in that its items go on with."""
_CONDITION = re.compile(
    r"\b(?:if|when|unless|either|only|conditions?|criteria|cases?|any of|one of|all of|none of)\b", re.IGNORECASE
)
_POINTS = re.compile(r" ?\b(?:as follows|like (?:this|so|these)|these|following|below)\b", re.IGNORECASE)
EXAMPLE = re.compile(
    r"(?:(?:As an?|For) (?:example|instance)|E\.g\.|Examples?|Zum Beispiel|Beispiele?|Par exemple|Exemples?|Por ejemplo"
    r"|Ejemplos?|例如|比如|例|たとえば|例えば),?[*_` ]{0,4}[:：][*_` ]{0,4}\Z",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[^\W\d_][\w'’-]*(?: [\w'’-]+){0,2}:")
_RULED = re.compile(r"It is (?:recommended|required|suggested|important|necessary) that ")


@dataclass(frozen=True)
class ToldLists:
    """``whole``: each list as one sentence, by the number of its first; ``parts``: those of all others in it."""

    whole: dict[int, Sentence]
    parts: dict[int, int]
    """By the number of a sentence that of the list's first one."""
    untold: frozenset[int]
    """Sentences of lists that cannot be told and mean nothing, or something else, in part."""
    parted: dict[int, bool]
    """Of steps that are told in parts, by the number of each one's first: whether it goes on the part before it."""


def find_lists(reading: SourceReading) -> ToldLists:
    whole: dict[int, Sentence] = {}
    parts: dict[int, int] = {}
    untold: set[int] = set()
    parted: dict[int, bool] = {}
    open_ = list(read_lists(reading.sentences))
    while open_:
        each = open_.pop()
        indexes = [sentence.index for sentence in each.sentences]
        has_code = any(sentence.code for item in each.items for sentence in item.sentences)  # that is one item's alone
        if len(parts_of := list(_parts(each))) > 1:
            open_ += parts_of
        elif not has_code and (told := _told(reading, each)):
            whole[told.index] = told
            parts |= dict.fromkeys((told.index, *indexes), told.index)
        elif not has_code and (steps := _in_parts(reading, each, cut=False) or _in_parts(reading, each, cut=True)):
            for told, part in steps:
                parted[told.index] = told is not steps[0][0]
                whole[told.index] = told
                parts |= dict.fromkeys((told.index, *(sentence.index for sentence in part.sentences)), told.index)
        elif not has_code and _holds_together(each):
            lead = each.lead if each.lead is not None and ENDED.search(each.lead.plain) else None
            untold.update(index for index in indexes if lead is None or index != lead.index)  # it says something itself
        else:
            open_ += inner_lists(each)
    return ToldLists(whole, parts, frozenset(untold), parted)


def _parts(each: SourceList) -> Iterator[SourceList]:
    """A long list of terms in parts, the first with the lead-in: each is told, or refused, by itself."""
    lead, items, size = each.lead, list[ListItem](), 0
    for item in each.items if each.names_terms or (lead is None and each.names_parts) else ():
        own = _size((item,))
        is_full = size + own > (_LONG if lead is None else 2 * _LONG) or len(items) == _MOST_ITEMS
        if items and not item.depth and is_full:
            yield SourceList(lead, tuple(items))
            lead, items, size = None, [], 0
        items.append(item)
        size += own
    yield SourceList(lead, tuple(items))


def _in_parts(reading: SourceReading, each: SourceList, *, cut: bool) -> list[tuple[Sentence, SourceList]]:
    """Steps that are too many or too long to be told in one, in parts that are; all of them or none; ``cut``: of a part
    that is too long still, the first sentences.
    """
    if not all(item.ordered for item in each.items if not item.depth):
        return []
    runs = _cut(each.items, _MOST_ITEMS, _LONG if each.lead is None else 2 * _LONG)
    parts = [SourceList(None if at else each.lead, run) for at, run in enumerate(runs)]
    told = [(whole, part) for part in parts if (whole := _told(reading, part, cut=cut))]
    return told if len(told) == len(parts) else []


def _cut(items: Sequence[ListItem], most: int, size: int) -> Iterator[tuple[ListItem, ...]]:
    """``items`` in runs, the first of ``most`` items and ``size`` characters; an item with those in it, where they fit."""
    run: list[ListItem] = []
    for group in _groups(items):
        if run and (len(run) + len(group) > most or _size((*run, *group)) > size):
            yield tuple(run)
            run, most, size = [], _MOST_ITEMS, _LONG
        run += group
        if len(group) > 1 and (len(run) > most or _size(run) > size):
            inner = [replace(item, depth=item.depth - 1) for item in group[1:]]
            first, *others = _cut(inner, most - 1, size - _size(group[:1]))
            yield (group[0], *(replace(item, depth=item.depth + 1) for item in first))
            yield from others
            run, most, size = [], _MOST_ITEMS, _LONG
    if run:
        yield tuple(run)


def _groups(items: Sequence[ListItem]) -> Iterator[Sequence[ListItem]]:
    """Each outer one of ``items`` with those in it."""
    starts = [at for at, item in enumerate(items) if not item.depth]
    for start, end in zip_longest(starts, starts[1:]):
        yield items[start:end]


def _size(items: Sequence[ListItem]) -> int:
    return sum(len(sentence.quote) for item in items for sentence in item.sentences)


def _holds_together(each: SourceList) -> bool:
    """True for a list whose items are pieces, or hold only under its lead-in."""
    outer = [item for item in each.items if not item.depth]
    if each.names_terms or each.is_of_things or (each.lead is None and each.names_parts):
        return False
    pieces = any(not ENDED.search(item.sentences[-1].plain) for item in outer)
    steps = all(item.ordered for item in outer)
    if each.lead is not None and shows_an_example(each.lead):
        return True  # alone its items would be rules
    return pieces or (each.lead is not None and (steps or _CONDITION.search(each.lead.plain) is not None))


def _told(reading: SourceReading, each: SourceList, *, cut: bool = False) -> Sentence | None:
    """The list as one sentence, ``cut`` to the first ones of its items where it is too long; None where it is too long, its
    lead-in says nothing, or a part of it proves nothing.
    """
    lead = each.lead
    if len(each.items) > _MOST_ITEMS:
        return None
    size = sum(len(sentence.quote) for sentence in each.sentences)
    items = each.items
    steps = all(item.ordered for item in items if not item.depth)
    announce = any(item.sentences[0].plain.endswith(":") for item in items)
    if cut and size > (_LONG if lead is None else _LONGEST) and steps and not announce:
        items = tuple(replace(item, sentences=item.sentences[:1]) for item in items)
        size = sum(len(item.sentences[0].quote) for item in items)
    if size > (_LONGEST if lead is not None else _LONG):
        return None
    listed = tuple(_listed(items, within=lead is not None))
    told = replace(lead if lead is not None else each.items[0].sentences[0], listed=listed)
    says = (
        lead is None
        or shows_an_example(lead)
        or names_its_items(lead)
        or (reading.is_brief and (says_something(lead) or (lead.opens_block and lead.plain.endswith(":"))))
        or quality.fitness(announced(told), reading.english, alone=False, own=True)
    )
    return told if says and reading.claim(told) is not None else None


def shows_an_example(lead: Sentence) -> bool:
    """True for ``For example:``, which says nothing itself, and makes no rule of what it leads to."""
    return EXAMPLE.match(lead.plain) is not None


def names_its_items(lead: Sentence) -> bool:
    """True for ``Forbidden:``, a word or two without which the items below would say something else."""
    return _NAMES.fullmatch(lead.plain) is not None


def announced(lead: Sentence) -> Sentence:
    """``lead`` as it would be without its list, for asking how well it stands; ``The keeper``, with its first item."""
    plain = _RULED.sub("", _POINTS.sub("", lead.bare.plain.rstrip(" \n.,;:：…*_-")))
    if lead.listed and len(lead.words) <= _SHORT and (first := lead.listed[0][1].plain)[:1].islower():
        plain = f"{plain} {first.rstrip(' .,;')}"
    return replace(lead, rich=replace(lead.rich, plain=f"{plain[:1].upper()}{plain[1:]}.", marks=()))


def _listed(items: tuple[ListItem, ...], *, within: bool) -> Iterator[tuple[str, Sentence]]:
    """Each item with its bullet, and each further paragraph of it; ``within``: below a lead-in."""
    columns = [2 if within else 0]
    for item in items:
        columns[item.depth + 1 :] = []
        while len(columns) <= item.depth:
            columns.append(columns[-1])
        bullet = f"{item.number}. " if item.ordered else "- "
        prefix = " " * columns[item.depth] + bullet
        columns.append(len(prefix))
        paragraph: list[Sentence] = []
        for sentence in (*item.sentences, None):
            if paragraph and (sentence is None or sentence.opens_block):
                yield prefix, joined(paragraph)
                prefix, paragraph = GOES_ON, []
            paragraph += [sentence] if sentence is not None else []
