"""Who speaks, in the notes of a talk: ``Rui: Where is the key?`` The name before a turn is no part of what is said.

A name that stands before two paragraphs at least is a speaker's when what follows it asks, answers, or says ``I``; so
``Decision:`` and ``Action:`` stay. One speaker makes no talk.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from curator.models.extractive.parsing.line import TextBlock

_TURN = re.compile(
    r"(?:\*\*|__)?(?P<name>[A-ZÀ-Þ][\w.'’-]*(?: [A-ZÀ-Þ][\w.'’-]*){0,2})(?: \([^()]{1,30}\))?:(?:\*\*|__)?\s+(?=\S)"
)
_TALKS = re.compile(
    r"\?|\b(?:I|I'm|I'd|we|We|you|ich|wir|je|nous|yo|nosotros)\b|^(?:Yes|No|Yeah|Okay|OK|Agreed|Sure|Ja|Nein|Oui|Non|Sí)\b"
)
_LEAST_TURNS, _LEAST_SPEAKERS = 2, 2


def without_speakers(text: str, blocks: Sequence[TextBlock]) -> tuple[TextBlock, ...]:
    """``blocks`` of ``text``, each turn of a talk without its speaker's name."""
    turns: dict[str, list[str]] = defaultdict(list)
    for block in blocks:
        if turn := _TURN.match(text, block.start, block.end):
            turns[turn["name"]].append(text[turn.end() : block.end])
    speakers = {name for name, said in turns.items() if len(said) >= _LEAST_TURNS and any(map(_TALKS.search, said))}
    if len(speakers) < _LEAST_SPEAKERS:
        return tuple(blocks)
    return tuple(_without_name(text, block, speakers) for block in blocks)


def _without_name(text: str, block: TextBlock, speakers: set[str]) -> TextBlock:
    turn = _TURN.match(text, block.start, block.end)
    return replace(block, start=turn.end()) if turn and turn["name"] in speakers else block
