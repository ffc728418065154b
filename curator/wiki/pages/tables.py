"""Tables in a markdown text: their heads and rows, and rows put among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curator.wiki.pages import markdown
from curator.wiki.pages.citation import without_marks

_DELIMITERS = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*\|?[ \t]*+\Z")
_CELL_END = re.compile(r"(?<!\\)\|")
_ROW = re.compile(r"(?m)^[ \t]*\|.*$")
_CODE_IN_ROW = re.compile(r"(?<!`)(?:`(?![`\s])[^`\n]{1,300}+(?<!\s)`|``(?![`\s])[^\n]{1,300}?(?<!\s)``)(?!`)")
_BAR_IN_LINK = re.compile(r"(?<=\[\[)([^\s\[\]|\\][^\[\]|\n\\]{0,200})\|(?=[^\[\]|\n]{1,200}\]\])")


@dataclass(frozen=True)
class TableRow:
    """One row: where it stands, from the beginning of its line to its end."""

    start: int
    end: int
    cells: tuple[str, ...]
    """Without citation marks."""

    @property
    def key(self) -> tuple[str, ...]:
        """What two rows share that say the same with other marks."""
        return tuple(map(_gist, self.cells))


@dataclass(frozen=True)
class Table:
    """``rules`` is the line under the head, as written."""

    start: int
    head: tuple[str, ...]
    rules: str
    rows: tuple[TableRow, ...]

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(map(_gist, self.head))


def with_bars_in_cells(text: str) -> str:
    """``text``, where the bars within a link and within code of a row are escaped: they would end the cell."""
    return _ROW.sub(lambda row: _in_code(_BAR_IN_LINK.sub(r"\1\\|", row[0])), text)


def _in_code(row: str) -> str:
    return _CODE_IN_ROW.sub(lambda code: _CELL_END.sub(r"\\|", code[0]), row)


def tables(text: str) -> list[Table]:
    """Every table of ``text`` that has rows."""
    starts = {text.rfind("\n", 0, b.start) + 1 for b in markdown.scan(text).blocks if b.kind == "row"}
    found: list[Table] = []
    lines = _lines(text)
    for at, (start, line) in enumerate(lines[:-2]):
        if "|" in line and lines[at + 2][0] in starts and start not in starts and _DELIMITERS.match(lines[at + 1][1]):
            rows = []
            for offset, written in lines[at + 2 :]:
                if offset not in starts:
                    break
                rows.append(TableRow(offset, offset + len(written), cells(written)))
            found.append(Table(start, cells(line), lines[at + 1][1], tuple(rows)))
    return found


def heads_of_rows(text: str, outline: markdown.Outline, written: Callable[[Table], str]) -> dict[int, str]:
    """What is ``written`` of the head of its table for each row of ``text``, by the row's line, from 1."""
    found = tables(text) if any(block.kind == "row" for block in outline.blocks) else []
    heads = ((table, written(table)) for table in found)
    return {text.count("\n", 0, row.start) + 1: head for table, head in heads for row in table.rows}


def cells(line: str) -> tuple[str, ...]:
    """The cells of a row, without citation marks."""
    bare = without_marks(line).strip()
    bare = bare.removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return tuple(cell.strip() for cell in _CELL_END.split(bare))


def without_rows(text: str, known: Sequence[Table]) -> str:
    """``text`` without the rows that a table of the same head has among the ``known`` ones, and without a table of none."""
    held = {(table.key, tuple(map(_bare, row.cells))) for table in known for row in table.rows}
    for table in reversed(tables(text)):
        said = [row for row in table.rows if (table.key, tuple(map(_bare, row.cells))) in held]
        if len(said) == len(table.rows):
            text = text[: table.start] + text[table.rows[-1].end + 1 :]
            continue
        for row in reversed(said):
            text = text[: row.start - 1] + text[row.end :]
    return text


def with_head(rows: str, known: Sequence[Table]) -> str:
    """``rows`` under the head of the only table that has as many cells, where a table's rows come without a head."""
    lines = rows.strip().split("\n")
    bare = all(line.strip().startswith("|") and line.strip().endswith("|") for line in lines)
    if not bare or any(map(_DELIMITERS.match, lines)):
        return rows
    fit = {table.key: table for table in known if {len(cells(line)) for line in lines} == {len(table.head)}}
    if len(fit) != 1:
        return rows
    (table,) = fit.values()
    return "\n".join([f"| {' | '.join(table.head)} |", table.rules.strip(), *lines])


def _lines(text: str) -> list[tuple[int, str]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, line))
        start += len(line) + 1
    return found


def _bare(cell: str) -> str:
    """A cell without emphasis and links, with its signs."""
    return re.sub(r"\[\[[^\[\]|]*\\?\||[*_`\[\]]", "", cell).strip().casefold()


def _gist(cell: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"\[\[[^\[\]|]*\\?\|", "", cell).casefold()))
