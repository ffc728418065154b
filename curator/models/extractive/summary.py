"""The summary page of a source: what it is, then what each part of it says, in its own order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from curator.models.extractive import standing, tables
from curator.models.extractive.parsing.sections import is_in_short, is_leading, is_name
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.passages import Passage
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import quality, ranking
from curator.models.extractive.whole_lists import EXAMPLE
from curator.models.proposal import MOST_CLAIMS, Claim
from curator.wiki.naming.labels import label_fault
from curator.wiki.pages.editing import words_of
from curator.wiki.pages.foreign import form_in

_TELLS = re.compile(
    r"^\w+ \w+ (?:\w+ )?(?:describes?|specif(?:y|ies)|proposes?|defines?|introduces?|standardi[sz]es?|recommends?|renames?"
    r"|adds?|extends?|presents?|outlines?|documents?|sets?|reports?|summari[sz]es?|explains?|covers?|shows?|argues?|examines?"
    r"|provides?|lists?|deprecates?|replaces?)\b"
)
_NAMED = re.compile(r"\S.{0,120}? [-–—] \S")
"""``wait, waitid - wait for process to change state``: what a manual page is about, below its name."""
_SORT = re.compile(r"\W?\b(?:design|notes?|guide|manual|format|specification|overview)\b|\(\w+\)", re.IGNORECASE)
_DEPTH = {"shallow": 0.55, "medium": 1.0, "deep": 1.0}
"""How much of the source is told, where there is room."""
_LONGEST_NAME = 4
_LINE = 16
"""Characters of a line that says anything."""
_MOST_OPENING, _LONGEST_OPENING = 3, 1_000
"""Passages of the opening, and their characters."""
_PARTS = 2
"""Parts that a source is told by at least."""
_LEVELS = 4
"""Headings below each other that a page has."""
_KEY = "Key points"
_LATER, _ANSWER = 0.85, 0.8
"""What a passage weighs behind one of its own section, compared to it, and what an answer to a question does."""
_MOST_ROWS = 60
"""Rows of tables of properties that a page has room for."""
_MOST_PARTS = 5
"""Passages of a paragraph that are told together or not at all."""
_MOST_BYTES, _MOST_TOLD = 57_000, MOST_CLAIMS - 50
"""Of statements and their quotes, and statements: a page has a limit, and gets more when the source changes."""
_NOTE_BYTES = 60
"""Of the path, the place and the marks that go with a quote."""


@dataclass(frozen=True)
class SummarySection:
    """A part of the page; the first one has no heading."""

    heading: str
    sentences: tuple[Sentence, ...]
    bullet: str = "- "
    tables: tuple[Claim, ...] = ()
    path: tuple[str, ...] = ()
    """The headings of the source from its parts on down to this one."""


def sections(
    reading: SourceReading, depth: str, elsewhere: Collection[str] = (), leads: Collection[int] = ()
) -> list[SummarySection]:
    """The parts of the summary page of ``reading``: its opening, then what each part of the source says, in its order.

    They are as many as a page has room for. ``elsewhere``: the words of what pages of things tell; of that
    only the sentences are told again that they begin with, those of the numbers ``leads``.
    """
    became = standing.what_became(reading)
    told = [p for p in reading.passages if not any(p.whole.plain in end.plain for end in became)] or _at_least(reading)
    opening, rest = _opening(reading, told)
    rest = [*_untold(reading, rest, elsewhere, leads)][::-1]
    lead = SummarySection("", (*(each for p in opening for each in p.paragraphs), *became), "")
    room = _MOST_BYTES - sum(map(_bytes, body(reading, _with_tables(reading, [lead]))))
    chosen = _chosen(reading, opening, rest, room, _DEPTH.get(depth, 1.0))
    deep = _depth(chosen)
    return _with_tables(reading, [lead, *_by_heading(chosen, deep)], deep)


def _untold(
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


def _bytes(claim: Claim) -> int:
    return len(claim.text.encode()) + sum(len(quote.encode()) + _NOTE_BYTES for quote in claim.quotes)


def _at_least(reading: SourceReading) -> list[Passage]:
    """Of a source of which nothing can be told as it should be, the best there is."""
    best = [s for s in reading.sentences if reading.own_fitness[s.index]]
    return [
        Passage((s,), 0.0, leans=False) for s in best or [s for s in reading.sentences if len(s.plain) >= _LINE][:8]
    ]


# -- what is told ------------------------------------------------------------------------------------------------


def _opening(reading: SourceReading, told: list[Passage]) -> tuple[list[Passage], list[Passage]]:
    """The passages that the page opens with, what the document is first, and all others."""
    named = next((s for s in reading.sentences if s.path and is_name(s.path[-1]) and _NAMED.match(s.plain)), None)
    told = [p for p in told if named is None or named not in p.run]
    if not told:
        return [Passage((named,), 1.0, leans=False)] if named else [], []
    first = named or _first(reading, told)
    cut = [part for passage in told for part in _cut(passage, first)]
    head = Passage((named,), 1.0, leans=False) if named else next((p for p in cut if p.first is first), cut[0])
    start = next((p for p in cut if is_leading(p.first.path)), cut[0] if named and cut else head)
    opening, size = [head], len(head.whole.plain)
    for passage in [p for p in cut if p is not head and p.first.path == start.first.path][: _MOST_OPENING - 1]:
        size += len(passage.whole.plain)
        if size > _LONGEST_OPENING or passage.first.item or passage.whole.listed or passage.whole.code:
            break
        opening.append(passage)
    return opening, [p for p in cut if p not in opening]


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
    fit = [s for p in told for s in p.run if not s.item and (s is p.first or reading.own_fitness[s.index] >= _ALONE)]
    leading = [s for s in fit if is_leading(s.path)] or [
        s for s in fit if s.index < max(12, len(reading.sentences) // 8)
    ]
    if leading and is_in_short(leading[0].path):
        fit = leading = [s for s in leading if s.path == leading[0].path]
    itself = [s for s in leading if _says_what_it_is(s) and len(s.plain) > 30 and not _BOTH.search(s.plain)]
    return next(iter((*itself, *_defining(reading, fit), *leading)), None)


_ALONE, _ALIKE = 0.5, 0.9
_IS_THIS = re.compile(r"This is (?:an?|the|our) ")
_BOTH = re.compile(r"\b(?:both|these|those|such)\b")


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


def _chosen(
    reading: SourceReading, opening: Sequence[Passage], rest: Sequence[Passage], room: int, share: float
) -> list[Passage]:
    """As many of ``rest`` as there is room for, the best of each section first, none without what it leans on."""
    size = [sum(map(_bytes, reading.claims(p.paragraphs))) for p in rest]
    counts = [len(p.paragraphs) for p in rest]
    so_far = 0
    wanted = min(room, round(share * sum(size))) if share < 1 else room
    scores: dict[int, float] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for at, passage in sorted(enumerate(rest), key=lambda each: (-each[1].worth, each[0])):
        asks = any(title.endswith(("?", "？")) for title in passage.first.path)
        scores[at] = passage.worth * _LATER ** seen[passage.first.path] * (_ANSWER if asks else 1)
        seen[passage.first.path] += 1
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
        path, words = rest[at].first.path, _content(rest[at])
        fits = needed <= (wanted if path in begun else room) and number <= _MOST_TOLD
        is_said = any(
            not (is_later and _are_siblings(path, other)) and ranking.alike(words, said) > _ALIKE
            for other, said in (told if len(new) == 1 else ())
        )
        if not fits or not size[at] or is_said:
            continue
        wanted, room = wanted - needed, room - needed
        begun.add(path)
        so_far = number
        chosen |= new
        told += [(rest[each].first.path, _content(rest[each])) for each in new]
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


# -- where it is told ----------------------------------------------------------------------------------------------


def _depth(chosen: Iterable[Passage]) -> int:
    """From which heading on, counted from 1, what is told stands under the source's own; 0 where it stands under none."""
    paths = [p.first.path for p in chosen if p.first.path]
    return next((deep for deep in (1, 2) if len({path[:deep] for path in paths}) >= _PARTS), 0)


