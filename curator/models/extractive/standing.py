"""What became of a document, as it says itself: rejected, withdrawn, replaced, and why. It belongs to the opening."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from curator.models.extractive.parsing import sections
from curator.models.extractive.parsing.sentences import Sentence, joined

if TYPE_CHECKING:
    from curator.models.extractive.reading import SourceReading

_ENDED = (
    r"(?:rejected|withdrawn|superseded|replaced|deferred|obsoleted|repealed|abandoned|retracted|revoked|turned down)"
)
_BECAME = re.compile(
    r"\b(?:[Tt]his|[Tt]he) (?:PEP|RFC|ADR|document|specification|proposal|standard|memo|note|policy|guide|draft|rule|law"
    rf"|regulation) (?:was|is|has been|has now been) (?:\w+ )?{_ENDED}\b"
    r"|\b(?:Diese[rs]?|Das|Der|Die) (?:Norm|Richtlinie|Verordnung|Dokument|Vorschlag|Entwurf|Regel) (?:wurde|ist) "
    r"(?:\w+ ){0,3}(?:zurückgezogen|abgelehnt|ersetzt|aufgehoben)\b"
    r"|\b(?:Cette|Ce|La|Le) (?:norme|document|règle|proposition|projet) (?:a été|est) "
    r"(?:retirée?|rejetée?|remplacée?|abrogée?)\b"
)
_LEAST = 0.2
_OVER = re.compile(
    r"(rejected|withdrawn|superseded|replaced|obsoleted?|deprecated|repealed|abandoned|deferred|retracted|revoked)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?:(?:PEP|RFC|ADR|ISO|NEP|JEP|DEP|KEP|EIP|BIP)[ -]?)?\d{1,5}(?:, ?\d{1,5}){0,3}")


_PLAN = re.compile(r"\b(?:transition|implementation|migration|roll-?out|project|work) plan\b", re.IGNORECASE)
_IS_PLAN = re.compile(r"\b(?:plan|roadmap|proposal|proposed)\b", re.IGNORECASE)


def _is_plan(reading: SourceReading) -> bool:
    """True for a document that says what is to be made, and has no status of its own."""
    planned = any(map(_PLAN.search, reading.text.headings)) or _IS_PLAN.search(reading.own_title)
    return bool(planned) and not (reading.short_name or reading.text.header.get("status", "state"))


def end_of(reading: SourceReading) -> str:
    """What became of the document, for a heading above what it says of things: ``rejected, replaced by PEP 751``."""
    header = reading.text.header
    ended = _OVER.match(header.get("status", "state"))
    became = "" if ended else " ".join(sentence.plain for sentence in what_became(reading)[:1])
    said = ended or (_OVER.search(became) if _BECAME.search(became) else None)
    by = header.get("superseded-by", "replaced-by", "obsoleted-by")
    if by and _NAMES.fullmatch(by.strip()):
        series = reading.short_name.partition(" ")[0]
        name = f"{series} {by}" if by[:1].isdigit() and series else by
        return f"{said[1].lower()}, replaced by {name}" if said else f"replaced by {name}"
    return said[1].lower() if said else "planned" if _is_plan(reading) else ""


def what_became(reading: SourceReading) -> list[Sentence]:
    """The sentence that says what became of the document; else the first ones of the section that says why."""
    sound = [s for s in reading.sentences if not s.aside and reading.own_fitness[s.index] >= _LEAST]
    for sentence in sound:
        if _BECAME.search(sentence.plain):
            return [joined(reading.parts.get(sentence.index, (sentence,)))]
    why = [s for s in sound if s.path and sections.tells_end(s.path[-1])]
    return [joined(reading.parts.get(sentence.index, (sentence,))) for sentence in why[:1]]
