"""The summary page of a source: what it is, its key points, what it requires, what it concludes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from curator.models.extractive import standing, tables, telling
from curator.models.extractive.parsing.sections import is_closing, is_leading, is_name
from curator.models.extractive.parsing.sentences import Sentence, joined
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import quality, ranking
from curator.models.proposal import Claim
from curator.wiki.pages.foreign import form_in

_MODAL = re.compile(r"\b(?:MUST|SHALL|SHOULD|MUST NOT|SHOULD NOT|REQUIRED)\b")
_TELLS = re.compile(
    r"^\w+ \w+ (?:\w+ )?(?:describes?|specif(?:y|ies)|proposes?|defines?|introduces?|standardi[sz]es?|recommends?|renames?"
    r"|adds?|extends?|presents?|outlines?|documents?|sets?|reports?|summari[sz]es?|explains?|covers?|shows?|argues?|examines?"
    r"|provides?|lists?|deprecates?|replaces?)\b"
)
_NAMED = re.compile(r"\S.{0,120}? [-–—] \S")
"""``wait, waitid - wait for process to change state``: what a manual page is about, below its name."""
_SORT = re.compile(r"\W?\b(?:design|notes?|guide|manual|format|specification|overview)\b|\(\w+\)", re.IGNORECASE)
_DEPTH = {"shallow": 0.55, "medium": 1.0, "deep": 1.6}
_LEAST_SCALE = 0.05
_SHARE = 0.92
"""Of the sentences that stand alone, how many are told."""
_LONGEST_NAME = 4
_OF_IT = re.compile(r"\bthe [a-z]+\.\Z")
_SHORT = 10
"""Sentences of a source that is told whole."""
_ALONE = 0.5
_MOST_OPENING = 5
"""Sentences of the opening, with those that follow one of it in its paragraph."""
_PARTS, _MOST_A_PART = 2, 14
"""Parts that a source is told by at least, and sentences of each at most, but for the entries of a list of terms."""
_MOST_UNPARTED = 40
"""Sentences of a source without headings, beyond those that are the best of the whole."""
_LONG_PART = 14
"""Sentences of a part from which on it is told by the headings below its own."""
_LEVELS = 4
"""Headings below each other that a page has."""
_DEEPER = 3
"""Headings below the outermost one that a long part may be told by."""
_KEY = "Key points"
_MOST_ROWS = 60
"""Rows of tables of properties that a page has room for."""
_MOST_BYTES = 52_000
"""Of statements and their quotes: a page has a limit, and gets more when the source changes."""
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


def sections(reading: SourceReading, depth: str) -> list[SummarySection]:
    """The parts of the summary page of ``reading``: its opening, then what each part of the source says, in its order.

    They are as many as a page has room for.
    """
    scale = _DEPTH.get(depth, 1.0)
    parts = _sections(reading, scale)
    while scale > _LEAST_SCALE and sum(map(_bytes, body(reading, parts))) > _MOST_BYTES:
        scale *= 0.85
        parts = _sections(reading, scale)
    return parts


def _bytes(claim: Claim) -> int:
    return len(claim.text.encode()) + sum(len(quote.encode()) + _NOTE_BYTES for quote in claim.quotes)


def _sections(reading: SourceReading, scale: float) -> list[SummarySection]:
    words = sum(len(sentence.words) for sentence in reading.sentences)
    fit = _fit(reading)
    lead = _lead(reading, fit, 2 if words < 600 else 3)
    became = standing.what_became(reading)
    lead = [s for s in lead if not standing.told_in(became, s)]
    chosen = _chosen(reading, [s for s in fit if s not in lead], lead, scale)
    for sentence in chosen:
        follows = not sentence.opens_block and reading.sentences[sentence.index - 1] in lead
        if follows and (quality.points_back(sentence) or _OF_IT.search(sentence.plain)) and len(lead) < _MOST_OPENING:
            lead.append(sentence)
    opening = telling.told(reading, lead, together=False)
    shown = frozenset(sentence.index for run in opening for sentence in run)
    parts = [
        SummarySection("", (*map(joined, opening), *became), ""),
        *_by_heading(reading, [s for s in chosen if s.index not in shown and not standing.told_in(became, s)]),
    ]
    return _with_tables(reading, [part for part in parts if part.sentences])


def _chosen(reading: SourceReading, rest: list[Sentence], lead: list[Sentence], scale: float) -> list[Sentence]:
    """What is told beside the opening: the best of the whole, of its rules, of its conclusions, and of each part."""
    if scale >= 1 and len(rest) <= _SHORT:
        return _unlike(rest, lead)
    points = round(scale * min(12.0, max(4.0, _SHARE * (len(rest) + len(lead)))))
    closing = [s for s in rest if is_closing(s.path)]
    closing = ranking.choose_sentences(closing, reading.worth, max(1, round(3 * scale)))
    rules = [s for s in rest if _MODAL.search(s.plain) and s not in closing and reading.own_fitness[s.index] > 0.4]
    rules = ranking.choose_sentences(rules, reading.worth, round(points * 0.6), 3) if len(rules) >= 5 else []
    others = _unlike([s for s in rest if s not in closing and s not in rules], lead)
    rest = [s for s in others if not (rules and _MODAL.search(s.plain))]
    is_parted = len({s.path for s in rest}) >= _PARTS
    key = ranking.choose_sentences(rest, reading.worth, points, max(2, points // 2) if is_parted else points)
    parts = _of_parts(reading, _unlike([s for s in others if s not in key], [*key, *rules]), scale)
    return sorted((*key, *rules, *closing, *parts), key=lambda s: s.index)


def _with_tables(reading: SourceReading, parts: list[SummarySection]) -> list[SummarySection]:
    """``parts`` with the tables of properties, row by row, and other tables whole, where the source has them."""
    found = {
        path: rows
        for path, rows in tables.find_properties(reading).items()
        if not tables.is_of_itself(path, rows) and len(reading.claims(rows)) == len(rows)
    }
    told = sum(map(len, found.values()))
    for path, rows in found.items() if told <= _MOST_ROWS else ():
        at = _part_for(parts, path)
        parts[at] = replace(parts[at], sentences=(*parts[at].sentences, *rows))
    for path, table in tables.find_tables(reading):
        at = _part_for(parts, path)
        parts[at] = replace(parts[at], tables=(*parts[at].tables, table))
    places = {
        path[-len(part.path) :]: start for part in parts for start, path in reversed(reading.text.places) if part.path
    }
    names = {path[-1]: start for start, path in reversed(reading.text.places)}

    def place(part: SummarySection) -> int:
        return places.get(part.path, names.get(part.heading, -1)) if part.heading not in ("", _KEY) else -2

    return sorted(parts, key=place)


def _part_for(parts: list[SummarySection], path: tuple[str, ...]) -> int:
    """The number of the part that a table below the headings ``path`` belongs to; a new one, if there is none."""
    headings = [part.heading for part in parts]
    for title in reversed(path):
        if title in headings:
            return headings.index(title)
    parts.append(SummarySection(path[-1] if path else "Data", ()))
    return len(parts) - 1


def _of_parts(reading: SourceReading, rest: list[Sentence], scale: float) -> Iterator[Sentence]:
    """The best of each part of a long source, beyond what is best of the whole; of one without parts, more of the whole."""
    rest = [s for s in rest if reading.own_fitness[s.index] >= _ALONE]
    parts = _parted([s for s in rest if s.path])
    for told in (parts or {(): rest}).values():
        room = _MOST_A_PART if parts else _MOST_UNPARTED
        most = max(min(room, _SHARE * len(told)), sum(bool(s.label) for s in told))
        yield from ranking.choose_sentences(told, reading.worth, math.ceil(most * scale))


def _parted(sentences: list[Sentence]) -> dict[tuple[str, ...], list[Sentence]]:
    """``sentences`` by the outermost headings that part them; a long part by the headings below its own."""
    deep = _depth_of_parts(sentences)
    counts = Counter(s.path[:depth] for s in sentences for depth in range(1, len(s.path) + 1))
    parts: dict[tuple[str, ...], list[Sentence]] = {}
    for sentence in sentences if deep else ():
        depth = deep
        while depth < min(len(sentence.path), deep + _DEEPER) and counts[sentence.path[:depth]] > _LONG_PART:
            depth += 1
        parts.setdefault(sentence.path[:depth], []).append(sentence)
    return parts


def _depth_of_parts(sentences: Sequence[Sentence]) -> int:
    """How many headings down the source has its parts; 0 for one without."""
    return next((deep for deep in (1, 2) if len({s.path[:deep] for s in sentences}) >= _PARTS), 0)


def _by_heading(reading: SourceReading, chosen: list[Sentence]) -> Iterator[SummarySection]:
    """``chosen`` under the source's own headings; what has none, or stands in its abstract, is its key points."""
    placed = [s for s in chosen if s.path and not is_leading(s.path)]
    deep = _depth_of_parts(placed)
    placed = placed if deep else []
    yield SummarySection(_KEY, _told(reading, [s for s in chosen if s not in placed]))
    parts: dict[tuple[str, ...], list[Sentence]] = {}
    for sentence in placed:
        first = min(deep, len(sentence.path)) - 1
        parts.setdefault(sentence.path[first : first + _LEVELS], []).append(sentence)
    for path, part in parts.items():
        yield SummarySection(path[-1], _told(reading, part), path=path)


