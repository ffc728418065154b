"""What came of all faults, in a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from faults.torture.worker import Result


@dataclass(frozen=True)
class Row:
    """One plan in one mode."""

    plan: str
    mode: str
    points: int
    missed: int
    """Runs that had ended before the call they were to be struck at."""
    before: int
    after: int
    wrong: int
    recovery: float
    """The most seconds the next command took."""


def rows(results: Iterable[Result]) -> list[Row]:
    def place(result: Result) -> tuple[str, str]:
        return result.plan, result.mode

    return [_row(*where, list(some)) for where, some in groupby(sorted(results, key=place), place)]


def _row(plan: str, mode: str, results: Sequence[Result]) -> Row:
    sound = [result for result in results if not result.faults]
    landed = sum(result.landed for result in sound)
    return Row(
        plan=plan,
        mode=mode,
        points=len(results),
        missed=sum(not result.struck.strip() for result in results),
        before=len(sound) - landed,
        after=landed,
        wrong=len(results) - len(sound),
        recovery=round(max(result.recovery for result in results), 3),
    )


def table(report: Sequence[Row]) -> str:
    head = ("plan", "mode", "points", "missed", "before", "after", "wrong", "recovery")
    lines = [head, *(tuple(str(getattr(row, name)) for name in head) for row in report)]
    return "\n".join(
        "".join(f"{field:<12}" if i < 2 else f"{field:>9}" for i, field in enumerate(line)) for line in lines
    )
