"""The circuit breaker between the queue and the model: after a failure that any source would have met, all wait.

When the pause is over one source is tried; when that succeeds all go on, else the pause doubles. A budget that is used up
is such a pause too, with a known end. The end is told in wall-clock time, for people; a clock that is set back ends the
pause, because the time it was to last until is not known any more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_FIRST, _LONGEST = 5.0, 3600.0
_MOST = 32 * 86_400.0
"""The longest pause that is accepted from a provider: no budget lasts longer than a month."""
_SET_BACK = 60.0
"""A clock that stands so many seconds before the start of the pause was set back."""
_LASTING = 60.0
"""The first pause after a fault that will not pass by itself, such as a refused key."""


@dataclass
class CircuitBreaker:
    """Closed, which means that the model may be asked, until ``fault`` opens it. Times are seconds since 1970."""

    until: float = 0.0
    why: str = ""
    faults: int = 0
    """In a row."""
    since: float = 0.0

    def fault(self, why: str, now: float, *, passes: bool, again_in: float | None = None) -> None:
        """Open it. ``passes``: the fault may pass by itself; ``again_in``: the pause that the provider asked for."""
        if self.is_open(now):
            return  # the answer to a request that was under way when the first fault came
        pause = (_FIRST if passes else _LASTING) * 2.0**self.faults
        self.faults = min(self.faults + 1, 16)
        if again_in is None or not math.isfinite(again_in):  # a provider may say anything
            self.until = now + min(pause, _LONGEST)
        else:
            self.until = now + max(1.0, min(again_in, _MOST))
        self.since, self.why = now, why

    def close(self) -> None:
        self.until, self.why, self.faults, self.since = 0.0, "", 0, 0.0

    def is_open(self, now: float) -> bool:
        """True while the model may not be asked."""
        return bool(self.why) and self.since - _SET_BACK <= now < self.until

    def allowed(self, parallel: int, now: float) -> int:
        """How many sources may be in progress at once, of ``parallel``."""
        if not self.why:
            return parallel
        return 0 if self.is_open(now) else 1