def _below(path: tuple[str, ...], deep: int) -> tuple[str, ...]:
    """The headings of a page for what stands below ``path`` in its source."""
    first = max(min(deep, len(path)), 1) - 1
    return path[first : first + _LEVELS]


def _by_heading(chosen: Iterable[Passage], deep: int) -> Iterator[SummarySection]:
    """``chosen`` under the source's own headings; what has none is its key points."""
    parts: dict[tuple[str, ...], list[Sentence]] = {}
    for passage in chosen:
        parts.setdefault(_below(passage.first.path, deep) if deep else (), []).extend(passage.paragraphs)
    for path, told in sorted(parts.items(), key=lambda part: bool(part[0])):
        yield SummarySection(path[-1] if path else _KEY, tuple(told), path=path)


def _with_tables(reading: SourceReading, parts: list[SummarySection], deep: int = 0) -> list[SummarySection]:
    """``parts`` with the tables of properties, row by row, and other tables whole, where the source has them."""
    found = {
        path: rows
        for path, rows in tables.find_properties(reading).items()
        if not tables.is_of_itself(path, rows) and len(reading.claims(rows)) == len(rows)
    }
    told = sum(map(len, found.values()))
    for path, rows in found.items() if told <= _MOST_ROWS else ():
        at = _part_for(parts, path, deep)
        parts[at] = replace(parts[at], sentences=(*parts[at].sentences, *rows))
    shown: dict[tuple[str, ...], int] = {}
    for start, path, table in tables.find_tables(reading):
        at = _part_for(parts, path, deep)
        parts[at] = replace(parts[at], tables=(*parts[at].tables, table))
        shown.setdefault(parts[at].path, start)
    places = shown | {
        path[-len(part.path) :]: start for part in parts for start, path in reversed(reading.text.places) if part.path
    }
    names = {path[-1]: start for start, path in reversed(reading.text.places)}

    def place(part: SummarySection) -> int:
        return places.get(part.path, names.get(part.heading, -1)) if part.heading not in ("", _KEY) else -2

    return sorted(parts, key=place)


