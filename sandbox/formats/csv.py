"""Tables as text (CSV, TSV): each record is a line of text, numbered as in the file.

The separator is the one of ``, ; tab |`` that parts the first lines most evenly. Records beyond a bound are left out.
"""

from __future__ import annotations

import csv
from itertools import islice

from extracted import Extracted, LeftOut, Line
from unicode_text import Unreadable, decoded, refuse_binary, with_plain_line_ends

from formats.office.gathered import MOST_COLUMNS, MOST_ROWS, row_of

_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 50
"""Lines from which the separator is told."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The records of the table ``data``."""
    text, encoding = decoded(data)
    refuse_binary(text, encoding)
    lines = with_plain_line_ends(text).split("\n")
    csv.field_size_limit(max_chars)
    records = csv.reader((f"{line}\n" for line in lines), delimiter=_separator(lines))
    found: list[Line] = []
    columns = chars = 0
    first = 1
    try:
        for record in records:
            if (row := row_of(record[:MOST_COLUMNS])) and len(found) < MOST_ROWS:
                found.append((first, row, records.line_num))
                columns = max(columns, len(record))
                chars += len(row) + 1
            elif row:
                break
            first = records.line_num + 1
    except csv.Error as error:
        raise Unreadable("source_damaged", f"line {records.line_num}: {error}") from error
    if chars > max_chars:
        raise Unreadable("source_too_large", f"more than {max_chars} characters of text")
    rest = sum(1 for line in islice(lines, first - 1, None) if line.strip())
    return Extracted(found, "line", left_out=_left_out(rest, columns))


def _left_out(rows: int, columns: int) -> list[LeftOut]:
    bounded = {
        f"rows beyond the first {MOST_ROWS}": rows if rows > 0 else 0,
        f"columns beyond the first {MOST_COLUMNS}": columns - MOST_COLUMNS,
    }
    return [LeftOut(what, count) for what, count in bounded.items() if count > 0]


def _separator(lines: list[str]) -> str:
    """The separator that most of the first lines have the same number of; the more of them, the better."""
    sample = [line[:10_000] for line in lines[:_SAMPLE] if line.strip()]

    def fitness(separator: str) -> tuple[int, int]:
        counts = [len(next(csv.reader([line], delimiter=separator), [])) for line in sample]
        usual = max(counts, key=counts.count, default=0)
        return (counts.count(usual) if usual > 1 else 0, usual)

    return max(_SEPARATORS, key=fitness)
