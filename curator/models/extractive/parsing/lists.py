"""The lists of a source, each as one thing: what leads in to it, and its items. Half a list is a wrong rule.

A list has a lead-in where the sentence straight before it announces it (``in one of five states:``) or ends in the line
above it, or an item does whose own items stand further in. The items of a list with a lead-in hold together, and so do
numbered steps, items that name a term each, those that are mere names of what is nested in them, and items that are pieces
of one sentence (``...; and``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from curator.models.extractive.parsing.line import OPTION, indent
from curator.models.extractive.parsing.sentences import Sentence

_ANNOUNCES = re.compile(
    r"(?:[:：]|\.\.\.|…)[*_`]*\Z|[^.!?。！？][,;][*_`]*\Z|\b(?:if|when|unless|either|both|to|that)\Z"
    r"|\bfollowing\b[^.!?:]{0,60}\Z"
)
ENDED = re.compile(r"[.!?。！？][\"'”’»)\]」』”’）]*\Z")
_COUNTS = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|several|following|these)\b", re.IGNORECASE)
_ORDERED = re.compile(r"[\s>]*\(?(?:\d{1,3}|[a-z]|[ivx]{1,4}|#)[.)]\s")
_COUNT = re.compile(r"[\s>]*\(?(\d{1,3})[.)]")
_GOES_ON = re.compile(r"(?:[;,]|(?:[;,]|\b) ?(?:and/or|and|or|und|oder|et|ou|y|o))\Z")
_BELOW = re.compile(r"\b(?:listed|described|explained|given|shown|found) below[.]\Z")
"""What stands further down, behind the list that begins in the next line."""
_LEAST = 2
_FIELD = re.compile(r"[^:]{1,40}: ")
"""An item that tells one property, ``Type: string``, which is told by itself."""
_FEW, _BRIEF = 8, 24
"""Words of an item that names a thing, and of any beside it."""
_LONGEST_NAME = 60
_TAB = 4
"""Columns that a tab is wide."""


@dataclass(frozen=True)
class ListItem:
    """``depth`` counts from 0, in lists within the list; ``number`` from 1, in its own."""

    depth: int
    ordered: bool
    sentences: tuple[Sentence, ...]
    number: int


@dataclass(frozen=True)
class SourceList:
    """A list that is told whole or not at all. Without a lead-in its heading says what it is of."""

    lead: Sentence | None
    items: tuple[ListItem, ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return (*((self.lead,) if self.lead else ()), *(s for item in self.items for s in item.sentences))

    @property
    def names_terms(self) -> bool:
        """Each of its items begins with what it tells of."""
        return all(names_a_term(item.sentences[0]) for item in self.items if not item.depth)

    @property
    def names_parts(self) -> bool:
        """An item of it is a mere name, with its own items further in: each is told with those, or not at all."""
        return any(
            other.depth > item.depth == 0
            and not (ENDED.search(name := item.sentences[-1].plain) or _ANNOUNCES.search(name))
            for item, other in pairwise(self.items)
        )

    @property
    def is_of_things(self) -> bool:
        """A section begins with it, whose heading says what the things are that some of its items only name."""
        items = [item.sentences for item in self.items]
        fields = sum(bool(_FIELD.match(item[0].plain)) for item in items if item[0].marker)
        return (
            self.lead is None
            and bool(items[0][0].path or not items[0][0].index)
            and fields * 2 < len(items)
            and all(sum(len(each.words) for each in item) <= _BRIEF for item in items)
            and any(len(item[0].words) <= _FEW and not ENDED.search(item[-1].plain) for item in items)
        )


def read_lists(sentences: Sequence[Sentence]) -> Iterator[SourceList]:
    """The lists of ``sentences`` whose items hold together."""
    at = 0
    while at < len(sentences):
        if not _begins_item(sentences[at]):
            at += 1
            continue
        end = _end(sentences, at)
        before = sentences[at - 1] if at else None
        first = sentences[at]
        lead = before if before is not None and first.adjoins and before.path == first.path else None
        yield from _read(lead, list(_items(sentences[at:end])))
        at = end


def names_a_term(sentence: Sentence) -> bool:
    """True for an item that begins with what it tells of, set apart: ``core-metadata``: An optional key that ..."""
    if sentence.label:
        return True
    if not (sentence.item and sentence.opens_block):
        return False
    for _, name in sentence.rich.marks:
        behind = sentence.plain.removeprefix(name)
        if behind != sentence.plain and len(name) <= _LONGEST_NAME:
            return name[-1:] == ":" or behind.startswith((": ", " - ", " – ", " — ")) or bool(OPTION.match(name))
    return False


def _begins_item(sentence: Sentence) -> bool:
    return bool(sentence.marker or sentence.label)


def _end(sentences: Sequence[Sentence], at: int) -> int:
    """The number of the sentence behind the list that begins at ``at``."""
    first, end = sentences[at], at + 1
    while end < len(sentences):
        sentence = sentences[end]
        belongs = bool(sentence.term) if first.label else sentence.item and not sentence.label
        if (
            sentence.path != first.path
            or not belongs
            or (_begins_item(sentence) and _column(sentence) < _column(first))
            or _is_of_another(first, sentence)
        ):
            break
        end += 1
    return end


def _is_of_another(first: Sentence, sentence: Sentence) -> bool:
    """True for the first of numbered steps below bullets, and the other way round: another list begins."""
    one, other = (indent(each.marker.expandtabs(_TAB)) for each in (first, sentence))
    if not (first.marker and sentence.marker) or one != other:
        return False
    return bool(_ORDERED.match(first.marker)) != bool(_ORDERED.match(sentence.marker))


def _column(sentence: Sentence) -> int:
    """Where its words begin: ``9.`` and ``10.`` are of one list, however they are aligned; ``**`` is below ``*``."""
    mark = sentence.marker.strip()
    return len(sentence.marker.expandtabs(_TAB)) + (len(mark) if len(mark) > 1 and not mark.strip("*.") else 0)


def _items(sentences: Sequence[Sentence]) -> Iterator[ListItem]:
    columns: list[int] = []
    numbers: list[int] = []
    open_: list[Sentence] = []
    depth, ordered = 0, False
    for sentence in (*sentences, None):
        if sentence is not None and not _begins_item(sentence):
            open_.append(sentence)
            continue
        if open_:
            yield ListItem(depth, ordered, tuple(open_), numbers[-1])
        if sentence is not None:
            column = _column(sentence)
            columns = [*(each for each in columns if each < column - 1), column]
            depth, ordered, open_ = len(columns) - 1, _ORDERED.match(sentence.marker) is not None, [sentence]
            begins = int(count[1]) - 1 if (count := _COUNT.match(sentence.marker)) else 0
            numbers = [*numbers[:depth], (numbers[depth] if depth < len(numbers) else begins) + 1]


def _read(lead: Sentence | None, items: list[ListItem], *, is_inner: bool = False) -> Iterator[SourceList]:
    """The list of ``items``, if it holds together, as one within an item does with that; else those within it."""
    goes_on = lead is not None and not ENDED.search(lead.plain) and items[0].sentences[0].plain[:1].islower()
    is_under = items[0].sentences[0].is_tight and lead is not None and not lead.item and bool(ENDED.search(lead.plain))
    is_under = is_under and lead is not None and not _BELOW.search(lead.plain)
    is_led = lead is not None and (is_inner or goes_on or is_under or _ANNOUNCES.search(lead.plain) is not None)
    outer = [item for item in items if not item.depth]
    whole = SourceList(lead, tuple(items))
    # Each term of a glossary stands for itself.
    of_things = whole.is_of_things
    is_glossary = not of_things and all(item.sentences[0].label and not item.sentences[0].marker for item in outer)
    is_counted = lead is not None and _COUNTS.search(lead.plain) is not None
    if is_led or (not is_glossary and is_counted and len(outer) >= _LEAST and whole.names_terms):
        yield whole
        return
    steps = all(item.ordered for item in outer)
    pieces = any(_GOES_ON.search(item.sentences[-1].plain) for item in outer[:-1])
    holds = len(outer) >= _LEAST and (steps or pieces or whole.names_terms or whole.names_parts)
    if not is_glossary and (holds or of_things):
        yield SourceList(None, tuple(items))
        return
    yield from inner_lists(whole)


def inner_lists(whole: SourceList) -> Iterator[SourceList]:
    """The lists within the items of ``whole``."""
    items, at = whole.items, 0
    while at < len(items):
        end = at + 1
        while end < len(items) and items[end].depth > items[at].depth:
            end += 1
        inner = [replace(item, depth=item.depth - items[at].depth - 1) for item in items[at + 1 : end]]
        if inner and items[at].sentences[0].opens_block:
            yield from _read(items[at].sentences[-1], inner, is_inner=True)
        at = end
