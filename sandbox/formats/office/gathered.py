"""The text of an office file as it is gathered, paragraph by paragraph, and what of it was left out."""

from __future__ import annotations

from collections import Counter

from extracted import Extracted, LeftOut, Line, Unit
from unicode_text import Unreadable

MOST_ROWS = 5_000
"""Of one table or sheet; what a wiki can say of a longer one stands in its first rows, or in no sentence."""
MOST_COLUMNS = 100


class Gathered:
    """Numbered lines; the number is that of the paragraph, unless ``pages`` are counted."""

    def __init__(self, max_chars: int, *, by_page: bool = False) -> None:
        self.number = 0
        """Of the paragraph or page that was begun last."""
        self._lines: list[Line] = []
        self._chars_left = max_chars
        self._max_chars = max_chars
        self._by_page = by_page
        self._left_out: Counter[tuple[str, bool]] = Counter()

    def next_page(self) -> None:
        self.number += 1

    def paragraph(self, text: str, mark: str = "") -> None:
        """A paragraph behind its mark (``## ``, ``  - ``); a line feed in it parts its lines. Empty ones do not count."""
        lines = [" ".join(line.split()) for line in text.split("\n")]
        if any(lines):
            self.number += not self._by_page
            for line in filter(None, lines):
                self.beside(mark + line)
                mark = ""

    def beside(self, line: str) -> None:
        """One more line of the paragraph that was begun last: a note to it, say."""
        self._chars_left -= len(line) + 1
        if self._chars_left < 0:
            seen = f"more than {self._max_chars} characters of text"
            raise Unreadable("source_too_large", seen)
        self._lines.append((self.number, line, self.number))

    def row(self, cells: list[str]) -> None:
        """A table's row, its cells on one line."""
        if line := row_of(cells):
            self.paragraph(line)

    def leave_out(self, what: str, count: int, *, is_hidden: bool = False) -> None:
        if count:
            self._left_out[what, is_hidden] += count

    def hide(self, what: str, text: str) -> None:
        """Leave out ``text``, which nobody sees who opens the file."""
        self.leave_out(what, len(text.strip()), is_hidden=True)

    def extracted(self, unit: Unit, head: dict[str, str | list[str]]) -> Extracted:
        left_out = [LeftOut(what, count, hidden) for (what, hidden), count in self._left_out.items()]
        return Extracted(self._lines, unit, head, left_out)


def row_of(cells: list[str]) -> str:
    """The cells on one line with ``|`` between them; empty when none has words."""
    texts = [" ".join(cell.split()) for cell in cells]
    return " | ".join(texts).rstrip() if any(texts) else ""


def written(number: int, kind: str) -> str:
    """A number as lists have it: decimal, letters (``aa`` comes after ``z``) or Roman."""
    if kind in ("lowerLetter", "upperLetter"):
        text = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 5)
    elif kind in ("lowerRoman", "upperRoman") and 0 < number < 4000:
        text = "".join(digits[number // 10**place % 10] for place, digits in zip((3, 2, 1, 0), _ROMAN, strict=True))
    else:
        text = str(number)
    return text.upper() if kind.startswith("upper") else text


_ROMAN = tuple(
    ["", one, one * 2, one * 3, one + five, five, five + one, five + one * 2, five + one * 3, one + ten]
    for one, five, ten in (("m", "", ""), ("c", "d", "m"), ("x", "l", "c"), ("i", "v", "x"))
)
