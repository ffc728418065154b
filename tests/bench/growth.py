"""How a repository grows: ``.git`` after every hundredth of many ingests into a wiki of some size, by the packing policy.

    python tests/bench/growth.py FOLDER PAGES [INGESTS]

Small sources, by the built-in curator, a hundred to a process. Prints one line a hundred: what git has loose and packed,
and what the index, log and manifest are, which every ingest writes anew.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import wikis

AT_ONCE = 100
_WRITTEN = ("_index.md", "_log.md", "_manifest.json")


def main() -> None:
    root, pages = Path(sys.argv[1]), int(sys.argv[2])
    ingests = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000
    wikis.make(root, pages, pages * 3 // 10)
    subprocess.run([sys.executable, "-m", "curator", "status"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    first = sum(_sizes(root)[:2])
    print(f"{'ingests':>8} {'loose MB':>9} {'packed MB':>10} {'packs':>6} {'written anew MB':>16} {'kB an ingest':>13}")
    for done in range(0, ingests + 1, AT_ONCE):
        if done:
            files = [str(file) for file in _sources(root.parent, done - AT_ONCE, done)]
            command = [sys.executable, "-m", "curator", "ingest", *files]
            subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        loose, packed, packs = _sizes(root)
        anew = sum((root / name).stat().st_size for name in _WRITTEN)
        growth = f"{(loose + packed - first) / done:13.1f}" if done else ""
        print(f"{done:8,} {loose / 1e3:9.1f} {packed / 1e3:10.1f} {packs:6} {anew / 1e6:16.1f} {growth}", flush=True)


def _sizes(root: Path) -> tuple[int, int, int]:
    """Loose and packed, in kilobytes, and how many packs."""
    command = ["git", "-C", str(root), "count-objects", "-v"]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict(line.split(": ") for line in out.splitlines())
    return int(found["size"]), int(found["size-pack"]), int(found["packs"])


def _sources(folder: Path, first: int, last: int) -> Iterator[Path]:
    for number in range(first, last):
        chance = random.Random(number)
        one, two = chance.sample(wikis.WORDS, 2)
        file = folder / f"growth-{number}.md"
        text = f"# Growth notes {number}\n\nThe {one} of shelf {number} is kept beside the {two} of the workshop.\n"
        file.write_text(text, "utf-8")
        yield file


if __name__ == "__main__":
    main()
