"""The columns of a table, of which a page may hide some."""

from __future__ import annotations

from dataclasses import dataclass, field

from style_selectors import Element

_MOST = 100


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
    return min(int(said), _MOST) if said.isdecimal() else 1
