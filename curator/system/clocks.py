"""The machine's clocks, read together: where they disagree, the time was changed or the machine slept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

Clock = Callable[[], datetime]
"""Gives the time of now."""
JUMP = 5.0
"""Seconds that are no drift any more."""


@dataclass(frozen=True)
class ClockReading:
    """All clocks at one moment, in seconds."""

    wall: float
    monotonic: float
    """It stands still while the machine sleeps."""
    boottime: float
    """It does not; where there is no such clock it is the same as ``monotonic``."""


def read() -> ClockReading:
    boottime = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return ClockReading(time.time(), time.monotonic(), time.clock_gettime(boottime))


def jump_between(before: ClockReading, after: ClockReading) -> str:
    """What happened to the time besides passing, in words; empty when nothing did."""
    passed = after.boottime - before.boottime
    slept = passed - (after.monotonic - before.monotonic)
    jumped = (after.wall - before.wall) - passed
    said = []
    if slept > JUMP:
        said.append(f"the machine slept for {slept:.0f} s")
    if abs(jumped) > JUMP:
        said.append(f"the clock jumped by {jumped:+.0f} s")
    return ", ".join(said)


def utc_timestamp(moment: datetime) -> str:
    """A moment of UTC as files of the wiki write it: ``2026-05-01T12:00:00Z``."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
