"""Takes blocks out of a body: whole lines, tables that lose every row, headings that nothing stands under any more.

What is left stays what it was: a claim nested in an item that goes moves up to that item's place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from curator.wiki.pages import markdown, tables
from curator.wiki.pages.editing import BULLET, line_end
from curator.wiki.pages.markdown import Block

TAKEN_OUT = "(taken out)"
"""The words of a block that cannot be cut out without another becoming something else."""
_ALONE = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t]*\n)")
"""An item's mark on a line of its own, before what the item says."""
_MARGIN = re.compile(r"[ \t>\r]*")
_HUMAN = re.compile(r"<!--\s*human\s*-->", re.IGNORECASE)
_CLOSED = re.compile(r"<!--\s*/human\s*-->", re.IGNORECASE)

_Span = tuple[int, int]


def human_spans(body: str, blocks: Sequence[Block]) -> list[_Span]:
    """What is its user's own: from ``<!-- human -->`` to ``<!-- /human -->``, or to the end of the section without it."""
    found: list[_Span] = []
    at = 0
    while opened := _HUMAN.search(body, at):
        closed = _CLOSED.search(body, opened.end())
        at = closed.end() if closed else max(_section_end(body, blocks, opened.start()), opened.end())
        found.append((opened.start(), at))
    return found


def without_blocks(body: str, doomed: Collection[Block]) -> str:
    """``body`` without these of its blocks, and without the headings and tables that they leave empty."""
    blocks = markdown.scan(body).blocks
    starts = {block.start for block in doomed}
    spans: list[_Span] = []
    for going in (starts | set(_emptied_headings(blocks, starts)), starts):
        spans = list(_spans(body, blocks, going))
        cut = body
        for span in reversed(spans):
            cut = _cut(cut, span)
        if _essence(cut) == Counter(_told(block) for block in blocks if block.start not in going):
            return cut
    for span in reversed(spans):
        body = _cut_with_care(body, span)
    return body


def _spans(body: str, blocks: Sequence[Block], starts: Collection[int]) -> Iterator[_Span]:
    """What to cut, in order; a table of which every row goes is one span with its head."""
    lines = {_line_start(body, b.start): b for b in blocks if b.kind == "row" and b.start in starts}
    whole: dict[int, _Span] = {}
    for table in tables.tables(body) if lines else ():
        if all(row.start in lines for row in table.rows):
            whole[table.rows[0].start] = (table.start, table.rows[-1].end)
            for row in table.rows[1:]:
                del lines[row.start]
    for block in blocks:
        if block.start not in starts:
            continue
        at = _line_start(body, block.start)
        if block.kind != "row":
            # An item may begin with a quotation or the like, and say its own words behind that.
            inner = [other.end for other in blocks if block.start < other.start and other.end <= block.end]
            yield max([block.start, *inner]), block.end
        elif at in lines:
            yield whole.get(at, (block.start, block.end))


def _emptied_headings(blocks: Sequence[Block], starts: Collection[int]) -> Iterator[int]:
    """Where the headings stand of which all that stood under them goes; the title of the page stays."""
    for at, heading in enumerate(blocks):
        if heading.kind != "heading" or heading.level < 2:
            continue
        section: list[Block] = []
        for block in blocks[at + 1 :]:
            if block.kind == "heading" and block.level <= heading.level:
                break
            section += [block] if block.kind not in ("heading", "note") else []
        if section and all(block.start in starts for block in section):
            yield heading.start


def _cut(body: str, span: _Span) -> str:
    start, end = _line_start(body, span[0]), line_end(body, span[1])
    if not _MARGIN.fullmatch(body[start : span[0]]) or body[span[1] : end].strip():
        return body[: span[0]] + body[span[1] :]
    before, after = body[:start], body[end + 1 :]
    if bullet := BULLET.match(body[span[0] : span[1]]):
        after = _moved_up(after, span[0] - start, bullet[0])
    last, first = before[:-1].rpartition("\n")[2], after.partition("\n")[0]
    if _MARGIN.fullmatch(last) and _MARGIN.fullmatch(first):
        if not before or (">" in first and ">" not in last):
            after = after[len(first) + 1 :]
        else:
            before = before[: -len(last) - 1]
    return before + after


def _moved_up(after: str, margin: int, bullet: str) -> str:
    """``after`` with what was nested in an item, which stood before it with this margin and bullet, in its place."""
    lines = after.split("\n")
    inner = " " * (margin + len(bullet))
    count = 0
    for number, line in enumerate(lines):
        if line.startswith(inner):
            count = number + 1
        elif line.strip():
            break
    if not count:
        return after
    nested = lines[:count]
    while not nested[0].strip():
        nested.pop(0)
    if BULLET.match(nested[0][len(inner) :]):
        nested = [line[:margin] + line[len(inner) :] for line in nested]
    else:  # a further paragraph of the item
        nested[0] = nested[0][:margin] + bullet + nested[0][len(inner) :]
    return "\n".join([*nested, *lines[count:]])


def _cut_with_care(body: str, span: _Span) -> str:
    """The block cut out, if all others stay what they are; else its words."""
    cut = _cut(body, span)
    blocks = markdown.scan(body).blocks
    if _essence(cut) == Counter(_told(block) for block in blocks if not span[0] <= block.start < span[1]):
        return cut
    gone = body[span[0] : span[1]]
    bullet, alone = BULLET.match(gone), _ALONE.match(gone)
    lead = bullet[0] if bullet else f"{alone[0]} " if alone else ""
    return body[: span[0]] + lead + TAKEN_OUT + body[span[1] :]


def _essence(body: str) -> Counter[tuple[str, str, tuple[str, ...]]]:
    return Counter(_told(block) for block in markdown.scan(body).blocks)


def _told(block: Block) -> tuple[str, str, tuple[str, ...]]:
    return block.kind, " ".join(block.text.split()), block.citations


def _section_end(body: str, blocks: Sequence[Block], at: int) -> int:
    level = 0
    for block in blocks:
        if block.start <= at:
            level = block.level if block.kind == "heading" else level
        elif block.kind == "note" or (block.kind == "heading" and block.level <= (level or 6)):
            return block.start
    return len(body)


def _line_start(body: str, at: int) -> int:
    return body.rfind("\n", 0, at) + 1
