"""The summary page of a source: what it is, then what each part of it says, in its own order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.models.extractive import standing, tables
from curator.models.extractive.parsing.sections import is_aside, is_quoted
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.passages import Passage
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.summary_passages import MOST_BYTES, at_least, bytes_of, choose, opening_of, untold
from curator.models.extractive.whole_lists import EXAMPLE
from curator.models.proposal import Claim
from curator.wiki.naming.labels import label_fault
from curator.wiki.pages.foreign import form_in

_DEPTH = {"shallow": 0.55, "medium": 1.0, "deep": 1.0}
"""How much of the source is told, where there is room."""
_PARTS = 2
"""Parts that a source is told by at least."""
_LEVELS = 4
"""Headings below each other that a page has."""
_KEY = "Key points"
_MOST_ROWS = 60
"""Rows of tables of properties that a page has room for."""


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
    told = [p for p in reading.passages if not any(p.whole.plain in end.plain for end in became)]
    if not told and not any(part.sentences or part.tables for part in _with_tables(reading, [])):
        told = at_least(reading)
    opening, rest = opening_of(reading, told)
    rest = [*untold(reading, rest, elsewhere, leads)][::-1]
    lead = SummarySection("", (*(each for p in opening for each in p.paragraphs), *became), "")
    room = MOST_BYTES - sum(map(bytes_of, body(reading, _with_tables(reading, [lead]))))
    chosen = choose(reading, opening, rest, room, _DEPTH.get(depth, 1.0))
    deep = _depth(reading, chosen)
    return _with_tables(reading, [lead, *_by_heading(chosen, deep)], deep)


# -- where it is told ----------------------------------------------------------------------------------------------


def _depth(reading: SourceReading, chosen: Iterable[Passage]) -> int:
    """From which heading on, counted from 1, what is told stands under the source's own; 0 where it has but one for all,
    that says neither what the items of a list are nor that they were rejected.
    """
    told = [p for p in chosen if p.first.path]
    parts = {each.path[:1] for each in reading.sentences}
    says = any(
        p.run[-1].is_headless or any(is_aside(title) or is_quoted(title) for title in p.first.path) for p in told
    )
    paths = [p.first.path for p in told]
    is_parted = len(parts) >= _PARTS or says
    return next((deep for deep in (1, 2) if len({path[:deep] for path in paths}) >= _PARTS), int(is_parted))


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
        at = _part_for(reading, parts, path, deep)
        parts[at] = replace(parts[at], sentences=(*parts[at].sentences, *rows))
    shown: dict[tuple[str, ...], int] = {}
    for start, path, table in tables.find_tables(reading):
        at = _part_for(reading, parts, path, deep)
        parts[at] = replace(parts[at], tables=(*parts[at].tables, table))
        shown.setdefault(parts[at].path, start)
    places = shown | {
        path[-len(part.path) :]: start for part in parts for start, path in reversed(reading.text.places) if part.path
    }
    names = {path[-1]: start for start, path in reversed(reading.text.places)}

    def place(part: SummarySection) -> int:
        return places.get(part.path, names.get(part.heading, -1)) if part.heading not in ("", _KEY) else -2

    return sorted(parts, key=place)


def _part_for(reading: SourceReading, parts: list[SummarySection], path: tuple[str, ...], deep: int) -> int:
    """The number of the part that a table below the headings ``path`` belongs to; a new one, if there is none: under the
    heading above its own it would speak of all that stands there.
    """
    path, example = (path[:-1], path[-1:]) if path and EXAMPLE.match(f"{path[-1]}:") else (path, ())
    below = (_below(path, deep) if deep else path[-1:]) + example
    named = _KEY if reading.is_brief and not below else None
    at = next(
        (at for at, part in enumerate(parts) if (below and part.path == below) or part.heading == named), len(parts)
    )
    if at == len(parts):
        parts.append(SummarySection(below[-1] if below else "Data", (), path=below))
    return at


def body(reading: SourceReading, parts: list[SummarySection]) -> list[Claim]:
    """``parts`` as the blocks of a page."""
    found: list[Claim] = []
    above: tuple[str, ...] = ()
    for part in parts:
        claims = _in_place(reading, [*_told(reading, part), *part.tables]) if part.tables else [*_told(reading, part)]
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


def _in_place(reading: SourceReading, claims: Sequence[Claim]) -> list[Claim]:
    """``claims`` of a note in the order of the source: a table stands below what leads to it. Else its tables come last."""
    if not reading.is_brief:
        return list(claims)
    at, placed = 0, list[tuple[int, Claim]]()
    for claim in claims:
        spans = reading.evidence.spans(claim.quotes[0], claim.text) if claim.quotes else None
        at = spans[0][0] if isinstance(spans, list) else at  # code stands with what is above it
        placed.append((at, claim))
    return [claim for _, claim in sorted(placed, key=lambda each: each[0])]


def _told(reading: SourceReading, part: SummarySection) -> Iterator[Claim]:
    """The statements of ``part``; what a note says beside a list is no item of it: ``Decision: we stay`` below its cons."""
    has_items = reading.is_brief and any(each.item for each in part.sentences)
    for sentence in part.sentences:
        is_item = sentence.item or bool(sentence.listed) or not has_items
        yield from reading.claims([sentence], part.bullet if is_item else "")


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
        if name.casefold() not in tables.STANDING or not re.fullmatch(r"[\w.,:;+ ()/?-]{2,80}", value):
            continue
        if isinstance(reading.evidence.find(line), list):
            found.append(Claim(text=f"- {name[:1].upper()}{name[1:]}: {value}", quotes=(line,)))
    return found + reading.claims(tables.of_itself(reading))
