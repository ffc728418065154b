"""Locks itself as a mode does and says which ways out are open: ``curate doctor`` shows it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import jail
from jail import attempts, landlock


def main(mode: str, packages: list[str]) -> int:
    """Write the report on the jail of ``mode`` as one line of JSON."""
    close: dict[str, Callable[[], object]] = {
        "read": lambda: jail.close_reader(packages, preload=lambda: None),
        "complete": lambda: jail.close_worker(packages),
    }
    sys.stdout.write(json.dumps(report(close[mode])) + "\n")
    return 0


def report(close: Callable[[], object]) -> dict[str, Any]:
    """``close`` the jail and try it: ``{"sandbox", "landlock", "attempts": {name: "blocked" or "open"}}``."""
    version = landlock.version()
    close()
    results = attempts.all_tried()
    shown = {name: "open" if through else "blocked" for name, through in results.items()}
    return {"sandbox": attempts.level(results), "landlock": version, "attempts": shown}
