"""Whether a wiki's model is asked at all: after a fault that any source would have met, the whole queue waits.

So ten thousand sources do not meet the same closed door one after another. When the pause is over one source is tried;
when that works all go on, else the pause doubles. A budget that is used up is such a pause too, with a known end.

The end is told by the clock on the wall, for people. One that is set back ends the pause: what it was to last until is not
known any more, and one question finds it out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_FIRST, _LONGEST = 5.0, 3600.0
_MOST = 32 * 86_400.0
"""Longer than a month's budget has nobody a reason to ask for."""
_SET_BACK = 60.0
"""So many seconds before the pause began, it is another time than it was."""
_LASTING = 60.0
"""The first pause after a fault that will not pass by itself, as a refused key: somebody has to act."""


@dataclass
class CircuitBreaker:
    """Closed, all is well, until a ``fault``; times are seconds since 1970."""

    until: float = 0.0
    why: str = ""
    faults: int = 0
    """In a row."""
    since: float = 0.0

    def fault(self, why: str, now: float, *, passes: bool, again_in: float | None = None) -> None:
        """The model did not answer; ``again_in``: seconds after which it says it may."""
        if self.is_shut(now):
            return  # of a question that was under way when the first fault came
        pause = (_FIRST if passes else _LASTING) * 2.0**self.faults
        self.faults = min(self.faults + 1, 16)
        if again_in is None or not math.isfinite(again_in):  # a provider may say anything
            self.until = now + min(pause, _LONGEST)
        else:
            self.until = now + max(1.0, min(again_in, _MOST))
        self.since, self.why = now, why

    def worked(self) -> None:
        self.until, self.why, self.faults, self.since = 0.0, "", 0, 0.0

    def is_shut(self, now: float) -> bool:
        """True while nothing may be asked."""
        return bool(self.why) and self.since - _SET_BACK <= now < self.until

    def places(self, parallel: int, now: float) -> int:
        """How many sources may be worked on at once."""
        if not self.why:
            return parallel
        return 0 if self.is_shut(now) else 1
