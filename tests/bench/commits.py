"""What the transaction costs beside bare git plumbing, by the size of the wiki: ten pages changed, in one process.

    python tests/bench/commits.py WIKI PAGES

Prints one JSON list of rows. "plumbing" is what any program has to do that commits through a private index and writes the
files itself: no journal, no lock, no look at the user's work, no sync.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from curator.repository.git import commands
from curator.repository.repository import Repository

CHANGED = 10
REPEATS = 5


def main() -> None:
    root, pages = Path(sys.argv[1]), int(sys.argv[2])
    with Repository(root) as repository:
        repository.view()  # the catalogue is built before the clock runs

        def transaction(turn: int) -> None:
            files: dict[str, str | None] = dict(_changes(root, turn))
            repository.begin().commit(files, None, f"bench {turn}\n")

        rows = {
            "commit 10 pages, plain plumbing": _median(lambda turn: _plumbing(root, turn), 0),
            "commit 10 pages, transaction": _median(transaction, 10),
        }
        with _not_durable():
            rows["commit 10 pages, transaction, writes not synced"] = _median(transaction, 20)
    print(json.dumps([{"operation": name, "pages": pages, "seconds": round(took, 4)} for name, took in rows.items()]))


def _median(act: Callable[[int], None], first: int) -> float:
    took = []
    for turn in range(first, first + REPEATS + 1):
        started = time.perf_counter()
        act(turn)
        took.append(time.perf_counter() - started)
    return statistics.median(took[1:])  # the first one fills plumbing's private index


def _changes(root: Path, turn: int) -> dict[str, str]:
    files = sorted((root / "concepts").glob("page-*.md"))[turn * CHANGED : (turn + 1) * CHANGED]
    return {file.relative_to(root).as_posix(): file.read_text("utf-8") + f"\nTurn {turn}.\n" for file in files}


def _plumbing(root: Path, turn: int) -> None:
    changes = _changes(root, turn)
    environment = {**os.environ, "GIT_INDEX_FILE": str(root / ".git" / "bench-index")}
    for name in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{name}_NAME": "bench", f"GIT_{name}_EMAIL": "bench@localhost"}

    def run(*arguments: str, stdin: str = "") -> str:
        command = ["git", "-C", str(root), *arguments]
        done = subprocess.run(command, input=stdin, env=environment, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    if not Path(environment["GIT_INDEX_FILE"]).exists():
        run("read-tree", "HEAD")
    for path, text in changes.items():
        (root / path).write_text(text, "utf-8")
    oids = run("hash-object", "-w", "--stdin-paths", stdin="\n".join(changes)).split("\n")
    listed = "".join(f"100644 {oid}\t{path}\n" for path, oid in zip(changes, oids, strict=True))
    run("update-index", "--index-info", stdin=listed)
    new = run("commit-tree", run("write-tree"), "-p", "HEAD", "-m", f"plumbing {turn}")
    run("update-ref", "HEAD", new)
    environment.pop("GIT_INDEX_FILE")
    run("update-index", "--index-info", stdin=listed)


@contextmanager
def _not_durable() -> Iterator[None]:
    """Nothing is synced, by us or by git: how much of the time is the disk's."""
    options = tuple("core.fsync=none" if "core.fsync=" in option else option for option in commands._ALWAYS)
    with mock.patch.object(commands, "_ALWAYS", options), mock.patch.object(os, "fsync"):
        yield


if __name__ == "__main__":
    main()
