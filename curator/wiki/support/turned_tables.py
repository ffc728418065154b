"""A table that is told with its rows for columns: each cell stands in the source's row of the thing that heads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from curator.wiki.pages.citation import Citation
from curator.wiki.pages.tables import cells as cells_of
from curator.wiki.sources.evidence import Evidence

_WORD = re.compile(r"[\w.,:%-]*\w")
_RULE = re.compile(r"[|\s:=+-]*\Z")
_TAGGED = re.compile(r"<t[dh]\b[^<>]*>([^<>]*)<")
_MARKS = re.compile(r"\[\[[^\[\]|]*\\?\||(?<=\])\[[^\[\]]*\]|(?<=\])\([^()]*\)|[*_`\[\]]")
_FEWEST = 2
"""Things that are set side by side."""
Row = tuple[Sequence[str], Sequence[str]]
"""The cells of a row of the source, and the heads above them."""


def is_copied(head: Sequence[str], cells: Sequence[str], cited: Iterable[Citation], evidence: Evidence) -> bool:
    """True for a row each cell of which stands in one row of the source, under the same head, whatever their order."""
    told = [(_bare(title), _bare(cell)) for title, cell in zip(head, cells, strict=False)]
    places = [place for each in cited if (place := evidence.place(each)) is not None]
    rows = [row for start, end in places if (row := _row(evidence.document.text, start, end)) is not None]
    held = ({*zip(map(_bare, heads), map(_bare, row), strict=False)} for row, heads in rows)
    return len(told) >= _FEWEST and any(each.issuperset(told) for each in held)


def is_turned(head: Sequence[str], cells: Sequence[str], cited: Iterable[Citation], evidence: Evidence) -> bool:
    """True for a row whose every cell is, letter by letter, one of the source's, under what the row's name says, in a row
    of what heads it here.
    """
    places = [place for each in cited if (place := evidence.place(each)) is not None]
    rows = [row for start, end in places if (row := _row(evidence.document.text, start, end)) is not None]
    told = [(title, cell) for title, cell in zip(head[1:], cells[1:], strict=False) if _WORD.search(cell)]
    return len(told) >= _FEWEST and all(any(_has(row, title, cell, cells[0]) for row in rows) for title, cell in told)


def _has(row: Row, title: str, cell: str, name: str) -> bool:
    """``name`` is the head of the cell's column with all that the row says of itself, and no more than heads say."""
    cells, heads = row
    titles = [at for at, each in enumerate(cells) if _words(each) == _words(title)]
    for at, each in enumerate(cells):
        if titles and at not in titles and _words(each) == _words(cell):
            marks = [n for n in range(len(cells)) if n not in (at, *titles) and not re.search(r"\d", cells[n])]
            asked = _words(heads[at]).union(*(_words(cells[n]) for n in marks))
            if asked <= _words(name) <= asked.union(*(_words(heads[n]) for n in marks)):
                return True
    return False


def _row(text: str, start: int, end: int) -> Row | None:
    """The row that is quoted, and the first of its table, above it; None for what is in no table with bars."""
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line = text[begin : stop if stop >= 0 else len(text)]
    if tagged := _tagged_row(text, start, end):
        return tagged
    if "|" not in line or "\n" in line:
        return None
    cells, head = cells_of(line), ""
    for above in reversed(text[:begin].split("\n")[:-1]):
        if above.strip() and not ("|" in above and (_RULE.match(above) or len(cells_of(above)) == len(cells))):
            break
        head = above if above.strip() and not _RULE.match(above) else head
        if above.lstrip().startswith("|=="):
            break
    return (cells, cells_of(head)) if head else None


def _tagged_row(text: str, start: int, end: int) -> Row | None:
    """The same of a table in HTML."""
    table, begin, stop = text.rfind("<table", 0, start), text.rfind("<tr", 0, start), text.find("</tr", end)
    if table < 0 or begin < table or stop < 0 or "</table" in text[table:stop]:
        return None
    head = text[table : text.find("</tr", table)]
    return _TAGGED.findall(text[begin:stop]), _TAGGED.findall(head)


def _bare(cell: str) -> str:
    """A cell without links, emphasis and tags, with its signs."""
    return " ".join(_MARKS.sub("", cell).casefold().split())


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
