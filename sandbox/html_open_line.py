"""The line of text that is being gathered, until a block element ends it."""

from __future__ import annotations

from html_lines import PageLine
from html_place import Place
from look import Look
from page_boxes import Box, fitting


class OpenLine:
    """The parts of a line so far, by table cell, and where and how its first words stand."""

    def __init__(self, plain: Look) -> None:
        self._plain = plain
        """How a line looks that has no words yet."""
        self._cells: list[list[str]] = [[]]
        """Text outside a table is one cell."""
        self.is_row = False
        """True from the first cell of a table's row on."""
        self.place: Place | None = None
        """None until it has words."""
        self._box: Box | None = None
        self._look = plain
        self.linked = 0
        """How many of its characters are links."""

    @property
    def cell(self) -> list[str]:
        """The parts of the cell that is being gathered."""
        return self._cells[-1]

    def begin(self, place: Place | None, box: Box | None, look: Look) -> None:
        """Note where and how the first words stand."""
        self.place, self._box, self._look = place, box, look

    def begin_cell(self) -> None:
        """What comes next stands in a cell of its own."""
        if self.is_row:
            self._cells.append([])
        self.is_row = True

    def end(self, preformatted: bool) -> tuple[PageLine | None, int]:
        """The line, None without a word that is seen, and how many of its characters are cut off; the next one begins."""
        joined = ["".join(parts) for parts in self._cells]
        texts = [part.rstrip() if preformatted else " ".join(part.split()) for part in joined]
        line, cut = None, 0
        if any(part.strip() for part in texts):
            said = " | ".join(texts).rstrip()
            words = said[: fitting(self._box, said, self._look.size)].rstrip()
            cut = len(said) - len(words)
            line = PageLine(words, self.place, self.linked, self._look.z) if words else None
        self._cells, self.place, self.linked, self.is_row = [[]], None, 0, False
        self._box, self._look = None, self._plain
        return line, cut
