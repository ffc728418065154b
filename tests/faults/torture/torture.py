"""Tortures transactions: every plan, in every mode, at every call that changes a file. Prints a table of what came of it.

    python tests/faults/torture/torture.py [--mode MODE] [--plan NAME] [--every N] [--jobs N] [--json FILE]

Modes: ``kill`` before a call; ``torn``, in the middle of a write; ``power`` cut, with what was not synced empty;
``names``, the same with names that were not synced lost, and ``some-names``, with some of them; ``errno``, the call fails;
``reads``, opening a file to read fails; ``orphan``, only Python is killed and git goes on, late; ``lone``, only git is
killed; ``double``, the recovery is killed too; ``unlocked``, the same after the user has removed index.lock; ``locks``, the
user's own stay.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from faults.torture import shim
from faults.torture.crew import Crew
from faults.torture.locks import LOCKS
from faults.torture.plans import PLANS
from faults.torture.shim import LASTING, PLAUSIBLE, Call
from faults.torture.table import Row, rows, table
from faults.torture.worker import Job, Result

MODES = (
    "kill",
    "torn",
    "power",
    "names",
    "some-names",
    "errno",
    "reads",
    "orphan",
    "lone",
    "double",
    "unlocked",
    "locks",
)
_MEMORY = Path("/dev/shm")  # noqa: S108 (a folder of our own is made in it)
_DOUBLES = {"double": 10, "unlocked": 4}
"""Crash points of a plan from which all crashes of the recovery are tried."""
_READS_EVERY = 3
_LASTING_EVERY = 3
"""Files are opened to read, and errors may begin to last, so often that every third time is enough."""


def jobs(mode: str, plan: str, made: Sequence[Call], every: int = 1) -> Iterator[Job]:
    """The jobs of one mode for a plan that makes these calls."""
    some = made[::every]
    match mode:
        case "errno" | "reads":
            yield from _refusals(mode, plan, some)
        case "torn":
            yield from (Job(mode, plan, call.number) for call in some if call.kind == "write")
        case "orphan" | "lone":
            yield from (Job(mode, plan, call.number) for call in some if call.process != made[0].process)
        case "double" | "unlocked":
            journal = next(call.number for call in made if call.other.endswith("/journal.json"))
            step = max(1, (len(made) - journal) // _DOUBLES[mode])
            yield from (Job(mode, plan, at, every=every) for at in range(journal + 1, len(made) + 1, step))
        case "locks":
            yield from (Job(mode, plan, number) for number in range(len(LOCKS)))
        case _:
            yield from (Job(mode, plan, call.number) for call in some)


def _refusals(mode: str, plan: str, made: Sequence[Call]) -> Iterator[Job]:
    """Each error at each call it may come from: once, and for some errors from there on."""
    reads = mode == "reads"
    chosen = [call for call in made if call.kind == "read"][::_READS_EVERY] if reads else made
    for call in chosen:
        for error in (error for error, kinds in PLAUSIBLE.items() if call.kind in kinds):
            yield Job(mode, plan, call.number, error)
            if reads or (error in LASTING and call.number % _LASTING_EVERY == 0):
                yield Job(mode, plan, call.number, error, lasting=True)


def torture(crew: Crew, modes: Sequence[str], plans: Sequence[str], every: int) -> Iterator[Result]:
    """Do it all; what came of each fault, as it comes."""
    work: list[Job] = []
    for plan in plans:
        for mode in modes:
            work += jobs(mode, plan, crew.calls(plan, reads=mode == "reads"), every)
    yield from crew.results(work)


@contextmanager
def hired(workers: int) -> Iterator[Crew]:
    """A crew with the shim, in memory where it can be."""
    memory = _MEMORY if _MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="torture-", dir=memory) as folder,
        Crew(Path(folder), shim.build(Path(folder)), workers) as crew,
    ):
        yield crew


def main() -> int:
    options = _options()
    if why := shim.missing():
        print(f"torture: not here: {why}")
        return 2
    modes = MODES if options.mode == "all" else (options.mode,)
    plans = tuple(PLANS) if options.plan is None else (options.plan,)
    begun, found = time.monotonic(), []
    with hired(options.jobs) as crew:
        for result in torture(crew, modes, plans, options.every):
            found.append(result)
            if len(found) % 500 == 0:
                print(f"{len(found)} faults after {time.monotonic() - begun:.0f} s", flush=True)
            for fault in result.faults:
                where = f"{result.plan} {result.mode} {result.at} ({result.struck.strip()})"
                print(f"{where} {result.how}: {fault}", flush=True)
    report = rows(found)
    print(table(report))
    print(f"{len(found)} faults in {time.monotonic() - begun:.0f} s")
    if options.json:
        options.json.write_text(_as_json(report), "utf-8")
    return 1 if any(row.wrong for row in report) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fault injection for curator's transactions.")
    parser.add_argument("--mode", choices=(*MODES, "all"), default="all")
    parser.add_argument("--plan", choices=tuple(PLANS), help="one plan only")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th call only")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="so many at once")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the table, as JSON too")
    return parser.parse_args()


def _as_json(report: Sequence[Row]) -> str:
    return json.dumps([row.__dict__ for row in report], indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(main())
