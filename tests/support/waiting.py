"""Waiting for what has to happen. Nothing fails by the clock on a machine that is slow: only what never happens does."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 300.0


def until(holds: Callable[[], object], seconds: float = PATIENCE, every: float = 0.05) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it takes longer than {seconds:g} s"
        time.sleep(every)


def has_ended(process: int) -> bool:
    """Whether it is gone, or waits only for somebody to ask after it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
