"""Comparisons: a table of the source that sets two things or more side by side, each in a column of its own.

Only where the head leaves no doubt: its first cell says that the rows are properties (``Feature``), each of the others
names a thing and is no label (``Description``). Every row has to be proven, or there is no page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curator.models.extractive import tables
from curator.models.extractive.known import KnownPages
from curator.models.extractive.parsing import grids
from curator.models.extractive.parsing.grids import Grid
from curator.models.extractive.parsing.lexicon import GENERIC, STOP
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.reading import SourceReading
from curator.models.proposal import Add, Create
from curator.wiki.pages.names import name_key

_PROPERTIES = frozenset(
    "feature property aspect attribute capability characteristic criterion criteria difference dimension quality subject "
    "topic trait metric point question requirement".split()
)
"""What the first cell of the head says, in the singular; or nothing."""
_LABELS = (
    GENERIC
    | STOP
    | frozenset(
        "after allowed average before cell default max maximum mean min minimum new old optional remark sample since "
        "supported unit current proposed count today tomorrow rating weighting description explanation usage score winner "
        "verdict vote".split()
    )
)
_MOST_THINGS, _MOST_ROWS = 5, 20
_LEAST_FIT = 0.4


def find_comparisons(reading: SourceReading, known_pages: KnownPages) -> Iterator[Create | Add]:
    """A comparison for each table that is one."""
    seen: set[str] = set()
    for grid in grids.read_tables(reading.source):
        things = compared_things(grid)
        table = tables.table_claim(reading, grid) if things else None
        title = f"{_listed(things, reading.source.document.text)} compared"
        if table is None or name_key(title) in seen or len(title) > 120:
            continue
        seen.add(name_key(title))
        known = known_pages.named([title])
        if known is None:
            body = (*reading.claims(_lead(reading, things), ""), table)
            yield Create(op="create", kind="comparison", title=title, body=body)
        elif known.entry.kind == "comparison":
            yield Add(op="add", page=known.slug, body=(table,))


def compared_things(grid: Grid) -> list[str]:
    """The things a table compares; none when it is no comparison."""
    first, *others = [cell.plain.strip(" :.") for cell in grid.head]
    names = [name_key(other).split() for other in others]
    is_one = (
        (not first or name_key(first) in _PROPERTIES)
        and 2 <= len(others) <= _MOST_THINGS
        and 2 <= len(grid.rows) <= _MOST_ROWS
        and len({tuple(name) for name in names}) == len(names)
        and all(name and len(name) <= 5 and not _LABELS.issuperset(name) for name in names)
        and all(any(character.isalpha() for character in other) for other in others)
    )
    return others if is_one else []


def _lead(reading: SourceReading, things: list[str]) -> list[Sentence]:
    """The sentence that opens the page: the best of those that speak of most of the things, if it is good enough."""
    keys = [set(name_key(thing).split()) for thing in things]
    told = [(sum(key <= set(s.keys) for key in keys), s) for s in reading.sentences if not s.aside]
    sound = [(count, s) for count, s in told if count >= 2 and reading.alone[s.index] >= _LEAST_FIT]
    return [s for _, s in sorted(sound, key=lambda pair: (-pair[0], -reading.worth[pair[1].index], pair[1].index))[:1]]


def _listed(things: list[str], text: str) -> str:
    """``A, b and C``: a capital that only the head of the table has is none inside a title."""
    small = [f"{thing[:1].lower()}{thing[1:]}" for thing in things[1:]]
    others = [
        low if re.search(rf"\b{re.escape(low)}", text) else thing for low, thing in zip(small, things[1:], strict=True)
    ]
    return f"{', '.join([*things[:1], *others[:-1]])} and {others[-1]}" if others else ""
