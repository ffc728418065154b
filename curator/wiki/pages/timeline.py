"""Where an event goes on a timeline and a row in a comparison: code decides, and what stands there is never moved.

- An event is put behind the nearest one before it, by the date it begins with; a list that runs from the newest to the
  oldest is kept so. One without a date goes to the end.
- A row joins the table with the same head: on a timeline by its date, else behind the last row that begins alike, else
  at the end. A row that is there already is not put there again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.wiki.pages import dates, editing, markdown
from curator.wiki.pages.citation import without_marks
from curator.wiki.pages.dates import PointInTime
from curator.wiki.pages.editing import BULLET
from curator.wiki.pages.markdown import Block
from curator.wiki.pages.page import DERIVED
from curator.wiki.pages.tables import Table, TableRow, tables


@dataclass(frozen=True)
class TimelineItem:
    """A list item with all that is nested in it; ``end`` is that of its last line."""

    start: int
    end: int
    section: int
    """Which heading it stands under, counted."""
    moment: PointInTime | None


def placed(kind: str, body: str, blocks: Sequence[str], section: str) -> tuple[str, list[str]]:
    """``body`` with those of ``blocks`` that have a place among what stands there, and the blocks that have none."""
    if kind not in DERIVED:
        return body, list(blocks)
    rest: list[str] = []
    for block in blocks:
        put = None
        if is_table(block):
            put = _with_rows(kind, body, block)
        elif kind == "timeline" and (moment := _moment_of(block)) is not None:
            put = _with_event(body, block, moment, section)
        if put is None:
            rest.append(block)
        else:
            body = put
    return body, rest


def in_order(kind: str, blocks: Sequence[str]) -> list[str]:
    """New ``blocks`` with each item by itself, and on a timeline each list by its dates; undated items come last."""
    if kind not in DERIVED:
        return list(blocks)
    single = [item for block in blocks for item in _items(block)]
    if kind != "timeline":
        return single
    year = next((moment.start[0] for each in single if (moment := _moment_of(each)) is not None), 0)
    found: list[str] = []
    run: list[str] = []
    for block in [*single, ""]:
        if block and BULLET.match(block):
            run.append(block)
            continue
        found += sorted(run, key=lambda item: _when(item, year))
        run = []
        found += [_sorted_rows(block) if is_table(block) else block] if block else []
    return found


def dated(text: str) -> int:
    """How many blocks of ``text`` begin with a date: items, rows, paragraphs, headings."""
    rows = [row.cells[0] for table in tables(text) for row in table.rows]
    others = [block.text for block in markdown.scan(text).blocks if block.kind in ("item", "paragraph", "heading")]
    return sum(dates.leading(words) is not None for words in (*rows, *others))


def is_table(block: str) -> bool:
    return block.lstrip().startswith("|") and bool(tables(block))


# -- events ------------------------------------------------------------------------------------------------------------


def events(body: str) -> list[TimelineItem]:
    """The items of the lists of ``body`` that are nested in no other."""
    found: list[TimelineItem] = []
    section = 0
    blocks = markdown.scan(body).blocks
    for number, block in enumerate(blocks):
        section += block.kind == "heading"
        if block.kind == "item" and _column(body, block) == 0 and BULLET.match(body, block.start):
            found.append(TimelineItem(block.start, _reach(body, blocks, number), section, dates.leading(block.text)))
    return found


def _reach(body: str, blocks: Sequence[Block], number: int) -> int:
    """The end of an item and of what is nested in it."""
    end = blocks[number].end
    for block in blocks[number + 1 :]:
        if _column(body, block) == 0 or block.kind in ("note", "heading"):
            break
        end = max(end, block.end)
    stop = body.find("\n", end)
    return len(body) if stop < 0 else stop


def _column(body: str, block: Block) -> int:
    """0 for a block that is nested in nothing; a list may be set in by one blank."""
    before = body[body.rfind("\n", 0, block.start) + 1 : block.start]
    return 0 if len(before) <= 1 and not before.strip() else max(1, len(before))


def _with_event(body: str, item: str, moment: PointInTime, section: str) -> str | None:
    """``body`` with ``item`` among its dated items; None where there are none."""
    known = [(event, event.moment) for event in _sequence(body, section)]
    told = [(event, when) for event, when in known if when is not None]
    if not told:
        return None
    whens = [when for _, when in told]
    falls = whens[0] > whens[-1] and whens == sorted(whens, reverse=True)
    before = [(event, when) for event, when in told if (when >= moment if falls else when <= moment)]
    if before:
        nearest = (min if falls else max)(when for _, when in before)
        after = [event for event, when in before if when == nearest][-1]
        return _spliced(body, after, item, behind=True)
    nearest = (max if falls else min)(whens)
    return _spliced(body, next(event for event, when in told if when == nearest), item, behind=False)


def _sequence(body: str, section: str) -> list[TimelineItem]:
    """The list an event belongs to: that of the section named; all lists where one goes on with another; the longest."""
    found = events(body)
    told = [event for event in found if event.moment is not None]
    if section and (span := editing.section_span(body, section)) is not None:
        own = [event for event in found if span[0] <= event.start < span[1]]
        if any(event.moment is not None for event in own):
            return own
        return []
    whens = [event.moment for event in told]
    if whens in (sorted(whens), sorted(whens, reverse=True)):  # type: ignore[type-var]
        return found
    lengths = [event.section for event in told]
    longest = max(lengths, key=lengths.count)
    return [event for event in found if event.section == longest]


def _spliced(body: str, beside: TimelineItem, item: str, *, behind: bool) -> str:
    """``item`` on lines of its own beside an item, with its bullet and as far from it as others are."""
    bullet, own = BULLET.match(body, beside.start), BULLET.match(item)
    item = (bullet[0].strip(" \t") + " " if bullet else "- ") + item[own.end() if own else 0 :]
    line = body.rfind("\n", 0, beside.start) + 1
    item = body[line : beside.start] + item
    loose = BULLET.match(body[beside.end :].lstrip("\n")) and body[beside.end :].startswith("\n\n")
    gap = "\n\n" if loose else "\n"
    if behind:
        return f"{body[: beside.end]}{gap}{item}{body[beside.end :]}"
    return f"{body[:line]}{item}{gap}{body[line:]}"


def _items(block: str) -> Iterator[str]:
    """A block of several list items, each by itself."""
    found = events(block) if BULLET.match(block) else []
    if len(found) < 2:
        yield block
        return
    ends = [*(event.start for event in found[1:]), len(block)]
    yield from (block[event.start : end].strip("\n") for event, end in zip(found, ends, strict=True))


def _moment_of(block: str) -> PointInTime | None:
    """When an item was; None for other blocks, too."""
    bullet = BULLET.match(block)
    return dates.leading(_plain(block[bullet.end() :])) if bullet else None


def _when(item: str, year: int) -> tuple[bool, object]:
    """A day of no year, ``11 July: ...``, is of the ``year`` of the others."""
    moment = _moment_of(item)
    if moment is None and (day := _DAY.match(_plain(item))):
        moment = dates.leading(f"{day['day']} {year}")
    return moment is None, moment or ()


_DAY = re.compile(r"[-*+]\s+(?P<day>\d{1,2} [^\W\d_]{3,9}|[^\W\d_]{3,9} \d{1,2})\b")


def _plain(text: str) -> str:
    """Without citation marks, emphasis and the targets of links."""
    return re.sub(r"\[\[[^\[\]|]*\||[\[\]*_]", "", without_marks(text))


# -- rows --------------------------------------------------------------------------------------------------------------


def _with_rows(kind: str, body: str, block: str) -> str | None:
    """``body`` with the rows of a table in the table of the same head; None where there is none."""
    (new, *more) = tables(block)
    if more or not any(table.key == new.key for table in tables(body)):
        return None
    for row in new.rows:
        table = next(table for table in tables(body) if table.key == new.key)
        if row.key not in [known.key for known in table.rows]:
            line = block[row.start : row.end]
            body = _with_row(body, line, table, _row_before(kind, row, table))
    return body


def _row_before(kind: str, row: TableRow, table: Table) -> TableRow | None:
    """The row that a new one is put behind; None: it comes first."""
    moment = dates.leading(_plain(row.cells[0])) if kind == "timeline" else None
    if moment is not None:
        told = [(known, when) for known in table.rows if (when := dates.leading(_plain(known.cells[0]))) is not None]
        earlier = [(known, when) for known, when in told if when <= moment]
        if told:
            nearest = max((when for _, when in earlier), default=None)
            return next((known for known, when in reversed(earlier) if when == nearest), None)
    alike = [known for known in table.rows if known.key[0] and known.key[0] == row.key[0]]
    return (alike or list(table.rows))[-1]


def _with_row(body: str, line: str, table: Table, before: TableRow | None) -> str:
    if before is None:
        return f"{body[: table.rows[0].start]}{line}\n{body[table.rows[0].start :]}"
    return f"{body[: before.end]}\n{line}{body[before.end :]}"


def _sorted_rows(block: str) -> str:
    """A table with its rows by date, when each of them has one."""
    (table, *more) = tables(block)
    whens = [dates.leading(_plain(row.cells[0])) for row in table.rows]
    if more or None in whens:
        return block
    rows = [block[row.start : row.end] for row in table.rows]
    ordered = [row for _, row in sorted(zip(whens, rows, strict=True), key=lambda pair: pair[0])]  # type: ignore[arg-type,return-value]
    return block[: table.rows[0].start] + "\n".join(ordered) + block[table.rows[-1].end :]
