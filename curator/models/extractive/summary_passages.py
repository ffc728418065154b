"""Which passages of a source the page about it tells: those it opens with, and as many others as it has room for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from curator.models.extractive.parsing.line import CLAUSE
from curator.models.extractive.parsing.lists import ENDED
from curator.models.extractive.parsing.sections import is_in_short, is_leading, is_name, is_quoted
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.passages import Passage
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import quality, ranking
from curator.models.extractive.whole_lists import names_its_items
from curator.models.proposal import MOST_CLAIMS, Claim
from curator.wiki.pages import dates
from curator.wiki.pages.editing import words_of
from curator.wiki.sources import chat

_TELLS = re.compile(
    r"^\w+ \w+ (?:\w+ )?(?:describes?|specif(?:y|ies)|proposes?|defines?|introduces?|standardi[sz]es?|recommends?|renames?"
    r"|adds?|extends?|presents?|outlines?|documents?|sets?|reports?|summari[sz]es?|explains?|covers?|shows?|argues?|examines?"
    r"|provides?|lists?|deprecates?|replaces?)\b"
)
_NAMED = re.compile(r"\S.{0,120}? [-–—] \S")
"""``wait, waitid - wait for process to change state``: what a manual page is about, below its name."""
_SORT = re.compile(r"\W?\b(?:design|notes?|guide|manual|format|specification|overview)\b|\(\w+\)", re.IGNORECASE)
_LONGEST_NAME = 4
_LINE = 16
"""Characters of a line that says anything."""
_MOST_OPENING, _LONGEST_OPENING = 3, 1_000
"""Passages of the opening, and their characters."""
_ANY_YEAR = 2000
"""What makes a date of a day without its year."""
_LATER, _ANSWER = 0.85, 0.8
"""What a passage weighs behind one of its own section, compared to it, and what an answer to a question does."""
_MOST_PARTS = 5
"""Passages of a paragraph that are told together or not at all."""
MOST_BYTES, _MOST_TOLD = 57_000, MOST_CLAIMS - 50
"""Of statements and their quotes, and statements: a page has a limit, and gets more when the source changes."""
_NOTE_BYTES = 60
"""Of the path, the place and the marks that go with a quote."""


def at_least(reading: SourceReading) -> list[Passage]:
    """Of a source of which nothing can be told as it should be, the best there is."""
    best = [s for s in reading.sentences if reading.own_fitness[s.index]]
    return [
        Passage((s,), 0.0, leans=False) for s in best or [s for s in reading.sentences if len(s.plain) >= _LINE][:8]
    ]


def opening_of(reading: SourceReading, told: list[Passage]) -> tuple[list[Passage], list[Passage]]:
    """The passages that the page opens with, what the document is first, and others; no item, no answer, no diary's day."""
    named = next((s for s in reading.sentences if s.path and is_name(s.path[-1]) and _NAMED.match(s.plain)), None)
    told = [p for p in told if named is None or named not in p.run]
    if not told:
        return [Passage((named,), 1.0, leans=False)] if named else [], []
    first = named or _first(reading, told)
    cut = [part for passage in told for part in _cut(passage, first)]
    head = Passage((named,), 1.0, leans=False) if named else next((p for p in cut if p.first is first), cut[0])
    if named is None and (head.first.item or _is_answer(head) or _is_of_its_section(reading, head, cut)):
        return [], cut
    start = next((p for p in cut if is_leading(p.first.path)), cut[0] if named and cut else head)
    opening, size = [head], len(head.whole.plain)
    behind = cut[cut.index(head) + 1 :] if start is head else [p for p in cut if p is not head]
    for passage in [p for p in behind if p.first.path == start.first.path][: _MOST_OPENING - 1]:
        size += len(passage.whole.plain)
        if size > _LONGEST_OPENING or passage.first.item or passage.whole.listed or passage.whole.code:
            break
        opening.append(passage)
    return opening, [p for p in cut if p not in opening]


def _is_answer(passage: Passage) -> bool:
    """True for what answers the question that it stands under."""
    return any(title.endswith(("?", "？")) for title in passage.first.path)


