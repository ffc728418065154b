"""The summary page of a source: what it is, its key points, what it requires, what it concludes."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from curator.models.extractive import properties
from curator.models.extractive.parsing.sections import is_closing, is_leading
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.extractive.terms import quality, ranking
from curator.models.proposal import Claim

_MODAL = re.compile(r"\b(?:MUST|SHALL|SHOULD|MUST NOT|SHOULD NOT|REQUIRED)\b")
_TELLS = re.compile(
    r"^\w+ \w+ (?:\w+ )?(?:describes?|specif(?:y|ies)|proposes?|defines?|introduces?|standardi[sz]es?|recommends?|renames?"
    r"|adds?|extends?|presents?|outlines?|documents?|sets?|reports?|summari[sz]es?|explains?|covers?|shows?|argues?|examines?"
    r"|provides?|lists?|deprecates?|replaces?)\b"
)
_DEPTH = {"shallow": 0.55, "medium": 1.0, "deep": 1.6}
_STANDING = frozenset(
    "status state created published superseded-by supersedes replaces replaced-by obsoletes obsoleted-by requires "
    "python-version version valid-from".split()
)
"""Fields of a head that tell what the document is worth."""
_SHARE = 0.85
"""Of the sentences that stand alone, how many are told."""
_ALONE = 0.5
_PARTS, _MOST_A_PART = 2, 10
"""Parts that a source is told by at least, and sentences of each at most."""
_LONG_PART = 14
"""Sentences of a part from which on it is told by the headings below its own."""
_MOST_ROWS = 60
"""Rows of tables of properties that a page has room for."""


@dataclass(frozen=True)
class SummarySection:
    """A part of the page; the first one has no heading."""

    heading: str
    sentences: tuple[Sentence, ...]
    bullet: str = "- "


def sections(reading: SourceReading, depth: str) -> list[SummarySection]:
    """The parts of the summary page of ``reading``."""
    scale = _DEPTH.get(depth, 1.0)
    words = sum(len(sentence.words) for sentence in reading.sentences)
    fit = _fit(reading)
    points = round(scale * min(12.0, max(4.0, _SHARE * len(fit))))
    lead = _lead(reading, fit, 2 if words < 600 else 3)
    rest = [s for s in fit if s not in lead]
    closing = [s for s in rest if is_closing(s.path)]
    closing = ranking.choose_sentences(closing, reading.worth, max(1, round(3 * scale)))
    rules = [s for s in rest if _MODAL.search(s.plain) and s not in closing and reading.fitness[s.index] > 0.4]
    rules = ranking.choose_sentences(rules, reading.worth, round(points * 0.6), 3) if len(rules) >= 5 else []
    others = _unlike([s for s in rest if s not in closing and s not in rules], lead)
    rest = [s for s in others if not (rules and _MODAL.search(s.plain))]
    is_parted = len({s.path for s in rest}) >= _PARTS
    key = ranking.choose_sentences(rest, reading.worth, points, max(2, points // 2) if is_parted else points)
    parts = [
        SummarySection("", tuple(lead), ""),
        SummarySection("Key points", tuple(key)),
        *_by_heading(reading, _unlike([s for s in others if s not in key], [*key, *rules]), scale),
        SummarySection("Requirements", tuple(rules)),
        SummarySection("Conclusions", tuple(closing)),
    ]
    led = [replace(part, sentences=tuple(map(reading.led, part.sentences))) for part in parts]
    return _with_properties(reading, [part for part in led if part.sentences])


def _with_properties(reading: SourceReading, parts: list[SummarySection]) -> list[SummarySection]:
    """``parts`` and the tables of properties, each under the heading it stands under in the source."""
    found = properties.find_properties(reading)
    told = sum(map(len, found.values()))
    for path, rows in found.items() if told <= _MOST_ROWS else ():
        heading = path[-1] if path else "Data"
        at = next((n for n, part in enumerate(parts) if part.heading == heading), None)
        if at is None:
            parts.append(SummarySection(heading, tuple(rows)))
        else:
            parts[at] = replace(parts[at], sentences=(*parts[at].sentences, *rows))
    return parts


def _by_heading(reading: SourceReading, rest: list[Sentence], scale: float) -> Iterator[SummarySection]:
    """What a long source says beyond its key points, under its own headings: the outermost ones that part it."""
    rest = [s for s in rest if s.path and reading.fitness[s.index] >= _ALONE]
    deep = next((deep for deep in (1, 2) if len({s.path[:deep] for s in rest}) >= _PARTS), 0)
    parts: dict[tuple[str, ...], list[Sentence]] = {}
    counts = Counter(s.path[:deep] for s in rest)
    for sentence in rest if deep else ():
        is_long = counts[sentence.path[:deep]] > _LONG_PART
        parts.setdefault(sentence.path[: deep + is_long], []).append(sentence)
    for (*_, heading), told in parts.items():
        most = min(_MOST_A_PART, _SHARE * len(told)) * scale
        if chosen := ranking.choose_sentences(told, reading.worth, math.ceil(most)):
            yield SummarySection(heading, tuple(chosen))


def _fit(reading: SourceReading) -> list[Sentence]:
    """The sentences that stand alone; of a source that has none, the best there is."""
    held = [s for s in reading.sentences if reading.fitness[s.index] >= 0.2 and not s.aside]
    if len(held) >= 4:
        return held
    for least in (0.2, 0.01):
        if fit := [s for s in reading.sentences if reading.fitness[s.index] >= least]:
            return fit
    return [s for s in reading.sentences if len(s.plain) >= 16][:8]


def body(reading: SourceReading, parts: list[SummarySection]) -> list[Claim]:
    """``parts`` as the blocks of a page."""
    found: list[Claim] = []
    for part in parts:
        claims = reading.claims(part.sentences, part.bullet)
        if claims and part.heading:
            found.append(Claim(text=f"## {part.heading}"))
        found += claims
        if not part.heading:
            found += head_fields(reading)
    return found


def head_fields(reading: SourceReading) -> list[Claim]:
    """What the head of the source says of its standing, an item a field: ``- Status: Rejected``."""
    found = []
    for index in sorted(reading.text.header.lines):
        line = reading.source.document.lines[index][1].strip()
        name, _, value = line.lstrip(":#+").partition(":")
        value = value.strip().strip("\"'")
        if name.casefold() not in _STANDING or not re.fullmatch(r"[\w.,:;+ ()/-]{2,80}", value):
            continue
        if isinstance(reading.evidence.find(line), list):
            found.append(Claim(text=f"- {name[:1].upper()}{name[1:]}: {value}", quotes=(line,)))
    return found


def _lead(reading: SourceReading, fit: list[Sentence], length: int) -> list[Sentence]:
    """The opening: the document's word about itself, or its first sentences that stand alone."""
    opening = [s for s in fit if is_leading(s.path) and reading.fitness[s.index] >= 0.4]
    opening = opening or [s for s in fit if s.index < max(12, len(reading.sentences) // 8) and not s.item]
    opening = opening or fit[:length]
    itself = [s for s in opening if quality.speaks_of_itself(s) and _TELLS.search(s.plain) and len(s.plain) > 45]
    first = (itself or opening)[:1]
    others = [s for s in opening if s not in first]
    scores = {s.index: reading.worth[s.index] + 0.4 / (1 + place) for place, s in enumerate(others)}
    chosen = ranking.choose_sentences(_unlike(others, first), scores, length - 1)
    return first + chosen


def _unlike(sentences: list[Sentence], others: list[Sentence]) -> list[Sentence]:
    bags = [ranking.content(other) for other in others]
    return [s for s in sentences if all(ranking.alike(ranking.content(s), bag) <= 0.5 for bag in bags)]
