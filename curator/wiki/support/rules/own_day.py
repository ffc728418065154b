"""The day of the source itself: of what it says, and of what those did who met that day; of nothing else that it tells."""

from __future__ import annotations

import re

from curator.wiki.english.quantities import Date
from curator.wiki.english.stems import PAST
from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.support.case import Case

_MEETINGS = frozenset(
    "meeting minutes discussion session summit call conference hearing assembly workshop talk talks gathering".split()
)
_TEXTS = (
    "document|agenda|notes?|post|report|article|announcement|page|text|record|readme|version|edition|issue|newsletter"
)
_OF_SOURCE = re.compile(
    rf"\b(?:as of|dated|(?:{'|'.join(sorted(_MEETINGS))}|{_TEXTS}),? (?:of|from|on|dated|held on|as of))(?: the)? \Z",
    re.IGNORECASE,
)
"""Words before the day of what a source says, or of the source."""
_ACTS = frozenset(
    "met held discussed reviewed proposed suggested recommended agreed asked decided noted reported said told added "
    "considered voted approved rejected raised explained answered requested stated planned wanted preferred warned "
    "mentioned objected resolved talked spoke attended presented nominated elected".split()
)
"""What those do who meet, in their words: on the day of the meeting."""


def is_told_of_source(case: Case, date: Date) -> bool:
    """True where ``date``, a day of the source's own, is told as such: ``as of 2025-10-17``, ``the meeting of 17 October``;
    and for what is done by word in a meeting, where the source is its record: ``On 17 October they proposed it``.
    """
    before, _, behind = case.whole.plain.partition(date.shown)
    if _OF_SOURCE.search(before):
        return not (" as of " in case.context.stated.flat and before.lower().endswith("as of "))
    source = case.source
    if _MEETINGS.isdisjoint(source.names.lowers | source.opening.lowers):
        return False
    told = phrase(before).sentences[-1:]
    verb = next((word for sentence in told for word in reversed(sentence) if _is_past(word)), None)
    verb = verb or next((word for word in phrase(behind).words if word.sentence == 0 and _is_past(word)), None)
    return verb is not None and verb.lower in _ACTS


def _is_past(word: StemmedWord) -> bool:
    return word.lower in _ACTS or word.lower in PAST or (len(word.lower) > len("need") and word.lower.endswith("ed"))