def _is_of_its_section(reading: SourceReading, passage: Passage, cut: Sequence[Passage]) -> bool:
    """True for what says nothing without the heading above it: the entry of a diary, a clause, no sentence, a list, what
    stands below one. ``cut``: all that is told, in order.
    """
    first = passage.first
    is_below = any(p.first.item and p.first.path == first.path for p in cut[: cut.index(passage)])
    leans = first.index not in passage.standing or quality.leans_by_words(first)
    is_part = reading.is_brief and leans and not is_leading(first.path)
    is_list = bool(first.listed) and names_its_items(first)
    is_clause = any(map(CLAUSE.match, first.path))
    is_of_other = any(map(is_quoted, first.path))
    return bool(first.path) and (is_below or is_part or is_list or is_clause or is_of_other or _is_of_a_day(first.path))


def _is_of_a_day(path: tuple[str, ...]) -> bool:
    return any(
        dates.leading(title) or dates.leading(f"{title} {_ANY_YEAR}") or chat.DAY.fullmatch(title)
        for title in path[-1:]
    )


def _cut(passage: Passage, first: Sentence | None) -> Iterator[Passage]:
    """``passage``, parted where the page's ``first`` sentence stands in the middle of it."""
    at = passage.run.index(first) if first is not None and first in passage.run else 0
    if at:
        yield replace(passage, run=passage.run[:at])
        yield replace(passage, run=passage.run[at:], leans=False)
    else:
        yield passage


