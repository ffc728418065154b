"""The lines of a page as they are gathered, the columns of its tables, and which of the lines something lies over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from css.lengths import EM
from css.look import Look
from css.selectors import Element

from html_page.attributes import is_one_of_many
from html_page.boxes import CUT, Box, covers, fitting, is_collapsed, is_out_of, pulled_over, reaches_ahead
from html_page.place import Place
from html_page.tags import BLOCKS

_MOST_COVERED = 0.3
"""Of a page, by what lies over all of it; where that is more, a script takes it away."""
_LONGEST_CELL = 300
"""Characters of a table's cell, where it is a table of data."""
_MOST_COLUMNS = 100
_BIG = ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "article", "main")
_HIGH = 34.0
"""Pixels that a short paragraph takes at least, with what is between it and the next one."""


@dataclass(frozen=True)
class PageLine:
    """A line of visible text: a paragraph, an item, the row of a table, a line of code."""

    words: str
    place: Place | None
    linked: int
    """How many of its characters are links."""
    z: float = -0.5
    """How far above others it is painted."""


@dataclass(slots=True, eq=False)
class OpenElement:
    """An open element."""

    element: Element
    look: Look
    is_unseen: bool
    """True for none that is ever seen."""
    first: int
    """The number of the line that it may begin with."""
    declared: Mapping[str, str]
    box: Box | None
    children: int = 0
    lid: float = -9e9
    """What lies less high in it than this is covered."""
    slots: frozenset[str] | None = None
    """The names of the places that its shadow has for what is in it; None where it has none."""

    def hides(self, element: Element, declared: Mapping[str, str], size: float) -> str:
        """Why one right in it is not seen for the place that it has; empty for one that is."""
        if self.box is not None and is_out_of(self.box, declared, size, self.children):
            return CUT
        if is_collapsed(self.declared) and ("overflow" in declared or "overflow" in self.declared):
            return CUT
        is_other = self.children > 0 and is_one_of_many(self.element)
        return "not displayed" if is_other or not self.shows(element.attributes.get("slot", "")) else ""

    def shows(self, slot: str) -> bool:
        """True where what is for that ``slot`` is shown in it."""
        return self.slots is None or slot in self.slots


def is_layout(tag: str, size: int) -> bool:
    """True for what stands in no cell of data that has ``size`` characters: tables were what pages were laid out with."""
    return tag in _BIG or (tag in BLOCKS and size > _LONGEST_CELL)


class CoveredLines:
    """Which of the ``lines`` something lies over that comes later in the page."""

    def __init__(self, lines: list[PageLine]) -> None:
        self._lines = lines
        self._over: dict[int, str] = {}
        """By the number of a line; ``page`` for what lies over all of the page."""
        self.may_go = False
        """True for a page with a script, which may take away what lies over all of it."""
        self._ahead: list[tuple[float, float]] = []
        """How high above others each lies that lies over what comes next, and how many pixels of that."""

    def lay(self, over: str, look: Look, declared: Mapping[str, str], inside: list[OpenElement]) -> None:
        """Note the lines that an element lies over, of those that were read so far; it stands in those ``inside``."""
        if over == "before":
            room = pulled_over(declared, look.size)
            first = inside[-1].first if inside else 0
            for at in range(len(self._lines) - 1, first - 1, -1):
                room -= _HIGH + 1.2 * EM * (len(self._lines[at].words) // 160)
                if room < -_HIGH / 3:
                    break
                self._lay_over(at, at + 1, look.z, "around")
            return
        holder = next((each for each in reversed(inside) if each.declared.get("position", "static") != "static"), None)
        if over == "around" and holder is not None and holder.element.tag not in ("html", "body"):
            before = len(self._lines)
            self._lay_over(holder.first, before, look.z, over)
            room = reaches_ahead(declared, holder.declared, look.size, _HIGH * (before - holder.first))
            if room > _HIGH / 2:
                self._ahead.append((look.z, room))
            for each in inside[inside.index(holder) :]:
                each.lid = max(each.lid, look.z)
        else:
            self._lay_over(0, len(self._lines), look.z, "page")

    def lie_ahead(self, look: Look, declared: Mapping[str, str]) -> None:
        """Note what an element without words of its own lies over that comes behind it."""
        room = (
            reaches_ahead(declared, None, look.size, 0.0)
            if declared and covers(declared, look, False, lies=True)
            else 0.0
        )
        if room > _HIGH / 2:
            self._ahead.append((look.z, room))

    def go_on(self) -> None:
        """Note what lies over the line that was added just now."""
        at, ahead = len(self._lines) - 1, self._ahead
        self._ahead = []
        for z, room in ahead:
            if self._lines[at].z < z:
                self._over.setdefault(at, "around")
            if (left := room - _HIGH - 1.2 * EM * (len(self._lines[at].words) // 160)) > _HIGH / 3:
                self._ahead.append((z, left))

    def _lay_over(self, first: int, end: int, z: float, over: str) -> None:
        for at in range(first, end):
            if self._lines[at].z <= z:
                self._over.setdefault(at, over)

    def left(self) -> tuple[list[PageLine], int]:
        """The lines that nothing lies over, and how many characters the others have."""
        size = sum(len(line.words) for line in self._lines)
        paged = sum(len(self._lines[at].words) for at, over in self._over.items() if over == "page")
        gone = {
            at for at, over in self._over.items() if over != "page" or not self.may_go or paged <= _MOST_COVERED * size
        }
        hidden = sum(len(self._lines[at].words) for at in gone)
        return [line for at, line in enumerate(self._lines) if at not in gone], hidden


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


@dataclass(slots=True)
class TableColumns:
    """What hides each column of a table, and how far its row has been read."""

    hidden: list[str] = field(default_factory=list)
    cells: int = 0
    """Columns that the cells of the row take so far."""

    def add(self, element: Element, why: str) -> None:
        """The columns that a ``<col>`` stands for, all of them hidden by ``why`` where it is not empty."""
        self.hidden += [why] * _spanned(element, "span")

    def next_cell(self, element: Element) -> str:
        """What hides the next cell of the row, which is ``element``; empty where its column is shown."""
        why = self.hidden[self.cells] if self.cells < len(self.hidden) else ""
        self.cells += _spanned(element, "colspan")
        return why


def _spanned(element: Element, name: str) -> int:
    said = element.attributes.get(name, "1")
    return min(int(said), _MOST_COLUMNS) if said.isdecimal() else 1
