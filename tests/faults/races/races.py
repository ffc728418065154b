"""Races an editor and the user's git against curator, and counts what was lost: nothing may be.

    python tests/faults/races/races.py [--races N] [--kind editor|git|all] [--json FILE] [--seed N] [--folder DIR]

``editor``: most of the races are for single pages, some for whole transactions. ``git``: the user's git against
transactions. Every save has a token; each must be found in a page, in git, in rescue/ or in displaced/, unless the editor
destroyed it itself. The exit status is 1 when anything was lost or is not as it should be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from faults.races import landing, tight
from faults.races.tally import Tally

_WHOLE = 25
"""Of so many races with an editor, one is for a whole transaction: it takes that much longer."""
_LINKS = 4
"""Of so many races for a page, one is without RENAME_EXCHANGE."""


def run(races: int, kind: str, seed: int, folder: Path) -> Iterator[Tally]:
    """The tallies of ``races`` races with an editor, and of so many with git as take about as long."""
    whole = max(races // _WHOLE, 1)
    if kind in ("editor", "all"):
        links = (races - whole) // _LINKS
        yield tight.run(folder / "tight", races - whole - links, seed)
        yield tight.run(folder / "links", links, seed + 10, has_exchange=False)
        yield landing.run(folder / "landing", whole, seed + 20, has_git=False)
    if kind in ("git", "all"):
        yield landing.run(folder / "git", whole, seed + 30, has_git=True)


def use_own_git(folder: Path) -> None:
    """No configuration of the machine's user reaches a race."""
    os.environ.update(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", HOME=str(folder))
    for role in ("AUTHOR", "COMMITTER"):
        os.environ.update({f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example.org"})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=20_000)
    parser.add_argument("--kind", choices=("editor", "git", "all"), default="all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the wikis are made: the file system makes a difference")
    chosen = parser.parse_args()
    tallies = []
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        use_own_git(Path(folder))
        for tally in run(chosen.races, chosen.kind, chosen.seed, Path(folder)):
            tallies.append(tally)
            print(tally, flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps([tally.as_json() for tally in tallies], indent=2) + "\n")
    return 0 if all(tally.is_clean for tally in tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