def _first(reading: SourceReading, told: list[Passage]) -> Sentence | None:
    """The sentence that says what the document is, or what its title names; else its first one."""
    fit = [
        s
        for p in told
        for s in p.run
        if not (s.item or _is_answer(p)) and (s is p.first or reading.own_fitness[s.index] >= _ALONE)
    ]
    leading = [s for s in fit if is_leading(s.path)] or [
        s for s in fit if s.index < max(12, len(reading.sentences) // 8)
    ]
    if leading and is_in_short(leading[0].path):
        fit = leading = [s for s in leading if s.path == leading[0].path]
    begins = next((s.path for s in reading.sentences if s.path), ())
    near = [s for s in leading if not s.path or s.path == begins or is_leading(s.path)]
    itself = [s for s in leading if _says_what_it_is(s) and len(s.plain) > 30 and not _BOTH.search(s.plain)]
    stands = frozenset[int]().union(*(p.standing for p in told))
    lines = [*takewhile(lambda s: _is_line(reading, s, s.index not in stands), near)]
    are_fields = all(": " in line.plain for line in lines)
    whole = [s for s in near[len(lines) :][:1] if not _is_of_a_day(s.path)]
    whole = [s for s in whole if are_fields or s.path == near[0].path]
    return next(iter((*itself, *_defining(reading, fit), *whole, *near)), None)


_ALONE, _ALIKE = 0.5, 0.9
_FIELD = re.compile(r"[A-ZÀ-Ý][\w ./()-]{1,30}: \S")
_BYLINE = 90
_IS_THIS = re.compile(r"This is (?:an?|the|our) ")
_BOTH = re.compile(r"\b(?:both|these|those|such)\b")


def _is_line(reading: SourceReading, sentence: Sentence, is_open: bool) -> bool:
    """True for a paragraph that is no sentence: who wrote it, or when; ``Current: 3.2 A max.`` is none either."""
    plain, behind = sentence.plain, reading.sentences[sentence.index + 1 : sentence.index + 2]
    if not (sentence.opens_block and all(each.opens_block for each in behind)):
        return False
    return len(plain) <= _BYLINE and (_FIELD.match(plain) is not None or (is_open and not ENDED.search(plain)))


def _defining(reading: SourceReading, fit: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences that say what the document's title names: ``A reftable file is a portable binary file ...``."""
    name = _SORT.sub("", reading.own_title)
    if not name.strip() or len(name.split()) > _LONGEST_NAME:
        return
    defines = re.compile(
        rf"(?:(?:The|An?) )?[\"“'‘]?{re.escape(name.strip())}[\"”'’]?(?: \([^)]*\)| \w+)? (?:(?:is|are) (?:an?|the|one of)"
        r"|lays? down|sets? out|specif(?:y|ies)|describes?|defines?)\b",
        re.IGNORECASE,
    )
    yield from (s for s in fit if defines.match(s.plain))


def _says_what_it_is(sentence: Sentence) -> bool:
    of_itself = quality.speaks_of_itself(sentence) and _TELLS.search(sentence.plain)
    return bool(of_itself) or quality.tells_what_was_done(sentence) or _IS_THIS.match(sentence.plain) is not None


def choose(
    reading: SourceReading, opening: Sequence[Passage], rest: Sequence[Passage], room: int, share: float
) -> list[Passage]:
    """As many of ``rest`` as there is room for, the best of each section first, none without what it leans on."""
    size = [sum(map(bytes_of, reading.claims(p.paragraphs))) for p in rest]
    counts = [len(p.paragraphs) for p in rest]
    so_far = 0
    wanted = min(room, round(share * sum(size))) if share < 1 else room
    scores: dict[int, float] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for at, passage in sorted(enumerate(rest), key=lambda each: (-each[1].worth, each[0])):
        scores[at] = passage.worth * _LATER ** seen[passage.first.path] * (_ANSWER if _is_answer(passage) else 1)
        seen[passage.first.path] += 1
    content = [_content(p) for p in rest]
    told = [(p.first.path, _content(p)) for p in opening]
    begun: set[tuple[str, ...]] = set()
    chosen: set[int] = set()
    order = sorted(scores, key=lambda at: (-scores[at], at))
    for at, is_later in [*((at, False) for at in order), *((at, True) for at in order)]:
        if at in chosen:
            continue
        first, last = _paragraph(rest, at)
        while first and rest[first].leans and first - 1 not in chosen:
            first -= 1
        new = set(range(first, last + 1)) - chosen
        needed = sum(size[each] for each in new)
        number = so_far + sum(counts[each] for each in new)
        path, words = rest[at].first.path, content[at]
        fits = needed <= (wanted if path in begun else room) and number <= _MOST_TOLD
        is_said = any(
            not ((reading.is_brief and other != path) or (is_later and _are_siblings(path, other)))
            and ranking.alike(words, said) > _ALIKE
            for other, said in (told if len(new) == 1 else ())
        )
        if not fits or not size[at] or is_said:
            continue
        wanted, room = wanted - needed, room - needed
        begun.add(path)
        so_far = number
        chosen |= new
        told += [(rest[each].first.path, content[each]) for each in new]
    return [rest[at] for at in sorted(chosen)]


def _paragraph(rest: Sequence[Passage], at: int) -> tuple[int, int]:
    """The numbers of the first and the last passage of the paragraph that ``at`` is part of: without what it begins with,
    or comes to, half of one says something else; but of a very long one.
    """
    first = last = at
    while first and rest[first - 1].goes_on_with(rest[first]):
        first -= 1
    while last + 1 < len(rest) and rest[last].goes_on_with(rest[last + 1]):
        last += 1
    return (first, last) if last - first < _MOST_PARTS else (at, at)


def _are_siblings(path: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True for sections beside each other below one heading: where there is room, both tell what they have in common."""
    return len(path) > 1 and path != other and path[:-1] == other[:-1]


def _content(passage: Passage) -> frozenset[str]:
    """The words of ``passage`` that carry meaning, those of its list among them: ``Format: string`` begins many."""
    whole = passage.whole
    return ranking.content(whole).union(*(ranking.content(item) for _, item in whole.listed))


def untold(
    reading: SourceReading, rest: Sequence[Passage], elsewhere: Collection[str], leads: Collection[int]
) -> Iterator[Passage]:
    """Those of ``rest`` that no page of a thing tells, the last first, up to their last part that none does: what follows
    leans on what is before it.
    """
    is_leant_on = False
    for passage in reversed(rest):
        parts = [tuple(part) for _, part in groupby(passage.run, lambda each: reading.parts.get(each.index))]
        last = max((at for at, part in enumerate(parts, 1) if not _is_told(reading, part, elsewhere)), default=0)
        lead = max((at for at, each in enumerate(passage.run, 1) if each.index in leads), default=0)
        run = passage.run if is_leant_on else passage.run[: max(lead, sum(map(len, parts[:last])))]
        is_leant_on = passage.leans and bool(run)
        if run:
            yield replace(passage, run=run)


def _is_told(reading: SourceReading, run: Sequence[Sentence], elsewhere: Collection[str]) -> bool:
    if any(each.keys and reading.repeated[each.keys] > 1 for each in run):
        return False  # it is said of another thing as well, and the page tells it of one
    whole = joined(run).bare
    said = [words_of(part.plain) for part in (whole, *(item for _, item in whole.listed))]
    return all(any(words in text for text in elsewhere) for words in said)


def bytes_of(claim: Claim) -> int:
    return len(claim.text.encode()) + sum(len(quote.encode()) + _NOTE_BYTES for quote in claim.quotes)
