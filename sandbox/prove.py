"""Locks itself as a mode does and writes which ways out are open: ``curate doctor`` shows it."""

from __future__ import annotations

import json
import sys

import attempts
import jail
import landlock


def main(mode: str, packages: list[str]) -> int:
    """Write ``{"mode", "sandbox", "landlock", "attempts": {name: "blocked" or "open"}}`` as one line of JSON."""
    version = landlock.version()
    if mode == "read":
        jail.close_reader(packages, preload=lambda: None)
        results = attempts.of_reader()
    else:
        jail.close_worker(packages)
        results = attempts.of_worker()
    shown = {name: "open" if through else "blocked" for name, through in results.items()}
    answer = {"mode": mode, "sandbox": attempts.level(results), "landlock": version, "attempts": shown}
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0
