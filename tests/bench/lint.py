"""``curate lint``, cold and warm, on generated wikis with planted faults: each run has to find them all, and no other.

Eight citations a page. Cold: nothing is kept of an earlier pass, the catalogue of pages is there. Warm: nothing changed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support import planted
from support.planted import Planted

REPEATS = 3
HUGE = 50_000
"""Wikis from so many pages on are looked at once cold: it takes its time."""

Run = Callable[[list[str], Path], tuple[Any, ...]]
"""Runs ``curate`` with these arguments in a folder: seconds, megabytes, what it said."""
Measured = tuple[str, list[tuple[float, float]], str]
"""An operation, the seconds and megabytes of each of its runs, a remark."""


def measured(folder: Path, size: int, run: Run) -> list[Measured]:
    """Make a wiki of ``size`` pages in ``folder``, and look at it. Raises SystemExit when something else is found."""
    root = folder / "linted"
    # In a process of its own: a child's peak memory counts from that of the process it was forked from.
    command = [sys.executable, planted.__file__, str(root), str(size)]
    expected = {(code, path) for code, path in json.loads(subprocess.check_output(command))}
    built = run(["status"], root)[:2]
    cold = [_look(root, expected, run, cold=True) for _ in range(1 if size >= HUGE else REPEATS)]
    warm = [_look(root, expected, run) for _ in range(REPEATS)]
    remark = f"{len(expected):,} planted faults found, no other"
    first = ("first look, 8 citations a page", [built], "")
    return [first, ("lint, cold", cold, remark), ("lint, warm", warm, remark)]


def _look(root: Path, expected: planted.Expected, run: Run, *, cold: bool = False) -> tuple[float, float]:
    if cold:
        for file in (root / ".git" / "curator").glob("facts-*"):
            file.unlink()
    seconds, megabytes, said = run(["--json", "lint", "--fail-on", "never"], root)[:3]
    found = {(finding["code"], finding["path"]) for finding in json.loads(said)["findings"]}
    if wrong := list(planted.misses(Planted(expected=expected), found)):
        raise SystemExit(f"curate lint did not find what was planted ({len(wrong)}):\n" + "\n".join(wrong[:20]))
    return seconds, megabytes