def _part_for(parts: list[SummarySection], path: tuple[str, ...], deep: int) -> int:
    """The number of the part that a table below the headings ``path`` belongs to; a new one, if there is none: under the
    heading above its own it would speak of all that stands there.
    """
    path, example = (path[:-1], path[-1:]) if path and EXAMPLE.match(f"{path[-1]}:") else (path, ())
    below = (_below(path, deep) if deep else path[-1:]) + example
    at = next((at for at, part in enumerate(parts) if below and part.path == below), len(parts))
    if at == len(parts):
        parts.append(SummarySection(below[-1] if below else "Data", (), path=below))
    return at


def body(reading: SourceReading, parts: list[SummarySection]) -> list[Claim]:
    """``parts`` as the blocks of a page."""
    found: list[Claim] = []
    above: tuple[str, ...] = ()
    for part in parts:
        claims = [*reading.claims(part.sentences, part.bullet), *part.tables]
        if claims and part.heading:
            path = part.path or (part.heading,)
            shared = next(
                (n for n, pair in enumerate(zip(path, above, strict=False)) if pair[0] != pair[1]), len(above)
            )
            for level, title in list(enumerate(path))[min(shared, len(path) - 1) :]:
                found.append(Claim(text=f"{'#' * (level + 2)} {_named_by(title, reading)}"))
            above = path
        found += claims
        if not part.heading:
            found += head_fields(reading)
    return found


def _named_by(heading: str, reading: SourceReading) -> str:
    """``heading`` as a label, without what other readers run: of one that states something, what it states it of."""
    if form_in(heading):
        heading = re.sub(r"[^\w\s].*", "", heading).strip() or "More"
    ways = (heading, *(heading[: states.start()] for states in _STATES.finditer(heading)))
    return next(
        (way for way in ways if not label_fault(way, reading.terms, (reading.title,), lambda _: False)), heading
    )


_STATES = re.compile(r"(?<=\w{3})(?:[:;,] | (?:has|have|is|are|was|were|can|may|must|should|will|supports?|uses?)\b)")


def head_fields(reading: SourceReading) -> list[Claim]:
    """What the head of the source says of its standing, an item a field: ``- Status: Rejected``."""
    found = []
    for index in sorted(reading.text.header.lines):
        line = reading.source.document.lines[index][1].strip()
        name, _, value = line.lstrip(":#+").partition(":")
        value = value.strip().strip("\"'")
        if name.casefold() not in tables.STANDING or not re.fullmatch(r"[\w.,:;+ ()/-]{2,80}", value):
            continue
        if isinstance(reading.evidence.find(line), list):
            found.append(Claim(text=f"- {name[:1].upper()}{name[1:]}: {value}", quotes=(line,)))
    return found + reading.claims(tables.of_itself(reading))
