"""Whether a wiki's model is asked at all: after a fault that any source would have met, the whole queue waits.

So ten thousand sources do not meet the same closed door one after another. When the pause is over one source is tried;
when that works all go on, else the pause doubles. A budget that is used up is such a pause too, with a known end.
"""

from __future__ import annotations

from dataclasses import dataclass

_FIRST, _LONGEST = 5.0, 3600.0
_LASTING = 60.0
"""The first pause after a fault that will not pass by itself, as a refused key: somebody has to act."""


@dataclass
class Breaker:
    """Closed, all is well, until a ``fault``; times are seconds since 1970."""

    until: float = 0.0
    why: str = ""
    faults: int = 0
    """In a row."""

    def fault(self, why: str, now: float, *, passes: bool, again_in: float | None = None) -> None:
        """The model did not answer; ``again_in``: seconds after which it says it may."""
        if now < self.until:
            return  # of a question that was under way when the first fault came
        pause = (_FIRST if passes else _LASTING) * 2.0**self.faults
        self.faults = min(self.faults + 1, 16)
        self.until = now + (min(pause, _LONGEST) if again_in is None else max(again_in, 1.0))
        self.why = why

    def worked(self) -> None:
        self.until, self.why, self.faults = 0.0, "", 0

    def places(self, parallel: int, now: float) -> int:
        """How many sources may be worked on at once."""
        if not self.why:
            return parallel
        return 1 if now >= self.until else 0