def _told(reading: SourceReading, chosen: list[Sentence]) -> tuple[Sentence, ...]:
    return tuple(map(joined, telling.told(reading, chosen)))


def _fit(reading: SourceReading) -> list[Sentence]:
    """The sentences that stand alone; of a source that has none, the best there is."""
    held = [s for s in reading.sentences if reading.own_fitness[s.index] >= 0.2 and not s.aside]
    if len(held) >= 4:
        return held
    for least in (0.2, 0.01):
        if fit := [s for s in reading.sentences if reading.own_fitness[s.index] >= least]:
            return fit
    return [s for s in reading.sentences if len(s.plain) >= 16][:8]


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
                found.append(Claim(text=f"{'#' * (level + 2)} {written_heading(title)}"))
            above = path
        found += claims
        if not part.heading:
            found += head_fields(reading)
    return found


def written_heading(heading: str) -> str:
    """``heading`` as a page writes it: what would be read as a link is code, what other readers run is left out."""
    if form_in(heading):
        heading = re.sub(r"[^\w\s].*", "", heading).strip() or "More"
    return f"`{heading}`" if "[" in heading and "`" not in heading else heading


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


def _lead(reading: SourceReading, fit: list[Sentence], length: int) -> list[Sentence]:
    """The opening: the document's word about itself, or its first sentences that stand alone."""
    opening = [s for s in fit if is_leading(s.path) and reading.own_fitness[s.index] >= 0.4]
    opening = opening or [s for s in fit if s.index < max(12, len(reading.sentences) // 8) and not s.item]
    opening = [s for s in opening or fit[:length] if s.path == (opening or fit)[0].path]
    itself = [s for s in opening if _says_what_it_is(s) and len(s.plain) > 30] or _defining(reading, fit)
    named = [s for s in reading.sentences if s.path and is_name(s.path[-1]) and _NAMED.match(s.plain)]
    first = (named or itself or opening)[:1]
    others = [s for s in opening if s not in first and reading.own_fitness[s.index] >= _ALONE]
    scores = {s.index: reading.worth[s.index] + 0.4 / (1 + place) for place, s in enumerate(others)}
    chosen = ranking.choose_sentences(_unlike(others, first), scores, length - 1)
    return first + chosen


def _defining(reading: SourceReading, fit: list[Sentence]) -> list[Sentence]:
    """The first sentence that says what the document's title names: ``A reftable file is a portable binary file ...``."""
    name = _SORT.sub("", reading.own_title)
    if not name.strip() or len(name.split()) > _LONGEST_NAME:
        return []
    defines = re.compile(
        rf"(?:(?:The|An?) )?[\"“'‘]?{re.escape(name.strip())}[\"”'’]?(?: \([^)]*\)| \w+)? (?:(?:is|are) (?:an?|the|one of)"
        r"|lays? down|sets? out|specif(?:y|ies)|describes?|defines?)\b",
        re.IGNORECASE,
    )
    return [s for s in fit if not s.item and defines.match(s.plain) and reading.own_fitness[s.index] >= _ALONE][:1]


def _says_what_it_is(sentence: Sentence) -> bool:
    of_itself = quality.speaks_of_itself(sentence) and _TELLS.search(sentence.plain)
    return bool(of_itself) or quality.tells_what_was_done(sentence) or sentence.plain.startswith("This is ")


def _unlike(sentences: list[Sentence], others: list[Sentence]) -> list[Sentence]:
    told = [(other, ranking.content(other)) for other in others]
    return [s for s in sentences if not ranking.is_told(s, ranking.content(s), told)]
