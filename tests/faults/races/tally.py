"""What is counted of a run of races, and every fault that was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """``in_window``: races with an act between the first and the last moment in which curator changes files."""

    kind: str
    races: int = 0
    acts: int = 0
    in_window: int = 0
    saves: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_clean(self) -> bool:
        return not self.lost and not self.faults

    def count(self, acts: list[tuple[float, float]], begin: float, end: float) -> None:
        """One race; ``begin`` to ``end`` is its window, no window when ``end`` comes first."""
        self.races += 1
        self.acts += len(acts)
        self.in_window += any(first <= end and last >= begin for first, last in acts) and begin < end

    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "outcomes": dict(self.outcomes), "seconds": round(self.seconds, 1)}

    def __str__(self) -> str:
        head = (
            f"{self.kind:<22} {self.races:>7,} races {self.acts:>7,} acts {self.saves:>7,} saves "
            f"{self.in_window:>7,} in the window {len(self.lost):>3} lost {len(self.faults):>3} faults "
            f"{self.seconds:>6.0f} s"
        )
        outcomes = ", ".join(f"{count:,} {name}" for name, count in sorted(self.outcomes.items()))
        return "\n".join([head, f"    {outcomes}", *self.lost[:10], *self.faults[:20]])
