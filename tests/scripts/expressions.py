"""Hostile texts for every regular expression of ours, made from its own parse tree; which take how long at 64 kB.

    python tests/scripts/expressions.py [--seconds 1] [--size 65536] [PART OF A PLACE]

Each expression gets the samples of its parts, repeated, before an end that it does not fit. One that takes longer than
``--seconds`` of processor time on one of them is listed with the text; the exit code is then 1. In ``make nightly``.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.expressions import Expression, expressions
from support.hostile_texts import hostile

ENDS = ("", "\n", "\0", "!")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--size", type=int, default=1 << 16)
    parser.add_argument("part", nargs="?", default="")
    options = parser.parse_args(arguments)
    known, unseen = expressions()
    slow = tried = 0
    for one in known:
        if options.part in one.where:
            taken, worst, count = slowest(one, options.size, options.seconds)
            tried += count
            if taken >= options.seconds:
                slow += 1
                how = "searched" if one.searched else "matched"
                print(
                    f"{taken:6.1f} s  {one.where} ({how})\n          {one.pattern[:150]!r}\n          on {worst}",
                    flush=True,
                )
    print(
        f"{len(known)} expressions, {tried} texts of {options.size:,} characters: {slow} take {options.seconds:g} s or more"
    )
    print(f"not seen, for a function makes them up: {', '.join(unseen)}")
    return 1 if slow else 0


def slowest(one: Expression, size: int, limit: float) -> tuple[float, str, int]:
    """Processor seconds of the text that takes longest, that text in short, and how many were tried; ends at the limit."""
    pattern, best = one.compiled(), (0.0, "")
    count = 0
    for before, unit in dict.fromkeys(hostile(one)):
        for end in ENDS:
            count += 1
            text = before + unit * ((size - len(before)) // len(unit)) + end
            taken = _seconds(pattern, text, one.searched, one.whole, limit)
            best = max(best, (taken, f"{before[:60]!r} + {unit[:60]!r} * n + {end!r}"))
            if taken >= limit:
                return (*best, count)
    return (*best, count)


def _seconds(pattern: re.Pattern[str], text: str, searched: bool, whole: bool, limit: float) -> float:
    def end(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, end)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        if searched:
            for _ in pattern.finditer(text):
                pass
        else:
            (pattern.fullmatch if whole else pattern.match)(text)
    except TimeoutError:
        return limit
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
